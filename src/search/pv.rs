//! The principal variation (pv), read from the table or searched for.

use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind, Step, StepOf};
use crate::score::Window;
use crate::search::answer::SearchError;
use crate::search::deepening::choose_for_all;
use crate::search::node::Node;
use crate::search::plies::{Depth, depth_after, longest_path};
use crate::search::ranking::RootMoves;
use crate::search::request::MAX_DEPTH;
use crate::search::setup::{MoveOf, NodeOf, PositionOf, Setup};
use crate::search::worker::Worker;
use crate::search::{evaluation, transposition};
use crate::table::Table;

/// A line of play.
type LineOf<G> = Vec<StepOf<G>>;

/// Where a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEnd {
    /// At its depth, or at the end of the game.
    Whole,
    /// At a decision node without a chosen move.
    NoMove,
    /// At a chance node without outcomes.
    NoOutcome,
    /// At the greatest length of a path: the game breaks its promise that chains without a ply end.
    TooLong,
}

/// The line from `root` to this depth: `best_move` at a decision root, the chosen move at every other
/// decision node, the likeliest outcome at chance nodes. `choose` is told whether it is asked for the root.
fn line_of<G: Game>(
    game: &G,
    root: &G::Position,
    best_move: Option<G::Move>,
    (mut depth, to_the_end): (Depth, bool),
    mut choose: impl FnMut(&G::Position, Depth, bool) -> Option<G::Move>,
) -> (LineOf<G>, LineEnd) {
    let (mut line, mut position) = (Vec::new(), root.clone());
    while depth > 0 {
        if line.len() >= longest_path::<G>(to_the_end) as usize {
            return (line, LineEnd::TooLong);
        }
        let (step, end) = match game.kind(&position) {
            NodeKind::Terminal => break,
            NodeKind::Decision => {
                // Only a decision root has a given move.
                let given = best_move.filter(|_| line.is_empty());
                (given.or_else(|| choose(&position, depth, line.is_empty())).map(Step::Move), LineEnd::NoMove)
            }
            NodeKind::Chance => (likeliest_outcome(game, &position).map(Step::Outcome), LineEnd::NoOutcome),
        };
        let Some(step) = step else { return (line, end) };
        let after = step.take(game, &position);
        depth = depth_after(game, depth, &position, step, &after);
        position = after;
        line.push(step);
    }
    (line, LineEnd::Whole)
}

/// The principal variation from the root, with the table moves. It ends at the search's depth, or where the
/// table has no move.
///
/// These probes are no part of the search, and no counter counts them.
pub(super) fn table_pv<S: Setup>(
    worker: &Worker<'_, S>,
    root: NodeOf<'_, S>,
    best_move: Option<MoveOf<S>>,
) -> LineOf<S::Game> {
    let choose = |position: &_, depth, _| table_move(worker, position, depth);
    let (mut line, _) =
        line_of(worker.game, root.position, best_move, (root.depth, worker.near_leaves.to_the_end), choose);
    // Outcomes after the last move say nothing.
    let end = line.iter().rposition(|step| matches!(step, Step::Move(_))).map_or(0, |last| last + 1);
    line.truncate(end);
    line
}

/// The principal variation from `root` to `depth` or the end of the game, and `true`; or, if the search is
/// halted, the line so far and `false`. It begins with one of the worker's root moves, if it has any: where
/// there is only one, without a search.
///
/// A table move need not be a best move: the last search to store an entry may only have proven the value
/// small. So every decision node is searched as a root, which names a best move.
pub(crate) fn searched_pv<S: Setup>(
    worker: &mut Worker<'_, S>,
    root: &PositionOf<S>,
    depth: Depth,
) -> (LineOf<S::Game>, bool) {
    choose_for_all(worker);
    let best_move = if let &[only] = worker.root.asked { Some(only) } else { None };
    let reach = (depth, worker.near_leaves.to_the_end);
    let (line, end) = line_of(worker.game, root, best_move, reach, |position, depth, is_root| {
        searched_move(worker, position, depth, is_root)
    });
    match end {
        LineEnd::Whole | LineEnd::NoMove => {}
        LineEnd::NoOutcome => worker.control.fail(SearchError::TotalWeight { total: 0 }),
        LineEnd::TooLong => worker.control.fail(SearchError::PathLength),
    }
    (line, end == LineEnd::Whole)
}

/// A best move of a decision node at this depth; at the root, of the worker's root moves, if it has any.
/// `None` if the search is halted.
fn searched_move<S: Setup>(
    worker: &mut Worker<'_, S>,
    position: &PositionOf<S>,
    depth: Depth,
    is_root: bool,
) -> Option<MoveOf<S>> {
    worker.report_nodes();
    let asked = if is_root { worker.root.asked } else { &[] };
    worker.root = RootMoves::new(worker.options, asked);
    if depth == 1 && worker.near_leaves.to_the_end {
        evaluation::is_not_the_end(worker);
    }
    if !worker.is_halted() {
        let state = worker.evaluator.state(worker.game, position, None);
        let node = Node::new(position, &state, depth, 0);
        S::search(worker, node, Window::full(worker.limit));
    }
    worker.root.preferred.filter(|_| !worker.is_halted())
}

/// The first, in generation order, of the best moves of a decision node at this depth; `None` if the search
/// is halted. The worker's options have to rank a move. At the root it is one of the worker's root moves, if
/// it has any; the root comes first.
pub(crate) fn first_best_move<S: Setup>(
    worker: &mut Worker<'_, S>,
    position: &PositionOf<S>,
    depth: Depth,
    is_root: bool,
) -> Option<MoveOf<S>> {
    searched_move(worker, position, depth, is_root)?;
    worker.root.best_move()
}

/// The table's move for a position at this depth. It is always a legal move.
fn table_move<S: Setup>(worker: &Worker<'_, S>, position: &PositionOf<S>, depth: Depth) -> Option<MoveOf<S>> {
    if !transposition::uses_table(worker, NodeKind::Decision, depth) {
        return None;
    }
    let key = transposition::node_key(worker, position, NodeKind::Decision, depth);
    let table_move = worker
        .table
        .probe(key, transposition::entry_depth(worker, depth), worker.options.reuse)?
        .table_move?;
    nth_move(worker.game, position, table_move)
}

/// The move with this ordinal, if there is one.
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

/// A first move for a decision root without any search: a table move of an earlier search, at any depth, or
/// the first that the game gives. `None` at other nodes.
pub(super) fn first_move<S: Setup>(worker: &Worker<'_, S>, root: &PositionOf<S>) -> Option<MoveOf<S>> {
    if worker.game.kind(root) != NodeKind::Decision {
        return None;
    }
    table_move(worker, root, MAX_DEPTH as Depth).or_else(|| nth_move(worker.game, root, 0))
}

/// The likeliest outcome, the first of equals; `None` without outcomes.
fn likeliest_outcome<G: Game>(game: &G, position: &G::Position) -> Option<G::Outcome> {
    let mut likeliest: Option<(u32, G::Outcome)> = None;
    game.outcomes(position, |outcome, weight| {
        if likeliest.is_none_or(|(greatest, _)| weight > greatest) {
            likeliest = Some((weight, outcome));
        }
    });
    likeliest.map(|(_, outcome)| outcome)
}
