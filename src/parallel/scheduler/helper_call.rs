//! When the helpers of a search are called: once it has lasted, or is expected to last, so long that they find work when
//! they come.
//!
//! Until then the leader searches alone, as the serial search does. Then it makes up the team and takes its own seat, so that
//! what it searches can be shared; it rings for one of the pool's threads, and goes on. That one rings for the others. When
//! the leader sees that somebody is awake it hands the helpers' seats over.

use crate::parallel::scheduler::pool::Pool;
use crate::parallel::scheduler::team::Team;
use crate::parallel::scheduler::wake_up::{Bell, Call};
use crate::parallel::scheduler::worker_context::Seat;
use crate::parallel::setup::Parallel;
use crate::parallel::telemetry::record::{Activity, Record};
use crate::processor::{Processor, Thread};
use crate::search::{Method, News, Options, Outlook, Reserve};
use std::sync::Arc;
use std::time::Duration;

/// In the middle of an iteration others are called when it has taken so many times as long as would have made them come at
/// its beginning, and twice as long as expected: nobody knows how much of it is left, and what is open then is not shared.
const UNEXPECTED: u32 = 3;

/// A search of fewer plies is not worth getting ready for.
const FIRST_PLIES: u8 = 3;

/// The helpers of a search that its leader has begun.
pub(crate) struct Summons<'x, S: Parallel> {
    options: &'x Options,
    pool: &'x Pool,
    /// When the leader began to wait for its turn on the pool, in nanoseconds after the search began, and when it had it.
    waited: u64,
    began: u64,
    /// Has helpers take these seats.
    seat: &'x mut dyn FnMut(Vec<Seat<S>>),
    team: Option<Arc<Team<S>>>,
    state: State<S>,
    /// When the helpers are called, if they are not by then.
    ring_at: Duration,
}

/// How far it has come.
enum State<S: Parallel> {
    Alone,
    Called(Bell, Vec<Seat<S>>),
    Seated,
}

impl<'x, S: Parallel> Summons<'x, S> {
    /// Nobody is called yet.
    pub(crate) fn new(
        options: &'x Options,
        pool: &'x Pool,
        (waited, began): (u64, u64),
        seat: &'x mut dyn FnMut(Vec<Seat<S>>),
    ) -> Self {
        let ring_at = unexpectedly_long(options);
        Summons { options, pool, waited, began, seat, team: None, state: State::Alone, ring_at }
    }

    /// Makes up the team, and hands the helpers' seats over without a look whether anybody is awake; gives the leader's.
    pub(crate) fn assemble(&mut self) -> Option<Seat<S>> {
        let (leader, helpers) = self.make_team()?;
        self.state = State::Seated;
        if self.wants_helpers() && !helpers.is_empty() {
            (self.seat)(helpers);
        }
        Some(leader)
    }

    /// The seats of the leader and of the helpers.
    fn make_team(&mut self) -> Option<(Seat<S>, Vec<Seat<S>>)> {
        let (team, queues) = Team::new(self.options, self.pool);
        let mut seats = queues.into_iter().enumerate().map(|(index, queue)| {
            // The helpers sleep until they come.
            let first = if index == 0 { Activity::Busy } else { Activity::Parked };
            Seat::new(team.clone(), queue, index, Record::new(first, self.options.timeline))
        });
        let mut leader = seats.next()?;
        leader.record.turn_to(Activity::Parked, self.waited);
        leader.record.turn_to(Activity::Busy, self.began);
        let helpers = seats.collect();
        self.team = Some(team);
        Some((leader, helpers))
    }

    /// Sends the helpers home, if they were called; gives the team, if there is one.
    pub(crate) fn dismiss(&mut self) -> Option<Arc<Team<S>>> {
        self.state = State::Seated;
        self.team.take().inspect(|team| team.dismiss())
    }

    /// For fork and join the pool itself calls those who run its jobs.
    fn wants_helpers(&self) -> bool {
        self.options.method != Method::ForkJoin
    }

    /// Whether it is time to call.
    fn is_time(&mut self, elapsed: Duration, outlook: Option<Outlook>) -> bool {
        if let Some(outlook) = outlook {
            if is_long(self.options, outlook) {
                return true;
            }
            let [expected, _] = outlook.expected.unwrap_or_default();
            let long = unexpectedly_long(self.options);
            self.ring_at = outlook.began.saturating_add(long.max(expected.saturating_mul(2)));
        }
        elapsed >= self.ring_at
    }
}

impl<S: Parallel> Reserve<S> for Summons<'_, S> {
    fn look(&mut self, elapsed: Duration, outlook: Option<Outlook>) -> News<Seat<S>> {
        match std::mem::replace(&mut self.state, State::Seated) {
            State::Alone if !self.is_time(elapsed, outlook) => self.state = State::Alone,
            State::Alone => {
                let Some((leader, helpers)) = self.make_team() else { return News::Settled };
                if self.wants_helpers() {
                    self.state = State::Called(ring(self.pool, helpers.len()), helpers);
                }
                return News::Called(leader);
            }
            State::Called(bell, helpers) if bell.is_answered() => {
                drop(bell); // Who waits there is let go first, so as to find the work.
                (self.seat)(helpers);
            }
            State::Called(bell, helpers) => self.state = State::Called(bell, helpers),
            State::Seated => return News::Settled,
        }
        News::None
    }
}

/// Whether helpers are wanted from the beginning, or one thread is to work as if there were some.
pub(crate) fn calls_at_once(options: &Options) -> bool {
    options.helpers_after.is_zero() || options.threads == 1
}

/// Whether helpers may be called before an iteration or within it, so that the search has to be got ready for them.
pub(crate) fn may_call(options: &Options, outlook: Outlook) -> bool {
    // Of what cannot be told from the iterations before nobody knows that it is short, but for the first few plies.
    let is_unknown = outlook.expected.is_none()
        && (outlook.is_last && outlook.depth >= FIRST_PLIES || outlook.began >= options.helpers_after / 8);
    calls_at_once(options)
        || is_unknown
        || outlook.began >= options.helpers_after
        || is_long(options, outlook)
}

/// Whether helpers are to be called before an iteration: it is long, or the one after it is so long that they had better be
/// awake when it begins.
fn is_long(options: &Options, outlook: Outlook) -> bool {
    let long = options.helpers_after;
    outlook.expected.is_some_and(|[next, after_next]| next >= long || after_next >= long.saturating_mul(2))
}

/// What an iteration that was not expected to has to take, at least, for helpers to be called in its middle.
fn unexpectedly_long(options: &Options) -> Duration {
    options.helpers_after.saturating_mul(UNEXPECTED)
}

/// Calls so many of the pool's threads.
fn ring(pool: &Pool, threads: usize) -> Bell {
    let (bell, call) = Bell::new();
    pool.rayon().spawn(move || come(&call, threads));
    bell
}

/// Comes to a call for so many threads, and passes it on.
fn come(call: &Arc<Call>, threads: usize) {
    if call.is_over() {
        return;
    }
    if threads > 1 {
        let call = call.clone();
        rayon::spawn(move || come(&call, threads - 1));
    }
    let began = std::time::Instant::now();
    call.answer(|looks| Thread::new(began).relax(looks));
}
