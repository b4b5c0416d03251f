//! The games of a match, several at once, each with players and tables of its own.

use crate::cli::BadInput;
use crate::matches::command::CommandPlayer;
use crate::matches::game::{self, Rules};
use crate::matches::player::{Chooser, RandomPlayer, SearchPlayer};
use crate::matches::setting::{PlayerKind, Setting};
use crate::question::door::Door;
use crate::question::tables;
use crate::records::others::MatchLine;
use starsplit::search::StopFlag;
use starsplit_tables::AnyTable;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The two players of a job.
pub type Pair<'t> = [Box<dyn Chooser + 't>; 2];

/// The tables of a job; the smallest that there are of players that do not search.
pub type PairTables = [AnyTable; 2];

/// Tables for so many jobs.
///
/// # Errors
/// When the machine cannot give so much.
pub fn tables_for(settings: &[Setting; 2], jobs: usize) -> Result<Vec<PairTables>, BadInput> {
    let table = |setting: &Setting| match &setting.player {
        PlayerKind::Search(search, _) => tables::table(search.table_mb),
        PlayerKind::Random | PlayerKind::Command { .. } => tables::smallest(),
    };
    let [one, two] = settings;
    (0..jobs).map(|_| Ok([table(one)?, table(two)?])).collect()
}

/// The players of all jobs. `stop` ends what they are doing.
///
/// # Errors
/// When a player cannot be made, or a command not be started.
pub fn players_for<'t>(
    settings: &[Setting; 2],
    tables: &'t [PairTables],
    door: &Arc<dyn Door>,
    timeout: Duration,
    stop: &StopFlag,
) -> anyhow::Result<Vec<Pair<'t>>> {
    let player = |setting: &Setting, table: &'t AnyTable| -> anyhow::Result<Box<dyn Chooser + 't>> {
        Ok(match &setting.player {
            PlayerKind::Random => Box::new(RandomPlayer),
            PlayerKind::Search(search, level) => {
                let player = search.player(Arc::clone(door), table, stop)?;
                Box::new(SearchPlayer { level: *level, ..player })
            }
            PlayerKind::Command { words, level } => {
                let game = (door.game(), door.rules());
                Box::new(CommandPlayer::start(words, *level, timeout, game, stop.clone())?)
            }
        })
    };
    let [one, two] = settings;
    tables.iter().map(|[first, second]| Ok([player(one, first)?, player(two, second)?])).collect()
}

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
