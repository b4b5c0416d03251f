//! Training runs on disk: a killed run goes on where it was last saved and ends in the same bytes.

use super::learner::{SavedTrainer, Trainer};
use super::options::Options;
use crate::cli::files;
use crate::cli::outputs::write_whole;
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use starsplit_games::network::NetworkGame;
use std::path::Path;

/// The version of the file's form.
const VERSION: u32 = 4;

#[derive(Serialize, Deserialize)]
struct Checkpoint {
    version: u32,
    run: SavedTrainer,
}

/// Saves `trainer` to the file at `path`, whole or not at all.
///
/// # Errors
/// When the file cannot be written.
pub fn save<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    trainer: &Trainer<G, H, O>,
    path: &Path,
) -> Result<()> {
    let checkpoint = Checkpoint { version: VERSION, run: trainer.save()? };
    write_whole(path, &serde_json::to_vec(&checkpoint)?)
}

/// The run of `game` saved at `path`, which must have been made with `options`.
///
/// # Errors
/// When the file cannot be read, is damaged or belongs to another run.
pub fn load<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    game: G,
    path: &Path,
    options: &Options,
) -> Result<Trainer<G, H, O>> {
    let name = || format!("checkpoint {}", path.display());
    let bytes = files::read(path, files::WEIGHTS)
        .with_context(|| format!("{}: expected a file that can be read", name()))?;
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
    Trainer::restore(game, run).with_context(name)
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}
