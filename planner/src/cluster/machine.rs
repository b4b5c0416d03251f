//! A machine of the cluster, as the run sees it: the task at work, those that wait, its clock.

use super::link::{Link, Report, nanoseconds};
use crate::{Task, TaskKey};
use starsplit::score::Bounds;
use starsplit::search::SearchError;
use std::collections::VecDeque;

/// What machines have done.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) nodes: u64,
    /// What their processors did, in nanoseconds; the next three as well.
    pub(super) work: u64,
    pub(super) occupied: u64,
    pub(super) idle: u64,
    pub(super) in_transit: u64,
    pub(super) stopped: u64,
    pub(super) restarted: u64,
}

/// What a machine has proven of a task, and what that took, earlier beginnings included.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proven {
    pub(super) bounds: Bounds,
    pub(super) taken: Taken,
}

/// What work on a task took.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Taken {
    pub(super) nodes: u64,
    pub(super) contradictions: u64,
}

/// What a machine has to say of a task.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) key: TaskKey,
    /// What it has proven; nothing of a task that it had not begun.
    pub(super) proof: Option<Proven>,
    /// When it has ended.
    pub(super) at: u64,
}

/// The task at work.
#[derive(Debug)]
struct Running {
    task: Task,
    /// When it was begun, or begun anew.
    since: u64,
    /// What its earlier beginnings took.
    taken: Taken,
}

#[derive(Debug)]
pub(super) struct Machine {
    link: Link,
    running: Option<Running>,
    waiting: VecDeque<Task>,
    /// How far it has come; with no task when it ended the last one.
    pub(super) clock: u64,
    /// What lies between the end of a task and the beginning of the next where messages are all that it waits
    /// for.
    transit: u64,
    pub(super) counts: Counts,
}

impl Machine {
    pub(super) fn new(link: Link, transit: u64) -> Self {
        let (running, waiting) = (None, VecDeque::new());
        Machine { link, running, waiting, clock: 0, transit, counts: Counts::default() }
    }

    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// A task has come: it waits, or is begun.
    pub(super) fn take(&mut self, task: Task, now: u64) -> Result<Option<Told>, SearchError> {
        self.waiting.push_back(task);
        if self.is_busy() { Ok(None) } else { self.begin_next(now.max(self.clock)) }
    }

    /// A task matters no more.
    pub(super) fn close(&mut self, key: &TaskKey, now: u64) -> Result<Option<Told>, SearchError> {
        if self.running.as_ref().is_some_and(|running| running.task.key == *key) {
            self.counts.stopped += 1;
            let report = self.link.stop()?;
            return self.note(report);
        }
        let before = self.waiting.len();
        self.waiting.retain(|task| task.key != *key);
        let was_waiting = self.waiting.len() < before;
        self.counts.stopped += u64::from(was_waiting);
        Ok(was_waiting.then(|| Told { key: key.clone(), proof: None, at: now }))
    }

    /// A task has a narrower window: it is begun anew, which what the table remembers makes cheaper.
    pub(super) fn narrow(&mut self, task: &Task) -> Result<Option<Told>, SearchError> {
        if let Some(waiting) = self.waiting.iter_mut().find(|waiting| waiting.key == task.key) {
            waiting.window = task.window;
            return Ok(None);
        }
        if self.running.as_ref().is_none_or(|running| running.task.key != task.key) {
            return Ok(None);
        }
        let report = self.link.stop()?;
        let proven = self.note(report)?.and_then(|told| told.proof);
        self.counts.restarted += 1;
        self.begin(task.clone(), self.clock, proven.map_or_else(Taken::default, |proven| proven.taken))
    }

    /// Begins the task that waits longest, if one does, at this time.
    pub(super) fn begin_next(&mut self, at: u64) -> Result<Option<Told>, SearchError> {
        let Some(task) = self.waiting.pop_front() else { return Ok(None) };
        let idle = at - self.clock;
        self.counts.idle += idle;
        self.counts.in_transit += idle.min(self.transit);
        self.begin(task, at, Taken::default())
    }

    fn begin(&mut self, task: Task, at: u64, taken: Taken) -> Result<Option<Told>, SearchError> {
        self.running = Some(Running { task: task.clone(), since: at, taken });
        let report = self.link.begin(task, at)?;
        self.note(report)
    }

    /// Lets it go on until then; [`hear`](Machine::hear) comes next.
    pub(super) fn go_on(&self, until: u64) {
        self.link.go_on(until);
    }

    /// What has come of that: what there is to tell, if its task has ended.
    pub(super) fn hear(&mut self) -> Result<Option<Told>, SearchError> {
        let report = self.link.hear()?;
        self.note(report)
    }

    /// The run has ended at this time.
    pub(super) fn end(&mut self, now: u64) -> Result<(), SearchError> {
        if self.is_busy() {
            let report = self.link.stop()?;
            self.note(report)?;
        }
        let idle = now.saturating_sub(self.clock);
        self.counts.idle += idle;
        self.counts.in_transit += idle.min(self.transit);
        Ok(())
    }

    fn note(&mut self, report: Report) -> Result<Option<Told>, SearchError> {
        match report {
            Report::Waits { clock } => {
                self.clock = clock;
                Ok(None)
            }
            Report::Done { clock, proof, work } => {
                let (bounds, nodes) = (proof.bounds, proof.stats.nodes.total());
                let running = self.running.take().expect("what is done was at work");
                self.clock = clock;
                self.counts.nodes += nodes;
                self.counts.work += nanoseconds(work);
                self.counts.occupied += clock - running.since;
                let before = running.taken;
                let taken = Taken {
                    nodes: before.nodes + nodes,
                    contradictions: before.contradictions + proof.contradictions(),
                };
                Ok(Some(Told { key: running.task.key, proof: Some(Proven { bounds, taken }), at: clock }))
            }
        }
    }
}
