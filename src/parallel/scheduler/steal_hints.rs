//! Which workers' deques may hold a ticket: one bit each, so that a thief need not look at every deque.
//!
//! A bit may be set for an empty deque. The reverse never lasts: the owner sets the bit after pushing a
//! ticket, and a thief that finds the deque empty clears the bit and looks again. If the owner pushes in
//! between, there are two cases. Its setting comes after the clearing, and stays. Or the clearing saw the
//! setting; then the second look sees the ticket, and the thief sets the bit again.
//!
//! Each deque also has a hint how far from the root its oldest ticket is. Hints only order a thief's looks,
//! so a stale one costs a better steal at worst.

use crate::sync::{Acquire, AtomicU8, AtomicU64, CachePadded, ProtocolStep, Relaxed, Release, unless_broken};
use std::ops::Range;

/// A bit and a ply for each worker's deque.
#[derive(Debug)]
pub(crate) struct StealHints {
    words: Box<[CachePadded<AtomicU64>]>,
    /// The ply of the oldest ticket, at most 255. Packed, because thieves read many and owners seldom write
    /// theirs.
    plies: Box<[AtomicU8]>,
}

impl StealHints {
    /// For this many workers, whose deques are empty.
    pub(crate) fn new(workers: usize) -> Self {
        StealHints {
            words: (0..workers.div_ceil(64)).map(|_| CachePadded::new(AtomicU64::new(0))).collect(),
            plies: (0..workers).map(|_| AtomicU8::new(0)).collect(),
        }
    }

    /// A worker has pushed a ticket to its deque.
    pub(crate) fn announce(&self, worker: usize) {
        let (word, bit) = self.place(worker);
        // Release: a thread that sees or clears the bit sees the ticket. Set even if it is set, since a thief
        // may be about to clear it.
        word.fetch_or(bit, Release);
    }

    /// The oldest ticket in a worker's deque now has this ply, or a greater one.
    pub(crate) fn hint(&self, worker: usize, ply: u16) {
        let ply = u8::try_from(ply).unwrap_or(u8::MAX);
        self.plies[worker].store(ply, Relaxed); // Relaxed: a hint that publishes nothing.
    }

    /// The worker, other than `thief`, whose deque may hold the ticket closest to the root. Among equals one
    /// of `near` comes first, then the first after `thief`, going round.
    pub(crate) fn shallowest(&self, thief: usize, near: &Range<usize>) -> Option<usize> {
        let others = self.from((thief + 1) % self.plies.len()).filter(|&worker| worker != thief);
        // Relaxed: as in `hint`.
        others.min_by_key(|worker| (self.plies[*worker].load(Relaxed), !near.contains(worker)))
    }

    /// A worker has popped the last ticket of its own deque.
    pub(crate) fn retract(&self, worker: usize) {
        let (word, bit) = self.place(worker);
        word.fetch_and(!bit, Relaxed); // Relaxed: only the worker itself pushes there.
    }

    /// A thief has found a worker's deque empty. Clears the bit, looks again, and returns whether the deque
    /// has tickets after all.
    pub(crate) fn doubt(&self, worker: usize, has_tickets: impl FnOnce() -> bool) -> bool {
        let (word, bit) = self.place(worker);
        // Acquire: clearing the bit synchronizes with the setting, so the second look sees the ticket.
        word.fetch_and(!bit, Acquire);
        let after_all = unless_broken(ProtocolStep::DoubtLooksAgain, true, false) && has_tickets();
        if after_all {
            word.fetch_or(bit, Release); // As in `announce`.
        }
        after_all
    }

    /// Whether any deque but this worker's may hold a ticket.
    pub(crate) fn is_any_but(&self, worker: usize) -> bool {
        let own = |place: usize| if place == worker / 64 { 1 << (worker % 64) } else { 0 };
        // Relaxed: a thief then finds the ticket through `from`; the fence in `Sleep::sleep` orders it.
        self.words.iter().enumerate().any(|(place, word)| word.load(Relaxed) & !own(place) != 0)
    }

    /// The workers whose deques may hold a ticket, from `first` on and going round, each once.
    fn from(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        let (start, shift) = (first / 64, first % 64);
        let ahead = !0 << shift;
        let count = self.words.len();
        (0..=count).flat_map(move |step| {
            let place = (start + step) % count;
            // Acquire: makes the announced ticket visible.
            let word = self.words[place].load(Acquire);
            let part = match step {
                0 => word & ahead,
                _ if step == count => word & !ahead,
                _ => word,
            };
            bits(part).map(move |bit| 64 * place + bit)
        })
    }

    fn place(&self, worker: usize) -> (&AtomicU64, u64) {
        (&self.words[worker / 64], 1 << (worker % 64))
    }
}

/// The positions of the set bits, lowest first.
fn bits(word: u64) -> impl Iterator<Item = usize> {
    let rest = |word: &u64| Some(word & (word - 1)).filter(|&rest| rest != 0);
    std::iter::successors(Some(word).filter(|&word| word != 0), rest)
        .map(|word| word.trailing_zeros() as usize)
}

#[cfg(all(test, not(loom)))]
mod tests;

#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use crate::sync::{AtomicUsize, break_step};
    use loom::sync::Arc;
    use loom::thread;

    /// An owner pushes a ticket while a thief, which saw the deque empty, clears its bit. Afterwards the bit
    /// is set.
    fn model() {
        loom::model(|| {
            let shared = Arc::new((StealHints::new(1), AtomicUsize::new(0)));
            shared.0.announce(0); // of a ticket already taken
            let owners = shared.clone();
            let owner = thread::spawn(move || {
                let (hints, tickets) = &*owners;
                tickets.store(1, Relaxed); // Relaxed: a deque need not order more than its own parts.
                hints.announce(0);
            });
            let (hints, tickets) = &*shared;
            if tickets.load(Relaxed) == 0 {
                hints.doubt(0, || tickets.load(Relaxed) > 0);
            }
            owner.join().unwrap();
            assert!(hints.from(0).next().is_some(), "a ticket that nobody can find");
        });
    }

    #[test]
    fn loom_a_ticket_put_up_in_doubt_is_found() {
        model();
    }

    #[test]
    #[should_panic(expected = "a ticket that nobody can find")]
    fn loom_fails_where_who_doubts_does_not_look_again() {
        let _mended_afterwards = break_step(ProtocolStep::DoubtLooksAgain);
        model();
    }
}
