//! How a worker behaves towards split points: splitting a phase, taking part in one, waiting for one, looking for one.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::SplitPoint;
use crate::parallel::split_point::NewSplit;
use crate::parallel::team::SplitOf;
use crate::search::{ChanceNode, Node, Phase, Worker, advance};
use crate::sync::Backoff;
use crate::table::Table;
use std::sync::Arc;

/// Goes through a phase of a chance node together with whoever comes to help. Returns when every successor is done or
/// the node is cut, and nobody else works on it.
pub(crate) fn split_phase<G: Game, E: Evaluator<G>, T: Table>(
    worker: &mut Worker<'_, G, E, T>,
    node: Node<'_, G::Position, E::State>,
    chance: &mut ChanceNode,
    phase: Phase,
) {
    let Some(split) = publish(worker, node, chance, phase) else { return };
    take_part(worker, &split, false);
    let claimed = split.close();
    if let Some(seat) = &worker.seat {
        seat.withdraw(&split);
    }
    wait_for(worker, &split, claimed);
    leave(worker, &split);
    for (index, bounds) in split.learnt() {
        chance.learn(worker, index, bounds);
    }
}

/// Makes a split point of the phase and puts it up, and puts the worker under it.
fn publish<G: Game, E: Evaluator<G>, T: Table>(
    worker: &mut Worker<'_, G, E, T>,
    node: Node<'_, G::Position, E::State>,
    chance: &ChanceNode,
    phase: Phase,
) -> Option<Arc<SplitOf<G, E>>> {
    let seat = worker.seat.as_mut()?;
    let parent = seat.under.clone();
    let new = NewSplit {
        parent: parent.clone(),
        position: node.position.clone(),
        state: node.state.clone(),
        depth: node.depth,
        ply: node.ply,
        phase,
        sums: chance.sums,
    };
    let open =
        chance.range().map(|index| (index, worker.successors[index])).filter(|(_, s)| !s.bounds.is_exact());
    let split = SplitPoint::new(new, open);
    if let Some(parent) = parent {
        parent.add_below(&split);
    }
    seat.publish(&split);
    seat.under = Some(split.clone());
    let splits = &mut worker.stats.split;
    match phase {
        Phase::Probing => splits.probing_splits += 1,
        Phase::Star1 => splits.star1_splits += 1,
    }
    Some(split)
}

/// Searches successors of a split point that the worker is under, until there is none left to claim or the search has
/// to end above it.
fn take_part<G: Game, E: Evaluator<G>, T: Table>(
    worker: &mut Worker<'_, G, E, T>,
    split: &SplitOf<G, E>,
    as_helper: bool,
) {
    while !worker.halted
        && let Some(claim) = split.claim()
    {
        let successor = claim.successor();
        let sums = split.sums();
        if sums.is_cut() {
            return;
        }
        let node = Node {
            position: &split.position,
            state: &split.state,
            depth: split.depth,
            ply: split.ply,
            evaluation: None,
        };
        let found = advance(worker, node, &successor, &sums, split.phase, &mut None);
        let after = worker.meet(found, successor.bounds);
        claim.learn(successor.bounds, after);
        worker.stats.split.helped += u64::from(as_helper);
        notice_halt(worker);
    }
}

/// After an unwinding: whether it goes on, now that the worker is back at a split point.
fn notice_halt<G: Game, E: Evaluator<G>, T: Table>(worker: &mut Worker<'_, G, E, T>) {
    if worker.halted {
        worker.stats.split.aborts += 1;
    }
    notice_arrival(worker);
}

/// Waits until the claimed successors are finished, helping with what was split below meanwhile and with nothing
/// else: unrelated work could keep the owner long after its own is done.
fn wait_for<G: Game, E: Evaluator<G>, T: Table>(
    worker: &mut Worker<'_, G, E, T>,
    split: &Arc<SplitOf<G, E>>,
    claimed: u32,
) {
    if split.has_finished(claimed) {
        return;
    }
    let Some(team) = worker.seat.as_ref().map(|seat| seat.team) else { return };
    team.enter_idleness();
    let backoff = Backoff::new();
    while !split.has_finished(claimed) {
        match split.open_below() {
            Some(below) if !worker.halted => {
                team.leave_idleness();
                help(worker, &below);
                team.enter_idleness();
                backoff.reset();
            }
            _ => backoff.snooze(),
        }
    }
    team.leave_idleness();
}

/// Puts the worker back to where it was before the split.
fn leave<G: Game, E: Evaluator<G>, T: Table>(worker: &mut Worker<'_, G, E, T>, split: &Arc<SplitOf<G, E>>) {
    if let Some(seat) = &mut worker.seat {
        seat.under = split.parent.clone();
    }
    if let Some(parent) = &split.parent {
        parent.remove_below(split);
    }
    notice_arrival(worker);
}

/// Works under another worker's split point for a while.
fn help<G: Game, E: Evaluator<G>, T: Table>(worker: &mut Worker<'_, G, E, T>, split: &Arc<SplitOf<G, E>>) {
    let Some(seat) = &mut worker.seat else { return };
    let before = seat.under.replace(split.clone());
    seat.publish(split);
    notice_arrival(worker);
    take_part(worker, split, true);
    if let Some(seat) = &mut worker.seat {
        seat.withdraw(split);
        seat.under = before;
    }
    notice_arrival(worker);
}

/// After a change of place, or an unwinding to it: whether the worker has to leave here, too.
fn notice_arrival<G: Game, E: Evaluator<G>, T: Table>(worker: &mut Worker<'_, G, E, T>) {
    let cut_above = worker.seat.as_ref().is_some_and(|seat| seat.is_cut_above());
    worker.halted = cut_above || worker.control.is_halted();
}

/// How often an idle thread looks for work before it goes to sleep. Waking a sleeper takes longer than many a split
/// point lasts; looking again and again costs nobody anything, because every look gives the processor away first.
const LOOKS_BEFORE_SLEEP: u32 = 20_000;

/// What a thread without a search of its own does: looks for split points and helps, until the search is over.
pub(crate) fn serve<G: Game, E: Evaluator<G>, T: Table>(worker: &mut Worker<'_, G, E, T>) {
    let Some(team) = worker.seat.as_ref().map(|seat| seat.team) else { return };
    team.enter_idleness();
    let mut backoff = Backoff::new();
    let mut looks = 0;
    while !team.is_over() {
        worker.stats.split.steal_attempts += 1;
        let stolen = worker.seat.as_ref().and_then(|seat| seat.steal());
        if let Some(split) = stolen {
            if split.is_open() {
                worker.stats.split.steals += 1;
                team.leave_idleness();
                help(worker, &split);
                team.enter_idleness();
            }
            (backoff, looks) = (Backoff::new(), 0);
        } else if looks < LOOKS_BEFORE_SLEEP {
            looks += 1;
            backoff.snooze();
        } else {
            team.sleep();
        }
    }
    team.leave_idleness();
}
