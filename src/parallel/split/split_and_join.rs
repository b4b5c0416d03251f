//! What a worker does at split points: it splits a node into tasks, claims tasks, helps below while it waits
//! for its last task, and joins.

use crate::parallel::scheduler::team::{Team, Ticket};
use crate::parallel::scheduler::worker_context::{Parallel, ParallelProcessor, Published, turn_to};
use crate::parallel::split::split_point::{Above, Claim, NewSplit, SplitPoint};
use crate::parallel::split::tasks::{ChanceTasks, DecisionTasks, MoveTask, Tasks};
use crate::parallel::telemetry::log::{Clocked, SpanIndex};
use crate::parallel::telemetry::record::add_to;
use crate::processor::{Event, Processor};
use crate::score::{Bounds, Window};
use crate::search::{
    ChanceNode, ChanceSuccessor, Control, Depth, NodeOf, OpenMoves, Peers, Phase, Recorder, TaskSpan, Worker,
    advance, greatest_below, search_after_move,
};
use crate::search::{descent, recording, transposition};

/// Searches a chance node's successors from the stack index `from` on, each a task.
pub(crate) fn split_phase<S: Parallel>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
    from: usize,
) {
    let tasks = Tasks::Chance(ChanceTasks::new(worker, node, chance, phase, from));
    let split = split_and_join(worker, node, (chance.window, chance.known), tasks);
    let Tasks::Chance(tasks) = &split.tasks else {
        unreachable!("a chance node is split into its successors")
    };
    tasks.merge_into(worker, chance);
    chance.window_closed |= split.latch.is_cut();
}

/// Tries a decision node's remaining moves, each a task.
pub(crate) fn split_moves<S: Parallel>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    open: &mut OpenMoves,
) {
    let tasks = Tasks::Decision(DecisionTasks::new(worker, node, open));
    let split = split_and_join(worker, node, (open.window, open.known), tasks);
    let Tasks::Decision(tasks) = &split.tasks else {
        unreachable!("a decision node is split into its moves")
    };
    let is_cut = tasks.merge_into(worker, node, open);
    if split.latch.is_cut() && !is_cut {
        open.forget_best(); // cut by its window: the best move is only the best so far
    }
}

/// Splits a node into tasks, publishes them, and takes part, or leaves them to a general pool as jobs.
/// Returns when every task is done or the node is cut, and no other worker is left in a task of it. The
/// results are in the split point.
fn split_and_join<S: Parallel>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    (window, known): (Window, Bounds),
    tasks: Tasks<S>,
) -> Ticket<S> {
    worker.processor.charge(Event::Split);
    let (owner, above) = (worker.team_link.context().index, place(worker, node.depth));
    let chain = worker.processor.fork();
    let logged = worker.recorder.as_ref().and_then(Recorder::place);
    let split = SplitPoint::new(NewSplit { owner, above, node, window, known, chain, logged }, tasks);
    if let Some(above) = &split.above {
        above.split.add_below(&split);
    }
    let visited = worker.visited();
    within(worker, &split, |worker| {
        let context = worker.team_link.context_mut();
        context.record.split(split.kind(), node.depth);
        if context.team.jobs.is_some() {
            turn_to(worker, Clocked::Untold);
            S::Processor::run_jobs(worker, &split);
            turn_to(worker, Clocked::Busy);
        } else {
            let ticket = context.publish(&worker.processor, &split);
            take_part(worker, &split, ticket, false);
            let claimed = split.latch.close();
            wait_for(worker, &split, claimed);
        }
        worker.processor.join(&split.chain);
        if let Some(above) = &split.above {
            above.split.remove_below(&split);
        }
    });
    recording::narrow(worker, split.window());
    count_in_full(worker, &split, visited);
    split
}

/// The place of a node at this depth, which the worker is about to split: its task, and the links from there,
/// if every node on the way recorded its own. `None` without a task.
fn place<S: Parallel>(worker: &Worker<'_, S>, depth: Depth) -> Option<Above<S>> {
    let link = &worker.team_link;
    let split = link.context().under.clone()?;
    let are_noted = depth >= greatest_below::<S::Game>(link.policy.following_depth());
    let links = are_noted.then(|| link.links[link.first_link..].into());
    Some(Above { split, task: link.context().task, links })
}

/// Calls `act` with the worker below a split point, and brings it back to where it was. Afterwards it is
/// halted if what lies there does not matter any more, or the search is over.
fn within<S: Parallel>(worker: &mut Worker<'_, S>, split: &Ticket<S>, act: impl FnOnce(&mut Worker<'_, S>)) {
    worker.adopt_granularity();
    let link = &mut worker.team_link;
    let (first_link, seen_version) = (link.first_link, link.seen_version);
    link.first_link = link.links.len();
    let context = link.context_mut();
    let (under, task) = (context.under.replace(split.clone()), context.task);
    recording::enter_split(worker, split.logged, split.tasks.phase());
    act(worker);
    recording::leave_split(worker, split.logged);
    let link = &mut worker.team_link;
    (link.first_link, link.seen_version) = (first_link, seen_version);
    let context = link.context_mut();
    (context.under, context.task) = (under, task);
    check_place(worker);
}

/// Checks, after a change of place or an unwinding, whether the worker must leave here as well.
fn check_place<S: Parallel>(worker: &mut Worker<'_, S>) {
    let cut_above = worker.team_link.context().is_cut_above();
    worker.set_halted(cut_above || worker.control.is_halted());
}

/// Counts the nodes of all the split point's tasks as this worker's, in place of those that it visited itself
/// while the split point was open. `before` is its count at the beginning.
fn count_in_full<S: Parallel>(worker: &mut Worker<'_, S>, split: &SplitPoint<S>, before: u64) {
    let visited = worker.visited().wrapping_sub(before);
    if worker.team_link.policy.is_large() {
        let helper_nodes = &mut worker.team_link.context_mut().helper_nodes;
        *helper_nodes = helper_nodes.wrapping_add(split.latch.visited()).wrapping_sub(visited);
    }
}

/// Claims and searches tasks of the worker's split point until none is left or the search ends above it.
/// Withdraws the worker's ticket with the last task, since thieves would find nothing to claim.
fn take_part<S: Parallel>(
    worker: &mut Worker<'_, S>,
    split: &Ticket<S>,
    mut own_ticket: Published,
    as_helper: bool,
) {
    loop {
        worker.processor.catch_up();
        let claim = if worker.is_halted() { None } else { split.claim() };
        if claim.is_none() || !split.latch.is_open() {
            worker.team_link.context().withdraw(split, &mut own_ticket);
        }
        let Some(claim) = claim else { return };
        take_one(worker, split, claim, as_helper);
    }
}

/// Searches a task that the worker has claimed.
fn take_one<S: Parallel>(
    worker: &mut Worker<'_, S>,
    split: &SplitPoint<S>,
    claim: Claim<'_, S>,
    as_helper: bool,
) {
    // Dropped before the claim: a thread that sees the task finished also sees the search halted.
    let _halts = HaltOnPanic(worker.control);
    let running = RunningTask::begin(worker, split, as_helper);
    worker.team_link.context_mut().task = claim.task;
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
            let asked = ChanceSuccessor { bounds, ..successor };
            let found = advance(worker, node, &asked, &sums, outcomes.phase);
            let found = worker.publishable_bounds(found);
            let after = transposition::meet(worker, found, successor.bounds);
            worker.processor.catch_up();
            split.tighten(task, successor.bounds, after, || worker.processor.now());
        }
        Tasks::Decision(moves) => {
            let Some(window) = split.move_window(moves) else { return split.latch.cut() };
            let MoveTask { mv, successor, .. } = moves.get(task);
            let found =
                search_after_move(worker, node, *mv, successor, window, |worker, mover, below, _, window| {
                    descent::search_for(worker, mover, *below, window)
                });
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
                let ticket = worker.team_link.context().publish(&worker.processor, &below);
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
                let longest = team.idle_policy.longest_sleep;
                worker.processor.sleep_until_joined(&split.latch, claimed, longest);
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
    within(worker, split, |worker| {
        check_place(worker);
        if let Some(claim) = first.filter(|_| !worker.is_halted()) {
            take_one(worker, split, claim, true);
        }
        take_part(worker, split, ticket, true);
    });
    worker.hand_in_nodes();
}

/// Searches one task of another worker's split point, which the worker has claimed.
pub(crate) fn help_with_one<S: Parallel>(worker: &mut Worker<'_, S>, split: &Ticket<S>, claim: Claim<'_, S>) {
    within(worker, split, |worker| {
        check_place(worker);
        if !worker.is_halted() {
            take_one(worker, split, claim, true);
        }
    });
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
