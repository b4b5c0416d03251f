//! When a search calls its helpers: once it has lasted, or is expected to last, long enough that they find
//! work.
//!
//! Until then, and while another search has the pool, the leader searches alone, as the serial search does.
//! Then it makes the team and becomes its first worker, so that its search can be split. It wakes one of the
//! pool's threads and goes on; that thread wakes the others. When the leader sees a thread awake, it hands
//! over the helpers' contexts.

use crate::parallel::scheduler::pool::{Pool, Wish};
use crate::parallel::scheduler::team::Team;
use crate::parallel::scheduler::wake_up::{Signal, WakeUp};
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::parallel::telemetry::log::Clocked;
use crate::parallel::telemetry::record::Record;
use crate::processor::{Processor, Thread};
use crate::search::{Depth, HelperStatus, Options, Outlook, Reserve};
use std::sync::Arc;
use std::time::Duration;

/// A search of fewer plies is not worth the preparations.
const FIRST_PLIES: Depth = 3;

/// The call for a search's helpers.
pub(crate) struct HelperCall<'x, S: Parallel> {
    options: &'x Options,
    pool: &'x Pool,
    /// The stack that a worker needs.
    stack: usize,
    wish: &'x mut Wish,
    /// Starts the pool's threads with these contexts.
    start: &'x mut dyn FnMut(Vec<WorkerContext<S>>),
    team: Option<Arc<Team<S>>>,
    state: State<S>,
    /// When the helpers are called at the latest.
    call_at: Duration,
}

/// The state of the call.
enum State<S: Parallel> {
    Alone,
    Called(WakeUp, Vec<WorkerContext<S>>),
    Settled,
}

impl<'x, S: Parallel> HelperCall<'x, S> {
    /// A call not yet made.
    pub(crate) fn new(
        options: &'x Options,
        (pool, stack): (&'x Pool, usize),
        wish: &'x mut Wish,
        start: &'x mut dyn FnMut(Vec<WorkerContext<S>>),
    ) -> Self {
        let call_at = options.splits.helpers_after;
        HelperCall { options, pool, stack, wish, start, team: None, state: State::Alone, call_at }
    }

    /// Makes the team and starts the helpers at once, without waiting until one is awake. Returns the
    /// leader's context; `None` while another search has the pool.
    pub(crate) fn assemble(&mut self, elapsed: Duration) -> Option<WorkerContext<S>> {
        if !self.wish.grant(self.pool, elapsed) {
            return None;
        }
        let (leader, helpers) = self.make_team();
        self.state = State::Settled;
        if self.wants_helpers() && !helpers.is_empty() {
            (self.start)(helpers);
        }
        Some(leader)
    }

    /// The contexts of the leader and of the helpers.
    fn make_team(&mut self) -> (WorkerContext<S>, Vec<WorkerContext<S>>) {
        let (team, queues) = Team::new(self.options, self.pool, self.stack);
        let timeline = self.options.telemetry.timeline;
        let mut contexts = queues.into_iter().enumerate().map(|(index, queue)| {
            // The helpers sleep until they start.
            let first = if index == 0 { Clocked::Busy } else { Clocked::Parked };
            WorkerContext::new(team.clone(), queue, index, Record::new(first, timeline))
        });
        let leader = contexts.next().expect("a team has a first worker");
        let helpers = contexts.collect();
        self.team = Some(team);
        (leader, helpers)
    }

    /// Ends the search for the helpers, if they were called. Returns the team, if there is one.
    pub(crate) fn terminate(&mut self) -> Option<Arc<Team<S>>> {
        self.state = State::Settled;
        self.team.take().inspect(|team| team.terminate())
    }

    /// Whether the search starts helpers itself. For a method that uses the whole pool, rayon wakes threads.
    fn wants_helpers(&self) -> bool {
        !self.options.method.uses_whole_pool()
    }

    /// Whether it is time to call.
    fn is_time(&mut self, elapsed: Duration, outlook: Option<Outlook>) -> bool {
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

impl<S: Parallel> Reserve<S> for HelperCall<'_, S> {
    fn consider(&mut self, elapsed: Duration, outlook: Option<Outlook>) -> HelperStatus<WorkerContext<S>> {
        match std::mem::replace(&mut self.state, State::Settled) {
            State::Alone if !self.is_time(elapsed, outlook) || !self.wish.grant(self.pool, elapsed) => {
                self.state = State::Alone;
            }
            State::Alone => {
                let (leader, helpers) = self.make_team();
                if self.wants_helpers() {
                    self.state = State::Called(wake(self.pool, helpers.len()), helpers);
                }
                return HelperStatus::Called(leader);
            }
            State::Called(call, helpers) if call.is_answered() => {
                drop(call); // Releases the threads that stand by, so that they find the work.
                (self.start)(helpers);
            }
            State::Called(call, helpers) => self.state = State::Called(call, helpers),
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

/// Runs on the first of `threads` threads to be woken: wakes the next one, then stands by.
fn wake_and_stand_by(signal: &Arc<Signal>, threads: usize) {
    if signal.is_over() {
        return;
    }
    if threads > 1 {
        let signal = signal.clone();
        rayon::spawn(move || wake_and_stand_by(&signal, threads - 1));
    }
    let began = crate::time::Instant::now();
    signal.stand_by(|looks| Thread::new(began).relax(looks));
}
