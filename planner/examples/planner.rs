//! One search shared by workers that have nothing in common but the game: a planner hands out tasks as lines
//! of text, and workers with a table each answer with lines. Here they are threads with channels; they could
//! as well be processes on other machines.
//!
//! The first task is lost on its way. When nobody has answered for a while it is handed out again, and the
//! value is that of a plain search, to the last bit. The game is Pig, from `examples/pig.rs`:
//! `cargo run --release -p starsplit-planner --example planner`

#[allow(dead_code, reason = "it has a main of its own")]
#[path = "../../examples/pig.rs"]
mod pig;

use pig::under_way;
use starsplit::Searcher;
use starsplit::evaluator::Constant;
use starsplit::search::Limits;
use starsplit::table::{LocklessTable, Reuse};
use starsplit_planner::{Answer, Identities, Plan, Planner, PlannerOptions, work};
use std::collections::HashSet;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

type Anyhow<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

const WORKERS: usize = 3;
const DEPTH: u32 = 16;

/// What was handed out is taken to be lost when no answer has come for so long. Should it come all the same,
/// it counts.
const PATIENCE: Duration = Duration::from_millis(500);

/// Answers lines until there are no more.
fn answer_lines(lines: &Mutex<Receiver<String>>, answers: &Sender<String>) -> Anyhow<()> {
    let (game, root) = under_way();
    let searcher = Searcher::new(game, Constant::default(), LocklessTable::new(1)?);
    loop {
        let line = lines.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(line) = line else { return Ok(()) };
        let answer = work(&searcher, &root, &line.parse()?, &Limits::unbounded())?;
        if answers.send(answer.to_string()).is_err() {
            return Ok(()); // the plan has ended
        }
    }
}

/// Hands tasks out and takes answers until the plan has ended; with how many tasks were lost.
fn plan(tasks: Sender<String>, answers: &Receiver<String>) -> Anyhow<(Plan<pig::Move>, usize)> {
    let (game, root) = under_way();
    let identities = Identities::new(&game, &Constant::default(), Reuse::Exact);
    let options = PlannerOptions { split_above: 2_000, parts: 32 };
    let mut planner = Planner::new(game, root, DEPTH, identities, options)?;
    let (mut out, mut is_first, mut lost) = (HashSet::new(), true, 0);
    loop {
        if let Some(plan) = planner.plan() {
            return Ok((plan, lost));
        }
        // A few more than there are workers, so that none has to wait.
        for task in planner.hand_out((2 * WORKERS).saturating_sub(out.len())) {
            if !std::mem::take(&mut is_first) {
                tasks.send(task.to_string())?;
            }
            out.insert(task.key);
        }
        match answers.recv_timeout(PATIENCE) {
            Ok(line) => {
                let answer: Answer = line.parse()?;
                out.remove(&answer.key);
                planner.answer(&answer)?;
            }
            Err(RecvTimeoutError::Timeout) => {
                lost += out.len();
                out.drain().for_each(|key| planner.lost(&key));
            }
            Err(RecvTimeoutError::Disconnected) => return Err("no worker is left".into()),
        }
    }
}

fn main() -> Anyhow<()> {
    let (tasks, lines) = channel();
    let (sender, answers) = channel();
    let lines = Mutex::new(lines);
    let (plan, lost) = thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|_| {
                let (lines, sender) = (&lines, sender.clone());
                scope.spawn(move || answer_lines(lines, &sender))
            })
            .collect();
        drop(sender);
        let planned = plan(tasks, &answers); // it drops the other end of the lines, so that the workers go
        for worker in workers {
            worker.join().map_err(|_| "a worker panicked")??;
        }
        planned
    })?;
    println!(
        "value {} by {} answers of {} nodes, best move {:?}, {lost} lost",
        plan.bounds.lower, plan.answers, plan.nodes, plan.best_move,
    );
    let (game, root) = under_way();
    let searcher = Searcher::new(game, Constant::default(), LocklessTable::new(16)?);
    let result = searcher.request(&root).limits(Limits::depth(DEPTH)).search()?;
    if plan.bounds != result.bounds {
        return Err(format!("{:?}, expected {:?}", plan.bounds, result.bounds).into());
    }
    if lost == 0 {
        return Err("no task was lost: expected one at least".into());
    }
    println!("a plain search of {} nodes finds the same value, to the last bit", result.stats.nodes.total());
    Ok(())
}
