//! The end of the program, and threads that would come back to an interpreter that has gone.
//!
//! Python ends such a thread from within, through frames of Rust, and the process dies of it. So threads that
//! have left the interpreter are counted until they are back. When the program ends, searches that go on, those
//! of daemon threads, are stopped and waited for; their threads, and whichever come later, stay away for ever.

use crate::interrupts::{interrupt_callbacks, known, number};
use pyo3::prelude::*;
use starsplit::search::StopFlag;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// How far the program is.
static STAGE: AtomicU8 = AtomicU8::new(GOES_ON);
const GOES_ON: u8 = 0;
/// It ends, and waits for those who are away.
const ENDS: u8 = 1;
/// It waits for nobody who comes now.
const IS_OVER: u8 = 2;

/// How many are away.
///
/// A thread counts itself before it looks at the stage, and who ends the program sets the stage before it looks
/// at the count: one of them sees the other.
static AWAY: AtomicUsize = AtomicUsize::new(0);

/// Searches under way: their stop flags, and the threads that wait for their results, as Python numbers them.
/// Only who holds the interpreter looks, so that no fork copies it locked.
static SEARCHES: Mutex<BTreeMap<u64, (StopFlag, u64)>> = Mutex::new(BTreeMap::new());

/// How often the end of the program looks whether all are back.
const LOOK: Duration = Duration::from_millis(1);

/// How long it waits for functions in Python until it interrupts them.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long it waits in all. What hangs outside of Python for longer does not come back soon.
const LONGEST: Duration = Duration::from_secs(5);

thread_local! {
    /// Whether somebody waits for what this thread does, so that it must go on.
    static IS_WAITED_FOR: Cell<bool> = const { Cell::new(false) };
}

/// A thread that is counted until this is dropped.
#[derive(Debug)]
pub(crate) struct Away {
    /// Who is forked has none of the threads that are counted here.
    process: u32,
    was_waited_for: bool,
}

impl Away {
    fn new() -> Self {
        AWAY.fetch_add(1, SeqCst);
        Away { process: std::process::id(), was_waited_for: IS_WAITED_FOR.replace(true) }
    }

    /// Keeps a thread for ever for which nobody waits, where the program is so far.
    fn unless(self, stage: u8) -> Self {
        if self.was_waited_for || STAGE.load(SeqCst) < stage {
            return self;
        }
        drop(self);
        loop {
            thread::park();
        }
    }

    /// Does something without the interpreter. Where the program ends meanwhile the thread does not come back.
    fn leave<R: Send>(self, py: Python<'_>, body: impl FnOnce() -> R + Send) -> R {
        let (done, _back) = py.detach(|| (body(), self.unless(ENDS)));
        done
    }

    /// Of a thread that holds the interpreter, and lets go of it where it is kept.
    fn holding(py: Python<'_>) -> Self {
        let away = Away::new();
        let is_kept = !away.was_waited_for && STAGE.load(SeqCst) >= ENDS;
        if is_kept { py.detach(|| away.unless(ENDS)) } else { away }
    }
}

impl Drop for Away {
    fn drop(&mut self) {
        IS_WAITED_FOR.set(self.was_waited_for);
        if self.process == std::process::id() {
            AWAY.fetch_sub(1, SeqCst);
        }
    }
}

/// Calls functions in Python, which may let others have the interpreter meanwhile.
pub(crate) fn calling<R>(py: Python<'_>, body: impl FnOnce() -> R) -> R {
    let _away = Away::holding(py);
    body()
}

/// Does something without the interpreter, which others may have meanwhile.
pub(crate) fn away<R: Send>(py: Python<'_>, body: impl FnOnce() -> R + Send) -> R {
    Away::holding(py).leave(py, body)
}

/// The same for a search, which the end of the program stops by this flag. What `prepare` does first it does with the
/// interpreter.
pub(crate) fn searching<R: Send, P>(
    py: Python<'_>,
    stop: &StopFlag,
    prepare: impl FnOnce() -> PyResult<P>,
    body: impl FnOnce(P) -> R + Send,
) -> PyResult<R>
where
    P: Send,
{
    let away = Away::holding(py);
    let (_listed, prepared) = (Listed::new(py, stop)?, prepare()?);
    Ok(away.leave(py, || body(prepared)))
}

/// A search that is listed until this is dropped, by a thread that holds the interpreter.
struct Listed(u64);

impl Listed {
    fn new(py: Python<'_>, stop: &StopFlag) -> PyResult<Self> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let (own, thread) = (LAST.fetch_add(1, SeqCst), number(py)?);
        searches().insert(own, (stop.clone(), thread));
        Ok(Listed(own))
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        searches().remove(&self.0);
    }
}

fn searches() -> MutexGuard<'static, BTreeMap<u64, (StopFlag, u64)>> {
    SEARCHES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs on a thread that another waits for.
pub(crate) fn waited_for<R>(run: impl FnOnce() -> R) -> R {
    IS_WAITED_FOR.set(true);
    let done = run();
    IS_WAITED_FOR.set(false);
    done
}

/// Does what a pool's thread is there for, with the interpreter at hand: from its start until it ends, when it comes
/// back to Python once more.
pub(crate) fn pooled(run: impl FnOnce() + Send) {
    // A search may have started it, and wait for it.
    let starts = Away::new().unless(IS_OVER);
    let run = move || {
        drop(starts);
        IS_WAITED_FOR.set(true);
        run();
        IS_WAITED_FOR.set(false);
        Away::new().unless(ENDS)
    };
    drop(known(run));
}

/// The interpreter is there, maybe after another has gone.
pub(crate) fn begin() {
    STAGE.store(GOES_ON, SeqCst);
}

/// Stops all searches, and waits until those who are away are back or stay away: the interpreter may go now. Whether
/// they are; it waits for five seconds at the most.
#[pyfunction]
pub(crate) fn end_searches(py: Python<'_>) -> bool {
    // Searches that this thread does from now on, for whatever else ends the program, are its own.
    IS_WAITED_FOR.set(true);
    let begun = Instant::now();
    let mut has_interrupted = false;
    for stage in [ENDS, IS_OVER] {
        STAGE.store(stage, SeqCst);
        while AWAY.load(SeqCst) > 0 && begun.elapsed() < LONGEST {
            searches().values().for_each(|(stop, _)| stop.stop());
            if begun.elapsed() > PATIENCE && !has_interrupted {
                has_interrupted = true;
                let waiting: Vec<u64> = searches().values().map(|&(_, thread)| thread).collect();
                interrupt_callbacks(py, waiting);
            }
            py.detach(|| thread::sleep(LOOK));
        }
    }
    AWAY.load(SeqCst) == 0
}

/// In a process that has been forked nobody else is away, and no search goes on.
#[pyfunction]
pub(crate) fn forget_searches() {
    STAGE.store(GOES_ON, SeqCst);
    AWAY.store(0, SeqCst);
    searches().clear();
}
