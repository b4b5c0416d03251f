//! Chinese dark chess in the lab: `search`, `compare`, `scaling`, `simulate` and all its other commands.

mod dark_chess;

use dark_chess::{DarkChess, Material, Position};
use starsplit::game::Texts;
use starsplit_experiments::{GameEntry, GameInfo, Games, OwnGame, commands};
use std::process::ExitCode;

impl Texts for DarkChess {}

impl OwnGame for DarkChess {
    type Game = DarkChess;
    type Evaluator = Material;

    fn game() -> DarkChess {
        DarkChess::default()
    }

    fn start(game: &DarkChess) -> Position {
        game.start()
    }

    fn evaluator(_: &DarkChess) -> Material {
        Material
    }
}

static GAME: GameEntry = GameEntry::own::<DarkChess>(&GameInfo::own("dark-chess"));

const GAMES: Games = Games(&[&GAME]);

fn main() -> ExitCode {
    commands::main(GAMES)
}
