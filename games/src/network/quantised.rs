//! The network in integers: what a search evaluates with.

use super::activation::{self, HIDDEN_BITS, OUTPUT_BITS, SUM_BITS};
use super::scale::{HIDDEN_SCALES, OUTPUT_SCALES, finest, rounded, too_large};
use super::{CarriedInputs, NetworkError, Weights};
use crate::chunks::{chunks, chunks_mut};
use starsplit::evaluator::{Abilities, Before, EvaluationCost, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::{Player, Step};
use starsplit::score::Score;
use std::array;

/// The sums of the carried inputs at the hidden units, as the first and as the second player sees the
/// position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Accumulators<const H: usize>([[i16; H]; 2]);

/// Hidden units in a register that every machine has.
const UNITS: usize = 8;

/// Adds `count` times `column`. Sums wrap, so that they depend on the position alone even where a finished
/// game, or the carried inputs without the fresh ones, go beyond what unfinished games can reach.
#[inline(always)]
fn add<const H: usize>(sums: &mut [i16; H], column: &[i16; H], count: i16) {
    match count {
        1 => combine(sums, column, i16::wrapping_add),
        -1 => combine(sums, column, i16::wrapping_sub),
        _ => combine(sums, column, |sum, weight| sum.wrapping_add(weight.wrapping_mul(count))),
    }
}

/// A register at a time, read before it is written. Where the compiler cannot tell that sums and column lie
/// apart, as in a closure that it leaves a call, it would go through the units one by one.
#[inline(always)]
fn combine<const H: usize>(sums: &mut [i16; H], column: &[i16; H], with: impl Fn(i16, i16) -> i16) {
    let (sums, last_sums) = chunks_mut::<UNITS, _>(sums);
    let (column, last) = chunks::<UNITS, _>(column);
    for (sums, weights) in sums.zip(column) {
        let (before, weights) = (*sums, *weights);
        *sums = array::from_fn(|unit| with(before[unit], weights[unit]));
    }
    last_sums.iter_mut().zip(last).for_each(|(sum, &weight)| *sum = with(*sum, weight));
}

/// The network with weights rounded to integers: an evaluator whose values are the same to the last bit on
/// every machine and along every path. `H` is best a multiple of 8, which is a register of hidden units.
///
/// Evaluations lie strictly between the ends of the grid.
#[derive(Clone, Debug)]
pub struct Network<const H: usize, const O: usize> {
    /// By input.
    columns: Box<[[i16; H]]>,
    bias: [i16; H],
    output: [[i16; H]; O],
    output_bias: [i32; O],
    /// What each output is worth, in steps of the grid.
    worth: [i32; O],
    /// The greatest sums at the hidden units below 1, and the factors from there to [`SUM_BITS`]: every unit
    /// has a scale of its own.
    greatest: [i16; H],
    factors: [i16; H],
    /// The same for outputs, in common, and [`OUTPUT_BITS`].
    output_one: i32,
    output_shift: u32,
    identity: u64,
}

impl<const H: usize, const O: usize> Network<H, O> {
    /// The network with `weights`, rounded to integers on the finest scales on which no sum can overflow.
    ///
    /// # Errors
    /// When the weights are for other rules, incomplete, not finite, or so large that even the coarsest scale
    /// might overflow (see [`Network::confine`]).
    pub fn new<G: CarriedInputs<H, O>>(game: &G, weights: &Weights<H, O>) -> Result<Self, NetworkError> {
        weights.check()?;
        let shape = game.shape();
        if weights.shape != shape {
            let found = weights.shape.rules.clone();
            return Err(NetworkError::Rules { found, game: shape.game, expected: shape.rules });
        }
        let hidden = HiddenSums::new(game, weights)?;
        let output = OutputSums::new(weights)?;
        let identity = identity(G::EDITION, &game.worth(), &hidden, &output);
        Ok(Network {
            columns: hidden.columns.into(),
            bias: hidden.bias,
            output: output.weights,
            output_bias: output.bias,
            worth: game.worth(),
            greatest: hidden.scales.map(|scale| (1 << scale) - 1),
            factors: hidden.scales.map(|scale| 1 << (SUM_BITS - scale)),
            output_one: 1 << (HIDDEN_BITS + output.scale),
            output_shift: OUTPUT_BITS - HIDDEN_BITS - output.scale,
            identity,
        })
    }

    /// Scales down whatever [`Network::new`] would refuse as too large.
    pub fn confine<G: CarriedInputs<H, O>>(game: &G, weights: &mut Weights<H, O>) {
        /// The greatest absolute sum at a hidden unit that is left.
        const CONFINED: f64 = 100.0;
        for unit in 0..H {
            let (low, high) = game.extremes(|input| f64::from(weights.columns[input][unit]));
            let bias = f64::from(weights.hidden_bias[unit]);
            let furthest = (high + bias).max(-low - bias);
            if furthest > CONFINED {
                let factor = (CONFINED / furthest) as f32;
                weights.columns.iter_mut().for_each(|column| column[unit] *= factor);
                weights.hidden_bias[unit] *= factor;
            }
        }
        // So that the sum of all keeps within 32 bits.
        let most = (500.0 / (H + 1) as f32).min(16.0);
        for weight in weights.output.as_flattened_mut().iter_mut().chain(&mut weights.output_bias) {
            *weight = weight.clamp(-most, most);
        }
    }

    #[inline(always)]
    fn sums<G: CarriedInputs<H, O>>(&self, game: &G, position: &G::Position, player: Player) -> [i16; H] {
        let mut sums = self.bias;
        game.carried(position, player, |input, count| add(&mut sums, &self.columns[input], count));
        sums
    }

    /// Both players' sums, computed anew.
    #[inline(never)]
    fn anew<G: CarriedInputs<H, O>>(&self, game: &G, position: &G::Position) -> Accumulators<H> {
        Accumulators([Player::Max, Player::Min].map(|player| self.sums(game, position, player)))
    }

    /// The evaluation of a position that is not even, from the sums of its carried inputs.
    #[inline(always)]
    fn score<G: CarriedInputs<H, O>>(
        &self,
        game: &G,
        position: &G::Position,
        player: Player,
        mut sums: [i16; H],
    ) -> Score {
        game.fresh(position, player, |input, count| add(&mut sums, &self.columns[input], count));
        for ((sum, greatest), factor) in sums.iter_mut().zip(&self.greatest).zip(&self.factors) {
            *sum = (*sum).max(-greatest).min(*greatest).wrapping_mul(*factor);
        }
        let active = activation::hidden(&sums);
        let mut score = 0;
        for ((weights, bias), worth) in self.output.iter().zip(&self.output_bias).zip(&self.worth) {
            let sum = bias + activation::dot(&active, weights);
            let inside = i64::from(sum.max(-self.output_one).min(self.output_one)) << self.output_shift;
            score += activation::active_output(inside) * i64::from(*worth);
        }
        let limit = i64::from(game.facts().grid.limit());
        let score = (score >> OUTPUT_BITS).clamp(1 - limit, limit - 1) as Score;
        game.within_rules(position, player, score)
    }
}

impl<G: CarriedInputs<H, O>, const H: usize, const O: usize> Evaluator<G> for Network<H, O> {
    type State = Accumulators<H>;
    const ABILITIES: Abilities = Abilities::NONE.ignoring_outcomes();

    /// Values at the ends are told short of them. The cost is as measured on the networks here: the first
    /// layer's sums, and a product for each other weight.
    fn facts(&self, _: &G) -> EvaluatorFacts {
        let cost = EvaluationCost::each((20 + H * (O + 1) / 4) as u32);
        EvaluatorFacts::new(self.identity).saturating(true).with_cost(cost)
    }

    #[inline(always)] // which of the two is known where it is called
    fn state(
        &self,
        game: &G,
        position: &G::Position,
        before: Option<Before<'_, G, Accumulators<H>>>,
    ) -> Accumulators<H> {
        match before {
            Some(Before { position: from, state, step: Step::Move(mv) }) if !game.is_even(from) => {
                let mut state = *state;
                game.changes(from, mv, position, |player, input, count| {
                    add(&mut state.0[player as usize], &self.columns[input], count);
                });
                state
            }
            _ => self.anew(game, position),
        }
    }

    #[inline]
    fn evaluate(&self, game: &G, position: &G::Position, state: &Accumulators<H>) -> Score {
        if game.is_even(position) {
            return 0;
        }
        let player = game.player(position);
        self.score(game, position, player, state.0[player as usize])
    }

    /// Makes the sums of one player only.
    #[inline]
    fn evaluate_after_move(
        &self,
        game: &G,
        state: &Accumulators<H>,
        before: &G::Position,
        mv: G::Move,
        after: &G::Position,
    ) -> Score {
        if game.is_even(after) {
            return 0;
        }
        let player = game.player(after);
        if game.is_even(before) {
            return self.score(game, after, player, self.sums(game, after, player));
        }
        let mut sums = state.0[player as usize];
        game.changes(before, mv, after, |seen_by, input, count| {
            if seen_by == player {
                add(&mut sums, &self.columns[input], count);
            }
        });
        self.score(game, after, player, sums)
    }
}

/// The hidden units' weights as integers, each unit's with bits of its own after the binary point.
struct HiddenSums<const H: usize> {
    scales: [u32; H],
    columns: Vec<[i16; H]>,
    bias: [i16; H],
}

impl<const H: usize> HiddenSums<H> {
    /// On the finest scales on which every sum of an unfinished position, and every weight, fits 16 bits.
    fn new<G: CarriedInputs<H, O>, const O: usize>(
        game: &G,
        weights: &Weights<H, O>,
    ) -> Result<Self, NetworkError> {
        let mut sums =
            HiddenSums { scales: [0; H], columns: vec![[0; H]; weights.columns.len()], bias: [0; H] };
        for unit in 0..H {
            // Scales that are too fine without rounding are not worth trying.
            let reach = reach(game, weights, unit, f64::from);
            let is_possible = |scale: &u32| reach * f64::from(1u32 << scale) <= f64::from(i16::MAX);
            let start = *HIDDEN_SCALES.start();
            let end = HIDDEN_SCALES.rev().find(is_possible).unwrap_or(start);
            let scale = finest(start..=end, |scale| {
                let reach = self::reach(game, weights, unit, |weight| rounded(weight, scale));
                if reach > f64::from(i16::MAX) {
                    return Err(too_large(format!("the sum at hidden unit {unit}"), reach, scale, i16::BITS));
                }
                Ok(scale)
            })?;
            sums.scales[unit] = scale;
            sums.bias[unit] = rounded(weights.hidden_bias[unit], scale) as i16;
            for (column, weights) in sums.columns.iter_mut().zip(&weights.columns) {
                column[unit] = rounded(weights[unit], scale) as i16;
            }
        }
        Ok(sums)
    }
}

/// The greatest absolute sum at a hidden unit in any unfinished position, or weight, with the weights as
/// `read` gives them.
fn reach<G: CarriedInputs<H, O>, const H: usize, const O: usize>(
    game: &G,
    weights: &Weights<H, O>,
    unit: usize,
    read: impl Fn(f32) -> f64,
) -> f64 {
    let (low, high) = game.extremes(|input| read(weights.columns[input][unit]));
    let bias = read(weights.hidden_bias[unit]);
    let single = weights.columns.iter().map(|column| read(column[unit]).abs());
    single.fold((high + bias).max(-low - bias).max(bias.abs()), f64::max)
}

/// The outputs' weights as integers with `scale` bits after the binary point; the biases have [`HIDDEN_BITS`]
/// more.
struct OutputSums<const H: usize, const O: usize> {
    scale: u32,
    weights: [[i16; H]; O],
    bias: [i32; O],
}

impl<const H: usize, const O: usize> OutputSums<H, O> {
    /// On the finest scale on which every weight fits 16 bits and every sum 32.
    fn new(weights: &Weights<H, O>) -> Result<Self, NetworkError> {
        finest(OUTPUT_SCALES, |scale| {
            let output = weights.output.map(|weights| weights.map(|weight| rounded(weight, scale)));
            let bias = weights.output_bias.map(|bias| rounded(bias, scale + HIDDEN_BITS));
            for (weights, bias) in output.iter().zip(&bias) {
                let largest = weights.iter().fold(0f64, |largest, weight| largest.max(weight.abs()));
                if largest > f64::from(i16::MAX) {
                    return Err(too_large("an output weight".to_owned(), largest, scale, i16::BITS));
                }
                let active = f64::from(1 << HIDDEN_BITS);
                let sum = bias.abs() + weights.iter().map(|weight| weight.abs() * active).sum::<f64>();
                if sum > f64::from(i32::MAX) {
                    return Err(too_large("an output sum".to_owned(), sum, scale + HIDDEN_BITS, i32::BITS));
                }
            }
            let weights = output.map(|weights| weights.map(|weight| weight as i16));
            Ok(OutputSums { scale, weights, bias: bias.map(|bias| bias as i32) })
        })
    }
}

/// A hash of everything that an evaluation depends on.
fn identity<const H: usize, const O: usize>(
    edition: u64,
    worth: &[i32; O],
    hidden: &HiddenSums<H>,
    output: &OutputSums<H, O>,
) -> u64 {
    let shape = [u64::from(output.scale), H as u64, O as u64];
    let shape = shape.into_iter().chain(hidden.scales.map(u64::from));
    let worth = worth.iter().chain(&output.bias).map(|&number| number as u64);
    let columns = hidden.columns.iter().chain([&hidden.bias]).chain(&output.weights).flatten();
    let numbers = shape.chain(worth).chain(columns.map(|&weight| weight as u64));
    numbers.fold(0x6c61_7965_7273 ^ edition, |hash, number| mix64(hash ^ number).wrapping_add(1))
}
