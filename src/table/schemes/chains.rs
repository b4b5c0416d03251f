//! Chains: each row of the table has a list of entries, in order of use, of a length that grows where it is
//! needed (Deshpande, Peshave and Prakash, "Analysis of iterative deepening minimax tree search using hashing
//! based memoization for Abalone").
//!
//! * A row's threshold is 3 at first. A new entry that finds its chain full counts a hit of the threshold and
//!   replaces the last entry; after three of them, and if the row was last used in this iteration or in the
//!   one before, the threshold grows by one, up to [`MOST`].
//! * Each entry counts its hits: a look-up that finds it adds one and moves it up by one place where the
//!   entry before it has no more; every other entry of the chain that the look-up passes loses one.
//! * Entries with a greater count of what is left ([`Game::left`](crate::game::Game::left): marbles on the
//!   board, in their game) than the position that is searched are of no use any more, and are deleted where a
//!   look-up passes them.
//! * `BY_COUNTS`: what they leave to the future, a second hash at the head of the row by those counts. A row
//!   then has a chain for each count modulo [`COUNTS`].
//!
//! Their paper lets a table grow to [`MOST`] entries a row. Here its memory is bounded: a stripe of rows
//! shares so many nodes, four for each of its chains, and where they are used up a new entry takes one from
//! the end of another chain. Nothing is allocated in a search.
//!
//! A look-up rewrites counts and links, so it cannot be without a lock: a stripe of rows has one.

use crate::game::Hash;
use crate::sync::{AtomicU8, AtomicU16, Mutex, Relaxed};
use crate::table::entry::{Entry, Found, NewEntry, Stored};
use crate::table::form::Form;
use crate::table::replacement::gather;
use crate::table::{Reuse, Table, TableError};
use std::marker::PhantomData;

/// The greatest threshold: the last line of their table of retention.
const MOST: u8 = 13;
/// The threshold that a row begins with.
const LEAST: u8 = 3;
/// How often a threshold is hit before it grows.
const HITS: u8 = 3;
/// Within how many iterations a row has to have been used for its threshold to grow. They leave it open.
const RECENT: u8 = 2;
/// How many chains a row has that tells counts apart.
const COUNTS: usize = 4;
/// Nodes for each chain: a little more than the threshold at first.
const NODES: usize = 4;
/// How many chains share a lock and their nodes.
const STRIPE: usize = 64;

/// No node.
const NONE: u32 = u32::MAX;

/// The head of a chain.
#[derive(Clone, Debug)]
struct Head {
    first: u32,
    last: u32,
    length: u8,
    threshold: u8,
    threshold_hits: u8,
    last_access: u8,
}

impl Head {
    /// That of a chain without entries.
    const EMPTY: Head =
        Head { first: NONE, last: NONE, length: 0, threshold: LEAST, threshold_hits: 0, last_access: 0 };
}

/// An entry in its chain, or a node that is free.
#[derive(Clone, Debug)]
struct Node {
    low: u64,
    entry: Entry,
    left: u16,
    hits: i16,
    before: u32,
    after: u32,
}

/// Chains that share a lock and their nodes.
#[derive(Debug)]
struct Stripe {
    heads: Box<[Head]>,
    nodes: Box<[Node]>,
    /// The first of the nodes that are in no chain, which are linked by `after`.
    free: u32,
    /// The chain that gives the next node where none is free.
    hand: usize,
}

/// A table of chains.
#[derive(Debug)]
pub(super) struct Chains<F, const BY_COUNTS: bool> {
    stripes: Vec<Mutex<Stripe>>,
    rows: usize,
    generation: AtomicU8,
    /// What is left at the root of the search: entries of positions with more are obsolete.
    left_at_root: AtomicU16,
    form: PhantomData<F>,
}

/// What is asked of a chain.
#[derive(Clone, Copy)]
struct Query {
    low: u64,
    depth: u8,
    reuse: Reuse,
    generation: u8,
    left_at_root: u16,
}

impl<F: Form, const BY_COUNTS: bool> Chains<F, BY_COUNTS> {
    const CHAINS_A_ROW: usize = if BY_COUNTS { COUNTS } else { 1 };

    /// A table of at most so many entries, or of one row, if that is more.
    pub(super) fn new(entries: u64) -> Result<Self, TableError> {
        let rows = (entries / (NODES * Self::CHAINS_A_ROW) as u64).max(1);
        let chains = rows.saturating_mul(Self::CHAINS_A_ROW as u64);
        let bytes = chains.saturating_mul((size_of::<Head>() + NODES * size_of::<Node>()) as u64);
        let refused = || TableError::Memory { bytes, source: std::io::ErrorKind::OutOfMemory.into() };
        let chains =
            usize::try_from(chains).ok().filter(|_| bytes < isize::MAX as u64).ok_or_else(refused)?;
        let mut stripes = Vec::new();
        stripes.try_reserve_exact(chains.div_ceil(STRIPE)).map_err(|_| refused())?;
        for first in (0..chains).step_by(STRIPE) {
            let stripe = Stripe::new(STRIPE.min(chains - first)).ok_or_else(refused)?;
            stripes.push(Mutex::new(stripe));
        }
        let (generation, left_at_root) = (AtomicU8::new(0), AtomicU16::new(u16::MAX));
        Ok(Chains { stripes, rows: rows as usize, generation, left_at_root, form: PhantomData })
    }

    /// Runs `act` on the chain of a position, under its lock.
    fn with_chain<R>(&self, key: Hash, left: u16, act: impl FnOnce(&mut Stripe, usize) -> R) -> R {
        let row = ((u128::from(key.high) * self.rows as u128) >> 64) as usize;
        let chain = row * Self::CHAINS_A_ROW + usize::from(left) % Self::CHAINS_A_ROW;
        act(&mut self.stripes[chain / STRIPE].lock(), chain % STRIPE)
    }

    fn query(&self, key: Hash, depth: u8, reuse: Reuse) -> Query {
        // Relaxed, both: they only guide what gives way.
        let (generation, left_at_root) = (self.generation.load(Relaxed), self.left_at_root.load(Relaxed));
        Query { low: key.low, depth, reuse, generation, left_at_root }
    }
}

impl<F: Form, const BY_COUNTS: bool> Table for Chains<F, BY_COUNTS> {
    const MAY_WEIGH: bool = true;

    fn asks_what_is_left(&self) -> bool {
        true
    }

    fn begin(&self, left: u16) {
        self.left_at_root.store(left, Relaxed); // Relaxed: as in `query`.
    }

    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found> {
        self.probe_with(key, 0, depth, reuse)
    }

    fn probe_with(&self, key: Hash, left: u16, depth: u8, reuse: Reuse) -> Option<Found> {
        let query = self.query(key, depth, reuse);
        self.with_chain(key, left, |stripe, chain| stripe.look_up(chain, query))
    }

    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored {
        let query = self.query(key, entry.depth, reuse);
        let Some(new) = F::entry(&entry, query.generation) else { return Stored::default() };
        self.with_chain(key, entry.left, |stripe, chain| stripe.store::<F>(chain, query, new, entry.left))
    }

    fn new_generation(&self) {
        // Relaxed: as in `query`.
        self.generation.store(self.generation.load(Relaxed).wrapping_add(1), Relaxed);
    }

    fn clear(&self, _threads: usize) {
        self.stripes.iter().for_each(|stripe| stripe.lock().clear());
    }

    /// How full a sample of chains is, in thousandths of their nodes.
    fn hashfull(&self) -> u32 {
        let (mut nodes, mut used) = (0, 0);
        for stripe in self.stripes.iter().take(16) {
            let stripe = stripe.lock();
            nodes += stripe.nodes.len();
            used += stripe.heads.iter().map(|head| usize::from(head.length)).sum::<usize>();
        }
        (1000 * used / nodes.max(1)) as u32
    }
}

impl Stripe {
    fn new(chains: usize) -> Option<Self> {
        let (mut heads, mut nodes) = (Vec::new(), Vec::new());
        heads.try_reserve_exact(chains).ok()?;
        nodes.try_reserve_exact(chains * NODES).ok()?;
        let entry = Entry { lower: 0, upper: 0, lower_depth: 0, upper_depth: 0, hint: None, generation: 0 };
        heads.resize(chains, Head::EMPTY);
        nodes.resize(chains * NODES, Node { low: 0, entry, left: 0, hits: 0, before: NONE, after: NONE });
        let (heads, nodes) = (heads.into_boxed_slice(), nodes.into_boxed_slice());
        let mut stripe = Stripe { heads, nodes, free: NONE, hand: 0 };
        stripe.clear();
        Some(stripe)
    }

    fn clear(&mut self) {
        self.heads.fill(Head::EMPTY);
        let count = self.nodes.len() as u32;
        for (node, next) in self.nodes.iter_mut().zip(1..) {
            node.after = if next < count { next } else { NONE };
        }
        (self.free, self.hand) = (0, 0);
    }

    /// Walks a chain: what it says of the position, hits counted, obsolete entries deleted.
    fn look_up(&mut self, chain: usize, query: Query) -> Option<Found> {
        let mut own = [None; MOST as usize];
        let (mut found, mut at) = (0, self.heads[chain].first);
        while at != NONE {
            let Node { low, left, after, .. } = self.nodes[at as usize];
            if low == query.low {
                let node = &mut self.nodes[at as usize];
                node.hits = node.hits.saturating_add(1);
                own[found] = Some(node.entry);
                found += 1;
                self.heads[chain].last_access = query.generation;
                self.move_up(chain, at);
            } else if left > query.left_at_root {
                self.remove(chain, at);
            } else {
                let hits = &mut self.nodes[at as usize].hits;
                *hits = hits.saturating_sub(1);
            }
            at = after;
        }
        gather(own.into_iter().flatten(), query.depth, query.reuse)
    }

    fn store<F: Form>(&mut self, chain: usize, query: Query, new: Entry, left: u16) -> Stored {
        let own = |node: &Node| node.low == query.low;
        if let Some(at) = self.find(chain, |node| own(node) && node.entry.shares_slot_with(&new, query.reuse))
        {
            let old = self.nodes[at as usize].entry;
            let (entry, contradicted) = F::updated(&old, &new);
            self.nodes[at as usize].entry = entry;
            return Stored { written: entry != old, replaced: false, contradicted };
        }
        let hint = || self.find(chain, own).and_then(|at| self.nodes[at as usize].entry.hint);
        let entry = Entry { hint: new.hint.or_else(hint), ..new };
        let (mut at, mut replaced) = (NONE, false);
        if self.heads[chain].length >= self.heads[chain].threshold && !self.grows(chain, query.generation) {
            at = self.heads[chain].last;
            replaced = true;
            self.unlink(chain, at);
        }
        if at == NONE {
            replaced = self.free == NONE;
            at = self.free_node();
        }
        self.heads[chain].last_access = query.generation;
        let node = &mut self.nodes[at as usize];
        (node.low, node.entry, node.left, node.hits) = (query.low, entry, left, 0);
        self.append(chain, at);
        Stored { written: true, replaced, contradicted: false }
    }

    /// A full chain is to take one more entry: whether its threshold grows for it.
    fn grows(&mut self, chain: usize, generation: u8) -> bool {
        let head = &mut self.heads[chain];
        if head.threshold == MOST {
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

    /// A node that is in no chain: a free one, or the last of the next chain that has any.
    fn free_node(&mut self) -> u32 {
        if self.free != NONE {
            let at = self.free;
            self.free = self.nodes[at as usize].after;
            return at;
        }
        // All nodes are in chains, so one of these has some.
        loop {
            self.hand = (self.hand + 1) % self.heads.len();
            let last = self.heads[self.hand].last;
            if last != NONE {
                self.unlink(self.hand, last);
                return last;
            }
        }
    }

    fn find(&self, chain: usize, is_it: impl Fn(&Node) -> bool) -> Option<u32> {
        let mut at = self.heads[chain].first;
        while at != NONE {
            let node = &self.nodes[at as usize];
            if is_it(node) {
                return Some(at);
            }
            at = node.after;
        }
        None
    }

    /// Moves a node up by one place, where the one before it has no more hits.
    fn move_up(&mut self, chain: usize, at: u32) {
        let before = self.nodes[at as usize].before;
        if before == NONE || self.nodes[before as usize].hits > self.nodes[at as usize].hits {
            return;
        }
        self.unlink(chain, before);
        // It comes after the node that has moved up.
        let after = self.nodes[at as usize].after;
        self.link(chain, at, before, after);
    }

    fn append(&mut self, chain: usize, at: u32) {
        let last = self.heads[chain].last;
        self.link(chain, last, at, NONE);
    }

    /// Links a node between two neighbours, either of which may be none.
    fn link(&mut self, chain: usize, before: u32, at: u32, after: u32) {
        (self.nodes[at as usize].before, self.nodes[at as usize].after) = (before, after);
        match before {
            NONE => self.heads[chain].first = at,
            _ => self.nodes[before as usize].after = at,
        }
        match after {
            NONE => self.heads[chain].last = at,
            _ => self.nodes[after as usize].before = at,
        }
        self.heads[chain].length += 1;
    }

    fn unlink(&mut self, chain: usize, at: u32) {
        let Node { before, after, .. } = self.nodes[at as usize];
        match before {
            NONE => self.heads[chain].first = after,
            _ => self.nodes[before as usize].after = after,
        }
        match after {
            NONE => self.heads[chain].last = before,
            _ => self.nodes[after as usize].before = before,
        }
        self.heads[chain].length -= 1;
    }

    /// Deletes a node.
    fn remove(&mut self, chain: usize, at: u32) {
        self.unlink(chain, at);
        self.nodes[at as usize].after = self.free;
        self.free = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{Bounds, Window};
    use crate::table::form::TwoSided;

    fn entry(depth: u8, value: i32, left: u16) -> NewEntry {
        let (bounds, window) = (Bounds::exactly(value), Window { alpha: -100, beta: 100 });
        NewEntry { depth, bounds, limit: 1000, hint: None, window, nodes: 1, left }
    }

    fn key(low: u64) -> Hash {
        Hash { high: 0, low: low << 16 }
    }

    fn value<const B: bool>(table: &Chains<TwoSided, B>, low: u64) -> Option<i32> {
        let found = table.probe_with(key(low), 5, 3, Reuse::Exact)?;
        found.bounds.is_exact().then_some(found.bounds.lower)
    }

    /// What a chain has, first to last, forwards and backwards alike.
    fn order<const B: bool>(table: &Chains<TwoSided, B>) -> Vec<u64> {
        let stripe = table.stripes[0].lock();
        let walk = |mut at: u32, next: fn(&Node) -> u32| {
            let mut lows = Vec::new();
            while at != NONE {
                lows.push(stripe.nodes[at as usize].low >> 16);
                at = next(&stripe.nodes[at as usize]);
            }
            lows
        };
        let forwards = walk(stripe.heads[0].first, |node| node.after);
        let mut backwards = walk(stripe.heads[0].last, |node| node.before);
        backwards.reverse();
        assert_eq!(forwards, backwards);
        assert_eq!(forwards.len(), usize::from(stripe.heads[0].length));
        forwards
    }

    #[test]
    fn a_chain_is_in_order_of_use_and_grows_where_it_is_hit() {
        let table = Chains::<TwoSided, false>::new(4 * 64).expect("a small table");
        for low in 1..=3 {
            table.store(key(low), entry(3, low as i32, 5), Reuse::Exact);
        }
        assert_eq!(order(&table), [1, 2, 3]);
        assert_eq!(value(&table, 3), Some(3));
        assert_eq!(order(&table), [1, 3, 2], "it moves up by one place");
        assert_eq!(value(&table, 3), Some(3));
        assert_eq!(order(&table), [3, 1, 2]);
        // Three new ones take the last place; then there are four.
        for low in 4..=6 {
            assert!(table.store(key(low), entry(3, low as i32, 5), Reuse::Exact).replaced);
        }
        assert_eq!(order(&table), [3, 1, 6]);
        assert!(!table.store(key(7), entry(3, 7, 5), Reuse::Exact).replaced);
        assert_eq!(order(&table), [3, 1, 6, 7]);
    }

    #[test]
    fn what_has_more_left_than_the_root_is_deleted_by_a_look_up() {
        let table = Chains::<TwoSided, false>::new(4 * 64).expect("a small table");
        table.store(key(1), entry(3, 1, 9), Reuse::Exact);
        table.store(key(2), entry(3, 2, 5), Reuse::Exact);
        assert_eq!((value(&table, 2), order(&table)), (Some(2), vec![2, 1]));
        table.begin(8);
        assert_eq!((value(&table, 2), order(&table)), (Some(2), vec![2]));
    }

    #[test]
    fn counts_have_chains_of_their_own() {
        let table = Chains::<TwoSided, true>::new(16).expect("a small table");
        assert_eq!((table.rows, table.stripes[0].lock().heads.len()), (1, COUNTS));
        table.store(key(1), entry(3, 1, 5), Reuse::Exact);
        assert_eq!(value(&table, 1), Some(1));
        assert_eq!(table.probe_with(key(1), 6, 3, Reuse::Exact), None);
    }

    #[test]
    fn memory_is_bounded_and_nodes_are_taken_from_other_chains() {
        let table = Chains::<TwoSided, false>::new(64).expect("a small table");
        let nodes = table.stripes[0].lock().nodes.len();
        let chains = table.rows as u64;
        for round in 0..200u64 {
            for row in 0..chains {
                let high = (u128::from(row) << 64).div_ceil(u128::from(chains)) as u64;
                let at = Hash { high, low: (round * chains + row) << 16 };
                table.store(at, entry(3, 1, 5), Reuse::Exact);
            }
        }
        let stripe = table.stripes[0].lock();
        let used: usize = stripe.heads.iter().map(|head| usize::from(head.length)).sum();
        assert_eq!((used, stripe.nodes.len()), (nodes, nodes));
        assert!(stripe.heads.iter().any(|head| head.threshold > LEAST));
    }
}
