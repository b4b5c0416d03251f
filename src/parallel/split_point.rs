//! A split point: one phase of one chance node, shared by the threads that work on it.
//!
//! # Protocol
//!
//! *Claim*: `next` hands out the phase's successors, each to one worker, in order. *Finish*: the claimant joins what it
//! found with the successor's bounds, adds the differences to the sums, and then counts the successor as finished.
//! *Cut*: whoever's addition carries a sum past its threshold raises `cut`; nobody claims any more, and whoever
//! searches below notices and unwinds. *Close*: the owner swaps `next` for a number beyond every successor, learns how
//! many were claimed, and waits until as many are finished. Then nobody but the owner looks at the split point's data.
//!
//! # Why this is sound
//!
//! A successor's bounds are read and written by its claimant alone, so the window made from them is never stale. The
//! sums may be: they only ever tighten, so a stale pair is merely wider. The test for a cut uses the sum that the
//! atomic addition returned, so of two additions that pass a threshold together the later one sees it.

use crate::score::Bounds;
use crate::search::{ChanceSums, Phase, Successor};
use crate::sync::{
    AcqRel, Acquire, Atomic, AtomicBool, AtomicI64, AtomicU32, CachePadded, Mutex, Relaxed, Release,
};
use std::sync::{Arc, Weak};

/// A number beyond every successor's: half the range, so that late claims cannot wrap it.
const CLOSED: u32 = 1 << 31;

/// A phase of a chance node, shared. `P`, `S` and `O` are the game's position, the evaluator's state and the game's
/// outcome.
#[derive(Debug)]
pub(crate) struct SplitPoint<P, S, O> {
    /// The split point under which the owner was working.
    pub(crate) parent: Option<Arc<SplitPoint<P, S, O>>>,
    pub(crate) position: P,
    pub(crate) state: S,
    pub(crate) depth: u8,
    pub(crate) ply: u8,
    pub(crate) phase: Phase,
    shares: Box<[Share<O>]>,
    total: i64,
    reach: i64,
    within: i64,
    lower: CachePadded<AtomicI64>,
    upper: AtomicI64,
    next: CachePadded<AtomicU32>,
    finished: AtomicU32,
    cut: AtomicBool,
    /// Split points published by workers below this one, for its owner to follow when it waits. Weak, because they hold
    /// this one: a panic may keep them from being removed.
    below: Mutex<Vec<Weak<SplitPoint<P, S, O>>>>,
}

const _: () = assert!(Atomic::<Bounds>::is_lock_free());

/// A successor to be searched in this phase.
#[derive(Debug)]
struct Share<O> {
    outcome: O,
    weight: u32,
    /// Where it lies on the owner's stack.
    index: u32,
    bounds: Atomic<Bounds>,
}

/// What a new split point is made from.
pub(crate) struct NewSplit<P, S, O> {
    pub(crate) parent: Option<Arc<SplitPoint<P, S, O>>>,
    pub(crate) position: P,
    pub(crate) state: S,
    pub(crate) depth: u8,
    pub(crate) ply: u8,
    pub(crate) phase: Phase,
    pub(crate) sums: ChanceSums,
}

impl<P, S, O: Copy> SplitPoint<P, S, O> {
    /// Publishes nothing yet: the caller does. `successors` with their places on the owner's stack.
    pub(crate) fn new(
        new: NewSplit<P, S, O>,
        successors: impl Iterator<Item = (usize, Successor<O>)>,
    ) -> Arc<Self> {
        let share = |(index, successor): (usize, Successor<O>)| Share {
            outcome: successor.outcome,
            weight: successor.weight,
            index: index as u32,
            bounds: Atomic::new(successor.bounds),
        };
        Arc::new(SplitPoint {
            parent: new.parent,
            position: new.position,
            state: new.state,
            depth: new.depth,
            ply: new.ply,
            phase: new.phase,
            shares: successors.map(share).collect(),
            total: new.sums.total,
            reach: new.sums.reach,
            within: new.sums.within,
            lower: CachePadded::new(AtomicI64::new(new.sums.lower)),
            upper: AtomicI64::new(new.sums.upper),
            next: CachePadded::new(AtomicU32::new(0)),
            finished: AtomicU32::new(0),
            cut: AtomicBool::new(false),
            below: Mutex::new(Vec::new()),
        })
    }

    /// Takes the next successor; `None` when there is none left, or no need.
    pub(crate) fn claim(&self) -> Option<Claim<'_, P, S, O>> {
        if !self.is_open() {
            return None;
        }
        // AcqRel: pairs with the swap in `close`. A claim counted there happens before it; a later one sees it.
        let share = self.next.fetch_add(1, AcqRel) as usize;
        // Built lazily: a claim that is made and dropped counts as finished.
        (share < self.shares.len()).then(|| Claim { split: self, share })
    }

    /// Whether there may be something to claim.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        // Relaxed: only a hint; `claim` decides.
        (self.next.load(Relaxed) as usize) < self.shares.len() && !self.is_cut()
    }

    /// Whether this phase has proven the node out of its window.
    #[inline]
    pub(crate) fn is_cut(&self) -> bool {
        // Relaxed: a wish to stop; the bounds that justify it are read after `close`, ordered by `finished`.
        self.cut.load(Relaxed)
    }

    /// Whether this phase or one above it is cut.
    #[inline]
    pub(crate) fn is_cut_or_below_cut(&self) -> bool {
        let mut split = self;
        loop {
            if split.is_cut() {
                return true;
            }
            match &split.parent {
                Some(parent) => split = parent,
                None => return false,
            }
        }
    }

    /// The sums as they are now, or as they were a moment ago.
    pub(crate) fn sums(&self) -> ChanceSums {
        ChanceSums {
            total: self.total,
            lower: self.lower.load(Relaxed), // Relaxed, both: a stale sum is wider, hence sound.
            upper: self.upper.load(Relaxed),
            reach: self.reach,
            within: self.within,
        }
    }

    /// Ends the handing out of successors: from now on no claim succeeds. Gives the number of those claimed. Called by
    /// the owner, once.
    pub(crate) fn close(&self) -> u32 {
        // AcqRel: pairs with the addition in `claim`.
        self.next.swap(CLOSED, AcqRel).min(self.shares.len() as u32)
    }

    /// Whether so many successors are finished, in which case all that their claimants learnt is visible.
    #[inline]
    pub(crate) fn has_finished(&self, claimed: u32) -> bool {
        // Acquire: pairs with the release in `Claim::drop`, so that the owner sees bounds and sums.
        self.finished.load(Acquire) == claimed
    }

    /// What is known of each successor, with its place on the owner's stack. For the owner, when all have finished.
    pub(crate) fn learnt(&self) -> impl Iterator<Item = (usize, Bounds)> {
        // Relaxed: `has_finished` ordered it.
        self.shares.iter().map(|share| (share.index as usize, share.bounds.load(Relaxed)))
    }

    /// Registers a split point published below this one.
    pub(crate) fn add_below(&self, split: &Arc<Self>) {
        self.below.lock().push(Arc::downgrade(split));
    }

    /// Forgets a split point below this one that is over.
    pub(crate) fn remove_below(&self, split: &Arc<Self>) {
        let mut below = self.below.lock();
        if let Some(place) = below.iter().position(|other| Weak::as_ptr(other) == Arc::as_ptr(split)) {
            below.swap_remove(place);
        }
    }

    /// A split point below this one, at any distance, that has something to claim.
    pub(crate) fn open_below(&self) -> Option<Arc<Self>> {
        let below = self.below.lock();
        if let Some(open) = below.iter().filter_map(Weak::upgrade).find(|split| split.is_open()) {
            return Some(open);
        }
        // Locks are taken from a split point downwards only, so that no two workers wait for each other.
        below.iter().filter_map(Weak::upgrade).find_map(|split| split.open_below())
    }
}

/// One successor, held by one worker. Dropping it counts the successor as finished, also when the search of it
/// panicked, so that the owner never waits in vain.
#[derive(Debug)]
pub(crate) struct Claim<'s, P, S, O> {
    split: &'s SplitPoint<P, S, O>,
    share: usize,
}

impl<P, S, O: Copy> Claim<'_, P, S, O> {
    /// The successor with what is known of it.
    pub(crate) fn successor(&self) -> Successor<O> {
        let share = &self.split.shares[self.share];
        // Relaxed: only its holder touches a successor's bounds between publication and the end of the phase.
        Successor { outcome: share.outcome, weight: share.weight, bounds: share.bounds.load(Relaxed) }
    }

    /// Takes note of what is now known of the successor; `true` when that cuts the node.
    pub(crate) fn learn(&self, before: Bounds, after: Bounds) -> bool {
        let split = self.split;
        let share = &split.shares[self.share];
        share.bounds.store(after, Relaxed); // Relaxed: as in `successor`; published by the drop of the claim.
        let (lower, upper) = crate::search::sum_changes(share.weight, before, after);
        // Relaxed, both: each addition is atomic on its own, and the cut test needs the returned sum alone.
        let lower = split.lower.fetch_add(lower, Relaxed) + lower;
        let upper = split.upper.fetch_add(upper, Relaxed) + upper;
        let is_cut = lower >= split.reach || upper <= split.within;
        if is_cut {
            split.cut.store(true, Relaxed); // Relaxed: as in `is_cut`.
        }
        is_cut
    }
}

impl<P, S, O> Drop for Claim<'_, P, S, O> {
    fn drop(&mut self) {
        // Release: pairs with `has_finished`.
        self.split.finished.fetch_add(1, Release);
    }
}
