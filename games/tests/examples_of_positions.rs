//! The examples of positions, in the help of the programs and in README.md, are read as they are told.

use starsplit_games::abalone::{self, Abalone};
use starsplit_games::backgammon::{self, Backgammon};
use starsplit_games::dice::{self, Dice};
use starsplit_games::einstein::{self, Einstein};
use starsplit_games::pig::{self, Pig};
use starsplit_games::twenty48::{self, Twenty48};
use starsplit_games::{GameInfo, Invalid, KnownGame};

const README: &str = include_str!("../README.md");

const INFOS: [&GameInfo; 7] = [
    &dice::INFO,
    &pig::INFO,
    &einstein::INFO,
    &backgammon::INFO,
    &backgammon::HYPER_INFO,
    &twenty48::INFO,
    &abalone::INFO,
];

/// Of a match how many positions it has; of a position 1, or 0 where something of its text is not used.
fn read(info: &GameInfo, text: &str, is_match: bool) -> Result<usize, Invalid> {
    fn by<G: KnownGame>(info: &GameInfo, text: &str, is_match: bool) -> Result<usize, Invalid> {
        let game = G::open(info, info.default_rules)?;
        if is_match {
            game.match_positions(text).map(|found| found.len())
        } else {
            game.parse(text).map(|_| usize::from(game.unused(text).is_none()))
        }
    }
    match info.name {
        "dice" => by::<Dice>(info, text, is_match),
        "pig" => by::<Pig>(info, text, is_match),
        "einstein" => by::<Einstein>(info, text, is_match),
        "2048" => by::<Twenty48>(info, text, is_match),
        "abalone" => by::<Abalone>(info, text, is_match),
        _ => by::<Backgammon>(info, text, is_match),
    }
}

#[test]
fn the_examples_of_the_help_are_positions() {
    for info in INFOS {
        let examples: Vec<_> = info.notation_help.split('"').skip(1).step_by(2).collect();
        assert!(!examples.is_empty(), "{}", info.name);
        for example in examples {
            let found = read(info, example, false);
            assert_eq!(found.as_ref().ok(), Some(&1), "{}: {example}: {found:?}", info.name);
        }
    }
}

/// The rows of the table of forms: game, form, example.
fn rows() -> Vec<[&'static str; 3]> {
    let (_, table) = README.split_once("| game | form | example |").expect("the table of forms");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let row = |line: &'static str| {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        cells.try_into().expect(line)
    };
    rows.map(row).collect()
}

#[test]
fn the_examples_of_the_readme_are_read() {
    let rows = rows();
    for [game, form, example] in &rows {
        let name = game.trim_matches('`');
        let info = INFOS.into_iter().find(|info| info.name == name).expect(name);
        let is_match = form.contains(".mat") || form.contains(".sgf");
        let example = example.trim_matches('`');
        // A row of a file stands for it.
        let text = if form.contains(".mat") { format!("Game 1\n{example}") } else { example.to_owned() };
        let found = read(info, &text, is_match);
        assert!(found.as_ref().is_ok_and(|&count| count > 0), "{name}, {form}: {found:?}");
    }
    for info in INFOS {
        assert!(rows.iter().any(|[game, ..]| game.trim_matches('`') == info.name), "{}", info.name);
    }
    let forms: Vec<_> = rows.iter().map(|[_, form, _]| *form).collect();
    for known in ["XGID", "match ID", ".mat", ".sgf", "tiles"] {
        assert!(forms.iter().any(|form| form.contains(known)), "{known}: {forms:?}");
    }
}
