//! The thread that does a machine's work, and what is said between it and the run.
//!
//! A machine goes no farther in time than it is granted. Whatever it is told it answers: that it has come to
//! the end of what was granted, or that its task is done.

use super::Cluster;
use crate::{Task, position_at};
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit::search::{Proof, SearchError};
use starsplit::sharing::catch;
use starsplit::simulate::Simulation;
use starsplit::table::Table;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// What a machine is told.
#[derive(Debug)]
enum Command {
    /// Begin this task, at this time. It waits at once.
    Begin(Task, u64),
    /// Go on until this time.
    GoOn(u64),
    /// End the task now.
    Stop,
}

/// What it answers.
#[derive(Debug)]
pub(super) enum Report {
    /// It has come so far.
    Waits { clock: u64 },
    /// The task has ended at this time, with what was proven until then and the work that it took.
    Done { clock: u64, proof: Box<Proof>, work: Duration },
}

/// The run's end.
#[derive(Debug)]
pub(super) struct Link {
    commands: Sender<Command>,
    reports: Receiver<Result<Report, SearchError>>,
}

/// The machine's end.
#[derive(Debug)]
pub(super) struct Door {
    commands: Receiver<Command>,
    reports: Sender<Result<Report, SearchError>>,
}

/// Both ends.
pub(super) fn link() -> (Link, Door) {
    let (commands, told) = channel();
    let (reports, heard) = channel();
    (Link { commands, reports: heard }, Door { commands: told, reports })
}

impl Link {
    pub(super) fn begin(&self, task: Task, at: u64) -> Result<Report, SearchError> {
        self.say(Command::Begin(task, at));
        self.hear()
    }

    pub(super) fn stop(&self) -> Result<Report, SearchError> {
        self.say(Command::Stop);
        self.hear()
    }

    /// Lets it go on; its report is to be heard before anything else is said.
    pub(super) fn go_on(&self, until: u64) {
        self.say(Command::GoOn(until));
    }

    pub(super) fn hear(&self) -> Result<Report, SearchError> {
        self.reports.recv().expect("a machine's thread lasts as long as its link")
    }

    fn say(&self, command: Command) {
        self.commands.send(command).expect("a machine's thread lasts as long as its link");
    }
}

impl Door {
    /// Does tasks until the other end is gone.
    pub(super) fn serve<G: Game, E: Evaluator<G>, T: Table>(
        &self,
        searcher: &Searcher<G, E, T>,
        root: &G::Position,
        cluster: &Cluster,
    ) {
        while let Ok(command) = self.commands.recv() {
            let Command::Begin(task, start) = command else { continue };
            let report = self.work(searcher, root, cluster, &task, start);
            if self.reports.send(report).is_err() {
                return;
            }
        }
    }

    fn work<G: Game, E: Evaluator<G>, T: Table>(
        &self,
        searcher: &Searcher<G, E, T>,
        root: &G::Position,
        cluster: &Cluster,
        task: &Task,
        start: u64,
    ) -> Result<Report, SearchError> {
        let Task { key, window } = task;
        let position = catch(|| position_at(searcher.game(), root, &key.path))?;
        let position = position.expect("the planner's paths lead to positions of the game");
        let simulation = Simulation { costs: cluster.costs, seed: cluster.seed, device: None };
        let pace = |clock: u64| self.granted(start, clock);
        let depth = key.depth.into();
        let (proof, work) = searcher.simulate_proof(&position, depth, *window, &simulation, &pace)?;
        Ok(Report::Done {
            clock: start.saturating_add(nanoseconds(proof.elapsed)),
            proof: Box::new(proof),
            work,
        })
    }

    /// Tells how far the task has come and waits for more time; nothing where it has to end.
    fn granted(&self, start: u64, clock: u64) -> Option<u64> {
        self.reports.send(Ok(Report::Waits { clock: start.saturating_add(clock) })).ok()?;
        match self.commands.recv() {
            Ok(Command::GoOn(until)) => Some(until.saturating_sub(start)),
            Ok(Command::Stop | Command::Begin(..)) | Err(_) => None,
        }
    }
}

pub(super) fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
