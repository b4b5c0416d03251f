//! The root's moves, each with its own value: if the options ask for them, no move of a decision root profits
//! from a better one, and none is cut.

use crate::game::{Game, Player};
use crate::score::Bounds;
use crate::search::answer::RootMove;
use crate::search::request::Options;
use std::cmp::Reverse;

/// A move of the root that was searched in a full window.
#[derive(Clone, Copy, Debug)]
struct TriedMove<M> {
    mv: M,
    /// Its place in generation order.
    ordinal: u32,
    /// What is proven of it, as the root's player sees it.
    bounds: Bounds,
}

/// Whether each move's own value is wanted at a node of this ply.
#[inline]
pub(super) fn ranks_moves(options: &Options, ply: u16) -> bool {
    ply == 0 && options.rank_root_moves
}

/// What is known of the root's moves in the present iteration.
#[derive(Debug)]
pub(crate) struct RootMoves<M> {
    /// At a decision root, the move that the iteration prefers.
    pub(super) preferred: Option<M>,
    /// Those that it has tried, where they are to be ranked.
    tried: Vec<TriedMove<M>>,
}

impl<M: Copy> RootMoves<M> {
    /// Nothing yet.
    pub(super) fn new() -> Self {
        RootMoves { preferred: None, tried: Vec::new() }
    }

    /// Forgets the iteration before.
    pub(super) fn clear(&mut self) {
        self.preferred = None;
        self.tried.clear();
    }

    /// Records what a move was found to be worth.
    #[cold]
    pub(super) fn note(&mut self, mv: M, ordinal: u32, bounds: Bounds) {
        self.tried.push(TriedMove { mv, ordinal, bounds });
    }

    /// The moves that were tried, best first, equals in generation order; `value` is the value, for `Max`,
    /// of such bounds.
    pub(super) fn ranked(&self, value: impl Fn(Bounds) -> f64) -> Vec<RootMove<M>> {
        let mut tried = self.tried.clone();
        tried.sort_unstable_by_key(|&TriedMove { bounds, ordinal, .. }| {
            (Reverse((bounds.lower, bounds.upper)), ordinal)
        });
        let ranked = |TriedMove { mv, bounds, .. }| RootMove { mv, bounds, value: value(bounds) };
        tried.into_iter().map(ranked).collect()
    }
}

/// What is proven of a position's value, in the game's units, as `Max` sees it: the value where the bounds
/// meet, their middle otherwise. The bounds are those that the position's player sees.
pub(super) fn value_for_max<G: Game>(game: &G, position: &G::Position, bounds: Bounds) -> f64 {
    let grid = game.facts().grid;
    let for_max = if game.player(position) == Player::Max { bounds } else { bounds.flipped() };
    if for_max.is_exact() {
        grid.value(for_max.lower)
    } else {
        grid.value(for_max.lower) / 2.0 + grid.value(for_max.upper) / 2.0
    }
}
