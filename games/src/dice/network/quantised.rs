//! The network in integers: what a search evaluates with.

use super::reach::Reach;
use super::weights::{HIDDEN, RUN_INPUTS, Weights, seen_cell};
use crate::dice::{Dice, Move, Position, Rules};
use crate::network::{self, HIDDEN_BITS, HIDDEN_SCALES, NetworkError, OUTPUT_BITS, OUTPUT_SCALES, SUM_BITS};
use crate::network::{NetworkGame, finest, rounded, too_large};
use starsplit::evaluator::{Abilities, Before, EvaluationCost, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::{Player, Step};
use starsplit::score::Score;

/// Hidden units, padded to whole vector registers with units that are always 0.
const LANES: usize = 16;

/// One number for each hidden unit, and zeros up to [`LANES`].
type Lanes = [i16; LANES];

/// The sums at the hidden units, as the first and as the second player sees the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct Accumulators([Lanes; 2]);

impl Accumulators {
    /// Adds `count` times `column`. Sums wrap, so that they depend on the position alone even where a
    /// finished game goes beyond what unfinished ones can reach.
    #[inline(always)]
    fn add(&mut self, column: &Accumulators, count: i16) {
        for (sums, weights) in self.0.iter_mut().zip(&column.0) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum = sum.wrapping_add(weight.wrapping_mul(count));
            }
        }
    }
}

/// The network with weights rounded to integers: an evaluator whose values are the same to the last bit on
/// every machine and along every path.
///
/// Evaluations lie strictly between the values of a lost and a won game.
#[derive(Clone, Debug)]
pub struct Network {
    /// What a checker adds, by its owner and its cell.
    checkers: Box<[[Accumulators; 64]; 2]>,
    /// What a run adds, by its owner and how many it is short of winning: two, one.
    runs: [[Accumulators; 2]; 2],
    /// The sums of an empty board.
    empty: Accumulators,
    output: Lanes,
    output_bias: i32,
    /// The greatest sum at a hidden unit below 1 and its negative, in every lane; the shift from there to
    /// [`SUM_BITS`].
    greatest: Lanes,
    least: Lanes,
    hidden_shift: u32,
    /// The same for the output and [`OUTPUT_BITS`].
    output_one: i32,
    output_shift: u32,
    identity: u64,
}

impl Network {
    /// The network with `weights`, rounded to integers on the finest scale on which no sum can overflow.
    ///
    /// # Errors
    /// When the weights are for another board, incomplete, not finite, or so large that even the coarsest
    /// scale might overflow (see [`NetworkGame::confine`]).
    pub fn new(dice: &Dice, weights: &Weights) -> Result<Self, NetworkError> {
        weights.check()?;
        let shape = dice.shape();
        if weights.shape != shape {
            let found = weights.shape.rules.clone();
            return Err(NetworkError::Rules { found, game: shape.game, expected: shape.rules });
        }
        let hidden = HiddenSums::new(dice.rules(), weights)?;
        let output = OutputSum::new(weights)?;
        Ok(Self::assemble(dice.rules().size(), &hidden, &output))
    }

    /// The network in a safetensors file; see [`Weights::from_bytes`] and [`Network::new`].
    ///
    /// # Errors
    /// When either of them fails.
    pub fn from_bytes(dice: &Dice, bytes: &[u8]) -> Result<Self, NetworkError> {
        network::from_bytes(dice, bytes)
    }

    /// The network that was trained by self-play for these rules and comes with the library.
    ///
    /// # Errors
    /// When there is none for this board.
    pub fn trained(dice: &Dice) -> Result<Self, NetworkError> {
        network::trained(dice)
    }

    fn assemble(size: u8, hidden: &HiddenSums, output: &OutputSum) -> Self {
        let cells = usize::from(size) * usize::from(size);
        // What something of `owner`'s adds to both players' sums: its column among the own and among the
        // opponent's inputs, which come `apart` columns later.
        let columns = |owner: Player, apart: usize, column: &dyn Fn(Player) -> usize| {
            let seen = [Player::Max, Player::Min].map(|player| {
                let side = if player == owner { 0 } else { apart };
                hidden.columns[column(player) + side]
            });
            Accumulators(seen)
        };
        let owners = [Player::Max, Player::Min];
        let mut checkers = Box::new([[Accumulators([[0; LANES]; 2]); 64]; 2]);
        for owner in owners {
            for cell in 0..cells as u8 {
                checkers[owner as usize][usize::from(cell)] =
                    columns(owner, cells, &|player| usize::from(seen_cell(size, player, cell)));
            }
        }
        let runs = owners.map(|owner| [0, 1].map(|k| columns(owner, RUN_INPUTS / 2, &|_| 2 * cells + k)));
        Network {
            checkers,
            runs,
            empty: Accumulators([hidden.bias; 2]),
            output: output.weights,
            output_bias: output.bias,
            greatest: [(1 << hidden.scale) - 1; LANES],
            least: [1 - (1 << hidden.scale); LANES],
            hidden_shift: SUM_BITS - hidden.scale,
            output_one: 1 << (HIDDEN_BITS + output.scale),
            output_shift: OUTPUT_BITS - HIDDEN_BITS - output.scale,
            identity: identity(size, hidden, output),
        }
    }

    /// The state of a position from its stones and runs.
    #[inline(never)]
    fn anew(&self, position: &Position) -> Accumulators {
        let mut state = self.empty;
        for owner in [Player::Max, Player::Min] {
            for cell in crate::dice::bits(position.stones(owner)) {
                state.add(&self.checkers[owner as usize][usize::from(cell)], 1);
            }
            for (column, count) in self.runs[owner as usize].iter().zip(position.runs(owner)) {
                state.add(column, i16::from(count));
            }
        }
        state
    }
}

impl Evaluator<Dice> for Network {
    type State = Accumulators;
    const ABILITIES: Abilities = Abilities::NONE.ignoring_outcomes();

    fn facts(&self, _: &Dice) -> EvaluatorFacts {
        EvaluatorFacts::new(self.identity).with_cost(EvaluationCost::each(25))
    }

    #[inline(always)] // which of the two is known where it is called
    fn state(
        &self,
        _dice: &Dice,
        position: &Position,
        before: Option<Before<'_, Dice, Accumulators>>,
    ) -> Accumulators {
        let Some(Before { position: before, state, step }) = before else { return self.anew(position) };
        let mut state = *state;
        let Step::Move(Move::Place(cell)) = step else { return state };
        let mover = before.to_act();
        state.add(&self.checkers[mover as usize][usize::from(cell)], 1);
        let (old, new) = (before.runs(mover), position.runs(mover));
        if old != new {
            for k in 0..2 {
                state.add(&self.runs[mover as usize][k], i16::from(new[k]) - i16::from(old[k]));
            }
        }
        state
    }

    #[inline]
    fn evaluate(&self, dice: &Dice, position: &Position, state: &Accumulators) -> Score {
        let mut sums = state.0[position.to_act() as usize];
        for ((sum, least), greatest) in sums.iter_mut().zip(&self.least).zip(&self.greatest) {
            *sum = (*sum).max(*least).min(*greatest) << self.hidden_shift;
        }
        let output = self.output_bias + network::dot(&network::hidden(&sums), &self.output);
        let inside = i64::from(output.max(-self.output_one).min(self.output_one)) << self.output_shift;
        network::output(inside, dice.grid.limit() - 1)
    }
}

/// The hidden units' weights as integers with `scale` bits after the binary point.
struct HiddenSums {
    scale: u32,
    columns: Vec<Lanes>,
    bias: Lanes,
}

impl HiddenSums {
    /// On the finest scale on which every sum of an unfinished position fits 16 bits.
    fn new(rules: &Rules, weights: &Weights) -> Result<Self, NetworkError> {
        let reach = Reach::new(rules.size(), rules.run());
        finest(HIDDEN_SCALES, |scale| {
            let columns: Vec<_> =
                weights.columns.iter().map(|column| column.map(|w| rounded(w, scale))).collect();
            let bias = weights.hidden_bias.map(|w| rounded(w, scale));
            for (unit, &bias) in bias.iter().enumerate() {
                let (low, high) = reach.interval(&columns, bias, unit);
                if low < f64::from(i16::MIN) || high > f64::from(i16::MAX) {
                    let what = format!("the sum at hidden unit {unit}");
                    return Err(too_large(what, high.max(-low), scale, i16::BITS));
                }
            }
            // Each single weight lies within the interval too, so that the casts are exact.
            Ok(HiddenSums { scale, columns: columns.iter().map(lanes).collect(), bias: lanes(&bias) })
        })
    }
}

/// The output's weights as integers with `scale` bits after the binary point; the bias has [`HIDDEN_BITS`]
/// more.
struct OutputSum {
    scale: u32,
    weights: Lanes,
    bias: i32,
}

impl OutputSum {
    /// On the finest scale on which every weight fits 16 bits and the sum 32.
    fn new(weights: &Weights) -> Result<Self, NetworkError> {
        finest(OUTPUT_SCALES, |scale| {
            let output = weights.output[0].map(|w| rounded(w, scale));
            let bias = rounded(weights.output_bias[0], scale + HIDDEN_BITS);
            let largest = output.iter().fold(0f64, |largest, weight| largest.max(weight.abs()));
            if largest > f64::from(i16::MAX) {
                return Err(too_large("an output weight".to_owned(), largest, scale, i16::BITS));
            }
            let active = f64::from(1 << HIDDEN_BITS);
            let sum = bias.abs() + output.iter().map(|weight| weight.abs() * active).sum::<f64>();
            if sum > f64::from(i32::MAX) {
                return Err(too_large("the output sum".to_owned(), sum, scale + HIDDEN_BITS, i32::BITS));
            }
            Ok(OutputSum { scale, weights: lanes(&output), bias: bias as i32 })
        })
    }
}

fn lanes(units: &[f64; HIDDEN]) -> Lanes {
    let mut lanes = [0; LANES];
    for (lane, &unit) in lanes.iter_mut().zip(units) {
        *lane = unit as i16;
    }
    lanes
}

/// A hash of everything that an evaluation depends on.
fn identity(size: u8, hidden: &HiddenSums, output: &OutputSum) -> u64 {
    let shape = [u64::from(size), u64::from(hidden.scale), u64::from(output.scale), output.bias as u64];
    let lanes = hidden.columns.iter().chain([&hidden.bias, &output.weights]).flatten();
    let numbers = lanes.map(|&lane| lane as u64);
    shape.into_iter().chain(numbers).fold(0x6e65_7477, |hash, number| mix64(hash ^ number).wrapping_add(1))
}
