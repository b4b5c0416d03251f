//! The perceptron's weights as floats: what training changes and files hold.

use super::{FIRST, WIDTHS};
use crate::KnownGame;
use crate::backgammon::Backgammon;
use crate::network::{MetadataEntry, NetworkError, NetworkGame, Tensor, read_tensors, write_tensors};
use starsplit::evaluator::mix64;

/// A layer whose every input goes to every output.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// What each input adds to each output, input by input.
    pub weights: Vec<f32>,
    /// What each output starts from.
    pub bias: Vec<f32>,
}

/// The weights. Fields may be filled in freely: whatever uses them checks them.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The rules that they are for, as a file tells them.
    pub rules: String,
    /// What each of backgammon's inputs adds to each unit of the first hidden layer.
    pub columns: Vec<[f32; FIRST]>,
    /// What each of these units starts from.
    pub bias: [f32; FIRST],
    /// The layers after it.
    pub layers: [Layer; WIDTHS.len() - 1],
}

/// What the parts are called.
const NAMES: [&str; 2 * WIDTHS.len()] =
    ["columns", "first_bias", "second", "second_bias", "third", "third_bias", "output", "output_bias"];

/// The game as a file's metadata names it.
const GAME: &str = "backgammon";

impl Weights {
    /// A perceptron that gives 0 to every position.
    pub fn zero(game: &Backgammon) -> Self {
        let layers = std::array::from_fn(|layer| Layer {
            weights: vec![0.0; WIDTHS[layer] * WIDTHS[layer + 1]],
            bias: vec![0.0; WIDTHS[layer + 1]],
        });
        let columns = vec![[0.0; FIRST]; game.shape().inputs()];
        Weights { rules: rules(game), columns, bias: [0.0; FIRST], layers }
    }

    /// Small weights to begin training from, chosen by `seed`: of such a size that sums have about the same
    /// spread in every layer.
    pub fn random(game: &Backgammon, seed: u64) -> Self {
        let mut weights = Weights::zero(game);
        let mut number = 0;
        let mut fill = |part: &mut [f32], size: f32| {
            for weight in part {
                number += 1;
                let share = (mix64(mix64(seed) ^ number) >> 40) as f32 / (1 << 23) as f32 - 1.0;
                *weight = share * size;
            }
        };
        fill(weights.columns.as_flattened_mut(), Backgammon::START);
        for (layer, widths) in weights.layers.iter_mut().zip(WIDTHS.windows(2)) {
            fill(&mut layer.weights, (6.0 / (widths[0] + widths[1]) as f32).sqrt());
        }
        weights
    }

    /// All weights in parts: the columns, the first biases, and of each layer the weights and the biases.
    pub fn parts(&self) -> Vec<&[f32]> {
        let layers = self.layers.iter().flat_map(|layer| [layer.weights.as_slice(), &layer.bias]);
        [self.columns.as_flattened(), &self.bias].into_iter().chain(layers).collect()
    }

    /// The same to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut [f32]> {
        let layers = self.layers.iter_mut().flat_map(|layer| [layer.weights.as_mut_slice(), &mut layer.bias]);
        [self.columns.as_flattened_mut(), &mut self.bias].into_iter().chain(layers).collect()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.parts().iter().map(|part| part.len()).sum()
    }

    /// The weights as a safetensors file: the same bytes for the same weights.
    ///
    /// # Errors
    /// When they are for other rules, incomplete or not finite.
    pub fn to_bytes(&self, game: &Backgammon) -> Result<Vec<u8>, NetworkError> {
        self.check(game)?;
        let numbers = self.parts().concat();
        let mut rest = numbers.as_slice();
        let tensors = tensors(game).into_iter().map(|(name, shape)| {
            let (own, others) = rest.split_at(shape.iter().product());
            rest = others;
            (name, shape, own)
        });
        write_tensors(entry(&self.rules), &tensors.collect::<Vec<Tensor<'_>>>())
    }

    /// Reads what [`to_bytes`](Weights::to_bytes) wrote, if it is for this game.
    ///
    /// # Errors
    /// When the bytes are anything else: a damaged file, other rules, other tensors, shapes or kinds of
    /// number, weights that are not finite.
    pub fn from_bytes(game: &Backgammon, bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut weights = Weights::zero(game);
        let mut found = read_tensors(entry(&weights.rules), bytes, &tensors(game))?.into_iter();
        for part in weights.parts_mut() {
            part.iter_mut().zip(&mut found).for_each(|(weight, number)| *weight = number);
        }
        weights.check(game)?;
        Ok(weights)
    }

    /// Whether these make a perceptron for this game at all.
    pub(super) fn check(&self, game: &Backgammon) -> Result<(), NetworkError> {
        let expected = Weights::zero(game);
        if self.rules != expected.rules {
            let found = self.rules.clone();
            return Err(NetworkError::Rules { found, game: GAME, expected: expected.rules });
        }
        for ((name, part), expected) in NAMES.into_iter().zip(self.parts()).zip(expected.parts()) {
            if part.len() != expected.len() {
                let (found, expected) = (vec![part.len()], vec![expected.len()]);
                return Err(NetworkError::Shape { name, found, expected });
            }
            if let Some(&found) = part.iter().find(|weight| !weight.is_finite()) {
                return Err(NetworkError::NotFinite { name, found });
            }
        }
        Ok(())
    }
}

/// The scoring is part of them, unlike those of the small network: the one output is the value.
fn rules(game: &Backgammon) -> String {
    format!("{},{}", game.shape().rules, game.rules())
}

fn entry(rules: &str) -> MetadataEntry<'_> {
    MetadataEntry { game: GAME, kind: "mlp", rules }
}

/// The tensors of a file, in the order of the parts; the columns are several.
fn tensors(game: &Backgammon) -> Vec<(&'static str, Vec<usize>)> {
    let groups = game.shape().groups.into_iter();
    let columns = groups.map(|group| (group.name, [group.shape, vec![FIRST]].concat()));
    let layers = WIDTHS.windows(2).flat_map(|widths| [widths.to_vec(), vec![widths[1]]]);
    let others = [vec![FIRST]].into_iter().chain(layers);
    columns.chain(NAMES.into_iter().skip(1).zip(others)).collect()
}
