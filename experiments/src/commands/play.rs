//! A person plays a game at the terminal.

use crate::cli::lines::Lines;
use crate::cli::values::whole_number;
use crate::cli::{self, BadInput, Ending};
use crate::matches::level::Level;
use crate::matches::session::{Dice, Session, SessionEnd};
use crate::matches::setting::SearchSetting;
use crate::question::flags::{GameFlags, evaluator_help, position_help};
use crate::question::given;
use crate::question::tables;
use clap::{Parser, ValueEnum};
use starsplit::game::Player;
use starsplit::search::StopFlag;
use std::io;

/// Play a game against the search, or let it watch and advise
///
/// The board is drawn and moves are typed, one a line; "help" says what else can be typed. Input that is no
/// move is answered by a line, and asked for again. The end of the input ends the game. The program thinks a
/// second about a move where neither --depth, --time-ms nor --nodes says otherwise.
#[derive(Debug, Parser)]
#[command(name = "play", version = crate::cli::VERSION)]
pub(super) struct PlayArgs {
    /// The game.
    #[command(flatten)]
    game: GameFlags,

    /// The position to begin with, in the game's notation [default: the start]
    #[arg(short, long, value_name = "TEXT", allow_hyphen_values = true, long_help = position_help())]
    position: Option<String>,

    /// Whose moves you type: the first player's, the second's, both or none
    #[arg(long, value_name = "WHO", default_value = "first")]
    you: You,

    /// Who rolls: seed, the program from --seed; or hand, you type what was rolled
    #[arg(long, value_name = "WHO", default_value = "seed")]
    dice: Rolls,

    /// Seed of the rolls
    #[arg(long, value_name = "N", default_value = "1", allow_negative_numbers = true,
          value_parser = whole_number("seed", 0..=u64::MAX))]
    seed: u64,

    /// How well it plays.
    #[command(flatten)]
    level: Level,

    /// Static evaluation of the leaves [default: the first that the rules have]
    #[arg(long, value_name = "NAME", long_help = evaluator_help())]
    evaluator: Option<String>,

    /// What else the search is to be like, as in the settings of match: threads=2,table-mb=256
    #[arg(long, value_name = "SETTINGS", default_value = "", value_parser = SearchSetting::read)]
    settings: SearchSetting,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum You {
    First,
    Second,
    Both,
    None,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Rolls {
    Seed,
    Hand,
}

pub(super) fn run(args: &PlayArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    let door = args.game.open()?;
    let given = args.position.as_deref();
    let position = given.map_or_else(|| Ok(door.initial()), |text| given::position(&*door, text))?;
    let mut setting = args.settings.clone();
    if args.evaluator.is_some() && setting.evaluator.is_some() {
        return Err(BadInput::from_error("--evaluator: expected it once, not in --settings, too").into());
    }
    setting.evaluator = args.evaluator.clone().or(setting.evaluator);
    let table = tables::table(setting.table_mb)?;
    let mut player = setting.player(door, &table, stop)?;
    player.level = args.level;
    if player.level.is_unlimited() {
        player.level.ms = Some(1000);
    }
    let persons = match args.you {
        You::First => vec![Player::Max],
        You::Second => vec![Player::Min],
        You::Both => vec![Player::Max, Player::Min],
        You::None => Vec::new(),
    };
    let dice = match args.dice {
        Rolls::Seed => Dice::Seed(args.seed),
        Rolls::Hand => Dice::Hand,
    };
    let lines = Lines::of(io::stdin())?;
    let mut session = Session::new(&player, persons, dice, position)?;
    let ended = session.run(&mut || lines.next(stop, None), &mut io::stdout().lock());
    Ok(match cli::until_closed(ended)? {
        Some(SessionEnd::Stopped) => Ending::Stopped,
        _ => Ending::Complete,
    })
}
