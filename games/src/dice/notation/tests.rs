use super::*;
use crate::KnownGame;
use crate::dice::Rules;
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use starsplit::game::{Game, NodeKind, Texts};

fn dice(size: u8, run: u8, full_line: FullLine) -> Dice {
    Dice::new(Rules::new(size, run, full_line).unwrap())
}

fn refusal(text: &str) -> NotationError {
    dice(3, 3, FullLine::Reroll).parse(text).unwrap_err()
}

#[test]
fn text_is_read_into_the_position_that_it_shows() {
    let dice = Dice::new(Rules::default());
    let text = "...../..x../..o../...../..... x -";
    let position = dice.parse(text).unwrap();
    assert_eq!((position.stones(Player::Max), position.stones(Player::Min)), (1 << 7, 1 << 12));
    assert_eq!((position.to_act(), dice.kind(&position)), (Player::Max, NodeKind::Chance));
    assert_eq!(dice.notation(&position), text);
    let start = dice.parse("...../...../...../...../..... x -").unwrap();
    assert_eq!(start, dice.initial());
}

#[test]
fn a_pending_roll_limits_the_moves_to_its_line() {
    let dice = dice(3, 3, FullLine::Reroll);
    let moves = |text: &str| {
        let position = dice.parse(text).unwrap();
        assert_eq!(dice.kind(&position), NodeKind::Decision);
        let mut names = Vec::new();
        dice.moves(&position, |mv| names.push(dice.move_text(&position, mv)));
        names
    };
    assert_eq!(moves(".../.xo/... x r2"), ["a2"]);
    assert_eq!(moves(".../.xx/..o o c2"), ["b1", "b3"]);
}

#[test]
fn moves_are_read_as_the_board_is_drawn_and_as_they_were_written_once() {
    let dice = dice(3, 3, FullLine::Reroll);
    let position = dice.parse(".../..x/o.. x r2").unwrap();
    let read = |text: &str| dice.parse_move(&position, text).map(|mv| dice.move_text(&position, mv));
    for text in ["b2", " B2 ", "r2c2", "R2C2"] {
        assert_eq!(read(text).as_deref(), Ok("b2"), "{text}");
    }
    // Taken, of another row, beyond the board, or nothing at all.
    for text in ["c2", "r2c3", "b1", "d2", "a9", "r2c4", "2b", "b", "2", "b22", "pass", "", "\u{e9}2"] {
        let told = read(text).unwrap_err().to_string();
        assert!(told.ends_with("expected one of 2 legal moves, such as a2"), "{text}: {told}");
    }
}

#[test]
fn rolls_are_read_as_the_board_is_drawn_and_by_number() {
    let dice = dice(3, 3, FullLine::Reroll);
    let read = |position: &str, text: &str| {
        let position = dice.parse(position).unwrap();
        dice.parse_outcome(&position, text).map_err(|error| error.to_string())
    };
    for text in ["row 2", " Row 2", "2"] {
        assert_eq!(read(".../.../... x -", text), Ok(1), "{text}");
    }
    for text in ["column b", "COLUMN B", "column 2", "b", "2"] {
        assert_eq!(read(".../.x./... o -", text), Ok(1), "{text}");
    }
    for text in ["row b", "b", "column 2", "row 4", "row", "r2", ""] {
        let told = read(".../.../... x -", text).unwrap_err();
        assert!(told.ends_with("expected one of 3 rolls, such as row 1"), "{text}: {told}");
    }
    assert!(read(".../.x./... o -", "row 2").unwrap_err().ends_with("such as column a"));
}

#[test]
fn the_board_names_columns_as_moves_and_rolls_do() {
    let dice = dice(3, 3, FullLine::Reroll);
    let drawn = dice.draw(&dice.parse(".../.x./... o c3").unwrap());
    assert!(drawn.ends_with("3  . . .\n   a b c\no moves, column c\n"), "{drawn}");
}

#[test]
fn the_form_of_the_text_is_checked() {
    use NotationError::*;
    assert_eq!(refusal("  "), MissingField { name: "board" });
    assert_eq!(refusal(".../.../..."), MissingField { name: "player" });
    assert_eq!(refusal(".../.../... x"), MissingField { name: "roll" });
    assert_eq!(refusal(".../.../... x - 7"), ExtraField { found: "7".into() });
    assert_eq!(refusal(".../... x -"), Rows { found: 2, expected: 3 });
    assert_eq!(refusal(".../.../.../ x -"), Rows { found: 4, expected: 3 });
    assert_eq!(refusal(".../..../... x -"), RowLength { row: 2, found: 4, expected: 3 });
    assert_eq!(refusal(".../.../.\u{1f3b2} x -"), RowLength { row: 3, found: 2, expected: 3 });
    assert_eq!(refusal(".../.../.X. x -"), Sign { found: 'X', row: 3, column: 2 });
    assert_eq!(refusal(".../.../... X -"), Player { found: "X".into() });
    for found in ["r0", "r4", "r01", "r+1", "R1", "c1", "1", "--"] {
        let expected = Roll { found: found.into(), player: 'x', line: 'r', size: 3 };
        assert_eq!(refusal(&format!(".../.../... x {found}")), expected);
    }
    let expected = Roll { found: "r1".into(), player: 'o', line: 'c', size: 3 };
    assert_eq!(refusal(".../.x./... o r1"), expected);
}

#[test]
fn counts_that_no_play_leads_to_are_refused() {
    let refused = |text: &str, first, second, player| {
        assert_eq!(refusal(text), NotationError::Counts { first, second, player });
    };
    refused(".../.../... o -", 0, 0, 'o');
    refused(".../.x./... x -", 1, 0, 'x');
    refused(".../.o./... x r1", 0, 1, 'x');
    refused("xox/.../... x -", 2, 1, 'x');
}

#[test]
fn lost_turns_excuse_counts_only_for_who_can_lose_them() {
    let dice = dice(3, 3, FullLine::Pass);
    // A full row and no full column: the first player may have lost turns, the second cannot.
    assert!(dice.parse("oxo/.../... x -").is_ok());
    assert!(matches!(dice.parse("xox/.../... x -"), Err(NotationError::Counts { first: 2, second: 1, .. })));
    // And the other way round.
    assert!(dice.parse("x../o../x.. x -").is_ok());
    assert!(matches!(dice.parse("o../x../o.. x -"), Err(NotationError::Counts { first: 1, second: 2, .. })));
    // Nothing is full: nobody can have lost a turn.
    assert!(matches!(dice.parse("x../.../... x -"), Err(NotationError::Counts { .. })));
}

#[test]
fn finished_games_are_refused() {
    assert_eq!(refusal("xxx/oo./... o -"), NotationError::AlreadyWon { winner: 'x', run: 3 });
    assert_eq!(refusal("ooo/xx./x.. x -"), NotationError::AlreadyWon { winner: 'o', run: 3 });
    assert_eq!(refusal("xox/xoo/oxx o -"), NotationError::BoardFull);
}

#[test]
fn a_full_line_can_be_pending_only_where_it_costs_the_turn() {
    let text = "xox/o../... x r1";
    assert_eq!(refusal(text), NotationError::LineFull { found: "r1".into() });
    let dice = dice(3, 3, FullLine::Pass);
    let position = dice.parse(text).unwrap();
    let mut moves = Vec::new();
    dice.moves(&position, |mv| moves.push(dice.move_text(&position, mv)));
    assert_eq!(moves, ["pass"]);
}

#[test]
fn errors_say_what_was_found_and_what_was_expected() {
    assert_eq!(refusal(".../..?/... x -").to_string(), "cell '?' in row 2, column 3: expected x, o or .");
    assert_eq!(refusal(".../.../... x c2").to_string(), "roll \"c2\" of x: expected - or r1 to r3");
}

fn any_rules() -> impl Strategy<Value = Rules> {
    (2u8..=8).prop_flat_map(|size| (Just(size), 2..=size, any::<bool>())).prop_map(|(size, run, pass)| {
        Rules::new(size, run, if pass { FullLine::Pass } else { FullLine::Reroll }).unwrap()
    })
}

/// One of the moves or outcomes at random.
fn random_successor(dice: &Dice, position: &Position, random: &mut Pcg32) -> Position {
    let mut successors = Vec::new();
    match dice.kind(position) {
        NodeKind::Decision => dice.moves(position, |mv| successors.push(dice.play(position, mv))),
        _ => dice.outcomes(position, |line, _| successors.push(dice.resolve(position, line))),
    }
    successors[random.next_u32() as usize % successors.len()]
}

#[test]
fn long_texts_are_refused_in_a_short_line() {
    let dice = dice(3, 3, FullLine::Reroll);
    for part in ["\u{202e}".repeat(1000), "x".repeat(100_000), "\u{1b}[31m".repeat(500)] {
        let positions =
            [format!("{part} x -"), format!(".../.../... {part} -"), format!(".../.../... x {part}")];
        let rules =
            [part.clone(), format!("size={part}"), format!("run={part}"), format!("full-line={part}")];
        let positions = positions.iter().map(|text| dice.parse(text).unwrap_err().to_string());
        let rules = rules.iter().map(|text| text.parse::<Rules>().unwrap_err().to_string());
        for complaint in positions.chain(rules) {
            assert!(complaint.contains("expected") && complaint.len() < 400, "{complaint}");
            assert!(!complaint.contains(char::is_control), "{complaint:?}");
        }
    }
    assert_eq!("size=3,size=3".parse::<Rules>().unwrap_err().to_string(), "rule \"size\": expected once");
}

proptest! {
    #[test]
    fn every_unfinished_position_of_a_play_survives_the_text(rules in any_rules(), seed in any::<u64>()) {
        let dice = Dice::new(rules);
        let mut random = Pcg32::seed_from_u64(seed);
        let mut position = dice.initial();
        while dice.kind(&position) != NodeKind::Terminal {
            let text = dice.notation(&position);
            prop_assert_eq!(dice.parse(&text), Ok(position), "{}", text);
            position = random_successor(&dice, &position, &mut random);
        }
        let text = dice.notation(&position);
        let refused = matches!(
            dice.parse(&text),
            Err(NotationError::AlreadyWon { .. } | NotationError::BoardFull)
        );
        prop_assert!(refused, "{} was read", text);
    }

    #[test]
    fn any_text_is_read_or_refused(rules in any_rules(), text in any::<String>()) {
        let dice = Dice::new(rules);
        if let Ok(position) = dice.parse(&text) {
            prop_assert_eq!(dice.parse(&dice.notation(&position)), Ok(position));
        }
    }

    #[test]
    fn text_that_is_nearly_right_is_read_or_refused(
        rules in (2u8..=3).prop_map(|size| Rules::new(size, size, FullLine::Pass).unwrap()),
        text in "[xo.]{2,3}(/[xo.]{2,3}){1,2} [xo] (-|[rc][0-4])",
    ) {
        let dice = Dice::new(rules);
        if let Ok(position) = dice.parse(&text) {
            prop_assert_eq!(dice.notation(&position), text);
        }
    }
}
