//! Training runs of every game that has a network, whatever its types.

use crate::checkpoint;
use crate::learner::{Trainer, TrainingEnd};
use crate::options::Options;
use anyhow::Result;
use starsplit::search::StopFlag;
use starsplit_games::GameInfo;
use starsplit_games::network::{self, NetworkGame, NetworkVisitor, Weights};
use std::fmt::Debug;

/// A training run between two games, or between two batches of them.
pub trait AnyTrainer: Debug + Send {
    /// The options of the run.
    fn options(&self) -> &Options;

    /// The number of games played.
    fn games_done(&self) -> u64;

    /// The mean squared surprise in each tenth of the run, in order; the tenths played so far.
    fn losses(&self) -> Vec<f64>;

    /// Plays the games that are left, and calls `report` after every `every` games, or at the end of their
    /// batch, and at the end. The threads of the rayon pool that it is called on play.
    ///
    /// # Errors
    /// When `report` fails, or the weights are none that integers can hold.
    fn run(
        &mut self,
        stop: &StopFlag,
        every: u64,
        report: &mut (dyn FnMut(&dyn AnyTrainer) -> Result<()> + Send),
    ) -> Result<TrainingEnd>;

    /// What [`trainer`] needs for the run to go on from here.
    ///
    /// # Errors
    /// When it cannot be written down.
    fn checkpoint(&self) -> Result<Vec<u8>>;

    /// The weights now, as a safetensors file.
    ///
    /// # Errors
    /// When they cannot be written down.
    fn weights(&self) -> Result<Vec<u8>>;

    /// Whether these bytes are weights for the same rules.
    fn are_weights(&self, bytes: &[u8]) -> bool;
}

/// The run that the options describe, from its beginning or as its `checkpoint` has it: then it ends in the
/// same weights as if it had never been left.
///
/// # Errors
/// When the game has no network, the options are not usable, or the checkpoint is damaged or of another run.
pub fn trainer(options: Options, checkpoint: Option<&[u8]>) -> Result<Box<dyn AnyTrainer>> {
    let (game, rules) = (options.game.clone(), options.rules.clone());
    network::open(&game, Some(&rules), Opening { options, checkpoint })?
}

/// Makes the run of whatever game it is.
struct Opening<'c> {
    options: Options,
    checkpoint: Option<&'c [u8]>,
}

impl NetworkVisitor for Opening<'_> {
    type Output = Result<Box<dyn AnyTrainer>>;

    fn visit<G: NetworkGame<H, O>, const H: usize, const O: usize>(
        self,
        _: &'static GameInfo,
        game: G,
    ) -> Result<Box<dyn AnyTrainer>> {
        Ok(match self.checkpoint {
            Some(bytes) => Box::new(checkpoint::read::<G, H, O>(game, bytes, &self.options)?),
            None => Box::new(Trainer::<G, H, O>::new(game, self.options)?),
        })
    }
}

impl<G: NetworkGame<H, O>, const H: usize, const O: usize> AnyTrainer for Trainer<G, H, O> {
    fn options(&self) -> &Options {
        self.options()
    }

    fn games_done(&self) -> u64 {
        self.games_done()
    }

    fn losses(&self) -> Vec<f64> {
        self.losses()
    }

    fn run(
        &mut self,
        stop: &StopFlag,
        every: u64,
        report: &mut (dyn FnMut(&dyn AnyTrainer) -> Result<()> + Send),
    ) -> Result<TrainingEnd> {
        self.run(stop, every, |trainer| report(trainer))
    }

    fn checkpoint(&self) -> Result<Vec<u8>> {
        checkpoint::write(self)
    }

    fn weights(&self) -> Result<Vec<u8>> {
        Ok(self.weights().to_bytes()?)
    }

    fn are_weights(&self, bytes: &[u8]) -> bool {
        Weights::<H, O>::from_bytes(self.weights().shape.clone(), bytes).is_ok()
    }
}
