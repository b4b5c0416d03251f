//! A search's timelines as a trace that <https://ui.perfetto.dev> and `chrome://tracing` open: a lane of
//! the iterations, and one for each worker, with blocks for what it searched, its tasks, its waits and its
//! looks for work.
//!
//! The form is the JSON object of the Trace Event Format: metadata events ("M") name the lanes, complete
//! events ("X") are the blocks, with times in microseconds.

mod lane;

use crate::cli::files;
use crate::records::workers::kind_name;
use lane::{Block, What, blocks};
use serde_json::{Value, json};
use starsplit::search::{Activity, Iteration, TaskSpan, WorkerStats};
use std::io::{self, Write};
use std::path::Path;

/// With what every trace begins, by which it is known.
const HEAD: &str = r#"{"displayTimeUnit":"ns","otherData":{"generator":"starsplit search","#;

/// Whether a file is such a trace.
pub(crate) fn is_own(path: &Path) -> bool {
    files::read_head(path, HEAD.len() as u64).is_ok_and(|found| found == HEAD.as_bytes())
}

/// An iteration as it ran.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IterationSpan {
    depth: u32,
    /// Nodes of all threads in it.
    nodes: u64,
    /// When it began and ended, in nanoseconds since the search began.
    begin: u64,
    end: u64,
    /// Nodes until its end.
    nodes_until: u64,
}

impl IterationSpan {
    /// The one that followed the one `before`.
    pub(crate) fn new<M, O>(found: &Iteration<M, O>, before: Option<&IterationSpan>) -> Self {
        let (begin, earlier) = before.map_or((0, 0), |before| (before.end, before.nodes_until));
        IterationSpan {
            depth: found.depth,
            nodes: found.nodes.saturating_sub(earlier),
            begin,
            end: u64::try_from(found.elapsed.as_nanos()).unwrap_or(u64::MAX),
            nodes_until: found.nodes,
        }
    }

    /// Its block.
    fn event(&self, lane: usize) -> Value {
        let (begin, length) = (microseconds(self.begin), microseconds(self.end - self.begin));
        json!({
            "ph": "X", "pid": 1, "tid": lane, "name": format!("depth {}", self.depth), "cat": "iteration",
            "ts": begin, "dur": length, "args": { "depth": self.depth, "nodes": self.nodes },
        })
    }
}

/// The trace of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trace<'a> {
    /// What was searched, and how.
    pub(crate) title: &'a str,
    /// Whether times are virtual.
    pub(crate) is_virtual: bool,
    /// The iterations, shown above the workers.
    pub(crate) iterations: &'a [IterationSpan],
    /// Whose timelines it shows, in the order of the lanes.
    pub(crate) workers: &'a [WorkerStats],
}

impl Trace<'_> {
    /// Writes the trace, event by event: there may be millions.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let clock = if self.is_virtual { "virtual" } else { "real" };
        let dropped = self.dropped();
        write!(out, r#"{HEAD}"clock":"{clock}","dropped_spans":{dropped}}},"traceEvents":["#)?;
        serde_json::to_writer(&mut *out, &naming("process_name", 0, json!({ "name": self.title })))?;
        if !self.iterations.is_empty() {
            // Behind the workers by its number, before them by its place.
            let lane = self.workers.len() + 1;
            let named = naming_lane(lane, "iterations", -1);
            write_events(out, named.into_iter().chain(self.iterations.iter().map(|span| span.event(lane))))?;
        }
        for (worker, stats) in self.workers.iter().enumerate() {
            // Viewers keep thread 0 for themselves.
            let lane = worker + 1;
            let named = naming_lane(lane, &format!("worker {worker}"), worker as i64);
            let shown = blocks(&stats.timeline).into_iter().map(|block| event(lane, &block));
            write_events(out, named.into_iter().chain(shown))?;
        }
        out.write_all(b"]}\n")
    }

    /// How many spans the timelines have.
    pub(crate) fn spans(&self) -> usize {
        self.workers.iter().map(|w| w.timeline.activities.len() + w.timeline.tasks.len()).sum()
    }

    /// How many did not fit into the timelines.
    pub(crate) fn dropped(&self) -> u64 {
        self.workers.iter().map(|worker| worker.timeline.dropped).sum()
    }
}

/// Events behind others.
fn write_events(out: &mut impl Write, events: impl Iterator<Item = Value>) -> io::Result<()> {
    for event in events {
        out.write_all(b",")?;
        serde_json::to_writer(&mut *out, &event)?;
    }
    Ok(())
}

/// A metadata event of a lane. All lanes are those of one process.
fn naming(what: &str, lane: usize, args: Value) -> Value {
    json!({ "ph": "M", "pid": 1, "tid": lane, "name": what, "args": args })
}

/// What a lane is called, and its place among the lanes.
fn naming_lane(lane: usize, name: &str, place: i64) -> [Value; 2] {
    [
        naming("thread_name", lane, json!({ "name": name })),
        naming("thread_sort_index", lane, json!({ "sort_index": place })),
    ]
}

/// A block of a lane.
fn event(lane: usize, block: &Block) -> Value {
    let (category, name, args) = match block.what {
        What::Search => ("search", "search".to_owned(), Value::Null),
        What::Task(task) => ("task", task_name(&task), task_args(&task)),
        What::Pause(Activity::Stealing { looks, idle, victim }) => {
            let name = if victim.is_some() { "steal" } else { "look for work" };
            let args = json!({ "looks": looks, "idle_us": microseconds(idle), "victim": victim });
            ("steal", name.to_owned(), args)
        }
        What::Pause(Activity::Parked) => ("parked", "parked".to_owned(), Value::Null),
        What::Pause(Activity::Idle | Activity::Busy) => ("wait", "wait".to_owned(), Value::Null),
    };
    let (begin, length) = (microseconds(block.begin), microseconds(block.end - block.begin));
    let mut event = json!({
        "ph": "X", "pid": 1, "tid": lane, "name": name, "cat": category, "ts": begin, "dur": length,
    });
    if !args.is_null() {
        event["args"] = args;
    }
    event
}

/// Viewers colour blocks by their names.
fn task_name(task: &TaskSpan) -> String {
    let aborted = if task.aborted { ", aborted" } else { "" };
    format!("{}, depth {}{aborted}", kind_name(task.kind), task.depth)
}

fn task_args(task: &TaskSpan) -> Value {
    let &TaskSpan { depth, owner, helped, nodes, aborted, .. } = task;
    let kind = kind_name(task.kind);
    json!({
        "kind": kind, "depth": depth, "owner": owner, "helped": helped, "nodes": nodes, "aborted": aborted,
    })
}

/// Nanoseconds as the format has them. A reader that goes back to nanoseconds by multiplying and cutting off
/// what is left gets the same number; one less, and a block would end after the one around it.
fn microseconds(ns: u64) -> f64 {
    let microseconds = ns as f64 / 1e3;
    if (microseconds * 1e3) as u64 >= ns { microseconds } else { microseconds.next_up() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_trace_begins_as_one_of_these() {
        let mut text = Vec::new();
        Trace { title: "t", is_virtual: true, iterations: &[], workers: &[] }.write(&mut text).unwrap();
        assert!(text.starts_with(HEAD.as_bytes()), "{}", String::from_utf8_lossy(&text));
    }

    #[test]
    fn nanoseconds_survive() {
        let mut moved = 0;
        for ns in (0..20_000).chain((0..20_000).map(|step| step * 12_345_678_901)) {
            assert_eq!((microseconds(ns) * 1e3) as u64, ns);
            moved += u64::from(((ns as f64 / 1e3) * 1e3) as u64 != ns);
        }
        assert!(moved > 100, "{moved} would not have");
    }
}
