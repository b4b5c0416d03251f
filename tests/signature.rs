//! The signature of the core: what searches of random graphs count, to the last node. Serial searches by
//! every algorithm and with every option that is declared, with what evaluators know and cost, searches
//! on virtual processors and what each of these did when, and in lanes of one thread. What makes any of
//! them go another way shows here, also where no value differs.
//!
//! The counts are in `signature.txt`. A commit that changes them on purpose writes them anew with
//!
//! ```text
//! STARSPLIT_BLESS=1 cargo test -p starsplit --test all signature::
//! ```
//!
//! and says why they changed.

use crate::common::erased::{Blind, Erased, Seeing};
use crate::common::foresight::{Foreseeing, Telling};
use crate::common::forms::forms;
use crate::common::graphs::wide_graph;
use crate::common::signature_file;
use crate::common::verdict::Graph;
use crate::lanes::Batched;
use starsplit::Searcher;
use starsplit::evaluator::{EvaluationCost, Evaluator, EvaluatorFacts, HashRandom, mix64};
use starsplit::game::Game;
use starsplit::search::{
    Activity, Algorithm, LaneOptions, Limits, Method, MoveOrdering, Options, SearchResult, SiblingBatch,
    Splits, Stats, TableUse, Telemetry, Timeline, TunedSettings, WorkerStats,
};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::LocklessTable;
use starsplit_options::{DECLARED, OptionRole};
use starsplit_testkit::{
    EdgePlies, GraphPosition, GraphShape, OutcomeBlind, PliedGraph, RandomGraph, RewardedGraph, Rewards,
};
use starsplit_wrappers::{EvaluatorWrapper, forward};
use std::fmt::Write as _;

/// So few buckets that some of what is stored gives way.
const BUCKETS: u64 = 256;

/// Every part of the signature, a line to each search.
fn signature() -> String {
    let Stats { nodes, table, split, .. } = Stats::default();
    let names = nodes.named().chain(table.named()).chain(split.named()).map(|(name, _)| name);
    let mut lines = format!("{}\n", names.collect::<Vec<_>>().join(" "));
    serial(&mut lines);
    foreseen(&mut lines);
    chosen(&mut lines);
    simulated(&mut lines);
    workers(&mut lines);
    in_lanes(&mut lines);
    lines
}

#[test]
#[cfg_attr(target_pointer_width = "32", ignore = "there is no room for the stacks of 300 virtual processors")]
fn searches_count_what_they_counted() {
    signature_file::check(&signature(), "tests/signature.rs");
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
        count(lines, &format!("graph {limit}"), &graph, &Seeing::of(evaluator), start, 7);
        let blind = OutcomeBlind::new(&graph, 2, limit);
        count(lines, &format!("blind {limit}"), &graph, &Blind::of(&blind), start, 7);
        let rewards = Rewards { move_percent: 40, outcome_percent: 40, most: limit / 3 + 1 };
        let plies = EdgePlies { none_percent: 20, more_percent: 20, most: 3 };
        let rewarded = RewardedGraph::new(graph, rewards).expect("the rewards are within their limits");
        let plied = PliedGraph::new(rewarded, plies).expect("the plies are within their limits");
        count(lines, &format!("plied {limit}"), &plied, &Seeing::of(evaluator), start, 6);
        count(lines, &format!("plied blind {limit}"), &plied, &Blind::of(&blind), start, 6);
    }
}

/// Searches by every algorithm, in every order, and with every value that each option names to be tried.
fn count<G: Graph + Clone, const IS_BLIND: bool>(
    lines: &mut String,
    name: &str,
    game: &G,
    evaluator: &Erased<'_, G, IS_BLIND, false>,
    root: GraphPosition,
    depth: u32,
) {
    let mut search = |what: &str, options: Options| {
        let table = LocklessTable::with_buckets(BUCKETS).expect("a small table");
        let searcher = Searcher::new(game.clone(), evaluator.clone(), &table).with_options(options);
        let result = searcher.request(&root).limits(Limits::depth(depth)).search().expect("a search");
        writeln!(lines, "{name}, {what}: {}", counts(&result.stats)).expect("text");
    };
    for (algorithm, table_use) in forms() {
        let options = Options { algorithm, table_use, ..Options::default() };
        search(&format!("{algorithm} {table_use}"), options);
        search(&format!("{algorithm} {table_use} paper"), Options { table_use, ..Options::paper(algorithm) });
    }
    for &algorithm in Algorithm::ALL {
        search(&format!("{algorithm} of the paper"), Options::paper(algorithm));
    }
    for &ordering in MoveOrdering::ALL {
        search(&format!("ordering {ordering}"), Options { ordering, ..Options::default() });
    }
    for declared in DECLARED.iter().filter(|declared| declared.role == OptionRole::Tuning) {
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

/// Searches with an evaluator that knows bounds, true ones and false, by every algorithm, with windows that
/// are narrowed by them and without.
fn foreseen(lines: &mut String) {
    let graph = graph(1 << 20);
    let start = graph.start();
    let evaluator = HashRandom::new(1, 1 << 20);
    for telling in [Telling::Truth, Telling::Beyond, Telling::Lies, Telling::Crossed] {
        let foreseeing = Foreseeing::new(&graph, 2_000, evaluator, 6, (telling, 1));
        let foreseeing = Erased::<_, false, true>::of(foreseeing);
        for (algorithm, table_use) in forms() {
            for static_bounds in [true, false] {
                let table = LocklessTable::with_buckets(BUCKETS).expect("a small table");
                let options = Options { algorithm, table_use, static_bounds, ..Options::default() };
                let searcher = Searcher::new(graph.clone(), foreseeing.clone(), &table).with_options(options);
                let result = searcher.request(&start).limits(Limits::depth(6)).search().expect("a search");
                let name = format!("{telling:?} {static_bounds}, {algorithm} {table_use}");
                writeln!(lines, "{name}: {}", counts(&result.stats)).expect("text");
            }
        }
    }
}

/// An evaluator that says what an evaluation costs.
#[derive(Clone, Copy, Debug)]
struct Priced<E>(E, u32);

impl<E: Send + Sync> EvaluatorWrapper for Priced<E> {
    type Inner = E;

    fn inner(&self) -> &E {
        &self.0
    }

    fn facts<G: Game>(&self, game: &G) -> EvaluatorFacts
    where
        E: Evaluator<G>,
    {
        self.0.facts(game).with_cost(EvaluationCost::each(self.1))
    }
}

forward! { impl<E: Send + Sync> Evaluator for Priced<E> }

/// Searches that last until they choose for themselves, and what they choose: by what evaluations cost, in a
/// graph whose positions come again often and in one where they hardly do.
fn chosen(lines: &mut String) {
    let often = RandomGraph::new(&GraphShape { positions: 600, ..GraphShape::default() }, 5);
    for (name, graph, depth) in [("often", often.expect("a shape"), 13), ("seldom", wide_graph(), 10)] {
        let limit = graph.facts().grid.limit();
        for cost in [1, 100, 3_000] {
            let seeing = Priced(HashRandom::new(1, limit), cost);
            choose(lines, &format!("{name} at {cost}"), &graph, &Seeing::of(seeing), depth);
        }
        for cost in [1, 3_000] {
            let blind = Priced(OutcomeBlind::new(&graph, 1, limit), cost);
            choose(lines, &format!("{name} blind at {cost}"), &graph, &Blind::of(blind), depth);
        }
    }
}

fn choose<const IS_BLIND: bool>(
    lines: &mut String,
    name: &str,
    graph: &RandomGraph,
    evaluator: &Erased<'_, RandomGraph, IS_BLIND, false>,
    depth: u32,
) {
    let start = graph.start();
    for (table_use, threads) in [(TableUse::All, 1), (TableUse::Decision, 1), (TableUse::All, 3)] {
        let algorithm = if table_use == TableUse::All { Algorithm::Star2Tt } else { Algorithm::Star2 };
        let options = Options { algorithm, table_use, threads, ..Options::default() };
        let table = LocklessTable::with_buckets(1 << 12).expect("a small table");
        let searcher = Searcher::new(graph.clone(), evaluator.clone(), &table).with_options(options);
        let result = if threads == 1 {
            searcher.request(&start).limits(Limits::depth(depth)).search().expect("a search")
        } else {
            let simulation = Simulation { costs: CostModel::UNIT, seed: 1 };
            searcher
                .request(&start)
                .limits(Limits::depth(depth))
                .simulate(&simulation)
                .expect("a search")
                .result
        };
        let name = format!("{name}, {table_use} on {threads}");
        writeln!(lines, "{name}: {}; {}", choices(&result.chosen), counts(&result.stats)).expect("text");
    }
}

fn choices(chosen: &TunedSettings) -> String {
    let TunedSettings { chance_table_depth, decision_table_depth, remembers_evaluations, .. } = chosen;
    let TunedSettings { evaluation_ns, split_depth, split_size, statically_ranked, .. } = chosen;
    let table = format!("table {chance_table_depth:?} {decision_table_depth:?} {remembers_evaluations}");
    let splits = format!("at {evaluation_ns} split {split_depth:?} {split_size:?}");
    format!("{table} {splits} ranked {statically_ranked:?}")
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
    let (start, limit) = (graph.start(), graph.facts().grid.limit());
    for &method in Method::ALL.iter().filter(|method| !method.uses_whole_pool()) {
        for (threads, depth) in [(2, 7), (16, 7), (300, 6)] {
            for split_size in [None, Some(0)] {
                let split_depth = split_size.map(|_| 3);
                let options = Options {
                    method,
                    threads,
                    splits: Splits { size: split_size, depth: split_depth, ..Splits::default() },
                    ..Options::default()
                };
                let table = LocklessTable::with_buckets(1 << 12).expect("a small table");
                let searcher = Searcher::new(graph.clone(), HashRandom::new(1, limit), table);
                let simulation = Simulation { costs: CostModel::UNIT, seed: 1 };
                let found = searcher
                    .with_options(options)
                    .request(&start)
                    .limits(Limits::depth(depth))
                    .simulate(&simulation);
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

/// What the workers of such searches did with their time, added up, and when: with room for all of it, and
/// for little.
fn workers(lines: &mut String) {
    let graph = wide_graph();
    let (start, limit) = (graph.start(), graph.facts().grid.limit());
    for &method in Method::ALL.iter().filter(|method| !method.uses_whole_pool()) {
        for timeline in [1 << 20, 40] {
            let (split_depth, split_size) = (Some(3), Some(0));
            let options = Options {
                method,
                threads: 6,
                splits: Splits { depth: split_depth, size: split_size, ..Splits::default() },
                telemetry: Telemetry { timeline, ..Telemetry::default() },
                ..Options::default()
            };
            let table = LocklessTable::with_buckets(1 << 12).expect("a small table");
            let searcher = Searcher::new(graph.clone(), HashRandom::new(1, limit), table);
            let simulation = Simulation { costs: CostModel::UNIT, seed: 1 };
            let searcher = searcher.with_options(options);
            let found =
                searcher.request(&start).limits(Limits::depth(7)).simulate(&simulation).expect("a search");
            let mut all = WorkerStats::default();
            found.result.workers.iter().for_each(|worker| all.add(worker));
            let WorkerStats { times, splits, task_nodes, task_ns, steal_ns, abort_ns, join_ns, .. } = all;
            let histograms = [task_nodes, task_ns, steal_ns, abort_ns, join_ns]
                .map(|sizes| format!("{} of {} to {}", sizes.total(), sizes.min(), sizes.max()));
            let when = found.result.workers.iter().map(|worker| when(&worker.timeline));
            let when = when.collect::<Vec<_>>().join(" ");
            let name = format!("{method} with room for {timeline}");
            writeln!(lines, "{name}: {times:?} {splits:?} {histograms:?} {when}").expect("text");
        }
    }
}

/// How many spans there are, and a number that is another where any of them is.
fn when(timeline: &Timeline) -> String {
    let Timeline { activities, tasks, dropped, .. } = timeline;
    let mut mixed = 0;
    let mut mix =
        |numbers: &[u64]| mixed = numbers.iter().fold(mixed, |mixed, &number| mix64(mixed ^ number));
    for span in activities {
        mix(&[span.begin, span.end]);
        match span.activity {
            Activity::Stealing { looks, idle, victim } => {
                mix(&[1, looks, idle, victim.map_or(0, |of| of as u64 + 1)])
            }
            Activity::Busy => mix(&[2]),
            Activity::Idle => mix(&[3]),
            Activity::Parked => mix(&[4]),
        }
    }
    for task in tasks {
        mix(&[task.begin, task.end, task.nodes, u64::from(task.aborted), u64::from(task.helped)]);
        mix(&[task.owner as u64, u64::from(task.depth), task.kind as u64]);
    }
    format!("[{} {} {dropped} {mixed:x}]", activities.len(), tasks.len())
}

fn in_lanes(lines: &mut String) {
    let graph = graph(1 << 20);
    for (lanes, batch) in [(1, 4), (2, 2), (5, 3), (24, 16), (24, 64)] {
        for &sibling_batch in SiblingBatch::ALL {
            let options = Options {
                lanes: LaneOptions {
                    count: Some(lanes),
                    batch: Some(batch),
                    sibling_batch,
                    ..LaneOptions::default()
                },
                ..Options::default()
            };
            let table = LocklessTable::with_buckets(1 << 12).expect("a small table");
            let evaluator = Batched::new(1, 1 << 20);
            let searcher = Searcher::new(graph.clone(), &evaluator, &table);
            let found =
                searcher.with_options(options).request(&graph.start()).limits(Limits::depth(7)).search();
            let SearchResult { stats, .. } = found.expect("a search");
            let batches = stats.batches;
            let name = format!("{lanes} lanes, calls of {batch}, {sibling_batch}");
            let (calls, made, full) = (batches.calls, batches.evaluations, batches.fill(batch));
            writeln!(lines, "{name}: calls {calls} of {made}, full {full:.3} {}", counts(&stats))
                .expect("text");
        }
    }
}
