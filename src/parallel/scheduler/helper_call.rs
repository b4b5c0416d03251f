//! When a search calls its helpers: once it has lasted, or is expected to last, long enough that they find
//! work.
//!
//! Until then, and while another search has the pool, the leader searches alone, as the serial search does.
//! Then it wakes one of the pool's threads and goes on; each thread wakes two others, so that all are awake
//! after as many steps as a tree of them is high. When the leader sees a thread awake, it makes the team,
//! hands over the helpers' contexts, and becomes the team's first worker, so that its search can be split. A
//! search that ends before has made nothing in vain.

use crate::parallel::scheduler::pool::{Pool, Wish};
use crate::parallel::scheduler::team::Team;
use crate::parallel::scheduler::wake_up::{Signal, WakeUp};
use crate::parallel::scheduler::worker_context::{Parallel, WorkerContext};
use crate::parallel::telemetry::log::Clocked;
use crate::parallel::telemetry::record::Record;
use crate::processor::{Processor, Thread};
use crate::search::{Depth, HelperStatus, Options, Outlook, Reserve};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A search of fewer plies is not worth the preparations.
const FIRST_PLIES: Depth = 3;

/// The call for a search's helpers. `F` starts the pool's threads with these contexts.
pub(crate) struct HelperCall<'x, S: Parallel, F> {
    options: &'x Options,
    pool: &'x Pool,
    /// The stack that a worker needs.
    stack: usize,
    wish: &'x mut Wish,
    /// Where the team is put once it is made.
    team: &'x OnceLock<Arc<Team<S>>>,
    start: F,
    state: State,
    time: CallTime<'x>,
}

/// The state of the call.
enum State {
    Alone,
    Waking(WakeUp),
    Settled,
}

impl<'x, S: Parallel, F: FnMut(Vec<WorkerContext<S>>)> HelperCall<'x, S, F> {
    /// A call not yet made.
    pub(crate) fn new(
        options: &'x Options,
        (pool, stack): (&'x Pool, usize),
        wish: &'x mut Wish,
        team: &'x OnceLock<Arc<Team<S>>>,
        start: F,
    ) -> Self {
        let (state, time) = (State::Alone, CallTime::new(options));
        HelperCall { options, pool, stack, wish, team, start, state, time }
    }

    /// Makes the team, and starts the helpers: threads that are awake, or whom rayon wakes. Returns the
    /// leader's context.
    fn begin(&mut self) -> WorkerContext<S> {
        let (leader, helpers) = self.make_team();
        // For a method that uses the whole pool, jobs are the helpers.
        if !self.options.method.uses_whole_pool() && !helpers.is_empty() {
            (self.start)(helpers);
        }
        leader
    }

    /// The contexts of the leader and of the helpers.
    fn make_team(&mut self) -> (WorkerContext<S>, Vec<WorkerContext<S>>) {
        let (team, deques) = Team::new(self.options, self.pool, self.stack);
        let timeline = self.options.telemetry.timeline;
        let mut contexts = deques.into_iter().enumerate().map(|(index, deque)| {
            // The helpers sleep until they start.
            let first = if index == 0 { Clocked::Busy } else { Clocked::Parked };
            WorkerContext::new(team.clone(), deque, index, Record::new(first, timeline))
        });
        let leader = contexts.next().expect("a team has a first worker");
        let helpers = contexts.collect();
        let is_first = self.team.set(team).is_ok();
        debug_assert!(is_first, "a search has one team");
        (leader, helpers)
    }
}

/// When a search calls its helpers.
pub(crate) struct CallTime<'x> {
    options: &'x Options,
    /// The latest time.
    call_at: Duration,
}

impl<'x> CallTime<'x> {
    pub(crate) fn new(options: &'x Options) -> Self {
        CallTime { options, call_at: options.splits.helpers_after }
    }

    /// Whether it has come.
    pub(crate) fn has_come(&mut self, elapsed: Duration, outlook: Option<Outlook>) -> bool {
        if calls_at_once(self.options) {
            return true;
        }
        if let Some(outlook) = outlook {
            if is_long(self.options, outlook) {
                return true;
            }
            let [expected, _] = outlook.expected.unwrap_or_default();
            // Within an iteration: it is known to be long once it takes twice the expected time.
            let long = self.options.splits.helpers_after.max(expected.saturating_mul(2));
            self.call_at = outlook.began.saturating_add(long);
        }
        elapsed >= self.call_at
    }
}

impl<S: Parallel, F: FnMut(Vec<WorkerContext<S>>)> Reserve<S> for HelperCall<'_, S, F> {
    fn consider(
        &mut self,
        _: &S::Processor,
        elapsed: Duration,
        outlook: Option<Outlook>,
    ) -> HelperStatus<WorkerContext<S>> {
        match std::mem::replace(&mut self.state, State::Settled) {
            State::Alone if !self.time.has_come(elapsed, outlook) || !self.wish.grant(self.pool, elapsed) => {
                self.state = State::Alone;
            }
            State::Alone if calls_at_once(self.options) || self.options.method.uses_whole_pool() => {
                return HelperStatus::Joined(self.begin());
            }
            State::Alone => self.state = State::Waking(wake(self.pool, self.options.threads - 1)),
            State::Waking(call) if call.is_answered() => {
                drop(call); // Releases the threads that stand by, so that they find the work.
                return HelperStatus::Joined(self.begin());
            }
            State::Waking(call) => self.state = State::Waking(call),
            State::Settled => return HelperStatus::Settled,
        }
        HelperStatus::None
    }
}

/// Whether the options call helpers at the start, or run one thread as if it had helpers.
pub(crate) fn calls_at_once(options: &Options) -> bool {
    options.splits.helpers_after.is_zero() || options.threads == 1
}

/// Whether helpers may be called before this iteration or within it, so that the search must prepare for
/// them.
pub(crate) fn may_call(options: &Options, outlook: Outlook) -> bool {
    // With no forecast, assume a long iteration, except in the first plies.
    let is_unknown = outlook.expected.is_none()
        && (outlook.is_last && outlook.depth >= FIRST_PLIES
            || outlook.began >= options.splits.helpers_after / 8);
    calls_at_once(options)
        || is_unknown
        || outlook.began >= options.splits.helpers_after
        || is_long(options, outlook)
}

/// Whether to call helpers before this iteration: it is long, or the next one is so long that helpers should
/// be awake when it begins.
fn is_long(options: &Options, outlook: Outlook) -> bool {
    let long = options.splits.helpers_after;
    outlook.expected.is_some_and(|[next, after_next]| next >= long || after_next >= long.saturating_mul(2))
}

/// Wakes this many of the pool's threads.
fn wake(pool: &Pool, threads: usize) -> WakeUp {
    let (call, signal) = WakeUp::new();
    pool.rayon().spawn(move || wake_and_stand_by(&signal, threads));
    call
}

/// Runs on the first of `threads` threads to be woken: wakes the others by two of them, then stands by.
fn wake_and_stand_by(signal: &Arc<Signal>, threads: usize) {
    if signal.is_over() {
        return;
    }
    for part in halves(threads - 1) {
        let signal = signal.clone();
        rayon::spawn(move || wake_and_stand_by(&signal, part));
    }
    let began = crate::time::Instant::now();
    signal.stand_by(|looks| Thread::new(began).relax(looks));
}

/// The parts of a tree of so many workers below the worker that wakes them: none, one, or two halves.
pub(crate) fn halves(workers: usize) -> impl Iterator<Item = usize> {
    [workers.div_ceil(2), workers / 2].into_iter().filter(|&part| part > 0)
}
