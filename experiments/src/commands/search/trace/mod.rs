//! A search's timelines as a trace that <https://ui.perfetto.dev> and `chrome://tracing` open: one lane for
//! each worker, with blocks for what it searched, its tasks, its waits and its looks for work.
//!
//! The form is the JSON object of the Trace Event Format: metadata events ("M") name the lanes, complete
//! events ("X") are the blocks, with times in microseconds.

mod lane;

use crate::cli::files;
use crate::records::workers::kind_name;
use lane::{Block, What, blocks};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use starsplit::search::{Activity, TaskSpan, WorkerStats};
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

/// All lanes are those of one process.
const PROCESS: u32 = 1;

/// Who makes traces.
const GENERATOR: &str = "starsplit search";

/// With what every trace begins, by which it is known.
const HEAD: &str = r#"{"displayTimeUnit":"ns","otherData":{"generator":"starsplit search","#;

/// Whether a file is such a trace.
pub(crate) fn is_own(path: &Path) -> bool {
    files::read_head(path, HEAD.len() as u64).is_ok_and(|found| found == HEAD.as_bytes())
}

/// The trace of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trace<'a> {
    /// What was searched, and how.
    pub(crate) title: &'a str,
    /// Whether times are virtual.
    pub(crate) is_virtual: bool,
    /// Whose timelines it shows, in the order of the lanes.
    pub(crate) workers: &'a [WorkerStats],
}

impl Trace<'_> {
    /// Writes the trace, block by block.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        out.write_all(b"\n")
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

impl Serialize for Trace<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Trace", 3)?;
        object.serialize_field("displayTimeUnit", "ns")?;
        let clock = if self.is_virtual { "virtual" } else { "real" };
        object.serialize_field(
            "otherData",
            &Notes { generator: GENERATOR, clock, dropped_spans: self.dropped() },
        )?;
        object.serialize_field("traceEvents", &Events(self))?;
        object.end()
    }
}

#[derive(serde::Serialize)]
struct Notes {
    generator: &'static str,
    clock: &'static str,
    dropped_spans: u64,
}

/// The events, made while they are written: there may be millions.
struct Events<'a>(&'a Trace<'a>);

impl Serialize for Events<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let process = Event::naming("process_name", 0, Args::Name { name: self.0.title.to_owned() });
        let lanes = self.0.workers.iter().enumerate().flat_map(|(worker, stats)| {
            let blocks = blocks(&stats.timeline).into_iter().map(move |block| Event::block(worker, &block));
            let name = Args::Name { name: format!("worker {worker}") };
            let place = Args::Place { sort_index: worker };
            [Event::naming("thread_name", worker, name), Event::naming("thread_sort_index", worker, place)]
                .into_iter()
                .chain(blocks)
        });
        serializer.collect_seq(std::iter::once(process).chain(lanes))
    }
}

/// One event, with the names that the format gives its parts.
#[derive(serde::Serialize)]
struct Event {
    ph: &'static str,
    pid: u32,
    tid: usize,
    name: Cow<'static, str>,
    #[serde(flatten)]
    time: Option<Time>,
    #[serde(skip_serializing_if = "Option::is_none")]
    args: Option<Args>,
}

#[derive(serde::Serialize)]
struct Time {
    cat: &'static str,
    ts: f64,
    dur: f64,
}

#[derive(serde::Serialize)]
#[serde(untagged)]
enum Args {
    Name { name: String },
    Place { sort_index: usize },
    Task { kind: &'static str, depth: u32, owner: usize, helped: bool, nodes: u64, aborted: bool },
    Looks { looks: u64, idle_us: f64, victim: Option<usize> },
}

impl Event {
    /// A metadata event for a worker's lane.
    fn naming(what: &'static str, worker: usize, args: Args) -> Self {
        Event { ph: "M", pid: PROCESS, tid: lane_of(worker), name: what.into(), time: None, args: Some(args) }
    }

    fn block(worker: usize, block: &Block) -> Self {
        let (cat, name, args): (_, Cow<'static, str>, _) = match block.what {
            What::Search => ("search", "search".into(), None),
            What::Task(task) => ("task", task_name(&task).into(), Some(task_args(&task))),
            What::Pause(Activity::Stealing { looks, idle, victim }) => {
                let name = if victim.is_some() { "steal" } else { "look for work" };
                let args = Args::Looks { looks, idle_us: microseconds(idle), victim };
                ("steal", name.into(), Some(args))
            }
            What::Pause(Activity::Parked) => ("parked", "parked".into(), None),
            What::Pause(Activity::Idle | Activity::Busy) => ("wait", "wait".into(), None),
        };
        let (ts, dur) = (microseconds(block.begin), microseconds(block.end - block.begin));
        let time = Some(Time { cat, ts, dur });
        Event { ph: "X", pid: PROCESS, tid: lane_of(worker), name, time, args }
    }
}

/// A worker's lane. Viewers keep thread 0 for themselves.
fn lane_of(worker: usize) -> usize {
    worker + 1
}

/// Viewers colour blocks by their names.
fn task_name(task: &TaskSpan) -> String {
    let aborted = if task.aborted { ", aborted" } else { "" };
    format!("{}, depth {}{aborted}", kind_name(task.kind), task.depth)
}

fn task_args(task: &TaskSpan) -> Args {
    let &TaskSpan { depth, owner, helped, nodes, aborted, .. } = task;
    Args::Task { kind: kind_name(task.kind), depth, owner, helped, nodes, aborted }
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
        Trace { title: "t", is_virtual: true, workers: &[] }.write(&mut text).unwrap();
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
