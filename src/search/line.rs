//! The principal line: how play may go on, as far as the table remembers it, or as far as it is searched for.

use crate::evaluator::Evaluator;
use crate::game::{Game, Kind, Step};
use crate::score::Window;
use crate::search::answer::SearchError;
use crate::search::deepening::lead;
use crate::search::node::Node;
use crate::search::plies::{depth_after, longest_path};
use crate::search::request::MAX_DEPTH;
use crate::search::setup::{MoveOf, NodeOf, OutcomeOf, PositionOf, Setup};
use crate::search::worker::Worker;
use crate::table::Table;

/// A line of play.
type LineOf<S> = Vec<Step<MoveOf<S>, OutcomeOf<S>>>;

/// The line from the root: `best_move` at a decision root, the table's move at every other decision node, the
/// likeliest outcome at chance nodes. It ends where the depth does or the table knows no move.
///
/// These look-ups are not part of the search, and none of the counters counts them.
pub(super) fn principal_line<S: Setup>(
    worker: &Worker<'_, S>,
    root: NodeOf<'_, S>,
    best_move: Option<MoveOf<S>>,
) -> LineOf<S> {
    let game = worker.game;
    let mut line = Vec::new();
    let (mut position, mut depth) = (root.position.clone(), root.depth);
    // No search goes further, so a game that breaks its promise of no endless chain has an end here, too.
    while depth > 0 && line.len() < longest_path::<S::Game>() as usize {
        let step = match game.kind(&position) {
            Kind::Terminal => break,
            Kind::Decision => {
                // Only the root's move is given, and only a decision root has one.
                let given = best_move.filter(|_| line.is_empty());
                given.or_else(|| table_move(worker, &position, depth)).map(Step::Move)
            }
            Kind::Chance => likeliest_outcome(game, &position).map(Step::Outcome),
        };
        let Some(step) = step else { break };
        let after = step.take(game, &position);
        depth = depth_after(game, depth, &position, step, &after);
        position = after;
        line.push(step);
    }
    // Outcomes that no move follows say nothing.
    let end = line.iter().rposition(|step| matches!(step, Step::Move(_))).map_or(0, |last| last + 1);
    line.truncate(end);
    line
}

/// The whole line from `root` to `depth` or to the end of the game, and `true`; as much of it as there is,
/// and `false`, where the search is halted. At a decision root it begins with `best_move`, if one is given.
///
/// What the table has of a node does not tell its best move: the last search to store there may have been one
/// that only proved the value small. So every decision node is searched as a root is, which names a move.
pub(crate) fn searched_line<S: Setup>(
    worker: &mut Worker<'_, S>,
    root: &PositionOf<S>,
    best_move: Option<MoveOf<S>>,
    depth: u8,
) -> (LineOf<S>, bool) {
    let game = worker.game;
    lead(worker);
    let (mut line, mut position, mut left) = (Vec::new(), root.clone(), depth);
    while left > 0 {
        if line.len() >= longest_path::<S::Game>() as usize {
            worker.control.fail(SearchError::PathLength);
            return (line, false);
        }
        let step = match game.kind(&position) {
            Kind::Terminal => break,
            Kind::Decision => {
                let given = best_move.filter(|_| line.is_empty());
                let Some(mv) = given.or_else(|| searched_move(worker, &position, left)) else {
                    return (line, false);
                };
                Step::Move(mv)
            }
            Kind::Chance => {
                let Some(outcome) = likeliest_outcome(game, &position) else {
                    worker.control.fail(SearchError::TotalWeight { total: 0 });
                    return (line, false);
                };
                Step::Outcome(outcome)
            }
        };
        let after = step.take(game, &position);
        left = depth_after(game, left, &position, step, &after);
        position = after;
        line.push(step);
    }
    (line, true)
}

/// A move of a decision node whose own value at this depth equals the node's; `None` where the search is
/// halted.
fn searched_move<S: Setup>(
    worker: &mut Worker<'_, S>,
    position: &PositionOf<S>,
    depth: u8,
) -> Option<MoveOf<S>> {
    worker.report_nodes();
    worker.root.preferred = None;
    if !worker.is_halted() {
        let state = worker.evaluator.state(worker.game, position, None);
        let node = Node::new(position, &state, depth, 0);
        S::search(worker, node, Window::full(worker.limit));
    }
    worker.root.preferred.filter(|_| !worker.is_halted())
}

/// The move that the table has for a position at this depth. Whatever the table says, it is a move of the
/// position.
fn table_move<S: Setup>(worker: &Worker<'_, S>, position: &PositionOf<S>, depth: u8) -> Option<MoveOf<S>> {
    if !worker.uses_table(Kind::Decision, depth) {
        return None;
    }
    let key = worker.keys.key(worker.game.hash_to_depth(position, depth), Kind::Decision);
    let hint = worker.table.probe(key, depth, worker.options.reuse)?.hint?;
    nth_move(worker.game, position, hint)
}

/// The move of this ordinal, where there are so many.
fn nth_move<G: Game>(game: &G, position: &G::Position, wanted: u16) -> Option<G::Move> {
    let (mut ordinal, mut found) = (0u32, None);
    game.moves(position, |mv| {
        if ordinal == u32::from(wanted) {
            found = Some(mv);
        }
        ordinal += 1;
    });
    found
}

/// The move that a search of a decision node would begin with, had it to begin without an evaluation: the
/// table's of an earlier search, at whatever depth it was, or the first that the game gives. `None` at other
/// nodes.
pub(super) fn first_move<S: Setup>(worker: &Worker<'_, S>, root: &PositionOf<S>) -> Option<MoveOf<S>> {
    if worker.game.kind(root) != Kind::Decision {
        return None;
    }
    table_move(worker, root, MAX_DEPTH as u8).or_else(|| nth_move(worker.game, root, 0))
}

/// The likeliest outcome, the first of equals; `None` where the game gives none.
fn likeliest_outcome<G: Game>(game: &G, position: &G::Position) -> Option<G::Outcome> {
    let mut likeliest: Option<(u32, G::Outcome)> = None;
    game.outcomes(position, |outcome, weight| {
        if likeliest.is_none_or(|(greatest, _)| weight > greatest) {
            likeliest = Some((weight, outcome));
        }
    });
    likeliest.map(|(_, outcome)| outcome)
}
