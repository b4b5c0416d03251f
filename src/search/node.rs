//! A node of the search, as it is entered.

use crate::score::Score;

/// The position with its evaluator state, the depth that remains and the ply from the root.
#[derive(Debug)]
pub(crate) struct Node<'n, P, S> {
    pub(crate) position: &'n P,
    pub(crate) state: &'n S,
    pub(crate) depth: u8,
    pub(crate) ply: u16,
    /// The position's evaluation as its player sees it, where one was already made for ordering.
    pub(crate) evaluation: Option<Score>,
    /// Whether beta is the upper bound that is known of the node, so that none of its moves is expected to
    /// cut; told of decision nodes above leaves alone.
    pub(crate) is_all_node: bool,
}

impl<'n, P, S> Node<'n, P, S> {
    /// A node of which nothing is known beforehand.
    #[inline(always)]
    pub(crate) fn new(position: &'n P, state: &'n S, depth: u8, ply: u16) -> Self {
        Node { position, state, depth, ply, evaluation: None, is_all_node: false }
    }
}

impl<P, S> Clone for Node<'_, P, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, S> Copy for Node<'_, P, S> {}
