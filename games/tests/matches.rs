//! Matches as other programs write them.

use crate::mutations::Random;
use starsplit::game::{Game, NodeKind};
use starsplit_games::KnownGame;
use starsplit_games::backgammon::{Backgammon, Scoring, Variant};

const MAT: &str = include_str!("matches/match.mat");
const SGF: &str = include_str!("matches/match.sgf");

/// The positions of a match as the game writes them, or what is wrong with it.
fn read(text: &str) -> Result<Vec<String>, String> {
    let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
    let positions = game.match_positions(text).map_err(|error| error.to_string())?;
    assert!(positions.iter().all(|position| game.kind(position) == NodeKind::Decision));
    Ok(positions.iter().map(|position| game.notation(position)).collect())
}

/// Holds what is said of a text that is refused to one short line; gives it.
fn complaint(text: &str) -> String {
    let told = read(text).expect_err(text);
    assert!(told.contains("expected") && told.len() < 400 && !told.contains(char::is_control), "{told:?}");
    told
}

/// A game of a `.mat` file.
fn mat(rows: &str) -> String {
    format!("; [Site \"home\"]\n\n 3 point match\n\n Game 1\n A : 0                    B : 0\n{rows}")
}

#[test]
fn both_files_of_a_match_have_the_same_positions() {
    let found = read(MAT).unwrap();
    assert_eq!(read(SGF).as_ref(), Ok(&found));
    // The rolls of each game, counted in the text.
    assert_eq!(found.len(), 45 + 39 + 53 + 52);
    // The last was worked out from the text without the game: x bears off, o has resigned after it.
    assert_eq!([&*found[0], &found[188]], ["4HPwATDgc/ABMA o 41", "2M0CwA43AgAAAA x 44"]);
    let windows = format!("\u{feff}{}", MAT.replace('\n', "\r\n"));
    assert_eq!(read(&windows), Ok(found));
}

#[test]
fn moves_are_read_as_programs_write_them() {
    let rows = "  1) 62: 24/18 13/11             55: 8/3(2) 6/1*(2)\n\
                2) 64: bar/15                  63: 4/4\n";
    assert!(complaint(&mat(rows)).starts_with("game 1, move 2: o's move 4/4: expected one of "));
    let rows = "  1) 62: 24/18 13/11             55: 8/3(2) 6/1*(2)\n\
                2) 64: 25/21 21/15             36: 13/7*/4\n\
                3) 66: Cannot Move             65: 24/13\n\
                4) 33:                          Doubles => 2\n\
                5)  Drops\n       Wins 1 point\nsaid afterwards";
    let found = read(&mat(rows)).unwrap();
    // The same with checkers' steps one by one, and what is left out: comments, marks, variations.
    let nodes = "(;FF[4]GM[6]C[(;a\\]b\\\\]RU[Crawford:Jacoby]\n;W[62mkxr]A[0][mkxr E][x]\n;B[55qvsxqvsx]\n;W[64yuuo]\
                 ;B[36lrru]BM[1];W[66];B[65afal](;W[33];B[double];W[drop])(;W[11yx];B[31sp]))";
    let complaint = complaint(nodes);
    assert!(
        complaint.starts_with("game 1, move 6: o's move \"24/19 24/13\": expected one of"),
        "{complaint}"
    );
    assert_eq!(read(&nodes.replace("afal", "affl")).as_ref(), Ok(&found));
    assert_eq!(found.len(), 7);
    assert!(found[4].ends_with(" x 66") && found[6].ends_with(" x 33"), "{found:?}");
    // The third of the seven: x is on the bar.
    let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
    let on_bar = game.parse(&found[2]).unwrap().checkers(starsplit::game::Player::Max, 25);
    assert_eq!((on_bar, &found[5][15..]), (1, "o 65"));
}

#[test]
fn who_resigns_after_a_roll_decides_nothing() {
    let rows = "1) 31: 8/5 6/5             64: \n";
    let next = "  Wins 2 points\n\n Game 2\n 1)                  31:\nWins 1 point";
    assert_eq!(read(&mat(&format!("{rows}{next}"))), Ok(vec!["4HPwATDgc/ABMA x 31".to_owned()]));
    assert!(complaint(&mat(rows)).contains("game 1, move 1: o's move pass: expected one of"));
}

#[test]
fn what_is_no_match_is_refused_by_its_place() {
    let first = "1) 31: 8/5 6/5             ";
    for (rows, words) in [
        ("1) 31: 8/2", "game 1, move 1: x's move 8/2: expected one of 16 legal moves, such as "),
        ("1) 71: 8/7", "game 1, move 1: roll 71: expected two numbers from 1 to 6"),
        ("1) 11: 8/7(2) 6/5(2)", "x's roll 11: expected two different numbers"),
        (&format!("{first}\n2) 31: 8/5 6/5"), "game 1, move 2: x's roll 31: expected the other player's"),
        (&format!("{first}\nand so on"), "game 1, move 1: next line \"and so on\": expected a row"),
        (&format!("{first} 31: 8/5 6/5 31: 8/5 6/5"), "cell \"31: 8/5 6/5\": expected at most one"),
        (&format!("{first} 8/5"), "x's move \"8/5 6/5 8/5\": expected"),
        ("1) and so on", "game 1, move 1: cell \"and so on\": expected a roll and a move"),
        ("; [Variation \"Nackgammon\"]\n1) 31: 8/5 6/5", "variation Nackgammon: expected backgammon"),
        ("", "expected a .mat or .sgf file of backgammon with a roll in it"),
    ] {
        let told = complaint(&mat(rows));
        assert!(told.contains(words), "{told}");
    }
    for (nodes, words) in [
        ("(;GM[1];B[aa])", "game 1, move 1: GM 1: expected 6"),
        ("(;RU[NackGammon];W[31hefe])", "expected rules of backgammon"),
        ("(;AE[a:y]AW[a])", "expected no position that is set up"),
        ("(;W[31hefe];B[31qtst])(;W[31hefg])", "game 2, move 1: x's move \"8/5 6/7\": expected one of"),
        ("(;W[31hef])", "move 31hef: expected a roll and pairs of letters"),
        ("(;W[31\u{e9}e])", "expected a roll and pairs of letters"),
        ("(;W[3])", "expected a roll and pairs of letters"),
        ("(;W[31hefe]", "expected a ) for each ("),
        ("(;W[31hefe", "game 1: text [31hefe: expected nodes of a tree"),
        ("(;W[31hefe]))", "game 1: text ): expected nodes of a tree"),
        ("(;)", "expected a .mat or .sgf file of backgammon with a roll in it"),
    ] {
        let told = complaint(nodes);
        assert!(told.contains(words), "{told}");
    }
    let hyper = Backgammon::new(Variant::Hyper, Scoring::Points);
    let told = hyper.match_positions(MAT).unwrap_err().to_string();
    assert!(told.contains("expected a game of which matches are read"), "{told}");
}

#[test]
fn whatever_is_read_is_answered() {
    // A part of an `.sgf` file is none; one of a `.mat` file may end with any move.
    for end in (0..SGF.trim_end().len()).step_by(41) {
        complaint(&SGF[..end]);
        if read(&MAT[..end]).is_err() {
            complaint(&MAT[..end]);
        }
    }
    let mut random = Random::new(11);
    for _ in 0..300 {
        for text in [&MAT[..1000], &SGF[..600]] {
            let text = random.mutated(text);
            if read(&text).is_err() {
                complaint(&text);
            }
        }
        let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.below(256) as u8).collect();
        complaint(&String::from_utf8_lossy(&bytes));
    }
}
