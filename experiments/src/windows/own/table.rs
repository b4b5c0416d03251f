//! A table that forgets nothing: for every position and depth what is proven, and the move to try first.

use starsplit::game::Hash;
use starsplit::score::Bounds;
use std::collections::HashMap;

/// A node whatever its depth: its hash, and whether it is a chance node.
pub(super) type NodeKey = (u64, u64, bool);

/// The key of a node.
pub(super) fn key(hash: Hash, is_chance: bool) -> NodeKey {
    (hash.high, hash.low, is_chance)
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    depth: u8,
    bounds: Bounds,
    hint: Option<u16>,
}

/// What is proven of every node that was stored, by its depth.
#[derive(Debug, Default)]
pub(super) struct Proven(HashMap<NodeKey, Vec<Entry>>);

impl Proven {
    /// What is proven of the node at this depth.
    pub(super) fn bounds(&self, key: &NodeKey, depth: u8) -> Option<Bounds> {
        self.0.get(key)?.iter().find(|entry| entry.depth == depth).map(|entry| entry.bounds)
    }

    /// The move to try first: of the entry that is nearest in depth.
    pub(super) fn hint(&self, key: &NodeKey, depth: u8) -> Option<u16> {
        let with_hint = self.0.get(key)?.iter().filter(|entry| entry.hint.is_some());
        with_hint.min_by_key(|entry| entry.depth.abs_diff(depth))?.hint
    }

    /// Keeps what is proven now, which takes in what was proven before.
    pub(super) fn keep(&mut self, key: NodeKey, depth: u8, bounds: Bounds, hint: Option<u16>) {
        let entries = self.0.entry(key).or_default();
        match entries.iter_mut().find(|entry| entry.depth == depth) {
            Some(entry) => *entry = Entry { depth, bounds, hint: hint.or(entry.hint) },
            None => entries.push(Entry { depth, bounds, hint }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_kept_apart_and_moves_are_shared() {
        let (mut proven, node) = (Proven::default(), (1, 2, false));
        proven.keep(node, 3, Bounds::new(-5, 5), Some(7));
        proven.keep(node, 5, Bounds::new(0, 9), None);
        assert_eq!(proven.bounds(&node, 3), Some(Bounds::new(-5, 5)));
        assert_eq!((proven.bounds(&node, 4), proven.hint(&node, 5)), (None, Some(7)));
        proven.keep(node, 5, Bounds::new(1, 1), Some(4));
        assert_eq!((proven.bounds(&node, 5), proven.hint(&node, 5)), (Some(Bounds::new(1, 1)), Some(4)));
        assert_eq!(proven.bounds(&(1, 2, true), 3), None);
    }
}
