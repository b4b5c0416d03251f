//! A node on the path of the search.

use crate::score::Score;
use crate::search::chance_node::Place;
use crate::search::plies::Depth;

/// The position, its evaluator state, the remaining depth and the ply from the root.
#[derive(Debug)]
pub(crate) struct Node<'n, P, S> {
    pub(crate) position: &'n P,
    pub(crate) state: &'n S,
    pub(crate) depth: Depth,
    pub(crate) ply: u16,
    /// The evaluation for the position's player, if move ordering already made it.
    pub(crate) evaluation: Option<Score>,
    /// Whether beta is the node's known upper bound, so that only a move worth that much would cut. Such a
    /// node is expected to search all its moves: in Knuth and Moore's terms, of type 3. Set only for decision
    /// nodes above leaves.
    pub(crate) is_all_node: bool,
    /// The place of the outcome that led here among those of its chance node.
    pub(crate) place: Option<Place>,
}

impl<'n, P, S> Node<'n, P, S> {
    /// A node about which nothing is known yet.
    #[inline]
    pub(crate) fn new(position: &'n P, state: &'n S, depth: Depth, ply: u16) -> Self {
        Node { position, state, depth, ply, evaluation: None, is_all_node: false, place: None }
    }
}

impl<P, S> Clone for Node<'_, P, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, S> Copy for Node<'_, P, S> {}
