//! Training runs as bytes: one that was left goes on where it was last saved and ends in the same weights.

use crate::learner::{SavedTrainer, Trainer};
use crate::options::Options;
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use starsplit_games::network::NetworkGame;

/// The version of the file's form.
const VERSION: u32 = 4;

#[derive(Serialize, Deserialize)]
struct Checkpoint {
    version: u32,
    run: SavedTrainer,
}

/// What [`read`] makes the run of.
///
/// # Errors
/// When it cannot be written down.
pub(super) fn write<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    trainer: &Trainer<G, H, O>,
) -> Result<Vec<u8>> {
    let checkpoint = Checkpoint { version: VERSION, run: trainer.save()? };
    Ok(serde_json::to_vec(&checkpoint)?)
}

/// The run of `game` that was saved as these bytes, which must have been made with `options`.
///
/// # Errors
/// When they are damaged or belong to another run.
pub(super) fn read<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    game: G,
    bytes: &[u8],
    options: &Options,
) -> Result<Trainer<G, H, O>> {
    // The version first: files of other versions hold other things.
    let Version { version } = serde_json::from_slice(bytes)?;
    if version != VERSION {
        bail!("version {version}: expected {VERSION}");
    }
    let Checkpoint { run, .. } = serde_json::from_slice(bytes)?;
    if run.options != *options {
        bail!("made with {:?}: this run has {options:?}", run.options);
    }
    if run.games_done > options.games {
        bail!("{} games done: expected at most {}", run.games_done, options.games);
    }
    Trainer::restore(game, run)
}

#[derive(Deserialize)]
struct Version {
    version: u32,
}
