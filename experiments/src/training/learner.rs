//! TD(lambda) by self-play, as Tesauro (1995) trained TD-Gammon.
//!
//! The network is trained on positions before a roll. Along a game all values are told as the first player sees them;
//! each is pulled towards the one after it, and every earlier one along with it, `lambda` times less for each step.

use super::options::Options;
use super::play;
use anyhow::{Context, Result};
use rand_core::Rng;
use rand_pcg::Pcg32;
use starsplit::game::{Game, Kind, Player};
use starsplit::games::dice::network::{Forward, HIDDEN, Weights, activation, inputs};
use starsplit::games::dice::{Dice, Position};
use std::sync::atomic::{AtomicBool, Ordering};

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
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
    games_done: u64,
    /// Squared surprises and their number, since the losses were last asked for.
    loss: (f64, u64),
}

/// The stream of the starting weights: one that no game has.
const START_STREAM: u64 = u64::MAX >> 1;

/// The greatest starting weight.
const START: f32 = 0.5;

/// The least slope that learning gives an activation, so that a unit beyond the flat ends can come back.
const LEAST_SLOPE: f32 = 0.1;

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
        weights.columns.as_flattened_mut().fill_with(&mut next);
        weights.hidden_bias.fill_with(&mut next);
        weights.output.fill_with(&mut next);
        Ok(Trainer { options, dice, weights, games_done: 0, loss: (0.0, 0) })
    }

    /// A run as it was after `games_done` games.
    pub(super) fn restore(options: Options, games_done: u64, weights: Weights) -> Result<Self> {
        Ok(Trainer { games_done, weights, ..Trainer::new(options)? })
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

    /// The mean squared difference between successive values since this was last asked.
    pub fn take_loss(&mut self) -> f64 {
        let (sum, count) = std::mem::take(&mut self.loss);
        sum / count.max(1) as f64
    }

    /// Plays the games that are left, and calls `report` after every `every` games and at the end.
    ///
    /// # Errors
    /// When `report` fails.
    pub fn run(
        &mut self,
        stop: &AtomicBool,
        every: u64,
        mut report: impl FnMut(&mut Trainer) -> Result<()>,
    ) -> Result<Outcome> {
        while self.games_done < self.options.games {
            if stop.load(Ordering::Relaxed) {
                report(self)?;
                return Ok(Outcome::Stopped);
            }
            self.play_game();
            if self.games_done.is_multiple_of(every) || self.games_done == self.options.games {
                report(self)?;
            }
        }
        Ok(Outcome::Finished)
    }

    fn play_game(&mut self) {
        let mut random = play::stream(self.options.seed, self.games_done);
        let left = (self.options.games - self.games_done) as f32 / self.options.games as f32;
        let rate = self.options.rate * (left * left);
        let mut position = self.dice.initial();
        let mut traces = Weights::zero(self.dice.rules());
        while self.dice.kind(&position) != Kind::Terminal {
            let forward = self.weights.forward(&self.dice, &position);
            decay(&mut traces, self.options.lambda);
            self.add_gradient(&mut traces, &position, &forward);
            let rolled = play::roll(&self.dice, &position, &mut random);
            let explores = play::chance(&mut random, self.options.explore);
            let mv = if explores {
                play::random_move(&self.dice, &rolled, &mut random)
            } else {
                let value = |after: &Position| f64::from(self.weights.forward(&self.dice, after).value);
                play::greedy_move(&self.dice, &rolled, value).expect("a roll leaves at least one move")
            };
            let after = self.dice.play(&rolled, mv);
            if explores {
                // What follows a random move says nothing of the positions before it.
                decay(&mut traces, 0.0);
            } else {
                let surprise = self.value_for_first(&after) - sign(&position) * forward.value;
                self.loss.0 += f64::from(surprise * surprise);
                self.loss.1 += 1;
                learn(&mut self.weights, &traces, rate * surprise);
            }
            position = after;
        }
        self.weights.confine();
        self.games_done += 1;
    }

    /// What `position` is worth to the first player: the outcome of a finished game, the network's value otherwise.
    fn value_for_first(&self, position: &Position) -> f32 {
        let value = match self.dice.kind(position) {
            Kind::Terminal => self.dice.terminal_score(position).signum() as f32,
            _ => self.weights.forward(&self.dice, position).value,
        };
        sign(position) * value
    }

    /// Adds the gradient of the first player's value of `position` to `traces`.
    fn add_gradient(&self, traces: &mut Weights, position: &Position, forward: &Forward) {
        let output = sign(position) * slope(forward.output);
        let hidden: [f32; HIDDEN] =
            std::array::from_fn(|unit| output * self.weights.output[unit] * slope(forward.hidden[unit]));
        for (unit, sum) in forward.hidden.into_iter().enumerate() {
            traces.output[unit] += output * activation(sum);
            traces.hidden_bias[unit] += hidden[unit];
        }
        traces.output_bias += output;
        inputs(&self.dice, position, position.to_act(), |input, count| {
            for (trace, hidden) in traces.columns[input].iter_mut().zip(hidden) {
                *trace += hidden * f32::from(count);
            }
        });
    }
}

/// 1 where the first player is to act, -1 where the second is.
fn sign(position: &Position) -> f32 {
    match position.to_act() {
        Player::Max => 1.0,
        Player::Min => -1.0,
    }
}

fn slope(sum: f32) -> f32 {
    let inside = sum.clamp(-1.0, 1.0);
    (1.5 * (1.0 - inside * inside)).max(LEAST_SLOPE)
}

fn decay(traces: &mut Weights, lambda: f32) {
    traces.columns.as_flattened_mut().iter_mut().for_each(|trace| *trace *= lambda);
    traces.hidden_bias.iter_mut().chain(&mut traces.output).for_each(|trace| *trace *= lambda);
    traces.output_bias *= lambda;
}

fn learn(weights: &mut Weights, traces: &Weights, step: f32) {
    let columns = weights.columns.as_flattened_mut().iter_mut().zip(traces.columns.as_flattened());
    let hidden = weights.hidden_bias.iter_mut().zip(&traces.hidden_bias);
    let output = weights.output.iter_mut().zip(&traces.output);
    columns.chain(hidden).chain(output).for_each(|(weight, trace)| *weight += step * trace);
    weights.output_bias += step * traces.output_bias;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Options {
        Options { rules: "size=4,run=3".into(), games: 60, seed: 5, lambda: 0.8, rate: 0.1, explore: 0.05 }
    }

    fn value(trainer: &Trainer, position: &Position) -> f64 {
        f64::from(trainer.value_for_first(position))
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let mut trainer = Trainer::new(options()).unwrap();
        // Inside the flat ends, where learning's slope is the true one.
        trainer.weights.columns.as_flattened_mut().iter_mut().for_each(|weight| *weight *= 0.2);
        for position in
            &play::game(&trainer.dice, [&play::Uniform, &play::Uniform], &mut play::stream(3, 0))[..5]
        {
            let mut gradient = Weights::zero(trainer.dice.rules());
            let forward = trainer.weights.forward(&trainer.dice, position);
            trainer.add_gradient(&mut gradient, position, &forward);
            let parts: [fn(&mut Weights) -> &mut [f32]; 3] =
                [|w| w.columns.as_flattened_mut(), |w| &mut w.output, |w| &mut w.hidden_bias];
            for part in parts {
                for i in 0..part(&mut gradient).len() {
                    let step = 0.01;
                    let mut moved = [trainer.clone(), trainer.clone()];
                    part(&mut moved[0].weights)[i] += step;
                    part(&mut moved[1].weights)[i] -= step;
                    let slope =
                        (value(&moved[0], position) - value(&moved[1], position)) / (2.0 * f64::from(step));
                    let found = f64::from(part(&mut gradient)[i]);
                    assert!((slope - found).abs() < 2e-3, "{i}: {slope} {found}");
                }
            }
        }
    }

    #[test]
    fn a_stopped_run_reports_and_goes_on() {
        let mut trainer = Trainer::new(options()).unwrap();
        let stop = AtomicBool::new(false);
        let outcome = trainer.run(&stop, 10, |trainer| {
            stop.store(trainer.games_done() == 20, Ordering::Relaxed);
            Ok(())
        });
        assert_eq!((outcome.unwrap(), trainer.games_done()), (Outcome::Stopped, 20));
        let mut reports = Vec::new();
        let outcome = trainer.run(&AtomicBool::new(false), 25, |trainer| {
            reports.push(trainer.games_done());
            Ok(())
        });
        assert_eq!((outcome.unwrap(), reports), (Outcome::Finished, vec![25, 50, 60]));
    }

    #[test]
    fn learning_brings_successive_values_together() {
        let mut trainer = Trainer::new(Options { games: 4000, ..options() }).unwrap();
        let mut losses = Vec::new();
        let learn = trainer.run(&AtomicBool::new(false), 1000, |trainer| {
            losses.push(trainer.take_loss());
            Ok(())
        });
        assert_eq!(learn.unwrap(), Outcome::Finished);
        assert!(losses[3] < losses[0], "{losses:?}");
    }
}
