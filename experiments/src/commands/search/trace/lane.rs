//! What one worker's lane shows: blocks that lie apart or within one another, as trace viewers need them.
//!
//! A worker that searches goes into and out of tasks and waits within them, so its busy spans overlap its
//! tasks. The lane has one block around all that it did without a break instead: from the moment it had work
//! to the moment it had none, or had to wait outside every task.

use starsplit::search::{Activity, ActivitySpan, TaskSpan, Timeline};

/// A block, from when to when in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) begin: u64,
    pub(super) end: u64,
    pub(super) what: What,
}

/// What a block shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// Searching without a break, with the tasks and the waits within them.
    Search,
    /// A task.
    Task(TaskSpan),
    /// A span in which the worker did not search.
    Pause(Activity),
}

/// A worker's blocks by their beginnings, each before those within it.
pub(super) fn blocks(timeline: &Timeline) -> Vec<Block> {
    let mut blocks = searches(timeline);
    let task = |task: &TaskSpan| Block { begin: task.begin, end: task.end, what: What::Task(*task) };
    blocks.extend(timeline.tasks.iter().map(task));
    let pause = |&ActivitySpan { begin, end, activity }: &ActivitySpan| {
        (activity != Activity::Busy).then_some(Block { begin, end, what: What::Pause(activity) })
    };
    blocks.extend(timeline.activities.iter().filter_map(pause));
    // Stable: of those that begin together, searches are around tasks, and tasks around pauses.
    blocks.sort_by_key(|block| block.begin);
    blocks
}

/// The blocks around what was done without a break.
fn searches(timeline: &Timeline) -> Vec<Block> {
    let outermost = outermost(&timeline.tasks);
    let mut searches: Vec<Block> = Vec::new();
    let mut goes_on = false;
    for &ActivitySpan { begin, end, activity } in &timeline.activities {
        let last = searches.last_mut().filter(|last| goes_on && begin <= last.end);
        match (activity, last) {
            (Activity::Busy, Some(last)) => last.end = last.end.max(outermost.end_around(end)),
            (Activity::Busy, None) => {
                let (begin, end) = (outermost.begin_around(begin), outermost.end_around(end));
                searches.push(Block { begin, end, what: What::Search });
                goes_on = true;
            }
            (Activity::Idle | Activity::Parked, _) if outermost.hold(begin, end) => {}
            _ => goes_on = false,
        }
    }
    searches
}

/// The tasks that lie within no other: from when to when each, one after another.
struct Outermost(Vec<(u64, u64)>);

fn outermost(tasks: &[TaskSpan]) -> Outermost {
    let mut outermost: Vec<(u64, u64)> = Vec::new();
    for task in tasks {
        if outermost.last().is_none_or(|&(_, end)| task.begin >= end) {
            outermost.push((task.begin, task.end));
        }
    }
    Outermost(outermost)
}

impl Outermost {
    /// The last that begins at this moment or before.
    fn begun_at(&self, moment: u64) -> Option<(u64, u64)> {
        let begun = self.0.partition_point(|&(begin, _)| begin <= moment);
        self.0[..begun].last().copied()
    }

    fn hold(&self, begin: u64, end: u64) -> bool {
        self.begun_at(begin).is_some_and(|(_, last)| end <= last)
    }

    /// When the task began that goes on at this moment; the moment itself where there is none.
    fn begin_around(&self, moment: u64) -> u64 {
        self.begun_at(moment).filter(|&(_, end)| moment < end).map_or(moment, |(begin, _)| begin)
    }

    /// When it ends.
    fn end_around(&self, moment: u64) -> u64 {
        self.begun_at(moment).filter(|&(begin, _)| begin < moment).map_or(moment, |(_, end)| end.max(moment))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit::search::SplitKind;

    fn task(begin: u64, end: u64) -> TaskSpan {
        let (depth, kind, owner) = (7, SplitKind::Star1, 0);
        TaskSpan { begin, end, depth, kind, owner, helped: false, nodes: 1, aborted: false }
    }

    fn spans(spans: &[(u64, u64, Activity)]) -> Vec<ActivitySpan> {
        spans.iter().map(|&(begin, end, activity)| ActivitySpan { begin, end, activity }).collect()
    }

    /// From when to when the searches are.
    fn searches_of(tasks: &[TaskSpan], activities: &[(u64, u64, Activity)]) -> Vec<(u64, u64)> {
        let mut timeline = Timeline::default();
        (timeline.tasks, timeline.activities) = (tasks.to_vec(), spans(activities));
        let blocks = blocks(&timeline);
        assert_eq!(
            blocks.len(),
            tasks.len()
                + activities.iter().filter(|span| span.2 != Activity::Busy).count()
                + searches(&timeline).len()
        );
        blocks
            .iter()
            .filter(|block| block.what == What::Search)
            .map(|block| (block.begin, block.end))
            .collect()
    }

    #[test]
    fn a_wait_within_a_task_does_not_break_a_search() {
        use Activity::{Busy, Idle, Parked};
        let activities = [(0, 30, Busy), (30, 40, Idle), (40, 45, Parked), (45, 60, Busy), (60, 70, Idle)];
        assert_eq!(searches_of(&[task(10, 50)], &activities), [(0, 60)]);
        assert_eq!(searches_of(&[], &activities), [(0, 30), (45, 60)]);
        // The wait comes at once, and the task ends with it.
        assert_eq!(searches_of(&[task(30, 45)], &activities[1..]), [(45, 60)]);
        assert_eq!(searches_of(&[task(30, 50)], &activities[1..]), [(30, 60)]);
    }

    #[test]
    fn looks_for_work_end_a_search_and_so_do_gaps() {
        let look = Activity::Stealing { looks: 1, idle: 0, victim: Some(2) };
        let activities = [(0, 10, Activity::Busy), (10, 10, look), (10, 20, Activity::Busy)];
        assert_eq!(searches_of(&[task(5, 10), task(10, 15)], &activities), [(0, 10), (10, 20)]);
        let activities = [(0, 10, Activity::Busy), (15, 20, Activity::Busy)];
        assert_eq!(searches_of(&[], &activities), [(0, 10), (15, 20)]);
        assert_eq!(searches_of(&[task(5, 18)], &activities), [(0, 20)]);
    }

    #[test]
    fn a_task_whose_end_was_dropped_is_not_cut_through() {
        assert_eq!(searches_of(&[task(5, 50), task(50, 60)], &[(0, 10, Activity::Busy)]), [(0, 50)]);
    }
}
