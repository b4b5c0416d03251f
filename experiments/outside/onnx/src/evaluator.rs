//! Backgammon's perceptron as an evaluator that a library for models in ONNX runs.

use crate::onnx::{layers, model};
use crate::prepared::Prepared;
use anyhow::{Context, Result};
use starsplit::evaluator::{
    Abilities, Before, EvaluationCost, EvaluationError, Evaluator, EvaluatorFacts, mix64,
};
use starsplit::game::Game;
use starsplit::score::{NOT_A_NUMBER, Score};
use starsplit_games::backgammon::mlp::Weights;
use starsplit_games::backgammon::network::{HIDDEN, OUTPUTS};
use starsplit_games::backgammon::{Backgammon, Position};
use starsplit_games::network::NetworkGame;

/// The trained weights, as `mlp` has them.
pub const TRAINED: &[u8] = include_bytes!("../../../../games/weights/backgammon-mlp.safetensors");

/// The perceptron, run by tract. Nothing is carried along moves: each evaluation makes its inputs anew.
///
/// `mlp` rounds the weights of its first layer to integers; the model has them as they are. So evaluations
/// are close to those of `mlp`, not the same.
#[derive(Clone, Debug)]
pub struct OnnxMlp {
    bytes: Vec<u8>,
    model: Prepared,
    width: usize,
    identity: u64,
}

impl OnnxMlp {
    /// The trained perceptron for backgammon scored by points.
    ///
    /// # Errors
    /// When the weights do not fit the game, or tract cannot run the model.
    pub fn trained(game: &Backgammon) -> Result<Self> {
        let weights = Weights::from_bytes(game, TRAINED).context("the trained weights")?;
        let width = weights.columns.len();
        let onnx = model(&layers(&weights), None);
        let model = Prepared::read(&onnx, width)?;
        // Bits of another machine may be others: those of one evaluation are in the identity.
        let sample = model.run(&row(game, width, &game.initial()))?;
        let bytes = onnx.chunks(8).map(|bytes| bytes.iter().fold(0, |all, &byte| all << 8 | u64::from(byte)));
        let numbers = bytes.chain(sample.iter().map(|value| u64::from(value.to_bits())));
        let identity = numbers.fold(0x6f6e_6e78, |hash, number| mix64(hash ^ number).wrapping_add(1));
        Ok(OnnxMlp { bytes: onnx, model, width, identity })
    }

    /// The model as a file in ONNX.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many inputs it has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The model itself.
    pub fn model(&self) -> &Prepared {
        &self.model
    }

    /// The inputs of a position, as its player sees it.
    pub fn row(&self, game: &Backgammon, position: &Position) -> Vec<f32> {
        row(game, self.width, position)
    }
}

fn row(game: &Backgammon, width: usize, position: &Position) -> Vec<f32> {
    let mut row = vec![0.0; width];
    let player = game.player(position);
    NetworkGame::<HIDDEN, OUTPUTS>::inputs(game, position, player, |input, count| {
        row[input] += f32::from(count)
    });
    row
}

impl Evaluator<Backgammon> for OnnxMlp {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.ignoring_outcomes().with_batches(true);

    /// As measured with AVX2: 31 microseconds alone, 9 to 10 in batches of 64.
    fn facts(&self, _: &Backgammon) -> EvaluatorFacts {
        EvaluatorFacts::new(self.identity)
            .saturating(true)
            .with_cost(EvaluationCost { fixed_ns: 22_000, each_ns: 9_000 })
    }

    fn state(&self, _: &Backgammon, _: &Position, _: Option<Before<'_, Backgammon, ()>>) {}

    /// # Panics
    /// When tract fails: one evaluation has no other way to say so.
    fn evaluate(&self, game: &Backgammon, position: &Position, state: &()) -> Score {
        let mut score = [0];
        let made = self.evaluate_many(game, &[(position, state)], &mut score);
        made.unwrap_or_else(|error| panic!("{error}"));
        score[0]
    }

    fn evaluate_many(
        &self,
        game: &Backgammon,
        nodes: &[(&Position, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        let rows: Vec<f32> = nodes.iter().flat_map(|(position, ())| self.row(game, position)).collect();
        let values = self.model.run(&rows).map_err(|error| EvaluationError::new(format!("{error:#}")))?;
        if values.len() != nodes.len() {
            return Err(EvaluationError::new(format!(
                "{} values of {} positions",
                values.len(),
                nodes.len()
            )));
        }
        let limit = game.facts().grid.limit();
        for ((score, value), (position, ())) in scores.iter_mut().zip(values).zip(nodes) {
            // Short of the ends, which only a finished game reaches.
            let on_the_grid = ((value * limit as f32) as Score).clamp(1 - limit, limit - 1);
            let is_even = NetworkGame::<HIDDEN, OUTPUTS>::is_even(game, position);
            // Cast to an integer, what is not a number would be the middle.
            *score = match is_even {
                true => 0,
                false if value.is_nan() => NOT_A_NUMBER,
                false => on_the_grid,
            };
        }
        Ok(())
    }
}
