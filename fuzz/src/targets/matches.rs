//! Matches of backgammon as other programs write them.

use crate::Target;
use crate::bytes::text;
use crate::refusals::check_short;
use crate::target::{seeds, words};
use starsplit::game::NodeKind;
use starsplit_doors_all::GAMES;

const MAT: &str = include_str!("../../../games/tests/matches/match.mat");
const SGF: &str = include_str!("../../../games/tests/matches/match.sgf");

pub(super) const TARGET: Target = Target {
    name: "matches",
    about: "a .mat or .sgf file of backgammon",
    run,
    seeds: || {
        let mat = MAT.lines().skip(5).take(28).map(|line| format!("{line}\n")).collect();
        let sgf = SGF.lines().filter(|line| line.starts_with(';')).take(40).collect::<String>();
        seeds([("mat", mat), ("sgf", format!("(;GM[6]{sgf})"))])
    },
    words: || {
        let mat =
            ["Game 2\n", ")", "31: ", "bar/", "/off", "25/", "/0", "*", "(2)", "Wins 1 point\n", "Takes"];
        let sgf = ["(", ";", "B[31", "W[66", "]", "\\]", "double", "yx", "az", "AE[a:y]", "GM[6]", "RU["];
        words(mat.into_iter().chain(sgf).chain(["cannot move", "\u{feff}", "\u{e9}", "\0", "99999999999"]))
    },
    mutations: 3_000,
    longest: 2_000,
};

fn run(bytes: &[u8]) {
    let door = GAMES.open(GAMES.named("backgammon").expect("its name"), None).expect("its rules");
    let play = door.play().expect("a game of the list");
    match play.match_positions(&text(bytes)) {
        Ok(positions) => {
            assert!(!positions.is_empty());
            for position in positions {
                assert_eq!(play.kind(&position).expect("its own position"), NodeKind::Decision);
                let again = door.position(&position.text);
                let again = again.unwrap_or_else(|error| panic!("its own {}: {error}", position.text));
                assert_eq!(again.text, position.text);
            }
        }
        Err(error) => check_short(&error),
    }
}
