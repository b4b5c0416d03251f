//! TD(lambda) by self-play, as Tesauro (1995) trained TD-Gammon, with the luck of the die taken out of each
//! step.
//!
//! The network is trained on positions before a roll. Along a game all values are told as the first player
//! sees them. Each is pulled towards the mean over all rolls and replies to it (see [`Lookahead`]), not
//! towards the one that happened to come, and every earlier one along with it, `lambda` times less for each
//! step. The mean of such a step is that of plain TD(lambda); only its spread is less.

use super::adam::{Adam, SavedAdam};
use super::gradient::{add_gradient, parameters, scale, sign};
use super::lookahead::Lookahead;
use super::options::Options;
use super::play;
use anyhow::{Context, Result, bail};
use rand_core::Rng;
use rand_pcg::Pcg32;
use serde::{Deserialize, Serialize};
use starsplit::game::{Game, Kind};
use starsplit::search::StopFlag;
use starsplit_games::dice::{Dice, Weights};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainingEnd {
    /// All games were played.
    Finished,
    /// The stop flag was raised; the trainer can be saved and resumed.
    Stopped,
}

/// A training run between two games.
#[derive(Clone, Debug)]
pub struct Trainer {
    options: Options,
    dice: Dice,
    weights: Weights,
    adam: Adam,
    games_done: u64,
    losses: [Loss; PARTS],
}

/// Into how many parts of equally many games the record of losses divides a run.
pub const PARTS: usize = 10;

/// Squared surprises and how many there were.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Loss {
    sum: f64,
    count: u64,
}

/// What a run needs to go on, as it is saved. Traces end with their game, and each game's random numbers are
/// a function of the seed and the game's number, so neither is here.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedTrainer {
    pub(super) options: Options,
    pub(super) games_done: u64,
    /// The bytes of the weights' safetensors file.
    weights: Vec<u8>,
    adam: SavedAdam,
    /// The bits of each sum (decimal text might round them), and the counts.
    losses: [(u64, u64); PARTS],
}

/// The stream of the starting weights: one that no game has.
const START_STREAM: u64 = u64::MAX >> 1;

/// The greatest starting weight.
const START: f32 = 0.2;

impl Trainer {
    /// A run that has not played yet: small random weights.
    ///
    /// # Errors
    /// When the options or the rules among them are not usable.
    pub fn new(options: Options) -> Result<Self> {
        options.check()?;
        let dice = Dice::new(options.rules.parse().context("--rules")?);
        let mut random = Pcg32::new(options.seed, START_STREAM);
        let mut next = || ((random.next_u32() >> 8) as f32 / (1 << 23) as f32 - 1.0) * START;
        let mut weights = Weights::zero(dice.rules());
        let adam = Adam::new(&weights);
        parameters(&mut weights).for_each(|weight| *weight = next());
        weights.output_bias = 0.0;
        Ok(Trainer { options, dice, weights, adam, games_done: 0, losses: [Loss::default(); PARTS] })
    }

    pub(super) fn save(&self) -> Result<SavedTrainer> {
        Ok(SavedTrainer {
            options: self.options.clone(),
            games_done: self.games_done,
            weights: self.weights.to_bytes()?,
            adam: self.adam.save()?,
            losses: self.losses.map(|loss| (loss.sum.to_bits(), loss.count)),
        })
    }

    /// The run that was saved.
    ///
    /// # Errors
    /// When the bytes are damaged or for another board.
    pub(super) fn restore(saved: SavedTrainer) -> Result<Self> {
        let start = Trainer::new(saved.options)?;
        let zero = Weights::zero(start.dice.rules());
        let weights = Weights::from_bytes(&saved.weights)?;
        if (weights.size, weights.run) != (zero.size, zero.run) {
            let (size, run) = (weights.size, weights.run);
            bail!("weights for size={size},run={run}: expected {}", start.dice.rules());
        }
        let losses = saved.losses.map(|(sum, count)| Loss { sum: f64::from_bits(sum), count });
        let adam = Adam::restore(&saved.adam, &zero)?;
        Ok(Trainer { weights, adam, games_done: saved.games_done, losses, ..start })
    }

    /// The options of the run.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The game that is learnt.
    pub fn dice(&self) -> &Dice {
        &self.dice
    }

    /// The weights now.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The number of games played.
    pub fn games_done(&self) -> u64 {
        self.games_done
    }

    /// The mean squared surprise in each part of the run, in order; the parts played so far.
    pub fn losses(&self) -> Vec<f64> {
        let played = self.losses.iter().filter(|loss| loss.count > 0);
        played.map(|loss| loss.sum / loss.count as f64).collect()
    }

    /// Plays the games that are left, and calls `report` after every `every` games and at the end.
    ///
    /// # Errors
    /// When `report` fails.
    pub fn run(
        &mut self,
        stop: &StopFlag,
        every: u64,
        mut report: impl FnMut(&mut Trainer) -> Result<()>,
    ) -> Result<TrainingEnd> {
        while self.games_done < self.options.games {
            if stop.is_raised() {
                report(self)?;
                return Ok(TrainingEnd::Stopped);
            }
            self.play_game();
            if self.games_done.is_multiple_of(every) || self.games_done == self.options.games {
                report(self)?;
            }
        }
        Ok(TrainingEnd::Finished)
    }

    fn play_game(&mut self) {
        let Options { games, seed, lambda, rate, explore, slips, .. } = self.options;
        let mut random = play::stream(seed, self.games_done);
        let left = (games - self.games_done) as f32 / games as f32;
        let rate = rate * (left * left);
        let part = (u128::from(self.games_done) * PARTS as u128 / u128::from(games)) as usize;
        let mut position = self.dice.initial();
        let mut traces = Weights::zero(self.dice.rules());
        while self.dice.kind(&position) != Kind::Terminal {
            let forward = self.weights.forward(&self.dice, &position);
            scale(&mut traces, lambda);
            add_gradient(&mut traces, &self.weights, &self.dice, &position, &forward);
            let ahead = Lookahead::new(&self.weights, &self.dice, &position, slips);
            let surprise = sign(&position) * (ahead.value - forward.value);
            self.losses[part].sum += f64::from(surprise * surprise);
            self.losses[part].count += 1;
            self.adam.learn(&mut self.weights, &traces, surprise, rate);
            let (rolled, best) = ahead.rolls[play::below(&mut random, ahead.rolls.len())];
            let explores = play::chance(&mut random, explore);
            let mv = if explores { play::random_move(&self.dice, &rolled, &mut random) } else { best };
            position = self.dice.play(&rolled, mv);
        }
        self.weights.confine();
        self.games_done += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options {
            rules: "size=4,run=3".into(),
            games: 60,
            seed: 5,
            lambda: 0.5,
            rate: 0.001,
            explore: 0.7,
            slips: 0.6,
        }
    }

    #[test]
    fn a_stopped_run_reports_and_goes_on() {
        let mut trainer = Trainer::new(options()).unwrap();
        let stop = StopFlag::new();
        let outcome = trainer.run(&stop, 10, |trainer| {
            if trainer.games_done() == 20 {
                stop.stop();
            }
            Ok(())
        });
        assert_eq!((outcome.unwrap(), trainer.games_done()), (TrainingEnd::Stopped, 20));
        let mut reports = Vec::new();
        let outcome = trainer.run(&StopFlag::new(), 25, |trainer| {
            reports.push(trainer.games_done());
            Ok(())
        });
        assert_eq!((outcome.unwrap(), reports), (TrainingEnd::Finished, vec![25, 50, 60]));
    }

    #[test]
    fn learning_brings_values_and_lookahead_together() {
        let mut trainer = Trainer::new(Options { games: 4000, ..options() }).unwrap();
        assert!(trainer.losses().is_empty());
        assert_eq!(trainer.run(&StopFlag::new(), 1000, |_| Ok(())).unwrap(), TrainingEnd::Finished);
        let losses = trainer.losses();
        assert_eq!(losses.len(), PARTS);
        assert!(losses[PARTS - 1] < losses[0] / 2.0, "{losses:?}");
    }
}
