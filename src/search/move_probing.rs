//! Enhanced transposition cutoffs (Plaat, Schaeffer, Pijls and de Bruin, "Nearly optimal minimax tree
//! search?", 1994, arXiv:1404.1518, section 4.1). Before a decision node searches any move, it probes the
//! table for all its successors; any of them may cause a cutoff. Successor probing (`star2_tt.rs`) does the
//! same at chance nodes.
//!
//! Close to the leaves the probes cost more than they save, so an option sets the least depth
//! ([`Options::move_probing_depth`](crate::search::Options::move_probing_depth)).

use crate::game::{Game, NodeKind, Player, Step};
use crate::score::{Bounds, Score, Window};
use crate::search::plies::greatest_below;
use crate::search::setup::{MoveOf, NodeOf, Setup};
use crate::search::worker::Worker;
use crate::search::{descent, transposition};

/// A cutoff from the table.
pub(super) struct Cutoff {
    pub(super) bounds: Bounds,
    /// The ordinal of the move that causes it.
    pub(super) table_move: Option<u16>,
}

/// Probes the successors of a decision node until one cuts it. Not at the root, which must name a move and
/// whose window has no cutoff; nor where no successor can be in the table.
pub(super) fn look_up_moves<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
) -> Option<Cutoff> {
    let (game, deepest) = (worker.game, greatest_below::<S::Game>(node.depth));
    let may_be_kept = transposition::uses_table(worker, NodeKind::Decision, deepest)
        || transposition::uses_table(worker, NodeKind::Chance, deepest);
    if node.ply == 0 || deepest == 0 || !may_be_kept {
        return None;
    }
    game.moves(node.position, |mv| {
        let after = game.play(node.position, mv);
        transposition::prefetch(worker, &after, descent::depth_after(worker, node, Step::Move(mv), &after));
    });
    let mover = game.player(node.position);
    let (mut ordinal, mut cutoff) = (0u32, None);
    game.moves(node.position, |mv| {
        if cutoff.is_none() {
            let lower = known_of_move(worker, node, mv, mover).filter(|&lower| lower >= window.beta);
            cutoff = lower.map(|lower| Cutoff {
                bounds: Bounds { lower, upper: worker.limit },
                table_move: u16::try_from(ordinal).ok(),
            });
        }
        ordinal += 1;
    });
    worker.stats.table.move_cutoffs += u64::from(cutoff.is_some());
    cutoff
}

/// The table's lower bound of a move's worth for the mover; `None` where the table does not hold its
/// successor.
#[inline]
fn known_of_move<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
    mover: Player,
) -> Option<Score> {
    let game = worker.game;
    let position = game.play(node.position, mv);
    let kind = game.kind(&position);
    let depth = descent::depth_after(worker, node, Step::Move(mv), &position);
    if kind == NodeKind::Terminal
        || descent::is_leaf_below::<S>(depth)
        || !transposition::uses_table(worker, kind, depth)
    {
        return None;
    }
    worker.stats.nodes.move_probes += 1;
    let found = transposition::look_up(worker, &position, kind, depth).bounds;
    let lower = if game.player(&position) == mover { found.lower } else { -found.upper };
    let reward = descent::reward(worker, node, Step::Move(mv), &position);
    Some(descent::possible_with(worker, reward, Bounds::new(lower, worker.limit)).lower)
}
