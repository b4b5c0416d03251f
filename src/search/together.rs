//! What a worker evaluates together, where evaluations are made in batches; see `sibling_batch.rs`.

use crate::game::Hash;
use crate::search::plies::Depth;
use crate::search::request::{LaneOptions, MAX_BATCH, Options, SiblingBatch};
use crate::search::tuning::Lanes;
use std::ops::Range;

/// What a worker evaluates together.
#[derive(Debug, Default)]
pub(crate) struct Together {
    /// Whether moves that are ranked by evaluation are evaluated in one call.
    pub(super) is_on: bool,
    /// The greatest depth of decision nodes right above the leaves whose moves share batches; 0 if none do.
    pub(super) depth: Depth,
    /// Which of their moves are ranked by evaluation.
    sibling_batch: SiblingBatch,
    /// The first moves evaluated for a chance node's probes.
    pub(super) first_moves: Vec<FirstMove>,
}

/// The move that a decision node will try first.
#[derive(Debug)]
pub(super) struct FirstMove {
    /// The hash of the node's position.
    pub(super) hash: Hash,
    /// All moves of the node, on the stack in generation order.
    pub(super) moves: Range<usize>,
    pub(super) ordinal: u32,
    /// The index of the move's evaluated successor on the stack.
    pub(super) successor: u32,
}

impl Together {
    /// From the options, where `sibling_batch` is settled if there are batches.
    pub(super) fn new(in_batches: bool, waits: bool, options: &Options, collapsing_depth: Depth) -> Self {
        let sibling_batch = if in_batches { options.lanes.sibling_batch } else { SiblingBatch::None };
        let depth = match sibling_batch {
            SiblingBatch::None | SiblingBatch::Chosen => 0,
            SiblingBatch::Probes | SiblingBatch::Rest | SiblingBatch::Moves => collapsing_depth + 1,
        };
        Together { is_on: waits || depth > 0, depth, sibling_batch, first_moves: Vec::new() }
    }

    /// How the worker makes its evaluations, if it has no lanes.
    pub(super) fn lanes(&self, options: &Options) -> Lanes {
        let LaneOptions { batch, sibling_batch, .. } = options.lanes;
        let shared = Lanes { lanes: 1, batch: batch.unwrap_or(MAX_BATCH), sibling_batch };
        if self.is_on { shared } else { Lanes::NONE }
    }

    /// Whether all moves of nodes at this depth are ranked by evaluation.
    #[inline]
    pub(super) fn ranks(&self, depth: Depth) -> bool {
        self.sibling_batch == SiblingBatch::Moves && depth <= self.depth
    }

    /// Whether all moves but the first are.
    #[inline]
    pub(super) fn ranks_rest(&self, depth: Depth) -> bool {
        self.sibling_batch == SiblingBatch::Rest && depth <= self.depth
    }

    /// Whether positions after moves at this depth are evaluated to rank the moves, leaf or not.
    #[inline]
    pub(super) fn evaluates(&self, depth: Depth) -> bool {
        self.ranks(depth) || self.ranks_rest(depth)
    }

    /// Whether moves at this depth lead to leaves, or to chance nodes that collapse.
    #[inline]
    pub(super) fn is_above_leaves(&self, depth: Depth) -> bool {
        depth <= self.depth
    }

    /// The first move of a node whose position has this hash, if it was evaluated.
    #[inline]
    pub(super) fn made(&self, hash: impl FnOnce() -> Hash) -> Option<&FirstMove> {
        if self.first_moves.is_empty() {
            return None;
        }
        let hash = hash();
        self.first_moves.iter().find(|first| first.hash == hash)
    }
}
