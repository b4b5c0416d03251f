//! The rows that share a lock, and the entries that they hold side by side.

use crate::chains::ChainOptions;
use crate::entry::{Entry, gather};
use crate::pieces::{Left, UNCOUNTED};
use starsplit::table::{Found, Reuse, Stored};
use std::cmp::Reverse;

/// How often a threshold is hit before it grows.
const HITS: u8 = 3;
/// Within how many generations a row has to have been used for its threshold to grow.
pub(crate) const RECENT: u8 = 2;

/// The names of what is counted: [`ChainTable::counts`](crate::ChainTable::counts) says what each is.
pub(crate) const COUNTS: [&str; 9] =
    ["look_ups", "passed", "found", "places", "collisions", "met", "lost", "thresholds", "deleted"];
pub(crate) type Counts = [u64; COUNTS.len()];

/// The head of a row (their Figure 1). It has as many places as its threshold says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    first: u16,
    threshold: u8,
    threshold_hits: u8,
    /// The generation of the last access, an iteration of a search: their ply.
    last_access: u8,
}

/// A place for an entry (their Figure 2).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    words: [u64; 2],
    hits: i16,
    left: Left,
}

/// An empty place has fewer hits than any other.
const EMPTY: Node = Node { words: [0; 2], hits: i16::MIN, left: UNCOUNTED };

impl Node {
    /// The entry, if it is of the position that is asked for.
    fn own(&self, query: &Query) -> Option<Entry> {
        Entry::of_words(self.words).filter(|(tag, _)| *tag == query.tag).map(|(_, entry)| entry)
    }

    fn is_empty(&self) -> bool {
        self.hits == i16::MIN
    }
}

/// What is asked of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    /// The part of the key that a place keeps.
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

/// Rows that share a lock and their places, which are in the order of the rows. The entries of a row have
/// ever fewer hits.
#[derive(Debug)]
pub(crate) struct Stripe {
    rows: Box<[Row]>,
    nodes: Box<[Node]>,
    options: ChainOptions,
    pub(crate) counts: Counts,
}

impl Stripe {
    /// So many rows and places; none where there is no memory for them.
    pub(crate) fn new(count: u64, places: u64, options: ChainOptions) -> Option<Self> {
        let (mut rows, mut nodes) = (Vec::new(), Vec::new());
        rows.try_reserve_exact(count as usize).ok()?;
        nodes.try_reserve_exact(places as usize).ok()?;
        rows.resize(count as usize, Row { first: 0, threshold: 0, threshold_hits: 0, last_access: 0 });
        nodes.resize(places as usize, EMPTY);
        let (rows, nodes) = (rows.into_boxed_slice(), nodes.into_boxed_slice());
        let mut stripe = Stripe { rows, nodes, options, counts: Counts::default() };
        stripe.clear();
        Some(stripe)
    }

    pub(crate) fn clear(&mut self) {
        let threshold = self.options.threshold;
        for (first, row) in (0..).step_by(threshold.into()).zip(&mut self.rows) {
            *row = Row { first, threshold, threshold_hits: 0, last_access: 0 };
        }
        self.nodes.fill(EMPTY);
        self.counts = Counts::default();
    }

    /// How many places have entries.
    pub(crate) fn used(&self) -> usize {
        self.nodes.iter().filter(|node| !node.is_empty()).count()
    }

    /// The places of a row.
    fn row(&mut self, row: usize) -> &mut [Node] {
        let Row { first, threshold, .. } = self.rows[row];
        &mut self.nodes[first.into()..][..threshold.into()]
    }

    /// What a row says of a position. All of its chain is passed: hits are counted, and what nothing below
    /// the root can reach is deleted.
    pub(crate) fn look_up(&mut self, row: usize, depth: u8, query: &Query) -> Option<Found> {
        let nodes = self.row(row);
        let (mut passed, mut place, mut deleted) = (0, 0, 0);
        for node in nodes.iter_mut().take_while(|node| !node.is_empty()) {
            passed += 1;
            if node.own(query).is_some() {
                node.hits = node.hits.saturating_add(1);
                place = if place == 0 { passed } else { place };
            } else if query.is_unreachable(node.left) {
                *node = EMPTY;
                deleted += 1;
            } else {
                node.hits = (node.hits - 1).max(-i16::MAX);
            }
        }
        if place > 0 || deleted > 0 {
            nodes.sort_by_key(|node| Reverse(node.hits));
        }
        let own = nodes.iter().filter_map(|node| node.own(query));
        let found = if place > 0 { gather(own, depth, query.reuse) } else { None };
        if place > 0 {
            self.rows[row].last_access = query.generation;
        }
        self.count([1, passed, (place > 0).into(), place, 0, 0, 0, 0, deleted]);
        found
    }

    fn count(&mut self, counts: Counts) {
        self.counts.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }

    /// Brings the entry up to date that `new` shares, or makes one. What nothing can reach gives way first,
    /// then, where the chain is full and does not grow, what was least found.
    pub(crate) fn store(&mut self, row: usize, query: &Query, new: Entry) -> Stored {
        let (nodes, mut earlier) = (self.row(row), None);
        for node in nodes.iter_mut() {
            let Some(old) = node.own(query) else { continue };
            if old.shares_slot_with(&new, query.reuse) {
                let (merged, contradicted) = old.updated_by(&new);
                node.words = merged.words(query.tag);
                return Stored { written: merged != old, replaced: false, contradicted };
            }
            earlier = earlier.or(old.table_move);
        }
        let unreachable = nodes.iter_mut().filter(|node| query.is_unreachable(node.left));
        let deleted = unreachable.map(|node| *node = EMPTY).count() as u64;
        nodes.sort_by_key(|node| Reverse(node.hits));
        let (met, threshold) = (nodes.iter().filter(|node| !node.is_empty()).count(), nodes.len());
        let replaced = met == threshold && !self.grows(row, query.generation);
        let is_met = u64::from(met > 0);
        self.count([0, 0, 0, 0, is_met, met as u64, replaced.into(), is_met * threshold as u64, deleted]);
        let words = Entry { table_move: new.table_move.or(earlier), ..new }.words(query.tag);
        self.rows[row].last_access = query.generation;
        // Behind all that have no fewer hits, which are none as yet.
        let nodes = self.row(row);
        nodes[nodes.len() - 1] = Node { words, hits: 0, left: query.left };
        nodes.sort_by_key(|node| Reverse(node.hits));
        Stored { written: true, replaced, contradicted: false }
    }

    /// A full chain is to take one more entry: whether its threshold grows for it.
    fn grows(&mut self, row: usize, generation: u8) -> bool {
        let used: usize = self.rows.last().map_or(0, |last| (last.first + u16::from(last.threshold)).into());
        let head = &mut self.rows[row];
        if head.threshold >= self.options.greatest || used >= self.nodes.len() {
            return false;
        }
        head.threshold_hits += 1;
        if head.threshold_hits <= HITS {
            return false;
        }
        let is_recent = generation.wrapping_sub(head.last_access) < RECENT;
        head.threshold_hits = if is_recent { 0 } else { HITS };
        if is_recent {
            let end = usize::from(head.first) + usize::from(head.threshold);
            head.threshold += 1;
            // The first place that no row has becomes its last.
            self.nodes[end..=used].rotate_right(1);
            self.rows[row + 1..].iter_mut().for_each(|row| row.first += 1);
        }
        is_recent
    }
}

#[cfg(test)]
impl Stripe {
    pub(crate) fn places(&self) -> usize {
        self.nodes.len()
    }

    /// The tags of a row in their order, which is that of hits.
    pub(crate) fn checked(&mut self, row: usize) -> Vec<u64> {
        let ends = self.rows.iter().scan(0, |end, row| {
            let first = std::mem::replace(end, *end + u16::from(row.threshold));
            Some((first, row.first))
        });
        assert!(ends.clone().all(|(end, first)| end == first), "rows follow one another");
        assert!(self.rows[row].threshold <= self.options.greatest);
        let nodes = self.row(row);
        assert!(nodes.is_sorted_by(|one, next| one.hits >= next.hits), "{nodes:?}");
        let used = nodes.iter().take_while(|node| !node.is_empty());
        used.map(|node| Entry::of_words(node.words).expect("an entry").0).collect()
    }
}
