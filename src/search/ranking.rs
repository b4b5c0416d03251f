//! The root's moves, each with its own value: if the options ask for them, no move of a decision root profits
//! from a better one, and none is cut.

use crate::game::{Game, Player};
use crate::score::Bounds;
use crate::search::answer::RootMove;
use crate::search::setup::{MoveOf, NodeOf, Setup};
use crate::search::worker::Worker;
use std::cmp::Reverse;

/// A move of the root that was searched in a full window.
#[derive(Clone, Copy, Debug)]
pub(super) struct TriedMove<M> {
    mv: M,
    /// Its place in generation order.
    ordinal: u32,
    /// What is proven of it, as the root's player sees it.
    bounds: Bounds,
}

impl<S: Setup> Worker<'_, S> {
    /// Whether each move's own value is wanted at this node.
    #[inline]
    pub(super) fn ranks_moves_of(&self, node: NodeOf<'_, S>) -> bool {
        node.ply == 0 && self.options.rank_root_moves
    }

    /// Records what a move of the root was found to be worth.
    #[cold]
    pub(super) fn note_root_move(&mut self, mv: MoveOf<S>, ordinal: u32, bounds: Bounds) {
        self.root_moves.push(TriedMove { mv, ordinal, bounds });
    }

    /// The moves of the root that were tried, best first, equals in generation order.
    pub(super) fn ranked_root_moves(&self, root: NodeOf<'_, S>) -> Vec<RootMove<MoveOf<S>>> {
        let mut tried = self.root_moves.clone();
        tried.sort_unstable_by_key(|&TriedMove { bounds, ordinal, .. }| {
            (Reverse((bounds.lower, bounds.upper)), ordinal)
        });
        let ranked = |TriedMove { mv, bounds, .. }| {
            let value = value_for_max(self.game, root.position, bounds);
            RootMove { mv, bounds, value }
        };
        tried.into_iter().map(ranked).collect()
    }
}

/// What is proven of a position's value, in the game's units, as `Max` sees it: the value where the bounds
/// meet, their middle otherwise. The bounds are those that the position's player sees.
pub(super) fn value_for_max<G: Game>(game: &G, position: &G::Position, bounds: Bounds) -> f64 {
    let grid = game.grid();
    let for_max = if game.player(position) == Player::Max { bounds } else { bounds.flipped() };
    if for_max.is_exact() {
        grid.value(for_max.lower)
    } else {
        grid.value(for_max.lower) / 2.0 + grid.value(for_max.upper) / 2.0
    }
}
