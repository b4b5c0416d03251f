//! Simulated searches, as their lines tell them.

use crate::analysis::efforts::Effort;
use crate::analysis::speedups::ContenderKind;
use crate::records::line::Line;
use crate::records::recorded::{RecordedSearch, other_score};
use crate::records::simulated::{EventCosts, SimulatedPart};
use crate::simulate::span::WorkAndSpan;
use starsplit::score::Score;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What tells simulated searches of one folder apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// The position's place in its suite, from 1.
    pub(super) index: usize,
    pub(super) costs: EventCosts,
    pub(super) method: &'static str,
    pub(super) ordering: &'static str,
    pub(super) processors: usize,
    pub(super) seed: Option<u64>,
}

/// A simulated search, as far as the report asks. Names that many have are kept once.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// The position in the game's notation.
    pub(super) position: Arc<str>,
    /// The cost model's name.
    pub(super) model: Arc<str>,
    /// All times are virtual.
    pub(super) run: RecordedSearch,
    pub(super) events: u64,
    span_ns: Option<u64>,
    expected: Option<Score>,
    error: Option<String>,
}

/// The searches of a folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Searches {
    /// The searches.
    pub(super) all: BTreeMap<Key, Kept>,
    names: BTreeSet<Arc<str>>,
}

impl Searches {
    /// Those of the lines, and how many lines there are.
    ///
    /// # Errors
    /// When one of them is not of a simulated search, or of one that was there before.
    pub(super) fn read(
        lines: impl IntoIterator<Item = Result<Line, String>>,
    ) -> Result<(Self, usize), String> {
        let mut searches = Searches::default();
        let mut count = 0;
        for line in lines {
            count += 1;
            let complain =
                |error| format!("expected a simulated search in line {count} of its samples ({error})");
            match line.and_then(|line| searches.add(line)).map_err(complain)? {
                None => {}
                Some(_) => return Err(complain("the same search was there before".to_owned())),
            }
        }
        Ok((searches, count))
    }

    /// Adds that of a line; what was there before, if anything.
    ///
    /// # Errors
    /// When it is not of a simulated search.
    pub(super) fn add(&mut self, mut line: Line) -> Result<Option<Kept>, String> {
        let part = line.simulated.take().ok_or("it is not simulated")?;
        line.search.iterations = Vec::new();
        let run = RecordedSearch::take(&mut line)?;
        let contender = &line.contender;
        let contender = ContenderKind::named(&contender.method, &contender.ordering, contender.threads)?;
        let SimulatedPart { model, costs, seed, events, span_ns, .. } = part;
        let key = Key {
            index: line.index,
            costs,
            method: contender.role.name(),
            ordering: contender.ordering.name(),
            processors: contender.threads,
            seed,
        };
        let (position, model) = (self.name(&line.position), self.name(&model));
        let (expected, error) = (line.expected, line.error);
        Ok(self.all.insert(key, Kept { position, model, run, events, span_ns, expected, error }))
    }

    fn name(&mut self, name: &str) -> Arc<str> {
        self.names.get(name).cloned().unwrap_or_else(|| {
            let name: Arc<str> = name.into();
            self.names.insert(Arc::clone(&name));
            name
        })
    }
}

impl Kept {
    /// What is wrong with the search.
    pub(super) fn fault(&self) -> Option<String> {
        self.error.clone().or_else(|| other_score(self.run.score?, self.expected?))
    }

    /// Its work and its span, where it has one.
    pub(super) fn work_and_span(&self) -> Option<WorkAndSpan> {
        let span = self.span_ns? as f64 / 1e9;
        Some(WorkAndSpan { work: Effort::of(&self.run).busy, span })
    }
}
