//! Who takes turns in a contest: a search, or several that take their turn together.

use crate::question::door::{AnySearcher, Entry};
use crate::records::line::ContenderName;
use crate::records::measured::Measured;
use crate::runner::measure::{measure, measure_matched, measure_together};
use crate::runner::pinning::Pinning;
use starsplit::Pool;
use starsplit::search::{Limits, Method, Options, Splits};
use starsplit::table::Reuse;

/// How deep the search is that wakes threads and touches code before anything is measured.
const WARM_UP_DEPTH: u32 = 5;

/// A search that takes its turn at every position, or several that take it together.
#[derive(Debug)]
pub struct Contender<'t> {
    /// How it uses threads, as the records say it.
    pub method: &'static str,
    /// The name that a study has for it.
    pub variant: Option<String>,
    /// The search.
    pub searcher: Box<dyn AnySearcher + 't>,
    /// Searches of the same position that run at the same time, independent and each with a table of its own.
    pub beside: Vec<Box<dyn AnySearcher + 't>>,
    /// How those run, where there are any.
    pub at_once: AtOnce,
}

/// How several searches take a turn together.
#[derive(Clone, Debug)]
pub enum AtOnce {
    /// Each on a thread of its own, to its end.
    ToTheirEnds(Pinning),
    /// On the calling thread and threads of the pool, until the first ends.
    UntilTheFirst(Pool),
}

impl<'t> Contender<'t> {
    /// A contender of one search.
    pub fn new(method: &'static str, searcher: Box<dyn AnySearcher + 't>) -> Self {
        let at_once = AtOnce::ToTheirEnds(Pinning::off());
        Contender { method, variant: None, searcher, beside: Vec::new(), at_once }
    }

    /// How many threads work when it is its turn.
    pub fn threads(&self) -> usize {
        self.searcher.options().threads * (1 + self.beside.len())
    }

    /// What the records tell it by.
    pub(super) fn name(&self) -> ContenderName {
        let Options { algorithm, table_use, ordering, .. } = *self.searcher.options();
        ContenderName {
            variant: self.variant.clone(),
            algorithm: algorithm.name().to_owned(),
            method: self.method.to_owned(),
            table_use: table_use.name().to_owned(),
            ordering: ordering.name().to_owned(),
            history: String::new(),
            threads: self.threads(),
        }
    }

    /// Whether it has to find the value that the others find. Bounds of greater depths may change it.
    pub(super) fn must_agree(&self) -> bool {
        self.searcher.options().reuse == Reuse::Exact
    }

    /// Whether a turn that ended in these searches was cut short. One that is over with the first to end is
    /// not, once that one has.
    pub(super) fn was_stopped(&self, searches: &[Measured]) -> bool {
        match self.at_once {
            AtOnce::UntilTheFirst(_) => searches.iter().all(|search| search.stopped),
            AtOnce::ToTheirEnds(_) => searches.iter().any(|search| search.stopped),
        }
    }

    /// Searches the position a little way, so that its threads have run before they are measured.
    pub(super) fn warm_up(&self, entry: &Entry, limits: &Limits) -> anyhow::Result<()> {
        let shallow = Limits { depth: limits.depth.min(WARM_UP_DEPTH.into()), ..limits.clone() };
        self.searcher.search(entry, &shallow, &mut |_| {}).map(drop)
    }

    /// Searches the position, which takes one search or several at once.
    pub(super) fn measure(&self, entry: &Entry, limits: &Limits) -> anyhow::Result<Vec<Measured>> {
        if self.beside.is_empty() {
            return Ok(vec![measure(&*self.searcher, entry, limits)?]);
        }
        let all: Vec<_> = std::iter::once(&self.searcher).chain(&self.beside).map(|one| &**one).collect();
        match &self.at_once {
            AtOnce::ToTheirEnds(pinning) => measure_together(&all, entry, limits, pinning),
            AtOnce::UntilTheFirst(pool) => measure_matched(&all, pool, entry, limits),
        }
    }
}

/// `options` for a parallel search. One thread takes the parallel code too, so that its cost is seen.
#[must_use]
pub fn in_parallel(options: Options, method: Method, threads: usize) -> Options {
    Options { method, threads, splits: Splits { alone: true, ..options.splits }, ..options }
}
