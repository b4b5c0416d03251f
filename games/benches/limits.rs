//! By how much a search overruns a limit of time, and a stop from outside, with evaluations of every cost.
//!
//! `cargo bench --bench limits` searches Dice with a limit of 20 ms, and with a stop after as long, on 1, 2
//! and 8 threads, and prints the overrun in milliseconds: half of the searches, 99 in 100, the longest; and
//! what the documentation allows at the second of them, 5 ms and for each thread that a processor has one
//! evaluation and 1 ms.

use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::Game;
use starsplit::score::Score;
use starsplit::search::{Limits, Options, StopFlag};
use starsplit::table::LocklessTable;
use starsplit::{Pool, Searcher};
use starsplit_games::dice::{Dice, Rules};
use std::error::Error;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_millis(20);

const COSTS: [u64; 5] = [0, 5, 50, 200, 1_000];

const THREADS: [usize; 3] = [1, 2, 8];

const RUNS: usize = 100;

/// The evaluations of [`HashRandom`], each of which takes so long.
struct Dear(Duration);

impl Evaluator<Dice> for Dear {
    type State = ();

    fn facts(&self, _: &Dice) -> EvaluatorFacts {
        EvaluatorFacts::new(0)
    }

    fn state(&self, _: &Dice, _: &<Dice as Game>::Position, _: Option<Before<'_, Dice, ()>>) {}

    fn evaluate(&self, dice: &Dice, position: &<Dice as Game>::Position, (): &()) -> Score {
        let begin = Instant::now();
        let score = HashRandom::new(1, 1 << 20).evaluate(dice, position, &());
        while begin.elapsed() < self.0 {
            std::hint::spin_loop();
        }
        score
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    // Under `cargo test` nothing is measured.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    println!("{RUNS} searches each, {cores} processors, overrun in ms");
    println!(
        "{:>14} {:>8} {:>6} {:>7} {:>7} {:>7} {:>8}",
        "evaluation, us", "threads", "end", "p50", "p99", "max", "allowed"
    );
    for threads in THREADS {
        let pool = Pool::new(threads)?;
        for micros in COSTS {
            let cost = Duration::from_micros(micros);
            let dice = Dice::new(Rules::default());
            let options = Options { threads, ..Options::default() };
            let searcher = Searcher::new(dice, Dear(cost), LocklessTable::new(16)?);
            let searcher = searcher.with_options(options).with_pool(pool.clone());
            let allowed =
                Duration::from_millis(5) + (cost + Duration::from_millis(1)) * threads.div_ceil(cores) as u32;
            for (end, overrun) in [("time", of_limit as Overrun), ("stop", of_stop)] {
                let mut overruns =
                    (0..RUNS).map(|_| overrun(&searcher)).collect::<Result<Vec<_>, Box<dyn Error>>>()?;
                overruns.sort_unstable();
                let [half, most, longest] =
                    [50, 99, 100].map(|percent| 1e3 * overruns[RUNS * percent / 100 - 1].as_secs_f64());
                let allowed = 1e3 * allowed.as_secs_f64();
                println!(
                    "{micros:>14} {threads:>8} {end:>6} {half:>7.2} {most:>7.2} {longest:>7.2} {allowed:>8.1}"
                );
            }
        }
    }
    Ok(())
}

type Engine = Searcher<Dice, Dear, LocklessTable>;

type Overrun = fn(&Engine) -> Result<Duration, Box<dyn Error>>;

fn of_limit(engine: &Engine) -> Result<Duration, Box<dyn Error>> {
    engine.new_game();
    let begin = Instant::now();
    engine.request(&engine.game().initial()).limits(Limits::unbounded().with_time(LIMIT)).search()?;
    Ok(begin.elapsed().saturating_sub(LIMIT))
}

fn of_stop(engine: &Engine) -> Result<Duration, Box<dyn Error>> {
    engine.new_game();
    let flag = StopFlag::new();
    std::thread::scope(|scope| {
        let stopper = flag.clone();
        let stopped = scope.spawn(move || {
            std::thread::sleep(LIMIT);
            let asked = Instant::now();
            stopper.stop();
            asked
        });
        engine.request(&engine.game().initial()).limits(Limits::unbounded().with_stop(flag)).search()?;
        let ended = Instant::now();
        let asked = stopped.join().map_err(|_| "the thread that stops the search panicked")?;
        Ok(ended.saturating_duration_since(asked))
    })
}
