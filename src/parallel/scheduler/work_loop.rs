//! What a helper does from its start to the end of the search: it steals tasks, or searches the whole tree.

use crate::parallel::scheduler::team::{Team, Ticket};
use crate::parallel::scheduler::worker_context::{Parallel, ParallelProcessor, Published, turn_to};
use crate::parallel::split::split_and_join::{become_busy, become_idle, help_at_split};
use crate::parallel::telemetry::log::Clocked;
use crate::parallel::telemetry::record::add_to;
use crate::processor::{Event, Processor};
use crate::search::{Depth, PositionOf, Worker, search_whole_tree};

/// Runs a helper from its start to the end of the search of `position`, as the method says.
pub(crate) fn help_until_over<S: Parallel>(
    worker: &mut Worker<'_, S>,
    position: &PositionOf<S>,
    depth: Depth,
) {
    if worker.options.method.splits() {
        steal_until_over(worker);
    } else {
        search_until_over(worker, position, depth);
    }
}

/// Steals split points and helps there, until the search is over.
fn steal_until_over<S: Parallel>(worker: &mut Worker<'_, S>) {
    let team = worker.team_link.context().team.clone();
    become_idle(worker, &team, Clocked::Stealing);
    let mut idle_since = worker.processor.now();
    let mut looks = 0;
    while !team.is_over() {
        let found = try_to_steal(worker, &team);
        let claimed = found.as_ref().and_then(|(split, victim)| Some((split, *victim, split.claim()?)));
        if let Some((split, victim, claim)) = claimed {
            let ticket = take_along(worker, split, victim, idle_since);
            become_busy(worker, &team);
            help_at_split(worker, split, ticket, Some(claim));
            become_idle(worker, &team, Clocked::Stealing);
            (idle_since, looks) = (worker.processor.now(), 0);
        } else if !team.idle_policy.sleeps_after(looks) {
            worker.processor.charge(Event::FailedSteal);
            turn_to(worker, Clocked::Idle);
            worker.processor.rest(looks);
            turn_to(worker, Clocked::Stealing);
            looks = looks.saturating_add(1);
        } else {
            turn_to(worker, Clocked::Parked);
            worker.processor.sleep(&team, worker.team_link.context().index);
            turn_to(worker, Clocked::Stealing);
        }
    }
    become_busy(worker, &team);
}

/// Searches the whole tree, to fill the table, and then sleeps until the search is over.
fn search_until_over<S: Parallel>(worker: &mut Worker<'_, S>, position: &PositionOf<S>, depth: Depth) {
    turn_to(worker, Clocked::Busy);
    search_whole_tree(worker, position, depth);
    turn_to(worker, Clocked::Parked);
    let team = worker.team_link.context().team.clone();
    while !team.is_over() {
        if team.idle_policy.sleeps_after(u32::MAX) {
            worker.processor.sleep(&team, worker.team_link.context().index);
        } else {
            worker.processor.charge(Event::FailedSteal);
            worker.processor.rest(0);
        }
    }
}

/// Tries to steal a split point that seems to have a task to claim. Returns it with the victim's index.
fn try_to_steal<S: Parallel>(worker: &mut Worker<'_, S>, team: &Team<S>) -> Option<(Ticket<S>, usize)> {
    worker.stats.split.steal_attempts += 1;
    team.steal(worker.team_link.context().index).filter(|(split, _)| split.wants_help())
}

/// Publishes a stolen ticket in the thief's deque, and records the steal. The thief has already claimed a
/// task. It publishes before it works, since hundreds of thieves would otherwise wait for the ticket one
/// after another.
fn take_along<S: Parallel>(
    worker: &mut Worker<'_, S>,
    split: &Ticket<S>,
    victim: usize,
    idle_since: u64,
) -> Published {
    let ticket = worker.team_link.context().publish(&worker.processor, split);
    worker.processor.charge(Event::Steal);
    let is_near =
        worker.team_link.context().team.lanes_beside(worker.team_link.context().index).contains(&victim);
    worker.stats.split.steals += 1;
    worker.stats.split.thread_steals += u64::from(!is_near);
    let latency = worker.processor.now() - idle_since;
    let record = &mut worker.team_link.context_mut().record;
    add_to(&mut record.worker.steal_ns, latency);
    if let Some(log) = &mut record.log {
        log.stole_from(victim);
    }
    ticket
}
