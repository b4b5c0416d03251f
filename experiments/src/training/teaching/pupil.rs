//! The perceptron as it learns.

use super::gradient::add_gradient;
use super::lessons::Lesson;
use super::options::TeachingOptions;
use super::steps::Steps;
use crate::training::TrainingEnd;
use crate::training::play::{below, stream};
use rayon::prelude::*;
use starsplit::search::StopFlag;
use starsplit_games::backgammon::Backgammon;
use starsplit_games::backgammon::mlp::{Mlp, Weights};

/// Positions of a batch that one thread learns from; their number is part of the order of sums.
const PIECE: usize = 128;

/// The streams of random numbers that order the positions begin here: beyond the numbers of games.
const ORDERS: u64 = 1 << 63;

/// The perceptron with what has been learnt.
#[derive(Debug)]
pub struct Pupil {
    game: Backgammon,
    weights: Weights,
    losses: Vec<f64>,
}

impl Pupil {
    /// Begins with these weights.
    pub fn new(game: Backgammon, weights: Weights) -> Self {
        Pupil { game, weights, losses: Vec::new() }
    }

    /// Learns all lessons, as often as `options` say; `watch` is told how many were learnt, and the mean
    /// squared error of the last epoch.
    pub fn learn(
        &mut self,
        lessons: &[Lesson],
        options: &TeachingOptions,
        stop: &StopFlag,
        mut watch: impl FnMut(u64, Option<f64>),
    ) -> TrainingEnd {
        let batch = (options.batch as usize).min(lessons.len()).max(1);
        let mut sums = vec![Weights::zero(&self.game); batch.div_ceil(PIECE)];
        let mut steps = Steps::new(&self.game);
        let (all, mut done) = (lessons.len() as u64 * u64::from(options.epochs), 0);
        let mut order: Vec<&Lesson> = lessons.iter().collect();
        for epoch in 0..options.epochs {
            shuffle(&mut order, options.seed, epoch);
            let mut error = 0.0;
            for batch in order.chunks(batch) {
                if stop.is_raised() {
                    return TrainingEnd::Stopped;
                }
                let left = 1.0 - done as f32 / all as f32;
                error += self.step(batch, &mut sums, &mut steps, options.rate * left * left);
                done += batch.len() as u64;
                watch(done, self.losses.last().copied());
            }
            self.losses.push(error / order.len().max(1) as f64);
        }
        Mlp::confine(&self.game, &mut self.weights);
        TrainingEnd::Finished
    }

    /// Learns a batch; the sum of the squared errors before it.
    fn step(&mut self, batch: &[&Lesson], sums: &mut [Weights], steps: &mut Steps, rate: f32) -> f64 {
        let (game, weights) = (&self.game, &self.weights);
        let pieces = batch.par_chunks(PIECE).zip(&mut *sums);
        let errors: Vec<f64> = pieces.map(|(piece, sum)| add_gradient(sum, weights, game, piece)).collect();
        steps.step(&mut self.weights, sums, batch.len(), rate);
        errors.into_iter().sum()
    }

    /// The mean squared error of each epoch, before each batch's step.
    pub fn losses(&self) -> &[f64] {
        &self.losses
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }
}

/// An order that depends on the seed and the epoch.
fn shuffle(lessons: &mut [&Lesson], seed: u64, epoch: u32) {
    let mut random = stream(seed, ORDERS + u64::from(epoch));
    for end in (1..lessons.len()).rev() {
        lessons.swap(end, below(&mut random, end + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::play::{self, Uniform};
    use starsplit::game::{Game, NodeKind};
    use starsplit_games::backgammon::{Scoring, Variant};

    fn game() -> Backgammon {
        Backgammon::new(Variant::Backgammon, Scoring::Points)
    }

    fn options() -> TeachingOptions {
        TeachingOptions {
            rules: "scoring=points".to_owned(),
            positions: 300,
            seed: 1,
            explore: 0.2,
            share: 0.3,
            teacher: "network".to_owned(),
            depth: 2,
            epochs: 3,
            batch: 150,
            rate: 0.001,
        }
    }

    /// Positions that are worth as much as their player is ahead in the race.
    fn lessons() -> Vec<Lesson> {
        let games = (0..8).map(|number| play::game(&game(), [&Uniform, &Uniform], &mut stream(2, number)));
        let mut positions: Vec<_> = games.flatten().collect();
        positions.retain(|position| game().kind(position) == NodeKind::Chance);
        positions.truncate(300);
        let lesson = |position: starsplit_games::backgammon::Position| {
            let (own, other) = (position.to_act(), position.to_act().opponent());
            let ahead = f32::from(position.pips(other)) - f32::from(position.pips(own));
            Lesson { position, value: (ahead / 300.0).clamp(-0.5, 0.5) }
        };
        positions.into_iter().map(lesson).collect()
    }

    fn taught(threads: usize, seed: u64) -> Pupil {
        let options = TeachingOptions { seed, ..options() };
        let mut pupil = Pupil::new(game(), Weights::random(&game(), seed));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let end = pool.install(|| pupil.learn(&lessons(), &options, &StopFlag::new(), |_, _| ()));
        assert_eq!(end, TrainingEnd::Finished);
        pupil
    }

    #[test]
    fn weights_do_not_depend_on_threads_and_errors_fall() {
        let pupil = taught(1, 1);
        assert!(*pupil.weights() == *taught(3, 1).weights());
        assert!(*pupil.weights() != *taught(1, 2).weights());
        assert_eq!(pupil.losses().len(), 3);
        assert!(pupil.losses()[2] < pupil.losses()[0], "{:?}", pupil.losses());
    }

    #[test]
    fn a_raised_flag_ends_learning() {
        let stop = StopFlag::new();
        let mut pupil = Pupil::new(game(), Weights::random(&game(), 1));
        let mut learnt = 0;
        let end = pupil.learn(&lessons(), &options(), &stop, |done, _| {
            learnt = done;
            stop.stop();
        });
        assert_eq!((end, learnt), (TrainingEnd::Stopped, 150));
    }
}
