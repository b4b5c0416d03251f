//! Simulated searches, as their lines tell them.

use crate::analysis::speedups::ContenderKind;
use crate::records::line::Line;
use crate::records::recorded::{RecordedSearch, other_score};
use crate::records::simulated::{EventCosts, SimulatedPart};
use crate::records::turns;
use std::collections::{BTreeMap, BTreeSet};

/// What tells simulated searches of one folder apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// The position's place in its suite, from 1.
    pub(super) index: usize,
    pub(super) costs: EventCosts,
    /// The contender's rank.
    pub(super) contender: (usize, usize, usize),
    /// None of a serial search.
    pub(super) seed: Option<u64>,
}

/// A simulated search, as far as the report asks.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) contender: ContenderKind,
    /// All times are virtual.
    pub(super) run: RecordedSearch,
    pub(super) events: u64,
    pub(super) span_ns: Option<u64>,
    /// What is wrong with it.
    pub(super) fault: Option<String>,
}

/// The searches of a folder.
#[derive(Clone, Debug, Default)]
pub(super) struct Searches {
    pub(super) all: BTreeMap<Key, Kept>,
    /// The positions in the game's notation, by their places in the suite, from 1.
    pub(super) positions: BTreeMap<usize, String>,
    /// The cost models by name: what one processor was charged, and what several were.
    pub(super) models: BTreeMap<String, [BTreeSet<EventCosts>; 2]>,
}

impl Searches {
    /// Those of the lines.
    ///
    /// # Errors
    /// When one of them is not of a simulated search, or contradicts those before it.
    pub(super) fn read(lines: impl IntoIterator<Item = Result<Line, String>>) -> Result<Self, String> {
        let mut searches = Searches::default();
        for (number, line) in (1..).zip(lines) {
            line.and_then(|line| searches.add(line)).map_err(|error| {
                format!("expected a simulated search in line {number} of its samples ({error})")
            })?;
        }
        Ok(searches)
    }

    /// Adds that of a line.
    ///
    /// # Errors
    /// When it is not of a simulated search, or of one that was there before, or of another position than
    /// those of the same index.
    pub(super) fn add(&mut self, mut line: Line) -> Result<(), String> {
        let part = line.simulated.take().ok_or("it is not simulated")?;
        line.search.iterations = Vec::new();
        let run = RecordedSearch::take(&mut line)?;
        let contender = &line.contender;
        let contender = ContenderKind::named(&contender.method, &contender.ordering, contender.threads)?;
        let SimulatedPart { model, costs, seed, events, span_ns, .. } = part;
        turns::name(self.positions.entry(line.index).or_default(), &line.position)?;
        self.models.entry(model).or_default()[usize::from(contender.threads > 1)].insert(costs);
        let fault = line.error.or_else(|| other_score(run.score?, line.expected?));
        let key = Key { index: line.index, costs, contender: contender.rank(), seed };
        match self.all.insert(key, Kept { contender, run, events, span_ns, fault }) {
            None => Ok(()),
            Some(_) => Err("the same search was there before".to_owned()),
        }
    }
}
