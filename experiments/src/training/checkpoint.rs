//! Training runs on disk: a killed run goes on where it was last saved and ends in the same bytes.

use super::learner::Trainer;
use super::options::Options;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use starsplit::games::dice::Weights;
use std::fs;
use std::io::Write;
use std::path::Path;

/// The version of the file's form.
const VERSION: u32 = 1;

/// All that a run needs to go on. Traces end with their game, and each game's random numbers are a function of the
/// seed and the game's number, so neither is here.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    version: u32,
    options: Options,
    games_done: u64,
    /// The bytes of the weights' safetensors file.
    weights: Vec<u8>,
}

/// Saves `trainer` to the file at `path`, whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn save(trainer: &Trainer, path: &Path) -> Result<()> {
    let checkpoint = Checkpoint {
        version: VERSION,
        options: trainer.options().clone(),
        games_done: trainer.games_done(),
        weights: trainer.weights().to_bytes()?,
    };
    write_whole(path, &serde_json::to_vec(&checkpoint)?)
}

/// The run saved at `path`, which must have been made with `options`.
///
/// # Errors
/// When the file cannot be read, is damaged or belongs to another run.
pub fn load(path: &Path, options: &Options) -> Result<Trainer> {
    let name = || format!("checkpoint {}", path.display());
    let bytes = fs::read(path).with_context(name)?;
    let saved: Checkpoint = serde_json::from_slice(&bytes).with_context(name)?;
    if saved.version != VERSION {
        bail!("{}: version {}: expected {VERSION}", name(), saved.version);
    }
    if saved.options != *options {
        bail!("{}: made with {:?}: this run has {options:?}", name(), saved.options);
    }
    if saved.games_done > options.games {
        bail!("{}: {} games done: expected at most {}", name(), saved.games_done, options.games);
    }
    let weights = Weights::from_bytes(&saved.weights).with_context(name)?;
    let trainer = Trainer::restore(saved.options, saved.games_done, weights).with_context(name)?;
    let (found, rules) = (trainer.weights(), trainer.dice().rules());
    if (found.size, found.run) != (rules.size(), rules.run()) {
        bail!("{}: weights for size={},run={}: expected {rules}", name(), found.size, found.run);
    }
    Ok(trainer)
}

/// Replaces the file at `path` by one with `bytes`; a reader sees the old file or the new one, never a part.
///
/// # Errors
/// When the file beside it cannot be written or renamed.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.part", std::process::id()));
    let write = || {
        let mut file = fs::File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}
