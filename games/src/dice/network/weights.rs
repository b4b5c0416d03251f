//! A network's weights as floats, and its output computed with them.

use super::super::{Dice, Position, Rules, bits};
use starsplit::game::Player;

/// How many hidden units a network has.
pub const HIDDEN: usize = 10;

/// How many inputs count runs; they come after the inputs for the checkers.
pub const RUN_INPUTS: usize = 4;

/// How many inputs a network for boards of `size` by `size` cells has.
pub fn input_count(size: u8) -> usize {
    2 * usize::from(size) * usize::from(size) + RUN_INPUTS
}

/// The weights of a network. Fields may be filled in freely: [`Network::new`](super::Network::new) checks
/// them.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The size of the board that the network is for.
    pub size: u8,
    /// The length of a winning run that the network is for.
    pub run: u8,
    /// What each input adds to each hidden unit, in the order of [`inputs`].
    pub columns: Vec<[f32; HIDDEN]>,
    /// What each hidden unit starts from.
    pub hidden_bias: [f32; HIDDEN],
    /// What each hidden unit's activation adds to the output.
    pub output: [f32; HIDDEN],
    /// What the output starts from.
    pub output_bias: f32,
}

/// A network's output with what led to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forward {
    /// The sum at each hidden unit, before its activation.
    pub hidden: [f32; HIDDEN],
    /// The sum at the output, before its activation.
    pub output: f32,
    /// The evaluation, from -1 to 1, as the player to act sees it.
    pub value: f32,
}

impl Weights {
    /// A network that gives 0 to every position.
    pub fn zero(rules: &Rules) -> Self {
        Weights {
            size: rules.size(),
            run: rules.run(),
            columns: vec![[0.0; HIDDEN]; input_count(rules.size())],
            hidden_bias: [0.0; HIDDEN],
            output: [0.0; HIDDEN],
            output_bias: 0.0,
        }
    }

    /// The evaluation of `position` for the player to act, in floats. Inputs without a column count as
    /// nothing.
    pub fn forward(&self, dice: &Dice, position: &Position) -> Forward {
        let mut hidden = self.hidden_bias;
        inputs(dice, position, position.to_act(), |input, count| {
            if let Some(column) = self.columns.get(input) {
                let count = f32::from(count);
                for (sum, weight) in hidden.iter_mut().zip(column) {
                    *sum += weight * count;
                }
            }
        });
        let mut output = self.output_bias;
        for (sum, weight) in hidden.iter().zip(&self.output) {
            output += weight * activation(*sum);
        }
        Forward { hidden, output, value: activation(output) }
    }
}

/// The activation of hidden units and output: an odd cubic that rises from -1 at -1 to 1 at 1 and is flat
/// beyond. It needs multiplication only, so floats and integers compute it alike everywhere.
#[inline]
pub fn activation(sum: f32) -> f32 {
    let inside = sum.clamp(-1.0, 1.0);
    inside * (3.0 - inside * inside) * 0.5
}

/// Gives the number and the value of every input that is not 0 to `push`, for `position` as `player` sees it.
///
/// The inputs are: own checkers, one for each cell, row by row; the opponent's checkers; own runs of length
/// `run - 2` and `run - 1`; the opponent's. Rows are the lines that `player` rolls.
#[inline]
pub fn inputs(dice: &Dice, position: &Position, player: Player, mut push: impl FnMut(usize, u8)) {
    let size = dice.rules().size();
    let cells = usize::from(size) * usize::from(size);
    for (side, owner) in [player, player.opponent()].into_iter().enumerate() {
        for cell in bits(position.stones(owner)) {
            push(side * cells + usize::from(seen_cell(size, player, cell)), 1);
        }
        for (k, count) in position.runs(owner).into_iter().enumerate() {
            if count > 0 {
                push(2 * cells + 2 * side + k, count);
            }
        }
    }
}

/// The number of `cell` on the board that `player` sees: as it is for the first player, transposed for the
/// second.
#[inline]
pub(super) fn seen_cell(size: u8, player: Player, cell: u8) -> u8 {
    match player {
        Player::Max => cell,
        Player::Min => cell % size * size + cell / size,
    }
}
