//! A race: serial searches, the machine's ceilings and parallel searches of one suite, in turn. What
//! `compare` and `scaling` have in common, from their flags to their records.

use crate::analysis::speedups::{ContenderKind, Role};
use crate::cli::BadInput;
use crate::cli::values::{self, List, whole_number};
use crate::question::algorithm::AlgorithmFlags;
use crate::question::door::SearcherMaker;
use crate::question::flags::{CommonFlags, ExpectedFlag, SuiteFlags};
use crate::question::suite::Suite;
use crate::question::tables;
use crate::records::flags::RecordsFlags;
use crate::records::machine::Clock;
use crate::records::meta::Settings;
use crate::runner::contest::{Contender, Contest, ContestEnd, in_parallel};
use crate::runner::pools::Pools;
use clap::Args;
use starsplit::search::{Options, StopFlag};
use starsplit::table::AnyTable;

/// Flags of every race.
#[derive(Clone, Debug, Args)]
pub struct RaceFlags {
    /// How many rounds there are: how often every run is repeated
    #[arg(long, value_name = "N", default_value = "3", allow_negative_numbers = true,
          value_parser = whole_number("repeat", 1..=1_000_000))]
    pub repeat: u64,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub suite: SuiteFlags,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub records: RecordsFlags,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub expected: ExpectedFlag,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub common: CommonFlags,

    #[command(flatten)]
    #[allow(missing_docs)]
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
        self.flags.records.check(self.of(), &self.settings(), Clock::Real)
    }

    /// Lets the contenders search the suite in turn.
    ///
    /// # Errors
    /// [`BadInput`], or whatever ends a search with an error.
    pub(crate) fn run(&self, stop: &StopFlag) -> anyhow::Result<ContestEnd> {
        let Race { experiment, flags, suite, depth, .. } = *self;
        let maker = suite.door.evaluator(flags.suite.evaluator(suite), flags.common.seed)?;
        let tables = self.tables()?;
        let searches: Vec<_> = self.contenders.iter().filter_map(ContenderKind::parallel).collect();
        let pools = Pools::new(&searches)?;
        let contender = |contender| self.contender(contender, &*maker, &tables, &pools);
        let contenders: Vec<_> = self.contenders.iter().map(contender).collect();
        let expected = flags.expected.scores(suite)?;
        let contest = Contest { experiment, suite, depth, repeat: flags.repeat, expected, stop };
        contest.run(&contenders, flags.records.open(self.of(), &self.settings(), Clock::Real)?)
    }

    /// What the records are of: the experiment and the game.
    fn of(&self) -> (&str, &str) {
        (self.experiment, self.suite.door.game())
    }

    /// What all searches have in common.
    fn base(&self) -> Options {
        Options { count_duplicates: self.explain, ..self.flags.algorithm.options() }
    }

    fn settings(&self) -> Settings {
        let RaceFlags { suite, common, .. } = self.flags;
        let limits = (common.table_mb, common.seed);
        Settings::new(self.suite, self.depth, suite.evaluator(self.suite), limits, &self.base())
            .of_algorithm(self.flags.algorithm.algorithm)
    }

    /// As many as searches run at once at most.
    fn tables(&self) -> Result<Vec<AnyTable>, BadInput> {
        let copies = self.contenders.iter().map(ContenderKind::copies).max().unwrap_or(1);
        tables::tables(copies, self.flags.common.table_mb)
    }

    fn contender<'t>(
        &self,
        contender: &ContenderKind,
        maker: &dyn SearcherMaker,
        tables: &'t [AnyTable],
        pools: &Pools,
    ) -> Contender<'t> {
        let options = options(contender, &self.base());
        let pool = contender.parallel().and_then(|(method, threads)| pools.get(method, threads));
        let searcher = |table| maker.searcher(table, options.clone(), pool);
        Contender {
            beside: tables[1..contender.copies()].iter().map(searcher).collect(),
            ..Contender::new(contender.role.name(), searcher(&tables[0]))
        }
    }
}

/// The options of a contender's searches, where `base` says what all have in common. Duplicates are there to
/// be counted in parallel searches only.
pub(crate) fn options(contender: &ContenderKind, base: &Options) -> Options {
    let base = Options { ordering: contender.ordering, ..base.clone() };
    match contender.role {
        Role::Serial | Role::Ceiling => Options { count_duplicates: false, ..base },
        Role::Parallel(method) => in_parallel(base, method, contender.threads),
    }
}

/// The numbers of threads that were asked for, or all that the machine's processors suggest.
pub(crate) fn thread_counts(asked: Option<&List<usize>>, cores: usize) -> Vec<usize> {
    asked.map_or_else(|| values::doubling_to(cores), |list| list.0.clone())
}
