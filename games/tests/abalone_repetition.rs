//! Abalone where a position that comes again is a draw: against a search that keeps the whole path, and what
//! is left of the table's hits.

use crate::erased::Seeing;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, Player, PositionHash};
use starsplit::score::{Bounds, Score};
use starsplit::search::{Algorithm, Limits, Options, Stats, TableUse};
use starsplit_games::abalone::{Abalone, INFO, Move, Position};
use starsplit_games::{EvaluatorVisitor, KnownGame};
use starsplit_testkit::{Plays, check_evaluator, check_game};

fn open(rules: &str) -> Abalone {
    Abalone::open(&INFO, rules).unwrap()
}

/// The positions of the suite.
fn suite() -> Vec<&'static str> {
    INFO.suites[0].1.lines().filter(|line| line.contains('/')).collect()
}

fn moves(game: &Abalone, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(position, |mv| moves.push(mv));
    moves
}

/// The fields with this sign, and how many.
fn fields(game: &Abalone, position: &Position, sign: char) -> Vec<usize> {
    game.notation(position).split(' ').next().unwrap().match_indices(sign).map(|(field, _)| field).collect()
}

/// A move after which the mover's marbles lie where they lay in `earlier` and the other's where they lie.
fn back(game: &Abalone, position: &Position, earlier: &Position) -> Option<Move> {
    let (own, other) = if game.player(position) == Player::Max { ('b', 'w') } else { ('w', 'b') };
    let goes_back = |after: &Position| {
        fields(game, after, own) == fields(game, earlier, own)
            && fields(game, after, other) == fields(game, position, other)
    };
    moves(game, position).into_iter().find(|&mv| goes_back(&game.play(position, mv)))
}

/// Play from `first` of which the last move goes back, so that one more would lead to `first` again: the
/// positions, this one the last.
fn shuffled(game: &Abalone, first: Position, seed: usize) -> Option<Vec<Position>> {
    let mut met = vec![first];
    for ply in 0..2 {
        let last = met.last()?;
        let moves = moves(game, last);
        met.push(game.play(last, moves[(seed * (ply + 7)) % moves.len()]));
    }
    let third = back(game, &met[2], &met[0])?;
    met.push(game.play(&met[2], third));
    back(game, &met[3], &met[0])?;
    Some(met)
}

/// Plays from positions of the suite that are about to go round.
fn plays(game: &Abalone) -> Vec<Vec<Position>> {
    let first = |text| game.parse(text).unwrap();
    (1..).zip(suite()).filter_map(|(seed, text)| shuffled(game, first(text), seed)).collect()
}

#[test]
fn a_position_that_comes_again_is_a_draw_under_the_rule_alone() {
    for (rules, is_draw) in [("", false), ("repetition=none", false), ("repetition=draw", true)] {
        let game = open(rules);
        let plays = plays(&game);
        assert!(plays.len() >= 10, "{}", plays.len());
        for met in &plays {
            let (first, last) = (&met[0], &met[3]);
            assert_eq!(game.kind(last), NodeKind::Decision);
            let again = game.play(last, back(&game, last, first).unwrap());
            assert_eq!((game.hash(&again), game.notation(&again)), (game.hash(first), game.notation(first)));
            assert_eq!(game.kind(&again) == NodeKind::Terminal, is_draw);
            assert_eq!(game.draw(&again).contains("a draw"), is_draw);
            if is_draw {
                assert_eq!(game.terminal_score(&again), 0);
            }
        }
    }
}

#[test]
fn the_rule_is_read_and_written() {
    assert_eq!(open("repetition=none").rules(), "start=standard");
    let both = open("repetition=draw,start=german");
    assert_eq!(both.rules(), "start=german,repetition=draw");
    assert_eq!(open(&both.rules()).rules(), both.rules());
    assert_ne!(both.identity(), open("start=german").identity());
    assert_eq!(open("").identity(), open("repetition=none").identity());
    for bad in ["repetition", "repetition=loss", "repetition=draw,repetition=draw"] {
        assert!(Abalone::open(&INFO, bad).is_err(), "{bad}");
    }
}

#[test]
fn the_contracts_are_kept_under_the_rule() {
    struct Check<'a>(&'a Abalone, &'a Position);
    impl EvaluatorVisitor<Abalone> for Check<'_> {
        type Output = u64;

        fn visit<E: Evaluator<Abalone>>(self, evaluator: E) -> u64 {
            let plays = Plays { games: 2, max_plies: 200, seed: 2 };
            check_evaluator(self.0, &evaluator, self.1, &plays).unwrap().evaluations
        }
    }
    let game = open("repetition=draw");
    let report = check_game(&game, &game.initial(), &Plays { games: 4, max_plies: 400, seed: 1 }).unwrap();
    assert!(report.decisions > 1_000, "{report}");
    // From here many plays go round.
    let met = plays(&game).swap_remove(0);
    let report = check_game(&game, &met[3], &Plays { games: 200, max_plies: 2, seed: 1 }).unwrap();
    assert!(report.terminals > 0, "{report}");
    assert!(game.visit_evaluator("cohesion", 0, Check(&game, &met[3])).unwrap() > 1_000);
}

/// Negamax under the rule, on the game without it: the whole path is kept, and nothing remembered.
struct PathSearch<'a, E> {
    game: &'a Abalone,
    evaluator: &'a E,
    repeated: u64,
}

impl<E: Evaluator<Abalone>> PathSearch<'_, E> {
    fn value(&mut self, position: &Position, path: &[PositionHash], depth: u32) -> Score {
        let game = self.game;
        if game.kind(position) == NodeKind::Terminal {
            return game.terminal_score(position);
        }
        if path.contains(&game.hash(position)) {
            self.repeated += 1;
            return 0;
        }
        if depth == 0 {
            return self.evaluator.evaluate(game, position, &self.evaluator.state(game, position, None));
        }
        // Positions with other marbles are kept, too: they cannot come again.
        let longer = [path, &[game.hash(position)]].concat();
        let values = moves(game, position).into_iter();
        values.map(|mv| -self.value(&game.play(position, mv), &longer, depth - 1)).max().unwrap()
    }
}

/// Compares searches of the last position of plays with the path search's values. Gives how often a position
/// came again, and whether that changes the value.
fn compare(
    (with_rule, plain): (&Abalone, &Abalone),
    evaluator: &Seeing<Abalone>,
    met: &[Position],
    depth: u32,
) -> (u64, bool) {
    let mut search = PathSearch { game: plain, evaluator, repeated: 0 };
    let (last, before) = met.split_last().unwrap();
    let path: Vec<_> = before.iter().map(|position| plain.hash(position)).collect();
    let start = plain.parse(&plain.notation(last)).unwrap();
    let expected = search.value(&start, &path, depth);
    let without = search.value(&start, &[], depth);
    for algorithm in [Algorithm::Expectimax, Algorithm::Star2, Algorithm::Star2Tt] {
        for (threads, table_depth) in [(1, Some(1)), (1, None), (2, Some(1))] {
            let options = Options { algorithm, threads, table_depth, ..Options::default() };
            let builder = Searcher::builder(with_rule.clone(), evaluator.clone()).options(options);
            let searcher = builder.limits(Limits::depth(depth)).table_mib(4).build().unwrap();
            let found = searcher.search(last).unwrap().bounds;
            assert_eq!(found, Bounds::exactly(expected), "{algorithm} to {depth}: {met:?}");
        }
    }
    (search.repeated, expected != without)
}

#[test]
fn values_are_those_of_a_search_that_keeps_the_path() {
    let (with_rule, plain) = (open("repetition=draw"), open(""));
    let (mut repeated, mut changed, mut compared) = (0, 0, 0);
    for (i, met) in plays(&with_rule).iter().step_by(2).take(8).enumerate() {
        for depth in 1..=if i < 3 { 3 } else { 2 } {
            for evaluator in ["cohesion", "marbles"] {
                let evaluator = Seeing::named(&plain, evaluator, 0).unwrap();
                let (met, is_changed) = compare((&with_rule, &plain), &evaluator, met, depth);
                (repeated, changed) = (repeated + met, changed + u32::from(is_changed));
                compared += 1;
            }
        }
    }
    assert!(compared >= 30 && repeated >= 100 && changed >= 1, "{compared}, {repeated}, {changed}");
}

/// Everything counted at every tenth position of the suite, which is searched serially with a table.
fn counted(rules: &str, depth: u32, options: &Options) -> (Vec<Bounds>, Stats) {
    let game = open(rules);
    let (mut values, mut sum) = (Vec::new(), Stats::default());
    for text in suite().into_iter().step_by(10) {
        let evaluator = Seeing::named(&game, "cohesion", 0).unwrap();
        let builder = Searcher::builder(game.clone(), evaluator).options(options.clone());
        let searcher = builder.limits(Limits::depth(depth)).table_mib(16).build().unwrap();
        let result = searcher.search(&game.parse(text).unwrap()).unwrap();
        values.push(result.bounds);
        sum += result.stats;
    }
    (values, sum)
}

/// Where all nodes use it. By default the search sees for itself that at depths 2 and more, from where two
/// plies lead back, there is less to be found, and looks up fewer nodes.
#[test]
fn the_table_keeps_half_of_its_hits() {
    let no_table = Options { algorithm: Algorithm::Star2, table_use: TableUse::None, ..Options::default() };
    let by_default = Options::default();
    let everywhere = Options { table_depth: Some(1), ..Options::default() };
    let paper = Options::paper(Algorithm::Star2Tt);
    for depth in [4, 5] {
        let (expected, _) = counted("repetition=draw", depth, &no_table);
        for (name, options) in [("default", &by_default), ("everywhere", &everywhere), ("paper", &paper)] {
            let (_, without) = counted("", depth, options);
            let (values, with) = counted("repetition=draw", depth, options);
            assert_eq!(values, expected, "{name} to {depth}");
            let told = |stats: &Stats| {
                format!(
                    "{} hits of {} look-ups, {} nodes",
                    stats.table.hits,
                    stats.table.probes,
                    stats.nodes.total()
                )
            };
            let (hits, before) = (with.table.hits, without.table.hits);
            println!("{name} to {depth}: {}; without the rule {}", told(&with), told(&without));
            assert!(name == "default" || before > 3_000 && 2 * hits >= before, "{hits} of {before} hits");
        }
    }
}
