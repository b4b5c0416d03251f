//! Searches that are measured, each with a cleared table, and what records keep of them: the numbers of a
//! line, by the names in `experiments/schema/line.json`. `starsplit/recording.py` adds the rest.

use crate::bad;
use crate::searcher::{Searcher, attached_threads};
use crate::state::State;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict};
use starsplit::Pool;
use starsplit::score::Grid;
use starsplit::search::{
    LaneOptions, Limits, Options, SiblingBatch, Splits, Stats, Times, TunedSettings, WorkerStats,
};
use starsplit::simulate::{CostModel, Simulation};
use starsplit_doors::door::{Answer, SimulatedAnswer};
use starsplit_options::{DECLARED, OptionValue};
use starsplit_statistics::bootstrap::{self, Interval};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The searches that `starsplit.scaling` measures, each with a cleared table and without lanes, on the
/// threads that it is told, or serially where it is told None. What comes of one is a dictionary: the numbers
/// of a line of records, by the names in `experiments/schema/line.json`.
#[pyclass(frozen, module = "starsplit")]
pub(crate) struct Bench {
    searcher: Py<Searcher>,
    /// What the options of all searches have in common.
    base: Options,
    /// Threads that were started, by their number. They stay, so that no measured time contains a start.
    pools: Mutex<BTreeMap<usize, Pool>>,
}

/// What events cost on a virtual processor.
#[derive(Clone, Copy, FromPyObject)]
#[pyo3(from_item_all)]
struct Costs {
    node: u32,
    evaluation: u32,
    table: u32,
    poll: u32,
    split: u32,
    steal: u32,
    failed_steal: u32,
    wake: u32,
    wake_latency: u32,
}

impl From<Costs> for CostModel {
    fn from(costs: Costs) -> Self {
        let Costs { node, evaluation, table, poll, split, steal, failed_steal, wake, wake_latency } = costs;
        CostModel { node, evaluation, table, poll, split, steal, failed_steal, wake, wake_latency }
    }
}

/// What events cost on a virtual processor, by the model's name.
#[pyfunction]
pub(crate) fn cost_models(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let costs = |model: CostModel| {
        let CostModel { node, evaluation, table, poll, split, steal, failed_steal, wake, wake_latency } = model;
        let cheap = [("node", node), ("evaluation", evaluation), ("table", table), ("poll", poll)];
        let dear = [("split", split), ("steal", steal), ("failed_steal", failed_steal)];
        let waking = [("wake", wake), ("wake_latency", wake_latency)];
        cheap.into_iter().chain(dear).chain(waking).into_py_dict(py)
    };
    [("unit", costs(CostModel::UNIT)?), ("free", costs(CostModel::FREE)?)].into_py_dict(py)
}

/// A fingerprint as records have it: FNV-1a, 64 bits, hexadecimal.
#[pyfunction]
pub(crate) fn fingerprint(data: &[u8]) -> String {
    starsplit_games::fingerprint(data)
}

/// The 95% percentile-bootstrap interval of the median, as reports have it; None of fewer than six samples.
#[pyfunction]
pub(crate) fn median_interval(samples: Vec<f64>) -> Option<(f64, f64)> {
    bootstrap::median_interval(&samples).map(|Interval { low, high }| (low, high))
}

impl Bench {
    /// The options of a search on so many threads, or of the serial search. One thread takes the parallel
    /// code, too, so that its cost is seen.
    fn options(&self, threads: Option<usize>) -> PyResult<Options> {
        let splits = Splits { alone: threads.is_some(), ..self.base.splits };
        let options = Options { threads: threads.unwrap_or(1), splits, ..self.base.clone() };
        options.check().map_err(bad)?;
        Ok(options)
    }

    fn pool(&self, threads: usize) -> PyResult<Option<Pool>> {
        if threads == 1 {
            return Ok(None);
        }
        let mut pools = self.pools.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = pools.get(&threads) {
            return Ok(Some(pool.clone()));
        }
        let pool = attached_threads(threads).map_err(bad)?;
        pools.insert(threads, pool.clone());
        Ok(Some(pool))
    }

    /// The state as this searcher may search it, with the limits of a whole search.
    fn asked(&self, state: &Bound<'_, PyAny>, depth: u32) -> PyResult<(State, Limits)> {
        let searcher = self.searcher.get();
        let state = searcher.own_state(state)?;
        Ok((state, Limits::depth(depth).with_stop(searcher.session.stop_flag().clone())))
    }
}

#[pymethods]
impl Bench {
    #[new]
    fn new(searcher: Py<Searcher>) -> Self {
        let base = searcher.get().session.options();
        // Else the costs that an evaluator declares may choose lanes and batches, which virtual processors do
        // not have.
        let lanes = LaneOptions { count: Some(1), sibling_batch: SiblingBatch::None, ..base.lanes };
        Bench { searcher, base: Options { lanes, ..base }, pools: Mutex::default() }
    }

    /// A search in real time; `wall_ns` is in nanoseconds.
    fn measure<'py>(
        &self,
        py: Python<'py>,
        state: &Bound<'py, PyAny>,
        depth: u32,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (options, (state, limits)) = (self.options(threads)?, self.asked(state, depth)?);
        let pool = self.pool(options.threads)?;
        let searcher = self.searcher.get();
        let session = &searcher.session;
        let timed = searcher.watched(py, &state, || {
            searcher.forget();
            session.searcher(options.clone(), pool.as_ref()).search(&state.entry, &limits, &mut |_| {})
        })?;
        let (grid, assumed) = (session.grid(), &searcher.assumed[..]);
        Measured { options: &options, grid, answer: &timed.answer, wall: timed.wall(), assumed }.line(py)
    }

    /// A SIMULATED search in virtual time; `wall_ns` is in units of the costs. Of `simulated` it has what
    /// only the search knows.
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        state: &Bound<'py, PyAny>,
        depth: u32,
        processors: Option<usize>,
        costs: Costs,
        seed: u64,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (options, (state, limits)) = (self.options(processors)?, self.asked(state, depth)?);
        let simulation = Simulation { costs: costs.into(), seed };
        let searcher = self.searcher.get();
        let session = &searcher.session;
        let found = searcher.watched(py, &state, || {
            searcher.forget();
            session.searcher(options.clone(), None).simulate(&state.entry, &limits, &simulation)
        })?;
        let SimulatedAnswer { result: answer, events, span, .. } = &found;
        let measured = Measured {
            options: &options,
            grid: session.grid(),
            answer,
            wall: answer.elapsed,
            assumed: &searcher.assumed,
        };
        let line = measured.line(py)?;
        let simulated = PyDict::new(py);
        simulated.set_item("events", events)?;
        simulated.set_item("span_ns", span.map(nanoseconds))?;
        simulated.set_item("workers", measured.spread(py)?)?;
        line.set_item("simulated", simulated)?;
        Ok(line)
    }

    /// What tells a state of a game written in Python from others, None of other games; and 1, or -1 where
    /// what is worth something to whoever's turn it is is worth the opposite to player 0.
    fn key_and_sign(&self, state: &Bound<'_, PyAny>) -> PyResult<(Option<String>, i32)> {
        let state = self.searcher.get().own_state(state)?;
        Ok((state.own_key(), state.sign()))
    }

    /// What records say of the options, and whether the method `can_be_simulated`.
    fn options_in_words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Options { algorithm, table_use, ordering, method, .. } = self.base;
        let words = PyDict::new(py);
        words.set_item("algorithm", algorithm.name())?;
        words.set_item("table_use", table_use.name())?;
        words.set_item("ordering", ordering.name())?;
        words.set_item("method", method.name())?;
        words.set_item("can_be_simulated", !method.uses_whole_pool())?;
        words.set_item("tuning", tuning(py, &self.base)?)?;
        Ok(words)
    }
}

/// A search that has ended.
struct Measured<'a> {
    options: &'a Options,
    grid: Grid,
    answer: &'a Answer,
    wall: Duration,
    /// The prices that nobody declared.
    assumed: &'a [&'static str],
}

impl Measured<'_> {
    /// What a line says of the search.
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Answer { stats: Stats { nodes, ends, table, split, .. }, bounds, depth, .. } = self.answer;
        let score = self.answer.score();
        let counts = [
            ("wall_ns", nanoseconds(self.wall)),
            ("nodes", nodes.total()),
            ("decision_nodes", nodes.decision),
            ("chance_nodes", nodes.chance),
            ("leaves", nodes.leaf),
            ("evaluations", nodes.evaluations),
            ("successor_probes", nodes.successor_probes),
            ("star2_probes", nodes.star2_probes),
            ("collapsed", nodes.collapsed),
            ("static_cutoffs", nodes.static_cutoffs),
            ("move_probes", nodes.move_probes),
        ];
        let line = counts.into_py_dict(py)?;
        line.set_item("ends", ends.named().into_py_dict(py)?)?;
        line.set_item("table", table.named().into_py_dict(py)?)?;
        // Duplicate nodes are not counted here.
        let split = split.named().filter(|(name, _)| *name != "duplicate_nodes");
        line.set_item("split", split.into_py_dict(py)?)?;
        for (name, times) in self.times() {
            line.set_item(name, times.map(|times| times.iter().sum::<u64>()))?;
        }
        line.set_item("workers", py.None())?;
        line.set_item("chosen", chosen(py, &self.answer.chosen, self.assumed)?)?;
        line.set_item("completed_depth", depth)?;
        line.set_item("value", score.map(|score| self.grid.value(score)))?;
        line.set_item("score", score)?;
        line.set_item("lower", bounds.lower)?;
        line.set_item("upper", bounds.upper)?;
        line.set_item("stopped", self.answer.was_stopped())?;
        line.set_item("iterations", self.iterations(py)?)?;
        Ok(line)
    }

    fn iterations<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let one = |iteration: &starsplit::search::Iteration<String, String>| {
            let nodes = iteration.stats.nodes;
            let counts = [
                ("depth", u64::from(iteration.depth)),
                ("nodes", nodes.total()),
                ("evaluations", nodes.evaluations),
                ("wall_ns", nanoseconds(iteration.elapsed)),
            ];
            counts.into_py_dict(py)
        };
        self.answer.iterations.iter().map(one).collect()
    }

    /// What each worker did for how long, where there are workers and the method clocks it.
    fn times(&self) -> [(&'static str, Option<Vec<u64>>); 4] {
        let workers = self.workers();
        let clocks_all = !self.options.method.uses_whole_pool();
        let list = |is_clocked: bool, time: fn(&Times) -> u64| {
            (is_clocked && !workers.is_empty()).then(|| workers.iter().map(time).collect())
        };
        [
            ("busy_ns", list(true, |times| times.busy)),
            ("idle_ns", list(clocks_all, |times| times.idle)),
            ("stealing_ns", list(clocks_all, |times| times.stealing)),
            ("parked_ns", list(clocks_all, |times| times.parked)),
        ]
    }

    /// The workers of a parallel search. Where the others were not called, for the search was over soon, the
    /// first did it all, and the others slept.
    fn workers(&self) -> Vec<Times> {
        let workers = &self.answer.workers;
        let Options { threads, method, .. } = *self.options;
        if !workers.is_empty() || threads == 1 {
            return workers.iter().map(|worker: &WorkerStats| worker.times).collect();
        }
        let elapsed = nanoseconds(self.answer.elapsed);
        // By fork and join the calling thread is beside those of the pool.
        let others = threads - 1 + usize::from(method.uses_whole_pool());
        let (mut parked, mut busy) = (Times::default(), Times::default());
        (parked.parked, busy.busy) = (elapsed, elapsed);
        let mut times = vec![parked; others];
        times.push(busy);
        times
    }

    /// How the workers of a simulated search differ; none of a serial one.
    fn spread<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let spread = PyDict::new(py);
        let [busy, idle, stealing, _] = self.times();
        if busy.1.is_none() {
            return Ok(None);
        }
        for (name, times) in [busy, idle, stealing] {
            spread.set_item(name, range(times.unwrap_or_default()).into_py_dict(py)?)?;
        }
        Ok(Some(spread))
    }
}

/// The least, the middle (of two the lower) and the greatest; 0 of none.
fn range(mut figures: Vec<u64>) -> [(&'static str, u64); 3] {
    figures.sort_unstable();
    let last = figures.len().saturating_sub(1);
    let at = |place: usize| figures.get(place).copied().unwrap_or_default();
    [("min", at(0)), ("median", at(last / 2)), ("max", at(last))]
}

/// The parameters of searches under these options: those that records always have, and those that are others
/// than usual.
fn tuning<'py>(py: Python<'py>, options: &Options) -> PyResult<Bound<'py, PyDict>> {
    let tuning = PyDict::new(py);
    for declared in DECLARED.iter().filter(|declared| declared.is_recorded(options)) {
        match declared.get(options) {
            OptionValue::Number(number) => tuning.set_item(declared.name, number)?,
            OptionValue::Switch(is_on) => tuning.set_item(declared.name, is_on)?,
            OptionValue::Name(name) => tuning.set_item(declared.name, name)?,
            auto @ OptionValue::Auto => tuning.set_item(declared.name, auto.to_string())?,
        }
    }
    Ok(tuning)
}

fn chosen<'py>(py: Python<'py>, chosen: &TunedSettings, assumed: &[&str]) -> PyResult<Bound<'py, PyDict>> {
    let words = PyDict::new(py);
    words.set_item("chance_table_depth", chosen.chance_table_depth)?;
    words.set_item("decision_table_depth", chosen.decision_table_depth)?;
    words.set_item("remember_evaluations", chosen.remembers_evaluations)?;
    words.set_item("evaluation_ns", chosen.evaluation_ns)?;
    words.set_item("successor_ns", chosen.successor_ns)?;
    let is_of_evaluation = |name: &&str| *name != "successor_cost";
    let evaluation = assumed.iter().any(is_of_evaluation) || chosen.evaluation_assumed;
    let successors = assumed.contains(&"successor_cost") || chosen.successors_assumed;
    let named = [("evaluation", evaluation), ("successors", successors)];
    let named: Vec<_> =
        named.into_iter().filter(|&(_, is_assumed)| is_assumed).map(|(name, _)| name).collect();
    if !named.is_empty() {
        words.set_item("assumed", named)?;
    }
    words.set_item("split_depth", chosen.split_depth)?;
    words.set_item("split_size", chosen.split_size)?;
    // As a list: bytes would be none of JSON.
    let listed = |depths: &[u8]| depths.iter().copied().map(u32::from).collect::<Vec<_>>();
    words.set_item("statically_ranked", listed(&chosen.statically_ranked))?;
    if !chosen.shares_asked.is_empty() {
        words.set_item("shares_asked", listed(&chosen.shares_asked))?;
    }
    Ok(words)
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
