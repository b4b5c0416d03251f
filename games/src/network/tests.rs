use super::{NetworkError, NetworkGame, NetworkVisitor, Weights, open, value};
use crate::GameInfo;
use rand_core::Rng;
use rand_pcg::Pcg32;
use starsplit::evaluator::Evaluator;
use starsplit::game::NodeKind;
use starsplit_testkit::{Plays, check_evaluator};

/// Every game with a network, under rules that differ in the shape of its inputs.
const GAMES: [(&str, &str); 6] = [
    ("dice", "size=4,run=3"),
    ("backgammon", "scoring=points"),
    ("backgammon", "scoring=winloss"),
    ("hyper-backgammon", "scoring=points"),
    ("einstein", "size=5,stones=6"),
    ("einstein", "size=4,stones=3"),
];

fn each<V: NetworkVisitor<Output = ()> + Copy>(visitor: V) {
    for (game, rules) in GAMES {
        open(game, Some(rules), visitor).unwrap();
    }
}

/// Weights between `-size` and `size`, evenly spread.
fn random_weights<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    game: &G,
    seed: u64,
    size: f32,
) -> Weights<H, O> {
    let mut random = Pcg32::new(seed, 1);
    let mut weights = Weights::zero(game.shape());
    for weight in weights.parts_mut().into_iter().flatten() {
        *weight = ((random.next_u32() >> 8) as f32 / (1 << 23) as f32 - 1.0) * size;
    }
    weights
}

/// The unfinished positions of a random game.
fn unfinished<G: NetworkGame<H, O>, const H: usize, const O: usize>(game: &G, seed: u64) -> Vec<G::Position> {
    let mut random = Pcg32::new(seed, 2);
    let mut below = |limit: usize| random.next_u32() as usize % limit;
    let mut positions = vec![game.initial()];
    loop {
        let position = &positions[positions.len() - 1];
        let next = match game.kind(position) {
            NodeKind::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(position, |outcome, _| outcomes.push(outcome));
                game.resolve(position, outcomes[below(outcomes.len())])
            }
            _ => {
                let mut moves = Vec::new();
                game.moves(position, |mv| moves.push(mv));
                game.play(position, moves[below(moves.len())])
            }
        };
        if game.kind(&next) == NodeKind::Terminal {
            return positions;
        }
        positions.push(next);
    }
}

/// A visitor that does `$body` with a game, and with its hidden units and outputs as `H` and `O`.
macro_rules! visitor {
    ($name:ident, |$game:ident| $body:block) => {
        #[derive(Clone, Copy)]
        struct $name;

        impl NetworkVisitor for $name {
            type Output = ();

            fn visit<G: NetworkGame<H, O>, const H: usize, const O: usize>(
                self,
                _: &'static GameInfo,
                $game: G,
            ) $body
        }
    };
}

#[test]
fn carried_sums_evaluate_as_those_computed_anew() {
    visitor!(Check, |game| {
        let network = game.network(&random_weights(&game, 1, 0.1)).unwrap();
        let plays = Plays { games: 4, max_plies: 200, seed: 3 };
        check_evaluator(&game, &network, &game.initial(), &plays).unwrap();
    });
    each(Check);
}

#[test]
fn integers_agree_with_floats() {
    visitor!(Check, |game| {
        let limit = game.facts().grid.limit();
        for (seed, size) in [(1, 0.01), (2, 0.05), (3, 0.2)] {
            let weights = random_weights(&game, seed, size);
            let network = game.network(&weights).unwrap();
            for position in unfinished(&game, seed) {
                let float = f64::from(weights.value(&game, &position));
                let score = network.evaluate(&game, &position, &network.state(&game, &position, None));
                let error = (f64::from(score) / f64::from(limit) - float).abs();
                let is_close = error <= greatest_error(&game, &position, &weights);
                assert!(is_close || game.is_even(&position), "{} {error}", game.rules());
                assert!(score.abs() < limit);
            }
        }
    });
    each(Check);
}

/// How far rounding may move a value: every weight by half a unit of the coarsest scale, the activations by
/// their steepest slope of 1.5 and by four units.
fn greatest_error<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    game: &G,
    position: &G::Position,
    weights: &Weights<H, O>,
) -> f64 {
    let mut inputs_seen = 1.0;
    game.inputs(position, game.player(position), |_, count| inputs_seen += f64::from(count.abs()));
    let hidden = inputs_seen * 1.5 / 512.0 + 4.0 / 16384.0;
    let limit = f64::from(game.facts().grid.limit());
    let errors = weights.output.iter().zip(game.worth()).map(|(weights, worth)| {
        let output: f64 = weights.iter().map(|w| f64::from(w.abs()) * hidden + 1.0 / 512.0).sum();
        1.5 * (output + 1.0 / 512.0) * f64::from(worth.abs()) / limit
    });
    errors.sum::<f64>() + 1e-5
}

#[test]
fn small_weights_are_rounded_finely() {
    visitor!(Check, |game| {
        let weights = random_weights(&game, 4, 0.02);
        let network = game.network(&weights).unwrap();
        for position in unfinished(&game, 4) {
            let float = f64::from(weights.value(&game, &position));
            let score = network.evaluate(&game, &position, &network.state(&game, &position, None));
            let error = f64::from(score) / f64::from(game.facts().grid.limit()) - float;
            assert!(game.is_even(&position) || error.abs() < 0.01, "{} {error}", game.rules());
        }
    });
    each(Check);
}

#[test]
fn files_hold_the_weights_exactly_and_for_their_rules() {
    visitor!(Check, |game| {
        let weights = random_weights(&game, 1, 0.1);
        let bytes = weights.to_bytes().unwrap();
        assert_eq!(Weights::from_bytes(game.shape(), &bytes).unwrap(), weights);
        let mut other = game.shape();
        other.rules.push('0');
        let refused = Weights::<H, O>::from_bytes(other, &bytes).unwrap_err().to_string();
        assert!(refused.contains("expected some for") && refused.lines().count() == 1, "{refused}");
        assert!(Weights::<H, O>::from_bytes(game.shape(), &bytes[..bytes.len() - 1]).is_err());
    });
    each(Check);
}

#[test]
fn weights_that_could_overflow_are_refused_until_confined() {
    visitor!(Check, |game| {
        for size in [100.0, 1e6, f32::MAX / 1e5] {
            let mut weights = random_weights(&game, 3, size);
            assert!(matches!(game.network(&weights), Err(NetworkError::TooLarge { .. })));
            game.confine(&mut weights);
            assert!(game.network(&weights).is_ok(), "{} {size}", game.rules());
        }
        let small = random_weights(&game, 3, 0.1);
        let mut confined = small.clone();
        game.confine(&mut confined);
        assert_eq!(confined, small);
    });
    each(Check);
}

#[test]
fn identities_differ_with_any_weight() {
    visitor!(Check, |game| {
        let weights = random_weights(&game, 1, 0.1);
        let identity = |weights: &Weights<H, O>| game.network(weights).unwrap().facts(&game).identity;
        let mut seen = vec![identity(&weights)];
        let count: usize = weights.parts().iter().map(|part| part.len()).sum();
        for number in (0..count - 1).step_by(count / 20).chain([count - 1]) {
            let mut other = weights.clone();
            other.parts_mut().into_iter().flatten().skip(number).take(1).for_each(|weight| *weight += 0.01);
            seen.push(identity(&other));
        }
        let count = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), count);
    });
    each(Check);
}

#[test]
fn outputs_of_finished_games_are_worth_their_scores() {
    visitor!(Check, |game| {
        for seed in 0..20 {
            let mut last = None;
            let positions = unfinished(&game, seed);
            game.moves(&positions[positions.len() - 1], |mv| {
                let after = game.play(&positions[positions.len() - 1], mv);
                last = Some(after).filter(|after| game.kind(after) == NodeKind::Terminal).or(last.take());
            });
            let end = last.expect("the game ended after this position");
            let outputs = game.result(&end);
            let score = f64::from(value(&game, outputs)) * f64::from(game.facts().grid.limit());
            assert!((score - f64::from(game.terminal_score(&end))).abs() < 2.0, "{score}");
            assert_eq!(G::flipped(G::flipped(outputs)), outputs);
            assert!((value(&game, G::flipped(outputs)) + value(&game, outputs)).abs() < 1e-6);
        }
    });
    each(Check);
}

#[test]
fn trained_weights_load_and_learned_something() {
    visitor!(Check, |game| {
        let Some(bytes) = game.trained() else { return };
        let weights = Weights::<H, O>::from_bytes(game.shape(), bytes).unwrap();
        let network = game.network(&weights).unwrap();
        let positions = unfinished(&game, 1);
        let scores = positions.iter().map(|p| network.evaluate(&game, p, &network.state(&game, p, None)));
        assert!(scores.map(i32::abs).max() > Some(game.facts().grid.limit() / 20));
    });
    each(Check);
    open("dice", None, Check).unwrap();
}

#[test]
fn other_games_have_no_network() {
    visitor!(Check, |game| {
        assert_ne!(game.rules(), "");
    });
    let refused = open("pig", None, Check).unwrap_err().to_string();
    assert!(refused.starts_with("game pig: expected dice or"), "{refused}");
}
