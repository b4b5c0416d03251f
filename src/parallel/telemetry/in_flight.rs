//! The nodes in flight, that is, being searched: a small table of tags. A worker adds a tag when it enters a
//! node and removes it when it leaves. Methods that mark busy nodes ask it what to defer; so does the count
//! of duplicate nodes.
//!
//! Its answers are hints. Two nodes with the same slot hide each other, and a node that two workers search
//! disappears when the first of them leaves. Neither can change a value.

use crate::game::PositionHash;
use crate::sync::{AtomicU64, Relaxed};

/// The slots per worker: several times the nodes on its path.
const SLOTS_A_WORKER: usize = 64;

/// The slots of a table, at least and at most.
const LEAST_SLOTS: usize = 1 << 10;
const MOST_SLOTS: usize = 1 << 14;

/// The nodes in flight of a search.
#[derive(Debug)]
pub(crate) struct InFlight {
    slots: Box<[AtomicU64]>,
}

/// A node's tag; never 0, which marks an empty slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeTag(u64);

impl NodeTag {
    /// The tag of the node with this key and depth of an entry.
    pub(crate) fn new(key: PositionHash, depth: u8) -> Self {
        NodeTag((key.high ^ key.low.rotate_left(32) ^ u64::from(depth) << 1) | 1)
    }
}

impl InFlight {
    /// For this many workers.
    pub(crate) fn new(workers: usize) -> Self {
        let slots = (workers * SLOTS_A_WORKER).clamp(LEAST_SLOTS, MOST_SLOTS);
        InFlight { slots: (0..slots).map(|_| AtomicU64::new(0)).collect() }
    }

    fn slot(&self, tag: NodeTag) -> &AtomicU64 {
        &self.slots[(tag.0 >> 32) as usize % self.slots.len()]
    }

    /// Whether a worker seems to be searching the node.
    pub(crate) fn contains(&self, tag: NodeTag) -> bool {
        self.slot(tag).load(Relaxed) == tag.0 // Relaxed: a hint that publishes nothing.
    }

    /// A worker enters the node; `false` if another is already searching it.
    pub(crate) fn begin(&self, tag: NodeTag) -> bool {
        // Relaxed: as in `contains`.
        self.slot(tag).swap(tag.0, Relaxed) != tag.0
    }

    /// A worker leaves the node. Removes its tag, unless another node's has replaced it.
    pub(crate) fn end(&self, tag: NodeTag) {
        // Relaxed, both: as in `contains`.
        let _ = self.slot(tag).compare_exchange(tag.0, 0, Relaxed, Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests;
