//! Plies of moves and outcomes ([`Steps::plies`](crate::game::Steps::plies)): how much depth a step takes.
//!
//! A step of k plies leads to depth `max(0, depth - k)`. A node at depth 0 is a leaf, even if its own steps
//! take no ply. So a value is still a function of position and depth, depths never grow along a path, and
//! table entries, windows and bounds work as always. But a search must look at a step to know whether it
//! leads to a leaf, and paths may be longer than the depth.
//!
//! Games where every step takes one ply are compiled without this. For other games the fast paths right above
//! the leaves are left out (the loops of `above_leaves.rs` and `chance::search_leaves`), and a chance node
//! collapses only after a look at all its outcomes.
//!
//! The game promises that chains of steps without a ply end. A limit on the length of paths turns a broken
//! promise into an error instead of a stack overflow.

use crate::game::{Game, NodeKind, StepOf};
use crate::search::answer::SearchError;
use crate::search::request::{Limits, MAX_DEPTH, MAX_FULL_DEPTH, MAX_PATH_LENGTH, SearchDepth};

/// The remaining depth of a node. Wider than the depth of a table entry, which is separate: a search to the
/// end of a long game counts more plies.
pub(crate) type Depth = u16;

/// A threshold above every depth.
pub(crate) const NO_DEPTH: Depth = Depth::MAX;

/// The depth for the game and the evaluator, which take 8 bits. (A search to the end has greater depths, and
/// tells them only to [`Game::hash_to_depth`], which does not depend on them there.)
#[inline]
pub(crate) fn entry_depth(depth: Depth) -> u8 {
    depth as u8
}

/// A least depth from the options; above every depth where there is none.
pub(crate) fn threshold(least: Option<u8>) -> Depth {
    least.map_or(NO_DEPTH, Depth::from)
}

/// The greatest number of moves and outcomes on a path.
pub(crate) const fn longest_path<G: Game>(to_the_end: bool) -> u32 {
    match (to_the_end, G::STEPS.plies) {
        (true, true) => 2 * MAX_FULL_DEPTH,
        (true, false) => MAX_FULL_DEPTH,
        (false, true) => MAX_PATH_LENGTH,
        (false, false) => MAX_DEPTH,
    }
}

/// The depth of the root of a search within these limits. To the end it is one more than the root's full
/// depth: no node but the ends of the game has depth 1, or the full depth is false. Depths only steer the
/// search then, and all entries in the table have the same.
///
/// # Errors
/// To the end, where the game has no bound for its length, or one that is too great.
pub(crate) fn root_depth<G: Game>(
    game: &G,
    position: &G::Position,
    limits: &Limits,
) -> Result<Depth, SearchError> {
    if let SearchDepth::Plies(plies) = limits.depth {
        return Ok(plies as Depth);
    }
    // What happened before has no full depth.
    let full = game.full_depth(position).filter(|_| !game.facts().depends_on_past);
    match full.ok_or(SearchError::Endless)? {
        0 if game.kind(position) != NodeKind::Terminal => Err(SearchError::NotTheEnd),
        found @ ..=MAX_FULL_DEPTH => Ok(found as Depth + 1),
        found => Err(SearchError::FullDepth { found }),
    }
}

/// A root's depth as results have it: to the end of the game, the plies that are left at most, and 1 at its
/// end.
pub(crate) fn reported_depth(depth: Depth, to_the_end: bool) -> u32 {
    if to_the_end { u32::from(depth - 1).max(1) } else { depth.into() }
}

/// The remaining depth after a step to `after`.
#[inline]
pub(crate) fn depth_after<G: Game>(
    game: &G,
    depth: Depth,
    before: &G::Position,
    step: StepOf<G>,
    after: &G::Position,
) -> Depth {
    if G::STEPS.plies {
        depth.saturating_sub(Depth::from(game.plies(before, step, after)))
    } else {
        depth - 1
    }
}

/// The greatest depth of a node whose parent has `depth`.
#[inline]
pub(crate) fn greatest_below<G: Game>(depth: Depth) -> Depth {
    if G::STEPS.plies { depth } else { depth.saturating_sub(1) }
}
