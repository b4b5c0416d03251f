//! Records of runs: a folder with `samples.jsonl`, one line a run and only ever added to, and `meta.json`,
//! which says on what machine and by what command they were made.

use crate::cli::files;
use crate::cli::outputs;
use crate::records::archive::ARCHIVE;
use crate::records::line::{self, RecordLine};
use crate::records::meta::{Asked, META, Meta, Planned, Resumption, RunSettings};
use crate::records::samples::{self, PLAIN};
use jiff::Timestamp;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How often a run tries to lock its samples. A process that another thread is just starting has this one's
/// locks, too, for a moment.
const LOCK_TRIES: u32 = 20;

/// How long it waits in between.
const BETWEEN_LOCK_TRIES: Duration = Duration::from_millis(5);

/// Where records go unless told otherwise, from the working directory.
pub(crate) const DEFAULT_PARENT: &str = "results";

/// Why records cannot be kept in a folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordsError {
    /// The folder cannot be made or written to.
    #[error("results folder {0:?}: expected a folder that can be written to ({1})")]
    NotWritable(PathBuf, io::Error),
    /// The folder has records already.
    #[error(
        "results folder {0:?}: expected one without records, not to mix runs; --resume goes on with these"
    )]
    InUse(PathBuf),
    /// The folder is over runs that have records; which, in words.
    #[error("results folder {0:?}: expected one without records, not to mix runs{1}")]
    HasRuns(PathBuf, String),
    /// Another run is writing there.
    #[error("results folder {0:?}: expected one that no other run is writing to")]
    Busy(PathBuf),
    /// Its samples are sealed.
    #[error(
        "results folder {0:?}: expected records to go on with that are not sealed; unpack {ARCHIVE} first"
    )]
    Sealed(PathBuf),
    /// What is there cannot be gone on with; what had to be there.
    #[error("results folder {0:?}: expected {1}")]
    Unreadable(PathBuf, String),
}

impl RecordsError {
    /// What came of writing to a folder.
    fn of_writing(path: &Path) -> impl Fn(io::Error) -> Self {
        move |error| RecordsError::NotWritable(path.to_owned(), error)
    }
}

/// A folder of records that is being written.
#[derive(Debug)]
pub struct Records {
    path: PathBuf,
    samples: File,
    /// How many bytes of whole lines there are.
    length: u64,
    /// How many lines.
    lines: usize,
    /// What `meta.json` says, or will as soon as something is added to records of an earlier run.
    meta: Meta,
    /// Whether it does not say so yet.
    is_to_tell: bool,
}

impl Records {
    /// For an experiment with a game, makes the folder `out`, or `results/<date>-<experiment>` with `-2`,
    /// `-3`, ... added when that is taken, and writes its `meta.json`.
    ///
    /// # Errors
    /// When the folder cannot be written to, or `out` has records already.
    pub fn create(
        out: Option<&Path>,
        (experiment, game): (&str, &str),
        settings: RunSettings,
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
        let meta = Meta::here((experiment, game), started.to_string(), settings, spec);
        write_meta(&path, &meta)?;
        Ok(Records { path, samples, length: 0, lines: 0, meta, is_to_tell: false })
    }

    /// The records in the folder `path`, of whose `found` bytes the first `length`, so many `lines`, are kept
    /// and the rest is cut off. With the first sample that is added, their `meta.json`, which says `meta`,
    /// will name this program, too.
    ///
    /// # Errors
    /// When they cannot be written to.
    pub(crate) fn go_on(
        path: &Path,
        (length, found): (u64, u64),
        lines: usize,
        mut meta: Meta,
    ) -> Result<Self, RecordsError> {
        let refuse = RecordsError::of_writing(path);
        let samples =
            files::open_with(OpenOptions::new().append(true), &path.join(PLAIN)).map_err(&refuse)?;
        reserve(&samples, path)?;
        outputs::clear(&path.join(META));
        // What another run has added since the lines were read must not be cut off, and would be searched
        // again.
        if samples.metadata().map_err(&refuse)?.len() != found {
            return Err(RecordsError::Busy(path.to_owned()));
        }
        if length < found {
            samples.set_len(length).map_err(&refuse)?;
        }
        meta.resumed.push(Resumption::here(Timestamp::now().to_string()));
        Ok(Records { path: path.to_owned(), samples, length, lines, meta, is_to_tell: true })
    }

    /// Says in `meta.json` what will be there when the run has come to its end: lines of so many positions,
    /// where they are of a suite's, and so many lines beside those that are there. What an earlier run was to
    /// leave beyond that is still missing then.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn plan(&mut self, positions: Option<usize>, left: usize) -> Result<(), RecordsError> {
        let before = self.meta.planned.unwrap_or_default();
        let lines = before.lines.max(Some(self.lines + left));
        self.meta.planned = Some(Planned { positions: before.positions.max(positions), lines });
        // Records to which nothing is added stay as they are.
        if self.is_to_tell { Ok(()) } else { write_meta(&self.path, &self.meta) }
    }

    /// Adds a line. It is with the system when this returns: a killed run keeps it. What is returned was read
    /// from the very text that was written, so that whatever is made of it can be made of the records, too.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append<L: RecordLine>(&mut self, line: &L) -> Result<L, RecordsError> {
        let mut read = self.append_all(std::slice::from_ref(line))?;
        read.pop().ok_or_else(|| self.not_writable(io::Error::other("no line was written")))
    }

    /// Adds the lines of searches that belong together: all of them, or none where they cannot be written. As
    /// [`append`](Self::append) it returns what they say.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn append_all<L: RecordLine>(&mut self, lines: &[L]) -> Result<Vec<L>, RecordsError> {
        let texts: Vec<String> = lines
            .iter()
            .zip(self.lines + 1..)
            .map(|(line, number)| line::write(line, number))
            .collect::<Result<_, _>>()
            .map_err(|error| self.not_writable(error.into()))?;
        let read: Result<Vec<L>, _> = texts.iter().map(|text| line::read(text)).collect();
        let read = read.map_err(|complaint| self.not_writable(io::Error::other(complaint)))?;
        self.append_text(texts.join("\n"))?;
        self.lines += lines.len();
        Ok(read)
    }

    /// Adds the text of a line, or of several.
    fn append_text(&mut self, text: String) -> Result<(), RecordsError> {
        if self.is_to_tell {
            write_meta(&self.path, &self.meta)?;
            self.is_to_tell = false;
        }
        // The line and its end in one write, so that hardly ever a reader or a kill finds half a line.
        let bytes = text + "\n";
        self.samples.write_all(bytes.as_bytes()).map_err(|error| {
            // A full disk may have taken the first part. What follows whole lines is cut off when they are
            // gone on with, too, so that nothing depends on this.
            let _ = self.samples.set_len(self.length);
            self.not_writable(error)
        })?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn not_writable(&self, error: io::Error) -> RecordsError {
        RecordsError::NotWritable(self.path.clone(), error)
    }
}

fn create_all(path: &Path) -> Result<PathBuf, RecordsError> {
    fs::create_dir_all(path).map_err(RecordsError::of_writing(path))?;
    Ok(path.to_owned())
}

/// A new folder called `name` or `name-2`, `name-3`, ... in `parent`. Two runs at once get two folders:
/// making one fails where another run was first.
pub(crate) fn create_dated(parent: &Path, name: &str) -> Result<PathBuf, RecordsError> {
    create_all(parent)?;
    let mut path = parent.join(name);
    for n in 2.. {
        match fs::create_dir(&path) {
            Ok(()) => break,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                path = parent.join(format!("{name}-{n}"))
            }
            Err(error) => return Err(RecordsError::NotWritable(path, error)),
        }
    }
    Ok(path)
}

/// The file of the samples, which is new or was left empty by a run that was killed before it could say what
/// it was of.
fn create_samples(path: &Path) -> Result<File, RecordsError> {
    let refuse = RecordsError::of_writing(path);
    let in_use = || RecordsError::InUse(path.to_owned());
    if samples::are_sealed_in(path) {
        return Err(in_use());
    }
    let mut options = OpenOptions::new();
    let samples = files::open_with(options.append(true).create(true), &path.join(PLAIN)).map_err(&refuse)?;
    reserve(&samples, path)?;
    if samples.metadata().map_err(&refuse)?.len() > 0 || path.join(META).exists() {
        return Err(in_use());
    }
    Ok(samples)
}

/// Writes `meta.json` so that whoever looks finds the old one or the new one, and never a part.
fn write_meta(path: &Path, meta: &Meta) -> Result<(), RecordsError> {
    let text = meta.text().map_err(io::Error::from);
    let written =
        text.and_then(|text| outputs::replace(&path.join(META), |file| file.write_all(text.as_bytes())));
    written.map_err(RecordsError::of_writing(path))
}

/// Keeps other runs from writing to `samples`, for as long as the file is open; a killed run leaves nothing
/// behind. Where the file system has no locks, nobody is kept away.
fn reserve(samples: &File, path: &Path) -> Result<(), RecordsError> {
    for _ in 0..LOCK_TRIES {
        match samples.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(BETWEEN_LOCK_TRIES),
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
        }
    }
    Err(RecordsError::Busy(path.to_owned()))
}

/// Whether no run is writing to the records in the folder `path`, if there are any.
///
/// # Errors
/// When one is.
pub(crate) fn check_free(path: &Path) -> Result<(), RecordsError> {
    // Shared, so that two that look at once are not in each other's way.
    match files::open(&path.join(PLAIN)).map(|samples| samples.try_lock_shared()) {
        Ok(Err(TryLockError::WouldBlock)) => Err(RecordsError::Busy(path.to_owned())),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::line::Line;
    use crate::records::line::tests::full;
    use crate::records::meta::DICE;
    use serde_json::{Value, json};
    use tempfile::tempdir;

    /// The settings of a test.
    fn settings() -> RunSettings {
        RunSettings::other(&json!({"depth": 3})).unwrap()
    }

    fn line(repeat: usize) -> Line {
        Line { repeat, ..full() }
    }

    fn text(repeat: usize) -> String {
        line::write(&line(repeat), repeat).unwrap() + "\n"
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let scratch = tempdir().unwrap();
        let make = || create_dated(scratch.path(), "2026-01-02-x").unwrap();
        let names: Vec<_> = (0..3).map(|_| make().file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["2026-01-02-x", "2026-01-02-x-2", "2026-01-02-x-3"]);
    }

    #[test]
    fn runs_that_start_together_get_different_folders() {
        let scratch = tempdir().unwrap();
        let mut made: Vec<PathBuf> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..8).map(|_| scope.spawn(|| create_dated(scratch.path(), "together").unwrap())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        made.sort();
        made.dedup();
        assert_eq!(made.len(), 8);
    }

    #[test]
    fn every_sample_is_a_line_and_the_folder_is_not_used_twice() {
        let scratch = tempdir().unwrap();
        let mut records = Records::create(Some(scratch.path()), ("test", DICE), settings(), None).unwrap();
        assert_eq!(records.append(&line(1)).unwrap(), line(1));
        assert_eq!(records.append_all(&[line(2), line(3)]).unwrap(), [line(2), line(3)]);
        let written = fs::read_to_string(records.path().join("samples.jsonl")).unwrap();
        assert_eq!(written, text(1) + &text(2) + &text(3));
        let meta: Value =
            serde_json::from_str(&fs::read_to_string(scratch.path().join("meta.json")).unwrap()).unwrap();
        assert_eq!((&meta["experiment"], &meta["settings"]["depth"]), (&json!("test"), &json!(3)));
        assert!(meta["machine"]["cores"].as_u64().unwrap() >= 1);
        drop(records);
        let again = Records::create(Some(scratch.path()), ("test", DICE), settings(), None);
        assert!(matches!(again, Err(RecordsError::InUse { .. })));
    }

    #[test]
    fn a_folder_has_one_writer() {
        let scratch = tempdir().unwrap();
        let mut records = Records::create(Some(scratch.path()), ("test", DICE), settings(), None).unwrap();
        records.append(&line(1)).unwrap();
        let meta = Meta { experiment: "test".to_owned(), ..Meta::default() };
        let one = text(1).len() as u64;
        let busy = |lengths| {
            let found = Records::go_on(scratch.path(), lengths, 1, meta.clone());
            assert!(matches!(found, Err(RecordsError::Busy { .. })), "{found:?}");
        };
        busy((one, one));
        drop(records);
        let mut records = Records::go_on(scratch.path(), (one, one), 1, meta.clone()).unwrap();
        busy((one, one));
        records.append(&line(2)).unwrap();
        drop(records);
        // Who has read the first line only must not cut off the second.
        busy((one, one));
        let samples = || fs::read_to_string(scratch.path().join(PLAIN)).unwrap();
        assert_eq!(samples(), text(1) + &text(2));
        // Who has read both may keep the first only.
        drop(Records::go_on(scratch.path(), (one, 2 * one), 1, meta.clone()).unwrap());
        assert_eq!(samples(), text(1));
        let resumed = || {
            let text = fs::read_to_string(scratch.path().join(META)).unwrap();
            serde_json::from_str::<Value>(&text).unwrap()["resumed"].as_array().map(Vec::len)
        };
        fs::write(scratch.path().join(META), serde_json::to_string(&meta).unwrap()).unwrap();
        let mut records = Records::go_on(scratch.path(), (one, one), 1, meta.clone()).unwrap();
        assert_eq!(resumed(), None, "nothing was added");
        records.append(&line(2)).unwrap();
        assert_eq!(resumed(), Some(1));
    }

    #[test]
    fn what_a_run_left_that_was_killed_at_its_start_is_in_nobodys_way() {
        let scratch = tempdir().unwrap();
        fs::write(scratch.path().join(PLAIN), "").unwrap();
        let part = scratch.path().join(".meta.json.starsplit-1-0.part");
        fs::write(&part, "{").unwrap();
        drop(Records::create(Some(scratch.path()), ("test", DICE), settings(), None).unwrap());
        assert!(!part.exists());
        fs::write(&part, "{").unwrap();
        drop(Records::go_on(scratch.path(), (0, 0), 0, Meta::default()).unwrap());
        assert!(!part.exists());
        let again = Records::create(Some(scratch.path()), ("test", DICE), settings(), None);
        assert!(matches!(again, Err(RecordsError::InUse { .. })), "{again:?}");
    }

    #[test]
    fn a_folder_below_a_file_is_not_writable() {
        let scratch = tempdir().unwrap();
        let file = scratch.path().join("file");
        fs::write(&file, "").unwrap();
        let error = Records::create(Some(&file.join("x")), ("test", DICE), settings(), None).unwrap_err();
        assert!(error.to_string().contains("expected a folder that can be written to"), "{error}");
    }
}
