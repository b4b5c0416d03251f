//! Monte Carlo tree search by treant as a player of EinStein for `match`, by the line protocol of
//! docs/experiments.md.
//!
//! Arguments: `network` or `rollouts`, what a leaf is worth; and the constant of UCT's exploration, where
//! games are worth -1 to 1. experiments/specs/monte-carlo.toml has matches against it.
//!
//! Each move is searched anew, on one thread. Requests are heard between searches alone.

mod tree;

use anyhow::{Context, Error, Result, bail, ensure};
use starsplit::game::{Game, NodeKind, Texts};
use starsplit_games::KnownGame;
use starsplit_games::einstein::{Einstein, INFO, Position};
use std::io::{Write, stdin, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tree::{Leaves, Tree};

/// How its trees are grown.
struct Settings {
    leaves: String,
    exploration: f64,
}

/// The game that is played, and how far it has come.
struct Table {
    game: Arc<Einstein>,
    leaves: Leaves,
    position: Option<Position>,
}

fn main() -> ExitCode {
    let settings = match Settings::read(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(error) => return failed(&error, 2),
    };
    answer_all(&settings).map_or_else(|error| failed(&error, 1), |()| ExitCode::SUCCESS)
}

fn failed(error: &Error, code: u8) -> ExitCode {
    eprintln!("error: {error:#}");
    ExitCode::from(code)
}

/// Answers requests, one a line, until there are no more or one says to quit.
fn answer_all(settings: &Settings) -> Result<()> {
    let mut table = None;
    for line in stdin().lines() {
        let begun = Instant::now();
        let line = line?;
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match word {
            "quit" => break,
            // There is nothing to stop any more.
            "" | "stop" => {}
            "go" => match go(settings, table.as_ref(), rest, begun) {
                // The tree is freed after the answer, since that takes a while.
                Ok((answer, _tree)) => say(&answer)?,
                Err(error) => say(&format!("error {error:#}"))?,
            },
            _ => match order(settings, &mut table, word, rest) {
                Ok(()) => say("ok")?,
                Err(error) => say(&format!("error {error:#}"))?,
            },
        }
    }
    Ok(())
}

impl Settings {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let leaves = arguments.next().unwrap_or_else(|| "network".to_owned());
        let known = matches!(leaves.as_str(), "network" | "rollouts");
        ensure!(known, "leaves {leaves}: expected network or rollouts");
        let constant = arguments.next().unwrap_or_else(|| "0.3".to_owned());
        let exploration =
            constant.parse().ok().filter(|constant: &f64| *constant > 0.0 && constant.is_finite());
        let exploration =
            exploration.with_context(|| format!("exploration {constant}: expected a number above 0"))?;
        Ok(Settings { leaves, exploration })
    }
}

/// Does what is answered by a word that it was done.
fn order(settings: &Settings, table: &mut Option<Table>, word: &str, rest: &str) -> Result<()> {
    match word {
        "game" => {
            let (name, rules) = rest.split_once(' ').unwrap_or((rest, ""));
            ensure!(name == INFO.name, "game {name}: expected {}", INFO.name);
            let game = Einstein::open(&INFO, rules)?;
            let leaves = Leaves::named(&settings.leaves, &game)?;
            *table = Some(Table { game: Arc::new(game), leaves, position: None });
        }
        "new" => table.as_mut().context("new: expected the game first")?.position = None,
        "position" => {
            let table = table.as_mut().context("position: expected the game first")?;
            table.position = Some(table.game.parse(rest)?);
        }
        _ => bail!("request {word}: expected game, new, position, go, stop or quit"),
    }
    Ok(())
}

/// Searches, from the moment `begun`: the answer, and the tree that it is from.
fn go(settings: &Settings, table: Option<&Table>, limits: &str, begun: Instant) -> Result<(String, Tree)> {
    let (time, playouts) = read_limits(limits)?;
    let Table { game, leaves, position } = table.context("go: expected the game first")?;
    let position = position.context("go: expected a position first")?;
    ensure!(game.kind(&position) == NodeKind::Decision, "go: expected a position with a move to choose");
    let mut tree = tree::rooted(game, position, leaves.clone(), settings.exploration);
    let mut done = 0;
    tree.playout_until(|| {
        done += 1;
        // One at least, or there is no move.
        done > 1 && (done > playouts || begun.elapsed() >= time)
    });
    let mv = tree::best_move(&tree).context("go: no move was found")?;
    Ok((format!("info nodes {}\nmove {}", done - 1, game.move_text(&position, mv)), tree))
}

/// The time, and how many playouts are the most, as in `ms 10 nodes 1000`.
fn read_limits(text: &str) -> Result<(Duration, u64)> {
    let (mut time, mut playouts) = (Duration::MAX, u64::MAX);
    let words: Vec<_> = text.split_whitespace().collect();
    ensure!(!words.is_empty(), "go: expected ms or nodes");
    for limit in words.chunks(2) {
        let number = limit.get(1).and_then(|number| number.parse().ok());
        match (limit[0], number) {
            ("ms", Some(number)) => time = Duration::from_millis(number),
            ("nodes", Some(number)) => playouts = number,
            _ => bail!("limit {}: expected ms or nodes with a number", limit.join(" ")),
        }
    }
    Ok((time, playouts))
}

fn say(words: &str) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{words}")?;
    Ok(out.flush()?)
}
