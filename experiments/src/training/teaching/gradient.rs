//! What some positions have to teach: the gradient of the squared error, over a few at once.

use super::lessons::Lesson;
use starsplit::game::Game;
use starsplit_games::backgammon::Backgammon;
use starsplit_games::backgammon::mlp::{FIRST, Layer, WIDTHS, Weights, softsign};
use starsplit_games::matrix::{Matrix, multiply};
use starsplit_games::network::NetworkGame;

/// The inputs of some positions that are not 0, one position after another.
struct Inputs {
    all: Vec<(usize, f32)>,
    /// Where each position's end.
    ends: Vec<usize>,
}

impl Inputs {
    fn of(game: &Backgammon, lessons: &[&Lesson]) -> Self {
        let (mut all, mut ends) = (Vec::with_capacity(48 * lessons.len()), Vec::new());
        for Lesson { position, .. } in lessons {
            game.inputs(position, game.player(position), |input, count| all.push((input, f32::from(count))));
            ends.push(all.len());
        }
        Inputs { all, ends }
    }

    fn by_position(&self) -> impl Iterator<Item = &[(usize, f32)]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.all[start..end])
    }
}

/// Adds to `sum` the gradient, downwards, of half the squared error of all lessons, and returns the squared
/// error.
pub(super) fn add_gradient(
    sum: &mut Weights,
    weights: &Weights,
    game: &Backgammon,
    lessons: &[&Lesson],
) -> f64 {
    let inputs = Inputs::of(game, lessons);
    let active = activations(weights, &inputs, lessons.len());
    let [.., values] = &active;
    let mut surprises: Vec<f32> =
        values.iter().zip(lessons).map(|(value, lesson)| lesson.value - value).collect();
    let error = surprises.iter().map(|&surprise| f64::from(surprise * surprise)).sum();
    for (number, (layer, sum)) in weights.layers.iter().zip(&mut sum.layers).enumerate().rev() {
        surprises = back_through(layer, sum, &active[number], &surprises);
    }
    let (surprises, _) = surprises.as_chunks::<FIRST>();
    for (inputs, surprises) in inputs.by_position().zip(surprises) {
        sum.bias.iter_mut().zip(surprises).for_each(|(sum, surprise)| *sum += surprise);
        for &(input, count) in inputs {
            let column = &mut sum.columns[input];
            column.iter_mut().zip(surprises).for_each(|(sum, surprise)| *sum += count * surprise);
        }
    }
    error
}

/// What the layers give for each position: the hidden ones' activations and the values.
fn activations(weights: &Weights, inputs: &Inputs, count: usize) -> [Vec<f32>; WIDTHS.len()] {
    let mut active: [Vec<f32>; WIDTHS.len()] = std::array::from_fn(|layer| vec![0.0; count * WIDTHS[layer]]);
    let (first, _) = active[0].as_chunks_mut::<FIRST>();
    for (inputs, sums) in inputs.by_position().zip(first) {
        *sums = weights.bias;
        for &(input, count) in inputs {
            let column = &weights.columns[input];
            sums.iter_mut().zip(column).for_each(|(sum, weight)| *sum += count * weight);
        }
        sums.iter_mut().for_each(|sum| *sum = softsign(*sum));
    }
    for (number, layer) in weights.layers.iter().enumerate() {
        let is_last = number + 2 == WIDTHS.len();
        let (before, after) = active.split_at_mut(number + 1);
        let left = Matrix::rows(&before[number], WIDTHS[number]);
        multiply(&mut after[0], left, Matrix::rows(&layer.weights, WIDTHS[number + 1]), false);
        for sums in after[0].chunks_exact_mut(WIDTHS[number + 1]) {
            for (sum, bias) in sums.iter_mut().zip(&layer.bias) {
                *sum = if is_last { *sum + bias } else { softsign(*sum + bias) };
            }
        }
    }
    active
}

/// Adds to `sum` what the surprises at a layer's outputs want of its weights, and returns the surprises at
/// the sums before the activations that are its inputs.
fn back_through(layer: &Layer, sum: &mut Layer, active: &[f32], surprises: &[f32]) -> Vec<f32> {
    let outputs = layer.bias.len();
    let inputs = layer.weights.len() / outputs;
    let (by_position, weights) = (Matrix::rows(surprises, outputs), Matrix::rows(&layer.weights, outputs));
    multiply(&mut sum.weights, Matrix::rows(active, inputs).transposed(), by_position, true);
    for surprises in surprises.chunks_exact(outputs) {
        sum.bias.iter_mut().zip(surprises).for_each(|(sum, surprise)| *sum += surprise);
    }
    let mut before = vec![0.0; active.len()];
    multiply(&mut before, by_position, weights.transposed(), false);
    for (surprise, active) in before.iter_mut().zip(active) {
        // The slope of the activation, from its value.
        let rest = 1.0 - active.abs();
        *surprise *= rest * rest;
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::play;
    use starsplit_games::backgammon::{Scoring, Variant};

    /// The sum of half the squared errors, in floats of 64 bits.
    fn half_error(weights: &Weights, game: &Backgammon, lessons: &[&Lesson]) -> f64 {
        let mut sum = Weights::zero(game);
        add_gradient(&mut sum, weights, game, lessons) / 2.0
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
        let weights = Weights::random(&game, 1);
        let positions = play::game(&game, [&play::Uniform, &play::Uniform], &mut play::stream(3, 0));
        let lessons: Vec<_> =
            positions[1..6].iter().map(|&position| Lesson { position, value: 0.7 }).collect();
        let lessons: Vec<_> = lessons.iter().collect();
        let mut gradient = Weights::zero(&game);
        add_gradient(&mut gradient, &weights, &game, &lessons);
        for (part, found) in gradient.parts().into_iter().enumerate() {
            for place in (0..found.len()).step_by(1 + found.len() / 9) {
                let moved = [0.01, -0.01].map(|step| {
                    let mut moved = weights.clone();
                    moved.parts_mut()[part][place] += step;
                    half_error(&moved, &game, &lessons)
                });
                let (difference, found) = ((moved[1] - moved[0]) / 0.02, f64::from(found[place]));
                let is_close = (difference - found).abs() < 2e-3 * (1.0 + found.abs());
                assert!(is_close, "part {part}, {place}: {difference} {found}");
            }
        }
    }
}
