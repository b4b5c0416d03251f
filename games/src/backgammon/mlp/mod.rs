//! A multilayer perceptron for backgammon: dearer than the small network, closer to what searches find, and
//! cheaper by the position where many are evaluated at once.
//!
//! Its inputs are those of the small network. The first hidden layer's sums are integers, which are carried
//! along moves; the layers after it are made in floats, for each evaluation anew.

mod first;
mod layers;
mod named;
mod weights;
mod wide;

pub use weights::{Layer, Weights};

pub(super) use named::{is_mlp, is_trained_for, named};

use super::evaluators::EDITION;
use super::network::{HIDDEN, OUTPUTS};
use super::{Backgammon, Move, Position};
use crate::network::{CarriedInputs, NetworkError, NetworkGame};
use first::{First, Gathered, Sums};
use layers::Layers;
use starsplit::evaluator::{
    Abilities, Before, EvaluationCost, EvaluationError, Evaluator, EvaluatorFacts, mix64,
};
use starsplit::game::{Game, Player, Step};
use starsplit::score::Score;
use starsplit::unstable::NOT_A_NUMBER;
use std::sync::Arc;
use wide::Wide;

/// Units of the hidden layers.
pub const FIRST: usize = 256;
/// Units of the second hidden layer.
pub const SECOND: usize = 256;
/// Units of the third hidden layer.
pub const THIRD: usize = 64;

/// From the first hidden layer to the output: the position's value as a share of the grid's limit.
pub const WIDTHS: [usize; 4] = [FIRST, SECOND, THIRD, 1];

/// Positions whose activations are made before the layers after them: what they take fits the caches.
const MOST_AT_ONCE: usize = 256;

/// Fewer positions than these are evaluated faster one after another: what the library does for each call is
/// not worth its while.
const FEWEST_AT_ONCE: usize = 3;

/// The perceptron as an evaluator, told of the position before the roll, as its player sees it.
///
/// Evaluations are functions of the position alone to the last bit, one at a time or in batches of any size,
/// and the same on every machine that multiplies and adds in one instruction: x86-64 with AVX2 and FMA,
/// aarch64, s390x. On others floats are added and multiplied as the library for products of matrices does it
/// there. [`identity`](EvaluatorFacts::identity) tells such machines apart, as well as other weights: the bits
/// of a few evaluations are in it. Whether batches give the bits of single evaluations is looked at when
/// the evaluator is made; where they do not, batches are evaluated one position after another.
///
/// Evaluations lie strictly between the ends of the grid, and within what the rules still allow: no gammon is
/// lost once a checker is borne off. Clones share the weights.
#[derive(Clone, Debug)]
pub struct Mlp(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    wide: Wide,
    first: First,
    layers: Layers,
    /// Whether batches have the bits of single evaluations.
    has_batches: bool,
    identity: u64,
}

/// The sums of the carried inputs at the first hidden layer, as the first and as the second player sees the
/// position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct State([Sums; 2]);

/// The activation of hidden units, from -1 to 1: a division, whose bits IEEE 754 fixes.
#[inline(always)]
pub fn softsign(sum: f32) -> f32 {
    sum / (1.0 + sum.abs())
}

impl Mlp {
    /// The evaluator with `weights`, those of the first layer rounded to integers on the finest scales on
    /// which no sum can overflow.
    ///
    /// # Errors
    /// When the weights are for other rules, incomplete, not finite, or so large that even the coarsest scale
    /// might overflow (see [`confine`](Self::confine)).
    pub fn new(game: &Backgammon, weights: &Weights) -> Result<Self, NetworkError> {
        Mlp::with_registers(game, weights, Wide::detect())
    }

    fn with_registers(game: &Backgammon, weights: &Weights, wide: Wide) -> Result<Self, NetworkError> {
        weights.check(game)?;
        let (first, layers) = (First::new(game, weights)?, Layers::new(weights));
        let mut parts = Parts { wide, first, layers, has_batches: false, identity: 0 };
        let samples = parts.samples();
        let bits = samples.each_ref().map(|active| parts.value(active).to_bits());
        parts.has_batches = (1..=samples.len()).all(|count| {
            let mut values = vec![0.0; count];
            parts.layers.many(wide, &samples[..count], &mut values);
            values.iter().zip(&bits).all(|(value, bits)| value.to_bits() == *bits)
        });
        let layers = weights.parts().into_iter().skip(2).flatten().map(|weight| u64::from(weight.to_bits()));
        let numbers = parts.first.numbers().chain(layers).chain(bits.map(u64::from));
        parts.identity =
            numbers.fold(0x6d6c_7030 ^ EDITION, |hash, number| mix64(hash ^ number).wrapping_add(1));
        Ok(Mlp(Arc::new(parts)))
    }

    /// Scales down whatever [`Mlp::new`] would refuse as too large. Weights that training finds useful are
    /// far smaller and stay as they are.
    pub fn confine(game: &Backgammon, weights: &mut Weights) {
        first::confine(game, weights);
    }

    /// Makes the sums as `player` sees `after` from those before the move.
    fn moved(
        &self,
        game: &Backgammon,
        sums: &mut Sums,
        before: &Position,
        mv: Move,
        after: &Position,
        player: Player,
    ) {
        let Parts { wide, first, .. } = &*self.0;
        let mut gathered = Gathered::new();
        CarriedInputs::<HIDDEN, OUTPUTS>::changes(game, before, mv, after, |seen_by, input, count| {
            if seen_by == player {
                first.gather(*wide, &mut gathered, sums, input, count);
            }
        });
        first.add(*wide, &mut gathered, sums);
    }

    /// The evaluation of a position that is not even, from the sums of its carried inputs.
    fn score(&self, game: &Backgammon, position: &Position, player: Player, mut sums: Sums) -> Score {
        let Parts { wide, first, .. } = &*self.0;
        first.add_fresh(*wide, game, position, player, &mut sums);
        let mut active = [0.0; FIRST];
        wide.run(
            #[inline(always)]
            || first.activate(&sums, &mut active),
        );
        on_the_grid(game, position, self.0.value(&active))
    }

    /// Scores for as many positions as fit the caches.
    fn scores(&self, game: &Backgammon, nodes: &[(&Position, &State)], scores: &mut [Score]) {
        let Parts { wide, first, layers, .. } = &*self.0;
        let mut active = vec![[0.0; FIRST]; nodes.len()];
        for (&(position, state), active) in nodes.iter().zip(&mut active) {
            let player = position.to_act;
            let mut sums = state.0[player as usize];
            first.add_fresh(*wide, game, position, player, &mut sums);
            wide.run(
                #[inline(always)]
                || first.activate(&sums, active),
            );
        }
        let mut values = [0.0; MOST_AT_ONCE];
        layers.many(*wide, &active, &mut values[..nodes.len()]);
        for ((score, &value), (position, _)) in scores.iter_mut().zip(&values).zip(nodes) {
            *score = if game.is_even(position) { 0 } else { on_the_grid(game, position, value) };
        }
    }
}

impl Parts {
    /// The value of one position, from the activations of the first hidden layer.
    fn value(&self, active: &[f32; FIRST]) -> f32 {
        if self.wide.is_fused() {
            return self.wide.run(
                #[inline(always)]
                || self.layers.alone(active),
            );
        }
        self.layers.single(self.wide, active)
    }

    /// Activations by which the machine is known.
    fn samples(&self) -> [[f32; FIRST]; 33] {
        std::array::from_fn(|sample| {
            std::array::from_fn(|unit| {
                let number = mix64((sample * FIRST + unit) as u64);
                (number >> 40) as f32 / (1 << 23) as f32 - 1.0
            })
        })
    }
}

/// The score of a value within what the rules still allow, short of the ends, which only a finished game
/// reaches.
fn on_the_grid(game: &Backgammon, position: &Position, value: f32) -> Score {
    if value.is_nan() {
        return NOT_A_NUMBER; // which ends the search; cast to an integer it would be the middle
    }
    let limit = game.facts().grid.limit();
    let score = ((value * limit as f32) as Score).clamp(1 - limit, limit - 1);
    game.within_rules(position, position.to_act, score)
}

impl Evaluator<Backgammon> for Mlp {
    type State = State;
    const ABILITIES: Abilities = Abilities::NONE.ignoring_outcomes().with_batches(true);

    /// Values at the ends are told short of them. The cost is as measured with AVX2: alone, and in batches of
    /// 64, the changes of the state included.
    fn facts(&self, _: &Backgammon) -> EvaluatorFacts {
        EvaluatorFacts::new(self.0.identity)
            .saturating(true)
            .with_cost(EvaluationCost { fixed_ns: 1400, each_ns: 2400 })
    }

    fn state(
        &self,
        game: &Backgammon,
        position: &Position,
        before: Option<Before<'_, Backgammon, State>>,
    ) -> State {
        match before {
            Some(Before { position: from, state, step: Step::Move(mv) }) if !game.is_even(from) => {
                let mut state = *state;
                for player in [Player::Max, Player::Min] {
                    self.moved(game, &mut state.0[player as usize], from, mv, position, player);
                }
                state
            }
            _ => {
                let Parts { wide, first, .. } = &*self.0;
                State([Player::Max, Player::Min].map(|player| first.carried(*wide, game, position, player)))
            }
        }
    }

    fn evaluate(&self, game: &Backgammon, position: &Position, state: &State) -> Score {
        if game.is_even(position) {
            return 0;
        }
        let player = game.player(position);
        self.score(game, position, player, state.0[player as usize])
    }

    /// Makes the sums of one player only.
    fn evaluate_after_move(
        &self,
        game: &Backgammon,
        state: &State,
        before: &Position,
        mv: Move,
        after: &Position,
    ) -> Score {
        if game.is_even(after) {
            return 0;
        }
        let player = game.player(after);
        if game.is_even(before) {
            let Parts { wide, first, .. } = &*self.0;
            return self.score(game, after, player, first.carried(*wide, game, after, player));
        }
        let mut sums = state.0[player as usize];
        self.moved(game, &mut sums, before, mv, after, player);
        self.score(game, after, player, sums)
    }

    fn evaluate_many(
        &self,
        game: &Backgammon,
        nodes: &[(&Position, &State)],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        for (nodes, scores) in nodes.chunks(MOST_AT_ONCE).zip(scores.chunks_mut(MOST_AT_ONCE)) {
            if self.0.has_batches && nodes.len() >= FEWEST_AT_ONCE {
                self.scores(game, nodes, scores);
                continue;
            }
            for (&(position, state), score) in nodes.iter().zip(scores) {
                *score = self.evaluate(game, position, state);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
