//! The run: messages in the order of time, and the planner's side of it.

use super::link::link;
use super::machine::{Counts, Machine, Proven, Taken, Told};
use super::{Cluster, ClusterError, Clustered};
use crate::{Answer, Identities, Plan, Planner, Progress, Task, TaskKey};
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit::search::{Limits, SearchError};
use starsplit::sharing::catch;
use starsplit::table::Table;
use std::collections::BTreeMap;
use std::thread;
use std::time::Duration;

/// Searches `position` to the depth of `limits` on these machines, each a searcher with a table of its own
/// and as many virtual processors as its options have threads, in virtual time; see
/// [`cluster`](crate::cluster). Of the limits only the depth and the stop flag count beside it.
///
/// The tables are as they are: whoever wants machines that know nothing clears them before.
///
/// # Errors
/// When there is no machine, their searches differ, one of them or the planner fails, the game panics, or it
/// is stopped.
pub fn search_on_cluster<G, E, T>(
    machines: &[Searcher<G, E, T>],
    position: &G::Position,
    limits: &Limits,
    cluster: &Cluster,
) -> Result<Clustered<G::Move>, ClusterError>
where
    G: Game + Clone,
    E: Evaluator<G>,
    T: Table,
{
    let first = machines.first().ok_or(ClusterError::NoMachines)?;
    let of = |machine: &Searcher<G, E, T>| {
        Identities::new(machine.game(), machine.evaluator(), machine.options().reuse)
    };
    let identities = of(first);
    if let Some(index) = machines.iter().position(|machine| of(machine) != identities) {
        return Err(ClusterError::Differs { machine: index + 1 });
    }
    let (game, root) = (first.game().clone(), position.clone());
    let planner = catch(|| Planner::new(game, root, limits.depth, identities, cluster.planner))??;
    let (links, doors): (Vec<_>, Vec<_>) = machines.iter().map(|_| link()).unzip();
    let cluster = Cluster { latency_ns: cluster.latency_ns.max(1), ..*cluster };
    thread::scope(|scope| {
        for (searcher, door) in machines.iter().zip(doors) {
            scope.spawn(move || door.serve(searcher, position, &cluster));
        }
        let transit = 2 * cluster.latency_ns + 4 * cluster.message_ns;
        let machines = links.into_iter().map(|link| Machine::new(link, transit)).collect();
        // The planner asks the game, too; what panics here drops the links, and the machines end.
        catch(|| Run::new(planner, identities, cluster, machines).run(limits))?
    })
}

/// A message on its way.
#[derive(Debug)]
enum Message {
    /// To a machine: a task.
    Task(Task),
    /// To a machine: a task that it has matters no more.
    Closed(TaskKey),
    /// To a machine: a task that it has is this now.
    Narrowed(Task),
    /// From a machine.
    Told(Told),
}

struct Run<G: Game> {
    planner: Planner<G>,
    identities: Identities,
    cluster: Cluster,
    machines: Vec<Machine>,
    /// The tasks that each machine has, as far as the planner knows.
    given: Vec<Vec<TaskKey>>,
    /// Messages by the time at which they come, in the order in which they were sent, with the machine.
    on_the_way: BTreeMap<(u64, u64), (usize, Message)>,
    /// When the planner has done with what it has been told.
    planner_clock: u64,
    planning: u64,
    messages: u64,
    tasks: u64,
}

impl<G: Game> Run<G> {
    fn new(planner: Planner<G>, identities: Identities, cluster: Cluster, machines: Vec<Machine>) -> Self {
        let given = vec![Vec::new(); machines.len()];
        let (on_the_way, planner_clock) = (BTreeMap::new(), 0);
        let (planning, messages, tasks) = (0, 0, 0);
        Run {
            planner,
            identities,
            cluster,
            machines,
            given,
            on_the_way,
            planner_clock,
            planning,
            messages,
            tasks,
        }
    }

    fn run(mut self, limits: &Limits) -> Result<Clustered<G::Move>, ClusterError> {
        self.hand_out();
        loop {
            if let Some(plan) = self.planner.plan() {
                return Ok(self.end(plan)?);
            }
            if limits.stop.is_raised() {
                return Err(ClusterError::Stopped);
            }
            self.advance()?;
            self.deliver()?;
        }
    }

    /// Lets the machines go on: to the next message, and no farther than one could have come from a machine.
    fn advance(&mut self) -> Result<(), SearchError> {
        let next = self.on_the_way.first_key_value().map_or(u64::MAX, |(&(time, _), _)| time);
        let busy = || self.machines.iter().filter(|machine| machine.is_busy());
        let Some(least) = busy().map(|machine| machine.clock).min() else { return Ok(()) };
        let until = next.min(least.saturating_add(self.cluster.latency_ns));
        let behind = |machine: &&mut Machine| machine.is_busy() && machine.clock < until;
        for machine in self.machines.iter_mut().filter(behind) {
            machine.go_on(until);
        }
        for index in 0..self.machines.len() {
            if behind(&&mut self.machines[index]) {
                let told = self.machines[index].hear()?;
                self.told(index, told)?;
            }
        }
        Ok(())
    }

    /// Delivers the next message, where no machine is behind it.
    fn deliver(&mut self) -> Result<(), ClusterError> {
        let Some(entry) = self.on_the_way.first_entry() else { return Ok(()) };
        let (now, _) = *entry.key();
        if self.machines.iter().any(|machine| machine.is_busy() && machine.clock < now) {
            return Ok(());
        }
        let (index, message) = entry.remove();
        let machine = &mut self.machines[index];
        // What a message costs its receiver passes before anything else is done.
        let received = now + self.cluster.message_ns;
        let told = match message {
            Message::Task(task) => machine.take(task, received)?,
            Message::Closed(key) => machine.close(&key, received)?,
            Message::Narrowed(task) => machine.narrow(&task)?,
            Message::Told(told) => return self.at_planner(index, now, &told),
        };
        Ok(self.told(index, told)?)
    }

    /// A machine sends what it has to tell, and begins its next task; tasks may be so small that they end at
    /// once.
    fn told(&mut self, index: usize, mut told: Option<Told>) -> Result<(), SearchError> {
        while let Some(next) = told {
            let sent = next.at + self.cluster.message_ns;
            self.send(index, sent, Message::Told(next));
            let machine = &mut self.machines[index];
            told = if machine.is_busy() { None } else { machine.begin_next(sent.max(machine.clock))? };
        }
        Ok(())
    }

    fn send(&mut self, machine: usize, sent: u64, message: Message) {
        self.messages += 1;
        self.on_the_way.insert((sent + self.cluster.latency_ns, self.messages), (machine, message));
    }

    /// The planner receives what a machine tells, and sends what follows from it.
    fn at_planner(&mut self, machine: usize, now: u64, told: &Told) -> Result<(), ClusterError> {
        self.planner_clock = self.planner_clock.max(now);
        self.pay();
        let Told { key, proof, .. } = told;
        self.given[machine].retain(|given| given != key);
        let Some(Proven { bounds, taken: Taken { nodes, contradictions } }) = *proof else {
            self.planner.lost(key);
            self.hand_out();
            return Ok(());
        };
        let identities = self.identities;
        let answer = Answer { key: key.clone(), bounds, nodes, contradictions, identities };
        let progress = self.planner.answer(&answer)?;
        if self.cluster.shares_bounds {
            self.share(progress);
        }
        self.hand_out();
        Ok(())
    }

    /// Tells the machines what has become of their tasks.
    fn share(&mut self, progress: Progress) {
        for key in progress.closed {
            self.tell_holders(&key, || Message::Closed(key.clone()));
        }
        for task in progress.narrowed {
            self.tell_holders(&task.key, || Message::Narrowed(task.clone()));
        }
    }

    fn tell_holders(&mut self, key: &TaskKey, message: impl Fn() -> Message) {
        for machine in 0..self.machines.len() {
            if self.given[machine].contains(key) {
                self.pay();
                self.send(machine, self.planner_clock, message());
            }
        }
    }

    /// Gives every machine as many tasks as it may have, to those first that have the fewest.
    fn hand_out(&mut self) {
        let most = 1 + self.cluster.waiting;
        let room = self.given.iter().map(|given| most.saturating_sub(given.len())).sum();
        for task in self.planner.hand_out(room) {
            let fewest = (0..self.machines.len()).min_by_key(|&machine| self.given[machine].len());
            let machine = fewest.expect("there are machines");
            self.given[machine].push(task.key.clone());
            self.tasks += 1;
            self.pay();
            self.send(machine, self.planner_clock, Message::Task(task));
        }
    }

    /// What a message costs the planner.
    fn pay(&mut self) {
        self.planner_clock += self.cluster.message_ns;
        self.planning += self.cluster.message_ns;
    }

    fn end(mut self, plan: Plan<G::Move>) -> Result<Clustered<G::Move>, SearchError> {
        let now = self.planner_clock;
        for machine in &mut self.machines {
            machine.end(now)?;
        }
        let sum = |of: fn(&Counts) -> u64| self.machines.iter().map(|machine| of(&machine.counts)).sum();
        let time = |of| Duration::from_nanos(sum(of));
        Ok(Clustered {
            plan,
            elapsed: Duration::from_nanos(now),
            nodes: sum(|counts| counts.nodes),
            work: time(|counts| counts.work),
            occupied: time(|counts| counts.occupied),
            idle: time(|counts| counts.idle),
            in_transit: time(|counts| counts.in_transit),
            planning: Duration::from_nanos(self.planning),
            messages: self.messages,
            tasks: self.tasks,
            stopped: sum(|counts| counts.stopped),
            restarted: sum(|counts| counts.restarted),
        })
    }
}
