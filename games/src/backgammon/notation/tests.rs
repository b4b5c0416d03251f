use crate::KnownGame;
use crate::backgammon::checkers::Checkers;
use crate::backgammon::{Backgammon, Phase, Position, Roll, Scoring, Variant};
use starsplit::game::{Game, Player, Texts};

const START_ID: &str = "4HPwATDgc/ABMA";

fn backgammon() -> Backgammon {
    Backgammon::new(Variant::Backgammon, Scoring::Points)
}

fn texts(game: &Backgammon, position: &Position) -> Vec<String> {
    let mut texts = Vec::new();
    game.moves(position, |mv| texts.push(game.move_text(position, mv)));
    texts
}

#[test]
fn the_usual_setup_has_gnu_backgammons_id() {
    let game = backgammon();
    for (text, player) in [(START_ID, Player::Max), ("4HPwATDgc/ABMA o -", Player::Min)] {
        let position = game.parse(text).unwrap();
        assert_eq!(
            (position.to_act(), position.pips(Player::Max), position.pips(Player::Min)),
            (player, 167, 167)
        );
        for other in [Player::Max, Player::Min] {
            let counts = [24, 13, 8, 6, 5].map(|point| position.checkers(other, point));
            assert_eq!(counts, [2, 5, 3, 5, 0]);
        }
    }
    assert_eq!(game.parse("4HPwATDgc/ABMA ? -"), Ok(game.initial()));
    let hyper = Backgammon::new(Variant::Hyper, Scoring::Points);
    assert_eq!(hyper.parse("AACgAgAAKgAAAA ? -"), Ok(hyper.initial()));
}

#[test]
fn the_player_who_is_not_on_roll_comes_first() {
    // GNU Backgammon shows this ID after its player O began with 8/3 6/3, and X is on roll.
    let position = backgammon().parse("jGfwATDgc/ABMA").unwrap();
    assert_eq!(
        (position.to_act(), position.pips(Player::Max), position.pips(Player::Min)),
        (Player::Max, 167, 159)
    );
    assert_eq!([3, 6, 8].map(|point| position.checkers(Player::Min, point)), [2, 4, 2]);
}

#[test]
fn what_is_wrong_is_named() {
    let cases = [
        ("", "position \"\": expected start, a position ID"),
        ("4HPwATDgc/ABMA x", "position \"4HPwATDgc/ABMA x\": expected start"),
        ("4HPwATDgc/ABMA x 31 31", "roll \"31 31\": expected - or two numbers from 1 to 6, as in 31 or 3-1"),
        ("4HPwATDgc/ABMA x 3-7", "roll 3-7: expected - or two numbers"),
        ("4HPwATDgc/ABMA x 3--1", "roll 3--1: expected - or two numbers"),
        ("4HPwATDgc/ABMA x 3", "roll 3: expected - or two numbers"),
        ("4HPwATDgc/ABMA x 3 1 2", "roll \"3 1 2\": expected - or two numbers"),
        ("4HPwATDgc/ABMA y 31", "player y: expected x, o or ?"),
        ("4HPwATDgc/ABMA x 37", "roll 37: expected - or two numbers from 1 to 6"),
        ("4HPwATDgc/ABMA ? 31", "roll 31: expected - where the player is ?"),
        ("4HPwATDgc/ABM x 31", "position ID 4HPwATDgc/ABM: expected 14 characters"),
        ("4HPwATDgc/ABMAA", "position ID 4HPwATDgc/ABMAA: expected 14 characters"),
        ("4HPwATDgc_ABMA", "position ID 4HPwATDgc_ABMA: expected 14 characters"),
        ("4HPwATDgc/ABMB", "position ID 4HPwATDgc/ABMB: expected nothing after"),
        ("//////////////", "position ID //////////////: expected at most 15 checkers on a point"),
        ("//9//////////w", "position ID //9//////////w: expected at most 15 checkers on a point"),
        ("AAAAAAAAAAAAAA", "position ID AAAAAAAAAAAAAA: expected an unfinished game, but x has no checker"),
        ("BAAAAAAAAAAAAA", "position ID BAAAAAAAAAAAAA: expected an unfinished game, but x has no checker"),
        ("AAAABAAAAAAAAA", "position ID AAAABAAAAAAAAA: expected an unfinished game, but o has no checker"),
    ];
    for (text, expected) in cases {
        let told = backgammon().parse(text).unwrap_err().to_string();
        assert!(told.starts_with(expected), "{text:?}: {told}");
    }
}

#[test]
fn rolls_are_read_in_three_ways() {
    let game = backgammon();
    let expected = game.parse("4HPwATDgc/ABMA x 31").unwrap();
    for roll in ["31", "13", "3-1", "1-3", "3 1", "1  3"] {
        assert_eq!(game.parse(&format!("{START_ID} x {roll}")), Ok(expected), "{roll}");
    }
    let place = |position: &str, text: &str| {
        let position = game.parse(position).unwrap();
        let mut texts = Vec::new();
        game.outcomes(&position, |outcome, _| texts.push(game.outcome_text(&position, outcome)));
        game.parse_outcome(&position, text).map(|place| texts.swap_remove(place))
    };
    for text in ["31", "13", "3-1", "1-3", " 3 1 "] {
        assert_eq!(place("4HPwATDgc/ABMA o -", text).as_deref(), Ok("31"), "{text}");
    }
    // In the opening x's number comes first, where nobody is named.
    for text in ["31", "3-1", "x begins, 31", "X begins 1-3"] {
        assert_eq!(place("start", text).as_deref(), Ok("x begins, 31"), "{text}");
    }
    for text in ["1-3", "1 3", "o begins, 31"] {
        assert_eq!(place("start", text).as_deref(), Ok("o begins, 31"), "{text}");
    }
    for (position, text) in [
        ("start", "33"),
        ("start", "y begins, 31"),
        ("start", "x begins, 33"),
        ("start", "begins"),
        ("4HPwATDgc/ABMA o -", "x begins, 31"),
        ("4HPwATDgc/ABMA o -", "3/1"),
        ("4HPwATDgc/ABMA o -", "7-1"),
    ] {
        let told = place(position, text).unwrap_err().to_string();
        assert!(told.contains(" rolls, such as ") && told.starts_with("roll "), "{text}: {told}");
    }
}

#[test]
fn counts_and_shared_points_are_checked() {
    let hyper = Backgammon::new(Variant::Hyper, Scoring::Points);
    let told = hyper.parse(START_ID).unwrap_err().to_string();
    assert!(told.ends_with("expected at most 3 checkers a side, but x has 15"), "{told}");
    // One checker a side, on the first player's point 1.
    let told = backgammon().parse("AACABAAAAAAAAA").unwrap_err().to_string();
    assert!(told.ends_with("but both are on x's point 1"), "{told}");
}

#[test]
fn moves_are_written_as_players_write_them() {
    let game = backgammon();
    let after = |roll: &str| game.parse(&format!("{START_ID} x {roll}")).unwrap();
    let has = |position: &Position, text: &str| texts(&game, position).contains(&text.to_owned());
    for (roll, text) in
        [("31", "8/5 6/5"), ("64", "24/14"), ("66", "24/18(2) 13/7(2)"), ("11", "8/7(2) 6/5(2)")]
    {
        assert!(has(&after(roll), text), "{text} is none of {:?}", texts(&game, &after(roll)));
    }
    assert_eq!((texts(&game, &after("31")).len(), texts(&game, &after("66")).len()), (16, 11));
}

#[test]
fn moves_are_read_in_any_order_and_step_by_step() {
    let game = backgammon();
    let position = game.parse("4HPwATDgc/ABMA x 31").unwrap();
    let read = |text: &str| game.parse_move(&position, text).map(|mv| game.move_text(&position, mv));
    for text in ["8/5 6/5", "6/5 8/5", " 6/5  8/5 ", "8/5(1) 6/5"] {
        assert_eq!(read(text).as_deref(), Ok("8/5 6/5"), "{text}");
    }
    for text in ["24/20", "24/23 23/20", "24/21 21/20", "24/21/20"] {
        assert_eq!(read(text).as_deref(), Ok("24/20"), "{text}");
    }
    for text in
        ["", "pass", "8/5", "8/5 6/5 6/5", "8/5* 6/5", "8/5(5)", "8/5(", "8/5)", "8", "8/", "/5", "8//5"]
    {
        let told = read(text).unwrap_err().to_string();
        assert!(told.contains("one of 16 legal moves, such as 24/"), "{text}: {told}");
    }
    for text in ["26/25", "-1/5", "+8/5 6/5", "8/5 6/5 off/off", "99999999999999999999/1", "bar/bar"] {
        assert!(read(text).is_err(), "{text}");
    }
}

/// The first player's turn: points and how many checkers are there, as each player counts.
fn turn(own: &[(u8, u8)], other: &[(u8, u8)], roll: (u8, u8)) -> Position {
    let checkers = [own, other].map(|stacks| {
        let mut side = Checkers::default();
        for &(point, count) in stacks {
            (0..count).for_each(|_| side.add(1 << point));
        }
        side
    });
    backgammon().position(checkers, Player::Max, Phase::Moving(Roll::new(roll.0, roll.1).unwrap()))
}

#[test]
fn the_bar_bearing_off_and_hits_are_written() {
    let cases: [(Position, &[&str]); 6] = [
        (turn(&[(25, 1), (1, 1)], &[(19, 2)], (3, 6)), &["bar/16"]),
        (turn(&[(25, 3)], &[(4, 2)], (3, 3)), &["bar/19 bar/22(2)"]),
        (turn(&[(6, 2)], &[(1, 1)], (6, 6)), &["6/off(2)"]),
        (turn(&[(25, 1)], &[(1, 2), (2, 2)], (1, 2)), &["pass"]),
        (turn(&[(8, 2)], &[(20, 1), (24, 2), (23, 2)], (3, 3)), &["8/5*(2)"]),
        (turn(&[(24, 1)], &[(4, 1), (7, 1)], (6, 3)), &["24/18*/15", "24/21*/15"]),
    ];
    for (position, expected) in cases {
        assert_eq!(texts(&backgammon(), &position), expected);
    }
}

#[test]
fn hits_are_told_apart_however_they_are_written() {
    let game = backgammon();
    // The checker on 24 may hit on 18 or on 21, not both; a stop that hits has to be told.
    let position = turn(&[(24, 1)], &[(4, 1), (7, 1)], (6, 3));
    let read = |text: &str| game.parse_move(&position, text).map(|mv| game.move_text(&position, mv));
    for text in ["24/18*/15", "24/18/15", "18/15 24/18", "18/15 24/18*"] {
        assert_eq!(read(text).as_deref(), Ok("24/18*/15"), "{text}");
    }
    for text in ["24/15", "24/18*/15*", "24/20/15", "24/21*/18*/15"] {
        assert!(read(text).is_err(), "{text}");
    }
    // Where but one of the ways hits on the only open stop, the ends tell it.
    let position = turn(&[(24, 1)], &[(4, 2), (7, 1)], (6, 3));
    assert_eq!(
        game.parse_move(&position, "24/15").map(|mv| game.move_text(&position, mv)).as_deref(),
        Ok("24/18*/15")
    );
}
