//! Adam (Kingma and Ba, 2015): steps whose length for each weight does not depend on how large its gradients
//! are.
//!
//! Run counts and rare cells have gradients of very different sizes; one learning rate does not suit both.

use crate::gradient::add_scaled;
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use starsplit_games::network::Weights;

/// Positions to a step where games are learnt from as they are played.
const BATCH: u32 = 64;

/// What a new gradient counts for in the running mean of the gradients.
const MEAN_SHARE: f32 = 0.1;

/// What a new gradient counts for in the running mean of their squares.
const SQUARE_SHARE: f32 = 0.001;

/// Keeps weights still that have had no gradient yet.
const LEAST_ROOT: f32 = 1e-8;

/// The optimiser between two positions.
#[derive(Clone, Debug)]
pub(super) struct Adam<const H: usize, const O: usize> {
    /// The gradient of the batch so far, not yet divided by its size.
    batch: Weights<H, O>,
    /// How many positions it has.
    filled: u32,
    mean: Weights<H, O>,
    square: Weights<H, O>,
    /// The share of `square` that is still the zero it started from.
    unseen: f32,
}

/// An [`Adam`] as it is saved.
#[derive(Serialize, Deserialize)]
pub(super) struct SavedAdam {
    /// The batch, the mean and the squares, as the bytes of safetensors files.
    weights: [Vec<u8>; 3],
    filled: u32,
    /// The bits of `unseen`: decimal text might round them.
    unseen: u32,
}

impl<const H: usize, const O: usize> Adam<H, O> {
    /// An optimiser that has seen nothing; `zero` is all zeros.
    pub(super) fn new(zero: &Weights<H, O>) -> Self {
        Adam { batch: zero.clone(), filled: 0, mean: zero.clone(), square: zero.clone(), unseen: 1.0 }
    }

    /// Takes in one position's wish: to move `weights` by each surprise times its gradient. Moves them when a
    /// batch is full.
    pub(super) fn learn(
        &mut self,
        weights: &mut Weights<H, O>,
        gradients: &[Weights<H, O>; O],
        surprises: [f32; O],
        rate: f32,
    ) {
        for (gradient, surprise) in gradients.iter().zip(surprises) {
            add_scaled(&mut self.batch, gradient, surprise);
        }
        self.filled += 1;
        if self.filled == BATCH {
            self.filled = 0;
            self.step(weights, BATCH as f32, rate);
        }
    }

    /// Takes in the wishes of `count` positions at once, and moves `weights`.
    pub(super) fn learn_all(
        &mut self,
        weights: &mut Weights<H, O>,
        sums: &[Weights<H, O>],
        count: u64,
        rate: f32,
    ) {
        sums.iter().for_each(|sum| add_scaled(&mut self.batch, sum, 1.0));
        self.step(weights, count as f32, rate);
    }

    fn step(&mut self, weights: &mut Weights<H, O>, count: f32, rate: f32) {
        self.unseen *= 1.0 - SQUARE_SHARE;
        let seen = 1.0 - self.unseen;
        let running = self.mean.parts_mut().into_iter().zip(self.square.parts_mut());
        let parts = weights.parts_mut().into_iter().zip(self.batch.parts_mut()).zip(running);
        for ((weights, sums), (means, squares)) in parts {
            let moved = weights.iter_mut().zip(sums).zip(means.iter_mut().zip(squares));
            for ((weight, sum), (mean, square)) in moved {
                let gradient = std::mem::take(sum) / count;
                *mean += MEAN_SHARE * (gradient - *mean);
                *square += SQUARE_SHARE * (gradient * gradient - *square);
                *weight += rate * *mean / ((*square / seen).sqrt() + LEAST_ROOT);
            }
        }
    }

    pub(super) fn save(&self) -> Result<SavedAdam> {
        let weights = [self.batch.to_bytes()?, self.mean.to_bytes()?, self.square.to_bytes()?];
        Ok(SavedAdam { weights, filled: self.filled, unseen: self.unseen.to_bits() })
    }

    /// What was saved, for a network as that of `zero`.
    ///
    /// # Errors
    /// When the bytes are damaged or for another network, or the numbers are out of range.
    pub(super) fn restore(saved: &SavedAdam, zero: &Weights<H, O>) -> Result<Self> {
        let read = |bytes: &Vec<u8>| Weights::from_bytes(zero.shape.clone(), bytes);
        let [batch, mean, square] = &saved.weights;
        let unseen = f32::from_bits(saved.unseen);
        if saved.filled >= BATCH {
            bail!("optimiser with {} positions in its batch: expected fewer than {BATCH}", saved.filled);
        }
        if !(0.0..=1.0).contains(&unseen) {
            bail!("optimiser with a share {unseen} unseen: expected a number from 0 to 1");
        }
        let (batch, mean, square) = (read(batch)?, read(mean)?, read(square)?);
        Ok(Adam { batch, filled: saved.filled, mean, square, unseen })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit_games::dice::{Dice, Weights};
    use starsplit_games::network::NetworkGame;

    fn zero_for(rules: &str) -> Weights {
        Weights::zero(Dice::new(rules.parse().unwrap()).shape())
    }

    fn zero() -> Weights {
        zero_for("size=3,run=3")
    }

    /// A gradient of 1000 for one weight and of 0.001 for another.
    fn gradient() -> [Weights; 1] {
        [Weights { output_bias: [1000.0], output: [[0.001; 10]], ..zero() }]
    }

    #[test]
    fn steps_come_once_a_batch_and_have_one_length_for_large_and_small_gradients() {
        let (mut weights, mut adam) = (zero(), Adam::new(&zero()));
        for _ in 1..BATCH {
            adam.learn(&mut weights, &gradient(), [-1.0], 0.5);
        }
        assert_eq!(weights, zero());
        adam.learn(&mut weights, &gradient(), [-1.0], 0.5);
        // The first step: a tenth of the rate, against the gradient as the surprise is negative.
        assert!((weights.output_bias[0] + 0.05).abs() < 1e-4, "{}", weights.output_bias[0]);
        assert!((weights.output[0][3] + 0.05).abs() < 1e-4, "{}", weights.output[0][3]);
        assert_eq!(weights.columns, zero().columns);
    }

    #[test]
    fn a_saved_optimiser_goes_on_alike() {
        let (mut weights, mut adam) = (zero(), Adam::new(&zero()));
        (0..100).for_each(|_| adam.learn(&mut weights, &gradient(), [0.3], 0.1));
        let text = serde_json::to_string(&adam.save().unwrap()).unwrap();
        let mut restored = Adam::restore(&serde_json::from_str(&text).unwrap(), &zero()).unwrap();
        let mut others = weights.clone();
        for _ in 0..100 {
            adam.learn(&mut weights, &gradient(), [-0.2], 0.1);
            restored.learn(&mut others, &gradient(), [-0.2], 0.1);
        }
        assert_eq!(weights, others);
    }

    #[test]
    fn damage_is_refused() {
        let saved = || Adam::new(&zero()).save().unwrap();
        let refused = |saved: SavedAdam| Adam::restore(&saved, &zero()).unwrap_err().to_string();
        assert!(refused(SavedAdam { filled: BATCH, ..saved() }).contains("64"));
        assert!(refused(SavedAdam { unseen: 2.0f32.to_bits(), ..saved() }).contains("2 unseen"));
        let other = Adam::new(&zero_for("size=4,run=3"));
        assert!(refused(other.save().unwrap()).contains("size=4,run=3: expected some for dice with size=3"));
    }
}
