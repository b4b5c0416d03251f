//! A worker's conduct at split points: sharing a node, taking part, waiting helpfully, looking for work.
//!
//! Every split method uses this; they differ in what they make split points of, and when (`chance_split.rs`,
//! `decision_split.rs`, `both.rs`, `root_split.rs`).

use crate::game::Game;
use crate::parallel::scheduler::team::{Team, Ticket};
use crate::parallel::scheduler::worker_context::{count_in_full, go_back, go_under, notice_arrival};
use crate::parallel::setup::Parallel;
use crate::parallel::split::split_point::{Claim, NewSplit, SplitPoint, Work};
use crate::parallel::telemetry::log::Place;
use crate::parallel::telemetry::record::{Activity, note};
use crate::processor::{Event, Processor};
use crate::score::{Bounds, Window};
use crate::search::{Control, NodeOf, SplitKind, TaskSpan, Worker, advance};
use std::sync::Arc;

/// Shares the successors of a node with whoever comes to help. Returns when every successor is done or the node is
/// cut, and nobody else works on it; what became known is in the split point.
pub(crate) fn share<S: Parallel>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    (window, known): (Window, Bounds),
    kind: SplitKind,
    work: Work<S>,
) -> Option<Ticket<S>> {
    worker.processor.charge(Event::Split);
    let seat = worker.seat.as_ref()?;
    let above = seat.place(node.depth, &worker.links[worker.first_link..]);
    let owner = seat.index;
    let chain = worker.processor.fork();
    let split = SplitPoint::new(NewSplit { owner, above, node, window, known, chain }, work);
    if let Some(above) = &split.above {
        above.split.add_below(&split);
    }
    let visited = worker.visited();
    let before = go_under(worker, &split)?;
    let seat = worker.seat.as_mut()?;
    seat.record.split(kind, node.depth);
    seat.publish(&split);
    take_part(worker, &split, false);
    let claimed = split.ledger.close();
    if let Some(seat) = &worker.seat {
        seat.withdraw(&split);
    }
    wait_for(worker, &split, claimed);
    worker.processor.join(&split.chain);
    if let Some(above) = &split.above {
        above.split.remove_below(&split);
    }
    go_back(worker, before);
    count_in_full(worker, &split, visited);
    notice_arrival(worker);
    Some(split)
}

/// Searches successors of a split point that the worker is under, until there is none left to claim or the search has
/// to end above it.
pub(crate) fn take_part<S: Parallel>(worker: &mut Worker<'_, S>, split: &SplitPoint<S>, as_helper: bool) {
    loop {
        worker.processor.catch_up();
        if worker.halted {
            return;
        }
        let Some(claim) = split.claim() else { return };
        take_one(worker, split, claim, as_helper);
    }
}

/// Searches one successor that the worker, which is under the split point, has claimed.
pub(crate) fn take_one<S: Parallel>(
    worker: &mut Worker<'_, S>,
    split: &SplitPoint<S>,
    claim: Claim<'_, S>,
    as_helper: bool,
) {
    // Goes out of scope before the claim: whoever sees the share finished sees that the search is over, too.
    let _alarm = Alarm(worker.control);
    let begun = Begun::now(worker, split, as_helper);
    if let Some(seat) = &mut worker.seat {
        seat.take_share(claim.share);
    }
    let visited = worker.visited();
    worker.processor.begin_share(&split.chain);
    search_share(worker, split, claim.share);
    worker.processor.end_share(&split.chain);
    split.ledger.add_visited(worker.visited().wrapping_sub(visited));
    drop(claim);
    worker.stats.split.helped += u64::from(as_helper);
    begun.end(worker, split);
}

/// Halts the search when a panic passes by; whoever catches it tells why.
struct Alarm<'a>(&'a Control);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        }
    }
}

/// Searches one successor of a split point.
fn search_share<S: Parallel>(worker: &mut Worker<'_, S>, split: &SplitPoint<S>, share: usize) {
    worker.seen_version = split.version();
    split.follow();
    let node = split.node();
    match &split.work {
        Work::Chance(work) => {
            let (successor, sums) = (work.successor(share), work.sums());
            if sums.is_cut() || sums.is_crossed() {
                return split.ledger.cut();
            }
            let found = advance(worker, node, &successor, &sums, work.phase);
            let after = worker.meet(found, successor.bounds);
            worker.processor.catch_up();
            split.learn(share, successor.bounds, after, || worker.processor.now());
        }
        Work::Decision(work) => {
            let Some(window) = split.move_window(work) else { return split.ledger.cut() };
            let mover = worker.game.player(node.position);
            let share_of_moves = work.share(share);
            let found = worker.search_for(mover, share_of_moves.successor.below(node), window);
            worker.processor.catch_up();
            split.learn(share, found, found, || worker.processor.now());
        }
    }
}

/// A task at its beginning.
struct Begun {
    at: u64,
    nodes: u64,
    aborted_nodes: u64,
    /// Its place in the timeline.
    place: Place,
}

impl Begun {
    fn now<S: Parallel>(worker: &mut Worker<'_, S>, split: &SplitPoint<S>, as_helper: bool) -> Self {
        let at = worker.processor.now();
        let log = worker.seat.as_mut().and_then(|seat| seat.record.log.as_mut());
        Begun {
            at,
            nodes: worker.stats.nodes.total(),
            aborted_nodes: worker.stats.split.aborted_nodes,
            place: log.and_then(|log| log.begin_task(span_of(split, at, as_helper))),
        }
    }

    /// Takes note of the task, and finds out whether the worker goes on here.
    fn end<S: Parallel>(self, worker: &mut Worker<'_, S>, split: &SplitPoint<S>) {
        let now = worker.processor.now();
        let nodes = worker.stats.nodes.total() - self.nodes;
        let was_halted = worker.halted;
        notice_arrival(worker);
        if let Some(seat) = &mut worker.seat {
            seat.record.task(nodes, now - self.at);
            if let Some(log) = &mut seat.record.log {
                log.end_task(self.place, now, nodes, was_halted);
            }
        }
        if !was_halted {
            return;
        }
        let counts = &mut worker.stats.split;
        counts.aborts += 1;
        // Nodes of aborted tasks within this one are counted already.
        counts.aborted_nodes += nodes - (counts.aborted_nodes - self.aborted_nodes);
        let Some(seat) = &mut worker.seat else { return };
        let above_is_cut = split.above.as_ref().is_some_and(|above| above.split.is_cut_or_below_cut());
        if !above_is_cut && let Some(cut_at) = split.cut_at() {
            note(&mut seat.record.worker.abort_ns, now.saturating_sub(cut_at));
        }
    }
}

/// A task that has just begun, as the timeline has it.
fn span_of<S: Parallel>(split: &SplitPoint<S>, begin: u64, helped: bool) -> TaskSpan {
    let SplitPoint { owner, .. } = *split;
    let (depth, kind) = (split.node().depth, split.kind());
    TaskSpan { begin, end: begin, depth, kind, owner, helped, nodes: 0, aborted: false }
}

/// Waits until the claimed successors are finished, helping with what was split below meanwhile and with nothing
/// else: unrelated work could keep the owner long after its own is done.
fn wait_for<S: Parallel>(worker: &mut Worker<'_, S>, split: &Ticket<S>, claimed: u32) {
    if split.ledger.has_finished(claimed) {
        return;
    }
    let Some(team) = worker.seat.as_ref().map(|seat| seat.team.clone()) else { return };
    let begun = worker.processor.now();
    become_idle(worker, &team, Activity::Idle);
    let mut looks = 0;
    while !split.ledger.has_finished(claimed) {
        match split.open_below() {
            Some(below) if !worker.halted => {
                become_busy(worker, &team);
                publish(worker, &below);
                help(worker, &below, None);
                become_idle(worker, &team, Activity::Idle);
                looks = 0;
            }
            _ if !team.patience.is_out(looks) => {
                worker.processor.charge(Event::FailedSteal);
                worker.processor.relax(looks);
                looks = looks.saturating_add(1);
            }
            _ => {
                turn_to(worker, Activity::Parked);
                split.ledger.wait(claimed, team.patience.longest_sleep);
                turn_to(worker, Activity::Idle);
            }
        }
    }
    become_busy(worker, &team);
    let waited = worker.processor.now() - begun;
    if let Some(seat) = &mut worker.seat {
        note(&mut seat.record.worker.join_ns, waited);
    }
}

/// Puts another worker's split point up in this worker's queue, too.
fn publish<S: Parallel>(worker: &Worker<'_, S>, split: &Ticket<S>) {
    if let Some(seat) = &worker.seat {
        seat.publish(split);
    }
}

/// Works under another worker's split point, which it has published, for a while. `first` is what it has claimed there.
fn help<S: Parallel>(worker: &mut Worker<'_, S>, split: &Ticket<S>, first: Option<Claim<'_, S>>) {
    let Some(before) = go_under(worker, split) else { return };
    notice_arrival(worker);
    if let Some(claim) = first.filter(|_| !worker.halted) {
        take_one(worker, split, claim, true);
    }
    take_part(worker, split, true);
    if let Some(seat) = &worker.seat {
        seat.withdraw(split);
    }
    go_back(worker, before);
    notice_arrival(worker);
}

/// What a worker without a search of its own does: looks for split points and helps, until the search is over.
pub(crate) fn serve<S: Parallel>(worker: &mut Worker<'_, S>) {
    let Some(team) = worker.seat.as_ref().map(|seat| seat.team.clone()) else { return };
    become_idle(worker, &team, Activity::Stealing);
    let mut idle_since = worker.processor.now();
    let mut looks = 0;
    while !team.is_over() {
        let found = look_for_work(worker, &team);
        if let Some((split, victim)) = &found
            && let Some(claim) = split.claim()
        {
            take_along(worker, split, *victim, idle_since);
            become_busy(worker, &team);
            help(worker, split, Some(claim));
            become_idle(worker, &team, Activity::Stealing);
            (idle_since, looks) = (worker.processor.now(), 0);
        } else if !team.patience.is_out(looks) {
            worker.processor.charge(Event::FailedSteal);
            turn_to(worker, Activity::Idle);
            worker.processor.relax(looks);
            turn_to(worker, Activity::Stealing);
            looks = looks.saturating_add(1);
        } else {
            turn_to(worker, Activity::Parked);
            doze(worker, &team);
            turn_to(worker, Activity::Stealing);
        }
    }
    become_busy(worker, &team);
}

/// What a worker does that has come to the end of its own search before the one that counts has.
pub(crate) fn sleep_until_over<S: Parallel>(worker: &mut Worker<'_, S>) {
    let Some(team) = worker.seat.as_ref().map(|seat| seat.team.clone()) else { return };
    turn_to(worker, Activity::Parked);
    while !team.is_over() {
        if team.patience.is_out(u32::MAX) {
            doze(worker, &team);
        } else {
            worker.processor.charge(Event::FailedSteal);
            worker.processor.relax(0);
        }
    }
}

/// Sleeps for a while, or until there may be work.
fn doze<S: Parallel>(worker: &Worker<'_, S>, team: &Team<S>) {
    if let Some(seat) = &worker.seat {
        team.sleep(seat.index);
    }
}

/// Tries to steal; gives a split point that seems to have something to claim, and the victim.
fn look_for_work<S: Parallel>(worker: &mut Worker<'_, S>, team: &Arc<Team<S>>) -> Option<(Ticket<S>, usize)> {
    worker.stats.split.steal_attempts += 1;
    let thief = worker.seat.as_ref()?.index;
    team.steal(thief).filter(|(split, _)| split.wants_help())
}

/// Makes off with a ticket, of which a successor is claimed already. Others find the ticket in the thief's queue at
/// once, before the thief has got to work: where hundreds want it, one after another would have to wait.
fn take_along<S: Parallel>(worker: &mut Worker<'_, S>, split: &Ticket<S>, victim: usize, idle_since: u64) {
    publish(worker, split);
    worker.processor.charge(Event::Steal);
    worker.stats.split.steals += 1;
    let latency = worker.processor.now() - idle_since;
    if let Some(seat) = &mut worker.seat {
        note(&mut seat.record.worker.steal_ns, latency);
        if let Some(log) = &mut seat.record.log {
            log.stole_from(victim);
        }
    }
}

pub(crate) fn turn_to<S: Parallel>(worker: &mut Worker<'_, S>, activity: Activity) {
    let now = worker.processor.now();
    if let Some(seat) = &mut worker.seat {
        seat.record.turn_to(activity, now);
    }
}

fn become_idle<S: Parallel>(worker: &mut Worker<'_, S>, team: &Team<S>, activity: Activity) {
    team.enter_idleness();
    turn_to(worker, activity);
}

fn become_busy<S: Parallel>(worker: &mut Worker<'_, S>, team: &Team<S>) {
    team.leave_idleness();
    worker.begin_to_measure();
    turn_to(worker, Activity::Busy);
}
