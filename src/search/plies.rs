//! Plies of edges ([`Game::HAS_PLIES`]): how much depth a move or an outcome takes.
//!
//! The node after an edge of k plies has depth `max(0, depth - k)`. A node at depth 0 is a leaf, even if its
//! own edges take no ply. So a node's value is still a function of its position and depth, depths never grow
//! along a path, and table entries, windows and bounds are as everywhere. What changes is all that was known
//! of an edge before it is looked at: whether it leads to a leaf, and how long a path can be.
//!
//! Where every edge takes one ply none of this is there. Where it need not, what is made for nodes right
//! above the leaves is left out (the loops of `frontier.rs` and `chance::go_through_leaves`), and a chance
//! node collapses only when all outcomes were looked at.
//!
//! The game promises that no endless chain of edges takes no ply. So that a broken promise is an error, and
//! not the end of the stack, paths have a greatest length.

use crate::game::Game;
use crate::search::answer::SearchError;
use crate::search::request::MAX_DEPTH;
use crate::search::setup::{MoveOf, NodeOf, OutcomeOf, PositionOf, Setup};
use crate::search::worker::Worker;

/// The most moves and outcomes that a line of play may have along which a game with plies of its own
/// ([`Game::HAS_PLIES`]) is searched. In other games it has no more than its depth.
pub const MAX_PATH_LENGTH: u32 = 512;

/// The most moves and outcomes that a line of play can have.
pub(super) const fn longest_path<G: Game>() -> u32 {
    if G::HAS_PLIES { MAX_PATH_LENGTH } else { MAX_DEPTH }
}

/// The depth after a move that leads to `after`, where `depth` is left before it.
#[inline(always)]
pub(crate) fn depth_after_move<G: Game>(
    game: &G,
    depth: u8,
    before: &G::Position,
    mv: G::Move,
    after: &G::Position,
) -> u8 {
    if G::HAS_PLIES { depth.saturating_sub(game.move_plies(before, mv, after)) } else { depth - 1 }
}

/// The depth after an outcome that leads to `after`, where `depth` is left before it.
#[inline(always)]
pub(crate) fn depth_after_outcome<G: Game>(
    game: &G,
    depth: u8,
    before: &G::Position,
    outcome: G::Outcome,
    after: &G::Position,
) -> u8 {
    if G::HAS_PLIES { depth.saturating_sub(game.outcome_plies(before, outcome, after)) } else { depth - 1 }
}

/// The greatest depth that an edge can lead to where `depth` is left before it.
#[inline(always)]
pub(super) fn greatest_after<G: Game>(depth: u8) -> u8 {
    if G::HAS_PLIES { depth } else { depth - 1 }
}

/// The least depth that a node must have for the one above it to have `depth`.
#[inline(always)]
pub(crate) fn least_below<G: Game>(depth: u8) -> u8 {
    if G::HAS_PLIES { depth } else { depth.saturating_sub(1) }
}

impl<S: Setup> Worker<'_, S> {
    /// The depth of the node that a move leads to.
    #[inline(always)]
    pub(crate) fn depth_after_move(&self, node: NodeOf<'_, S>, mv: MoveOf<S>, after: &PositionOf<S>) -> u8 {
        depth_after_move(self.game, node.depth, node.position, mv, after)
    }

    /// The depth of the node that an outcome leads to.
    #[inline(always)]
    pub(crate) fn depth_after_outcome(
        &self,
        node: NodeOf<'_, S>,
        outcome: OutcomeOf<S>,
        after: &PositionOf<S>,
    ) -> u8 {
        depth_after_outcome(self.game, node.depth, node.position, outcome, after)
    }

    /// Whether a move takes no ply.
    #[inline(always)]
    pub(super) fn takes_no_ply(&self, node: NodeOf<'_, S>, mv: MoveOf<S>, after: &PositionOf<S>) -> bool {
        <S::Game as Game>::HAS_PLIES && self.depth_after_move(node, mv, after) == node.depth
    }

    /// Whether the successors of a node are leaves whatever leads to them.
    #[inline(always)]
    pub(super) fn is_above_leaves(&self, node: NodeOf<'_, S>) -> bool {
        !<S::Game as Game>::HAS_PLIES && node.depth == 1
    }

    /// Whether a successor at this depth is a leaf that has to be told apart from others: in games in which
    /// that does not follow from the depth above it.
    #[inline(always)]
    pub(super) fn is_leaf_below(&self, depth: u8) -> bool {
        <S::Game as Game>::HAS_PLIES && depth == 0
    }

    /// Whether a loop goes on that may evaluate though it is not for leaves alone.
    #[inline(always)]
    pub(crate) fn goes_on_among_leaves(&mut self) -> bool {
        !<S::Game as Game>::HAS_PLIES || self.goes_on()
    }

    /// Whether the path to an interior node is so long that it may not go on, in which case the search is
    /// halted with an error.
    #[inline(always)]
    pub(super) fn ends_path(&mut self, node: NodeOf<'_, S>) -> bool {
        let is_too_long = <S::Game as Game>::HAS_PLIES && u32::from(node.ply) >= MAX_PATH_LENGTH;
        if is_too_long {
            self.control.fail(SearchError::PathLength);
            self.set_halted(true);
        }
        is_too_long
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::evaluator::HashRandom;
    use crate::parallel::TeamSetup;
    use crate::processor::Thread;
    use crate::search::control::Control;
    use crate::search::request::{Limits, Options, StopFlag};
    use crate::search::worker::{Node, SearchContext};
    use crate::table::NoTable;
    use crate::tests::{Graph, Shape};

    /// Calls `act` with a worker that searches the game.
    fn with_worker<G: Game, R>(
        game: &G,
        act: impl FnOnce(&Worker<'_, TeamSetup<G, HashRandom, NoTable, Thread>>) -> R,
    ) -> R {
        let (options, control) = (Options::default(), Control::new(&Limits::depth(9), &StopFlag::new()));
        let evaluator = &HashRandom::new(1, 1);
        let search = SearchContext { game, evaluator, table: &NoTable, options: &options, control: &control };
        act(&Worker::new(search, Thread::new(control.started), None))
    }

    #[test]
    fn an_edge_takes_its_plies_and_no_more_than_are_left() {
        let shape = Shape { plies: 2..=3, ..Shape::default() };
        let (graph, plied) = (Graph::<false>(shape.clone()), Graph::<false, true>(shape));
        let position = &0;
        let node = |depth, ply| Node { position, state: &(), depth, ply, evaluation: None };
        let after = graph.play(position, 0);
        let plies = plied.move_plies(position, 0, &after);
        assert!((2..=3).contains(&plies));
        for depth in 1..=5 {
            let left = with_worker(&plied, |worker| worker.depth_after_move(node(depth, 1), 0, &after));
            assert_eq!(left, depth.saturating_sub(plies));
            let left = with_worker(&graph, |worker| worker.depth_after_move(node(depth, 1), 0, &after));
            assert_eq!(left, depth - 1);
        }
    }
}
