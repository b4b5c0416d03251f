//! Values beyond the range of a game: an error that names value and range, unless the game or the evaluator
//! declares that it saturates; then the clamped game's value. In every algorithm and method, on one thread
//! and two, in lanes and on virtual processors.

use crate::common::gamble::{Gamble, Paid, Pays, SAFE, START, STRICT, WON};
use crate::common::splits::eager;
use starsplit::Searcher;
use starsplit::evaluator::{Evaluator, HashRandom};
use starsplit::game::Game;
use starsplit::score::{Bounds, Grid};
use starsplit::search::{Algorithm, LaneOptions, Limits, Method, Options, SearchError, Splits, TableUse};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::LocklessTable;
use starsplit_testkit::{Fault, GraphShape, Plays, RandomGraph, check_evaluator, check_game};

const UNIT: Simulation = Simulation { costs: CostModel::UNIT, seed: 1 };

/// Every way to search: algorithms with their tables, methods on one thread and two, lanes.
fn all_options() -> Vec<Options> {
    let shared = |algorithm, method, threads| Options {
        algorithm,
        method,
        threads,
        table_use: TableUse::All,
        splits: Splits { alone: true, ..eager(Some(1)) },
        ..Options::default()
    };
    let serial = Algorithm::ALL.iter().flat_map(|&algorithm| {
        [TableUse::All, TableUse::None]
            .map(|table_use| Options { algorithm, table_use, ..Options::default() })
            .into_iter()
            .filter(move |options| !(algorithm.needs_table() && options.table_use == TableUse::None))
    });
    let by_method = Algorithm::ALL.iter().flat_map(move |&algorithm| {
        Method::ALL.iter().flat_map(move |&method| [1, 2].map(|threads| shared(algorithm, method, threads)))
    });
    let lanes = Algorithm::ALL.iter().flat_map(move |&algorithm| {
        [1, 2].map(|threads| Options {
            lanes: LaneOptions {
                count: Some(4),
                batch: Some(3),
                ..shared(algorithm, Method::default(), threads).lanes
            },
            ..shared(algorithm, Method::default(), threads)
        })
    });
    serial.chain(by_method).chain(lanes).collect()
}

/// What a search finds, twice: the second one has what the first has left in the table.
fn search<G: Game<Position = u8, Move = u8> + Clone, E: Evaluator<G>>(
    (game, evaluator): (G, E),
    root: G::Position,
    options: &Options,
    depth: u32,
) -> [Result<(Bounds, Option<u8>), SearchError>; 2] {
    let table = LocklessTable::with_buckets(64).expect("a small table");
    let searcher = Searcher::new(game, evaluator, table).with_options(options.clone());
    [(); 2].map(|()| {
        searcher
            .request(&root)
            .limits(Limits::depth(depth))
            .search()
            .map(|found| (found.bounds, found.best_move))
    })
}

/// The text of the error that a search ends with.
fn error_of(found: &Result<(Bounds, Option<u8>), SearchError>, what: &str) -> String {
    match found {
        Err(error @ SearchError::OffGrid(_)) => error.to_string(),
        other => panic!("{what}: {other:?}"),
    }
}

/// Tries the gamble in every way; the error begins with the words and the value that are `expected`.
fn try_gamble<const REWARDS: bool>(pays: Pays, expected: (&str, f64)) {
    let (given, value) = expected;
    for options in all_options() {
        for (mirrored, direct) in [(false, false), (true, false), (false, true), (true, true)] {
            let game = Gamble::<REWARDS> { mirrored, direct, ..Gamble::new(pays, value.min(10.0)) };
            let depth = if direct { 1 } else { 2 };
            let what = format!("{game:?} by {options:?}");
            let value = if mirrored { -value } else { value };
            for found in search((game, STRICT), START, &options, depth) {
                let text = error_of(&found, &what);
                assert!(text.starts_with(&format!("{given} {value}: expected")), "{what}: {text}");
                assert!(text.contains("-1 to 1"), "{what}: {text}");
                assert_eq!(text.lines().count(), 1, "{what}: {text}");
            }
            let clamped = Gamble { saturates: true, ..game };
            let (best, worth) = if direct { (WON, 1.0) } else { (SAFE, 0.5) };
            let score = game.told(worth, Grid::score);
            for found in search((clamped, STRICT), START, &options, depth) {
                assert_eq!(found, Ok((Bounds::exactly(score), Some(best))), "{what}");
            }
        }
    }
}

#[test]
fn terminal_scores_beyond_the_range_are_errors_unless_declared() {
    try_gamble::<false>(Pays::Terminals, ("a terminal score for Max of", 10.0));
    try_gamble::<true>(Pays::Terminals, ("a terminal score for Max of", 10.0));
}

#[test]
fn evaluations_beyond_the_range_are_errors_unless_declared() {
    try_gamble::<false>(Pays::Evaluations, ("an evaluation for Max of", 10.0));
    try_gamble::<true>(Pays::Evaluations, ("an evaluation for Max of", 10.0));
}

#[test]
fn rewards_beyond_the_range_are_errors_unless_declared() {
    try_gamble::<true>(Pays::Rewards, ("a reward of", 10.0));
    // Less than two values can differ by, and still more than the value that is left.
    try_gamble::<true>(Pays::Rewards, ("a move or an outcome worth, with its reward,", 1.5));
}

#[test]
fn what_a_reward_carries_beyond_the_range_is_an_error_unless_declared() {
    try_gamble::<true>(Pays::Together, ("a move or an outcome worth, with its reward,", 1.75));
}

/// The declaration is the evaluator's own, and is of no use to terminals.
#[test]
fn an_evaluator_declares_for_its_evaluations_alone() {
    let declared = Paid { saturates: true };
    for options in all_options() {
        let game = Gamble::<false>::new(Pays::Evaluations, 10.0);
        for found in search((game, declared), START, &options, 2) {
            assert_eq!(found, Ok((Bounds::exactly(game.facts().grid.score(0.5)), Some(SAFE))), "{options:?}");
        }
        let game = Gamble::<false>::new(Pays::Terminals, 10.0);
        for found in search((game, declared), START, &options, 2) {
            let text = error_of(&found, &format!("{options:?}"));
            assert!(text.starts_with("a terminal score for Max of "), "{text}");
        }
    }
}

/// Whatever is declared: what is no number has no nearest end.
#[test]
fn what_is_not_a_number_is_an_error_whatever_is_declared() {
    for options in all_options() {
        for saturates in [false, true] {
            let evaluator = Paid { saturates };
            let what = format!("{saturates} by {options:?}");
            let of = |pays| Gamble { saturates, ..Gamble::new(pays, f64::NAN) };
            let found = [
                search((of(Pays::Evaluations) as Gamble<false>, evaluator), START, &options, 2),
                search((of(Pays::Terminals) as Gamble<false>, evaluator), START, &options, 2),
            ];
            let rewards = Gamble::<true> { saturates, ..Gamble::new(Pays::Rewards, f64::NAN) };
            let of_reward = search((rewards, evaluator), START, &options, 2);
            for found in found.into_iter().chain([of_reward]).flatten() {
                let text = error_of(&found, &what);
                assert!(text.ends_with("NaN: expected a number from -1 to 1"), "{what}: {text}");
            }
        }
    }
}

/// A value that a rounding error carries above the end is the end.
#[test]
fn a_rounding_error_is_no_breach() {
    let game = Gamble::<false>::new(Pays::Terminals, 1.0 + 4.0 * f64::EPSILON);
    for found in search((game, STRICT), START, &Options::default(), 2) {
        assert_eq!(found, Ok((Bounds::exactly(game.facts().grid.score(0.5)), Some(SAFE))));
    }
}

#[test]
fn virtual_processors_find_the_same() {
    for threads in [1, 3] {
        let options =
            Options { threads, splits: Splits { depth: Some(1), ..Splits::default() }, ..Options::default() };
        let find = |game: Gamble<true>| {
            let table = LocklessTable::with_buckets(64).expect("a small table");
            let searcher = Searcher::new(game, STRICT, table).with_options(options.clone());
            let found = searcher.request(&START).limits(Limits::depth(2)).simulate(&UNIT);
            found.map(|found| (found.result.bounds, found.result.best_move))
        };
        let game = Gamble::new(Pays::Rewards, 10.0);
        let text = error_of(&find(game), "simulated");
        assert!(text.starts_with("a reward of 10: "), "{text}");
        let found = find(Gamble { saturates: true, ..game });
        assert_eq!(found, Ok((Bounds::exactly(game.facts().grid.score(0.5)), Some(SAFE))));
    }
}

/// What reaches beyond the grid declares it, and nothing else does.
#[test]
fn random_evaluations_declare_that_they_saturate() {
    let graph = RandomGraph::new(&GraphShape { limit: 4, ..GraphShape::default() }, 1).expect("a graph");
    assert!(
        [(4, false), (5, true)]
            .iter()
            .all(|&(most, is)| HashRandom::new(1, most).facts(&graph).saturates == is)
    );
}

#[test]
fn the_test_kit_finds_what_a_search_need_not_meet() {
    let plays = Plays { games: 20, ..Plays::default() };
    let game_fault =
        |game: Gamble<true>| check_game(&game, &START, &plays).map_err(|violation| violation.fault);
    let fault = |game: Gamble<true>, saturates| {
        check_evaluator(&game, &Paid { saturates }, &START, &plays).map_err(|violation| violation.fault)
    };
    let (ten, limit) = (Grid::default().score(10.0), Grid::default().limit());
    let of = |pays| Gamble::<true>::new(pays, 10.0);
    let declared = |pays| Gamble { saturates: true, ..of(pays) };
    assert_eq!(game_fault(of(Pays::Terminals)).unwrap_err(), Fault::TerminalScore { score: ten, limit });
    assert_eq!(game_fault(of(Pays::Rewards)).unwrap_err(), Fault::Reward { reward: ten, limit });
    let together = Gamble { win: 1.5, ..of(Pays::Together) };
    let half = Grid::default().score(0.5);
    assert_eq!(game_fault(together).unwrap_err(), Fault::Worth { reward: limit, below: half, limit });
    for pays in [Pays::Terminals, Pays::Rewards, Pays::Together] {
        assert!(game_fault(declared(pays)).is_ok(), "{pays:?}");
    }
    // With what comes after the gamble an unfinished game would go on for ever, which is no matter.
    assert_eq!(fault(of(Pays::Evaluations), false).unwrap_err(), Fault::Evaluation { score: ten, limit });
    assert!(fault(of(Pays::Evaluations), true).is_ok() && fault(declared(Pays::Evaluations), false).is_ok());
    for saturates in [false, true] {
        let none = |pays| Gamble::<true> { saturates, ..Gamble::new(pays, f64::NAN) };
        let is_none = |fault: Result<_, Fault>| matches!(fault, Err(Fault::NotANumber { .. }));
        assert!(is_none(fault(none(Pays::Evaluations), true)), "{saturates}");
        assert!(is_none(game_fault(none(Pays::Terminals))), "{saturates}");
        assert!(is_none(game_fault(none(Pays::Rewards))), "{saturates}");
    }
}
