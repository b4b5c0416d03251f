//! What a worker has evaluated together, where evaluations are made in batches; see `company.rs`.

use crate::game::Hash;
use crate::search::plies::Depth;
use crate::search::request::{Company, Options};

/// What a worker has evaluated together.
#[derive(Debug, Default)]
pub(crate) struct Together {
    /// The depth of the decision nodes right above the leaves whose moves have company; 0 where none have.
    pub(super) depth: Depth,
    /// Whether all their moves are ranked by evaluation, or those that the first has left.
    pub(super) ranks: bool,
    pub(super) ranks_rest: bool,
    /// The first moves that were evaluated for the probes of a chance node.
    pub(super) first_moves: Vec<FirstMove>,
}

/// The move that a decision node is expected to try first.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstMove {
    /// The hash of the node's position.
    pub(super) hash: Hash,
    pub(super) ordinal: u32,
    /// Where the move's own successor waits, evaluated.
    pub(super) successor: u32,
}

impl Together {
    /// As the options have it, which are known where there are lanes.
    pub(super) fn new(in_batches: bool, options: &Options, collapsing_depth: Depth) -> Self {
        let company = if in_batches { options.lanes.company } else { Company::None };
        let depth = match company {
            Company::None | Company::Chosen => 0,
            Company::Probes | Company::Rest | Company::Moves => collapsing_depth + 1,
        };
        let (ranks, ranks_rest) = (company == Company::Moves, company == Company::Rest);
        Together { depth, ranks, ranks_rest, ..Together::default() }
    }

    /// Whether the moves of nodes at this depth are all ranked by evaluation.
    #[inline]
    pub(super) fn ranks(&self, depth: Depth) -> bool {
        self.ranks && depth <= self.depth
    }

    /// Whether those are that the first one leaves.
    #[inline]
    pub(super) fn ranks_rest(&self, depth: Depth) -> bool {
        self.ranks_rest && depth <= self.depth
    }

    /// Whether what moves at this depth lead to is evaluated to rank them, leaves or not.
    #[inline]
    pub(super) fn evaluates(&self, depth: Depth) -> bool {
        self.ranks(depth) || self.ranks_rest(depth)
    }

    /// Whether there are leaves, or chance nodes that stand for theirs, below moves at this depth.
    #[inline]
    pub(super) fn is_above_leaves(&self, depth: Depth) -> bool {
        depth <= self.depth
    }

    /// Where the successor of a node's first move waits, if it was evaluated: the node's position has this
    /// hash, and its first move is the one of this ordinal.
    pub(super) fn first_move(&self, hash: impl FnOnce() -> Hash, ordinal: u32) -> Option<u32> {
        if self.first_moves.is_empty() {
            return None;
        }
        let hash = hash();
        let found = self.first_moves.iter().find(|first| first.hash == hash && first.ordinal == ordinal);
        found.map(|first| first.successor)
    }
}
