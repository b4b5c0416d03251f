//! A worker's batches of siblings, where evaluations are made in batches; see `sibling_batch.rs`.

use crate::game::PositionHash;
use crate::search::plies::Depth;
use crate::search::request::{LaneOptions, MAX_BATCH, Options, SiblingBatch};
use crate::search::tuning::Lanes;
use std::ops::Range;

/// A worker's batches of siblings.
#[derive(Debug, Default)]
pub(crate) struct SiblingBatcher {
    /// Whether moves that are ranked by evaluation are evaluated in one call.
    pub(super) is_on: bool,
    /// The greatest depth of decision nodes right above the leaves whose moves share batches; 0 if none do.
    pub(super) depth: Depth,
    /// Which of their moves are ranked by evaluation.
    sibling_batch: SiblingBatch,
    /// The moves of a chance node's successors whose first moves were evaluated.
    pub(super) pregenerated: Vec<PregeneratedMoves>,
}

/// A decision node's moves, generated to evaluate its first.
#[derive(Debug)]
pub(super) struct PregeneratedMoves {
    /// The node's key, which covers the past where values depend on it.
    pub(super) key: PositionHash,
    /// Where the moves are on the stack, in generation order.
    pub(super) range: Range<usize>,
}

impl SiblingBatcher {
    /// From the options, where `sibling_batch` is settled if there are batches.
    pub(super) fn new(in_batches: bool, waits: bool, options: &Options, collapsing_depth: Depth) -> Self {
        let sibling_batch = if in_batches { options.lanes.sibling_batch } else { SiblingBatch::None };
        let depth = match sibling_batch {
            SiblingBatch::None | SiblingBatch::Chosen => 0,
            SiblingBatch::Probes | SiblingBatch::Rest | SiblingBatch::Moves => collapsing_depth + 1,
        };
        SiblingBatcher { is_on: waits || depth > 0, depth, sibling_batch, pregenerated: Vec::new() }
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

    /// Where the moves of the node with this key are pregenerated.
    #[inline]
    pub(super) fn pregenerated(&self, key: impl FnOnce() -> PositionHash) -> Option<Range<usize>> {
        if self.pregenerated.is_empty() {
            return None;
        }
        let key = key();
        self.pregenerated
            .iter()
            .find(|pregenerated| pregenerated.key == key)
            .map(|pregenerated| pregenerated.range.clone())
    }
}
