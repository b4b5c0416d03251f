//! A match of Dice between two engines that differ in their number of threads and have the same time for each
//! move.
//!
//! Games come in pairs: the engines change sides, and the dice fall alike in both games of a pair. Both
//! engines take their threads from one pool, each has a table of its own.
//!
//! `cargo run --release --example match -- --threads 1,2 --time-ms 20 --pairs 16 --seed 1`

use starsplit::evaluator::mix64;
use starsplit::game::{Game, NodeKind, Player};
use starsplit::search::{Limits, MAX_THREADS};
use starsplit::{Pool, Searcher};
use starsplit_games::dice::{Dice, Network, Rules};
use std::io::Write;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

/// The table of each engine, in MiB.
const TABLE_MIB: u64 = 64;

type Anyhow<T> = Result<T, Box<dyn std::error::Error>>;
type Position = <Dice as Game>::Position;
type Move = <Dice as Game>::Move;

/// What the command line asks for.
struct Settings {
    threads: [usize; 2],
    /// Time for a move.
    time: Duration,
    pairs: u64,
    seed: u64,
}

impl Settings {
    fn from_args(mut args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut settings = Settings { threads: [1, 2], time: Duration::from_millis(20), pairs: 16, seed: 1 };
        while let Some(flag) = args.next() {
            let value = args.next().ok_or_else(|| format!("{flag}: expected a value after it"))?;
            match flag.as_str() {
                "--threads" => {
                    let (one, other) = value
                        .split_once(',')
                        .ok_or_else(|| format!("--threads {value}: expected two numbers, such as 1,2"))?;
                    settings.threads = [number(&flag, one)?, number(&flag, other)?];
                }
                "--time-ms" => settings.time = Duration::from_millis(number(&flag, &value)?),
                "--pairs" => settings.pairs = number(&flag, &value)?,
                "--seed" => settings.seed = number(&flag, &value)?,
                _ => return Err(format!("{flag}: expected --threads, --time-ms, --pairs or --seed")),
            }
        }
        if settings.pairs == 0 {
            return Err("--pairs 0: expected at least 1".to_owned());
        }
        match settings.threads.iter().find(|&&threads| !(1..=MAX_THREADS).contains(&threads)) {
            Some(threads) => Err(format!("--threads {threads}: expected 1 to {MAX_THREADS} for each engine")),
            None => Ok(settings),
        }
    }
}

fn number<N: FromStr>(flag: &str, text: &str) -> Result<N, String> {
    text.parse().map_err(|_| format!("{flag} {text}: expected a whole number"))
}

/// One side of the match, and what it did.
struct Engine {
    searcher: Searcher<Dice, Network>,
    moves: u64,
    depths: u64,
    nodes: u64,
    time: Duration,
}

impl Engine {
    fn new(dice: &Dice, pool: &Pool, threads: usize) -> Anyhow<Self> {
        let searcher = Searcher::builder(dice.clone(), Network::trained(dice)?)
            .pool(pool.clone())
            .threads(threads)
            .table_mib(TABLE_MIB)
            .build()?;
        Ok(Engine { searcher, moves: 0, depths: 0, nodes: 0, time: Duration::ZERO })
    }

    fn choose(&mut self, position: &Position, time: Duration) -> Anyhow<Move> {
        let dice = self.searcher.game();
        // Deeper than the rest of the game there is nothing to see.
        let rest = dice.full_depth(position).unwrap_or(u32::MAX);
        let mut limits = Limits::unbounded().with_time(time);
        limits.depth = limits.depth.min(rest.into());
        let result = self.searcher.request(position).limits(limits.clone()).search()?;
        self.moves += 1;
        self.depths += u64::from(result.depth);
        self.nodes += result.stats.nodes.total();
        self.time += result.elapsed;
        // No time for a single iteration: any move will do.
        let mut first = None;
        dice.moves(position, |mv| first = first.or(Some(mv)));
        Ok(result.best_move.or(first).ok_or("a position without moves")?)
    }

    fn report(&self, threads: usize, points: f64) {
        let moves = self.moves.max(1) as f64;
        let depth = self.depths as f64 / moves;
        let rate = self.nodes as f64 / self.time.as_secs_f64().max(1e-9);
        let time = self.time.as_secs_f64() / moves * 1e3;
        println!("{threads:>7}  {points:>6.1}  {depth:>10.2}  {rate:>12.0}  {time:>10.2}");
    }
}

/// The dice of one pair of games: the n-th roll is the same in both.
struct Rolls {
    seed: u64,
    next: u64,
}

impl Rolls {
    fn roll(&mut self, dice: &Dice, position: &Position) -> Anyhow<Position> {
        let mut outcomes = Vec::new();
        dice.outcomes(position, |outcome, weight| outcomes.push((outcome, u64::from(weight))));
        let total: u64 = outcomes.iter().map(|&(_, weight)| weight).sum();
        self.next += 1;
        let bits = mix64(mix64(self.seed).wrapping_add(self.next));
        let mut drawn = ((u128::from(bits) * u128::from(total)) >> 64) as u64;
        for (outcome, weight) in outcomes {
            if drawn < weight {
                return Ok(dice.resolve(position, outcome));
            }
            drawn -= weight;
        }
        Err("a roll without outcomes".into())
    }
}

/// Plays one game; `first` is the engine that has the first player's side. Returns the first engine's points.
fn play(dice: &Dice, engines: &mut [Engine; 2], first: usize, seed: u64, time: Duration) -> Anyhow<f64> {
    engines.iter().for_each(|engine| engine.searcher.new_game());
    let mut rolls = Rolls { seed, next: 0 };
    let mut position = dice.initial();
    loop {
        let side = dice.player(&position);
        position = match dice.kind(&position) {
            NodeKind::Terminal => {
                let score = dice.terminal_score(&position).signum();
                let for_max = if side == Player::Max { score } else { -score };
                let for_engine_0 = if first == 0 { for_max } else { -for_max };
                return Ok(f64::from(for_engine_0 + 1) / 2.0);
            }
            NodeKind::Chance => rolls.roll(dice, &position)?,
            NodeKind::Decision => {
                let engine = if side == Player::Max { first } else { 1 - first };
                let mv = engines[engine].choose(&position, time)?;
                dice.play(&position, mv)
            }
        };
    }
}

/// The mean of the pairs' shares of the points and the half width of its 95% confidence interval, by
/// Student's t; no width can be told from one pair.
fn estimate(shares: &[f64]) -> (f64, f64) {
    let count = shares.len() as f64;
    let mean = shares.iter().sum::<f64>() / count;
    if shares.len() < 2 {
        return (mean, f64::INFINITY);
    }
    let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, t_quantile(count - 1.0) * (variance / count).sqrt())
}

/// The 97.5% quantile of Student's t, by the expansion about the normal quantile (Fisher and Cornish 1960).
fn t_quantile(freedom: f64) -> f64 {
    let z: f64 = 1.959_964;
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / freedom + second / freedom.powi(2) + third / freedom.powi(3)
}

fn run(settings: &Settings) -> Anyhow<()> {
    let dice = Dice::new(Rules::default());
    let [one, other] = settings.threads;
    let pool = Pool::new(one.max(other))?;
    let mut engines = [Engine::new(&dice, &pool, one)?, Engine::new(&dice, &pool, other)?];
    let mut shares = Vec::new();
    for pair in 0..settings.pairs {
        let mut points = 0.0;
        for first in [0, 1] {
            let dice_seed = settings.seed.wrapping_mul(0x9e37_79b9).wrapping_add(pair);
            points += play(&dice, &mut engines, first, dice_seed, settings.time)?;
        }
        shares.push(points / 2.0);
        eprint!("\rpair {} of {}: {points} of 2 points for {one} thread(s)  ", pair + 1, settings.pairs);
        std::io::stderr().flush()?;
    }
    eprintln!();
    let (mean, half_width) = estimate(&shares);
    let games = 2.0 * settings.pairs as f64;
    println!("threads  points  mean depth  nodes/second  ms a move");
    engines[0].report(one, mean * games);
    engines[1].report(other, games - mean * games);
    println!(
        "The engine of {one} thread(s) scored {:.1}% of {games} games; 95% confidence {:.1}% to {:.1}%.",
        100.0 * mean,
        100.0 * (mean - half_width).max(0.0),
        100.0 * (mean + half_width).min(1.0),
    );
    Ok(())
}

fn main() -> ExitCode {
    let settings = match Settings::from_args(std::env::args().skip(1)) {
        Ok(settings) => settings,
        Err(error) => {
            eprintln!("match: {error}");
            return ExitCode::from(2);
        }
    };
    match run(&settings) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("match: {error}");
            ExitCode::FAILURE
        }
    }
}
