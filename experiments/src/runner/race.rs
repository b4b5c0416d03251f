//! A race: serial searches, the machine's ceilings and parallel searches of one suite, in turn. What
//! `compare` and `scaling` have in common, from their flags to their records.

use crate::analysis::conditions::Conditions;
use crate::analysis::reading::Reading;
use crate::analysis::speedups::{ContenderKind, Role};
use crate::cli::BadInput;
use crate::cli::ranges;
use crate::cli::values::{self, List, whole_number};
use crate::question::algorithm::AlgorithmFlags;
use crate::question::door::SearcherMaker;
use crate::question::flags::{CommonFlags, ExpectedFlag, SuiteFlags};
use crate::question::suite::Suite;
use crate::question::tables::{self, TableFlags};
use crate::records::earlier::Earlier;
use crate::records::flags::RecordsFlags;
use crate::records::line::Line;
use crate::records::machine::Clock;
use crate::records::meta::Settings;
use crate::runner::contender::{AtOnce, Contender, in_parallel};
use crate::runner::contest::{Contest, ContestEnd};
use crate::runner::pinning::Pinning;
use crate::runner::pools::Pools;
use anyhow::Context;
use clap::Args;
use starsplit::search::{Method, Options, StopFlag};
use starsplit_tables::AnyTable;
use std::collections::BTreeMap;
use std::path::Path;

/// Flags of every race.
#[derive(Clone, Debug, Args)]
pub struct RaceFlags {
    /// How many rounds there are: how often every run is repeated
    #[arg(long, value_name = "N", default_value = "3", allow_negative_numbers = true,
          value_parser = whole_number("repeat", 1..=1_000_000))]
    pub repeat: u64,

    /// Only these positions of the suite, by their numbers from 1, such as 1-6,9
    #[arg(long, value_name = "LIST", allow_negative_numbers = true, value_parser = ranges::only)]
    pub only: Option<List<u64>>,

    /// Pin threads to processors (Linux): the one that leads to the first that the process may use, its
    /// helpers to those after it, copies for a ceiling to one each
    ///
    /// On two threads each has a processor of its own; of more, the system chooses among those of the
    /// helpers. Which processors the process may use is told by taskset. meta.json says whether threads were
    /// pinned.
    #[arg(long)]
    pub pin: bool,

    /// The positions.
    #[command(flatten)]
    pub suite: SuiteFlags,

    /// Where the records go.
    #[command(flatten)]
    pub records: RecordsFlags,

    /// What the positions are known to be worth.
    #[command(flatten)]
    pub expected: ExpectedFlag,

    /// What every binary that searches has.
    #[command(flatten)]
    pub common: CommonFlags,

    /// The algorithm.
    #[command(flatten)]
    pub algorithm: AlgorithmFlags,
}

/// Who searches what.
#[derive(Debug)]
pub(crate) struct Race<'a> {
    /// What the records call it.
    pub(crate) experiment: &'static str,
    pub(crate) flags: &'a RaceFlags,
    pub(crate) suite: &'a Suite,
    pub(crate) depth: u32,
    /// Whether parallel searches count duplicate nodes.
    pub(crate) explain: bool,
    /// Of which kind the tables are; a ceiling's parts of one are the library's own.
    pub(crate) table: TableFlags,
    /// In their order; the first is serial.
    pub(crate) contenders: Vec<ContenderKind>,
}

impl Race<'_> {
    /// Whether [`run`](Self::run) could begin. Searches and writes nothing.
    ///
    /// # Errors
    /// [`BadInput`] where it could not.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        self.flags.suite.check(&self.flags.expected)?;
        self.tables()?;
        self.places()?;
        Pinning::new(self.flags.pin)?;
        self.flags.records.check(self.of(), &self.settings(), Clock::Real)
    }

    /// Lets the contenders search the suite in turn.
    ///
    /// # Errors
    /// [`BadInput`], or whatever ends a search with an error.
    pub(crate) fn run(&self, stop: &StopFlag) -> anyhow::Result<ContestEnd> {
        let Race { experiment, flags, suite, depth, .. } = *self;
        let maker = suite.door.evaluator(flags.suite.evaluator(suite), flags.common.seed)?;
        let (tables, pinning) = (self.tables()?, Pinning::new(flags.pin)?);
        let searches: Vec<_> = self.contenders.iter().filter_map(on_pool).collect();
        let pools = Pools::new(&searches, &pinning)?;
        let contender = |contender| self.contender(contender, &*maker, &tables, (&pools, &pinning));
        let contenders: Vec<_> = self.contenders.iter().map(contender).collect();
        let expected = flags.expected.scores(suite)?;
        let (places, repeat, pinning) = (self.places()?, flags.repeat, &pinning);
        let contest = Contest { experiment, suite, places, depth, repeat, expected, pinning, stop };
        contest.run(&contenders, flags.records.open(self.of(), &self.settings(), Clock::Real)?)
    }

    /// What the records in the folder say of the contenders, and the conditions of all runs there.
    ///
    /// # Errors
    /// When they cannot be read.
    pub(crate) fn read(&self, folder: &Path) -> anyhow::Result<(Reading, Conditions)> {
        let earlier = Earlier::read(folder)?.context("the records are gone")?;
        let mut conditions = Conditions::on(earlier.meta.machine.cores);
        let lines = conditions.noting(earlier.lines());
        // More rounds than are asked for stay as they are.
        let is_asked = |line: &Result<Line, _>| {
            line.as_ref().map_or(true, |line| line.repeat as u64 <= self.flags.repeat)
        };
        let (meta, positions) = (earlier.meta.clone(), self.suite.positions.len());
        let of = (values::cores(), positions);
        let reading = Reading::new(meta, lines.filter(is_asked), of, Some(&self.contenders));
        Ok((reading.map_err(anyhow::Error::msg)?, conditions))
    }

    /// The places of the positions that are searched.
    fn places(&self) -> Result<Vec<usize>, BadInput> {
        ranges::places(self.flags.only.as_ref(), self.suite.positions.len())
    }

    /// What the records are of: the experiment and the game.
    fn of(&self) -> (&str, &str) {
        (self.experiment, self.suite.door.game())
    }

    /// What all searches have in common.
    fn base(&self) -> Options {
        let mut options = self.flags.algorithm.options();
        options.telemetry.count_duplicates = self.explain;
        options
    }

    fn settings(&self) -> Settings {
        let RaceFlags { suite, common, .. } = self.flags;
        let limits = (common.table_mb, common.seed);
        let settings =
            Settings::new(self.suite, self.depth, suite.evaluator(self.suite), limits, &self.base());
        let mut settings = settings.of_algorithm(self.flags.algorithm.algorithm).pinned(self.flags.pin);
        settings.own.extend(self.table.described().map(|table| ("table".to_owned(), table)));
        settings
    }

    /// Whole ones, as many as searches run at once at most that have one each, and for as many as share the
    /// memory of one their parts.
    fn tables(&self) -> Result<RaceTables, BadInput> {
        let mib = self.flags.common.table_mb;
        let copies =
            |role| self.contenders.iter().filter(move |own| own.role == role).map(ContenderKind::copies);
        let count = copies(Role::Ceiling).max().unwrap_or(1);
        let whole = (0..count).map(|_| self.table.table(mib)).collect::<Result<_, _>>()?;
        let mut parts = BTreeMap::new();
        for number in copies(Role::MatchedCeiling) {
            parts.insert(number, tables::parts(number, mib)?);
        }
        Ok(RaceTables { whole, parts })
    }

    fn contender<'t>(
        &self,
        contender: &ContenderKind,
        maker: &dyn SearcherMaker,
        tables: &'t RaceTables,
        (pools, pinning): (&Pools, &Pinning),
    ) -> Contender<'t> {
        let options = options(contender, &self.base());
        let pool = on_pool(contender).and_then(|(method, threads)| pools.get(method, threads));
        let at_once = match pool.filter(|_| contender.role == Role::MatchedCeiling) {
            Some(pool) => AtOnce::UntilTheFirst(pool.clone()),
            None => AtOnce::ToTheirEnds(pinning.clone()),
        };
        let tables = tables.of(contender);
        // Serial searches run on whatever thread asks for them.
        let own_pool = contender.parallel().and(pool);
        let searcher = |table| maker.searcher(table, options.clone(), own_pool);
        Contender {
            beside: tables[1..contender.copies()].iter().map(searcher).collect(),
            at_once,
            ..Contender::new(contender.role.name(), searcher(&tables[0]))
        }
    }
}

/// The tables of a race.
#[derive(Debug)]
struct RaceTables {
    whole: Vec<AnyTable>,
    /// By how many share the memory of a whole one.
    parts: BTreeMap<usize, Vec<AnyTable>>,
}

impl RaceTables {
    /// As many as the contender has searches, and perhaps more.
    fn of(&self, contender: &ContenderKind) -> &[AnyTable] {
        match self.parts.get(&contender.threads).filter(|_| contender.role == Role::MatchedCeiling) {
            Some(parts) => parts,
            None => &self.whole,
        }
    }
}

/// The method and the number of threads of a contender that runs on a pool. Searches that share nothing are
/// on the one of the library's own method.
fn on_pool(contender: &ContenderKind) -> Option<(Method, usize)> {
    match contender.role {
        Role::MatchedCeiling => Some((Method::default(), contender.threads)),
        _ => contender.parallel(),
    }
}

/// The options of a contender's searches, where `base` says what all have in common. Duplicates are there to
/// be counted in parallel searches only.
pub(crate) fn options(contender: &ContenderKind, base: &Options) -> Options {
    let mut base = Options { ordering: contender.ordering, ..base.clone() };
    match contender.role {
        Role::Serial | Role::Ceiling | Role::MatchedCeiling => {
            base.telemetry.count_duplicates = false;
            base
        }
        Role::Parallel(method) => in_parallel(base, method, contender.threads),
    }
}

/// The numbers of threads that were asked for, or all that the machine's processors suggest.
pub(crate) fn thread_counts(asked: Option<&List<usize>>, cores: usize) -> Vec<usize> {
    asked.map_or_else(|| values::doubling_to(cores), |list| list.0.clone())
}
