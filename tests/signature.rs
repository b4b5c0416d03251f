//! The signature of the core: what searches of random graphs count, to the last node. Serial searches by
//! every algorithm and with every option that is declared, searches on virtual processors, in lanes of one
//! thread, and plans. What makes any of them go another way shows here, also where no value differs.
//!
//! The counts are in `signature.txt`. A commit that changes them on purpose writes them anew with
//!
//! ```text
//! STARSPLIT_BLESS=1 cargo test -p starsplit --test all signature::
//! ```
//!
//! and says why they changed.

#![cfg(all(feature = "lanes", feature = "simulate", feature = "testkit"))]

use crate::common::batched::Batched;
use crate::common::forms::forms;
use crate::common::graphs::wide_graph;
use starsplit::Searcher;
use starsplit::evaluator::{Evaluator, HashRandom};
use starsplit::game::{Game, Kind};
use starsplit::planner::{Identities, Planner, PlannerOptions, work};
use starsplit::search::{
    Company, Limits, Method, MoveOrdering, OptionRole, Options, Reuse, SearchResult, Stats,
};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::LocklessTable;
use starsplit::testkit::{
    EdgePlies, GraphPosition, GraphShape, OutcomeBlind, PliedGraph, RandomGraph, RewardedGraph, Rewards,
};
use std::fmt::Write as _;
use std::path::Path;

/// So few buckets that some of what is stored gives way.
const BUCKETS: u64 = 256;

/// Every part of the signature, a line to each search.
fn signature() -> String {
    let Stats { nodes, table, split } = Stats::default();
    let names = nodes.named().chain(table.named()).chain(split.named()).map(|(name, _)| name);
    let mut lines = format!("{}\n", names.collect::<Vec<_>>().join(" "));
    serial(&mut lines);
    simulated(&mut lines);
    in_lanes(&mut lines);
    planned(&mut lines);
    lines
}

#[test]
fn searches_count_what_they_counted() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/signature.txt");
    let found = signature();
    if std::env::var_os("STARSPLIT_BLESS").is_some() {
        return std::fs::write(path, found).expect("the counts can be written");
    }
    let expected = std::fs::read_to_string(path).expect("the counts are there");
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected, "see the head of tests/signature.rs");
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}

/// With ties, and with hardly any.
fn graph(limit: i32) -> RandomGraph {
    let shape = GraphShape {
        positions: 2_000,
        terminal_percent: 3,
        successors: 2..=4,
        limit,
        ..GraphShape::default()
    };
    RandomGraph::new(&shape, 3).expect("the shape is within its limits")
}

fn serial(lines: &mut String) {
    for limit in [4, 1 << 20] {
        let graph = graph(limit);
        let start = graph.start();
        let evaluator = HashRandom::new(1, limit);
        count(lines, &format!("graph {limit}"), &graph, evaluator, start, 7);
        let blind = OutcomeBlind::new(&graph, 2, limit);
        count(lines, &format!("blind {limit}"), &graph, blind, start, 7);
        let rewards = Rewards { move_percent: 40, outcome_percent: 40, most: limit / 3 + 1 };
        let plies = EdgePlies { none_percent: 20, more_percent: 20, most: 3 };
        let rewarded = RewardedGraph::new(graph, rewards).expect("the rewards are within their limits");
        let plied = PliedGraph::new(rewarded, plies).expect("the plies are within their limits");
        count(lines, &format!("plied {limit}"), &plied, evaluator, start, 6);
    }
}

/// Searches by every algorithm, in every order, and with every value that each option names to be tried.
fn count<G, E>(lines: &mut String, name: &str, game: &G, evaluator: E, root: GraphPosition, depth: u32)
where
    G: Game<Position = GraphPosition, Move = u32, Outcome = u32> + Clone,
    E: Evaluator<G> + Clone,
{
    let mut search = |what: &str, options: Options| {
        let table = LocklessTable::with_buckets(BUCKETS).expect("a small table");
        let searcher = Searcher::new(game.clone(), evaluator.clone(), table).with_options(options);
        let result = searcher.search_within(&root, &Limits::depth(depth)).expect("a search");
        writeln!(lines, "{name}, {what}: {}", counts(&result.stats)).expect("text");
    };
    for (algorithm, table_use) in forms() {
        let options = Options { algorithm, table_use, ..Options::default() };
        search(&format!("{algorithm} {table_use}"), options);
        search(&format!("{algorithm} {table_use} paper"), Options { table_use, ..Options::paper(algorithm) });
    }
    for &ordering in MoveOrdering::ALL {
        search(&format!("ordering {ordering}"), Options { ordering, ..Options::default() });
    }
    for declared in Options::DECLARED.iter().filter(|declared| declared.role == OptionRole::Tuning) {
        let mut tried = Vec::new();
        for trial in 0..declared.trials() {
            let mut options = Options::default();
            declared.try_nth(&mut options, trial);
            if tried.contains(&declared.get(&options)) {
                continue;
            }
            tried.push(declared.get(&options));
            search(&format!("{} {}", declared.flag, declared.get(&options)), options);
        }
    }
}

/// All counts but those of splits, in the order of the first line of the file.
fn counts(stats: &Stats) -> String {
    numbers(stats.nodes.named().chain(stats.table.named()))
}

/// Those of splits.
fn splits(stats: &Stats) -> String {
    numbers(stats.split.named())
}

fn numbers(counts: impl Iterator<Item = (&'static str, u64)>) -> String {
    counts.map(|(_, count)| count.to_string()).collect::<Vec<_>>().join(" ")
}

/// By every method that is simulated, on few processors and many, where the search chooses what it splits and
/// where it splits whatever it can.
fn simulated(lines: &mut String) {
    let graph = wide_graph();
    let (start, limit) = (graph.start(), graph.grid().limit());
    for &method in Method::ALL.iter().filter(|method| method.properties().can_be_simulated) {
        for (threads, depth) in [(2, 7), (16, 7), (300, 6)] {
            for split_size in [None, Some(0)] {
                let split_depth = split_size.map(|_| 3);
                let options = Options { method, threads, split_size, split_depth, ..Options::default() };
                let table = LocklessTable::with_buckets(1 << 12).expect("a small table");
                let searcher = Searcher::new(graph.clone(), HashRandom::new(1, limit), table);
                let simulation = Simulation { costs: CostModel::UNIT, seed: 1, device: None };
                let found =
                    searcher.with_options(options).simulate(&start, &Limits::depth(depth), &simulation);
                let found = found.expect("a search");
                let SearchResult { stats, elapsed, .. } = &found.result;
                let (time, span) = (elapsed.as_nanos(), found.span.map_or(0, |span| span.as_nanos()));
                let name = format!("{method} on {threads} {split_size:?}");
                writeln!(lines, "{name}: time {time} span {span} {} {}", counts(stats), splits(stats))
                    .expect("text");
            }
        }
    }
}

fn in_lanes(lines: &mut String) {
    let graph = graph(1 << 20);
    for (lanes, batch) in [(1, 4), (2, 2), (5, 3), (24, 16), (24, 64)] {
        for &company in Company::ALL {
            let options = Options { lanes: Some(lanes), batch: Some(batch), company, ..Options::default() };
            let table = LocklessTable::with_buckets(1 << 12).expect("a small table");
            let searcher = Searcher::new(graph.clone(), Batched(HashRandom::new(1, 1 << 20)), table);
            let found = searcher.with_options(options).search_within(&graph.start(), &Limits::depth(7));
            let SearchResult { stats, batches, .. } = found.expect("a search");
            let name = format!("{lanes} lanes, calls of {batch}, {company}");
            let (calls, made) = (batches.calls, batches.evaluations);
            writeln!(lines, "{name}: calls {calls} of {made} {}", counts(&stats)).expect("text");
        }
    }
}

/// Plans whose tasks are done one after another, the most useful first.
fn planned(lines: &mut String) {
    for seed in 0..12 {
        let shape = GraphShape { positions: 400, terminal_percent: 4, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let (start, limit) = (graph.start(), graph.grid().limit());
        for (split_above, parts) in [(0, 1_000_000), (30, 1_000_000), (30, 6)] {
            let table = LocklessTable::with_buckets(BUCKETS).expect("a small table");
            let searcher = Searcher::new(graph.clone(), HashRandom::new(seed, limit), table);
            let identities = Identities::new(&graph, searcher.evaluator(), Reuse::Exact);
            let options = PlannerOptions { split_above, parts };
            let mut planner = Planner::new(graph.clone(), start, 5, identities, options).expect("a plan");
            let (mut closed, mut narrowed, mut open) = (0, 0, 0);
            while planner.plan().is_none() {
                let task = planner.hand_out(1).remove(0);
                let answer = work(&searcher, &start, &task, &Limits::unbounded()).expect("a task");
                let progress = planner.answer(&answer).expect("the truth");
                (closed, narrowed) = (closed + progress.closed.len(), narrowed + progress.narrowed.len());
                open += planner.tasks(usize::MAX).len();
            }
            let plan = planner.plan().expect("it has ended");
            let root = if graph.kind(&start) == Kind::Chance { "chance" } else { "decision" };
            let name = format!("plan {seed} {root}, above {split_above}, parts {parts}");
            let (answers, nodes) = (plan.answers, plan.nodes);
            let tasks = format!("closed {closed} narrowed {narrowed} open {open}");
            writeln!(lines, "{name}: answers {answers} nodes {nodes} {tasks}").expect("text");
        }
    }
}
