//! How soon a search ends when it is asked to, and how soon a worker leaves what has been cut above it.
//!
//! `cargo bench --bench latency` prints both for 1, 2, 8 and 64 threads, by the default method; `-- METHOD`
//! for another. Stop latency is from the request, made by another thread, to the return of the search. Abort
//! latency is from the cut of a split point to the moment a worker has left what it searched below.

use starsplit::search::{Histogram, Limits, Method, Options, Splits, StopFlag, WorkerStats};
use starsplit::table::LocklessTable;
use starsplit::{Pool, Searcher};
use starsplit_games::dice::{Dice, Network, Position, Rules};
use std::error::Error;
use std::sync::mpsc;
use std::time::{Duration, Instant};

const THREADS: [usize; 4] = [1, 2, 8, 64];

/// How many searches are stopped, for each number of threads.
const STOPS: u64 = 200;

/// How many searches are run for their aborts.
const RUNS: usize = 30;

/// The depth of those.
const DEPTH: u32 = 11;

const POSITIONS: [&str; 3] = [
    "...../..x../..o../...../..... x -",
    "x.o../..x../.oo../.x..o/...x. x -",
    "x.o../..x../..o../...../..... x -",
];

type Engine = Searcher<Dice, Network, LocklessTable>;

fn main() -> Result<(), Box<dyn Error>> {
    // What cargo passes to benches begins with a dash.
    let named = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    let method = named.map_or(Ok(Method::default()), |name| name.parse())?;
    let dice = Dice::new(Rules::default());
    let positions = POSITIONS.into_iter().map(|text| dice.parse(text)).collect::<Result<Vec<_>, _>>()?;
    println!("{method}, microseconds");
    println!(
        "{:<8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "what", "threads", "count", "p50", "p90", "p99", "max"
    );
    for threads in THREADS {
        let options = Options {
            method,
            threads,
            splits: Splits { alone: true, ..Splits::default() },
            ..Options::default()
        };
        let engine = Searcher::new(dice.clone(), Network::trained(&dice)?, LocklessTable::new(64)?)
            .with_options(options)
            .with_pool(Pool::new(threads)?);
        print("stop", threads, &stops(&engine, &positions)?);
        print("abort", threads, &aborts(&engine, &positions)?);
    }
    Ok(())
}

/// From requests to stop to the ends of the searches, in nanoseconds.
fn stops(engine: &Engine, positions: &[Position]) -> Result<Histogram, Box<dyn Error>> {
    let mut latencies = Histogram::default();
    for (number, position) in (0..STOPS).zip(positions.iter().cycle()) {
        let flag = StopFlag::new();
        let limits = Limits::unbounded().with_stop(flag.clone());
        let (sender, receiver) = mpsc::channel();
        // Spread over the iterations: 2 to 32 milliseconds, in an order that follows nothing.
        let delay = Duration::from_micros(2_000 + number * 7_919 % 30_000);
        let stopper = std::thread::spawn(move || {
            std::thread::sleep(delay);
            let requested = Instant::now();
            flag.stop();
            sender.send(requested)
        });
        engine.request(position).limits(limits.clone()).search()?;
        let ended = Instant::now();
        latencies.add(ended.saturating_duration_since(receiver.recv()?).as_nanos() as u64, 1);
        stopper.join().map_err(|_| "the stopping thread panicked")??;
    }
    Ok(latencies)
}

/// From cuts of split points to the moments at which workers had left, in nanoseconds.
fn aborts(engine: &Engine, positions: &[Position]) -> Result<Histogram, Box<dyn Error>> {
    use starsplit::table::Table;
    let mut all = WorkerStats::default();
    for (_, position) in (0..RUNS).zip(positions.iter().cycle()) {
        engine.table().clear(1);
        let result = engine.request(position).limits(Limits::depth(DEPTH)).search()?;
        result.workers.iter().for_each(|worker| all.add(worker));
    }
    Ok(all.abort_ns)
}

fn print(what: &str, threads: usize, latencies: &Histogram) {
    let micros = |nanos: u64| nanos as f64 / 1e3;
    let at = |quantile| micros(latencies.quantile(quantile));
    println!(
        "{what:<8} {threads:>8} {:>8} {:>8.1} {:>8.1} {:>8.1} {:>8.1}",
        latencies.total(),
        at(0.5),
        at(0.9),
        at(0.99),
        micros(latencies.max()),
    );
}
