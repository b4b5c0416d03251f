//! A rival: fork and join on a general work-stealing pool (rayon, after Cilk: Blumofe and Leiserson,
//! "Scheduling multithreaded computations by work stealing", J. ACM 46(5), 1999). Each successor of a phase
//! becomes a job. A worker that waits for its jobs runs any job of the pool, related or not.
//!
//! The split points are those of the other methods, so cancellation and live windows work as there; only the
//! scheduling differs. The pool does not report when its threads steal or sleep, so only busy time is
//! clocked.

use crate::parallel::methods::ParallelMethod;
use crate::parallel::scheduler::jobs::Spare;
use crate::parallel::scheduler::pool::catch;
use crate::parallel::scheduler::team::{Team, Ticket};
use crate::parallel::scheduler::worker_context::{
    WorkerContext, check_place, enter_split, leave_split, turn_to,
};
use crate::parallel::setup::{Parallel, ParallelProcessor};
use crate::parallel::split::phase::{merge_results, tasks_of};
use crate::parallel::split::split_and_join::take_one;
use crate::parallel::split::split_point::{Claim, NewSplit, SplitPoint};
use crate::parallel::telemetry::log::{Clocked, joined};
use crate::processor::{Event, Processor, Thread};
use crate::search::{
    ChanceNode, MethodProperties, NEVER, NodeOf, Phase, SearchContext, Stacks, Worker, WorkerStats,
};
use crate::sync::Relaxed;
use std::sync::Arc;

/// The method.
pub(crate) struct ForkJoin;

impl ParallelMethod for ForkJoin {
    const PROPERTIES: MethodProperties =
        MethodProperties { splits_chance_nodes: true, uses_whole_pool: true, ..MethodProperties::USUAL };

    /// 0: the pool does not report idle threads, so every deep enough phase becomes jobs. Unless the thread's
    /// stack is full of jobs that wait: a job for which the worker waits may be followed by others on top.
    fn idle_for_phase<S: Parallel>(context: &WorkerContext<S>, _: NodeOf<'_, S>, _: Phase) -> usize {
        if context.team.jobs().has_room(context.index) { 0 } else { NEVER }
    }

    fn share_phase<S: Parallel>(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    ) {
        S::Processor::fork_join(worker, node, chance, phase, from);
    }
}

impl ParallelProcessor for Thread {
    /// Makes a job of each successor from `from` on, and waits for all of them.
    fn fork_join<S: Parallel<Processor = Self>>(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    ) {
        let tasks = tasks_of(worker, node, chance, phase, from);
        worker.processor.charge(Event::Split);
        let (now, chain) = (worker.processor.now(), worker.processor.fork());
        let above = worker
            .team_link
            .context()
            .place(node.depth, &worker.team_link.links[worker.team_link.first_link..]);
        let context = worker.team_link.context_mut();
        context.record.split(tasks.kind(), node.depth);
        context.record.turn_to(Clocked::Untold, now);
        let (team, owner) = (context.team.clone(), context.index);
        let (window, known) = (chance.window, chance.known);
        let split = SplitPoint::new(NewSplit { owner, above, node, window, known, chain }, tasks);
        let (search, processor) = (worker.search_context(), worker.processor);
        team.jobs().rayon.in_place_scope(|scope| {
            for _ in 0..split.latch.tasks() {
                scope.spawn(|_| run_job(search, processor, &team, &split));
            }
        });
        turn_to(worker, Clocked::Busy);
        check_place(worker);
        merge_results(worker, chance, &split);
    }
}

/// Claims and searches one successor on a thread of the pool, if any is left that matters.
fn run_job<S: Parallel<Processor = Thread>>(
    search: SearchContext<'_, S>,
    processor: Thread,
    team: &Arc<Team<S>>,
    split: &Ticket<S>,
) {
    let Some(claim) = split.claim() else { return };
    let thread = rayon::current_thread_index().expect("jobs run on the pool's threads");
    let spare = &team.jobs().spare[thread];
    let stacks = spare.stacks.lock().pop();
    let new_context = || WorkerContext::for_jobs(team.clone(), thread, search.options.telemetry.timeline);
    spare.running.fetch_add(1, Relaxed); // Relaxed: this thread's own.
    let done = catch(|| {
        let stacks = stacks.unwrap_or_else(|| Stacks::new(search, Some(new_context())));
        let mut worker = Worker::resume(search, processor, stacks);
        search_claimed(&mut worker, split, claim);
        worker.into_stacks()
    });
    spare.running.fetch_sub(1, Relaxed); // Relaxed: as above.
    match done {
        Ok(stacks) => spare.stacks.lock().push(stacks),
        Err(error) => search.control.fail(error),
    }
}

fn search_claimed<S: Parallel>(worker: &mut Worker<'_, S>, split: &Ticket<S>, claim: Claim<'_, S>) {
    turn_to(worker, Clocked::Busy);
    let before = enter_split(worker, split);
    check_place(worker);
    if !worker.is_halted() {
        take_one(worker, split, claim, true);
    }
    leave_split(worker, before);
    turn_to(worker, Clocked::Untold);
}

/// The statistics of all jobs, by thread, with timelines of at most `room` spans of each kind. Takes them
/// from the team.
pub(crate) fn jobs_done<S: Parallel>(team: &Team<S>, room: usize) -> Vec<WorkerStats> {
    let of_thread = |spare: &Spare<S>| {
        let (mut all, mut timelines) = (WorkerStats::default(), Vec::new());
        for stacks in std::mem::take(&mut *spare.stacks.lock()) {
            let context = stacks.peers.expect("a job has a context");
            let mut part = context.record.close(stacks.stats, 0);
            timelines.push(std::mem::take(&mut part.timeline));
            all.add(&part);
        }
        all.timeline = joined(timelines.into_iter(), room);
        all
    };
    team.jobs.iter().flat_map(|jobs| &jobs.spare).map(of_thread).collect()
}
