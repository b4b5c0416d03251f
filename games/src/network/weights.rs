//! A network's weights as floats, and its outputs computed with them.

use super::NetworkGame;

/// Some of a network's inputs: a tensor of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The tensor's name.
    pub name: &'static str,
    /// Its shape, without the last dimension, which is that of the hidden units.
    pub shape: Vec<usize>,
}

impl Group {
    /// How many inputs it has.
    pub fn count(&self) -> usize {
        self.shape.iter().product()
    }
}

/// Which network weights are for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// The name of a file's metadata: the game's, with `-network` after it.
    pub game: &'static str,
    /// What the rules have to be, as text.
    pub rules: String,
    /// The inputs in their order.
    pub groups: Vec<Group>,
}

impl Shape {
    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.groups.iter().map(Group::count).sum()
    }
}

/// The weights of a network with `H` hidden units and `O` outputs. Fields may be filled in freely: whatever
/// uses them checks them.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights<const H: usize, const O: usize> {
    /// What they are for.
    pub shape: Shape,
    /// What each input adds to each hidden unit.
    pub columns: Vec<[f32; H]>,
    /// What each hidden unit starts from.
    pub hidden_bias: [f32; H],
    /// What each hidden unit's activation adds to each output.
    pub output: [[f32; H]; O],
    /// What each output starts from.
    pub output_bias: [f32; O],
}

/// A network's outputs with what led to them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Forward<const H: usize, const O: usize> {
    /// The sum at each hidden unit, before its activation.
    pub hidden: [f32; H],
    /// The sum at each output, before its activation.
    pub sums: [f32; O],
    /// The outputs, from -1 to 1, as the position's player sees it.
    pub outputs: [f32; O],
}

impl<const H: usize, const O: usize> Weights<H, O> {
    /// A network that gives 0 to every position.
    pub fn zero(shape: Shape) -> Self {
        let columns = vec![[0.0; H]; shape.inputs()];
        Weights { shape, columns, hidden_bias: [0.0; H], output: [[0.0; H]; O], output_bias: [0.0; O] }
    }

    /// All weights in parts: by input, the hidden biases, by output, the output biases.
    pub fn parts(&self) -> [&[f32]; 4] {
        let (columns, output) = (self.columns.as_flattened(), self.output.as_flattened());
        [columns, &self.hidden_bias, output, &self.output_bias]
    }

    /// The same to be changed.
    pub fn parts_mut(&mut self) -> [&mut [f32]; 4] {
        let (columns, output) = (self.columns.as_flattened_mut(), self.output.as_flattened_mut());
        [columns, &mut self.hidden_bias, output, &mut self.output_bias]
    }

    /// The outputs for `position` as its player sees it, in floats. Inputs without a column count as nothing.
    pub fn forward<G: NetworkGame<H, O>>(&self, game: &G, position: &G::Position) -> Forward<H, O> {
        let mut hidden = self.hidden_bias;
        game.inputs(position, game.player(position), |input, count| {
            if let Some(column) = self.columns.get(input) {
                let count = f32::from(count);
                for (sum, weight) in hidden.iter_mut().zip(column) {
                    *sum += weight * count;
                }
            }
        });
        let mut sums = self.output_bias;
        for (unit, &sum) in hidden.iter().enumerate() {
            let active = activation(sum);
            for (sum, weights) in sums.iter_mut().zip(&self.output) {
                *sum += weights[unit] * active;
            }
        }
        Forward { hidden, sums, outputs: sums.map(activation) }
    }

    /// The value of `position` as its player sees it, as a share of the grid's limit.
    pub fn value<G: NetworkGame<H, O>>(&self, game: &G, position: &G::Position) -> f32 {
        value(game, self.forward(game, position).outputs)
    }
}

/// What outputs are worth, as a share of the grid's limit.
pub fn value<G: NetworkGame<H, O>, const H: usize, const O: usize>(game: &G, outputs: [f32; O]) -> f32 {
    let limit = game.facts().grid.limit() as f32;
    let worth = game.worth().map(|worth| worth as f32 / limit);
    outputs.iter().zip(worth).fold(0.0, |sum, (output, worth)| sum + output * worth)
}

/// The activation of hidden units and outputs: an odd cubic that rises from -1 at -1 to 1 at 1 and is flat
/// beyond. It needs multiplication only, so floats and integers compute it alike everywhere.
#[inline]
pub fn activation(sum: f32) -> f32 {
    let inside = sum.clamp(-1.0, 1.0);
    inside * (3.0 - inside * inside) * 0.5
}
