//! The root's moves with a value each. If the options ask for it, every root move is searched in a full
//! window.

use crate::game::{Game, Player};
use crate::score::Bounds;
use crate::search::answer::RootMove;
use crate::search::request::Options;
use std::cmp::Reverse;

/// A root move searched in a full window.
#[derive(Clone, Copy, Debug)]
struct TriedMove<M> {
    mv: M,
    /// Its place in generation order.
    ordinal: u32,
    /// Its bounds for the root's player.
    bounds: Bounds,
}

/// Whether the moves of a node at this ply get values of their own.
#[inline]
pub(super) fn ranks_moves(options: &Options, ply: u16) -> bool {
    ply == 0 && options.rank_root_moves
}

/// The root's moves in the current iteration.
#[derive(Debug)]
pub(crate) struct RootMoves<M> {
    /// The iteration's best move so far, at a decision root.
    pub(super) preferred: Option<M>,
    /// The moves tried, if they are ranked.
    tried: Vec<TriedMove<M>>,
}

impl<M: Copy> RootMoves<M> {
    /// No moves yet.
    pub(super) fn new() -> Self {
        RootMoves { preferred: None, tried: Vec::new() }
    }

    /// Forgets the last iteration.
    pub(super) fn clear(&mut self) {
        self.preferred = None;
        self.tried.clear();
    }

    /// Records a move's bounds.
    #[cold]
    pub(super) fn note(&mut self, mv: M, ordinal: u32, bounds: Bounds) {
        self.tried.push(TriedMove { mv, ordinal, bounds });
    }

    /// The tried moves, best first, equals in generation order. `value` converts bounds to a value for `Max`.
    pub(super) fn ranked(&self, value: impl Fn(Bounds) -> f64) -> Vec<RootMove<M>> {
        let mut tried = self.tried.clone();
        tried.sort_unstable_by_key(|&TriedMove { bounds, ordinal, .. }| {
            (Reverse((bounds.lower, bounds.upper)), ordinal)
        });
        let ranked = |TriedMove { mv, bounds, .. }| RootMove { mv, bounds, value: value(bounds) };
        tried.into_iter().map(ranked).collect()
    }
}

/// A position's value for `Max` in the game's units: the exact value, or the middle of the bounds. The bounds
/// are for the position's player.
pub(super) fn value_for_max<G: Game>(game: &G, position: &G::Position, bounds: Bounds) -> f64 {
    let grid = game.facts().grid;
    let for_max = if game.player(position) == Player::Max { bounds } else { bounds.flipped() };
    if for_max.is_exact() {
        grid.value(for_max.lower)
    } else {
        grid.value(for_max.lower) / 2.0 + grid.value(for_max.upper) / 2.0
    }
}
