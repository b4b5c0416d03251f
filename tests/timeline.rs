//! Timelines of workers: their spans add up to the workers' clocks, tasks are those that were counted, and
//! lie within one another or apart.

use crate::common::graphs::wide_graph;
use crate::common::splits::eager;
use crate::common::verdict::assert_happened;
use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::game::Game;
use starsplit::search::{
    Activity, ActivitySpan, Limits, Method, Options, SearchResult, TaskSpan, Telemetry, Timeline, Times,
    WorkerStats,
};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::LocklessTable;

/// Room for every span of these searches.
const ROOM: usize = 1_000_000;

const WORKERS: usize = 6;

type Found = SearchResult<u32, u32>;

/// Options under which small searches are split as well.
fn options(method: Method, threads: usize, timeline: usize) -> Options {
    Options {
        method,
        threads,
        telemetry: Telemetry { timeline, ..Telemetry::default() },
        // Probes wherever there may be some: more to split.
        probing_factor: Some(1),
        splits: eager(Some(3)),
        ..Options::default()
    }
}

/// A search of a graph, on threads, or on virtual processors with these costs.
fn search(options: Options, costs: Option<CostModel>, limits: &Limits) -> Found {
    let graph = wide_graph();
    let start = graph.start();
    let evaluator = HashRandom::new(1, graph.facts().grid.limit());
    let table = LocklessTable::new(4).expect("memory");
    let searcher = Searcher::new(graph, evaluator, table).with_options(options);
    match costs {
        None => searcher.request(&start).limits(limits.clone()).search().expect("a search"),
        Some(costs) => {
            searcher
                .request(&start)
                .limits(limits.clone())
                .simulate(&Simulation { costs, seed: 1 })
                .expect("a search")
                .result
        }
    }
}

/// Threads and both kinds of virtual time.
const CLOCKS: [Option<CostModel>; 3] = [None, Some(CostModel::UNIT), Some(CostModel::FREE)];

/// Every method on every clock that it runs on, with what it found to depth 9.
fn searches() -> impl Iterator<Item = (String, Method, Found)> {
    let cases = Method::ALL.iter().flat_map(|&method| CLOCKS.map(|costs| (method, costs)));
    cases.filter(|&(method, costs)| !method.uses_whole_pool() || costs.is_none()).map(|(method, costs)| {
        let result = search(options(method, WORKERS, ROOM), costs, &Limits::depth(9));
        (format!("{method}, {costs:?}"), method, result)
    })
}

/// The sum of all times.
pub(crate) fn total(times: &Times) -> u64 {
    times.busy + times.idle + times.stealing + times.parked
}

/// What the activities of a timeline take.
fn sums(timeline: &Timeline) -> Times {
    let mut times = Times::default();
    for &ActivitySpan { begin, end, activity } in &timeline.activities {
        match activity {
            Activity::Busy => times.busy += end - begin,
            Activity::Idle => times.idle += end - begin,
            Activity::Stealing { idle, .. } => {
                times.idle += idle;
                times.stealing += end - begin - idle;
            }
            Activity::Parked => times.parked += end - begin,
        }
    }
    times
}

#[test]
fn spans_add_up_to_the_times_of_their_worker() {
    for (what, _, result) in searches() {
        for WorkerStats { timeline, times, .. } in &result.workers {
            assert_eq!((sums(timeline), timeline.dropped), (*times, 0), "{what}");
            let durations: u64 = timeline.activities.iter().map(|span| span.end - span.begin).sum();
            assert_eq!(durations, total(times), "{what}");
        }
        assert!(result.workers.iter().any(|worker| worker.times.busy > 0), "{what}");
    }
}

#[test]
fn activities_follow_one_another_without_a_gap() {
    for (what, method, result) in searches() {
        let elapsed = result.elapsed.as_nanos() as u64;
        for worker in &result.workers {
            let mut clock = 0;
            for span in &worker.timeline.activities {
                // Fork and join clocks busy time alone.
                assert!(span.begin == clock || method.uses_whole_pool(), "{what}: {span:?} after {clock}");
                assert!(span.end >= span.begin && span.end <= elapsed, "{what}: {span:?} of {elapsed}");
                clock = span.end;
            }
        }
    }
}

#[test]
fn tasks_are_those_that_were_counted() {
    let (mut aborted, mut helped) = (0, 0);
    for (what, _, result) in searches() {
        // Of one worker all tasks may be cut before their first node.
        let most =
            result.workers.iter().flat_map(|worker| &worker.timeline.tasks).map(|task| task.nodes).max();
        assert_ne!(most, Some(0), "{what}");
        for (index, worker) in result.workers.iter().enumerate() {
            let tasks = &worker.timeline.tasks;
            let split = worker.stats.split;
            let count = |is: fn(&&TaskSpan) -> bool| tasks.iter().filter(is).count() as u64;
            assert_eq!(tasks.len() as u64, split.tasks, "{what}");
            assert_eq!(count(|task| task.helped), split.helped, "{what}");
            assert_eq!(count(|task| task.aborted), split.aborts, "{what}");
            (aborted, helped) = (aborted + split.aborts, helped + split.helped);
            for task in tasks {
                let split_by = &result.workers[task.owner].splits;
                assert!(split_by.contains_key(&(task.kind, task.depth)), "{what}: {task:?}");
                assert!(task.helped || task.owner == index, "{what}: {task:?}");
            }
        }
    }
    assert_happened(&[("aborts", aborted, 50), ("tasks of helpers", helped, 2_000)]);
}

#[test]
fn tasks_lie_apart_or_within_one_another() {
    let mut deepest = 0;
    for (what, _, result) in searches() {
        for worker in &result.workers {
            let mut around: Vec<TaskSpan> = Vec::new();
            for task in &worker.timeline.tasks {
                while around.last().is_some_and(|outer| outer.end <= task.begin) {
                    around.pop();
                }
                if let Some(outer) = around.last() {
                    assert!(outer.begin <= task.begin, "{what}: {task:?} after {outer:?}");
                    assert!(task.end <= outer.end, "{what}: {task:?} in {outer:?}");
                }
                assert!(task.begin <= task.end, "{what}");
                around.push(*task);
                deepest = deepest.max(around.len());
            }
        }
    }
    assert!(deepest > 2, "no more than {deepest} tasks within one another");
}

#[test]
fn steals_have_victims() {
    let mut stolen = 0;
    for (what, _, result) in searches() {
        for (index, worker) in result.workers.iter().enumerate() {
            let mut victims = Vec::new();
            for span in &worker.timeline.activities {
                if let Activity::Stealing { looks, victim, idle } = span.activity {
                    assert!(looks > 0 && idle <= span.end - span.begin, "{what}: {span:?}");
                    victims.extend(victim);
                }
            }
            assert_eq!(victims.len() as u64, worker.stats.split.steals, "{what}");
            assert!(victims.iter().all(|&victim| victim != index && victim < WORKERS), "{what}: {victims:?}");
            stolen += victims.len() as u64;
        }
    }
    assert_happened(&[("steals", stolen, 1_000)]);
}

#[test]
fn what_there_is_no_room_for_is_counted() {
    let found = |room| {
        let options = options(Method::ChanceSplit, 4, room);
        search(options, Some(CostModel::UNIT), &Limits::depth(7))
    };
    let (whole, part, none) = (found(ROOM), found(20), found(0));
    for (index, worker) in whole.workers.iter().enumerate() {
        let (all, kept) = (&worker.timeline, &part.workers[index].timeline);
        assert!(all.activities.len() > 20 && all.tasks.len() > 20, "{index}: too few spans to drop any");
        assert_eq!(kept.activities, all.activities[..20], "{index}");
        assert_eq!(kept.tasks, all.tasks[..20], "{index}");
        assert_eq!(kept.dropped as usize, all.activities.len() + all.tasks.len() - 40, "{index}");
        assert_eq!(none.workers[index].timeline, Default::default(), "{index}");
    }
    // Recording changes nothing of a simulated search.
    assert_eq!((whole.stats, whole.elapsed), (none.stats, none.elapsed));
    assert_eq!((part.stats, part.elapsed), (none.stats, none.elapsed));
}

#[test]
fn fork_and_join_keeps_to_the_room_as_well() {
    let result = search(options(Method::ForkJoin, 2, 5), None, &Limits::depth(7));
    let mut dropped = 0;
    for WorkerStats { timeline, .. } in &result.workers {
        assert!(timeline.activities.len() <= 5 && timeline.tasks.len() <= 5);
        dropped += timeline.dropped;
    }
    assert!(dropped > 0);
}

#[test]
fn a_search_that_is_stopped_has_its_timeline() {
    let limits = Limits { nodes: Some(20_000), ..Limits::depth(11) };
    for costs in [None, Some(CostModel::UNIT)] {
        let result = search(options(Method::ChanceSplit, 4, ROOM), costs, &limits);
        assert!(result.was_stopped());
        for WorkerStats { timeline, times, stats, .. } in &result.workers {
            assert_eq!(sums(timeline), *times, "{costs:?}");
            assert_eq!(timeline.tasks.len() as u64, stats.split.tasks, "{costs:?}");
        }
    }
}
