//! Which nodes are being searched at the moment: a small table of marks, each set by the worker that enters a node and
//! removed when it leaves. Deferral (`abdada.rs`) asks it, and so does the count of duplicate nodes.
//!
//! Marks are hints. Two nodes whose keys meet in a slot hide each other, and a node that two workers are in is no longer
//! marked when the first of them leaves. Neither can change a value.

use crate::game::Hash;
use crate::sync::{AtomicU64, Relaxed};

/// As many nodes as a thousand workers have on their paths several times over.
const SLOTS: usize = 1 << 14;

/// The marks of one search.
#[derive(Debug)]
pub(crate) struct Marks {
    slots: Box<[AtomicU64]>,
}

/// A node's mark: never 0, which is the mark of no node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark(u64);

impl Mark {
    /// The mark of the node with this key, at this depth.
    pub(crate) fn new(key: Hash, depth: u8) -> Self {
        Mark((key.high ^ key.low.rotate_left(32) ^ u64::from(depth) << 1) | 1)
    }
}

impl Marks {
    pub(crate) fn new() -> Self {
        Marks { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect() }
    }

    fn slot(&self, mark: Mark) -> &AtomicU64 {
        &self.slots[(mark.0 >> 32) as usize % SLOTS]
    }

    /// Whether somebody searches the node.
    pub(crate) fn is_set(&self, mark: Mark) -> bool {
        self.slot(mark).load(Relaxed) == mark.0 // Relaxed, all: a hint that publishes nothing.
    }

    /// Marks the node; `false` when it was marked already.
    pub(crate) fn set(&self, mark: Mark) -> bool {
        self.slot(mark).swap(mark.0, Relaxed) != mark.0
    }

    /// Takes the mark off, unless another node's has taken its place.
    pub(crate) fn clear(&self, mark: Mark) {
        let _ = self.slot(mark).compare_exchange(mark.0, 0, Relaxed, Relaxed);
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_marked_until_it_is_left() {
        let marks = Marks::new();
        let node = Mark::new(Hash { high: 7 << 40, low: 9 }, 5);
        let other_depth = Mark::new(Hash { high: 7 << 40, low: 9 }, 4);
        assert!(!marks.is_set(node));
        assert!(marks.set(node));
        assert!(marks.is_set(node) && !marks.is_set(other_depth));
        assert!(!marks.set(node), "marked twice");
        marks.clear(other_depth);
        assert!(marks.is_set(node), "another node's mark was taken off");
        marks.clear(node);
        assert!(!marks.is_set(node));
    }
}
