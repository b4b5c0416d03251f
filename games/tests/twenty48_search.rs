//! What searches find of 2048 for points, whose moves have rewards, against OpenSpiel.

use crate::erased::Foreseeing;
use crate::known_game::searcher_by;
use serde_json::Value;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind};
use starsplit::score::Score;
use starsplit::search::{Algorithm, Limits};
use starsplit_games::KnownGame;
use starsplit_games::twenty48::{INFO, Position, Twenty48};

fn searched(
    game: &Twenty48,
    evaluator: Foreseeing<Twenty48>,
    position: &Position,
    depth: u32,
    algorithm: Algorithm,
) -> Score {
    let searcher = searcher_by(game, evaluator, depth, algorithm);
    let found = searcher.search(position).unwrap().bounds;
    assert!(found.is_exact());
    // What is scored on the way and what the boards at the end are worth add up to it.
    let write = |leaf: &Position, worth: &mut [f64]| {
        worth[0] = if game.kind(leaf) == NodeKind::Terminal {
            f64::from(game.terminal_score(leaf))
        } else {
            let evaluator = searcher.evaluator();
            f64::from(evaluator.evaluate(game, leaf, &evaluator.state(game, leaf, None)))
        };
    };
    let means =
        searcher.request(position).limits(Limits::depth(depth)).expectation(1, write).unwrap().unwrap();
    let mean = means.payload[0] + means.rewards / game.facts().grid.difference(1);
    let most_off = 0.5 * f64::from(depth.div_ceil(2) + 1);
    assert!((mean - f64::from(found.lower)).abs() <= most_off, "{means:?}, not {}", found.lower);
    found.lower
}

#[test]
fn searches_find_the_values_of_open_spiel() {
    let oracle: Value = serde_json::from_str(include_str!("../oracles/2048.json")).unwrap();
    let values = oracle["values"].as_array().unwrap();
    assert!(values.len() >= 20);
    for entry in values {
        let game = Twenty48::open(&INFO, &format!("end={}", entry["end"])).unwrap();
        let position = game.parse(entry["position"].as_str().unwrap()).unwrap();
        let (depth, name) = (entry["depth"].as_u64().unwrap() as u32, entry["evaluator"].as_str().unwrap());
        let found = [Algorithm::Expectimax, Algorithm::Star1, Algorithm::Star2, Algorithm::Star2Tt].map(
            |algorithm| {
                let evaluator = Foreseeing::named(&game, name, 0).unwrap();
                searched(&game, evaluator, &position, depth, algorithm)
            },
        );
        assert_eq!(found, [found[0]; 4], "{entry}");
        // Each chance node, of which a line has one every other ply, is rounded to the nearest step.
        let most_off = 0.5 * f64::from(depth.div_ceil(2)) + 1e-6;
        let steps_a_point = f64::from(game.facts().grid.limit()) / game.facts().grid.range().1;
        let expected = entry["value"].as_f64().unwrap() * steps_a_point;
        assert!(
            (f64::from(found[0]) - expected).abs() <= most_off,
            "{found:?} steps, {expected} for {entry}"
        );
    }
}
