//! The effect of an edge on bounds and windows, by brute force; and searches in every window, whose bounds
//! must be true and settle the window.

use super::*;
use crate::evaluator::{Evaluator, HashRandom};
use crate::game::{Game, NodeKind, Step};
use crate::parallel::TeamSetup;
use crate::processor::Thread;
use crate::search::control::Control;
use crate::search::node::Node;
use crate::search::plies::Depth;
use crate::search::request::{Algorithm, Limits, MoveOrdering, Options, StopFlag, TableUse};
use crate::search::setup::Recursion;
use crate::search::worker::{SearchContext, Worker};
use crate::table::LocklessTable;
use crate::tests::{Graph, Shape};

const LIMIT: Score = 3;

type Rewarded = Graph<true>;

fn scores() -> impl Iterator<Item = Score> + Clone {
    -LIMIT..=LIMIT
}

fn all_bounds() -> impl Iterator<Item = Bounds> {
    scores().flat_map(|lower| (lower..=LIMIT).map(move |upper| Bounds::new(lower, upper)))
}

fn f(reward: Score, below: Score) -> Score {
    (reward + below).clamp(-LIMIT, LIMIT)
}

#[test]
fn mapped_bounds_hold_what_their_values_are_worth_and_no_more() {
    for reward in -3 * LIMIT..=3 * LIMIT {
        for bounds in all_bounds() {
            let taken = |reward| Reward(within(LIMIT)(reward));
            let mapped = taken(reward).mapped(bounds, LIMIT);
            let worth: Vec<Score> = (bounds.lower..=bounds.upper).map(|below| f(reward, below)).collect();
            assert_eq!(Some(&mapped.lower), worth.iter().min(), "{reward} {bounds:?}");
            assert_eq!(Some(&mapped.upper), worth.iter().max(), "{reward} {bounds:?}");
            let seen_by_other = taken(-reward).mapped(bounds.flipped(), LIMIT);
            assert_eq!(seen_by_other, mapped.flipped(), "{reward} {bounds:?}");
        }
    }
}

/// For every open window of an edge and every F: the window below lies on the grid, and a value settles it
/// exactly if it settles the edge's.
#[test]
fn a_window_below_an_edge_asks_what_the_edge_is_asked() {
    let mut checked = 0;
    for reward in -2 * LIMIT..=2 * LIMIT {
        for below in all_bounds() {
            let known = Reward(reward).mapped(below, LIMIT);
            let windows = (-LIMIT - 1..=LIMIT)
                .flat_map(|alpha| (alpha + 1..=LIMIT + 1).map(move |beta| Window::new(alpha, beta)));
            for window in windows.filter(|window| !window.is_settled_by(known)) {
                let asked = window.narrowed_by(known);
                let shifted = Reward(reward).shifted(asked);
                assert!(
                    below.lower <= shifted.alpha && shifted.beta <= below.upper,
                    "{shifted:?} in {below:?}"
                );
                assert!(!shifted.is_empty());
                for value in below.lower..=below.upper {
                    let worth = f(reward, value);
                    assert_eq!(value >= shifted.beta, worth >= asked.beta);
                    assert_eq!(value <= shifted.alpha, worth <= asked.alpha);
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 3_000, "only {checked} windows were checked");
}

/// The value of a position for its player, straight from the definition.
fn value(game: &Rewarded, evaluator: &HashRandom, position: &u32, depth: Depth) -> Score {
    let limit = game.facts().grid.limit();
    let worth = |reward: Score, after: u32| {
        let below = value(game, evaluator, &after, depth - 1);
        let below = if game.player(&after) == game.player(position) { below } else { -below };
        (reward + below).clamp(-limit, limit)
    };
    match game.kind(position) {
        NodeKind::Terminal => game.terminal_score(position),
        _ if depth == 0 => evaluator.evaluate(game, position, &()),
        NodeKind::Decision => {
            let mut best = -limit;
            game.moves(position, |mv| {
                let after = game.play(position, mv);
                best = best.max(worth(game.reward(position, Step::Move(mv), &after), after));
            });
            best
        }
        NodeKind::Chance => {
            let (mut sum, mut total) = (0.0, 0.0);
            game.outcomes(position, |outcome, weight| {
                let after = game.resolve(position, outcome);
                let reward = game.reward(position, Step::Outcome(outcome), &after);
                sum += f64::from(weight) * f64::from(worth(reward, after));
                total += f64::from(weight);
            });
            (sum / total).round() as Score // small integers: exact, and halves are exact
        }
    }
}

type Serial = TeamSetup<Rewarded, HashRandom, LocklessTable, Thread>;

/// Searches an inner node in every window of the grid.
fn try_windows(game: &Rewarded, evaluator: &HashRandom, position: &u32, options: &Options) -> u32 {
    let limit = game.facts().grid.limit();
    let depth = 4;
    let value = value(game, evaluator, position, depth);
    let table = LocklessTable::with_buckets(8).expect("a small table");
    let control =
        Control::with_progress(&Limits::depth(u32::from(depth)), &StopFlag::new(), Default::default());
    let search = SearchContext {
        game,
        evaluator,
        table: &table,
        options,
        control: &control,
        root_moves: &[],
        logs: None,
    };
    let mut worker = Worker::<Serial>::new(search, Thread::new(control.started), None);
    let mut narrow = 0;
    for alpha in -limit..limit {
        for beta in alpha + 1..=limit {
            let window = Window::new(alpha, beta);
            let node = Node::new(position, &(), depth, 1);
            let found = Serial::search(&mut worker, node, window);
            let name = format!("{found:?} in {window:?}, {value} expected, by {options:?}");
            assert!(found.lower <= value && value <= found.upper, "{name}");
            assert!(window.is_settled_by(found), "{name}");
            narrow += u32::from(!found.is_exact());
        }
    }
    assert_eq!(worker.stats.table.contradictions, 0);
    narrow
}

#[test]
fn a_search_in_any_window_settles_it_truly() {
    let mut narrow = 0;
    for seed in 0..60 {
        let limit = [2, 3, 6][seed as usize % 3];
        let reward = [1, limit, 2 * limit][seed as usize / 3 % 3];
        let shape = Shape { seed, groups: 4, successors: 3, limit, reward, ..Shape::default() };
        let game: Rewarded = Graph(shape);
        let evaluator = HashRandom::new(seed, limit);
        for (algorithm, table_use) in [
            (Algorithm::Star1, TableUse::None),
            (Algorithm::Star2, TableUse::Decision),
            (Algorithm::Star2Tt, TableUse::All),
        ] {
            let ordering = MoveOrdering::ALL[seed as usize % 3];
            let options = Options {
                algorithm,
                table_use,
                ordering,
                table_depth: Some(1),
                successor_probing_depth: 2,
                move_probing_depth: Some(2),
                ..Options::default()
            };
            let inner = |position: &u32| game.kind(position) != NodeKind::Terminal;
            for position in (0..game.positions()).filter(inner).take(12) {
                narrow += try_windows(&game, &evaluator, &position, &options);
            }
        }
    }
    assert!(narrow > 1_000, "only {narrow} searches found bounds that do not meet");
}

/// The window is the node's, so it is shifted first and flipped then.
#[test]
fn an_edge_shifts_before_it_flips() {
    let below = |flips| Edge { reward: Reward(2), flips }.below(Window::new(-1, 3));
    assert_eq!([below(false), below(true)], [Window::new(-3, 1), Window::new(-1, 3)]);
}
