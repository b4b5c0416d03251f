//! Chinese dark chess in the lab: `search`, `compare`, `scaling`, `simulate` and all its other commands.

mod dark_chess;

use dark_chess::{DarkChess, Material, Position};
use starsplit::game::Texts;
use starsplit_experiments::{GameEntry, GameInfo, Games, OwnGame, commands};
use std::process::ExitCode;

impl Texts for DarkChess {}

impl OwnGame for DarkChess {
    type Evaluator = Material;

    fn start(&self) -> Position {
        DarkChess::start(self)
    }

    fn evaluator(&self) -> Material {
        Material
    }
}

static GAME: GameEntry = GameEntry::new::<DarkChess>(&GameInfo::own("dark-chess"));

const GAMES: Games = Games(&[&GAME]);

fn main() -> ExitCode {
    commands::main(GAMES)
}
