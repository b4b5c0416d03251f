//! Records of which each line is of one position, and how an experiment goes on with them.

use crate::cli::BadInput;
use crate::records::earlier::Earlier;
use crate::records::flags::{Opened, RecordsFlags};
use crate::records::line::RecordLine;
use crate::records::machine::Clock;
use crate::records::meta::Settings;
use crate::records::others::{SmallerLine, WindowsLine};
use crate::records::writer::Records;
use crate::runner::verdict::Verdicts;
use std::collections::BTreeSet;

/// A line of one position.
pub(crate) trait PositionLine: RecordLine {
    /// The place of the position in its suite, from 1, and its text.
    fn position(&self) -> (usize, &str);

    /// What is wrong with it.
    fn error(&self) -> Option<&String>;
}

impl PositionLine for SmallerLine {
    fn position(&self) -> (usize, &str) {
        (self.index, &self.position)
    }

    fn error(&self) -> Option<&String> {
        self.error.as_ref()
    }
}

impl PositionLine for WindowsLine {
    fn position(&self) -> (usize, &str) {
        (self.index, &self.position)
    }

    fn error(&self) -> Option<&String> {
        self.error.as_ref()
    }
}

/// The lines of a folder.
///
/// # Errors
/// When one cannot be read, or is of a position that was there before, in words.
pub(crate) fn positions<L: PositionLine>(
    lines: impl Iterator<Item = Result<L, String>>,
) -> Result<Vec<L>, String> {
    let mut known = BTreeSet::new();
    let position = |(number, line): (usize, Result<L, String>)| {
        let complain = |error: String| format!("expected a position in line {number} ({error})");
        let line = line.map_err(complain)?;
        let (index, _) = line.position();
        if !known.insert(index) {
            return Err(complain(format!("index {index} was there before")));
        }
        Ok(line)
    };
    (1..).zip(lines).map(position).collect()
}

/// The records to add to, and the places of the positions that they have; `verdicts` takes over what these
/// tell. `experiment` is what the records call it, and its game.
///
/// # Errors
/// [`BadInput`] where the folder is not to be gone on with.
pub(crate) fn open<L: PositionLine>(
    flags: &RecordsFlags,
    experiment: (&str, &str),
    settings: &Settings,
    verdicts: &mut Verdicts,
) -> anyhow::Result<(Records, BTreeSet<usize>)> {
    match flags.open(experiment, settings, Clock::Real)? {
        Opened::New(records) => Ok((records, BTreeSet::new())),
        Opened::Earlier(earlier) => go_on::<L>(verdicts, earlier),
    }
}

fn go_on<L: PositionLine>(
    verdicts: &mut Verdicts,
    earlier: Earlier,
) -> anyhow::Result<(Records, BTreeSet<usize>)> {
    let lines: Vec<L> = positions(earlier.lines())
        .map_err(|complaint| BadInput::new("results folder", earlier.path().to_string_lossy(), complaint))?;
    for line in &lines {
        let (index, text) = line.position();
        if let Some(error) = line.error() {
            verdicts.fail(index.saturating_sub(1), || text.to_owned(), error);
        }
    }
    let done = lines.iter().map(|line| line.position().0).collect();
    Ok((earlier.go_on(lines.len()).map_err(BadInput::from_error)?, done))
}
