use super::*;
use crate::KnownGame;
use crate::backgammon::{HYPER_INFO, INFO, Scoring, Variant};
use rand_core::Rng;
use rand_pcg::Pcg32;
use starsplit::game::NodeKind;
use starsplit_testkit::{Plays, check_evaluator};

fn standard() -> Backgammon {
    Backgammon::new(Variant::Backgammon, Scoring::Points)
}

/// Evaluations by the same weights, with wide registers where there are some and as if there were none.
fn both(game: &Backgammon, weights: &Weights) -> [Mlp; 2] {
    [Wide::detect(), Wide::none()].map(|wide| Mlp::with_registers(game, weights, wide).unwrap())
}

/// The unfinished positions of random games.
fn positions(game: &Backgammon, games: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for number in 0..games {
        let mut random = Pcg32::new(number, 7);
        let mut below = |limit: usize| random.next_u32() as usize % limit;
        let mut position = game.initial();
        loop {
            let (mut outcomes, mut moves) = (Vec::new(), Vec::new());
            position = match game.kind(&position) {
                NodeKind::Terminal => break,
                NodeKind::Chance => {
                    game.outcomes(&position, |outcome, _| outcomes.push(outcome));
                    game.resolve(&position, outcomes[below(outcomes.len())])
                }
                NodeKind::Decision => {
                    game.moves(&position, |mv| moves.push(mv));
                    game.play(&position, moves[below(moves.len())])
                }
            };
            if game.kind(&position) != NodeKind::Terminal {
                positions.push(position);
            }
        }
    }
    positions
}

#[test]
fn evaluations_are_functions_of_the_position_with_any_registers() {
    for (variant, scoring) in [(Variant::Backgammon, Scoring::Points), (Variant::Hyper, Scoring::WinLoss)] {
        let game = Backgammon::new(variant, scoring);
        for mlp in both(&game, &Weights::random(&game, 1)) {
            let plays = Plays { games: 1, max_plies: 60, seed: 4 };
            check_evaluator(&game, &mlp, &game.initial(), &plays).unwrap();
        }
    }
}

#[test]
fn batches_of_any_size_give_the_bits_of_single_evaluations_at_any_place() {
    let game = standard();
    let positions = positions(&game, 2);
    for mlp in both(&game, &Weights::random(&game, 2)) {
        let states: Vec<_> = positions.iter().map(|position| mlp.state(&game, position, None)).collect();
        let nodes: Vec<_> = positions.iter().zip(&states).collect();
        let single: Vec<_> =
            nodes.iter().map(|(position, state)| mlp.evaluate(&game, position, state)).collect();
        for count in (1..=70).chain([127, 128, 129, nodes.len()]) {
            let first = (count * 17) % (nodes.len() - count + 1);
            let mut scores = vec![0; count];
            mlp.evaluate_many(&game, &nodes[first..][..count], &mut scores).unwrap();
            assert_eq!(scores, single[first..][..count], "{count} from {first}");
        }
    }
}

#[test]
fn values_are_those_of_a_plain_loop() {
    let game = standard();
    let weights = Weights::random(&game, 3);
    let [mlp, _] = both(&game, &weights);
    for position in positions(&game, 2).into_iter().step_by(7) {
        let player = game.player(&position);
        let mut sums = mlp.0.first.carried(Wide::none(), &game, &position, player);
        mlp.0.first.add_fresh(Wide::none(), &game, &position, player, &mut sums);
        let mut active: Vec<f32> =
            sums.iter().zip(mlp.0.first.steps()).map(|(&s, step)| f32::from(s) * step).collect();
        // The rounded sums are close to those of the floats.
        let mut exact = weights.bias;
        game.inputs(&position, player, |input, count| {
            exact.iter_mut().zip(&weights.columns[input]).for_each(|(sum, w)| *sum += w * f32::from(count));
        });
        assert!(active.iter().zip(exact).all(|(one, other)| (one - other).abs() < 0.02));
        active.iter_mut().for_each(|sum| *sum /= 1.0 + sum.abs());
        for (number, layer) in weights.layers.iter().enumerate() {
            let width = layer.bias.len();
            active = (0..width)
                .map(|unit| {
                    let terms = active.iter().zip(layer.weights[unit..].iter().step_by(width));
                    let sum = terms.fold(0.0f32, |sum, (input, weight)| input.mul_add(*weight, sum));
                    let sum = sum + layer.bias[unit];
                    if number == 2 { sum } else { sum / (1.0 + sum.abs()) }
                })
                .collect();
        }
        let found = mlp.evaluate(&game, &position, &mlp.state(&game, &position, None));
        let limit = game.facts().grid.limit();
        let expected = game.within_rules(&position, player, (active[0] * limit as f32) as Score);
        let difference = f64::from(found - expected) / f64::from(limit);
        assert!(game.is_even(&position) || difference.abs() < 1e-6, "{difference}");
    }
}

#[test]
fn a_small_perceptron_gives_what_a_hand_works_out() {
    let game = standard();
    let mut weights = Weights::zero(&game);
    // 1 becomes 1/2; doubled 1, and 1/2 again; times 6, with 1 added, 4, and 4/5; half of it, less 1/10.
    weights.bias[200] = 1.0;
    weights.layers[0].weights[200 * SECOND + 100] = 2.0;
    weights.layers[1].weights[100 * THIRD + 50] = 6.0;
    weights.layers[1].bias[50] = 1.0;
    weights.layers[2].weights[50] = 0.5;
    weights.layers[2].bias[0] = -0.1;
    let position = positions(&game, 1)[9];
    for mlp in both(&game, &weights) {
        let score = mlp.evaluate(&game, &position, &mlp.state(&game, &position, None));
        assert!((f64::from(score) / f64::from(game.facts().grid.limit()) - 0.3).abs() < 1e-6, "{score}");
    }
    weights.layers[2].bias[0] = 7.0;
    for (sign, limit) in [(1.0, game.facts().grid.limit() - 1), (-1.0, 1 - game.facts().grid.limit())] {
        weights.layers[2].bias[0] = sign * 7.0;
        let mlp = Mlp::new(&game, &weights).unwrap();
        assert_eq!(mlp.evaluate(&game, &position, &mlp.state(&game, &position, None)), limit);
        let start = game.initial();
        assert_eq!(
            mlp.evaluate(&game, &start, &mlp.state(&game, &start, None)),
            0,
            "both are about to begin"
        );
    }
}

#[test]
fn both_players_see_themselves_as_the_first() {
    let game = standard();
    let mlp = Mlp::new(&game, &Weights::random(&game, 4)).unwrap();
    for position in positions(&game, 2) {
        let mirrored = game.mirror(&position).unwrap();
        let [state, other] = [&position, &mirrored].map(|position| mlp.state(&game, position, None));
        assert_eq!(state.0[0], other.0[1]);
        assert_eq!(state.0[1], other.0[0]);
        assert_eq!(mlp.evaluate(&game, &position, &state), mlp.evaluate(&game, &mirrored, &other));
    }
}

#[test]
fn identities_differ_with_any_weight() {
    let game = standard();
    let weights = Weights::random(&game, 5);
    let identity = |weights: &Weights| Mlp::new(&game, weights).unwrap().facts(&game).identity;
    let mut seen = vec![identity(&weights)];
    assert_eq!(seen[0], identity(&weights.clone()));
    let places = weights.parts().len();
    for part in 0..places {
        let mut other = weights.clone();
        let weights = &mut other.parts_mut()[part];
        let middle = weights.len() / 2;
        weights[middle] += 0.01;
        seen.push(identity(&other));
    }
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), places + 1);
}

#[test]
fn files_hold_the_weights_exactly_and_for_their_rules() {
    let game = standard();
    let weights = Weights::random(&game, 6);
    assert!(weights.count() >= 100_000);
    let bytes = weights.to_bytes(&game).unwrap();
    assert_eq!(Weights::from_bytes(&game, &bytes).unwrap(), weights);
    assert!(weights.to_bytes(&game).unwrap() == bytes);
    for (variant, scoring) in [(Variant::Hyper, Scoring::Points), (Variant::Backgammon, Scoring::WinLoss)] {
        let other = Backgammon::new(variant, scoring);
        let told = Weights::from_bytes(&other, &bytes).unwrap_err().to_string();
        assert!(
            told.contains("expected some for backgammon with variant=") && told.lines().count() == 1,
            "{told}"
        );
    }
    for length in [0, 7, 100, bytes.len() - 1] {
        assert!(matches!(Weights::from_bytes(&game, &bytes[..length]), Err(NetworkError::File { .. })));
    }
}

#[test]
fn other_shapes_and_numbers_are_refused() {
    let game = standard();
    let weights = Weights::random(&game, 6);
    let mut short = weights.clone();
    short.layers[1].weights.pop();
    assert!(matches!(Mlp::new(&game, &short), Err(NetworkError::Shape { name: "third", .. })));
    let mut infinite = weights.clone();
    infinite.layers[2].bias[0] = f32::INFINITY;
    assert!(matches!(infinite.to_bytes(&game), Err(NetworkError::NotFinite { name: "output_bias", .. })));
    // The small network's file is one of other tensors for the same game.
    let small = game.trained().unwrap();
    let told = Weights::from_bytes(&game, small).unwrap_err().to_string();
    assert!(told.contains("expected some for backgammon"), "{told}");
    let bytes = weights.to_bytes(&game).unwrap();
    let renamed = replaced(&bytes, b"\"third_bias\"", b"\"other_bias\"");
    assert_eq!(Weights::from_bytes(&game, &renamed), Err(NetworkError::Missing { name: "third_bias" }));
    let reshaped = replaced(&bytes, b"[256,64]", b"[64,256]");
    assert!(matches!(Weights::from_bytes(&game, &reshaped), Err(NetworkError::Shape { name: "third", .. })));
}

/// The bytes with one of these texts in the place of the first other.
fn replaced(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let place = bytes.windows(old.len()).position(|window| window == old).expect("it is there");
    [&bytes[..place], new, &bytes[place + old.len()..]].concat()
}

#[test]
fn weights_that_could_overflow_are_refused_until_confined() {
    let game = standard();
    let small = Weights::random(&game, 7);
    for size in [100.0, 1e6] {
        let mut weights = small.clone();
        weights.columns.as_flattened_mut().iter_mut().for_each(|weight| *weight *= size);
        assert!(matches!(Mlp::new(&game, &weights), Err(NetworkError::TooLarge { .. })));
        Mlp::confine(&game, &mut weights);
        assert!(Mlp::new(&game, &weights).is_ok(), "{size}");
    }
    let mut confined = small.clone();
    Mlp::confine(&game, &mut confined);
    assert_eq!(confined, small);
}

#[test]
fn names_are_those_of_the_trained_one_and_of_files() {
    let game = standard();
    assert_ne!(named(&game, "mlp").unwrap().facts(&game).identity, 0);
    let told = |game: &Backgammon, name| named(game, name).map(|_| ()).unwrap_err().to_string();
    for bad in ["mlp:", "mlp:no/such/file", "mlps", "network"] {
        let told = told(&game, bad);
        assert!(told.contains("expected") && told.lines().count() == 1, "{bad}: {told}");
    }
    assert!(
        told(&game, "mlp:no/such/file").starts_with("weights file no/such/file: expected a readable file")
    );
    for (info, rules) in [(&HYPER_INFO, ""), (&INFO, "scoring=winloss")] {
        let game = Backgammon::open(info, rules).unwrap();
        let told = told(&game, "mlp");
        assert!(told.starts_with("evaluator mlp: expected rules that it was trained for"), "{told}");
        assert!(game.evaluators().iter().all(|found| found.name != "mlp"));
    }
    assert!(game.evaluators().iter().any(|found| found.name == "mlp"));
}

#[test]
fn the_file_that_comes_with_the_library_is_small_and_no_random_one() {
    let game = standard();
    assert!(named::TRAINED.len() <= 2 << 20);
    let weights = Weights::from_bytes(&game, named::TRAINED).unwrap();
    assert!(weights.to_bytes(&game).unwrap() == named::TRAINED, "as teach writes it");
    // Close to the small network on the whole, which was its first teacher.
    let (mlp, small) = (named(&game, "mlp").unwrap(), crate::network::trained(&game).unwrap());
    let positions = positions(&game, 4);
    let limit = f64::from(game.facts().grid.limit());
    let squares = positions.iter().map(|position| {
        let one = mlp.evaluate(&game, position, &mlp.state(&game, position, None));
        let other = small.evaluate(&game, position, &small.state(&game, position, None));
        (f64::from(one - other) / limit).powi(2)
    });
    let rmse = (squares.sum::<f64>() / positions.len() as f64).sqrt();
    assert!(rmse < 0.1, "{rmse}");
}

#[test]
fn what_is_not_a_number_is_no_score_of_the_middle() {
    let game = standard();
    let position = game.initial();
    let score = super::on_the_grid(&game, &position, f32::NAN);
    assert_eq!(score, starsplit::unstable::NOT_A_NUMBER);
    assert_eq!(super::on_the_grid(&game, &position, 0.0), 0);
}
