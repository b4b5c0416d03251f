//! Plies of edges ([`Steps::plies`]): how much depth a move or an outcome takes.
//!
//! The node after an edge of k plies has depth `max(0, depth - k)`. A node at depth 0 is a leaf, even if its
//! own edges take no ply. So a node's value is still a function of its position and depth, depths never grow
//! along a path, and table entries, windows and bounds are as everywhere. What changes is all that was known
//! of an edge before it is looked at: whether it leads to a leaf, and how long a path can be.
//!
//! Where every edge takes one ply none of this is there. Where it need not, what is made for nodes right
//! above the leaves is left out (the loops of `above_leaves.rs` and `chance::search_leaves`), and a chance
//! node collapses only when all outcomes were looked at.
//!
//! The game promises that no endless chain of edges takes no ply. So that a broken promise is an error, and
//! not the end of the stack, paths have a greatest length.

use crate::game::{Game, StepOf};
use crate::search::request::{MAX_DEPTH, MAX_PATH_LENGTH};

/// The most moves and outcomes that a line of play can have.
pub(super) const fn longest_path<G: Game>() -> u32 {
    if G::STEPS.plies { MAX_PATH_LENGTH } else { MAX_DEPTH }
}

/// The depth after a step that leads to `after`, where `depth` is left before it.
#[inline(always)]
pub(crate) fn depth_after<G: Game>(
    game: &G,
    depth: u8,
    before: &G::Position,
    step: StepOf<G>,
    after: &G::Position,
) -> u8 {
    if G::STEPS.plies { depth.saturating_sub(game.plies(before, step, after)) } else { depth - 1 }
}

/// The greatest depth that an edge can lead to where `depth` is left before it.
#[inline(always)]
pub(super) fn greatest_after<G: Game>(depth: u8) -> u8 {
    if G::STEPS.plies { depth } else { depth - 1 }
}

/// The least depth that a node must have for the one above it to have `depth`.
#[inline(always)]
pub(crate) fn least_below<G: Game>(depth: u8) -> u8 {
    if G::STEPS.plies { depth } else { depth.saturating_sub(1) }
}
