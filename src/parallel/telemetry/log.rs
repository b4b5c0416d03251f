//! A worker's timeline while it is recorded. The times come from `record.rs`.

use crate::search::{Activity, ActivitySpan, TaskSpan, Timeline};

/// What a worker's time counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clocked {
    Busy,
    Idle,
    Stealing,
    Parked,
    /// Outside this library; counted nowhere.
    Untold,
}

/// The recording of a worker's timeline.
#[derive(Debug)]
pub(crate) struct Log {
    timeline: Timeline,
    /// The capacity of each of the two lists.
    room: usize,
    /// The current row of looks for work.
    looks: Option<Looks>,
    /// The worker whose deque had the ticket that they found.
    victim: Option<usize>,
}

/// Looks for work in a row, with the pauses between them.
#[derive(Debug)]
struct Looks {
    begin: u64,
    number: u64,
    idle: u64,
}

/// The index of a task in the timeline; `None` if there was no room.
pub(crate) type SpanIndex = Option<usize>;

impl Log {
    /// A log for this many spans of each kind; `None` for 0.
    pub(crate) fn new(room: usize) -> Option<Box<Self>> {
        let log = Log { timeline: Timeline::default(), room, looks: None, victim: None };
        (room > 0).then(|| Box::new(log))
    }

    /// Records that the worker did `did` from `begin` to `end`, and does `next` now.
    pub(crate) fn turn(&mut self, did: Clocked, (begin, end): (u64, u64), next: Clocked) {
        match (did, &mut self.looks) {
            // One span for a row of looks: an idle worker looks a million times a second.
            (Clocked::Stealing, Some(looks)) => looks.number += 1,
            (Clocked::Stealing, none) => *none = Some(Looks { begin, number: 1, idle: 0 }),
            (Clocked::Idle, Some(looks)) => looks.idle += end - begin,
            (Clocked::Idle, None) => self.push(begin, end, Activity::Idle),
            (Clocked::Busy, _) => self.push(begin, end, Activity::Busy),
            (Clocked::Parked, _) => self.push(begin, end, Activity::Parked),
            (Clocked::Untold, _) => {}
        }
        if matches!(next, Clocked::Stealing | Clocked::Idle) {
            return;
        }
        if let Some(Looks { begin, number, idle }) = self.looks.take() {
            let victim = self.victim.take();
            self.push(begin, end, Activity::Stealing { looks: number, idle, victim });
        }
    }

    /// Records the victim of a useful steal.
    pub(crate) fn stole_from(&mut self, victim: usize) {
        self.victim = Some(victim);
    }

    fn push(&mut self, begin: u64, end: u64, activity: Activity) {
        let is_steal = matches!(activity, Activity::Stealing { victim: Some(_), .. });
        if begin == end && !is_steal {
            return; // frequent in virtual time, where most turns take none
        }
        let Log { timeline, room, .. } = self;
        if timeline.activities.len() < *room {
            timeline.activities.push(ActivitySpan { begin, end, activity });
        } else {
            timeline.dropped += 1;
        }
    }

    /// Records the beginning of a task. Outer tasks come first, so inner ones are dropped when the list is
    /// full.
    pub(crate) fn begin_task(&mut self, task: TaskSpan) -> SpanIndex {
        let Timeline { tasks, dropped, .. } = &mut self.timeline;
        if tasks.len() >= self.room {
            *dropped += 1;
            return None;
        }
        tasks.push(task);
        Some(tasks.len() - 1)
    }

    /// Records a task's end.
    pub(crate) fn end_task(&mut self, span: SpanIndex, end: u64, nodes: u64, aborted: bool) {
        if let Some(task) = span.and_then(|span| self.timeline.tasks.get_mut(span)) {
            *task = TaskSpan { end, nodes, aborted, ..*task };
        }
    }

    /// The complete timeline.
    pub(crate) fn close(self) -> Timeline {
        self.timeline
    }
}

/// Joins parts of a worker's timeline, with room for this many spans of each kind.
pub(crate) fn joined(parts: impl Iterator<Item = Timeline>, room: usize) -> Timeline {
    let mut joined = Timeline::default();
    for part in parts {
        joined.activities.extend(part.activities);
        joined.tasks.extend(part.tasks);
        joined.dropped += part.dropped;
    }
    in_order(joined, room)
}

/// The timeline by time, with room for this many spans of each kind. A function of its own, to be compiled
/// once.
fn in_order(mut joined: Timeline, room: usize) -> Timeline {
    // Stable sorts. Of tasks with the same beginning, the longer one contains the other.
    joined.activities.sort_by_key(|span| span.begin);
    joined.tasks.sort_by_key(|task| (task.begin, std::cmp::Reverse(task.end)));
    let beyond = |found: usize| found.saturating_sub(room) as u64;
    joined.dropped += beyond(joined.activities.len()) + beyond(joined.tasks.len());
    joined.activities.truncate(room);
    joined.tasks.truncate(room);
    joined
}
