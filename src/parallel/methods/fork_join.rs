//! A rival: fork and join on a general work-stealing pool (rayon, after Cilk: Blumofe and Leiserson, "Scheduling
//! multithreaded computations by work stealing", J. ACM 46(5), 1999). Each successor of a phase becomes a job; a worker
//! that waits for its jobs runs whatever job the pool has, related or not.
//!
//! The split points are those of the other methods, so aborts and live windows work here too; what differs is who runs
//! what when. The pool tells nobody when its threads steal or sleep, so only busy time is clocked.

use crate::parallel::methods::chance_split::{kind_of, take_back, work_of};
use crate::parallel::scheduler::pool::catch;
use crate::parallel::scheduler::team::{Team, Ticket};
use crate::parallel::scheduler::worker_context::{Seat, go_back, go_under, notice_arrival};
use crate::parallel::setup::Parallel;
use crate::parallel::split::split_and_join::{take_one, turn_to};
use crate::parallel::split::split_point::{NewSplit, SplitPoint};
use crate::parallel::telemetry::log::joined;
use crate::parallel::telemetry::record::Activity;
use crate::processor::{Event, Processor, Thread};
use crate::search::{ChanceNode, NodeOf, Phase, Setup, Stacks, Task, Worker, WorkerStats};
use crate::sync::Mutex;
use std::sync::Arc;

/// What the jobs of one thread of the pool leave for the next. As many as ever were under way at once, since a job that
/// waits has others run on top of it.
pub(crate) struct Spare<S: Setup>(Mutex<Vec<Stacks<S>>>);

impl<S: Setup> Default for Spare<S> {
    fn default() -> Self {
        Spare(Mutex::new(Vec::new()))
    }
}

/// Makes a job of each successor from `from` on, and waits for them.
pub(crate) fn go_through<S: Parallel<Processor = Thread>>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    chance: &mut ChanceNode,
    phase: Phase,
    from: usize,
) {
    let work = work_of(worker, node, chance, phase, from);
    worker.processor.charge(Event::Split);
    let Some(seat) = &mut worker.seat else { return };
    let above = seat.place(node.depth, &worker.links[worker.first_link..]);
    let (team, owner) = (seat.team.clone(), seat.index);
    seat.record.split(kind_of(phase), node.depth);
    seat.record.turn_to(Activity::Untold, worker.processor.now());
    let (window, known) = (chance.window, chance.known);
    let split =
        SplitPoint::new(NewSplit { owner, above, node, window, known, chain: worker.processor.fork() }, work);
    let (task, processor) = (worker.task(), worker.processor);
    let Some(rayon) = &team.rayon else { return };
    rayon.in_place_scope(|scope| {
        for _ in 0..split.ledger.shares() {
            scope.spawn(|_| run_job(task, processor, &team, &split));
        }
    });
    turn_to(worker, Activity::Busy);
    notice_arrival(worker);
    take_back(worker, chance, &split);
}

/// Searches one successor on a thread of the pool.
fn run_job<S: Parallel<Processor = Thread>>(
    task: Task<'_, S>,
    processor: Thread,
    team: &Arc<Team<S>>,
    split: &Ticket<S>,
) {
    let Some(claim) = split.claim() else { return };
    let Some(thread) = rayon::current_thread_index() else { return };
    let Some(spare) = team.spare.get(thread) else { return };
    let stacks = spare.0.lock().pop();
    let new_seat = || Seat::for_jobs(team.clone(), thread, task.options.timeline);
    let done = catch(|| {
        let stacks = stacks.unwrap_or_else(|| Stacks::new(task, Some(new_seat())));
        let mut worker = Worker::resume(task, processor, stacks);
        turn_to(&mut worker, Activity::Busy);
        if let Some(before) = go_under(&mut worker, split) {
            notice_arrival(&mut worker);
            if !worker.halted {
                take_one(&mut worker, split, claim, true);
            }
            go_back(&mut worker, before);
        }
        turn_to(&mut worker, Activity::Untold);
        worker.into_stacks()
    });
    match done {
        Ok(stacks) => spare.0.lock().push(stacks),
        Err(error) => task.control.fail(error),
    }
}

/// What the jobs did, thread by thread, with room for so many spans of each kind in each timeline. Empties what the team
/// keeps for them.
pub(crate) fn jobs_done<S: Parallel>(team: &Team<S>, room: usize) -> Vec<WorkerStats> {
    let of_thread = |spare: &Spare<S>| {
        let (mut all, mut timelines) = (WorkerStats::default(), Vec::new());
        for stacks in std::mem::take(&mut *spare.0.lock()) {
            if let Some(seat) = stacks.seat {
                let mut part = seat.record.close(stacks.stats, 0);
                timelines.push(std::mem::take(&mut part.timeline));
                all.add(&part);
            }
        }
        all.timeline = joined(timelines.into_iter(), room);
        all
    };
    team.spare.iter().map(of_thread).collect()
}
