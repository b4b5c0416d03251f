//! Gradients of a network's outputs, and sums of them.

use starsplit_games::network::{Forward, NetworkGame, Weights, activation};

/// The least slope that learning gives an activation, so that a unit beyond the flat ends can come back.
const LEAST_SLOPE: f32 = 0.1;

/// Adds the gradient of the outputs' sum, each `factors` times, to `sum`; `forward` is what `weights` make of
/// `position`, told as its player sees it.
pub(super) fn add_gradient<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    sum: &mut Weights<H, O>,
    weights: &Weights<H, O>,
    game: &G,
    position: &G::Position,
    forward: &Forward<H, O>,
    factors: [f32; O],
) {
    let outputs: [f32; O] = std::array::from_fn(|k| factors[k] * slope(forward.sums[k]));
    let active = forward.hidden.map(activation);
    let mut hidden = [0.0; H];
    for ((&output, weights), sum) in outputs.iter().zip(&weights.output).zip(&mut sum.output) {
        for unit in 0..H {
            hidden[unit] += output * weights[unit];
            sum[unit] += output * active[unit];
        }
    }
    for (hidden, &reached) in hidden.iter_mut().zip(&forward.hidden) {
        *hidden *= slope(reached);
    }
    for (sum, hidden) in sum.hidden_bias.iter_mut().zip(&hidden) {
        *sum += hidden;
    }
    for (sum, output) in sum.output_bias.iter_mut().zip(outputs) {
        *sum += output;
    }
    game.inputs(position, game.player(position), |input, count| {
        let count = f32::from(count);
        for (sum, hidden) in sum.columns[input].iter_mut().zip(&hidden) {
            *sum += hidden * count;
        }
    });
}

fn slope(sum: f32) -> f32 {
    let inside = sum.clamp(-1.0, 1.0);
    (1.5 * (1.0 - inside * inside)).max(LEAST_SLOPE)
}

/// Multiplies every weight by `factor`.
pub(super) fn scale<const H: usize, const O: usize>(weights: &mut Weights<H, O>, factor: f32) {
    weights.parts_mut().into_iter().flatten().for_each(|weight| *weight *= factor);
}

/// Adds `factor` times `other` to `sum`.
pub(super) fn add_scaled<const H: usize, const O: usize>(
    sum: &mut Weights<H, O>,
    other: &Weights<H, O>,
    factor: f32,
) {
    for (sum, other) in sum.parts_mut().into_iter().zip(other.parts()) {
        sum.iter_mut().zip(other).for_each(|(sum, other)| *sum += factor * other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play;
    use starsplit_games::network::NetworkVisitor;
    use starsplit_games::{GameInfo, network};

    struct FiniteDifferences;

    impl NetworkVisitor for FiniteDifferences {
        type Output = ();

        fn visit<G: NetworkGame<H, O>, const H: usize, const O: usize>(self, info: &GameInfo, game: G) {
            let mut weights = Weights::<H, O>::zero(game.shape());
            // Inside the flat ends, where learning's slope is the true one.
            for (i, weight) in weights.parts_mut().into_iter().flatten().enumerate() {
                *weight = 0.1 * G::START * ((7 * i % 11) as f32 - 5.0);
            }
            let factors = std::array::from_fn(|k| 1.0 - 0.4 * k as f32);
            let any = |position: &_, random: &mut _| play::random_move(&game, position, random);
            let played = play::game(&game, any, &mut play::stream(3, 0));
            for position in &played[2..4] {
                let forward = weights.forward(&game, position);
                let mut gradient = Weights::zero(game.shape());
                add_gradient(&mut gradient, &weights, &game, position, &forward, factors);
                let mut sums = forward.sums.iter().chain(&forward.hidden);
                assert!(sums.all(|sum| sum.abs() < 0.95), "{}: {forward:?}", info.name);
                let found: Vec<f32> = gradient.parts().into_iter().flatten().copied().collect();
                for (i, found) in found.into_iter().enumerate().step_by(1 + weights.columns.len() / 40) {
                    let moved = [0.005, -0.005].map(|step| {
                        let mut moved = weights.clone();
                        moved.parts_mut().into_iter().flatten().skip(i).take(1).for_each(|w| *w += step);
                        let outputs = moved.forward(&game, position).outputs;
                        outputs.iter().zip(factors).map(|(output, factor)| output * factor).sum::<f32>()
                    });
                    let difference = (moved[0] - moved[1]) / 0.01;
                    let is_close = (difference - found).abs() < 4e-3 * (1.0 + found.abs());
                    assert!(is_close, "{} {i}: {difference} {found}", info.name);
                }
            }
        }
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        for (game, rules) in [("dice", Some("size=4,run=3")), ("backgammon", None), ("einstein", None)] {
            network::open(game, rules, FiniteDifferences).unwrap();
        }
    }
}
