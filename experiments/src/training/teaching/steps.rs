//! Adam (Kingma and Ba, 2015) for the perceptron: steps whose length for each weight does not depend on how
//! large its gradients are.

use rayon::prelude::*;
use starsplit_games::backgammon::Backgammon;
use starsplit_games::backgammon::mlp::Weights;

/// What a new gradient counts for in the running mean of the gradients.
const MEAN_SHARE: f32 = 0.1;

/// What a new gradient counts for in the running mean of their squares.
const SQUARE_SHARE: f32 = 0.001;

/// Keeps weights still that have had no gradient yet.
const LEAST_ROOT: f32 = 1e-8;

/// Weights that a thread moves at a time.
const PIECE: usize = 1 << 14;

/// The optimiser.
#[derive(Debug)]
pub(super) struct Steps {
    mean: Weights,
    square: Weights,
    /// The shares of both that are still the zero they started from.
    unseen: [f32; 2],
}

impl Steps {
    pub(super) fn new(game: &Backgammon) -> Self {
        Steps { mean: Weights::zero(game), square: Weights::zero(game), unseen: [1.0; 2] }
    }

    /// Moves `weights` by the mean over `count` positions of what `sums` add up to; they are 0 afterwards.
    pub(super) fn step(&mut self, weights: &mut Weights, sums: &mut [Weights], count: usize, rate: f32) {
        self.unseen[0] *= 1.0 - MEAN_SHARE;
        self.unseen[1] *= 1.0 - SQUARE_SHARE;
        let seen = self.unseen.map(|unseen| 1.0 - unseen);
        let mut sums: Vec<_> = sums.iter_mut().map(|sum| sum.parts_mut().into_iter()).collect();
        let running = self.mean.parts_mut().into_iter().zip(self.square.parts_mut());
        for (weights, (means, squares)) in weights.parts_mut().into_iter().zip(running) {
            let mut gradients: Vec<_> = sums.iter_mut().filter_map(Iterator::next).collect();
            let (first, others) = gradients.split_first_mut().expect("a batch has a part");
            for other in others {
                first.par_iter_mut().with_min_len(PIECE).zip(other.par_iter_mut()).for_each(
                    |(sum, other)| {
                        *sum += std::mem::take(other);
                    },
                );
            }
            let moved = weights.par_chunks_mut(PIECE).zip(first.par_chunks_mut(PIECE));
            let moved = moved.zip(means.par_chunks_mut(PIECE).zip(squares.par_chunks_mut(PIECE)));
            moved.for_each(|((weights, sums), (means, squares))| {
                let running = means.iter_mut().zip(squares);
                for ((weight, sum), (mean, square)) in weights.iter_mut().zip(sums).zip(running) {
                    let gradient = std::mem::take(sum) / count as f32;
                    *mean += MEAN_SHARE * (gradient - *mean);
                    *square += SQUARE_SHARE * (gradient * gradient - *square);
                    *weight += rate * (*mean / seen[0]) / ((*square / seen[1]).sqrt() + LEAST_ROOT);
                }
            });
        }
    }
}
