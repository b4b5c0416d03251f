//! The games of a match, several at once, each with players and tables of its own.

use crate::cli::BadInput;
use crate::matches::command::CommandPlayer;
use crate::matches::game::{self, Rules};
use crate::matches::player::{Chooser, RandomPlayer};
use crate::matches::setting::{PlayerKind, Setting};
use crate::question::door::Door;
use crate::question::tables;
use crate::records::others::MatchLine;
use starsplit::search::StopFlag;
use starsplit_tables::AnyTable;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// How often Ctrl-C is looked for.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// The two players of a job.
pub type Pair<'t> = [Box<dyn Chooser + 't>; 2];

/// The tables of a job, where its players search.
pub type PairTables = [Option<AnyTable>; 2];

/// Tables for so many jobs.
///
/// # Errors
/// When the machine cannot give so much.
pub fn tables_for(settings: &[Setting; 2], jobs: usize) -> Result<Vec<PairTables>, BadInput> {
    let table = |setting: &Setting| match &setting.player {
        PlayerKind::Search(search, _) => tables::table(search.table_mb).map(Some),
        PlayerKind::Random | PlayerKind::Command { .. } => Ok(None),
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
    let player = |setting: &Setting, table: Option<&'t AnyTable>| -> anyhow::Result<Box<dyn Chooser + 't>> {
        Ok(match (&setting.player, table) {
            (PlayerKind::Search(search, level), Some(table)) => {
                let mut player = search.player(Arc::clone(door), table, stop)?;
                player.level = *level;
                Box::new(player)
            }
            (PlayerKind::Command { words, level }, _) => {
                let game = (door.game(), door.rules());
                Box::new(CommandPlayer::start(words, *level, timeout, game, stop.clone())?)
            }
            (PlayerKind::Random | PlayerKind::Search(..), _) => Box::new(RandomPlayer),
        })
    };
    let [one, two] = settings;
    tables
        .iter()
        .map(|[first, second]| Ok([player(one, first.as_ref())?, player(two, second.as_ref())?]))
        .collect()
}

/// Plays the games of these numbers, as many at once as there are pairs of players, and gives each to `keep`
/// as it ends; whether Ctrl-C, which `asked` tells of, came first. The stop of `rules` and of the players is
/// raised then, and when something fails.
///
/// # Errors
/// What fails first. Games that others had finished by then are kept.
pub fn run(
    rules: &Rules<'_>,
    numbers: &[u64],
    pairs: Vec<Pair<'_>>,
    asked: &StopFlag,
    mut keep: impl FnMut(MatchLine) -> anyhow::Result<()>,
) -> anyhow::Result<bool> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    let mut failure = None;
    thread::scope(|scope| -> anyhow::Result<()> {
        for players in pairs {
            let (sender, next) = (sender.clone(), &next);
            let work = move || play_all(rules, numbers, next, players, &sender);
            let spawned = thread::Builder::new().spawn_scoped(scope, work);
            spawned.inspect_err(|_| rules.stop.stop())?;
        }
        drop(sender);
        loop {
            let failed = match receiver.recv_timeout(BETWEEN_LOOKS) {
                Ok(played) => played.and_then(&mut keep).err(),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            if asked.is_raised() || failed.is_some() {
                rules.stop.stop();
            }
            failure = failure.take().or(failed);
        }
    })?;
    match failure {
        // What Ctrl-C has ended half way is no failure.
        Some(error) if !asked.is_raised() => Err(error),
        _ => Ok(asked.is_raised()),
    }
}

/// Takes one game after another until there are no more, or it is stopped.
fn play_all(
    rules: &Rules<'_>,
    numbers: &[u64],
    next: &AtomicUsize,
    mut players: Pair<'_>,
    sender: &Sender<anyhow::Result<MatchLine>>,
) {
    // Relaxed: each number has to be taken once, and nothing else is told by it.
    while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
        let played = game::play(rules, number, &mut players);
        let is_last = !matches!(played, Ok(Some(_)));
        if let Some(line) = played.transpose() {
            // Nobody listens any more only where a thread could not be started.
            let _ = sender.send(line);
        }
        if is_last || rules.stop.is_raised() {
            return;
        }
    }
}
