//! Tasks as jobs of a general work-stealing pool (rayon): fork and join. A worker that waits for its jobs
//! runs any job of the pool, related or not.
//!
//! The split points are the same as with tickets, so cancellation and live windows work as there; only the
//! scheduling differs. The pool does not report when its threads steal or sleep, so only busy time is
//! clocked.

use crate::parallel::scheduler::jobs::Spare;
use crate::parallel::scheduler::team::{Team, Ticket};
use crate::parallel::scheduler::worker_context::{Parallel, ParallelProcessor, WorkerContext, turn_to};
use crate::parallel::split::split_and_join::help_with_one;
use crate::parallel::telemetry::log::{Clocked, joined};
use crate::processor::Thread;
use crate::search::{SearchContext, Stacks, Worker, WorkerStats, catch};
use crate::sync::Relaxed;
use std::sync::Arc;

impl ParallelProcessor for Thread {
    fn run_jobs<S: Parallel<Processor = Self>>(worker: &mut Worker<'_, S>, split: &Ticket<S>) {
        let (search, processor) = (worker.search_context(), worker.processor);
        let team = worker.team_link.context().team.clone();
        team.jobs().rayon.in_place_scope(|scope| {
            for _ in 0..split.latch.tasks() {
                scope.spawn(|_| run_job(search, processor, &team, split));
            }
        });
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
        turn_to(&mut worker, Clocked::Busy);
        help_with_one(&mut worker, split, claim);
        turn_to(&mut worker, Clocked::Untold);
        worker.into_stacks()
    });
    spare.running.fetch_sub(1, Relaxed); // Relaxed: as above.
    match done {
        Ok(stacks) => spare.stacks.lock().push(stacks),
        Err(error) => search.control.fail(error),
    }
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
