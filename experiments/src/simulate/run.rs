//! Simulates what is planned, several searches at once, and records each.

use crate::analysis::speedups::ContenderKind;
use crate::cli::note;
use crate::cli::progress::Progress;
use crate::question::door::{SearcherMaker, SimulatedAnswer};
use crate::question::suite::Suite;
use crate::records::line::{ContenderName, Line};
use crate::records::measured::{Measured, nanoseconds};
use crate::records::meta::{SCHEMA, Settings};
use crate::records::simulated::{SimulatedPart, WorkerSpread};
use crate::records::writer::{Records, RecordsError};
use crate::runner::race;
use crate::runner::verdict;
use crate::simulate::forecast::Forecast;
use crate::simulate::plan::{Plan, PlannedRun};
use crate::simulate::sample::Searches;
use indicatif::HumanDuration;
use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge, ParallelIterator};
use starsplit::score::Score;
use starsplit::search::{Limits, Options, StopFlag};
use starsplit::simulate::Simulation;
use starsplit::table::Table;
use starsplit_tables::AnyTable;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What the records call it.
pub(super) const EXPERIMENT: &str = "simulate";

/// What is asked for.
pub(super) struct Asked<'a> {
    pub(super) suite: Suite,
    pub(super) plan: Plan,
    /// What the options of all searches have in common.
    pub(super) base: Options,
    pub(super) settings: Settings,
    /// The scores that the first positions have to have.
    pub(super) expected: &'a [Score],
}

/// What simulates it.
pub(super) struct Bench<'a> {
    pub(super) asked: &'a Asked<'a>,
    pub(super) maker: &'a dyn SearcherMaker,
    /// One for each job that runs at once.
    pub(super) tables: &'a [AnyTable],
    /// Ends everything when it is raised.
    pub(super) stop: &'a StopFlag,
    pub(super) book: Mutex<Book>,
}

/// What changes while the simulations run.
pub(super) struct Book {
    records: Records,
    /// Every search that is recorded, be it by an earlier run.
    kept: Searches,
    forecast: Forecast,
    progress: Progress,
}

impl Book {
    /// Before the first simulation, where some searches are `kept` already.
    ///
    /// # Errors
    /// When what is planned cannot be recorded.
    pub(super) fn new(mut records: Records, kept: Searches, plan: &Plan) -> Result<Self, RecordsError> {
        let (planned, done) = plan.count(&kept);
        records.plan(Some(plan.positions.len()), planned - done)?;
        let progress = Progress::from(EXPERIMENT, done as u64, planned as u64);
        Ok(Book { records, kept, forecast: Forecast::default(), progress })
    }
}

impl Bench<'_> {
    /// Simulates everything that is not recorded already, and returns all that is.
    ///
    /// First all serial searches, then the parallel ones: the position with the largest search first, so that
    /// no long one is left alone at the end, and position after position, so that whatever ends this leaves
    /// whole positions.
    ///
    /// # Errors
    /// Whatever ends a search with an error, and when a record cannot be written.
    pub(super) fn run(self) -> anyhow::Result<Searches> {
        let pool = ThreadPoolBuilder::new().num_threads(self.tables.len()).build()?;
        let plan = &self.asked.plan;
        self.book().progress.say("serial searches".to_owned());
        // Each thread takes the next item in turn, and all end early when one fails.
        pool.install(|| {
            plan.positions.iter().par_bridge().try_for_each(|&position| {
                let runs = plan.at(position);
                runs.iter().take_while(|run| run.seed.is_none()).try_for_each(|run| self.settle(run))
            })?;
            self.parallel_runs().iter().par_bridge().try_for_each(|run| self.settle(run))
        })?;
        let Book { kept, forecast, .. } = self.book.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (runs, events, seconds) = forecast.spent();
        if runs > 0 {
            let rate = events as f64 / seconds / 1e6;
            note(format_args!(
                "{EXPERIMENT}: {runs} parallel searches, {rate:.1} million events a second and job"
            ));
        }
        Ok(kept)
    }

    /// The parallel searches that are to be done, of the positions whose serial searches are.
    fn parallel_runs(&self) -> Vec<PlannedRun> {
        let plan = &self.asked.plan;
        let Book { kept, forecast, .. } = &mut *self.book();
        let nodes = |run: &PlannedRun| plan.find(kept, run).map(|found| found.run.nodes);
        let size = |position: usize| plan.at(position).iter().find_map(nodes);
        let mut positions = plan.positions.clone();
        positions.sort_by_cached_key(|&position| (Reverse(size(position)), position));
        // What models share is searched once: two jobs would do it at the same time.
        let (mut left, mut listed) = (Vec::new(), BTreeSet::new());
        for run in positions.into_iter().flat_map(|position| plan.at(position)) {
            if run.seed.is_some()
                && nodes(&run).is_none()
                && let Some(nodes) = nodes(&plan.serial_of(&run))
                && listed.insert(plan.key(&run))
            {
                forecast.plan((run.model, run.place), nodes);
                left.push(run);
            }
        }
        left
    }

    /// Sees to it that the search is recorded, unless it is stopped before its end. What the report needs of
    /// it is read back from its line: so the figures are those of the records, whoever made them.
    fn settle(&self, run: &PlannedRun) -> anyhow::Result<()> {
        let plan = &self.asked.plan;
        if self.stop.is_raised() || plan.find(&self.book().kept, run).is_some() {
            return Ok(());
        }
        let start = Instant::now();
        let (simulated, measured) = self.simulate(run)?;
        if measured.stopped {
            return Ok(());
        }
        let took = start.elapsed();
        let (events, own_nodes) = (simulated.events, measured.nodes);
        let book = &mut *self.book();
        let serial = plan.find(&book.kept, &plan.serial_of(run));
        let nodes = serial.map_or(own_nodes, |serial| serial.run.nodes);
        let line = book.records.append(&self.line(&book.kept, run, simulated, measured))?;
        book.kept.add(line).map_err(anyhow::Error::msg)?;
        if run.seed.is_some() {
            book.forecast.done((run.model, run.place), nodes, events, took);
        }
        book.progress.advance();
        if let Some(left) = book.forecast.left(self.tables.len()) {
            book.progress.say(format!("{} left", HumanDuration(left)));
        }
        Ok(())
    }

    /// One search with the cleared table of this thread: what its line says of it, and what of any search.
    fn simulate(&self, run: &PlannedRun) -> anyhow::Result<(SimulatedPart, Measured)> {
        let table = &self.tables[rayon::current_thread_index().unwrap_or_default()];
        table.clear(1);
        let Asked { suite, plan, base, settings, .. } = self.asked;
        let options = race::options(&plan.contenders[run.place], base);
        let model = &plan.models[run.model];
        let costs = model.on(options.threads);
        let searcher = self.maker.searcher(table, options, None);
        let limits = Limits::depth(settings.depth).with_stop(self.stop.clone());
        let simulation = Simulation { costs: costs.into(), seed: run.seed.unwrap_or_default() };
        let SimulatedAnswer { result: answer, events, span, .. } =
            searcher.simulate(&suite.positions[run.position], &limits, &simulation)?;
        let mut measured = Measured::new(searcher.grid(), searcher.options(), &answer, answer.elapsed);
        // The lists of a thousand workers would fill a line of a hundred kilobytes.
        let workers = measured.workers.take().map(|workers| WorkerSpread::of(&workers));
        let (model, span_ns) = (model.name.clone(), span.map(nanoseconds));
        Ok((SimulatedPart { model, costs, seed: run.seed, events, span_ns, workers }, measured))
    }

    /// The line of a search, with what is wrong with it beside what is `kept`.
    fn line(&self, kept: &Searches, run: &PlannedRun, simulated: SimulatedPart, search: Measured) -> Line {
        let Asked { suite, plan, base, settings, expected } = self.asked;
        let ContenderKind { role, ordering, threads } = plan.contenders[run.place];
        let told = expected.get(run.position).copied();
        // What the first search of a position finds is what all others have to find.
        let first = plan.find(kept, &PlannedRun { model: 0, place: 0, seed: None, ..*run });
        let expected = told.or_else(|| first.map_or(search.score, |first| first.run.score));
        let serial = plan.find(kept, &plan.serial_of(run)).filter(|_| threads == 1);
        let error = verdict::fault(&search, expected).or_else(|| {
            let serial = serial.filter(|serial| serial.run.nodes != search.nodes)?;
            Some(format!("{} nodes, expected {} as in the serial search", search.nodes, serial.run.nodes))
        });
        Line {
            schema: SCHEMA,
            game: suite.door.game().to_owned(),
            index: run.position + 1,
            position: suite.positions[run.position].text.clone(),
            contender: ContenderName {
                algorithm: base.algorithm.name().to_owned(),
                method: role.name().to_owned(),
                table_use: base.table_use.name().to_owned(),
                ordering: ordering.name().to_owned(),
                threads,
                ..ContenderName::default()
            },
            repeat: 1,
            depth: settings.depth,
            simulated: Some(simulated),
            search,
            expected,
            error,
            ..Line::default()
        }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
