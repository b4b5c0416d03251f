//! Records of runs: a folder with `samples.jsonl`, one line a run and only ever added to, and `meta.json`, which says
//! on what machine and by what command they were made.

use crate::machine::{Machine, Program};
use crate::measure::Measured;
use crate::suite::Suite;
use jiff::Timestamp;
use serde::Serialize;
use starsplit::score::Score;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The version of what is written; it grows with every change that a reader has to know about.
///
/// 2: `idle_ns`, until then always null, is one of four times that the workers of a parallel search clock, beside
/// `busy_ns`, `stealing_ns` and `parked_ns`; `workers` says what each of them did; `split` has `duplicate_nodes` only
/// where they were counted.
///
/// 3: a line with `simulated` is of a search on virtual processors: all its times are virtual, `threads` is their number,
/// and how the workers differ is in `simulated.workers`, not in `workers`. Every
/// line has `history`.
pub const SCHEMA: u32 = 3;

/// The file of the runs.
pub(crate) const SAMPLES: &str = "samples.jsonl";

/// The file that says where they were made and how.
pub(crate) const META: &str = "meta.json";

/// Where records go unless told otherwise, from the working directory.
const DEFAULT_PARENT: &str = "results";

/// One run, one line of `samples.jsonl`.
#[derive(Clone, Debug, Serialize)]
pub struct Sample<'a> {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The place of the position in its suite, from 1.
    pub index: usize,
    /// The position in the game's notation.
    pub position: &'a str,
    /// The algorithm.
    pub algorithm: &'static str,
    /// How it used threads: `serial`, the name of a parallel method, or `ceiling` for one of several independent
    /// serial searches at once.
    pub method: &'static str,
    /// Which node kinds used the table.
    pub table_use: &'static str,
    /// The move ordering.
    pub ordering: &'static str,
    /// From what the history heuristic learned, where the ordering uses it.
    pub history: &'static str,
    /// Threads.
    pub threads: usize,
    /// Of independent searches that ran at once, which this is, from 1; in the line only then. `threads` is then how
    /// many there were, and each had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy: Option<usize>,
    /// Which repeat of the same run this is, from 1.
    pub repeat: usize,
    /// The depth asked for.
    pub depth: u32,
    /// What it found and what it cost.
    #[serde(flatten)]
    pub measured: &'a Measured,
    /// The score that it had to find, where one is known.
    pub expected: Option<Score>,
    /// What is wrong with this run; a run with an error is not to be used for anything.
    pub error: Option<String>,
}

/// What `meta.json` says beside the machine and the program.
#[derive(Clone, Debug, Serialize)]
pub struct Settings<'a> {
    /// The suite's name or file.
    pub suite: &'a str,
    /// The suite's fingerprint.
    pub suite_fnv1a: &'a str,
    /// The rules of the game.
    pub rules: String,
    /// How many positions it has.
    pub positions: usize,
    /// The depth of the searches.
    pub depth: u32,
    /// The evaluator of the leaves.
    pub evaluator: String,
    /// The size of the table in MiB.
    pub table_mb: u64,
    /// The seed of what is random.
    pub seed: u64,
}

impl<'a> Settings<'a> {
    /// The settings of a run through `suite`.
    pub fn new(suite: &'a Suite, depth: u32, evaluator: String, table_mb: u64, seed: u64) -> Self {
        Settings {
            suite: &suite.name,
            suite_fnv1a: &suite.fingerprint,
            rules: suite.dice.rules().to_string(),
            positions: suite.positions.len(),
            depth,
            evaluator,
            table_mb,
            seed,
        }
    }
}

#[derive(Serialize)]
struct Meta<'a, S> {
    schema: u32,
    experiment: &'a str,
    started: String,
    program: Program,
    machine: Machine,
    settings: S,
}

/// Why records cannot be kept.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordsError {
    /// The folder cannot be made or written to.
    #[error("results folder {path:?}: expected a folder that can be written to ({source})")]
    NotWritable {
        /// The folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The folder has records already.
    #[error("results folder {path:?}: expected one without records, not to mix runs")]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// What is there cannot be gone on with.
    #[error("results folder {path:?}: expected {expected}")]
    Unreadable {
        /// The folder.
        path: PathBuf,
        /// What had to be there.
        expected: String,
    },
}

/// A folder of records that is being written.
#[derive(Debug)]
pub struct Records {
    path: PathBuf,
    samples: File,
}

impl Records {
    /// Makes the folder `out`, or `results/<date>-<experiment>` with `-2`, `-3`, ... added when that is taken, and
    /// writes its `meta.json`.
    ///
    /// # Errors
    /// When the folder cannot be written to, or `out` has records already.
    pub fn create(
        out: Option<&Path>,
        experiment: &str,
        settings: &impl Serialize,
    ) -> Result<Self, RecordsError> {
        let started = Timestamp::now();
        let path = match out {
            Some(path) => create_all(path)?,
            None => create_dated(
                Path::new(DEFAULT_PARENT),
                &format!("{}-{experiment}", started.strftime("%Y-%m-%d")),
            )?,
        };
        let samples = create_samples(&path)?;
        let (program, machine) = (Program::here(), Machine::here());
        let meta =
            Meta { schema: SCHEMA, experiment, started: started.to_string(), program, machine, settings };
        let text = serde_json::to_string_pretty(&meta).map_err(io::Error::from);
        text.and_then(|text| fs::write(path.join(META), text + "\n"))
            .map_err(|source| RecordsError::NotWritable { path: path.clone(), source })?;
        Ok(Records { path, samples })
    }

    /// The records in the folder `path`, of which the first `length` bytes are whole lines; whatever follows them is cut
    /// off.
    ///
    /// # Errors
    /// When they cannot be written to.
    pub(crate) fn go_on(path: &Path, length: u64) -> Result<Self, RecordsError> {
        let opened = OpenOptions::new().append(true).open(path.join(SAMPLES));
        let samples = opened.and_then(|file| file.set_len(length).map(|()| file));
        samples
            .map(|samples| Records { path: path.to_owned(), samples })
            .map_err(|source| RecordsError::NotWritable { path: path.to_owned(), source })
    }

    /// Adds a sample. It is with the system when this returns: a killed run keeps it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, sample: &impl Serialize) -> Result<(), RecordsError> {
        let line = serde_json::to_string(sample).map_err(io::Error::from);
        line.map_err(|source| RecordsError::NotWritable { path: self.path.clone(), source })
            .and_then(|line| self.append_line(line))
    }

    /// Adds a sample that is a line already.
    pub(crate) fn append_line(&mut self, line: String) -> Result<(), RecordsError> {
        // The line and its end in one write, so that no reader and no kill finds half a line.
        self.samples
            .write_all((line + "\n").as_bytes())
            .map_err(|source| RecordsError::NotWritable { path: self.path.clone(), source })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn create_all(path: &Path) -> Result<PathBuf, RecordsError> {
    fs::create_dir_all(path).map_err(|source| RecordsError::NotWritable { path: path.to_owned(), source })?;
    Ok(path.to_owned())
}

/// A new folder called `name` or `name-2`, `name-3`, ... in `parent`. Two runs at once get two folders: making one
/// fails where another run was first.
fn create_dated(parent: &Path, name: &str) -> Result<PathBuf, RecordsError> {
    create_all(parent)?;
    let mut path = parent.join(name);
    for n in 2.. {
        match fs::create_dir(&path) {
            Ok(()) => break,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                path = parent.join(format!("{name}-{n}"))
            }
            Err(source) => return Err(RecordsError::NotWritable { path, source }),
        }
    }
    Ok(path)
}

fn create_samples(path: &Path) -> Result<File, RecordsError> {
    let created = OpenOptions::new().append(true).create_new(true).open(path.join(SAMPLES));
    created.map_err(|source| match source.kind() {
        io::ErrorKind::AlreadyExists => RecordsError::InUse { path: path.to_owned() },
        _ => RecordsError::NotWritable { path: path.to_owned(), source },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A folder of its own for a test, empty and removed afterwards.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("starsplit-records-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Scratch(path)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let scratch = Scratch::new("dated");
        let make = || create_dated(&scratch.0, "2026-01-02-x").unwrap();
        let names: Vec<_> = (0..3).map(|_| make().file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["2026-01-02-x", "2026-01-02-x-2", "2026-01-02-x-3"]);
    }

    #[test]
    fn runs_that_start_together_get_different_folders() {
        let scratch = Scratch::new("race");
        let mut made: Vec<PathBuf> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..8).map(|_| scope.spawn(|| create_dated(&scratch.0, "together").unwrap())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        made.sort();
        made.dedup();
        assert_eq!(made.len(), 8);
    }

    #[test]
    fn every_sample_is_a_line_and_the_folder_is_not_used_twice() {
        let scratch = Scratch::new("lines");
        let mut records = Records::create(Some(&scratch.0), "test", &json!({"depth": 3})).unwrap();
        records.append(&json!({"n": 1})).unwrap();
        records.append(&json!({"n": 2})).unwrap();
        let written = fs::read_to_string(records.path().join("samples.jsonl")).unwrap();
        assert_eq!(written, "{\"n\":1}\n{\"n\":2}\n");
        let meta: Value =
            serde_json::from_str(&fs::read_to_string(scratch.0.join("meta.json")).unwrap()).unwrap();
        assert_eq!((&meta["experiment"], &meta["settings"]["depth"]), (&json!("test"), &json!(3)));
        assert!(meta["machine"]["cores"].as_u64().unwrap() >= 1);
        let again = Records::create(Some(&scratch.0), "test", &json!({}));
        assert!(matches!(again, Err(RecordsError::InUse { .. })));
    }

    #[test]
    fn a_folder_below_a_file_is_not_writable() {
        let scratch = Scratch::new("file");
        let file = scratch.0.join("file");
        fs::write(&file, "").unwrap();
        let error = Records::create(Some(&file.join("x")), "test", &json!({})).unwrap_err();
        assert!(error.to_string().contains("expected a folder that can be written to"), "{error}");
    }
}
