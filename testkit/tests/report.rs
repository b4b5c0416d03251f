//! The report of a check says what was never met, and warns of what is seldom meant: a small Royal Game of Ur
//! with mistakes in it, and graphs that lack something.

use crate::games::ur::{Author, Position, Race, Ur};
use crate::oracle::oracle_value;
use starsplit::Searcher;
use starsplit::evaluator::{Before, Constant, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::Player;
use starsplit::score::{Bounds, Score};
use starsplit::search::{Algorithm, Limits, Options};
use starsplit::table::LocklessTable;
use starsplit_testkit::{
    EdgePlies, GraphGame, GraphShape, Plays, PliedGraph, RandomGraph, Report, RewardedGraph, Rewards,
    Warning, check, check_evaluator, check_game, check_searches,
};

const PLAYS: Plays = Plays { games: 20, max_plies: 200, seed: 1 };

/// What is reported of the game with two pieces a player.
fn report_of(author: Author) -> Report {
    let game = Ur::new(2, author);
    check(&game, &Race, &game.start(), &PLAYS).unwrap()
}

/// Whether the report's text has this warning as a line.
fn is_told(report: &Report, warning: &Warning) -> bool {
    report.to_string().lines().any(|line| line == format!("warning: {warning}"))
}

#[test]
fn a_game_of_which_all_was_met_has_no_warnings() {
    let report = report_of(Author::Careful);
    assert_eq!(report.warnings, []);
    assert_eq!((report.ends.least(), report.ends.greatest()), (Some(-8_388_607), Some(8_388_607)));
    // A slow machine is told to declare what things take.
    let is_of_time = |line: &str| line.contains("nothing is declared");
    let text = report.to_string();
    assert!(text.lines().all(|line| !line.starts_with("warning") || is_of_time(line)), "{report}");
}

#[test]
fn plays_that_are_left_before_their_end_are_warned_of() {
    let whole = Ur::new(7, Author::Careful);
    let none = check(&whole, &Race, &whole.start(), &Plays::default()).unwrap();
    assert_eq!((none.terminals, none.unfinished), (0, 100));
    assert_eq!(none.warnings, [Warning::NoEnd { games: 100 }]);
    assert!(is_told(&none, &none.warnings[0]), "{none}");

    let game = Ur::new(5, Author::Careful);
    let few = check_game(&game, &game.start(), &PLAYS).unwrap();
    let unfinished = few.unfinished;
    assert!((11..20).contains(&unfinished), "{few}");
    assert_eq!(few.warnings, [Warning::Unfinished { unfinished, games: 20 }]);
    assert!(is_told(&few, &few.warnings[0]), "{few}");

    let all = check_game(&game, &game.start(), &Plays { max_plies: 1_000, ..PLAYS }).unwrap();
    assert_eq!((all.unfinished, all.warnings), (0, Vec::new()));
}

#[test]
fn a_player_that_never_changes_is_warned_of() {
    let report = report_of(Author::ForgetsTheOther);
    let decisions = report.decisions;
    let warnings = [
        Warning::OnePlayer { player: Player::Max, decisions },
        Warning::SameEnds { ends: 20, score: -8_388_607 },
        Warning::LastLoses { lost: 20, won: 0 },
    ];
    assert_eq!(report.warnings, warnings);
    assert!(warnings.iter().all(|warning| is_told(&report, warning)), "{report}");
}

#[test]
fn the_sums_of_weights_are_told() {
    for (author, sum) in [(Author::Careful, 16), (Author::Miscounts, 17), (Author::ThrowsCoins, 16)] {
        let report = report_of(author);
        assert_eq!(report.weight_sums.into_iter().collect::<Vec<_>>(), [(sum, report.chances)], "{author:?}");
    }
    let miscounted = report_of(Author::Miscounts);
    let line = format!("sum of a chance node's weights: 17 at {} chance nodes", miscounted.chances);
    assert!(miscounted.to_string().lines().any(|told| told == line), "{miscounted}");
}

#[test]
fn many_sums_of_weights_are_told_together() {
    let graph = RandomGraph::new(&GraphShape::default(), 1).unwrap();
    let report = check_game(&graph, &graph.start(), &PLAYS).unwrap();
    let sums = &report.weight_sums;
    assert!(sums.len() > 4 && sums.values().sum::<u64>() == report.chances, "{report}");
    let [least, greatest] = [sums.keys().min(), sums.keys().max()].map(|sum| sum.expect("one"));
    let line = format!("weights: {} different sums from {least} to {greatest}\n", sums.len());
    assert!(report.to_string().contains(&line), "{report}");
}

#[test]
fn branching_is_told() {
    let report = report_of(Author::Careful);
    let moves = report.moves;
    assert_eq!((moves.count(), moves.least(), moves.greatest()), (report.decisions, Some(1), Some(2)));
    assert!(moves.mean().is_some_and(|mean| 1.2 < mean && mean < 1.6), "{report}");
    assert_eq!((report.outcomes.only(), report.outcomes.count()), (Some(5), report.chances));
    assert_eq!(report_of(Author::ThrowsCoins).outcomes.only(), Some(16));
    assert!(report.to_string().contains("\noutcomes of a chance node: always 5\n"), "{report}");
}

#[test]
fn outcomes_that_lead_to_one_position_or_back_are_no_faults() {
    let coins = report_of(Author::ThrowsCoins);
    // Of sixteen throws, eleven come to what another one comes to.
    assert_eq!((coins.merging, coins.back), (11 * coins.chances, 0));
    assert_eq!(coins.warnings, [Warning::Merging { merging: coins.merging }]);
    let again = report_of(Author::RollsAgain);
    assert_eq!((again.merging, again.back), (0, again.chances));
    assert_eq!(again.warnings, [Warning::Back { steps: again.back }]);
    assert!(is_told(&coins, &coins.warnings[0]) && is_told(&again, &again.warnings[0]));
}

#[test]
fn searches_take_steps_that_lead_back_and_outcomes_that_meet() {
    let mut compared = 0;
    for seed in 0..60 {
        let shape = GraphShape { positions: 12, limit: 4, cycles: seed % 3 > 0, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).unwrap().with_loops(40);
        let rewards = Rewards { move_percent: 40, outcome_percent: 40, most: 2 };
        let plies = EdgePlies { none_percent: 20, more_percent: 20, most: 3 };
        let rewarded = RewardedGraph::new(graph, rewards).unwrap();
        compared += compare(&PliedGraph::new(rewarded, plies).unwrap());
    }
    assert!(compared > 1_000, "{compared}");
}

/// Compares searches by all algorithms with the oracle, and tells how many there were.
fn compare(game: &PliedGraph<RewardedGraph>) -> u32 {
    let (evaluator, start, mut compared) = (HashRandom::new(1, 4), game.graph().start(), 0);
    for &algorithm in Algorithm::ALL {
        let options = Options { algorithm, ..Options::default() };
        let table = LocklessTable::with_buckets(8).unwrap();
        let searcher = Searcher::new(game.clone(), evaluator, table).with_options(options);
        for depth in 1..=5 {
            let expected = oracle_value(game, &evaluator, &start, depth) as Score;
            let found = searcher.request(&start).limits(Limits::depth(depth)).search().unwrap();
            assert_eq!(found.bounds, Bounds::exactly(expected), "{algorithm} to depth {depth}");
            compared += 1;
        }
    }
    compared
}

/// What is warned of at a graph of this shape.
fn warnings_of(shape: &GraphShape) -> Vec<Warning> {
    let graph = RandomGraph::new(shape, 2).unwrap();
    check_game(&graph, &graph.start(), &PLAYS).unwrap().warnings
}

#[test]
fn kinds_of_positions_that_were_never_met_are_warned_of() {
    let shape = GraphShape::default();
    let has = |shape: GraphShape, is_it: fn(&Warning) -> bool| {
        let warnings = warnings_of(&shape);
        assert!(warnings.iter().any(is_it), "{shape:?}: {warnings:?}");
    };
    assert_eq!(warnings_of(&shape), []);
    has(GraphShape { chance_percent: 0, ..shape.clone() }, |one| matches!(one, Warning::NoChance));
    has(GraphShape { chance_percent: 100, terminal_percent: 0, ..shape.clone() }, |one| {
        matches!(one, Warning::NoDecision)
    });
    has(GraphShape { terminal_percent: 0, ..shape.clone() }, |one| matches!(one, Warning::NoEnd { .. }));
    has(GraphShape { one_player: true, ..shape.clone() }, |one| {
        matches!(one, Warning::OnePlayer { player: Player::Max, .. })
    });
    let narrow = GraphShape { successors: 1..=1, terminal_percent: 0, ..shape };
    has(narrow.clone(), |one| matches!(one, Warning::OneMove { .. }));
    has(narrow, |one| matches!(one, Warning::OneOutcome { .. }));
}

#[test]
fn what_was_not_looked_at_is_warned_of() {
    let game = Ur::new(2, Author::Careful);
    let start = game.start();
    let none = Plays { games: 0, ..PLAYS };
    let report = check(&game, &Race, &start, &none).unwrap();
    assert!(report.warnings.contains(&Warning::NoPlay), "{report}");

    let graph = RandomGraph::new(&GraphShape { positions: 1, ..GraphShape::default() }, 1).unwrap();
    let end = graph.start();
    let evaluated = check_evaluator(&graph, &Constant::default(), &end, &PLAYS).unwrap();
    assert!(evaluated.warnings.contains(&Warning::NothingCompared), "{evaluated}");
    assert!(evaluated.warnings.contains(&Warning::NoEvaluation), "{evaluated}");
    let searched = check_searches(&graph, &Constant::default(), &end, &PLAYS).unwrap();
    assert_eq!(searched.warnings, [Warning::NothingSearched]);
}

/// The race, told for the other player.
struct Backwards;

impl Evaluator<Ur> for Backwards {
    type State = ();

    fn facts(&self, game: &Ur) -> EvaluatorFacts {
        Race.facts(game)
    }

    fn state(&self, _: &Ur, _: &Position, _: Option<Before<'_, Ur, ()>>) {}

    fn evaluate(&self, game: &Ur, position: &Position, state: &()) -> Score {
        -Race.evaluate(game, position, state)
    }
}

#[test]
fn evaluations_that_say_nothing_or_the_opposite_are_warned_of() {
    let game = Ur::new(2, Author::Careful);
    let constant = check_evaluator(&game, &Constant::new(7), &game.start(), &PLAYS).unwrap();
    let evaluations = constant.evaluations;
    assert_eq!(constant.warnings, [Warning::SameEvaluations { evaluations, score: 7 }]);
    let backwards = check_evaluator(&game, &Backwards, &game.start(), &PLAYS).unwrap();
    let (misjudged, foreseen) = (backwards.ends_misjudged, backwards.ends_foreseen);
    assert!(misjudged > 2 * foreseen, "{backwards}");
    assert_eq!(backwards.warnings, [Warning::Misjudged { misjudged, foreseen }]);
}

#[test]
fn the_same_plays_give_the_same_report() {
    let [one, other] = [(); 2].map(|()| report_of(Author::ThrowsCoins));
    assert_eq!((one.warnings, one.weight_sums, one.moves), (other.warnings, other.weight_sums, other.moves));
}
