//! Which nodes are in flight, that is, being searched at the moment: a small table of tags, each put there by
//! the worker that enters a node and removed when it leaves. Whoever puts off what somebody searches asks it,
//! and so does the count of duplicate nodes.
//!
//! What it says is a hint. Two nodes whose keys meet in a slot hide each other, and a node that two workers
//! are in is no longer there when the first of them leaves. Neither can change a value.

use crate::game::Hash;
use crate::search::Depth;
use crate::sync::{AtomicU64, Relaxed};

/// So many for each worker: several times what it has on its path.
const SLOTS_A_WORKER: usize = 64;

/// So many in all at the least and at the most.
const LEAST_SLOTS: usize = 1 << 10;
const MOST_SLOTS: usize = 1 << 14;

/// The nodes in flight of one search.
#[derive(Debug)]
pub(crate) struct InFlight {
    slots: Box<[AtomicU64]>,
}

/// What a node is known by: never 0, which is no node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeTag(u64);

impl NodeTag {
    /// The tag of the node with this key, at this depth.
    pub(crate) fn new(key: Hash, depth: Depth) -> Self {
        NodeTag((key.high ^ key.low.rotate_left(32) ^ u64::from(depth) << 1) | 1)
    }
}

impl InFlight {
    /// For so many workers.
    pub(crate) fn new(workers: usize) -> Self {
        let slots = (workers * SLOTS_A_WORKER).clamp(LEAST_SLOTS, MOST_SLOTS);
        InFlight { slots: (0..slots).map(|_| AtomicU64::new(0)).collect() }
    }

    fn slot(&self, tag: NodeTag) -> &AtomicU64 {
        &self.slots[(tag.0 >> 32) as usize % self.slots.len()]
    }

    /// Whether somebody searches the node.
    pub(crate) fn contains(&self, tag: NodeTag) -> bool {
        self.slot(tag).load(Relaxed) == tag.0 // Relaxed: a hint that publishes nothing.
    }

    /// A worker enters the node; `false` when another is in it already.
    pub(crate) fn begin(&self, tag: NodeTag) -> bool {
        // Relaxed: as in `contains`.
        self.slot(tag).swap(tag.0, Relaxed) != tag.0
    }

    /// It leaves the node, whose tag goes, unless another node's has taken its place.
    pub(crate) fn end(&self, tag: NodeTag) {
        // Relaxed, both: as in `contains`.
        let _ = self.slot(tag).compare_exchange(tag.0, 0, Relaxed, Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_in_flight_until_it_is_left() {
        let in_flight = InFlight::new(2);
        let node = NodeTag::new(Hash { high: 7 << 40, low: 9 }, 5);
        let other_depth = NodeTag::new(Hash { high: 7 << 40, low: 9 }, 4);
        assert!(!in_flight.contains(node));
        assert!(in_flight.begin(node));
        assert!(in_flight.contains(node) && !in_flight.contains(other_depth));
        assert!(!in_flight.begin(node), "entered twice");
        in_flight.end(other_depth);
        assert!(in_flight.contains(node), "another node's tag was removed");
        in_flight.end(node);
        assert!(!in_flight.contains(node));
    }
}
