//! What several threads gain in searches that are over soon, and lose in those that are over sooner.
//!
//! `cargo bench --bench short` searches the 50 positions of suite `paper` to depths 5 to 13, serially and on
//! two threads by turns; `-- 4` on four. For searches of about equal length it prints the speedup: of each
//! position the median over the rounds of the ratios within each, and of the positions the least, the
//! quartiles and the median.

use starsplit::search::{Limits, Options};
use starsplit::table::{LocklessTable, Table};
use starsplit::{Pool, Searcher};
use starsplit_games::dice::{Dice, Network, Position, Rules};
use std::error::Error;
use std::time::{Duration, Instant};

const SUITE: &str = include_str!("../src/dice/suites/paper.txt");

const DEPTHS: [u32; 5] = [5, 7, 9, 11, 13];

const ROUNDS: usize = 9;

/// Where one class of searches ends and the next begins, in microseconds of the serial search.
const CLASSES: [u64; 12] = [0, 20, 50, 100, 200, 400, 700, 1_400, 3_500, 7_000, 14_000, 50_000];

type Engine<'a> = Searcher<Dice, &'a Network, &'a LocklessTable>;

/// One search, in each round.
#[derive(Default)]
struct Pairs {
    serial: Vec<Duration>,
    speedups: Vec<f64>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    // Under `cargo test` nothing is measured.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let named = arguments.find(|argument| !argument.starts_with('-'));
    let threads = named.map_or(Ok(2), |number| number.parse())?;
    let dice = Dice::new(Rules::default());
    let positions = SUITE.lines().filter(|line| !line.starts_with(['#', 'r', 'd']) && !line.is_empty());
    let positions = positions.map(|line| dice.parse(line)).collect::<Result<Vec<_>, _>>()?;
    // All that is read is the same memory for both, as warm for the one as for the other.
    let (network, table) = (Network::trained(&dice)?, LocklessTable::new(16)?);
    let engine = |threads| -> Result<Engine<'_>, Box<dyn Error>> {
        let options = Options { threads, ..Options::default() };
        let searcher = Searcher::new(dice.clone(), &network, &table);
        Ok(searcher.with_options(options).with_pool(Pool::new(threads)?))
    };
    let (serial, parallel) = (engine(1)?, engine(threads)?);
    let searches: Vec<_> =
        DEPTHS.iter().flat_map(|&depth| positions.iter().map(move |position| (position, depth))).collect();
    let mut pairs: Vec<Pairs> = searches.iter().map(|_| Pairs::default()).collect();
    for round in 0..ROUNDS {
        for (&(position, depth), pairs) in searches.iter().zip(&mut pairs) {
            // The first search of a position has the processor's predictions to make, for a tenth of its
            // time.
            time(&serial, position, depth)?;
            let (one, many) = if round % 2 == 0 {
                let one = time(&serial, position, depth)?;
                (one, time(&parallel, position, depth)?)
            } else {
                let many = time(&parallel, position, depth)?;
                (time(&serial, position, depth)?, many)
            };
            pairs.serial.push(one);
            pairs.speedups.push(one.as_secs_f64() / many.as_secs_f64());
        }
    }
    print(threads, &mut pairs);
    Ok(())
}

/// How long a search takes with an empty table.
fn time(engine: &Engine<'_>, position: &Position, depth: u32) -> Result<Duration, Box<dyn Error>> {
    engine.table().clear(1); // by this thread, in whose cache it then is as much as it can be
    let begin = Instant::now();
    engine.request(position).limits(Limits::depth(depth)).search()?;
    Ok(begin.elapsed())
}

fn print(threads: usize, pairs: &mut [Pairs]) {
    for Pairs { serial, speedups } in &mut *pairs {
        serial.sort_unstable();
        speedups.sort_by(f64::total_cmp);
    }
    println!("{threads} threads, {ROUNDS} rounds");
    println!(
        "{:>18} {:>9} {:>7} {:>7} {:>7} {:>7}",
        "serial, us", "searches", "least", "25%", "median", "75%"
    );
    let ends = CLASSES[1..].iter().copied().chain([u64::MAX]);
    for (begin, end) in CLASSES.into_iter().zip(ends) {
        let of_class = |pairs: &&Pairs| (begin..end).contains(&(pairs.serial[ROUNDS / 2].as_micros() as u64));
        let mut speedups: Vec<f64> =
            pairs.iter().filter(of_class).map(|pairs| pairs.speedups[ROUNDS / 2]).collect();
        speedups.sort_by(f64::total_cmp);
        let Some(last) = speedups.len().checked_sub(1) else { continue };
        let class = if end == u64::MAX { format!("{begin} and more") } else { format!("{begin} to {end}") };
        let [least, low, median, high] = [0, last / 4, last / 2, 3 * last / 4].map(|place| speedups[place]);
        println!("{class:>18} {:>9} {least:>7.3} {low:>7.3} {median:>7.3} {high:>7.3}", last + 1);
    }
}
