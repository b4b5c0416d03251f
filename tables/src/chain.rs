//! The chains that share a lock: their heads, and the nodes that are linked into them.

use crate::chains::{ChainCounts, ChainOptions};
use crate::entry::{Entry, gather};
use crate::pieces::{Left, UNCOUNTED};
use starsplit::table::{Found, Reuse, Stored};

/// How often a threshold is hit before it grows.
const HITS: u8 = 3;
/// Within how many generations a row has to have been used for its threshold to grow.
pub(crate) const RECENT: u8 = 2;
/// No node.
const NONE: u16 = u16::MAX;

/// The head of a row (their Figure 1).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    first: u16,
    last: u16,
    length: u8,
    threshold: u8,
    threshold_hits: u8,
    /// The generation of the last access, an iteration of a search: their ply.
    last_access: u8,
}

/// An entry in its chain (their Figure 2), or a node that is free.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    words: [u64; 2],
    hits: i16,
    left: Left,
    before: u16,
    after: u16,
}

const FREE: Node = Node { words: [0; 2], hits: 0, left: UNCOUNTED, before: NONE, after: NONE };

/// What is asked of a chain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    /// The part of the key that a node keeps.
    pub(crate) tag: u64,
    pub(crate) reuse: Reuse,
    pub(crate) generation: u8,
    /// The pieces left at the position, and at the root.
    pub(crate) left: Left,
    pub(crate) at_root: Left,
}

impl Query {
    /// Whether nothing below the root can have so many pieces.
    fn is_unreachable(&self, left: Left) -> bool {
        self.at_root != UNCOUNTED && (left[0] > self.at_root[0] || left[1] > self.at_root[1])
    }
}

/// Chains that share a lock and their nodes. The nodes of a chain have ever fewer hits.
#[derive(Debug)]
pub(crate) struct Stripe {
    heads: Box<[Head]>,
    nodes: Box<[Node]>,
    /// The first of the nodes that are in no chain, which are linked by `after`.
    free: u16,
    /// The chain that gave a node last where none was free.
    hand: usize,
    options: ChainOptions,
    pub(crate) counts: ChainCounts,
}

impl Stripe {
    /// So many chains and nodes; none where there is no memory for them.
    pub(crate) fn new(chains: usize, nodes: usize, options: ChainOptions) -> Option<Self> {
        let (mut heads, mut all) = (Vec::new(), Vec::new());
        heads.try_reserve_exact(chains).ok()?;
        all.try_reserve_exact(nodes).ok()?;
        let head =
            Head { first: NONE, last: NONE, length: 0, threshold: 0, threshold_hits: 0, last_access: 0 };
        heads.resize(chains, head);
        all.resize(nodes, FREE);
        let (heads, nodes) = (heads.into_boxed_slice(), all.into_boxed_slice());
        let mut stripe =
            Stripe { heads, nodes, free: NONE, hand: 0, options, counts: ChainCounts::default() };
        stripe.clear();
        Some(stripe)
    }

    pub(crate) fn clear(&mut self) {
        let threshold = self.options.threshold;
        let head = Head { first: NONE, last: NONE, length: 0, threshold, threshold_hits: 0, last_access: 0 };
        self.heads.fill(head);
        let count = self.nodes.len() as u16;
        for (node, next) in self.nodes.iter_mut().zip(1..) {
            *node = Node { after: if next < count { next } else { NONE }, ..FREE };
        }
        (self.free, self.hand, self.counts) = (0, 0, ChainCounts::default());
    }

    /// How many nodes are in chains, and how many there are.
    pub(crate) fn used(&self) -> (usize, usize) {
        (self.heads.iter().map(|head| usize::from(head.length)).sum(), self.nodes.len())
    }

    /// What a chain says of a position. All of the chain is passed: hits are counted, and what nothing below
    /// the root can reach is deleted.
    pub(crate) fn look_up(&mut self, chain: usize, depth: u8, query: &Query) -> Option<Found> {
        let (mut at, mut place, mut found_at) = (self.heads[chain].first, 0, 0);
        while at != NONE {
            let node = &mut self.nodes[usize::from(at)];
            let (next, left) = (node.after, node.left);
            place += 1;
            if node.words[0] >> 16 == query.tag {
                node.hits = node.hits.saturating_add(1);
                found_at = if found_at == 0 { place } else { found_at };
                self.heads[chain].last_access = query.generation;
                self.lift(chain, at);
            } else if query.is_unreachable(left) {
                self.remove(chain, at);
            } else {
                node.hits = node.hits.saturating_sub(1);
            }
            at = next;
        }
        let counts = &mut self.counts;
        counts.look_ups += 1;
        counts.passed += place;
        counts.found += u64::from(found_at > 0);
        counts.places += found_at;
        if found_at == 0 {
            return None;
        }
        let own = self.chain(chain).filter_map(|at| Entry::of_words(self.nodes[usize::from(at)].words));
        gather(own.filter(|(tag, _)| *tag == query.tag).map(|(_, entry)| entry), depth, query.reuse)
    }

    /// Brings the entry up to date that `new` shares, or makes one.
    pub(crate) fn store(&mut self, chain: usize, query: &Query, new: Entry) -> Stored {
        let (mut at, mut earlier) = (self.heads[chain].first, None);
        while at != NONE {
            let node = &mut self.nodes[usize::from(at)];
            let own = Entry::of_words(node.words).filter(|(tag, _)| *tag == query.tag);
            if let Some((tag, old)) = own {
                if old.shares_slot_with(&new, query.reuse) {
                    let (merged, contradicted) = old.updated_by(&new);
                    node.words = merged.words(tag);
                    return Stored { written: merged != old, replaced: false, contradicted };
                }
                earlier = earlier.or(old.table_move);
            }
            at = node.after;
        }
        let new = Entry { table_move: new.table_move.or(earlier), ..new };
        let (at, replaced) = self.room(chain, query);
        self.nodes[usize::from(at)] = Node { words: new.words(query.tag), left: query.left, ..FREE };
        self.heads[chain].last_access = query.generation;
        // Behind all that have no fewer hits, which are none as yet.
        let last = self.heads[chain].last;
        self.link(chain, at, last);
        self.lift_over(chain, at, |hits| hits < 0);
        Stored { written: true, replaced, contradicted: false }
    }

    /// A node in no chain for a new entry of this one, and whether another entry gave way: what nothing can
    /// reach first, then, where the chain is full and does not grow, what was least found.
    fn room(&mut self, chain: usize, query: &Query) -> (u16, bool) {
        let mut at = self.heads[chain].first;
        while at != NONE {
            let Node { left, after, .. } = self.nodes[usize::from(at)];
            if query.is_unreachable(left) {
                self.remove(chain, at);
            }
            at = after;
        }
        let Head { length, threshold, last, .. } = self.heads[chain];
        let is_full = length >= threshold && !(self.free != NONE && self.grows(chain, query.generation));
        let counts = &mut self.counts;
        counts.collisions += u64::from(length > 0);
        counts.met += u64::from(length);
        counts.thresholds += if length > 0 { u64::from(threshold) } else { 0 };
        if is_full {
            counts.lost += 1;
            self.unlink(chain, last);
            return (last, true);
        }
        if self.free != NONE {
            let at = self.free;
            self.free = self.nodes[usize::from(at)].after;
            return (at, false);
        }
        // All nodes are in chains, so one of these has some.
        loop {
            self.hand = (self.hand + 1) % self.heads.len();
            let last = self.heads[self.hand].last;
            if last != NONE {
                self.counts.taken += 1;
                self.unlink(self.hand, last);
                return (last, true);
            }
        }
    }

    /// A full chain is to take one more entry: whether its threshold grows for it.
    fn grows(&mut self, chain: usize, generation: u8) -> bool {
        let head = &mut self.heads[chain];
        if head.threshold >= self.options.greatest {
            return false;
        }
        if head.threshold_hits < HITS {
            head.threshold_hits += 1;
            return false;
        }
        let is_recent = generation.wrapping_sub(head.last_access) < RECENT;
        if is_recent {
            head.threshold += 1;
            head.threshold_hits = 0;
        }
        is_recent
    }

    /// The nodes of a chain in their order.
    fn chain(&self, chain: usize) -> impl Iterator<Item = u16> + use<'_> {
        let some = |at: u16| (at != NONE).then_some(at);
        let next = move |&at: &u16| some(self.nodes[usize::from(at)].after);
        std::iter::successors(some(self.heads[chain].first), next)
    }

    /// Moves a node up before all that have no more hits.
    fn lift(&mut self, chain: usize, at: u16) {
        let own = self.nodes[usize::from(at)].hits;
        self.lift_over(chain, at, |hits| hits <= own);
    }

    fn lift_over(&mut self, chain: usize, at: u16, is_below: impl Fn(i16) -> bool) {
        let old = self.nodes[usize::from(at)].before;
        let mut before = old;
        while before != NONE && is_below(self.nodes[usize::from(before)].hits) {
            before = self.nodes[usize::from(before)].before;
        }
        if before != old {
            self.unlink(chain, at);
            self.link(chain, at, before);
        }
    }

    /// Links a node behind another one of its chain, or first where that is none.
    fn link(&mut self, chain: usize, at: u16, before: u16) {
        let head = &mut self.heads[chain];
        let after = match before {
            NONE => std::mem::replace(&mut head.first, at),
            _ => std::mem::replace(&mut self.nodes[usize::from(before)].after, at),
        };
        match after {
            NONE => head.last = at,
            _ => self.nodes[usize::from(after)].before = at,
        }
        head.length += 1;
        let node = &mut self.nodes[usize::from(at)];
        (node.before, node.after) = (before, after);
    }

    fn unlink(&mut self, chain: usize, at: u16) {
        let (Node { before, after, .. }, head) = (self.nodes[usize::from(at)], &mut self.heads[chain]);
        match before {
            NONE => head.first = after,
            _ => self.nodes[usize::from(before)].after = after,
        }
        match after {
            NONE => head.last = before,
            _ => self.nodes[usize::from(after)].before = before,
        }
        head.length -= 1;
    }

    /// Deletes a node.
    fn remove(&mut self, chain: usize, at: u16) {
        self.unlink(chain, at);
        self.nodes[usize::from(at)] = Node { after: self.free, ..FREE };
        self.free = at;
    }
}

#[cfg(test)]
impl Stripe {
    /// The tags of a chain in their order, which is that of hits, and the same both ways.
    pub(crate) fn checked(&self, chain: usize) -> Vec<u64> {
        let nodes: Vec<_> = self.chain(chain).map(|at| self.nodes[usize::from(at)]).collect();
        assert!(nodes.is_sorted_by(|one, next| one.hits >= next.hits), "{nodes:?}");
        let (head, mut back) = (self.heads[chain], Vec::new());
        let mut at = head.last;
        while at != NONE {
            back.push(self.nodes[usize::from(at)].words[0] >> 16);
            at = self.nodes[usize::from(at)].before;
        }
        back.reverse();
        let forth: Vec<_> = nodes.iter().map(|node| node.words[0] >> 16).collect();
        assert_eq!((&forth, forth.len()), (&back, usize::from(head.length)));
        assert!(head.length <= head.threshold && head.threshold <= self.options.greatest);
        forth
    }
}
