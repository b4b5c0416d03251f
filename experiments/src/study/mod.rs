//! The command `study`: variants of the search set beside each other.

mod report;
mod variant;

pub(crate) use report::recorded;
pub use report::{AgainstFirst, StudyFigures, TableFigures, VariantAtDepth, VariantFigures};
pub use variant::Variant;

use crate::cli::BadInput;
use crate::cli::values::{self, whole_number};
use crate::question::door::SearcherMaker;
use crate::question::flags::{CommonFlags, ExpectedFlag, SuiteFlags};
use crate::question::suite::Suite;
use crate::question::tables::TableFlags;
use crate::records::earlier::Earlier;
use crate::records::flags::RecordsFlags;
use crate::records::machine::Clock;
use crate::records::meta::{Meta, Settings};
use crate::runner::contender::{Contender, in_parallel};
use crate::runner::contest::{Contest, ContestEnd};
use crate::runner::pinning::Pinning;
use crate::runner::pools::Pools;
use crate::runner::verdict::{Finished, Verdicts};
use anyhow::Context;
use clap::Parser;
use serde_json::{Value, json};
use starsplit::search::{Options, StopFlag};
use starsplit_tables::AnyTable;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

/// Set variants of the search beside each other: nodes, evaluations, wall time, and how they grow with depth
///
/// Every position is searched by every variant. They take turns as in compare, and ratios are to the first
/// variant.
///
/// Over the first: the sums over all positions. Median: over the positions, of the ratios at each, with the
/// interval that the percentile bootstrap gives it with a confidence of 95%; none of fewer than six
/// positions. By depth: what it took until a depth was complete, shallower iterations included, as geometric
/// means; and the effective branching factor a ply.
///
/// All values must be equal, bit for bit: the exit code is 1 and the positions are named if any differs.
/// Variants with reuse=at-least are let off: bounds of greater depths are bounds of other values, and how
/// many differ is counted.
#[derive(Debug, Parser)]
#[command(name = "study", version = crate::cli::VERSION)]
pub struct StudyArgs {
    /// A variant, such as k=2:probing-factor=2,table-mb=16; once for each
    #[arg(long = "variant", value_name = "NAME:KEY=VALUE,...", required = true, value_parser = Variant::read,
          long_help = variant::help())]
    pub variants: Vec<Variant>,

    /// How deep, 1 to 254; a chance node and a decision node each take one [default: the suite's own, else 9]
    #[arg(short, long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    pub depth: Option<u32>,

    /// Of the suite's positions search the first, and every N-th after it
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole_number("every", 1..=1_000_000))]
    pub every: u64,

    /// How many rounds there are: how often every run is repeated
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole_number("repeat", 1..=1_000_000))]
    pub repeat: u64,

    /// Pin threads to processors (Linux), as those of scaling
    #[arg(long)]
    pub pin: bool,

    /// The table.
    #[command(flatten)]
    pub table: TableFlags,

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
}

/// The depth of the searches where neither the user nor the suite names one.
const DEPTH: u32 = 9;

/// What the records call it.
const EXPERIMENT: &str = "study";

/// Does what the binary does, but for printing.
///
/// # Errors
/// [`BadInput`], or whatever ends a search with an error.
pub fn run(args: &StudyArgs, stop: &StopFlag) -> anyhow::Result<Finished> {
    let suite = args.suite.load()?.every(args.every);
    check_names(&args.variants)?;
    let work = StudyRun { args, suite: &suite, stop };
    let Study { report, verdicts, folder } = work.run()?;
    Finished::new(&verdicts, (&report, report.stopped), "variant", Some(&folder), |verdict| {
        let (depth, positions, suite) = (report.depth, report.positions, &suite.name);
        format!(
            "To depth {depth} on {positions} positions of suite {suite}\n\n{}\n{verdict}\n",
            report.text()
        )
    })
}

/// Whether [`run`] could begin with these arguments. Searches and writes nothing.
///
/// # Errors
/// [`BadInput`] where it could not.
pub(crate) fn check(args: &StudyArgs) -> anyhow::Result<()> {
    let suite = args.suite.load()?.every(args.every);
    args.suite.check_evaluator(&suite)?;
    args.expected.scores(&suite)?;
    check_names(&args.variants)?;
    tables(args)?;
    Pinning::new(args.pin)?;
    args.records.check((EXPERIMENT, suite.door.game()), &settings(args, &suite), Clock::Real)
}

fn check_names(variants: &[Variant]) -> Result<(), BadInput> {
    let is_second = |(number, variant): &(usize, &Variant)| {
        variants[..*number].iter().any(|other| other.name == variant.name)
    };
    match variants.iter().enumerate().find(is_second) {
        Some((_, variant)) => Err(BadInput::new("variant", &variant.name, "expected every name once")),
        None => Ok(()),
    }
}

fn settings(args: &StudyArgs, suite: &Suite) -> Settings {
    let depth = suite.depth_or(args.depth, DEPTH);
    let (table_mb, seed) = (args.common.table_mb, args.common.seed);
    let options = Options::default();
    let mut settings = Settings::new(suite, depth, args.suite.evaluator(suite), (table_mb, seed), &options);
    let described = args.variants.iter().map(|v| json!({"name": v.name, "options": v.words}));
    settings.own.insert("variants".to_owned(), described.collect());
    settings = settings.pinned(args.pin);
    settings.own.extend((args.every > 1).then(|| ("every".to_owned(), json!(args.every))));
    settings.own.extend(args.table.described().map(|table| ("table".to_owned(), table)));
    settings
}

/// Of which kind a table is, and its size in MiB where that does not say.
type TableKind = (TableFlags, u64);

fn table_kind(args: &StudyArgs, variant: &Variant) -> TableKind {
    (variant.table.or(&args.table), variant.table_mb.unwrap_or(args.common.table_mb))
}

/// A table of each kind and size that a variant has.
fn tables(args: &StudyArgs) -> Result<BTreeMap<TableKind, AnyTable>, BadInput> {
    let mut tables = BTreeMap::new();
    for kind in args.variants.iter().map(|variant| table_kind(args, variant)) {
        if let Entry::Vacant(place) = tables.entry(kind) {
            let (flags, mib) = place.key();
            let table = flags.table(*mib)?;
            place.insert(table);
        }
    }
    Ok(tables)
}

struct Study {
    report: StudyFigures,
    verdicts: Verdicts,
    folder: PathBuf,
}

struct StudyRun<'a> {
    args: &'a StudyArgs,
    suite: &'a Suite,
    stop: &'a StopFlag,
}

impl StudyRun<'_> {
    fn run(&self) -> anyhow::Result<Study> {
        let StudyRun { args, suite, stop } = *self;
        let maker = suite.door.evaluator(args.suite.evaluator(suite), args.common.seed)?;
        let settings = settings(args, suite);
        let depth = settings.depth;
        let tables = tables(args)?;
        let pinning = Pinning::new(args.pin)?;
        let contenders = self.contenders(&*maker, &tables, &pinning)?;
        let variants: Vec<_> = args.variants.iter().map(|v| (v.name.clone(), v.words.clone())).collect();
        let expected = args.expected.scores(suite)?;
        let (repeat, pinning) = (args.repeat, &pinning);
        let (experiment, places) = (EXPERIMENT, (0..suite.positions.len()).collect());
        let contest = Contest { experiment, suite, places, depth, repeat, expected, pinning, stop };
        let opened = args.records.open((EXPERIMENT, suite.door.game()), &settings, Clock::Real)?;
        let ContestEnd { verdicts, stopped, folder, .. } = contest.run(&contenders, opened)?;
        let earlier = Earlier::read(&folder)?.context("the records are gone")?;
        let (cores, of) = (earlier.meta.machine.cores, (depth, suite.positions.len()));
        let report = recorded(earlier.lines(), cores, of, &variants).map_err(anyhow::Error::msg)?;
        Ok(Study { report: StudyFigures { stopped, ..report }, verdicts, folder })
    }

    fn contenders<'t>(
        &self,
        maker: &dyn SearcherMaker,
        tables: &'t BTreeMap<TableKind, AnyTable>,
        pinning: &Pinning,
    ) -> anyhow::Result<Vec<Contender<'t>>> {
        let parallel = |variant: &Variant| {
            let Options { method, threads, .. } = variant.options;
            (threads > 1).then_some((method, threads))
        };
        let searches: Vec<_> = self.args.variants.iter().filter_map(parallel).collect();
        let pools = Pools::new(&searches, pinning)?;
        let contender = |variant: &Variant| {
            let table = &tables[&table_kind(self.args, variant)];
            let options = variant.options.clone();
            let (method, searcher) = match parallel(variant) {
                None => ("serial", maker.searcher(table, options, None)),
                Some((method, threads)) => {
                    let options = in_parallel(options, method, threads);
                    (method.name(), maker.searcher(table, options, pools.get(method, threads)))
                }
            };
            Contender { variant: Some(variant.name.clone()), ..Contender::new(method, searcher) }
        };
        Ok(self.args.variants.iter().map(contender).collect())
    }
}

/// The names of the variants and what sets them apart, as `meta.json` has them.
pub(crate) fn variants(meta: &Meta) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let variants = meta.settings.get("variants");
    let all = variants.as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().map(|variant| (text(&variant["name"]), text(&variant["options"]))).collect()
}
