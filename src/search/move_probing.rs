//! Enhanced transposition cutoffs (Plaat, Schaeffer, Pijls and de Bruin, "Nearly optimal minimax tree
//! search?", 1994, arXiv:1404.1518, section 4.1): before a decision node searches any move, it looks up the
//! entries of all its successors, any of which may be enough for a cutoff. Successor probing (`star2_tt.rs`)
//! is the same at chance nodes.
//!
//! A look-up of every successor costs more than it saves close to the leaves, so a least depth is an option
//! ([`Options::move_probing_depth`](crate::search::Options::move_probing_depth)).

use crate::game::{Game, Kind, Player};
use crate::score::{Bounds, Score, Window};
use crate::search::plies::greatest_after;
use crate::search::setup::{MoveOf, NodeOf, Setup};
use crate::search::worker::Worker;

/// What settles a decision node.
pub(super) struct Cutoff {
    pub(super) bounds: Bounds,
    /// The ordinal of the move that does.
    pub(super) hint: Option<u16>,
}

/// Looks up the successors of a decision node until one cuts it. Not at the root, which must name its move,
/// and whose window nothing cuts; nor where no successor can be in the table.
#[inline(never)]
pub(super) fn look_up_moves<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
) -> Option<Cutoff> {
    let (game, deepest) = (worker.game, greatest_after::<S::Game>(node.depth));
    let may_be_kept = worker.uses_table(Kind::Decision, deepest) || worker.uses_table(Kind::Chance, deepest);
    if node.ply == 0 || deepest == 0 || !may_be_kept {
        return None;
    }
    game.moves(node.position, |mv| {
        let after = game.play(node.position, mv);
        worker.prefetch(&after, worker.depth_after_move(node, mv, &after));
    });
    let mover = game.player(node.position);
    let (mut ordinal, mut cutoff) = (0u32, None);
    game.moves(node.position, |mv| {
        if cutoff.is_none()
            && let Some(lower) = known_of_move(worker, node, mv, mover)
            && lower >= window.beta
        {
            let bounds = Bounds { lower, upper: worker.limit };
            cutoff = Some(Cutoff { bounds, hint: u16::try_from(ordinal).ok() });
        }
        ordinal += 1;
    });
    worker.stats.table.move_cutoffs += u64::from(cutoff.is_some());
    cutoff
}

/// What the table proves a move to be worth at least to the mover; `None` where what it leads to is not kept
/// there.
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
    let depth = worker.depth_after_move(node, mv, &position);
    if kind == Kind::Terminal || worker.is_leaf_below(depth) || !worker.uses_table(kind, depth) {
        return None;
    }
    worker.stats.nodes.move_probes += 1;
    let found = worker.look_up(&position, kind, depth).bounds;
    let lower = if game.player(&position) == mover { found.lower } else { -found.upper };
    let reward = worker.move_reward(node, mv, &position);
    Some(worker.possible_with(reward, Bounds::new(lower, worker.limit)).lower)
}
