//! Pig: its rules, notation and evaluators, against OpenSpiel and against values found elsewhere.

use crate::known_game;
use serde_json::Value;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, Player, Texts};
use starsplit_games::pig::{INFO, Pig, Position};
use starsplit_games::{EvaluatorVisitor, KnownGame};
use starsplit_testkit::Plays;
use std::collections::HashMap;
use std::fmt::Debug;

fn open(rules: &str) -> Pig {
    Pig::open(&INFO, rules).unwrap()
}

#[test]
fn contracts_are_kept() {
    let check = |rules, start, plays| known_game::check_contracts::<Pig>(&INFO, rules, start, plays);
    let ended = check("target=10", "0 0 0 x", Plays::default());
    assert!(ended > 90, "{ended}");
    check("target=100", "23 40 7 x", Plays::default());
    check("target=2,die=2", "0 0 0 o roll", Plays::default());
    check("target=10000,die=100", "9998 9999 0 o", Plays { games: 20, ..Plays::default() });
}

#[test]
fn counts_and_values_are_those_of_open_spiel() {
    known_game::check_oracle::<Pig>(&INFO, include_str!("../oracles/pig.json"));
}

#[test]
fn values_by_decisions_are_those_of_open_spiel() {
    let oracle: Value = serde_json::from_str(include_str!("../oracles/pig.json")).unwrap();
    let entries = oracle["decision_depth_values"].as_array().unwrap();
    for entry in entries {
        let (pig, position, depth) = known_game::asked::<Pig>(&INFO, entry);
        let find = ByDecisions { pig: &pig, position: &position, depth };
        let (value, leaves) = pig.visit_evaluator(entry["evaluator"].as_str().unwrap(), 1, find).unwrap();
        assert_eq!(Some(leaves), entry["leaves"].as_u64(), "{entry}");
        assert!((value - entry["value"].as_f64().unwrap()).abs() < 1e-6, "{value}: {entry}");
    }
    let told = |entry: &Value, target: f64| entry["value"].as_f64().unwrap() * target;
    // Told by OpenSpiel's own tests: two moves ahead, what a roll is expected to bank.
    assert!((told(&entries[2], 100.0) - 5.0 / 3.0).abs() < 1e-12);
}

/// Searches to a depth at which outcomes take none; counts the evaluations.
struct ByDecisions<'a> {
    pig: &'a Pig,
    position: &'a Position,
    depth: u32,
}

impl EvaluatorVisitor<Pig> for ByDecisions<'_> {
    type Output = (f64, u64);

    fn visit<E: Evaluator<Pig> + Clone + Debug + 'static>(self, evaluator: E) -> (f64, u64) {
        let mut leaves = 0;
        (by_decisions(self.pig, &evaluator, self.position, self.depth, &mut leaves), leaves)
    }
}

fn by_decisions<E: Evaluator<Pig>>(
    pig: &Pig,
    evaluator: &E,
    position: &Position,
    depth: u32,
    leaves: &mut u64,
) -> f64 {
    let for_max =
        |score| pig.facts().grid.value(if pig.player(position) == Player::Max { score } else { -score });
    match pig.kind(position) {
        NodeKind::Terminal => for_max(pig.terminal_score(position)),
        _ if depth == 0 => {
            *leaves += 1;
            for_max(evaluator.evaluate(pig, position, &evaluator.state(pig, position, None)))
        }
        kind => {
            let depth = if kind == NodeKind::Chance { depth } else { depth - 1 };
            let values: Vec<_> = successors(pig, position)
                .iter()
                .map(|after| by_decisions(pig, evaluator, after, depth, leaves))
                .collect();
            backed_up(pig, position, &values)
        }
    }
}

fn successors(pig: &Pig, position: &Position) -> Vec<Position> {
    let mut successors = vec![];
    match pig.kind(position) {
        NodeKind::Terminal => {}
        NodeKind::Decision => pig.moves(position, |mv| successors.push(pig.play(position, mv))),
        NodeKind::Chance => pig.outcomes(position, |pips, _| successors.push(pig.resolve(position, pips))),
    }
    successors
}

/// The value for the first player, from those of the successors; all rolls are equally likely.
fn backed_up(pig: &Pig, position: &Position, values: &[f64]) -> f64 {
    match (pig.kind(position), pig.player(position)) {
        (NodeKind::Chance, _) => values.iter().sum::<f64>() / values.len() as f64,
        (_, Player::Max) => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        (_, Player::Min) => values.iter().copied().fold(f64::INFINITY, f64::min),
    }
}

/// The value of the start when play goes on until somebody wins, by value iteration.
fn value_of_the_start(pig: &Pig) -> f64 {
    let mut positions = vec![pig.initial()];
    let mut numbers = HashMap::from([(pig.hash(&positions[0]), 0)]);
    let mut after = vec![];
    while let Some(&position) = positions.get(after.len()) {
        let mut number_of = |position: Position| {
            *numbers.entry(pig.hash(&position)).or_insert_with(|| {
                positions.push(position);
                positions.len() - 1
            })
        };
        after.push(successors(pig, &position).into_iter().map(&mut number_of).collect::<Vec<_>>());
    }
    let mut values = vec![0.0; positions.len()];
    for _ in 0..10_000 {
        let mut change = 0.0f64;
        // Backwards, for points only grow: what comes later is known better.
        for number in (0..positions.len()).rev() {
            let position = &positions[number];
            let value = if pig.kind(position) == NodeKind::Terminal {
                if pig.player(position) == Player::Min { 1.0 } else { -1.0 }
            } else {
                let known: Vec<_> = after[number].iter().map(|&number| values[number]).collect();
                backed_up(pig, position, &known)
            };
            change = change.max((value - values[number]).abs());
            values[number] = value;
        }
        if change < 1e-13 {
            return values[0];
        }
    }
    panic!("no end of the iteration");
}

#[test]
fn the_best_player_wins_as_often_as_is_known() {
    // The winning probabilities of the first player, by value iteration elsewhere.
    for (rules, known) in [("target=25", 0.588109237294), ("target=50", 0.546150844167)] {
        let value = value_of_the_start(&open(rules));
        assert!((value - (2.0 * known - 1.0)).abs() < 1e-11, "{rules}: {value}");
    }
}

#[test]
fn searches_agree_with_the_definition() {
    let pig = open("target=30,die=4");
    for (text, depth) in [("0 0 0 x", 9), ("24 20 3 o", 10), ("26 27 2 x roll", 11), ("12 28 21 x", 8)] {
        known_game::check_agreement(&pig, &pig.parse(text).unwrap(), depth);
    }
}

#[test]
fn what_is_written_is_read_back() {
    for rules in ["target=25", "target=10000,die=100", "target=9,die=2"] {
        let texts = known_game::check_round_trips(&open(rules), 50);
        assert!(texts.len() > 500, "{rules}");
    }
}

#[test]
fn any_text_is_read_or_refused_in_a_line() {
    let pig = open("target=40");
    let texts = known_game::check_round_trips(&pig, 20);
    known_game::check_mutated_texts(&pig, &INFO, &texts);
}

#[test]
fn positions_that_no_play_leads_to_are_refused() {
    let pig = open("target=20,die=6");
    let refusal = |text: &str| pig.parse(text).unwrap_err().to_string();
    for (text, complaint) in [
        ("20 0 0 x", "banked 20: expected a number of points below 20, not 1"),
        ("0 1 0 x", "banked 1: expected a number of points below 20, not 1"),
        ("5 0 1 x", "turn's total 1: expected a number other than 1 up to 20 after 5 banked"),
        ("5 0 21 x", "turn's total 21: expected a number other than 1 up to 20 after 5 banked"),
        ("0 5 -1 o", "turn's total -1: expected a number other than 1 up to 20 after 5 banked"),
        ("0 5 4 y", "player y: expected x or o"),
        ("0 5 4", "position \"0 5 4\": expected \"23 40 7 x\" or \"23 40 7 x roll\""),
        (
            "5 0 15 x roll",
            "position \"5 0 15 x roll\": expected no roll, for 5 and the turn's total reach 20",
        ),
    ] {
        assert_eq!(refusal(text), complaint);
    }
    assert!(
        pig.parse("5 0 20 x").is_ok() && pig.parse("0 5 20 o").is_ok() && pig.parse("5 0 14 x roll").is_ok()
    );
    assert!(open("target=20,die=2").parse("5 0 3 x").is_err());
}

#[test]
fn rules_are_bounded() {
    assert_eq!(open("").rules(), INFO.default_rules);
    assert_eq!(open(" die=20 , target=7").rules(), "target=7,die=20");
    for bad in ["target=1", "target=10001", "die=1", "die=101", "piglet=1", "target"] {
        assert!(Pig::open(&INFO, bad).is_err(), "{bad}");
    }
}

#[test]
fn a_player_who_has_reached_the_target_holds() {
    let pig = open("target=20");
    let moves = |text: &str| {
        let position = pig.parse(text).unwrap();
        let mut moves = vec![];
        pig.moves(&position, |mv| moves.push(pig.move_text(&position, mv)));
        moves
    };
    assert_eq!(moves("0 9 0 x"), ["roll", "hold"]);
    assert_eq!(moves("0 9 11 o"), ["hold"]);
}

#[test]
fn evaluators_differ_but_for_their_time() {
    let [(first, even), (second, banked), (third, slow)] = known_game::identities::<Pig>(&INFO)[..] else {
        panic!("three evaluators");
    };
    assert_eq!([first, second, third], ["constant", "banked", "slow"]);
    assert!(even != banked && banked == slow);
}
