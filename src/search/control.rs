//! The state that all workers of a search share: limits, the reason of its end, and errors.

use crate::score::{Score, Window};
use crate::search::answer::{SearchError, StopReason};
use crate::search::request::{Limits, SearchDepth, StopFlag};
use crate::search::running::Running;
use crate::search::tuning::{Granularity, Plan};
use crate::sync::{AtomicBool, AtomicU64, Mutex, Relaxed};
use crate::time::Instant;
use std::sync::Arc;

/// Shared by the workers of one search.
#[derive(Debug)]
pub(crate) struct Control {
    pub(super) limits: Limits,
    /// The searcher's own flag, beside that of the limits.
    stop: StopFlag,
    /// The root's window, if its exact value is not needed.
    asked: Option<Window>,
    pub(crate) started: Instant,
    pub(crate) running: Arc<Running>,
    halted: AtomicBool,
    /// The current plan, packed; 0 before the first.
    plan: AtomicU64,
    /// The granularity of splits, packed; 0 before the first choice.
    granularity: AtomicU64,
    /// The reason, once `halted`. The first reason stays, except that an error replaces it.
    verdict: Mutex<Option<Result<StopReason, SearchError>>>,
}

impl Control {
    /// With what the caller sees of the search, and changes.
    pub(crate) fn with_progress(limits: &Limits, stop: &StopFlag, running: Arc<Running>) -> Self {
        let started = Instant::now();
        running.begin(limits.time.and_then(|time| started.checked_add(time)));
        Control {
            limits: limits.clone(),
            stop: stop.clone(),
            asked: None,
            started,
            running,
            halted: AtomicBool::new(false),
            plan: AtomicU64::new(0),
            granularity: AtomicU64::new(0),
            verdict: Mutex::new(None),
        }
    }

    /// With this window of the root, which must lie on the grid; by default it is the whole grid.
    pub(crate) fn asking(self, asked: Option<Window>) -> Self {
        Control { asked, ..self }
    }

    /// Whether the search goes to the end of the game.
    pub(crate) fn is_to_the_end(&self) -> bool {
        self.limits.depth == SearchDepth::ToTheEnd
    }

    /// The window in which the root is searched.
    pub(super) fn root_window(&self, limit: Score) -> Window {
        self.asked.unwrap_or(Window::full(limit))
    }

    /// The root's ply. A root that names no move is searched like an inner node: a table entry may settle it.
    pub(super) fn root_ply(&self) -> u16 {
        u16::from(self.asked.is_some())
    }

    /// Whether the whole search must end.
    #[inline]
    pub(crate) fn is_halted(&self) -> bool {
        // Relaxed: the flag publishes no data that is read without the lock.
        self.halted.load(Relaxed)
    }

    /// Adds `nodes` and looks at every limit, at the time `now`. Returns whether the search must end. Each
    /// worker calls it now and then.
    pub(crate) fn check(&self, nodes: u64, now: Instant) -> bool {
        self.count(nodes);
        self.check_at(now);
        self.is_halted()
    }

    /// Adds nodes and checks the node limit only.
    pub(crate) fn count(&self, nodes: u64) {
        let total = self.running.count(nodes);
        if !self.is_stop_wished() && self.limits.nodes.is_some_and(|most| total >= most) {
            self.halt(StopReason::Nodes);
        }
    }

    /// Checks the stop flags and the clock, at the time `now`. Returns whether these end the search, and
    /// ignores other reasons: polls of the clock differ from run to run, but a node limit must be noticed at
    /// the same node.
    pub(crate) fn check_at(&self, now: Instant) -> bool {
        let is_wished = self.is_stop_wished();
        let is_late = self.running.is_late(now);
        if is_wished {
            self.halt(StopReason::Flag);
        } else if is_late {
            self.halt(StopReason::Time);
        }
        is_wished || is_late
    }

    fn is_stop_wished(&self) -> bool {
        self.stop.is_raised() || self.limits.stop.is_raised() || self.running.stop.is_raised()
    }

    /// The leader's plan, once it has chosen one.
    #[inline]
    pub(super) fn plan(&self) -> Option<Plan> {
        Plan::unpack(self.plan.load(Relaxed)) // Relaxed: the plan is one word.
    }

    /// Publishes a plan for all workers.
    pub(super) fn publish_plan(&self, plan: Plan) {
        self.plan.store(plan.pack(), Relaxed); // Relaxed: as in `plan`.
    }

    /// The granularity of splits, once chosen.
    pub(super) fn granularity(&self) -> Option<Granularity> {
        Granularity::unpack(self.granularity.load(Relaxed)) // Relaxed: as in `plan`.
    }

    /// Publishes what is split. Workers adopt it with their next task.
    pub(super) fn publish_granularity(&self, granularity: Granularity) {
        self.granularity.store(granularity.pack(), Relaxed); // Relaxed: as in `plan`.
    }

    /// The nodes that all workers have reported.
    pub(super) fn nodes(&self) -> u64 {
        self.running.nodes()
    }

    /// Ends the search with an error. The first error stays. It counts even if the search was already ending,
    /// because the worker that met it has no result.
    #[cold]
    pub(crate) fn fail(&self, error: SearchError) {
        let mut verdict = self.verdict.lock();
        if !matches!(*verdict, Some(Err(_))) {
            *verdict = Some(Err(error));
        }
        drop(verdict);
        self.halted.store(true, Relaxed); // Relaxed: as in `is_halted`.
    }

    /// Ends the search; the caller reports the reason.
    pub(crate) fn abandon(&self) {
        self.halted.store(true, Relaxed); // Relaxed: as in `is_halted`.
    }

    fn halt(&self, reason: StopReason) {
        self.verdict.lock().get_or_insert(Ok(reason));
        self.halted.store(true, Relaxed); // Relaxed: as in `is_halted`.
    }

    /// Why the search was halted, if it was.
    pub(crate) fn verdict(&self) -> Option<Result<StopReason, SearchError>> {
        self.verdict.lock().clone()
    }
}
