//! EinStein würfelt nicht: its rules, notation and evaluators, against OpenSpiel.

use crate::known_game;
use starsplit::game::{Game, NodeKind, Player, Texts};
use starsplit_games::KnownGame;
use starsplit_games::einstein::{Einstein, INFO};
use starsplit_testkit::Plays;

const START: &str = "x1x2x3..../x4x5....../x6......o6/......o5o4/....o3o2o1 x -";

fn open(rules: &str) -> Einstein {
    Einstein::open(&INFO, rules).unwrap()
}

fn moves(game: &Einstein, text: &str) -> Vec<String> {
    let position = game.parse(text).unwrap();
    assert_eq!(game.kind(&position), NodeKind::Decision, "{text}");
    let mut moves = vec![];
    game.moves(&position, |mv| moves.push(game.move_text(&position, mv)));
    moves
}

fn play(game: &Einstein, text: &str, mv: &str) -> <Einstein as Game>::Position {
    let position = game.parse(text).unwrap();
    game.play(&position, game.parse_move(&position, mv).unwrap())
}

#[test]
fn contracts_are_kept() {
    let check =
        |rules, start: &str, plays| known_game::check_contracts::<Einstein>(&INFO, rules, start, plays);
    let few = Plays { games: 5, ..Plays::default() };
    let empty = |size: usize| format!("{} x -", vec!["..".repeat(size); size].join("/"));
    assert_eq!(check("", START, Plays::default()), 100);
    assert_eq!(check("size=3", &empty(3), Plays::default()), 100);
    assert_eq!(check("size=4,stones=6", &empty(4), few), 5);
    assert_eq!(check("size=5,stones=3", &empty(5), Plays::default()), 100);
    assert_eq!(check("size=7,stones=6", &empty(7), few), 5);
}

#[test]
fn counts_and_values_are_those_of_open_spiel() {
    known_game::check_oracle::<Einstein>(&INFO, include_str!("../oracles/einstein.json"));
}

#[test]
fn searches_go_through_set_ups() {
    let game = open("size=4,stones=3");
    known_game::check_agreement(&game, &game.initial(), 5);
    // Two set-ups of 720 outcomes each: then it is the first player's turn, and for the material nothing else
    // counts. The network takes it for even until somebody has moved.
    let game = open("");
    let values = known_game::check_agreement(&game, &game.initial(), 2);
    assert!((values[1] - 6.0 / 64.0).abs() < 1e-6 && values[0] == 0.0 && values[2] == 0.0, "{values:?}");
}

#[test]
fn a_search_to_the_full_depth_sees_every_end() {
    let game = open("size=3");
    for text in ["x1..../..x3o1/....o2 x -", "x1x3../....o1/....o3 o 2"] {
        let position = game.parse(text).unwrap();
        let values = known_game::check_agreement(&game, &position, game.full_depth(&position).unwrap());
        assert_eq!(values[0], values[1], "{text}");
    }
}

#[test]
fn what_is_written_is_read_back() {
    for rules in ["", "size=3", "size=4", "size=7,stones=3"] {
        let texts = known_game::check_round_trips(&open(rules), 50);
        assert!(texts.len() > 500, "{rules}");
    }
}

#[test]
fn any_text_is_read_or_refused_in_a_line() {
    for rules in ["", "size=3"] {
        let game = open(rules);
        let texts = known_game::check_round_trips(&game, 20);
        known_game::check_mutated_texts(&game, &INFO, &texts);
    }
}

#[test]
fn the_stone_rolled_moves_or_else_its_neighbours() {
    let game = open("");
    let board = "......x2../x5......../..x4..o6../.........."; // and a row
    let moves_after = |roll| moves(&game, &format!("{board}/........o3 {roll}"));
    assert_eq!(moves_after("x 2"), ["2-e4", "2-d4", "2-e5"]);
    assert_eq!(moves_after("x 1"), ["2-e4", "2-d4", "2-e5"]);
    assert_eq!(moves_after("x 3"), ["2-e4", "2-d4", "2-e5", "4-c2", "4-b2", "4-c3"]);
    assert_eq!(moves_after("x 6"), ["5-b3", "5-a3", "5-b4"]);
    assert_eq!(moves_after("o 4"), ["3-d2", "3-e2", "3-d1", "6-c4", "6-d4", "6-c3"]);
}

#[test]
fn stones_at_the_edge_keep_to_it() {
    let game = open("size=3");
    assert_eq!(moves(&game, "....x1/....../o2.... x 1"), ["1-c2"]);
    assert_eq!(moves(&game, "....x1/....../o2.... o 2"), ["2-a2"]);
}

#[test]
fn whatever_is_on_the_cell_is_taken() {
    let game = open("size=3");
    let own = play(&game, "x1x2../..o1../....o2 x 1", "1-b3");
    assert_eq!(game.notation(&own), "..x1../..o1../....o2 o -");
    let other = play(&game, "x1x2../..o1../....o2 x 1", "1-b2");
    assert_eq!(game.notation(&other), "..x2../..x1../....o2 o -");
}

#[test]
fn the_far_corner_and_the_last_capture_win() {
    let game = open("size=3");
    let value = |text, mv| {
        let after = play(&game, text, mv);
        assert_eq!((game.kind(&after), game.full_depth(&after)), (NodeKind::Terminal, Some(0)));
        let score = game.terminal_score(&after);
        if game.player(&after) == Player::Max { score } else { -score }
    };
    let limit = game.facts().grid.limit();
    assert_eq!(value("....../..x1../..o1.. x 1", "1-c1"), limit);
    assert_eq!(value("x1..../..o3../....o1 o 2", "3-a3"), -limit);
    assert_eq!(value("x1..../..o1../...... x 3", "1-b2"), limit);
    assert_eq!(value("....../..x1../..o1.. o 1", "1-b2"), -limit);
}

#[test]
fn set_ups_fill_the_corners_in_every_order() {
    let game = open("size=4,stones=3");
    let start = game.initial();
    let mut texts = vec![];
    game.outcomes(&start, |outcome, weight| {
        let first = game.resolve(&start, outcome);
        game.outcomes(&first, |outcome, _| texts.push(game.notation(&game.resolve(&first, outcome))));
        assert_eq!(weight, 1);
    });
    assert_eq!(texts.len(), 36);
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 36);
    assert!(texts.contains(&"x1x2..../x3....../......o1/....o2o3 x -".to_owned()), "{texts:?}");
    assert_eq!(game.notation(&start), "......../......../......../........ x -");
    assert!(game.draw(&start).ends_with("x is set up\n"));
}

#[test]
fn positions_that_cannot_be_are_refused() {
    let game = open("size=3");
    let refusal = |text: &str| game.parse(text).unwrap_err().to_string();
    let corner = "stones of both, or, with x to act and no roll, none or x alone in its corner";
    for (text, complaint) in [
        (
            "x1..../....../....o1 x",
            "position \"x1..../....../....o1 x\": expected board, player and roll, as in \"x1../..o1 x -\"",
        ),
        ("x1..../....o1 x -", "board x1..../....o1: expected 3 rows of 3 cells, two signs each"),
        ("x4..../....../....o1 x -", "cell x4: expected x or o and a number from 1 to 3, or .."),
        ("x1..x1/....../....o1 x -", "stone x1: expected one of each"),
        ("x1..../....../....o1 X -", "player X: expected x or o"),
        ("x1..../....../....o1 x 4", "roll 4: expected - or a number from 1 to 3"),
        ("x1..../....../...... x -", &format!("board x1..../....../......: expected {corner}")),
        ("....../....../...... x 1", &format!("board ....../....../......: expected {corner}")),
        (
            "....../....../....o1 o -",
            "board ....../....../....o1: expected a stone of x's, and none on its goal, the last cell",
        ),
        (
            "o1..../....../..x1.. o -",
            "board o1..../....../..x1..: expected a stone of o's, and none on its goal, the first cell",
        ),
    ] {
        assert_eq!(refusal(text), complaint);
    }
}

#[test]
fn rules_are_bounded() {
    assert_eq!(open("").rules(), INFO.default_rules);
    assert_eq!(open("size=3").rules(), "size=3,stones=3");
    assert_eq!(open("stones=3").rules(), "size=5,stones=3");
    for bad in ["size=2", "size=8", "stones=4", "stones=10", "size=3,stones=6", "dice=6"] {
        assert!(Einstein::open(&INFO, bad).is_err(), "{bad}");
    }
}

#[test]
fn no_game_is_longer_than_a_search_can_be_deep() {
    for rules in ["size=3", "", "size=7"] {
        let game = open(rules);
        let depth = game.full_depth(&game.initial()).unwrap();
        assert!(depth <= starsplit::search::MAX_DEPTH, "{rules}: {depth}");
    }
}

#[test]
fn evaluators_differ_but_for_their_time() {
    let found = known_game::identities::<Einstein>(&INFO);
    let [(first, network), (second, material), (third, even), (fourth, slow)] = found[..] else {
        panic!("four evaluators");
    };
    assert_eq!([first, second, third, fourth], ["network", "material", "constant", "slow"]);
    assert!(even != material && network != material && network != even && material == slow);
}
