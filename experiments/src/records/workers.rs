//! What the workers of a parallel search did, as a record keeps it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use starsplit::search::{Histogram, Options, SplitKind, WorkerStats};
use std::collections::BTreeMap;
use std::time::Duration;

/// The workers of one search. Times are in nanoseconds, each clocked on its own; a list has one entry for
/// each worker, the calling thread's first. Of lanes on a thread it has the sum: hundreds of them, of which
/// one runs at a time, would fill a line and tell no more.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WorkerSummary {
    /// Split points by kind and depth.
    pub splits: BTreeMap<String, BTreeMap<String, u64>>,
    /// Searching.
    pub busy_ns: Vec<u64>,
    /// Without work, between two looks for some; none where only busy time is clocked.
    pub idle_ns: Option<Vec<u64>>,
    /// Looking into the others' queues.
    pub stealing_ns: Option<Vec<u64>>,
    /// Asleep.
    pub parked_ns: Option<Vec<u64>>,
    /// The sizes of tasks, in nodes.
    pub task_nodes: Quantiles,
    /// The sizes of tasks, in nanoseconds.
    pub task_ns: Quantiles,
    /// From having no work to having stolen some.
    pub steal_ns: Quantiles,
    /// From the cut of a split point to the moment a worker had left what it searched below.
    pub abort_ns: Quantiles,
    /// The same in full: each time to two significant digits, and how often it was taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub abort_counts: Vec<(u64, u64)>,
    /// How long split points waited for their last helpers.
    pub join_ns: Quantiles,
}

impl WorkerSummary {
    /// What `workers` did in a search under `options` that took so long; `None` after a serial search, which
    /// has none. Where the others were not called, for the search was over soon, the first did it all, and
    /// the others slept.
    pub fn new(options: &Options, workers: &[WorkerStats], elapsed: Duration) -> Option<Self> {
        if workers.is_empty() {
            // By fork and join the calling thread is beside those of the pool.
            let workers = options.threads + usize::from(options.method.uses_whole_pool());
            return (options.threads > 1).then(|| WorkerSummary::of(options, &alone(workers, elapsed)));
        }
        Some(WorkerSummary::of(options, workers))
    }

    /// The same with one entry for each `lanes` workers.
    #[must_use]
    pub fn by_thread(self, lanes: usize) -> Self {
        let sums =
            |list: Vec<u64>| list.chunks(lanes.max(1)).map(|of_thread| of_thread.iter().sum()).collect();
        WorkerSummary {
            busy_ns: sums(self.busy_ns),
            idle_ns: self.idle_ns.map(sums),
            stealing_ns: self.stealing_ns.map(sums),
            parked_ns: self.parked_ns.map(sums),
            ..self
        }
    }

    fn of(options: &Options, workers: &[WorkerStats]) -> Self {
        let mut together = WorkerStats::default();
        for worker in workers {
            together.add(worker);
        }
        let list = |time: fn(&WorkerStats) -> u64| workers.iter().map(time).collect::<Vec<_>>();
        let clocked = |time| (!options.method.uses_whole_pool()).then(|| list(time));
        WorkerSummary {
            splits: by_kind(&together),
            busy_ns: list(|worker| worker.times.busy),
            idle_ns: clocked(|worker| worker.times.idle),
            stealing_ns: clocked(|worker| worker.times.stealing),
            parked_ns: clocked(|worker| worker.times.parked),
            task_nodes: Quantiles::of(&together.task_nodes),
            task_ns: Quantiles::of(&together.task_ns),
            steal_ns: Quantiles::of(&together.steal_ns),
            abort_ns: Quantiles::of(&together.abort_ns),
            abort_counts: together.abort_ns.counts().collect(),
            join_ns: Quantiles::of(&together.join_ns),
        }
    }
}

/// What so many workers did in a search that the first of them did alone.
fn alone(threads: usize, elapsed: Duration) -> Vec<WorkerStats> {
    let mut workers = vec![WorkerStats::default(); threads];
    let ns = u64::try_from(elapsed.as_nanos()).unwrap_or(u64::MAX);
    for (index, worker) in workers.iter_mut().enumerate() {
        *(if index == 0 { &mut worker.times.busy } else { &mut worker.times.parked }) = ns;
    }
    workers
}

/// What a node was split in, as records and traces say it.
pub fn kind_name(kind: SplitKind) -> &'static str {
    match kind {
        SplitKind::Probing => "probing",
        SplitKind::Star1 => "star1",
        SplitKind::Decision => "decision",
    }
}

fn by_kind(worker: &WorkerStats) -> BTreeMap<String, BTreeMap<String, u64>> {
    let mut splits: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for (&(kind, depth), &count) in &worker.splits {
        splits.entry(kind_name(kind).to_owned()).or_default().insert(depth.to_string(), count);
    }
    splits
}

/// How the values in a histogram are spread, to two significant digits; without values all is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Quantiles {
    /// How many there are.
    pub count: u64,
    /// Half of them are at most this.
    pub p50: u64,
    /// Nine tenths are.
    pub p90: u64,
    /// All but one in a hundred are.
    pub p99: u64,
    /// The greatest.
    pub max: u64,
}

impl Quantiles {
    /// Those of `histogram`.
    pub fn of(histogram: &Histogram) -> Self {
        let at = |share| histogram.quantile(share);
        Quantiles {
            count: histogram.total(),
            p50: at(0.5),
            p90: at(0.9),
            p99: at(0.99),
            max: histogram.max(),
        }
    }

    /// Those of values that are there so often, as a line's `abort_counts` have them: as of the histogram
    /// they are from.
    pub fn of_counts(counts: impl IntoIterator<Item = (u64, u64)>) -> Self {
        let mut histogram = Histogram::default();
        for (value, count) in counts {
            histogram.add(value, count);
        }
        Quantiles::of(&histogram)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit::search::Method;

    fn worker(busy: u64, parked: u64) -> WorkerStats {
        let mut worker = WorkerStats::default();
        (worker.times.busy, worker.times.parked) = (busy, parked);
        worker.splits.insert((SplitKind::Star1, 7), 2);
        worker.abort_ns.add(10 * busy, 1);
        worker
    }

    #[test]
    fn workers_are_listed_and_added_up() {
        let found =
            WorkerSummary::new(&Options::default(), &[worker(3, 0), worker(5, 2)], Duration::ZERO).unwrap();
        assert_eq!((found.busy_ns, found.parked_ns), (vec![3, 5], Some(vec![0, 2])));
        assert_eq!(
            found.splits,
            BTreeMap::from([("star1".to_owned(), BTreeMap::from([("7".to_owned(), 4)]))])
        );
        assert_eq!(found.abort_ns, Quantiles { count: 2, p50: 30, p90: 50, p99: 50, max: 50 });
        assert_eq!(found.abort_ns, Quantiles::of_counts(found.abort_counts));
        assert_eq!(found.steal_ns, Quantiles::default());
        assert!(WorkerSummary::new(&Options::default(), &[], Duration::ZERO).is_none());
    }

    #[test]
    fn lanes_are_added_up_by_thread() {
        let workers = [worker(1, 0), worker(2, 3), worker(5, 0), worker(6, 1)];
        let found = WorkerSummary::new(&Options::default(), &workers, Duration::ZERO).unwrap();
        assert_eq!(found.clone().by_thread(1), found);
        let by_thread = found.clone().by_thread(2);
        assert_eq!((by_thread.busy_ns, by_thread.parked_ns), (vec![3, 11], Some(vec![3, 1])));
        assert_eq!((by_thread.splits, by_thread.abort_ns), (found.splits, found.abort_ns));
    }

    #[test]
    fn where_nobody_was_called_one_has_done_it_all() {
        let options = Options { threads: 3, ..Options::default() };
        let found = WorkerSummary::new(&options, &[], Duration::from_nanos(7)).unwrap();
        assert_eq!((found.busy_ns, found.parked_ns), (vec![7, 0, 0], Some(vec![0, 7, 7])));
        assert_eq!(found.idle_ns, Some(vec![0, 0, 0]));
    }

    #[test]
    fn what_fork_and_join_does_without_work_is_unknown() {
        let options = Options { method: Method::ForkJoin, ..Options::default() };
        let found = WorkerSummary::new(&options, &[worker(3, 0)], Duration::ZERO).unwrap();
        assert_eq!((found.busy_ns, found.idle_ns, found.parked_ns), (vec![3], None, None));
    }
}
