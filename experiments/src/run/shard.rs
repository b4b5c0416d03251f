//! Shards: every n-th run of a spec in a folder of its own, for machines that share nothing but the spec.

use crate::cli::BadInput;
use crate::cli::files;
use crate::cli::outputs;
use crate::spec::{Run, SPEC, Spec};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

/// The file beside the copy of the spec that says which shard a folder is.
pub(super) const MARK: &str = "shard.json";

/// Which of so many shards: it has the runs number k, from 0, with k mod `of` = `number` - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Its number, from 1 on.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

/// What the mark of a folder says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    #[serde(flatten)]
    pub(super) shard: Shard,
    /// Whether all of its runs have ended complete.
    pub(super) complete: bool,
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Shard {
    /// Reads `i/n`.
    ///
    /// # Errors
    /// When it is not that, or i is not from 1 to n.
    pub fn read(text: &str) -> Result<Self, BadInput> {
        let numbers = text.split_once('/').map(|(number, of)| (number.parse(), of.parse()));
        match numbers {
            Some((Ok(number), Ok(of))) if Shard { number, of }.is_one() => Ok(Shard { number, of }),
            _ => Err(BadInput::new(
                "shard",
                text,
                "expected i/n, whole numbers, n at least 1 and i from 1 to n",
            )),
        }
    }

    fn is_one(self) -> bool {
        (1..=self.of).contains(&self.number)
    }

    /// The shard that has the run at a place, from 0, where there are as many shards as here.
    pub(super) fn of_place(self, place: usize) -> Self {
        Shard { number: place % self.of + 1, of: self.of }
    }

    /// Marks the folder as of this shard.
    ///
    /// # Errors
    /// When that cannot be written.
    pub(super) fn mark(self, folder: &Path, complete: bool) -> io::Result<()> {
        let text = serde_json::to_string(&Mark { shard: self, complete })? + "\n";
        let path = folder.join(MARK);
        outputs::clear(&path);
        outputs::replace(&path, |file| file.write_all(text.as_bytes()))
    }
}

impl Mark {
    /// The mark of a folder; none where it has none.
    ///
    /// # Errors
    /// When it cannot be read, in words that say what was expected.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, String> {
        let text = match files::read_text(&folder.join(MARK), files::TEXT) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text,
        };
        let mark = text.and_then(|text| Ok(serde_json::from_str::<Mark>(&text)?));
        let mark = mark.map_err(|error| format!("expected a {MARK} that can be read ({error})"))?;
        if mark.shard.is_one() {
            Ok(Some(mark))
        } else {
            Err(format!("expected a {MARK} with a number from 1 to the number of shards"))
        }
    }
}

/// The runs of a spec that are asked for: those of the shard, or all.
///
/// # Errors
/// When there are more shards than runs.
pub(super) fn runs(asked: Option<Shard>, spec: &Spec) -> Result<Vec<&Run>, BadInput> {
    let Some(shard) = asked else { return Ok(spec.runs.iter().collect()) };
    let count = spec.runs.len();
    if shard.of > count {
        let complaint = format!("expected at most {count} shards, as many as the spec has runs");
        return Err(BadInput::new("shard", shard.to_string(), complaint));
    }
    let runs = spec.runs.iter().enumerate().filter(|&(place, _)| shard.of_place(place) == shard);
    Ok(runs.map(|(_, run)| run).collect())
}

/// Refuses a folder, which need not be there yet, that has records of another shard, or of a shard where all
/// runs are asked for, or of all where a shard is.
pub(super) fn check_place(asked: Option<Shard>, path: &Path) -> Result<(), BadInput> {
    let refuse = |complaint: String| BadInput::new("results folder", path.to_string_lossy(), complaint);
    match (Mark::read(path).map_err(refuse)?, asked) {
        (Some(Mark { shard: found, .. }), Some(shard)) if found != shard => {
            Err(refuse(format!("expected one of shard {shard}, not of {found}, as its {MARK} says")))
        }
        (Some(Mark { shard, .. }), None) => {
            Err(refuse(format!("expected one of all runs; by its {MARK} it is for --shard {shard}")))
        }
        (None, Some(shard)) if path.join(SPEC).exists() => {
            Err(refuse(format!("expected one of shard {shard}; without {MARK} it is of all runs")))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_run_is_of_one_shard() {
        for text in ["1/1", "1/3", "3/3"] {
            assert_eq!(Shard::read(text).unwrap().to_string(), text);
        }
        for bad in [
            "",
            "1",
            "/",
            "0/2",
            "3/2",
            "1/0",
            "x",
            "1/x",
            "1/2/3",
            "-1/2",
            "1.5/2",
            "1/99999999999999999999",
        ] {
            let complaint = Shard::read(bad).unwrap_err().to_string();
            assert!(complaint.starts_with("shard ") && complaint.contains(": expected i/n"), "{complaint}");
        }
        let shard = Shard { number: 1, of: 3 };
        assert_eq!([0, 1, 2, 3, 4].map(|place| shard.of_place(place).number), [1, 2, 3, 1, 2]);
    }
}
