//! Decision nodes whose moves lead to collapsed chance nodes (`collapse.rs`). These and what their moves lead
//! to are most nodes of a search to an odd depth, so they have a loop of their own.
//!
//! It tries the same moves in the same order as `negamax.rs` and finds the same bounds, with the same counts.
//! What it leaves out is what such a node has no use for: the table, other workers, windows for its
//! successors, copies of them that outlast the move. That is a seventh of all instructions
//! (docs/performance.md, "Fewer nodes").

use crate::game::{Game, Kind, Player, Step};
use crate::score::{Bounds, Window};
use crate::search::collapse;
use crate::search::moves::{Breadth, GeneratedMoves};
use crate::search::node::Node;
use crate::search::ordering::note_cutoff;
use crate::search::setup::{MoveOf, NodeOf, PositionOf, Setup};
use crate::search::worker::Worker;

/// Searches such a node.
#[inline(never)]
pub(super) fn decision<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
    breadth: Breadth,
) -> Bounds {
    let mover = worker.game.player(node.position);
    let moves = GeneratedMoves::new(worker, node);
    if moves.range().len() > 1 {
        moves.rank_by_heuristics(worker, node);
    }
    let mut untried = match breadth {
        Breadth::All => moves.range(),
        Breadth::First(most) => {
            moves.range().start..moves.range().end.min(moves.range().start.saturating_add(most as usize))
        }
    };
    let mut greatest = Bounds::exactly(-worker.limit);
    let mut is_cut = false;
    while worker.goes_on()
        && !is_cut
        && let Some(next) = untried.next()
    {
        let mv = moves.select(worker, next);
        let open = Window::new(window.alpha.max(greatest.lower), window.beta);
        let found = value_of(worker, node, mv, mover, open);
        greatest = Bounds::new(greatest.lower.max(found.lower), greatest.upper.max(found.upper));
        is_cut = greatest.lower >= window.beta;
        if is_cut {
            note_cutoff(worker, node, mv);
        }
    }
    if untried.start < moves.range().end || moves.range().is_empty() {
        greatest.upper = worker.limit; // what was not tried may be worth anything
    }
    moves.finish(worker);
    greatest
}

/// What a move is worth to the mover, who asks no more than `window` does.
#[inline]
fn value_of<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
    mover: Player,
    window: Window,
) -> Bounds {
    let position = worker.game.play(node.position, mv);
    let reward = worker.move_reward(node, mv, &position);
    let possible = worker.possible(reward);
    worker.search_move((reward, mover), possible, window, |worker, window| {
        value_below(worker, node, mv, &position, mover, window)
    })
}

/// What the position after a move is worth to the mover, who asks no more than `window` does.
#[inline(always)] // there is one caller
fn value_below<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
    position: &PositionOf<S>,
    mover: Player,
    window: Window,
) -> Bounds {
    let kind = worker.game.kind(position);
    let score = if kind == Kind::Terminal {
        worker.terminal(position)
    } else if kind == Kind::Chance && collapse::counts(worker, position) {
        worker.evaluate_after_move(node, mv, position)
    } else {
        let state = worker.state_after(node, Step::Move(mv), position);
        let (depth, ply) = (node.depth - 1, node.ply + 1);
        let below = Node::new(position, &state, depth, ply);
        let is_movers = worker.game.player(position) == mover;
        let found = S::search(worker, below, if is_movers { window } else { window.flipped() });
        return if is_movers { found } else { found.flipped() };
    };
    Bounds::exactly(if worker.game.player(position) == mover { score } else { -score })
}

#[cfg(all(test, not(loom)))]
mod tests;
