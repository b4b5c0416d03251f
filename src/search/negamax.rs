//! Decision nodes under the pruning algorithms: fail-soft alpha-beta in negamax form, with transposition cutoffs, and
//! the paper's `negamax-probe` as the same search of the first few moves only.
//!
//! A decision node's lower bound is the greatest of its moves' lower bounds; its upper bound is the greatest of their
//! upper bounds, but only once every move was searched.

use crate::evaluator::Evaluator;
use crate::game::{Game, Kind, Player};
use crate::score::{Bounds, Window};
use crate::search::ordering::MovePicker;
use crate::search::worker::{NodeOf, Worker};
use crate::table::Table;

/// How many of a decision node's moves are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breadth {
    /// All, until one cuts.
    All,
    /// At most so many: Star2's probing factor.
    First(u32),
}

/// What trying the moves of a node led to.
struct Tried {
    bounds: Bounds,
    /// The ordinal of the best move.
    best: Option<u32>,
}

/// Searches a decision node. With [`Breadth::First`] the answer may settle nothing, but is as proven as any.
pub(super) fn decision<G: Game, E: Evaluator<G>, T: Table>(
    worker: &mut Worker<'_, G, E, T>,
    node: NodeOf<'_, G, E>,
    window: Window,
    breadth: Breadth,
) -> Bounds {
    worker.stats.nodes.decision += 1;
    worker.poll();
    let known = worker.look_up(node.position, Kind::Decision, node.depth);
    if worker.is_settled(&known, window, node.ply) {
        worker.stats.table.decision_cutoffs += 1;
        return known.bounds;
    }
    let open = if node.ply > 0 { window.narrowed_by(known.bounds) } else { window };
    let tried = try_moves(worker, node, open, breadth, known.hint);
    // A halted search prefers what it happened to try.
    let hint = tried.best.filter(|_| !worker.halted).and_then(|ordinal| u16::try_from(ordinal).ok());
    worker.conclude(&known, tried.bounds, node.depth, hint)
}

fn try_moves<G: Game, E: Evaluator<G>, T: Table>(
    worker: &mut Worker<'_, G, E, T>,
    node: NodeOf<'_, G, E>,
    window: Window,
    breadth: Breadth,
    hint: Option<u16>,
) -> Tried {
    let mover = worker.game.player(node.position);
    let mut picker = MovePicker::new(worker, node, hint);
    // The greatest of the bounds of the moves tried, which start below everything.
    let mut greatest = Bounds::exactly(-worker.limit);
    let mut best = None;
    let mut untried = match breadth {
        Breadth::All => u32::MAX,
        Breadth::First(moves) => moves,
    };
    while untried > 0 && !worker.halted {
        let Some(picked) = picker.pick(worker, node) else { break };
        untried -= 1;
        let successor = picked.successor(worker, node);
        let alpha = window.alpha.max(greatest.lower);
        let found = worker.search_for(mover, successor.below(node), Window::new(alpha, window.beta));
        if found.lower > greatest.lower || best.is_none() {
            best = Some(picked.ordinal);
            if node.ply == 0 {
                worker.root_move = Some(picked.mv);
            }
        }
        greatest = Bounds::new(greatest.lower.max(found.lower), greatest.upper.max(found.upper));
        if greatest.lower >= window.beta {
            record_cutoff(worker, mover, node, picked.mv);
            break;
        }
    }
    if !picker.is_exhausted() || best.is_none() {
        greatest.upper = worker.limit; // what was not tried may be worth anything
    }
    picker.finish(worker);
    Tried { bounds: greatest, best }
}

fn record_cutoff<G: Game, E: Evaluator<G>, T: Table>(
    worker: &mut Worker<'_, G, E, T>,
    mover: Player,
    node: NodeOf<'_, G, E>,
    mv: G::Move,
) {
    let slot = worker.game.move_slot(mv);
    worker.heuristics.record_cutoff(mover, node.ply, node.depth, mv, slot);
}
