//! A contest: contenders that search the same positions in turn, with verdicts and records. What `compare` and
//! `scaling` share.

use crate::costs::{Cost, Costs};
use crate::efforts::Efforts;
use crate::measure::{Measured, measure};
use crate::progress::Progress;
use crate::records::{Records, SCHEMA, Sample};
use crate::suite::{Entry, Suite};
use crate::together::measure_together;
use crate::turns::in_turn;
use crate::verdict::Verdicts;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::games::dice::Dice;
use starsplit::search::{Limits, Method, Options, SearchError, StopFlag};
use starsplit::table::LocklessTable;
use std::path::PathBuf;

/// How deep the search is that wakes threads and touches code before anything is measured.
const WARM_UP_DEPTH: u32 = 5;

/// A way to search Dice with a table that contenders share.
pub type DiceSearcher<'t, E> = Searcher<Dice, E, &'t LocklessTable>;

/// A search that takes its turn at every position, or several that take it together.
#[derive(Debug)]
pub struct Contender<'t, E> {
    /// How it uses threads, as the records say it.
    pub method: &'static str,
    /// The search.
    pub searcher: DiceSearcher<'t, E>,
    /// Searches of the same position that run at the same time, independent and each with a table of its own.
    pub beside: Vec<DiceSearcher<'t, E>>,
}

impl<'t, E: Evaluator<Dice>> Contender<'t, E> {
    /// A contender of one search.
    pub fn new(method: &'static str, searcher: DiceSearcher<'t, E>) -> Self {
        Contender { method, searcher, beside: Vec::new() }
    }

    /// How many threads work when it is its turn.
    pub fn threads(&self) -> usize {
        self.searcher.options().threads * (1 + self.beside.len())
    }

    /// Searches the position a little way, so that its threads have run before they are measured.
    fn warm_up(&self, entry: &Entry, limits: &Limits) -> Result<(), SearchError> {
        let shallow = Limits { depth: limits.depth.min(WARM_UP_DEPTH), ..limits.clone() };
        self.searcher.search_within(&entry.position, &shallow).map(drop)
    }

    /// Searches the position, which takes one search or several at once.
    fn measure(&self, entry: &Entry, limits: &Limits) -> Result<Vec<Measured>, SearchError> {
        if self.beside.is_empty() {
            return Ok(vec![measure(&self.searcher, &entry.position, limits)?]);
        }
        let all: Vec<_> = std::iter::once(&self.searcher).chain(&self.beside).collect();
        measure_together(&all, &entry.position, limits)
    }
}

/// `options` for a parallel search. One thread takes the parallel code too, so that its cost is seen.
#[must_use]
pub fn in_parallel(options: Options, method: Method, threads: usize) -> Options {
    Options { method, threads, split_alone: true, ..options }
}

/// What is searched, and how often.
#[derive(Clone, Debug)]
pub struct Contest<'a> {
    /// The experiment's name.
    pub experiment: &'static str,
    /// The positions.
    pub suite: &'a Suite,
    /// The depth of every search.
    pub depth: u32,
    /// How often every contender searches every position.
    pub repeat: u64,
    /// Ends the contest when it is raised.
    pub stop: &'a StopFlag,
}

/// What a contest ended with.
#[derive(Debug)]
pub struct Outcome {
    /// The costs of the runs without error.
    pub costs: Costs,
    /// What the workers of the parallel ones among them did.
    pub efforts: Efforts,
    /// Whether all searches found the same value of each position.
    pub verdicts: Verdicts,
    /// Whether the contest was stopped before its end.
    pub stopped: bool,
    /// Where the records are.
    pub folder: PathBuf,
}

impl Contest<'_> {
    /// Lets the contenders search position after position, in turn, in an order that differs from round to round
    /// ([`in_turn`]). Before that each takes a short look at the first position, which is not measured. The score that
    /// the first of them finds at a position is the one expected of all.
    ///
    /// # Errors
    /// Whatever ends a search with an error, and when a record cannot be written.
    pub fn run<E: Evaluator<Dice>>(
        &self,
        contenders: &[Contender<'_, E>],
        records: Records,
    ) -> anyhow::Result<Outcome> {
        let positions = self.suite.positions.len();
        let runs = positions as u64 * contenders.len() as u64 * self.repeat;
        let mut runner = Runner {
            contest: self,
            limits: Limits::depth(self.depth).with_stop(self.stop.clone()),
            records,
            progress: Progress::new(self.experiment, runs),
            costs: Costs::new(contenders.len(), positions),
            efforts: Efforts::new(contenders.len(), positions),
            verdicts: Verdicts::new(positions),
        };
        let stopped = runner.run_all(contenders)?;
        let Runner { records, costs, efforts, verdicts, .. } = runner;
        Ok(Outcome { costs, efforts, verdicts, stopped, folder: records.path().to_owned() })
    }
}

struct Runner<'a> {
    contest: &'a Contest<'a>,
    limits: Limits,
    records: Records,
    progress: Progress,
    costs: Costs,
    efforts: Efforts,
    verdicts: Verdicts,
}

/// Whose turn it is, and where.
#[derive(Clone, Copy)]
struct Turn<'a, 't, E> {
    contender: &'a Contender<'t, E>,
    /// The contender's number.
    place: usize,
    /// The position's number.
    index: usize,
    repeat: usize,
}

impl Runner<'_> {
    /// Runs everything; whether it was stopped before the end.
    fn run_all<E: Evaluator<Dice>>(&mut self, contenders: &[Contender<'_, E>]) -> anyhow::Result<bool> {
        if let Some(first) = self.contest.suite.positions.first() {
            contenders.iter().try_for_each(|contender| contender.warm_up(first, &self.limits))?;
        }
        for repeat in 0..self.contest.repeat as usize {
            for index in 0..self.contest.suite.positions.len() {
                for place in in_turn(contenders.len(), repeat) {
                    let turn = Turn { contender: &contenders[place], place, index, repeat };
                    if !self.run_one(&turn)? {
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }

    /// One turn; whether it came to its end.
    fn run_one<E: Evaluator<Dice>>(&mut self, turn: &Turn<'_, '_, E>) -> anyhow::Result<bool> {
        let entry = &self.contest.suite.positions[turn.index];
        let searches = turn.contender.measure(entry, &self.limits)?;
        if searches.iter().any(|search| search.stopped) {
            return Ok(false);
        }
        let mut sound = true;
        for (number, measured) in searches.iter().enumerate() {
            sound &= self.judge(turn, number, measured)?;
        }
        if sound {
            self.costs.add(turn.place, turn.index, turn.repeat, Cost::of(&searches));
            for measured in &searches {
                self.efforts.add(turn.place, turn.index, turn.repeat, measured);
            }
        }
        self.progress.advance();
        Ok(true)
    }

    /// Checks and records search `number` of those that the turn took; whether it found the value expected.
    fn judge<E: Evaluator<Dice>>(
        &mut self,
        turn: &Turn<'_, '_, E>,
        number: usize,
        measured: &Measured,
    ) -> anyhow::Result<bool> {
        let contender = turn.contender;
        let entry = &self.contest.suite.positions[turn.index];
        let Options { algorithm, table_use, ordering, history, .. } = *contender.searcher.options();
        let (method, threads) = (contender.method, contender.threads());
        let who = || format!("{}, {method} with {threads} threads, ordering {ordering}", entry.text);
        let error = self.verdicts.check(turn.index, who, measured);
        let sound = error.is_none();
        self.records.append(&Sample {
            schema: SCHEMA,
            index: turn.index + 1,
            position: &entry.text,
            algorithm: algorithm.name(),
            method,
            table_use: table_use.name(),
            ordering: ordering.name(),
            history: history.name(),
            threads,
            copy: (!contender.beside.is_empty()).then_some(number + 1),
            repeat: turn.repeat + 1,
            depth: self.contest.depth,
            measured,
            expected: self.verdicts.expected(turn.index),
            error,
        })?;
        Ok(sound)
    }
}
