//! Which workers' queues may hold a ticket: a bit for each, so that whoever looks for work does not look into
//! every queue.
//!
//! A bit may be set though its queue is empty, never the other way round for long: the owner sets it after it
//! has put up a ticket, and who finds the queue empty clears it and looks once more. If the owner has put up
//! a ticket in between, either its setting comes after the clearing and stays, or the clearing has seen it,
//! and then the second look sees the ticket, and the bit is set again.
//!
//! Beside its bit, each queue has a hint how far from the root its oldest ticket lies. Hints order the queues
//! in which a thief looks and nothing else, so a stale one costs a larger split point at worst.

use crate::sync::{Acquire, AtomicU8, AtomicU64, CachePadded, ProtocolStep, Relaxed, Release, unless_broken};
use std::ops::Range;

/// A bit and a hint for each worker's queue.
#[derive(Debug)]
pub(crate) struct StealHints {
    words: Box<[CachePadded<AtomicU64>]>,
    /// The ply of the oldest ticket, no more than 255. Side by side, because thieves read many and owners
    /// seldom write theirs.
    plies: Box<[AtomicU8]>,
}

impl StealHints {
    /// For so many workers; no queue holds a ticket.
    pub(crate) fn new(workers: usize) -> Self {
        StealHints {
            words: (0..workers.div_ceil(64)).map(|_| CachePadded::new(AtomicU64::new(0))).collect(),
            plies: (0..workers).map(|_| AtomicU8::new(0)).collect(),
        }
    }

    /// A worker has put a ticket into its queue.
    pub(crate) fn announce(&self, worker: usize) {
        let (word, bit) = self.place(worker);
        // Release: who sees the bit, or clears it, sees the ticket. Set even if it is set: a thief may be
        // about to clear it.
        word.fetch_or(bit, Release);
    }

    /// The oldest ticket in a worker's queue is now one of this ply, or none above it.
    pub(crate) fn hint(&self, worker: usize, ply: u16) {
        let ply = u8::try_from(ply).unwrap_or(u8::MAX);
        self.plies[worker].store(ply, Relaxed); // Relaxed: a hint that publishes nothing.
    }

    /// Of the workers whose queues may hold a ticket, without `thief`, the one whose oldest is closest to the
    /// root; of several one of the `near` ones, and of those the first after `thief`, going round.
    pub(crate) fn shallowest(&self, thief: usize, near: &Range<usize>) -> Option<usize> {
        let others = self.from((thief + 1) % self.plies.len()).filter(|&worker| worker != thief);
        // Relaxed: as in `hint`.
        others.min_by_key(|worker| (self.plies[*worker].load(Relaxed), !near.contains(worker)))
    }

    /// A worker has taken the last ticket out of its own queue.
    pub(crate) fn retract(&self, worker: usize) {
        let (word, bit) = self.place(worker);
        word.fetch_and(!bit, Relaxed); // Relaxed: nobody else puts tickets there.
    }

    /// Somebody has found a worker's queue empty. Tells whether it has tickets after all, by a second look.
    pub(crate) fn doubt(&self, worker: usize, has_tickets: impl FnOnce() -> bool) -> bool {
        let (word, bit) = self.place(worker);
        // Acquire: with the setting that it undoes comes the ticket.
        word.fetch_and(!bit, Acquire);
        let after_all = unless_broken(ProtocolStep::DoubtLooksAgain, true, false) && has_tickets();
        if after_all {
            word.fetch_or(bit, Release); // As in `announce`.
        }
        after_all
    }

    /// Whether any queue but this worker's may hold a ticket.
    pub(crate) fn is_any_but(&self, worker: usize) -> bool {
        let own = |place: usize| if place == worker / 64 { 1 << (worker % 64) } else { 0 };
        // Relaxed: who learns of a ticket here looks for it by `from`; the fence in `Sleep::sleep` orders it.
        self.words.iter().enumerate().any(|(place, word)| word.load(Relaxed) & !own(place) != 0)
    }

    /// The workers whose queues may hold a ticket, from `first` on and going round, each once.
    fn from(&self, first: usize) -> impl Iterator<Item = usize> + '_ {
        let (start, shift) = (first / 64, first % 64);
        let ahead = !0 << shift;
        let count = self.words.len();
        (0..=count).flat_map(move |step| {
            let place = (start + step) % count;
            // Acquire: the ticket that was announced is seen.
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

/// The places of the bits that are set, lowest first.
fn bits(word: u64) -> impl Iterator<Item = usize> {
    let rest = |word: &u64| Some(word & (word - 1)).filter(|&rest| rest != 0);
    std::iter::successors(Some(word).filter(|&word| word != 0), rest)
        .map(|word| word.trailing_zeros() as usize)
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn queues_are_named_once_each_from_the_first_one_on() {
        for workers in [1, 2, 63, 64, 65, 130, 1024] {
            let hints = StealHints::new(workers);
            let chosen: Vec<usize> = (0..workers).filter(|worker| worker % 7 < 3).collect();
            chosen.iter().for_each(|&worker| hints.announce(worker));
            for first in [0, 1, workers / 2, workers - 1] {
                let named: Vec<usize> = hints.from(first).collect();
                let (before, after): (Vec<usize>, Vec<usize>) =
                    chosen.iter().partition(|&&worker| worker < first);
                assert_eq!(named, [after, before].concat(), "{workers} workers from {first}");
            }
        }
    }

    #[test]
    fn thieves_go_to_the_queue_whose_oldest_ticket_is_closest_to_the_root() {
        let hints = StealHints::new(130);
        let place = |worker, ply| {
            hints.announce(worker);
            hints.hint(worker, ply);
        };
        assert_eq!(hints.shallowest(0, &(0..0)), None);
        place(7, 5);
        place(100, 3);
        place(129, 3);
        assert_eq!(hints.shallowest(0, &(0..0)), Some(100));
        assert_eq!(hints.shallowest(100, &(0..0)), Some(129), "a thief does not rob itself");
        assert_eq!(hints.shallowest(110, &(0..0)), Some(129), "the first after the thief");
        assert_eq!(hints.shallowest(110, &(96..112)), Some(100), "the near one of two as close to the root");
        assert_eq!(hints.shallowest(2, &(0..8)), Some(100), "not a near one that is further down");
        hints.hint(7, 1);
        assert_eq!(hints.shallowest(0, &(0..0)), Some(7));
        hints.retract(7);
        assert_eq!(hints.shallowest(129, &(0..0)), Some(100));
    }

    #[test]
    fn what_is_retracted_or_rightly_doubted_is_gone() {
        let hints = StealHints::new(3);
        (0..3).for_each(|worker| hints.announce(worker));
        hints.retract(0);
        assert!(!hints.doubt(1, || false));
        assert!(hints.doubt(2, || true));
        assert_eq!(hints.from(0).collect::<Vec<_>>(), [2]);
        assert!(hints.is_any_but(0) && !hints.is_any_but(2));
        hints.retract(2);
        assert!(!hints.is_any_but(0));
    }
}

#[cfg(all(test, loom))]
mod loom_models {
    use super::*;
    use crate::sync::{AtomicUsize, break_step};
    use loom::sync::Arc;
    use loom::thread;

    /// An owner puts up a ticket while another worker, which saw the queue empty, doubts it. Afterwards the
    /// bit is set.
    fn model() {
        loom::model(|| {
            let shared = Arc::new((StealHints::new(1), AtomicUsize::new(0)));
            shared.0.announce(0); // of a ticket that is gone
            let owners = shared.clone();
            let owner = thread::spawn(move || {
                let (hints, tickets) = &*owners;
                tickets.store(1, Relaxed); // Relaxed: a queue need not order more than its own parts.
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
