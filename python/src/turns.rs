//! Turns of a search's threads in Python.

use pyo3::prelude::*;
use std::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::thread;
use std::time::Instant;

/// Whose turn it is to call Python, of the threads that search a game.
///
/// One thread at a time runs Python. Were each to run it after every other's call, all that a call touches would move
/// from core to core, and calls would take twice as long: so a thread calls again and again while others wait.
///
/// Atomics are relaxed: they are hints, and nothing else is read because of them.
pub(crate) struct Turns {
    /// The thread whose turn it is, by an address of its own.
    owner: AtomicUsize,
    /// Until when it keeps its turn unless it calls again, in nanoseconds from `begun` on.
    until: AtomicU64,
    begun: Instant,
}

impl Default for Turns {
    fn default() -> Self {
        Turns { owner: AtomicUsize::new(0), until: AtomicU64::new(0), begun: Instant::now() }
    }
}

thread_local!(static HERE: u8 = const { 0 });

impl Turns {
    /// How long a thread keeps its turn after a call, in nanoseconds: then it searches, or waits for others.
    const AFTER: u64 = 50_000;

    /// How long it does so within a call: longer ones may well do without the interpreter.
    const WITHIN: u64 = 1_000_000;

    /// Another thread calls after so long in any case, in nanoseconds.
    const TURN: u64 = 5_000_000;

    fn now(&self) -> u64 {
        self.begun.elapsed().as_nanos() as u64
    }

    /// Does something in Python, when it is this thread's turn.
    pub(crate) fn call<R>(&self, call: impl FnOnce(Python<'_>) -> R) -> R {
        let here = HERE.with(|here| ptr::from_ref(here).addr());
        if self.owner.load(Relaxed) != here {
            self.wait();
            self.owner.store(here, Relaxed);
        }
        self.until.store(self.now() + Self::WITHIN, Relaxed);
        let done = Python::attach(call);
        self.until.store(self.now() + Self::AFTER, Relaxed);
        done
    }

    #[cold]
    fn wait(&self) {
        let begun = self.now();
        loop {
            let now = self.now();
            if now > self.until.load(Relaxed) || now - begun > Self::TURN {
                return;
            }
            thread::yield_now();
        }
    }
}
