//! Adam (Kingma and Ba, 2015): steps whose length for each weight does not depend on how large its gradients
//! are.
//!
//! Run counts and rare cells have gradients of very different sizes; one learning rate does not suit both.

use super::gradient::{add_scaled, parameters};
use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};
use starsplit_games::dice::Weights;

/// Positions to a step.
const BATCH: u32 = 64;

/// What a new gradient counts for in the running mean of the gradients.
const MEAN_SHARE: f32 = 0.1;

/// What a new gradient counts for in the running mean of their squares.
const SQUARE_SHARE: f32 = 0.001;

/// Keeps weights still that have had no gradient yet.
const LEAST_ROOT: f32 = 1e-8;

/// The optimiser between two positions.
#[derive(Clone, Debug)]
pub(super) struct Adam {
    /// The gradient of the batch so far, not yet divided by its size.
    batch: Weights,
    /// How many positions it has.
    filled: u32,
    mean: Weights,
    square: Weights,
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

impl Adam {
    /// An optimiser that has seen nothing; `zero` is all zeros.
    pub(super) fn new(zero: &Weights) -> Self {
        Adam { batch: zero.clone(), filled: 0, mean: zero.clone(), square: zero.clone(), unseen: 1.0 }
    }

    /// Takes in one position's wish: to move `weights` by `surprise` times `gradient`. Moves them when a
    /// batch is full.
    pub(super) fn learn(&mut self, weights: &mut Weights, gradient: &Weights, surprise: f32, rate: f32) {
        add_scaled(&mut self.batch, gradient, surprise);
        self.filled += 1;
        if self.filled == BATCH {
            self.filled = 0;
            self.step(weights, rate);
        }
    }

    fn step(&mut self, weights: &mut Weights, rate: f32) {
        self.unseen *= 1.0 - SQUARE_SHARE;
        let seen = 1.0 - self.unseen;
        let running = parameters(&mut self.mean).zip(parameters(&mut self.square));
        let moved = parameters(weights).zip(parameters(&mut self.batch)).zip(running);
        for ((weight, sum), (mean, square)) in moved {
            let gradient = std::mem::take(sum) / BATCH as f32;
            *mean += MEAN_SHARE * (gradient - *mean);
            *square += SQUARE_SHARE * (gradient * gradient - *square);
            *weight += rate * *mean / ((*square / seen).sqrt() + LEAST_ROOT);
        }
    }

    pub(super) fn save(&self) -> Result<SavedAdam> {
        let weights = [self.batch.to_bytes()?, self.mean.to_bytes()?, self.square.to_bytes()?];
        Ok(SavedAdam { weights, filled: self.filled, unseen: self.unseen.to_bits() })
    }

    /// What was saved, for a network with as many weights as `zero`.
    ///
    /// # Errors
    /// When the bytes are damaged or for another network, or the numbers are out of range.
    pub(super) fn restore(saved: &SavedAdam, zero: &Weights) -> Result<Self> {
        let read = |bytes: &Vec<u8>| {
            let weights = Weights::from_bytes(bytes)?;
            if (weights.size, weights.run) != (zero.size, zero.run) {
                bail!(
                    "optimiser for size={},run={}: expected size={},run={}",
                    weights.size,
                    weights.run,
                    zero.size,
                    zero.run
                );
            }
            Ok(weights)
        };
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
    use starsplit_games::dice::Dice;

    fn zero() -> Weights {
        Weights::zero(Dice::new("size=3,run=3".parse().unwrap()).rules())
    }

    /// A gradient of 1000 for one weight and of 0.001 for another.
    fn gradient() -> Weights {
        Weights { output_bias: 1000.0, output: [0.001; 10], ..zero() }
    }

    #[test]
    fn steps_come_once_a_batch_and_have_one_length_for_large_and_small_gradients() {
        let (mut weights, mut adam) = (zero(), Adam::new(&zero()));
        for _ in 1..BATCH {
            adam.learn(&mut weights, &gradient(), -1.0, 0.5);
        }
        assert_eq!(weights, zero());
        adam.learn(&mut weights, &gradient(), -1.0, 0.5);
        // The first step: a tenth of the rate, against the gradient as the surprise is negative.
        assert!((weights.output_bias + 0.05).abs() < 1e-4, "{}", weights.output_bias);
        assert!((weights.output[3] + 0.05).abs() < 1e-4, "{}", weights.output[3]);
        assert_eq!(weights.columns, zero().columns);
    }

    #[test]
    fn a_saved_optimiser_goes_on_alike() {
        let (mut weights, mut adam) = (zero(), Adam::new(&zero()));
        (0..100).for_each(|_| adam.learn(&mut weights, &gradient(), 0.3, 0.1));
        let text = serde_json::to_string(&adam.save().unwrap()).unwrap();
        let mut restored = Adam::restore(&serde_json::from_str(&text).unwrap(), &zero()).unwrap();
        let mut others = weights.clone();
        for _ in 0..100 {
            adam.learn(&mut weights, &gradient(), -0.2, 0.1);
            restored.learn(&mut others, &gradient(), -0.2, 0.1);
        }
        assert_eq!(weights, others);
    }

    #[test]
    fn damage_is_refused() {
        let saved = || Adam::new(&zero()).save().unwrap();
        let refused = |saved: SavedAdam| Adam::restore(&saved, &zero()).unwrap_err().to_string();
        assert!(refused(SavedAdam { filled: BATCH, ..saved() }).contains("64"));
        assert!(refused(SavedAdam { unseen: 2.0f32.to_bits(), ..saved() }).contains("2 unseen"));
        let other = Weights::zero(Dice::new("size=4,run=3".parse().unwrap()).rules());
        assert!(refused(Adam::new(&other).save().unwrap()).contains("size=4,run=3: expected size=3"));
    }
}
