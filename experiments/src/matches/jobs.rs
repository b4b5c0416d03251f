//! The games of a match, several at once, each with players and tables of its own.

use crate::matches::game::{self, Rules};
use crate::matches::player::Chooser;
use crate::records::others::MatchLine;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The two players of a job.
pub type Pair<'t> = [Box<dyn Chooser + 't>; 2];

/// Plays the games of these numbers, as many at once as there are pairs of players, and gives each to `keep`
/// as it ends. The stop of `rules` ends them early, and is raised when something fails.
///
/// # Errors
/// What fails first. Games that others had finished by then are kept.
pub fn run(
    rules: &Rules<'_>,
    numbers: &[u64],
    pairs: Vec<Pair<'_>>,
    keep: impl FnMut(MatchLine) -> anyhow::Result<()> + Send,
) -> anyhow::Result<()> {
    let next = AtomicUsize::new(0);
    let (keep, failure) = (Mutex::new(keep), Mutex::new(None));
    let fail = |error| {
        let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
        // What a stop has ended half way is no failure.
        if !rules.stop.is_raised() {
            *failure = Some(error);
        }
        rules.stop.stop();
    };
    let play_all = |mut players: Pair<'_>| -> anyhow::Result<()> {
        // Relaxed: each number has to be taken once, and nothing else is told by it.
        while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(line) = game::play(rules, number, &mut players)? else { break };
            (keep.lock().unwrap_or_else(PoisonError::into_inner))(line)?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        for players in pairs {
            let work = || play_all(players).unwrap_or_else(fail);
            if let Err(error) = thread::Builder::new().spawn_scoped(scope, work) {
                fail(error.into());
            }
        }
    });
    failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
}
