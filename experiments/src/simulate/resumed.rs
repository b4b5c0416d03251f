//! Folders of simulated searches, gone on with: which searches are in them, and what was wrong with those.

use crate::cli::BadInput;
use crate::records::flags::Opened;
use crate::records::line::RecordLine;
use crate::records::writer::Records;
use crate::runner::verdict::Verdicts;
use starsplit::score::Score;
use std::collections::BTreeSet;

/// What a line tells of its search.
pub(super) struct Told<W> {
    /// The position's place in its suite, from 1.
    pub(super) index: usize,
    /// How it was searched.
    pub(super) way: W,
    /// The same in words.
    pub(super) words: String,
    pub(super) score: Option<Score>,
    pub(super) error: Option<String>,
}

/// The records of so many positions to write to, and which searches are in them, by position and way.
///
/// # Errors
/// [`BadInput`] when a line is not one of these searches.
pub(super) fn open<L: RecordLine, W: Ord>(
    opened: Opened,
    positions: usize,
    verdicts: &mut Verdicts,
    told: impl Fn(L) -> Told<W>,
) -> anyhow::Result<(Records, BTreeSet<(usize, W)>)> {
    let earlier = match opened {
        Opened::New(records) => return Ok((records, BTreeSet::new())),
        Opened::Earlier(earlier) => earlier,
    };
    let refuse = |complaint| BadInput::new("results folder", earlier.path().to_string_lossy(), complaint);
    let (mut done, mut count) = (BTreeSet::new(), 0);
    for line in earlier.lines::<L>() {
        count += 1;
        let line = line.map_err(|error| refuse(format!("expected a search in line {count} ({error})")))?;
        let Told { index, way, words, score, error } = told(line);
        if !(1..=positions).contains(&index) {
            let complaint = format!("expected positions from 1 to {positions}, not {index}, in line {count}");
            return Err(refuse(complaint).into());
        }
        match (error, score) {
            (Some(error), _) => verdicts.fail(index - 1, || words, &error),
            (None, Some(score)) => drop(verdicts.check_recorded(index - 1, || words, score)),
            (None, None) => {}
        }
        done.insert((index, way));
    }
    Ok((earlier.go_on(count).map_err(BadInput::from_error)?, done))
}
