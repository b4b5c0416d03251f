//! The queue between threads with lanes and the device: the thread that evaluates for all of them.
//!
//! A thread hands over its lanes' requests and goes on with other lanes. The device takes the pending
//! requests, answers them in one call, and puts them into the outboxes of their threads. The queue never
//! touches the answers: a request changes hands under a lock, and its holder may touch what it points to.

use crate::sync::{AtomicBool, CachePadded, Condvar, Mutex, ProtocolStep, Relaxed, unless_broken, wait_for};
use std::time::Duration;

/// The longest sleep of the device before it looks again.
const LONGEST_SLEEP: Duration = Duration::from_millis(10);

/// A request that knows its thread.
pub(super) trait FromThread {
    /// The thread's index.
    fn thread(&self) -> usize;
}

/// The queue.
#[derive(Debug)]
pub(super) struct EvalQueue<R> {
    inbox: Mutex<Inbox<R>>,
    arrival: Condvar,
    outboxes: Box<[CachePadded<Outbox<R>>]>,
    /// Whether a call has failed. Later requests come back unanswered.
    is_lost: AtomicBool,
}

#[derive(Debug)]
struct Inbox<R> {
    requests: Vec<R>,
    is_closed: bool,
}

/// The returned requests of one thread that it has not fetched yet.
#[derive(Debug)]
struct Outbox<R> {
    back: Mutex<Back<R>>,
    has_any: AtomicBool,
    answer: Condvar,
}

#[derive(Debug)]
struct Back<R> {
    requests: Vec<R>,
    /// Whether the thread sleeps until there are some.
    is_awaited: bool,
}

impl<R: FromThread> EvalQueue<R> {
    /// A queue for this many threads.
    pub(super) fn new(threads: usize) -> Self {
        let outbox = || Outbox {
            back: Mutex::new(Back { requests: Vec::new(), is_awaited: false }),
            has_any: AtomicBool::new(false),
            answer: Condvar::new(),
        };
        EvalQueue {
            inbox: Mutex::new(Inbox { requests: Vec::new(), is_closed: false }),
            arrival: Condvar::new(),
            outboxes: (0..threads).map(|_| CachePadded::new(outbox())).collect(),
            is_lost: AtomicBool::new(false),
        }
    }

    /// Hands over all `requests`.
    pub(super) fn hand_over(&self, requests: &mut Vec<R>) {
        let mut inbox = self.inbox.lock();
        let were_none = inbox.requests.is_empty();
        inbox.requests.append(requests);
        drop(inbox);
        // The device sleeps only if there are none.
        if were_none && unless_broken(ProtocolStep::HandOverTells, true, false) {
            self.arrival.notify_one();
        }
    }

    /// Calls `take` for each returned request of this thread, answered or lost.
    pub(super) fn fetch(&self, thread: usize, take: impl FnMut(R)) {
        let outbox = &self.outboxes[thread];
        // Relaxed: a hint that saves taking the lock; the lock orders the requests.
        if outbox.has_any.load(Relaxed) {
            let mut back = outbox.back.lock();
            outbox.has_any.store(false, Relaxed); // Relaxed: set and cleared under the lock.
            let requests = std::mem::take(&mut back.requests);
            drop(back);
            requests.into_iter().for_each(take);
        }
    }

    /// The thread sleeps until a request has been returned, at most for `longest`.
    pub(super) fn wait(&self, thread: usize, longest: Duration) {
        let outbox = &self.outboxes[thread];
        let mut back = outbox.back.lock();
        if back.requests.is_empty() {
            back.is_awaited = true;
            back = wait_for(&outbox.answer, back, longest);
            back.is_awaited = false;
        }
    }

    /// Whether a call has failed. A thread that fetches a lost request sees it.
    pub(super) fn is_lost(&self) -> bool {
        self.is_lost.load(Relaxed) // Relaxed: the locks through which requests return order it.
    }

    /// Runs the device until the queue is closed. Takes the oldest requests, at most `cap`, has `answer`
    /// answer them, and returns them. Once `answer` returns false, these and all later requests are lost.
    pub(super) fn serve(&self, cap: usize, mut answer: impl FnMut(&[R]) -> bool) {
        while let Some(requests) = self.take(cap) {
            if !self.is_lost() && !answer(&requests) {
                self.is_lost.store(true, Relaxed); // Relaxed: as in `is_lost`.
            }
            self.give_back(requests);
        }
    }

    /// Closes the queue: no more requests are handed over.
    pub(super) fn close(&self) {
        self.inbox.lock().is_closed = true;
        if unless_broken(ProtocolStep::CloseTells, true, false) {
            self.arrival.notify_one();
        }
    }

    fn take(&self, cap: usize) -> Option<Vec<R>> {
        let mut inbox = self.inbox.lock();
        while inbox.requests.is_empty() && !inbox.is_closed {
            inbox = wait_for(&self.arrival, inbox, LONGEST_SLEEP);
        }
        let count = inbox.requests.len().min(cap);
        if count == 0 { None } else { Some(inbox.requests.drain(..count).collect()) }
    }

    fn give_back(&self, requests: Vec<R>) {
        let mut requests = requests.into_iter().peekable();
        while let Some(first) = requests.next() {
            let thread = first.thread();
            let outbox = &self.outboxes[thread];
            let mut back = outbox.back.lock();
            back.requests.push(first);
            while let Some(next) = requests.next_if(|request| request.thread() == thread) {
                back.requests.push(next);
            }
            outbox.has_any.store(true, Relaxed); // Relaxed: as in `fetch`.
            let is_awaited = back.is_awaited;
            drop(back);
            if is_awaited && unless_broken(ProtocolStep::GiveBackTells, true, false) {
                outbox.answer.notify_one();
            }
        }
    }
}

#[cfg(all(test, loom))]
#[allow(unsafe_code, reason = "cells that loom watches over")]
mod loom_models {
    use super::*;
    use crate::sync::break_step;
    use loom::cell::UnsafeCell;
    use loom::thread;
    use std::sync::Arc;

    /// A request whose answer loom watches.
    struct Asked {
        thread: usize,
        answer: Arc<UnsafeCell<u32>>,
    }

    impl FromThread for Asked {
        fn thread(&self) -> usize {
            self.thread
        }
    }

    /// How a thread waits for its requests.
    #[derive(Clone, Copy)]
    enum Waiting {
        /// It looks again and again.
        Looks,
        /// It sleeps.
        Sleeps,
    }

    /// A thread hands over a request, waits for it and reads the answer.
    fn ask(queue: &EvalQueue<Asked>, thread: usize, waiting: Waiting) {
        let answer = Arc::new(UnsafeCell::new(0));
        queue.hand_over(&mut vec![Asked { thread, answer: answer.clone() }]);
        let mut back = 0;
        while back == 0 {
            queue.fetch(thread, |request| {
                assert_eq!(request.thread, thread, "somebody else's request");
                back += 1;
            });
            match waiting {
                Waiting::Looks => thread::yield_now(),
                Waiting::Sleeps if back == 0 => queue.wait(thread, Duration::from_secs(1)),
                Waiting::Sleeps => {}
            }
        }
        // SAFETY: the request is back, so no other thread writes; loom would notice.
        let found = answer.with(|answer| unsafe { *answer });
        assert!(found == 7 || queue.is_lost(), "neither answered nor lost");
    }

    /// `threads` threads, and a device that fails at once or never.
    fn model(threads: usize, cap: usize, fails: bool, waiting: Waiting) {
        loom::model(move || {
            let queue = Arc::new(EvalQueue::new(threads));
            let device = {
                let queue = queue.clone();
                thread::spawn(move || {
                    queue.serve(cap, |requests: &[Asked]| {
                        assert!((1..=cap).contains(&requests.len()));
                        for request in requests {
                            // SAFETY: the device has the request; loom would notice another access.
                            request.answer.with_mut(|answer| unsafe { *answer = 7 * u32::from(!fails) });
                        }
                        !fails
                    });
                })
            };
            let others: Vec<_> = (1..threads)
                .map(|thread| {
                    let queue = queue.clone();
                    thread::spawn(move || ask(&queue, thread, waiting))
                })
                .collect();
            ask(&queue, 0, waiting);
            others.into_iter().for_each(|other| other.join().unwrap());
            queue.close();
            device.join().unwrap();
        });
    }

    #[test]
    fn loom_each_thread_gets_its_own_answers() {
        model(2, 1, false, Waiting::Looks);
    }

    #[test]
    fn loom_a_thread_that_sleeps_is_told_of_its_answers() {
        model(1, 1, false, Waiting::Sleeps);
    }

    #[test]
    fn loom_requests_of_two_threads_may_share_a_call() {
        model(2, 2, false, Waiting::Looks);
    }

    #[test]
    fn loom_what_a_failed_call_loses_comes_back() {
        model(2, 1, true, Waiting::Looks);
    }

    /// The thread looks for its answer for ever.
    #[test]
    #[should_panic(expected = "exceeded maximum number of branches")]
    fn loom_fails_where_the_device_is_not_told_of_requests() {
        let _mended_afterwards = break_step(ProtocolStep::HandOverTells);
        model(1, 1, false, Waiting::Looks);
    }

    #[test]
    #[should_panic(expected = "deadlock")]
    fn loom_fails_where_a_thread_that_sleeps_is_not_told_of_answers() {
        let _mended_afterwards = break_step(ProtocolStep::GiveBackTells);
        model(1, 1, false, Waiting::Sleeps);
    }

    #[test]
    #[should_panic(expected = "deadlock")]
    fn loom_fails_where_the_device_is_not_told_of_the_end() {
        let _mended_afterwards = break_step(ProtocolStep::CloseTells);
        model(1, 1, false, Waiting::Looks);
    }
}
