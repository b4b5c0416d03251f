//! Gradients of the network's value, and sums of them.

use starsplit::game::Player;
use starsplit_games::dice::network::{Forward, HIDDEN, Weights, activation, inputs};
use starsplit_games::dice::{Dice, Position};

/// The least slope that learning gives an activation, so that a unit beyond the flat ends can come back.
const LEAST_SLOPE: f32 = 0.1;

/// 1 where the first player is to act, -1 where the second is.
pub(super) fn sign(position: &Position) -> f32 {
    match position.to_act() {
        Player::Max => 1.0,
        Player::Min => -1.0,
    }
}

/// Adds the gradient of the first player's value of `position` to `sum`; `forward` is what `weights` make of
/// it.
pub(super) fn add_gradient(
    sum: &mut Weights,
    weights: &Weights,
    dice: &Dice,
    position: &Position,
    forward: &Forward,
) {
    let output = sign(position) * slope(forward.output);
    let hidden: [f32; HIDDEN] =
        std::array::from_fn(|unit| output * weights.output[unit] * slope(forward.hidden[unit]));
    for (unit, reached) in forward.hidden.into_iter().enumerate() {
        sum.output[unit] += output * activation(reached);
        sum.hidden_bias[unit] += hidden[unit];
    }
    sum.output_bias += output;
    inputs(dice, position, position.to_act(), |input, count| {
        for (sum, hidden) in sum.columns[input].iter_mut().zip(hidden) {
            *sum += hidden * f32::from(count);
        }
    });
}

fn slope(sum: f32) -> f32 {
    let inside = sum.clamp(-1.0, 1.0);
    (1.5 * (1.0 - inside * inside)).max(LEAST_SLOPE)
}

/// All weights, in a fixed order.
pub(super) fn parameters(weights: &mut Weights) -> impl Iterator<Item = &mut f32> {
    let columns = weights.columns.as_flattened_mut().iter_mut();
    columns.chain(&mut weights.hidden_bias).chain(&mut weights.output).chain([&mut weights.output_bias])
}

/// Multiplies every weight by `factor`.
pub(super) fn scale(weights: &mut Weights, factor: f32) {
    weights.columns.as_flattened_mut().iter_mut().for_each(|weight| *weight *= factor);
    weights.hidden_bias.iter_mut().chain(&mut weights.output).for_each(|weight| *weight *= factor);
    weights.output_bias *= factor;
}

/// Adds `factor` times `other` to `sum`.
pub(super) fn add_scaled(sum: &mut Weights, other: &Weights, factor: f32) {
    let columns = sum.columns.as_flattened_mut().iter_mut().zip(other.columns.as_flattened());
    let hidden = sum.hidden_bias.iter_mut().zip(&other.hidden_bias);
    let output = sum.output.iter_mut().zip(&other.output);
    columns.chain(hidden).chain(output).for_each(|(sum, other)| *sum += factor * other);
    sum.output_bias += factor * other.output_bias;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::play;

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let dice = Dice::new("size=4,run=3".parse().unwrap());
        let mut weights = Weights::zero(dice.rules());
        // Inside the flat ends, where learning's slope is the true one.
        for (i, weight) in parameters(&mut weights).enumerate() {
            *weight = 0.02 * ((7 * i % 11) as f32 - 5.0);
        }
        let played = play::game(&dice, [&play::Uniform, &play::Uniform], &mut play::stream(3, 0));
        for position in &played[..5] {
            let value = |weights: &Weights| sign(position) * weights.forward(&dice, position).value;
            let mut gradient = Weights::zero(dice.rules());
            add_gradient(&mut gradient, &weights, &dice, position, &weights.forward(&dice, position));
            for (i, &mut found) in parameters(&mut gradient).enumerate() {
                let moved = [0.01, -0.01].map(|step| {
                    let mut moved = weights.clone();
                    parameters(&mut moved).skip(i).take(1).for_each(|weight| *weight += step);
                    value(&moved)
                });
                assert!(((moved[0] - moved[1]) / 0.02 - found).abs() < 2e-3, "{i}: {moved:?} {found}");
            }
        }
    }
}
