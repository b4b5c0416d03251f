//! Traces of searches: the form that trace viewers read, lanes in which blocks lie apart or within one
//! another, and nothing in them that the answer does not tell as well.

use crate::common::{SEARCH, Scratch, json_in, run_in};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// What a search answers, and its trace. Small searches are split as well.
fn traced(args: &[&str]) -> (Value, Value) {
    let scratch = Scratch::new();
    let usual = ["--json", "--table-mb", "4", "--depth", "9", "--split-depth", "3", "--split-size", "0"];
    let args = [&usual[..], &["--trace", "trace.json"], args].concat();
    let found = json_in(scratch.path(), SEARCH, &args);
    let text = fs::read(scratch.path().join("trace.json")).expect("a trace");
    assert_eq!(
        fs::read_dir(scratch.path()).expect("the folder").count(),
        1,
        "{args:?} left more than the trace"
    );
    (found, serde_json::from_slice(&text).expect("JSON"))
}

/// A block, in nanoseconds.
#[derive(Clone, Debug)]
struct Block {
    begin: u64,
    end: u64,
    category: String,
    args: Value,
}

fn nanoseconds(event: &Value, name: &str) -> u64 {
    let microseconds = event[name].as_f64().unwrap_or_else(|| panic!("no {name} in {event}"));
    // Rounded, because this reader of JSON takes the neighbour of some fractions.
    (microseconds * 1e3).round() as u64
}

/// The blocks of each lane, and the lanes' names, by lane.
fn lanes(trace: &Value) -> (BTreeMap<u64, Vec<Block>>, BTreeMap<u64, String>) {
    let (mut lanes, mut names) = (BTreeMap::<_, Vec<_>>::new(), BTreeMap::new());
    for event in trace["traceEvents"].as_array().expect("events") {
        let lane = event["tid"].as_u64().expect("a lane");
        assert_eq!(event["pid"], 1, "{event}");
        let name = event["name"].as_str().expect("a name").to_owned();
        match event["ph"].as_str() {
            Some("X") => {
                let (begin, length) = (nanoseconds(event, "ts"), nanoseconds(event, "dur"));
                let category = event["cat"].as_str().expect("a category").to_owned();
                let block = Block { begin, end: begin + length, category, args: event["args"].clone() };
                lanes.entry(lane).or_default().push(block);
            }
            Some("M") if name == "thread_name" => {
                names.insert(lane, event["args"]["name"].as_str().expect("a name").to_owned());
            }
            Some("M") => assert!(["process_name", "thread_sort_index"].contains(&name.as_str()), "{event}"),
            other => panic!("phase {other:?} in {event}"),
        }
    }
    (lanes, names)
}

/// Checks that each block lies apart from those before it or within one of them, and gives the greatest
/// nesting.
fn nesting(blocks: &[Block]) -> usize {
    let (mut around, mut deepest): (Vec<&Block>, _) = (Vec::new(), 0);
    for block in blocks {
        while around.last().is_some_and(|outer| outer.end <= block.begin) {
            around.pop();
        }
        if let Some(outer) = around.last() {
            assert!(outer.begin <= block.begin && block.end <= outer.end, "{block:?} across {outer:?}");
            assert!(["search", "task"].contains(&outer.category.as_str()), "{block:?} in {outer:?}");
        }
        around.push(block);
        deepest = deepest.max(around.len());
    }
    deepest
}

const WAYS: [&[&str]; 5] = [
    &["--threads", "3"],
    &["--threads", "3", "--method", "fork-join"],
    &["--threads", "2", "--method", "abdada"],
    &["--threads", "16", "--simulate", "unit"],
    &["--threads", "5", "--simulate", "free", "--method", "both"],
];

#[test]
fn blocks_lie_apart_or_within_one_another() {
    for args in WAYS {
        let (_, trace) = traced(args);
        let deepest = lanes(&trace).0.values().map(|blocks| nesting(blocks)).max();
        // What real threads split depends on when they come to it.
        let least = match (args.contains(&"--simulate"), args.contains(&"abdada")) {
            (true, _) => 4,
            (false, false) => 2,
            (false, true) => 1,
        };
        assert!(deepest >= Some(least), "{args:?}: {deepest:?}");
    }
}

#[test]
fn every_worker_has_a_lane_in_its_order() {
    for args in WAYS {
        let workers: u64 = args[1].parse().expect("a number");
        let (_, names) = lanes(&traced(args).1);
        // With fork and join the threads of the pool have lanes beside that of the thread that waits for
        // them.
        let lanes = workers + u64::from(args.contains(&"fork-join"));
        let mut expected: Vec<_> =
            (0..lanes).map(|worker| (worker + 1, format!("worker {worker}"))).collect();
        if !args.contains(&"--simulate") {
            expected.push((lanes + 1, "iterations".to_owned()));
        }
        assert_eq!(names.into_iter().collect::<Vec<_>>(), expected, "{args:?}");
    }
}

#[test]
fn blocks_say_what_they_show() {
    let (found, trace) = traced(&["--threads", "16", "--simulate", "unit"]);
    assert_eq!(trace["otherData"]["clock"], "virtual");
    let (lanes, _) = lanes(&trace);
    let blocks = || lanes.values().flatten();
    let of = |category: &'static str| blocks().filter(move |block| block.category == category);
    assert_eq!(
        blocks().map(|block| Some(block.end)).max(),
        Some(found["simulated"]["virtual_time"].as_u64())
    );
    for category in ["search", "task", "wait", "steal"] {
        assert!(of(category).count() > 20, "{} of {category}", of(category).count());
    }
    let is = |name: &'static str| move |block: &&Block| block.args[name] == true;
    assert!(of("task").any(|task| is("helped")(&task)) && of("task").any(|task| is("aborted")(&task)));
    for task in of("task") {
        assert!(
            ["probing", "star1", "decision"].contains(&task.args["kind"].as_str().unwrap_or("")),
            "{task:?}"
        );
        assert!(task.args["depth"].as_u64().is_some_and(|depth| (2..=9).contains(&depth)), "{task:?}");
        assert!(task.args["owner"].as_u64().is_some_and(|owner| owner < 16), "{task:?}");
        // A node costs one unit.
        assert!(task.args["nodes"].as_u64().is_some_and(|n| n <= task.end - task.begin), "{task:?}");
    }
    let stolen = of("steal").filter(|block| block.args["victim"].is_u64()).count();
    assert!(stolen > 20, "{stolen} steals");
}

#[test]
fn a_trace_of_threads_says_so() {
    // On a busy machine the search would be over before it had helpers.
    let (found, trace) = traced(&["--threads", "2", "--helpers-after-us", "0"]);
    assert_eq!((&trace["otherData"]["clock"], &found["simulated"]), (&Value::from("real"), &Value::Null));
    assert_eq!(
        (&found["trace"]["file"], &found["trace"]["dropped_spans"]),
        (&"trace.json".into(), &0.into())
    );
    assert!(found["trace"]["spans"].as_u64() > Some(0), "{found}");
}

#[test]
fn what_a_short_trace_leaves_out_is_told() {
    let args = ["--threads", "4", "--simulate", "unit"];
    let whole = traced(&args).0;
    let (found, trace) = traced(&[&args[..], &["--trace-spans", "40"]].concat());
    let count = |found: &Value, name: &str| found["trace"][name].as_u64().expect("a count");
    assert!(count(&found, "spans") <= 80 && count(&found, "dropped_spans") > 0, "{found}");
    assert_eq!(count(&found, "spans") + count(&found, "dropped_spans"), count(&whole, "spans"));
    assert_eq!(trace["otherData"]["dropped_spans"], found["trace"]["dropped_spans"]);
    for blocks in lanes(&trace).0.values() {
        nesting(blocks);
    }
}

#[test]
fn a_serial_search_has_a_lane_of_its_iterations() {
    let (found, trace) = traced(&[]);
    let (lanes, names) = lanes(&trace);
    let lane = names.iter().find(|(_, name)| *name == "iterations").expect("a lane").0;
    let blocks = &lanes[lane];
    let of = |name: &str| blocks.iter().map(|block| block.args[name].as_u64().unwrap()).collect::<Vec<_>>();
    assert_eq!(of("depth"), [1, 3, 5, 7, 9]);
    assert_eq!(of("nodes").iter().sum::<u64>(), found["nodes"]);
    assert!(blocks.windows(2).all(|pair| pair[0].end == pair[1].begin), "{blocks:?}");
    assert_eq!((&found["trace"]["iterations"], &found["trace"]["spans"]), (&5.into(), &0.into()));
}

#[test]
fn a_trace_in_which_nothing_was_shared_says_why() {
    let scratch = Scratch::new();
    let args = ["--depth", "3", "--table-mb", "1", "--trace", "trace.json", "--threads"];
    for (threads, words) in [("1", "one thread has iterations alone"), ("2", "nothing was shared: ")] {
        let output = run_in(scratch.path(), SEARCH, &[&args[..], &[threads]].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(words), "{text}");
    }
}
