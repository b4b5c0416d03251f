//! The first hidden layer, in integers: its sums are carried along moves, and are a function of the position
//! to the last bit.

use super::wide::Wide;
use super::{FIRST, Weights};
use crate::backgammon::network::{HIDDEN, OUTPUTS};
use crate::backgammon::{Backgammon, Position};
use crate::chunks::{chunk, chunks_mut};
use crate::network::{CarriedInputs, NetworkError, finest, rounded, too_large};
use starsplit::game::Player;
use std::ops::RangeInclusive;

/// The sums at the units, on each unit's own scale.
pub(super) type Sums = [i16; FIRST];

/// The coarsest and the finest scale: bits after the binary point.
const SCALES: RangeInclusive<u32> = 7..=13;

/// The greatest absolute sum that is left where weights are confined: half of what the coarsest scale takes.
const CONFINED: f64 = 128.0;

/// The layer.
#[derive(Clone, Debug)]
pub(super) struct First {
    /// By input.
    columns: Box<[Sums]>,
    bias: Sums,
    /// What a step of each unit's sum is worth, a power of two.
    steps: [f32; FIRST],
}

/// Inputs with by how much they count, gathered so that their columns are added in one go.
pub(super) struct Gathered {
    inputs: [(u16, i16); MOST],
    count: usize,
}

/// More inputs than a position has for one player.
const MOST: usize = 96;

impl Gathered {
    pub(super) fn new() -> Self {
        Gathered { inputs: [(0, 0); MOST], count: 0 }
    }
}

impl First {
    /// The layer with weights rounded on the finest scales on which every sum of an unfinished position, and
    /// every weight, fits 16 bits.
    pub(super) fn new(game: &Backgammon, weights: &Weights) -> Result<Self, NetworkError> {
        let mut first = First {
            columns: vec![[0; FIRST]; weights.columns.len()].into(),
            bias: [0; FIRST],
            steps: [0.0; FIRST],
        };
        for unit in 0..FIRST {
            let scale = finest(SCALES, |scale| {
                let reach = reach(game, weights, unit, |weight| rounded(weight, scale));
                if reach > f64::from(i16::MAX) {
                    return Err(too_large(format!("the sum at hidden unit {unit}"), reach, scale, i16::BITS));
                }
                Ok(scale)
            })?;
            first.steps[unit] = 1.0 / (1u32 << scale) as f32;
            first.bias[unit] = rounded(weights.bias[unit], scale) as i16;
            for (column, weights) in first.columns.iter_mut().zip(&weights.columns) {
                column[unit] = rounded(weights[unit], scale) as i16;
            }
        }
        Ok(first)
    }

    /// Everything that the sums depend on.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        let steps = self.steps.iter().map(|step| u64::from(step.to_bits()));
        steps.chain(self.columns.iter().chain([&self.bias]).flatten().map(|&weight| weight as u64))
    }

    /// The sums of the carried inputs.
    pub(super) fn carried(&self, wide: Wide, game: &Backgammon, position: &Position, player: Player) -> Sums {
        let mut sums = self.bias;
        let mut gathered = Gathered::new();
        game.carried(position, player, |input, count| {
            self.gather(wide, &mut gathered, &mut sums, input, count)
        });
        self.add(wide, &mut gathered, &mut sums);
        sums
    }

    /// Adds the inputs that are found anew.
    pub(super) fn add_fresh(
        &self,
        wide: Wide,
        game: &Backgammon,
        position: &Position,
        player: Player,
        sums: &mut Sums,
    ) {
        let mut gathered = Gathered::new();
        game.fresh(position, player, |input, count| self.gather(wide, &mut gathered, sums, input, count));
        self.add(wide, &mut gathered, sums);
    }

    /// Notes an input, whose column is added at the latest by [`add`](Self::add).
    #[inline]
    pub(super) fn gather(
        &self,
        wide: Wide,
        gathered: &mut Gathered,
        sums: &mut Sums,
        input: usize,
        count: i16,
    ) {
        if gathered.count == MOST {
            self.add(wide, gathered, sums);
        }
        gathered.inputs[gathered.count] = (input as u16, count);
        gathered.count += 1;
    }

    /// Adds the columns of all gathered inputs. Sums wrap, so that they depend on the position alone even
    /// where the carried inputs without the others go beyond what unfinished games can reach.
    #[inline]
    pub(super) fn add(&self, wide: Wide, gathered: &mut Gathered, sums: &mut Sums) {
        let inputs = &gathered.inputs[..gathered.count];
        wide.run(
            #[inline(always)]
            || {
                let (parts, _) = chunks_mut::<PART, _>(sums);
                for (number, part) in parts.enumerate() {
                    let mut sum = *part;
                    for &(input, count) in inputs {
                        let column = chunk::<PART, _>(&self.columns[usize::from(input)], number);
                        for (sum, weight) in sum.iter_mut().zip(column) {
                            *sum = sum.wrapping_add(weight.wrapping_mul(count));
                        }
                    }
                    *part = sum;
                }
            },
        );
        gathered.count = 0;
    }

    /// What a step of each unit's sum is worth.
    #[cfg(test)]
    pub(super) fn steps(&self) -> &[f32; FIRST] {
        &self.steps
    }

    /// The units' activations.
    #[inline(always)]
    pub(super) fn activate(&self, sums: &Sums, active: &mut [f32; FIRST]) {
        for ((active, &sum), step) in active.iter_mut().zip(sums).zip(&self.steps) {
            *active = super::softsign(f32::from(sum) * step);
        }
    }
}

/// Sums that are added to at a time: as many as fit the registers.
const PART: usize = 128;

/// Makes weights small enough for integers: scales down the units that [`First::new`] would refuse. Others
/// stay as they are.
pub(super) fn confine(game: &Backgammon, weights: &mut Weights) {
    for unit in 0..FIRST {
        let reach = reach(game, weights, unit, f64::from);
        if reach > CONFINED {
            let factor = (CONFINED / reach) as f32;
            weights.columns.iter_mut().for_each(|column| column[unit] *= factor);
            weights.bias[unit] *= factor;
        }
    }
}

/// The greatest absolute sum at a unit in any unfinished position, or weight, with the weights as `read`
/// gives them.
fn reach(game: &Backgammon, weights: &Weights, unit: usize, read: impl Fn(f32) -> f64) -> f64 {
    let weight = |input: usize| read(weights.columns[input][unit]);
    let (low, high) = CarriedInputs::<HIDDEN, OUTPUTS>::extremes(game, weight);
    let bias = read(weights.bias[unit]);
    let single = weights.columns.iter().map(|column| read(column[unit]).abs());
    single.fold((high + bias).max(-low - bias).max(bias.abs()), f64::max)
}
