//! What all workers of one search share: its limits, why it ended, and what went wrong.

use crate::score::{Score, Window};
use crate::search::answer::{SearchError, StopReason};
use crate::search::request::{Limits, StopFlag};
use crate::search::tuning::{Granularity, Plan};
use crate::sync::{AtomicBool, AtomicU64, Mutex, Relaxed};
use std::time::Instant;

/// Shared by the workers of one search.
#[derive(Debug)]
pub(crate) struct Control {
    limits: Limits,
    /// The searcher's own flag, which counts whatever the limits are.
    stop: StopFlag,
    /// What is asked of the root, where its value need not be.
    asked: Option<Window>,
    pub(crate) started: Instant,
    deadline: Option<Instant>,
    /// Nodes reported by all workers.
    nodes: AtomicU64,
    halted: AtomicBool,
    /// The plan in force, packed; 0 before the first.
    plan: AtomicU64,
    /// What is split, packed; 0 before it was chosen.
    granularity: AtomicU64,
    /// Why, once `halted`; the first reason stays, but that an error counts before all others.
    verdict: Mutex<Option<Result<StopReason, SearchError>>>,
}

impl Control {
    pub(crate) fn new(limits: &Limits, stop: &StopFlag) -> Self {
        let started = Instant::now();
        Control {
            limits: limits.clone(),
            stop: stop.clone(),
            asked: None,
            started,
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            nodes: AtomicU64::new(0),
            halted: AtomicBool::new(false),
            plan: AtomicU64::new(0),
            granularity: AtomicU64::new(0),
            verdict: Mutex::new(None),
        }
    }

    /// The same for a search that only has to settle this window, which lies on the grid.
    pub(crate) fn asking(self, window: Window) -> Self {
        Control { asked: Some(window), ..self }
    }

    /// The window in which the root is searched.
    pub(super) fn root_window(&self, limit: Score) -> Window {
        self.asked.unwrap_or(Window::full(limit))
    }

    /// The ply of the root. One of which no move is asked is a node like those below a root: what the table
    /// knows of it counts before its moves were tried.
    pub(super) fn root_ply(&self) -> u16 {
        u16::from(self.asked.is_some())
    }

    /// Whether the whole search has to end.
    #[inline]
    pub(crate) fn is_halted(&self) -> bool {
        // Relaxed: the flag publishes no data that is read without the lock.
        self.halted.load(Relaxed)
    }

    /// Reports `nodes` more nodes and looks at every limit, where the clock shows `now`. Called by each
    /// worker once in a while.
    pub(crate) fn check(&self, nodes: u64, now: Instant) -> bool {
        self.count(nodes);
        self.check_at(now);
        self.is_halted()
    }

    /// Counts nodes, and looks at their limit alone.
    pub(crate) fn count(&self, nodes: u64) {
        // Relaxed: a counter; nothing is read on the strength of it.
        let total = self.nodes.fetch_add(nodes, Relaxed) + nodes;
        if !self.is_stop_wished() && self.limits.nodes.is_some_and(|most| total >= most) {
            self.halt(StopReason::Nodes);
        }
    }

    /// Looks at what may end the search at any moment: the wishes to stop and the clock, which shows `now`.
    /// Whether it has ended for another reason is not told: when one looks at the clock is not the same in
    /// two runs, and when one learns of a limit of nodes has to be.
    pub(crate) fn check_at(&self, now: Instant) -> bool {
        let is_wished = self.is_stop_wished();
        let is_late = self.deadline.is_some_and(|deadline| now >= deadline);
        if is_wished {
            self.halt(StopReason::Flag);
        } else if is_late {
            self.halt(StopReason::Time);
        }
        is_wished || is_late
    }

    fn is_stop_wished(&self) -> bool {
        self.stop.is_raised() || self.limits.stop.is_raised()
    }

    /// The plan that the worker which leads has chosen, if it has.
    #[inline]
    pub(super) fn plan(&self) -> Option<Plan> {
        Plan::unpack(self.plan.load(Relaxed)) // Relaxed: it is all in one word.
    }

    /// Has the others go by this plan.
    pub(super) fn publish_plan(&self, plan: Plan) {
        self.plan.store(plan.pack(), Relaxed); // Relaxed: as in `plan`.
    }

    /// What is split at present, if it was chosen.
    pub(super) fn granularity(&self) -> Option<Granularity> {
        Granularity::unpack(self.granularity.load(Relaxed)) // Relaxed: as in `plan`.
    }

    /// Has all workers split so from their next tasks on.
    pub(super) fn publish_granularity(&self, granularity: Granularity) {
        self.granularity.store(granularity.pack(), Relaxed); // Relaxed: as in `plan`.
    }

    /// How many nodes all workers have reported.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed) // Relaxed: a counter.
    }

    /// Ends the search with an error of the game's making, the first of which stays. It counts even where the
    /// search was to end already: whoever met it found nothing.
    #[cold]
    pub(crate) fn fail(&self, error: SearchError) {
        let mut verdict = self.verdict.lock();
        if !matches!(*verdict, Some(Err(_))) {
            *verdict = Some(Err(error));
        }
        drop(verdict);
        self.halted.store(true, Relaxed); // Relaxed: as in `is_halted`.
    }

    /// Ends the search as a flag does, and at once.
    #[cfg(feature = "simulate")]
    pub(crate) fn stop(&self) {
        self.halt(StopReason::Flag);
    }

    /// Ends the search for a reason that somebody else will tell.
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
