//! What is missing of what a run was to leave.

use crate::records::earlier::Earlier;
use crate::records::line::RecordLine;
use crate::records::meta::Meta;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The experiments whose every contender searches every position of the suite, so that the settings tell how
/// many there are.
const WHOLE_SUITES: [&str; 4] = ["scaling", "compare", "study", "paper_tables"];

/// Of a line what tells of which search it is, as far as its kind has that.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Place {
    #[serde(default)]
    schema: u32,
    index: Option<usize>,
    repeat: Option<usize>,
    copy: Option<usize>,
    variant: Option<String>,
    algorithm: Option<String>,
    method: Option<String>,
    table_use: Option<String>,
    ordering: Option<String>,
    history: Option<String>,
    threads: Option<usize>,
    simulated: Option<Schedule>,
}

/// What tells simulated searches by one contender apart.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Schedule {
    model: Option<String>,
    seed: Option<u64>,
}

impl RecordLine for Place {
    fn schema(&self) -> u32 {
        self.schema
    }
}

/// How much there is.
#[derive(Debug, Default)]
struct There {
    lines: usize,
    positions: BTreeSet<usize>,
    /// Searches that every position has, in every repeat.
    contenders: BTreeSet<Place>,
    repeats: BTreeSet<usize>,
}

impl Earlier {
    /// What is missing of what was planned, in words such as "5 of 50 positions, 20 of 600 lines"; none where
    /// nothing is known to be. Where the records do not say what was planned, it is taken that every
    /// contender searches every position as often as any other.
    ///
    /// # Errors
    /// When a line cannot be read, in words.
    pub fn lacks(&self) -> Result<Option<String>, String> {
        let mut there = There::default();
        for (number, line) in (1..).zip(self.lines()) {
            there.add(
                line.map_err(|error| format!("expected a line that can be read ({error}) as line {number}"))?,
            );
        }
        Ok(there.lacking(&self.meta))
    }
}

impl There {
    fn add(&mut self, mut line: Place) {
        self.lines += 1;
        self.positions.extend(line.index.take());
        if let (Some(_), Some(_), Some(repeat)) = (&line.method, line.threads, line.repeat.take()) {
            self.contenders.insert(line);
            self.repeats.insert(repeat);
        }
    }

    fn lacking(&self, meta: &Meta) -> Option<String> {
        let planned = meta.planned.unwrap_or_default();
        let of_suite = meta.settings.get("positions");
        let of_suite = of_suite.as_u64().filter(|_| WHOLE_SUITES.contains(&meta.experiment.as_str()));
        let positions = planned.positions.or(of_suite.map(|number| number as usize));
        let each = positions.unwrap_or(self.positions.len()) * self.contenders.len() * self.repeats.len();
        let lines = planned.lines.unwrap_or(each);
        let all = [
            ("positions", self.positions.len(), positions.unwrap_or_default()),
            ("lines", self.lines, lines),
        ];
        let words: Vec<_> = all
            .into_iter()
            .filter(|(_, found, planned)| found < planned)
            .map(|(name, found, planned)| format!("{found} of {planned} {name}"))
            .collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}
