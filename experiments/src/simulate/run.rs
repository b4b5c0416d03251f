//! Simulates what is planned, several searches at once, and records each.

use crate::analysis::speedups::ContenderKind;
use crate::cli::progress::Progress;
use crate::question::door::{SearcherMaker, SimulatedAnswer};
use crate::question::suite::Suite;
use crate::records::line::{ContenderName, Line};
use crate::records::measured::Measured;
use crate::records::meta::SCHEMA;
use crate::records::simulated::{SimulatedPart, WorkerSpread};
use crate::records::writer::Records;
use crate::runner::verdict;
use crate::simulate::forecast::Forecast;
use crate::simulate::model::Model;
use crate::simulate::plan::{Plan, PlannedRun};
use crate::simulate::sample::Searches;
use indicatif::HumanDuration;
use rayon::{ThreadPool, ThreadPoolBuilder};
use starsplit::score::Score;
use starsplit::search::{Limits, Options, StopFlag};
use starsplit::simulate::Simulation;
use starsplit::table::Table;
use starsplit_tables::AnyTable;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What is simulated, and with what.
#[derive(Debug)]
pub(super) struct Bench<'a> {
    pub(super) plan: &'a Plan,
    pub(super) suite: &'a Suite,
    pub(super) maker: &'a dyn SearcherMaker,
    /// What the options of all searches have in common.
    pub(super) base: &'a Options,
    pub(super) depth: u32,
    /// The scores that the first positions have to have.
    pub(super) expected: &'a [Score],
    /// One for each job that runs at once.
    pub(super) tables: &'a [AnyTable],
    /// Ends everything when it is raised.
    pub(super) stop: &'a StopFlag,
}

/// What a simulation tells of a search beside what any search does.
#[derive(Clone, Copy, Debug)]
struct Clocked {
    events: u64,
    span_ns: Option<u64>,
}

/// What changes while the simulations run.
struct SimulationBook {
    records: Records,
    kept: Searches,
    forecast: Forecast,
    /// How many of the planned searches are done.
    done: u64,
}

struct SimulationRunner<'a> {
    bench: &'a Bench<'a>,
    book: Mutex<SimulationBook>,
    progress: Progress,
}

/// What is there at the end.
#[derive(Debug)]
pub(super) struct SimulationEnd {
    /// Every search that is recorded, be it by an earlier run.
    pub(super) kept: Searches,
    /// How many searches, events and seconds of all jobs this run took.
    pub(super) spent: (u64, u64, f64),
}

impl Bench<'_> {
    /// Simulates everything that is not among what is `kept` already.
    ///
    /// # Errors
    /// Whatever ends a search with an error, and when a record cannot be written.
    pub(super) fn run(&self, mut records: Records, kept: Searches) -> anyhow::Result<SimulationEnd> {
        let planned = self.plan.runs().count() as u64;
        let done = self.plan.runs().filter(|run| kept.all.contains_key(&self.plan.key(run))).count() as u64;
        records.plan(Some(self.plan.positions.len()), (planned - done) as usize)?;
        let progress = Progress::from("simulate", done, planned);
        let book = Mutex::new(SimulationBook { records, kept, forecast: Forecast::default(), done });
        let runner = SimulationRunner { bench: self, book, progress };
        runner.run_all()?;
        let SimulationBook { kept, forecast, .. } =
            runner.book.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(SimulationEnd { kept, spent: forecast.spent() })
    }
}

impl SimulationRunner<'_> {
    /// First all serial searches, then the parallel ones: the position with the largest search first, so that
    /// no long one is left alone at the end, and position after position, so that whatever ends this leaves
    /// whole positions.
    fn run_all(&self) -> anyhow::Result<()> {
        let Bench { plan, tables, .. } = *self.bench;
        let pool = ThreadPoolBuilder::new().num_threads(tables.len()).build()?;
        self.progress.say("serial searches".to_owned());
        self.in_order(&pool, &plan.positions, |&position, table| {
            plan.serial(position).try_for_each(|run| self.settle(&run, table))
        })?;
        let runs = self.parallel_runs();
        self.in_order(&pool, &runs, |run, table| self.settle(run, table))
    }

    /// Does `work` with every item in turn, each on whichever thread is free; ends early when it is stopped
    /// or fails.
    fn in_order<T: Sync>(
        &self,
        pool: &ThreadPool,
        items: &[T],
        work: impl Fn(&T, &AnyTable) -> anyhow::Result<()> + Sync,
    ) -> anyhow::Result<()> {
        let next = AtomicUsize::new(0);
        let ends = pool.broadcast(|context| {
            let table = &self.bench.tables[context.index()];
            while !self.bench.stop.is_raised() {
                // Relaxed, here and below: the number is all that is shared.
                let Some(item) = items.get(next.fetch_add(1, Relaxed)) else { break };
                if let Err(error) = work(item, table) {
                    next.store(items.len(), Relaxed);
                    return Err(error);
                }
            }
            Ok(())
        });
        ends.into_iter().collect()
    }

    /// The parallel searches that are to be done, of the positions whose serial searches are.
    fn parallel_runs(&self) -> Vec<PlannedRun> {
        let plan = self.bench.plan;
        let mut book = self.book();
        let nodes = |book: &SimulationBook, run: &PlannedRun| {
            book.kept.all.get(&plan.key(run)).map(|serial| serial.run.nodes)
        };
        let size = |&position: &usize| plan.serial(position).find_map(|run| nodes(&book, &run));
        let mut positions: Vec<(u64, usize)> = Vec::new();
        for &position in &plan.positions {
            positions.extend(size(&position).map(|nodes| (nodes, position)));
        }
        positions.sort_by_key(|&(nodes, position)| (std::cmp::Reverse(nodes), position));
        let runs = positions.into_iter().flat_map(|(_, position)| plan.parallel(position));
        let mut left = Vec::new();
        for run in runs.filter(|run| !book.kept.all.contains_key(&plan.key(run))) {
            if let Some(nodes) = nodes(&book, &plan.serial_of(&run)) {
                left.push((run, nodes));
            }
        }
        left.iter().for_each(|&(run, nodes)| book.forecast.plan((run.model, run.place), nodes));
        left.into_iter().map(|(run, _)| run).collect()
    }

    /// Sees to it that the search is recorded, unless it is stopped before its end.
    fn settle(&self, run: &PlannedRun, table: &AnyTable) -> anyhow::Result<()> {
        if self.bench.stop.is_raised() || self.book().kept.all.contains_key(&self.bench.plan.key(run)) {
            return Ok(());
        }
        let start = Instant::now();
        let (clocked, measured) = self.simulate(run, table)?;
        if measured.stopped {
            return Ok(());
        }
        let took = start.elapsed();
        let mut book = self.book();
        let nodes = book.kept.all.get(&self.bench.plan.key(&self.bench.plan.serial_of(run)));
        let nodes = nodes.map_or(measured.nodes, |serial| serial.run.nodes);
        self.record(&mut book, run, clocked, measured)?;
        if run.seed.is_some() {
            book.forecast.done((run.model, run.place), nodes, clocked.events, took);
        }
        book.done += 1;
        self.progress.reach(book.done);
        if let Some(left) = book.forecast.left(self.bench.tables.len()) {
            self.progress.say(format!("{} left", HumanDuration(left)));
        }
        Ok(())
    }

    /// One search with a cleared table.
    fn simulate(&self, run: &PlannedRun, table: &AnyTable) -> anyhow::Result<(Clocked, Measured)> {
        let Bench { plan, suite, maker, base, depth, stop, .. } = *self.bench;
        table.clear(1);
        let options = plan.options(run, base);
        let costs = plan.models[run.model].on(options.threads).into();
        let searcher = maker.searcher(table, options, None);
        let limits = Limits::depth(depth).with_stop(stop.clone());
        let simulation = Simulation { costs, seed: run.seed.unwrap_or_default() };
        let entry = &suite.positions[run.position];
        let SimulatedAnswer { answer, events, span, .. } = searcher.simulate(entry, &limits, &simulation)?;
        let clocked = Clocked { events, span_ns: span.map(|span| span.as_nanos() as u64) };
        Ok((clocked, Measured::new(searcher.grid(), searcher.options(), &answer, answer.elapsed)))
    }

    /// Writes the line of a search and keeps what the report needs of it, read back from the line: so the
    /// figures are those of the records, whoever made them.
    fn record(
        &self,
        book: &mut SimulationBook,
        run: &PlannedRun,
        clocked: Clocked,
        mut measured: Measured,
    ) -> anyhow::Result<()> {
        let Bench { plan, suite, base, depth, .. } = *self.bench;
        let ContenderKind { role, ordering, threads } = plan.contenders[run.place];
        let first = plan.serial(run.position).next().and_then(|first| book.kept.all.get(&plan.key(&first)));
        // The first serial search has nobody before it.
        let told = self.bench.expected.get(run.position).copied();
        let expected = told.or_else(|| first.map_or(measured.score, |first| first.run.score));
        let serial = book.kept.all.get(&plan.key(&plan.serial_of(run)));
        let error = verdict::fault(&measured, expected).or_else(|| {
            let serial = serial.filter(|serial| threads == 1 && serial.run.nodes != measured.nodes)?;
            Some(format!("{} nodes, expected {} as in the serial search", measured.nodes, serial.run.nodes))
        });
        let line = Line {
            probe_ns: None,
            schema: SCHEMA,
            game: suite.door.game().to_owned(),
            index: run.position + 1,
            position: suite.positions[run.position].text.clone(),
            contender: ContenderName {
                variant: None,
                algorithm: base.algorithm.name().to_owned(),
                method: role.name().to_owned(),
                table_use: base.table_use.name().to_owned(),
                ordering: ordering.name().to_owned(),
                history: String::new(),
                threads,
            },
            copy: None,
            repeat: 1,
            depth,
            simulated: Some(part(&plan.models[run.model], run.seed, clocked, &mut measured)),
            search: measured,
            expected,
            error,
        };
        let line = book.records.append(&line)?;
        book.kept.add(line).map_err(anyhow::Error::msg)?;
        Ok(())
    }

    fn book(&self) -> MutexGuard<'_, SimulationBook> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a line says of a search under `model` beside what it says of any. The workers' lists are taken out of
/// `measured`: a thousand workers would fill a line of a hundred kilobytes.
fn part(model: &Model, seed: Option<u64>, clocked: Clocked, measured: &mut Measured) -> SimulatedPart {
    let processors = measured.workers.as_ref().map_or(1, |workers| workers.busy_ns.len());
    let workers = measured.workers.take().map(|workers| WorkerSpread::of(&workers));
    let Clocked { events, span_ns } = clocked;
    SimulatedPart { model: model.name.clone(), costs: model.on(processors), seed, events, span_ns, workers }
}
