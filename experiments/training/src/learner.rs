//! TD(lambda) by self-play, as Tesauro (1995) trained TD-Gammon.
//!
//! The network is trained on positions before a chance event. Each is pulled towards what is said a step
//! later, and every earlier one along with it, `lambda` times less for each step. What is said a step later
//! is what came, or the mean over all outcomes and replies to them (see [`Lookahead`]), which takes the luck
//! of the die out of each step: the mean of such a step is that of plain TD(lambda), only its spread is less.
//!
//! Games are learnt from as they are played, or many at once with the same weights. The latter can be played
//! by several threads: what they have to teach is added up in an order that depends on nothing else.

use crate::adam::{Adam, SavedAdam};
use crate::gradient::{add_gradient, scale};
use crate::lesson::{Lesson, Loss};
use crate::lookahead::Lookahead;
use crate::options::Options;
use crate::play;
use anyhow::{Context, Result};
use rand_core::Rng;
use rand_pcg::Pcg32;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use starsplit::game::{NodeKind, Player};
use starsplit::search::StopFlag;
use starsplit_games::network::{NetworkGame, Weights, value};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainingEnd {
    /// All games were played.
    Finished,
    /// The stop flag was raised; the trainer can be saved and resumed.
    Stopped,
}

/// A training run between two games, or between two batches of them.
#[derive(Clone, Debug)]
pub(super) struct Trainer<G, const H: usize, const O: usize> {
    options: Options,
    game: G,
    weights: Weights<H, O>,
    adam: Adam<H, O>,
    games_done: u64,
    losses: [Loss; PARTS],
}

/// Into how many parts of equally many games the record of losses divides a run.
pub(super) const PARTS: usize = 10;

/// Games of a batch that are played by one thread; their number is part of the order of sums.
const LESSON: u64 = 4;

/// What a run needs to go on, as it is saved. Traces end with their game, and each game's random numbers are
/// a function of the seed and the game's number, so neither is here.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedTrainer {
    pub(super) options: Options,
    pub(super) games_done: u64,
    /// The bytes of the weights' safetensors file.
    weights: Vec<u8>,
    adam: SavedAdam,
    losses: [Loss; PARTS],
}

/// The stream of the starting weights: one that no game has.
const START_STREAM: u64 = u64::MAX >> 1;

impl<G: NetworkGame<H, O>, const H: usize, const O: usize> Trainer<G, H, O> {
    /// A run that has not played yet: small random weights. `game` is the one that the options name.
    ///
    /// # Errors
    /// When the options are not usable.
    pub(super) fn new(game: G, options: Options) -> Result<Self> {
        options.check()?;
        let mut random = Pcg32::new(options.seed, START_STREAM);
        let mut next = || ((random.next_u32() >> 8) as f32 / (1 << 23) as f32 - 1.0) * G::START;
        let mut weights = Weights::zero(game.shape());
        let adam = Adam::new(&weights);
        weights.parts_mut().into_iter().flatten().for_each(|weight| *weight = next());
        weights.output_bias = [0.0; O];
        Ok(Trainer { options, game, weights, adam, games_done: 0, losses: [Loss::default(); PARTS] })
    }

    pub(super) fn save(&self) -> Result<SavedTrainer> {
        Ok(SavedTrainer {
            options: self.options.clone(),
            games_done: self.games_done,
            weights: self.weights.to_bytes()?,
            adam: self.adam.save()?,
            losses: self.losses,
        })
    }

    /// The run of `game` that was saved.
    ///
    /// # Errors
    /// When the bytes are damaged or for other rules.
    pub(super) fn restore(game: G, saved: SavedTrainer) -> Result<Self> {
        let start = Trainer::new(game, saved.options)?;
        let zero = Weights::zero(start.game.shape());
        let weights = Weights::from_bytes(zero.shape.clone(), &saved.weights)?;
        let (adam, losses) = (Adam::restore(&saved.adam, &zero)?, saved.losses);
        Ok(Trainer { weights, adam, games_done: saved.games_done, losses, ..start })
    }

    /// The options of the run.
    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    /// The weights now.
    pub(super) fn weights(&self) -> &Weights<H, O> {
        &self.weights
    }

    /// The number of games played.
    pub(super) fn games_done(&self) -> u64 {
        self.games_done
    }

    /// The mean squared surprise in each part of the run, in order; the parts played so far.
    pub(super) fn losses(&self) -> Vec<f64> {
        let played = self.losses.iter().filter(|loss| loss.count > 0);
        played.map(|loss| loss.sum / loss.count as f64).collect()
    }

    /// Plays the games that are left, and calls `report` after every `every` games, or at the end of their
    /// batch, and at the end.
    ///
    /// # Errors
    /// When `report` fails, or the weights are none that integers can hold.
    pub(super) fn run(
        &mut self,
        stop: &StopFlag,
        every: u64,
        mut report: impl FnMut(&mut Self) -> Result<()>,
    ) -> Result<TrainingEnd> {
        while self.games_done < self.options.games {
            if stop.is_raised() {
                report(self)?;
                return Ok(TrainingEnd::Stopped);
            }
            let before = self.games_done;
            if self.options.batch == 0 {
                self.play_game();
            } else {
                self.play_batch()?;
            }
            if self.games_done / every > before / every || self.games_done == self.options.games {
                report(self)?;
            }
        }
        Ok(TrainingEnd::Finished)
    }

    /// The length of the steps now.
    fn rate(&self) -> f32 {
        let left = (self.options.games - self.games_done) as f32 / self.options.games as f32;
        self.options.rate * (left * left)
    }

    /// The part of the record that the next game belongs to.
    fn loss(&mut self) -> &mut Loss {
        let part = u128::from(self.games_done) * PARTS as u128 / u128::from(self.options.games);
        &mut self.losses[part as usize]
    }

    /// Plays a game and learns from each of its positions as it comes. All is told as the first player sees
    /// it.
    fn play_game(&mut self) {
        let Options { seed, lambda, explore, slips, .. } = self.options;
        let mut random = play::stream(seed, self.games_done);
        let rate = self.rate();
        let mut position = self.game.initial();
        let mut traces: [Weights<H, O>; O] = std::array::from_fn(|_| Weights::zero(self.game.shape()));
        while self.game.kind(&position) != NodeKind::Terminal {
            let forward = self.weights.forward(&self.game, &position);
            let is_first = self.game.player(&position) == Player::Max;
            let seen = |outputs: [f32; O]| if is_first { outputs } else { G::flipped(outputs) };
            for (k, trace) in traces.iter_mut().enumerate() {
                scale(trace, lambda);
                // What the first player's output counts of each of the position's player's.
                let factors = std::array::from_fn(|j| seen(std::array::from_fn(|i| f32::from(i == j)))[k]);
                add_gradient(trace, &self.weights, &self.game, &position, &forward, factors);
            }
            let ahead = Lookahead::new(&self.weights, &self.game, &position, slips);
            let surprise = seen(std::array::from_fn(|k| ahead.outputs[k] - forward.outputs[k]));
            let in_value = value(&self.game, surprise);
            self.loss().add(in_value);
            self.adam.learn(&mut self.weights, &traces, surprise, rate);
            let (rolled, best) = ahead.draw(&mut random);
            position = self.after_decisions(rolled, best, explore, &mut random);
        }
        self.game.confine(&mut self.weights);
        self.games_done += 1;
    }

    /// The next position without a decision: after `best`, or now and then after a move at random.
    fn after_decisions(
        &self,
        mut position: G::Position,
        mut best: Option<G::Move>,
        explore: f32,
        random: &mut Pcg32,
    ) -> G::Position {
        while self.game.kind(&position) == NodeKind::Decision {
            let explores = play::chance(random, explore);
            let mv = match best.take() {
                Some(best) if !explores => best,
                _ => play::random_move(&self.game, &position, random),
            };
            position = self.game.play(&position, mv);
        }
        position
    }

    /// Plays a batch of games with the weights as they are, and learns from all of them.
    fn play_batch(&mut self) -> Result<()> {
        let network = match self.game.network(&self.weights) {
            Ok(network) => network,
            Err(_) => {
                self.game.confine(&mut self.weights);
                self.game.network(&self.weights).context("weights in training")?
            }
        };
        let end = self.options.games.min(self.games_done.saturating_add(self.options.batch));
        let starts = (self.games_done..end).step_by(LESSON as usize);
        let lessons: Vec<_> = starts
            .collect::<Vec<_>>()
            .into_par_iter()
            .map(|start| {
                let numbers = start..end.min(start + LESSON);
                Lesson::new(&self.game, &self.weights, &network, &self.options, numbers)
            })
            .collect();
        let rate = self.rate();
        let loss = self.loss();
        lessons.iter().for_each(|lesson| loss.add_all(lesson.loss));
        let positions = lessons.iter().map(|lesson| lesson.loss.count).sum();
        let gradients: Vec<_> = lessons.into_iter().map(|lesson| lesson.gradient).collect();
        self.adam.learn_all(&mut self.weights, &gradients, positions, rate);
        self.games_done = end;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit_games::dice::Dice;

    fn options() -> Options {
        Options { games: 60, seed: 5, ..Options::default_for("dice", "size=4,run=3") }
    }

    fn trainer(options: Options) -> Trainer<Dice, 10, 1> {
        Trainer::new(Dice::new(options.rules.parse().unwrap()), options).unwrap()
    }

    #[test]
    fn a_stopped_run_reports_and_goes_on() {
        let mut trainer = trainer(options());
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
        let mut trainer = trainer(Options { games: 4000, ..options() });
        assert!(trainer.losses().is_empty());
        assert_eq!(trainer.run(&StopFlag::new(), 1000, |_| Ok(())).unwrap(), TrainingEnd::Finished);
        let losses = trainer.losses();
        assert_eq!(losses.len(), PARTS);
        assert!(losses[PARTS - 1] < losses[0] / 2.0, "{losses:?}");
    }
}
