//! What a worker does at split points: it splits a node into tasks, claims tasks, helps below while it waits
//! for its last task, and joins.
//!
//! Every method that splits uses this. The methods differ in what they split, and when (`methods/`).

use crate::parallel::scheduler::team::{Team, Ticket};
use crate::parallel::scheduler::worker_context::{
    Published, check_place, count_in_full, enter_split, leave_split, turn_to,
};
use crate::parallel::setup::Parallel;
use crate::parallel::split::split_point::{Claim, NewSplit, SplitPoint};
use crate::parallel::split::tasks::{MoveTask, Tasks};
use crate::parallel::telemetry::log::{Clocked, SpanIndex};
use crate::parallel::telemetry::record::add_to;
use crate::processor::{Event, Processor};
use crate::score::{Bounds, Window};
use crate::search::{Control, NodeOf, Successor, TaskSpan, Worker, advance, search_after_move};

/// Splits a node into tasks, publishes them, and takes part. Returns when every task is done or the node is
/// cut, and no other worker is left in a task of it. The results are in the split point.
pub(crate) fn split_and_join<S: Parallel>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    (window, known): (Window, Bounds),
    tasks: Tasks<S>,
) -> Ticket<S> {
    worker.processor.charge(Event::Split);
    let context = worker.team_link.context();
    let above = context.place(node.depth, &worker.team_link.links[worker.team_link.first_link..]);
    let owner = context.index;
    let chain = worker.processor.fork();
    let split = SplitPoint::new(NewSplit { owner, above, node, window, known, chain }, tasks);
    if let Some(above) = &split.above {
        above.split.add_below(&split);
    }
    let visited = worker.visited();
    let before = enter_split(worker, &split);
    let context = worker.team_link.context_mut();
    context.record.split(split.kind(), node.depth);
    let ticket = context.publish(&split);
    take_part(worker, &split, ticket, false);
    let claimed = split.latch.close();
    wait_for(worker, &split, claimed);
    worker.processor.join(&split.chain);
    if let Some(above) = &split.above {
        above.split.remove_below(&split);
    }
    leave_split(worker, before);
    count_in_full(worker, &split, visited);
    check_place(worker);
    split
}

/// Claims and searches tasks of the worker's split point until none is left or the search ends above it.
/// Withdraws the worker's ticket with the last task, since thieves would find nothing to claim.
fn take_part<S: Parallel>(
    worker: &mut Worker<'_, S>,
    split: &Ticket<S>,
    mut ticket: Published,
    as_helper: bool,
) {
    loop {
        worker.processor.catch_up();
        let claim = if worker.is_halted() { None } else { split.claim() };
        if claim.is_none() || !split.latch.is_open() {
            worker.team_link.context().withdraw(split, &mut ticket);
        }
        let Some(claim) = claim else { return };
        take_one(worker, split, claim, as_helper);
    }
}

/// Searches a task that the worker has claimed.
pub(crate) fn take_one<S: Parallel>(
    worker: &mut Worker<'_, S>,
    split: &SplitPoint<S>,
    claim: Claim<'_, S>,
    as_helper: bool,
) {
    // Dropped before the claim: a thread that sees the task finished also sees the search halted.
    let _halts = HaltOnPanic(worker.control);
    let running = RunningTask::begin(worker, split, as_helper);
    worker.team_link.context_mut().set_task(claim.task);
    let visited = worker.visited();
    worker.processor.begin_task(&split.chain);
    search_task(worker, split, claim.task);
    worker.goes_on_among_leaves(); // a task of one evaluation has not polled the clock
    worker.processor.end_task(&split.chain);
    split.latch.add_visited(worker.visited().wrapping_sub(visited));
    drop(claim);
    worker.stats.split.helped += u64::from(as_helper);
    running.end(worker, split);
}

/// Halts the search while a panic unwinds. The code that catches the panic reports it.
struct HaltOnPanic<'a>(&'a Control);

impl Drop for HaltOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        }
    }
}

/// Searches the successor of a task.
fn search_task<S: Parallel>(worker: &mut Worker<'_, S>, split: &SplitPoint<S>, task: usize) {
    worker.team_link.seen_version = split.version();
    split.follow();
    let node = split.node();
    match &split.tasks {
        Tasks::Chance(outcomes) => {
            let (successor, sums) = (outcomes.successor(task), outcomes.sums());
            if sums.is_cut() || sums.is_crossed() {
                return split.latch.cut();
            }
            let Some(bounds) = outcomes.ask(task, &sums) else { return };
            let asked = Successor { bounds, ..successor };
            let found = advance(worker, node, &asked, &sums, outcomes.phase);
            let found = worker.publishable_bounds(found);
            let after = worker.meet(found, successor.bounds);
            worker.processor.catch_up();
            split.tighten(task, successor.bounds, after, || worker.processor.now());
        }
        Tasks::Decision(moves) => {
            let Some(window) = split.move_window(moves) else { return split.latch.cut() };
            let MoveTask { mv, successor, .. } = moves.get(task);
            let found = search_after_move(worker, node, *mv, successor, window);
            let found = worker.publishable_bounds(found);
            worker.processor.catch_up();
            split.tighten(task, found, found, || worker.processor.now());
        }
    }
}

/// A task in progress.
struct RunningTask {
    began: u64,
    nodes: u64,
    aborted_nodes: u64,
    span: SpanIndex,
}

impl RunningTask {
    fn begin<S: Parallel>(worker: &mut Worker<'_, S>, split: &SplitPoint<S>, as_helper: bool) -> Self {
        let began = worker.processor.now();
        let log = worker.team_link.context_mut().record.log.as_mut();
        RunningTask {
            began,
            span: log.and_then(|log| {
                log.begin_task(TaskSpan {
                    begin: began,
                    end: began,
                    depth: split.node().depth.into(),
                    kind: split.kind(),
                    owner: split.owner,
                    helped: as_helper,
                    nodes: 0,
                    aborted: false,
                })
            }),
            nodes: worker.stats.nodes.total(),
            aborted_nodes: worker.stats.split.aborted_nodes,
        }
    }

    /// Records the task, and checks whether the worker goes on here.
    fn end<S: Parallel>(self, worker: &mut Worker<'_, S>, split: &SplitPoint<S>) {
        let now = worker.processor.now();
        let nodes = worker.stats.nodes.total() - self.nodes;
        let was_halted = worker.is_halted();
        check_place(worker);
        let record = &mut worker.team_link.context_mut().record;
        record.task(nodes, now - self.began);
        if let Some(log) = &mut record.log {
            log.end_task(self.span, now, nodes, was_halted);
        }
        if !was_halted {
            return;
        }
        let counts = &mut worker.stats.split;
        counts.aborts += 1;
        // Nodes of aborted tasks within this one are counted already.
        counts.aborted_nodes += nodes - (counts.aborted_nodes - self.aborted_nodes);
        let above_is_cut = split.above.as_ref().is_some_and(|above| above.split.is_cut_or_below_cut());
        if let Some(cut_at) = split.cut_at().filter(|_| !above_is_cut) {
            let abort_ns = &mut worker.team_link.context_mut().record.worker.abort_ns;
            add_to(abort_ns, now.saturating_sub(cut_at));
        }
    }
}

/// Waits until the claimed tasks are finished. Meanwhile it helps at split points below this one only:
/// unrelated work could keep the owner long after its own tasks are done.
fn wait_for<S: Parallel>(worker: &mut Worker<'_, S>, split: &Ticket<S>, claimed: u32) {
    if split.latch.has_finished(claimed) {
        return;
    }
    let team = worker.team_link.context().team.clone();
    let began = worker.processor.now();
    become_idle(worker, &team, Clocked::Idle);
    let mut looks = 0;
    while !split.latch.has_finished(claimed) {
        match split.open_below() {
            Some(below) if !worker.is_halted() => {
                become_busy(worker, &team);
                let ticket = worker.team_link.context().publish(&below);
                help_at_split(worker, &below, ticket, None);
                become_idle(worker, &team, Clocked::Idle);
                looks = 0;
            }
            _ if !team.idle_policy.sleeps_after(looks) => {
                worker.processor.charge(Event::FailedSteal);
                worker.processor.relax(looks);
                looks = looks.saturating_add(1);
            }
            _ => {
                turn_to(worker, Clocked::Parked);
                split.latch.wait(claimed, team.idle_policy.longest_sleep);
                turn_to(worker, Clocked::Idle);
            }
        }
    }
    become_busy(worker, &team);
    let waited = worker.processor.now() - began;
    add_to(&mut worker.team_link.context_mut().record.worker.join_ns, waited);
}

/// Claims and searches tasks of another worker's split point until none is left. `ticket` says whether this
/// worker has put up its ticket. `first` is a task already claimed.
pub(crate) fn help_at_split<S: Parallel>(
    worker: &mut Worker<'_, S>,
    split: &Ticket<S>,
    ticket: Published,
    first: Option<Claim<'_, S>>,
) {
    let before = enter_split(worker, split);
    check_place(worker);
    if let Some(claim) = first.filter(|_| !worker.is_halted()) {
        take_one(worker, split, claim, true);
    }
    take_part(worker, split, ticket, true);
    leave_split(worker, before);
    check_place(worker);
    worker.hand_in_nodes();
}

/// Counts the worker as idle.
pub(crate) fn become_idle<S: Parallel>(worker: &mut Worker<'_, S>, team: &Team<S>, clocked: Clocked) {
    team.enter_idleness();
    turn_to(worker, clocked);
}

/// Counts the worker as busy.
pub(crate) fn become_busy<S: Parallel>(worker: &mut Worker<'_, S>, team: &Team<S>) {
    team.leave_idleness();
    worker.begin_to_measure();
    turn_to(worker, Clocked::Busy);
}
