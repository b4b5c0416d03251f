//! Training runs on disk: a killed run goes on where it was last saved and ends in the same bytes.

use super::learner::{SavedTrainer, Trainer};
use super::options::Options;
use crate::cli::BadInput;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// The version of the file's form.
const VERSION: u32 = 2;

#[derive(Serialize, Deserialize)]
struct Checkpoint {
    version: u32,
    run: SavedTrainer,
}

/// Saves `trainer` to the file at `path`, whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn save(trainer: &Trainer, path: &Path) -> Result<()> {
    let checkpoint = Checkpoint { version: VERSION, run: trainer.save()? };
    write_whole(path, &serde_json::to_vec(&checkpoint)?)
}

/// The run saved at `path`, which must have been made with `options`.
///
/// # Errors
/// When the file cannot be read, is damaged or belongs to another run.
pub fn load(path: &Path, options: &Options) -> Result<Trainer> {
    let name = || format!("checkpoint {}", path.display());
    let bytes = fs::read(path).with_context(name)?;
    // The version first: files of other versions hold other things.
    let Version { version } = serde_json::from_slice(&bytes).with_context(name)?;
    if version != VERSION {
        bail!("{}: version {version}: expected {VERSION}", name());
    }
    let Checkpoint { run, .. } = serde_json::from_slice(&bytes).with_context(name)?;
    if run.options != *options {
        bail!("{}: made with {:?}: this run has {options:?}", name(), run.options);
    }
    if run.games_done > options.games {
        bail!("{}: {} games done: expected at most {}", name(), run.games_done, options.games);
    }
    Trainer::restore(run).with_context(name)
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}

/// Replaces the file at `path` by one with `bytes`; a reader sees the old file or the new one, never a part.
///
/// # Errors
/// When the file beside it cannot be written or renamed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    write_piecewise(path, |file| Ok(file.write_all(bytes)?))
}

/// As [`write_whole`], with what `write` writes.
///
/// # Errors
/// As [`write_whole`], or what `write` complains of.
pub fn write_piecewise(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
    let beside = beside(path);
    let write = || -> Result<()> {
        let mut file = BufWriter::new(File::create(&beside)?);
        write(&mut file)?;
        file.into_inner()?.sync_all()?;
        Ok(fs::rename(&beside, path)?)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Refuses a path that [`write_whole`] could not write, so that nobody learns it after hours of work. What is at the
/// path stays as it is.
///
/// # Errors
/// "`thing` `path`: expected ..." when something other than a file is there, or the folder cannot be written to.
pub fn check_writable(thing: &str, path: &Path) -> Result<(), BadInput> {
    let refuse = |complaint: String| Err(BadInput::new(thing, path.to_string_lossy(), complaint));
    if path.file_name().is_none() || (path.exists() && !path.is_file()) {
        return refuse("expected the name of a file".to_owned());
    }
    let beside = beside(path);
    match File::create(&beside).and_then(|_| fs::remove_file(&beside)) {
        Ok(()) => Ok(()),
        Err(error) => refuse(format!("expected a file in a folder that can be written to ({error})")),
    }
}

/// Where a file is written before it has its name: in the same folder, since renaming works within a file system only.
fn beside(path: &Path) -> PathBuf {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    beside.into()
}
