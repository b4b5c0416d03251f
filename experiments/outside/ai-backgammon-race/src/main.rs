//! The search of the crate ai-backgammon beside that of starsplit, by its rules and its evaluation, at equal
//! depth and value: prints a table, and ends with 1 where a value differs.
//!
//! Arguments: `--positions`, `--rounds`, `--depths` (such as `1,2`) and `--seed`, each with a value.
//!
//! Their depth counts turns: so many choices of a move, with a mean over all 21 rolls between two of them.
//! What comes after the last move is evaluated before a roll. So depth 1 is one ply of ours, depth 2 three
//! plies and depth 3 five. Their search is Expectimax, and exact: it cuts nothing off and leaves no move out,
//! its table answers at equal depth alone, and an iteration ends it early only where three points are
//! certain. Both begin with smaller depths, and both take boards of equal hashes for the same.
//!
//! What differs: ours prunes, and takes likelier rolls first. Theirs orders moves by evaluation, which saves
//! nothing where nothing is cut off, and evaluates two boards for each comparison of that. Rules and
//! evaluation are their code in both. All times have the emptying of a table in them, which tells at depth 1.

mod game;
mod positions;
mod race;

use anyhow::{Context, Error, Result, bail};
use race::{RACERS, Race, TABLE, Timed, plies};
use std::env::args_os;
use std::io::{Write, stdout};
use std::process::ExitCode;

/// The deepest that their strongest preset goes.
const DEEPEST: u8 = 4;

/// More positions or rounds than anybody waits for.
const MOST: usize = 10_000;

/// What is raced.
struct Settings {
    positions: usize,
    rounds: usize,
    depths: Vec<u8>,
    seed: u64,
}

fn main() -> ExitCode {
    let arguments = args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    let settings = match Settings::read(arguments) {
        Ok(settings) => settings,
        Err(error) => return failed(&error, 2),
    };
    race_all(&settings).map_or_else(|error| failed(&error, 1), |()| ExitCode::SUCCESS)
}

fn failed(error: &Error, code: u8) -> ExitCode {
    eprintln!("error: {error:#}");
    ExitCode::from(code)
}

impl Settings {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self> {
        let mut settings = Settings { positions: 12, rounds: 5, depths: vec![1, 2], seed: 1 };
        while let Some(flag) = arguments.next() {
            let value = arguments.next().unwrap_or_default();
            match flag.as_str() {
                "--positions" => settings.positions = number(&flag, &value)?,
                "--rounds" => settings.rounds = number(&flag, &value)?,
                "--depths" => settings.depths = depths(&value)?,
                "--seed" => {
                    let seed = value.parse().ok();
                    settings.seed =
                        seed.with_context(|| format!("{flag} {value}: expected 0 to {}", u64::MAX))?;
                }
                _ => bail!("argument {flag}: expected --positions, --rounds, --depths or --seed"),
            }
        }
        Ok(settings)
    }
}

fn number(flag: &str, value: &str) -> Result<usize> {
    let number = value.parse().ok().filter(|number| (1..=MOST).contains(number));
    number.with_context(|| format!("{flag} {value}: expected 1 to {MOST}"))
}

fn depths(value: &str) -> Result<Vec<u8>> {
    let depth = |text: &str| text.parse().ok().filter(|depth| (1..=DEEPEST).contains(depth));
    let depths = value.split(',').map(depth).collect::<Option<_>>();
    depths.with_context(|| format!("--depths {value}: expected numbers from 1 to {DEEPEST}, such as 1,2"))
}

/// Races at all depths, and prints a line of each.
fn race_all(settings: &Settings) -> Result<()> {
    let &Settings { positions, rounds, ref depths, seed } = settings;
    let mut race = Race::new()?;
    say(&format!(
        "ai-backgammon 0.1.0 (they) beside starsplit (we): positions {positions}, rounds {rounds}, seed \
         {seed}, tables of {TABLE} bytes"
    ))?;
    say(
        "their time / ours: median (quartiles) of positions, by medians of rounds; sums in ms; points apart",
    )?;
    say(&row(["depth", "plies", "one thread", "two threads", "they", "we", "we on two", "apart"]))?;
    let drawn = positions::draw(positions, seed)?;
    for &turns in depths {
        let raced = drawn.iter().map(|position| race.run(position, turns, rounds));
        say(&line(turns, &raced.collect::<Result<Vec<_>>>()?))?;
    }
    Ok(())
}

/// The line of a depth.
fn line(turns: u8, raced: &[Timed]) -> String {
    let total = |racer: usize| {
        let seconds: f64 = raced.iter().map(|timed| timed.times[racer].as_secs_f64()).sum();
        format!("{:.2}", 1e3 * seconds)
    };
    let [they, we, on_two] = std::array::from_fn::<_, RACERS, _>(total);
    let [one, two] = [1, 2].map(|racer| {
        let ratio = |timed: &Timed| timed.times[0].as_secs_f64() / timed.times[racer].as_secs_f64();
        let [low, median, high] = quartiles(raced.iter().map(ratio).collect());
        format!("{median:.2} ({low:.2} to {high:.2})")
    });
    let apart = raced.iter().map(|timed| timed.difference).fold(0.0, f64::max);
    let [depth, plies] = [turns.to_string(), plies(turns).to_string()];
    row([&depth, &plies, &one, &two, &they, &we, &on_two, &format!("{apart:.1e}")])
}

fn row([depth, plies, one, two, they, we, on_two, apart]: [&str; 8]) -> String {
    format!("{depth:>5} {plies:>5} {one:>24} {two:>24} {they:>11} {we:>11} {on_two:>11} {apart:>8}")
}

/// The lower quartile, the median and the upper quartile, between neighbours by how near each is.
fn quartiles(mut numbers: Vec<f64>) -> [f64; 3] {
    numbers.sort_unstable_by(f64::total_cmp);
    [0.25, 0.5, 0.75].map(|part| {
        let place = part * (numbers.len() - 1) as f64;
        let [below, above] = [place.floor(), place.ceil()].map(|place| numbers[place as usize]);
        below + (above - below) * place.fract()
    })
}

fn say(words: &str) -> Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "{words}")?;
    Ok(out.flush()?)
}
