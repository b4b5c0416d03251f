//! Records of runs: a folder with `samples.jsonl`, one line a run and only ever added to, and `meta.json`, which says
//! on what machine and by what command they were made.

use crate::cli::files;
use crate::cli::outputs;
use crate::records::machine::{Machine, Program};
use crate::records::measured::Measured;
use crate::records::samples::{PLAIN, SEALED};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use starsplit::score::Score;
use std::fs::{self, File, OpenOptions, TryLockError};
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
///
/// 4: `meta.json` names the build by its fingerprint (`program.build_fnv1a`), the parameters of the search
/// (`settings.tuning`), the spec that asked for the run (`spec`) and who has gone on with it (`resumed`). A line with
/// `variant` is one search of a study, under the options that `settings.variants` gives it.
pub const SCHEMA: u32 = 4;

/// The file that says where they were made and how.
pub(crate) const META: &str = "meta.json";

/// Where records go unless told otherwise, from the working directory.
pub(crate) const DEFAULT_PARENT: &str = "results";

/// One run, one line of `samples.jsonl`.
#[derive(Clone, Debug, Serialize)]
pub struct Sample<'a> {
    /// [`SCHEMA`].
    pub schema: u32,
    /// The place of the position in its suite, from 1.
    pub index: usize,
    /// The position in the game's notation.
    pub position: &'a str,
    /// The study's name for these options; in the line only there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variant: Option<&'a str>,
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

#[derive(Serialize)]
struct Meta<'a, S> {
    schema: u32,
    experiment: &'a str,
    started: String,
    program: Program,
    machine: Machine,
    settings: S,
    /// What asked for the run, where it was not the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    spec: Option<&'a Asked>,
}

/// What a spec says of the run that it asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Asked {
    /// The spec's name.
    pub name: String,
    /// The run's name in it.
    pub run: String,
    /// What the experiment is to find out.
    pub question: String,
    /// How the answer is to be read.
    pub reading: String,
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
    /// Another run is writing there.
    #[error("results folder {path:?}: expected one that no other run is writing to")]
    Busy {
        /// The folder.
        path: PathBuf,
    },
    /// Its samples are sealed.
    #[error(
        "results folder {path:?}: expected records to go on with that are not sealed; gunzip {SEALED} first"
    )]
    Sealed {
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
    /// How many bytes of whole lines there are.
    length: u64,
    /// What `meta.json` will say as soon as something is added to records of an earlier run.
    resumed: Option<Value>,
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
        spec: Option<&Asked>,
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
        let started = started.to_string();
        let meta = Meta { schema: SCHEMA, experiment, started, program, machine, settings, spec };
        write_meta(&path, &meta)?;
        Ok(Records { path, samples, length: 0, resumed: None })
    }

    /// The records in the folder `path`, of whose `found` bytes the first `length` are kept and the rest is cut off. With the
    /// first sample that is added, their `meta.json`, which says `meta`, will name this program, too.
    ///
    /// # Errors
    /// When they cannot be written to.
    pub(crate) fn go_on(
        path: &Path,
        (length, found): (u64, u64),
        mut meta: Value,
    ) -> Result<Self, RecordsError> {
        let refuse = |source| RecordsError::NotWritable { path: path.to_owned(), source };
        let samples = files::open_with(OpenOptions::new().append(true), &path.join(PLAIN)).map_err(refuse)?;
        reserve(&samples, path)?;
        outputs::clear(&path.join(META));
        // What another run has added since the lines were read must not be cut off, and would be searched again.
        if samples.metadata().map_err(refuse)?.len() != found {
            return Err(RecordsError::Busy { path: path.to_owned() });
        }
        if length < found {
            samples.set_len(length).map_err(refuse)?;
        }
        let (program, machine) = (Program::here(), Machine::here());
        let here = Resumption { started: Timestamp::now().to_string(), program, machine };
        let here = serde_json::to_value(here).map_err(|error| refuse(error.into()))?;
        match &mut meta["resumed"] {
            Value::Array(list) => list.push(here),
            none => *none = Value::Array(vec![here]),
        }
        Ok(Records { path: path.to_owned(), samples, length, resumed: Some(meta) })
    }

    /// Adds a sample. It is with the system when this returns: a killed run keeps it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, sample: &impl Serialize) -> Result<(), RecordsError> {
        self.append_all(&[sample])
    }

    /// Adds the samples of searches that belong together: all of them, or none where they cannot be written.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn append_all(&mut self, samples: &[impl Serialize]) -> Result<(), RecordsError> {
        let lines = samples.iter().map(serde_json::to_string).collect::<Result<Vec<_>, _>>();
        lines
            .map_err(|error| RecordsError::NotWritable { path: self.path.clone(), source: error.into() })
            .and_then(|lines| self.append_line(lines.join("\n")))
    }

    /// Adds a sample that is a line already, or several.
    pub(crate) fn append_line(&mut self, line: String) -> Result<(), RecordsError> {
        if let Some(meta) = self.resumed.take() {
            write_meta(&self.path, &meta)?;
        }
        // The line and its end in one write, so that hardly ever a reader or a kill finds half a line.
        let bytes = line + "\n";
        self.samples.write_all(bytes.as_bytes()).map_err(|source| {
            // A full disk may have taken the first part. What follows whole lines is cut off when they are gone on with,
            // too, so that nothing depends on this.
            let _ = self.samples.set_len(self.length);
            RecordsError::NotWritable { path: self.path.clone(), source }
        })?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Who has gone on with records.
#[derive(Serialize)]
struct Resumption {
    started: String,
    program: Program,
    machine: Machine,
}

/// Takes note of the name of a position, of which nothing or the same was known.
///
/// # Errors
/// When it had another name.
pub(crate) fn name(known: &mut String, name: &str) -> Result<(), String> {
    if known.is_empty() {
        name.clone_into(known);
    }
    if known == name {
        Ok(())
    } else {
        Err(format!("expected one position of each index, not {known} and {name}"))
    }
}

fn create_all(path: &Path) -> Result<PathBuf, RecordsError> {
    fs::create_dir_all(path).map_err(|source| RecordsError::NotWritable { path: path.to_owned(), source })?;
    Ok(path.to_owned())
}

/// A new folder called `name` or `name-2`, `name-3`, ... in `parent`. Two runs at once get two folders: making one
/// fails where another run was first.
pub(crate) fn create_dated(parent: &Path, name: &str) -> Result<PathBuf, RecordsError> {
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

/// The file of the samples, which is new or was left empty by a run that was killed before it could say what it was of.
fn create_samples(path: &Path) -> Result<File, RecordsError> {
    let refuse = |source| RecordsError::NotWritable { path: path.to_owned(), source };
    let mut options = OpenOptions::new();
    let samples = files::open_with(options.append(true).create(true), &path.join(PLAIN)).map_err(refuse)?;
    reserve(&samples, path)?;
    if samples.metadata().map_err(refuse)?.len() > 0 || path.join(META).exists() || path.join(SEALED).exists()
    {
        return Err(RecordsError::InUse { path: path.to_owned() });
    }
    Ok(samples)
}

/// Writes `meta.json` so that whoever looks finds the old one or the new one, and never a part.
fn write_meta(path: &Path, meta: &impl Serialize) -> Result<(), RecordsError> {
    let text = serde_json::to_string_pretty(meta).map_err(io::Error::from);
    let written = text
        .and_then(|text| outputs::replace(&path.join(META), |file| file.write_all((text + "\n").as_bytes())));
    written.map_err(|source| RecordsError::NotWritable { path: path.to_owned(), source })
}

/// Keeps other runs from writing to `samples`, for as long as the file is open; a killed run leaves nothing behind. Where the
/// file system has no locks, nobody is kept away.
fn reserve(samples: &File, path: &Path) -> Result<(), RecordsError> {
    match samples.try_lock() {
        Err(TryLockError::WouldBlock) => Err(RecordsError::Busy { path: path.to_owned() }),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(()),
    }
}

/// Whether no run is writing to the records in the folder `path`, if there are any.
///
/// # Errors
/// When one is.
pub(crate) fn check_free(path: &Path) -> Result<(), RecordsError> {
    // Shared, so that two that look at once are not in each other's way.
    match files::open(&path.join(PLAIN)).map(|samples| samples.try_lock_shared()) {
        Ok(Err(TryLockError::WouldBlock)) => Err(RecordsError::Busy { path: path.to_owned() }),
        _ => Ok(()),
    }
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
        let mut records = Records::create(Some(&scratch.0), "test", &json!({"depth": 3}), None).unwrap();
        records.append(&json!({"n": 1})).unwrap();
        records.append(&json!({"n": 2})).unwrap();
        let written = fs::read_to_string(records.path().join("samples.jsonl")).unwrap();
        assert_eq!(written, "{\"n\":1}\n{\"n\":2}\n");
        let meta: Value =
            serde_json::from_str(&fs::read_to_string(scratch.0.join("meta.json")).unwrap()).unwrap();
        assert_eq!((&meta["experiment"], &meta["settings"]["depth"]), (&json!("test"), &json!(3)));
        assert!(meta["machine"]["cores"].as_u64().unwrap() >= 1);
        drop(records);
        let again = Records::create(Some(&scratch.0), "test", &json!({}), None);
        assert!(matches!(again, Err(RecordsError::InUse { .. })));
    }

    #[test]
    fn a_folder_has_one_writer() {
        let scratch = Scratch::new("writers");
        let mut records = Records::create(Some(&scratch.0), "test", &json!({"depth": 3}), None).unwrap();
        records.append(&json!({"n": 1})).unwrap();
        let meta = json!({"experiment": "test"});
        let busy = |lengths| {
            let found = Records::go_on(&scratch.0, lengths, meta.clone());
            assert!(matches!(found, Err(RecordsError::Busy { .. })), "{found:?}");
        };
        busy((8, 8));
        drop(records);
        let mut records = Records::go_on(&scratch.0, (8, 8), meta.clone()).unwrap();
        busy((8, 8));
        records.append(&json!({"n": 2})).unwrap();
        drop(records);
        // Who has read the first line only must not cut off the second.
        busy((8, 8));
        let samples = || fs::read_to_string(scratch.0.join(PLAIN)).unwrap();
        assert_eq!(samples(), "{\"n\":1}\n{\"n\":2}\n");
        // Who has read both may keep the first only.
        drop(Records::go_on(&scratch.0, (8, 16), meta.clone()).unwrap());
        assert_eq!(samples(), "{\"n\":1}\n");
        let resumed = || {
            let text = fs::read_to_string(scratch.0.join(META)).unwrap();
            serde_json::from_str::<Value>(&text).unwrap()["resumed"].as_array().map(Vec::len)
        };
        fs::write(scratch.0.join(META), meta.to_string()).unwrap();
        let mut records = Records::go_on(&scratch.0, (8, 8), meta.clone()).unwrap();
        assert_eq!(resumed(), None, "nothing was added");
        records.append(&json!({"n": 2})).unwrap();
        assert_eq!(resumed(), Some(1));
    }

    #[test]
    fn what_a_run_left_that_was_killed_at_its_start_is_in_nobodys_way() {
        let scratch = Scratch::new("start");
        fs::write(scratch.0.join(PLAIN), "").unwrap();
        let part = scratch.0.join(".meta.json.starsplit-1-0.part");
        fs::write(&part, "{").unwrap();
        drop(Records::create(Some(&scratch.0), "test", &json!({}), None).unwrap());
        assert!(!part.exists());
        fs::write(&part, "{").unwrap();
        drop(Records::go_on(&scratch.0, (0, 0), json!({})).unwrap());
        assert!(!part.exists());
        let again = Records::create(Some(&scratch.0), "test", &json!({}), None);
        assert!(matches!(again, Err(RecordsError::InUse { .. })), "{again:?}");
    }

    #[test]
    fn a_folder_below_a_file_is_not_writable() {
        let scratch = Scratch::new("file");
        let file = scratch.0.join("file");
        fs::write(&file, "").unwrap();
        let error = Records::create(Some(&file.join("x")), "test", &json!({}), None).unwrap_err();
        assert!(error.to_string().contains("expected a folder that can be written to"), "{error}");
    }
}
