//! A worker's timeline while it is being recorded. It reads no clock: the record does (`record.rs`).

use crate::search::{Activity, ActivitySpan, TaskSpan, Timeline};

/// What a worker's time is clocked as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clocked {
    Busy,
    Idle,
    Stealing,
    Parked,
    /// Out of this library's sight; clocked nowhere.
    Untold,
}

/// What is recorded of one worker.
#[derive(Debug)]
pub(crate) struct Log {
    timeline: Timeline,
    /// How many spans each of the two lists takes.
    room: usize,
    /// The looks for work that go on at present.
    looks: Option<Looks>,
    /// Whose queue had the ticket that they found.
    victim: Option<usize>,
}

/// Looks for work in a row, with the pauses between them.
#[derive(Debug)]
struct Looks {
    begin: u64,
    number: u64,
    idle: u64,
}

/// Which of the timeline's tasks one is, for when it ends; `None` where there was no room.
pub(crate) type SpanIndex = Option<usize>;

impl Log {
    /// A log that takes so many spans of each kind; `None` where it takes none.
    pub(crate) fn new(room: usize) -> Option<Box<Self>> {
        let log = Log { timeline: Timeline::default(), room, looks: None, victim: None };
        (room > 0).then(|| Box::new(log))
    }

    /// Records what the worker did from `begin` to `end`, before it does `next`.
    pub(crate) fn turn(&mut self, did: Clocked, (begin, end): (u64, u64), next: Clocked) {
        match (did, &mut self.looks) {
            // One span for looks in a row: a worker without work looks a million times a second.
            (Clocked::Stealing, Some(looks)) => looks.number += 1,
            (Clocked::Stealing, none) => *none = Some(Looks { begin, number: 1, idle: 0 }),
            (Clocked::Idle, Some(looks)) => looks.idle += end - begin,
            (Clocked::Idle, None) => self.push(begin, end, Activity::Idle),
            (Clocked::Busy, _) => self.push(begin, end, Activity::Busy),
            (Clocked::Parked, _) => self.push(begin, end, Activity::Parked),
            (Clocked::Untold, _) => {}
        }
        if !matches!(next, Clocked::Stealing | Clocked::Idle)
            && let Some(Looks { begin, number, idle }) = self.looks.take()
        {
            let victim = self.victim.take();
            self.push(begin, end, Activity::Stealing { looks: number, idle, victim });
        }
    }

    /// Records whose queue has just had a ticket that is of use.
    pub(crate) fn stole_from(&mut self, victim: usize) {
        self.victim = Some(victim);
    }

    fn push(&mut self, begin: u64, end: u64, activity: Activity) {
        let is_steal = matches!(activity, Activity::Stealing { victim: Some(_), .. });
        if begin == end && !is_steal {
            return; // as in virtual time, where most turns take none
        }
        let Log { timeline, room, .. } = self;
        if timeline.activities.len() < *room {
            timeline.activities.push(ActivitySpan { begin, end, activity });
        } else {
            timeline.dropped += 1;
        }
    }

    /// Records a task that begins. It comes before those within it, so what the room does not hold is the
    /// inner ones.
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

    /// The timeline, when the worker is done.
    pub(crate) fn close(self) -> Timeline {
        self.timeline
    }
}

/// The timeline of a worker whose parts were recorded apart, with room for so many spans of each kind.
pub(crate) fn joined(parts: impl Iterator<Item = Timeline>, room: usize) -> Timeline {
    let mut joined = Timeline::default();
    for part in parts {
        joined.activities.extend(part.activities);
        joined.tasks.extend(part.tasks);
        joined.dropped += part.dropped;
    }
    // Stable, both. Of tasks that begin together the longer one is around the other.
    joined.activities.sort_by_key(|span| span.begin);
    joined.tasks.sort_by_key(|task| (task.begin, std::cmp::Reverse(task.end)));
    let beyond = |found: usize| found.saturating_sub(room) as u64;
    joined.dropped += beyond(joined.activities.len()) + beyond(joined.tasks.len());
    joined.activities.truncate(room);
    joined.tasks.truncate(room);
    joined
}
