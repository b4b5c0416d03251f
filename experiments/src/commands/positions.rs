//! Makes suites of positions from self-play, or of those of a match.

use crate::cli::files;
use crate::cli::outputs::{check, write_whole};
use crate::cli::texts::{BYTE_ORDER_MARK, is_utf16};
use crate::cli::values::{self, whole_number};
use crate::cli::{self, BadInput, Ending, in_words};
use crate::question::door::{Door, Entry};
use crate::question::doors::played;
use crate::question::flags::{GameFlags, evaluator_help};
use crate::question::suite;
use clap::Parser;
use serde_json::json;
use starsplit_games::one_line;
use starsplit_training::self_play::{paper_head, paper_suite};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Print a suite of positions from seeded self-play, from opening to end, or from a match
///
/// Of Dice, unless its rules or an evaluator are named, that is the suite "paper": 50 positions from games of
/// the trained network. Of other games the evaluator plays against itself, one move ahead, and makes a fifth
/// of its moves at random; each position is from a game of its own. Positions are written in the game's
/// notation, of which the help of search tells the forms.
#[derive(Debug, Parser)]
#[command(name = "positions", version = crate::cli::VERSION)]
pub(super) struct PositionsArgs {
    /// The game.
    #[command(flatten)]
    game: GameFlags,

    /// Whose moves are played [default: the first of the game's evaluators]
    #[arg(long, value_name = "NAME", long_help = evaluator_help())]
    evaluator: Option<String>,

    /// Of a match in this file instead: positions of each decision about checkers
    ///
    /// Of backgammon, a .mat file, whose rows are such as "1) 31: 8/5 6/5  64: 24/14", or an .sgf file of GNU
    /// Backgammon, such as "(;GM[6];W[31hefe])". There is a position for each roll, also where only one move
    /// is legal, or none, as in games for money without a cube: the score, decisions about the cube and
    /// resignations are left out, and so are variations. Player 1, or White, is x.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["evaluator", "seed"])]
    from: Option<PathBuf>,

    /// How many positions; of a match the first so many [default: 50; of a match all]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole_number("--count", 1..=10_000))]
    count: Option<u64>,

    /// The depth that the suite names for its searches
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = values::depth)]
    depth: Option<u32>,

    /// Chooses the games
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true,
          value_parser = whole_number("--seed", 0..=u64::MAX))]
    seed: u64,

    /// The file to write [default: none, the suite is printed]
    ///
    /// One that is there is replaced only if it says that the same command has made it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// How many positions of self-play, unless asked otherwise.
const COUNT: u64 = 50;

pub(super) fn run(args: &PositionsArgs) -> anyhow::Result<Ending> {
    let head = if is_paper(args) { paper_head(args.seed) } else { head(args) };
    let is_own =
        |path: &Path| files::read_head(path, head.len() as u64).is_ok_and(|found| found == head.as_bytes());
    if let Some(out) = &args.out {
        let maker = match &args.from {
            Some(_) => "positions --from".to_owned(),
            None => format!("positions --seed {}", args.seed),
        };
        check("--out", out, &maker, is_own)?;
    }
    let text = if is_paper(args) { paper_suite(args.seed)? } else { head + &suite(args)? };
    if let Some(out) = &args.out {
        let written = write_whole(out, text.as_bytes());
        written.map_err(|error| BadInput::from_error(in_words(&error)))?;
    }
    let seed = args.from.is_none().then_some(args.seed);
    match &args.out {
        Some(out) if args.json => cli::print_json(&json!({ "seed": seed, "file": out }))?,
        None if args.json => cli::print_json(&json!({ "seed": seed, "suite": text }))?,
        Some(out) => cli::print(&format!("wrote {}\n", out.display()))?,
        None => cli::print(&text)?,
    }
    Ok(Ending::Complete)
}

/// Whether the suite of the paper's board is meant.
fn is_paper(args: &PositionsArgs) -> bool {
    let is_as_usual = args.game.rules.is_none() && args.evaluator.is_none() && args.depth.is_none();
    let is_self_play = args.from.is_none() && args.count.is_none_or(|count| count == COUNT);
    is_as_usual && is_self_play && args.game.info().name == "dice"
}

/// How a suite begins, by which it is known: what it is, and the command that makes it.
fn head(args: &PositionsArgs) -> String {
    let mut flags = format!("--game {}", args.game.info().name);
    let named = [("rules", &args.game.rules), ("evaluator", &args.evaluator)];
    for (flag, value) in named.into_iter().filter_map(|(flag, value)| value.as_ref().map(|v| (flag, v))) {
        let _ = write!(flags, " --{flag} {value}");
    }
    if let Some(depth) = args.depth {
        let _ = write!(flags, " --depth {depth}");
    }
    let what = if let Some(file) = &args.from {
        // Without its folders: suites are for others, too.
        let name = one_line(&file.file_name().unwrap_or_default().to_string_lossy());
        let _ = write!(flags, " --from {name}");
        if let Some(count) = args.count {
            let _ = write!(flags, " --count {count}");
        }
        "positions of a match, decisions about the cube left out".to_owned()
    } else {
        let (count, seed) = (args.count.unwrap_or(COUNT), args.seed);
        let _ = write!(flags, " --count {count} --seed {seed}");
        format!("{count} positions from self-play one move ahead, from opening to end")
    };
    format!(
        "# {what}; made by\n\
         # cargo run --release -p starsplit-experiments --bin starsplit -- positions {flags}\n"
    )
}

/// What comes after the head: the game, its rules, the depth, one position a line.
fn suite(args: &PositionsArgs) -> Result<String, BadInput> {
    let door = args.game.open()?;
    if let Some(file) = &args.from {
        let mut positions = of_match(&*door, file)?;
        positions.truncate(args.count.map_or(usize::MAX, |count| count as usize));
        return Ok(suite::text(&*door, args.depth, &positions));
    }
    let count = args.count.unwrap_or(COUNT) as usize;
    let evaluator = args.evaluator.as_deref().unwrap_or_else(|| door.default_evaluator());
    let positions = door.self_play(evaluator, count, args.seed)?;
    if positions.len() < count {
        let complaint = format!("expected at most {}, which is what many games have", positions.len());
        return Err(BadInput::new("count", count.to_string(), complaint));
    }
    Ok(suite::text(&*door, args.depth, &positions))
}

/// The positions of the match in that file. Names of players may be in any encoding.
fn of_match(door: &dyn Door, file: &Path) -> Result<Vec<Entry>, BadInput> {
    let refuse = |complaint: String| BadInput::new("--from", file.to_string_lossy(), complaint);
    let bytes = files::read(file, files::TEXT)
        .map_err(|error| refuse(format!("expected a readable file ({error})")))?;
    if is_utf16(&bytes) {
        return Err(refuse("expected a text in UTF-8 or another encoding of bytes, not UTF-16".to_owned()));
    }
    let text = String::from_utf8_lossy(&bytes);
    let positions = played(door)?.match_positions(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&text));
    positions.map_err(|error| refuse(error.to_string()))
}
