//! A worker's context: its place in a team, its deque and its records.

use crate::game::NodeKind;
use crate::parallel::scheduler::team::{Team, Ticket};
use crate::parallel::setup::Parallel;
use crate::parallel::split::sizes::Sizes;
use crate::parallel::split::split_point::{Above, SplitPoint};
use crate::parallel::telemetry::in_flight::NodeTag;
use crate::parallel::telemetry::log::Clocked;
use crate::parallel::telemetry::record::Record;
use crate::processor::Processor;
use crate::search::{Depth, Granularity, Link, Peers, PositionOf, Setup, Worker, greatest_below};
use crate::sync::deque::Worker as Queue;
use std::sync::Arc;

/// A worker's place in a team.
pub(crate) struct WorkerContext<S: Setup> {
    pub(crate) team: Arc<Team<S>>,
    pub(in crate::parallel) queue: Queue<Ticket<S>>,
    pub(crate) index: usize,
    /// The innermost split point above the worker, and the worker's task there.
    pub(in crate::parallel) under: Option<Ticket<S>>,
    pub(in crate::parallel) task: usize,
    pub(crate) record: Record,
    pub(crate) sizes: Sizes,
    pub(crate) granularity: Granularity,
    /// See [`Peers::helper_nodes`].
    pub(in crate::parallel) helper_nodes: u64,
    /// Whether the current search lies below a node that another worker was searching.
    pub(in crate::parallel) in_duplicate: bool,
}

/// Whether a split point's ticket is in the worker's deque, as far as the worker knows.
#[derive(Debug)]
#[must_use = "a ticket that was put up has to be withdrawn"]
pub(crate) struct Published(bool);

/// A worker's place before it entered another split point.
#[must_use = "the worker has to be brought back"]
pub(crate) struct Suspended<S: Setup> {
    pub(in crate::parallel) under: Option<Ticket<S>>,
    pub(in crate::parallel) task: usize,
    first_link: usize,
    seen_version: u64,
}

impl<S: Parallel> WorkerContext<S> {
    /// A worker's context at the start of the search.
    pub(crate) fn new(team: Arc<Team<S>>, queue: Queue<Ticket<S>>, index: usize, record: Record) -> Self {
        WorkerContext {
            granularity: team.granularity,
            team,
            queue,
            index,
            under: None,
            task: 0,
            record,
            sizes: Sizes::default(),
            helper_nodes: 0,
            in_duplicate: false,
        }
    }

    /// A context for jobs on a pool thread. `room` is that of the timeline.
    pub(crate) fn for_jobs(team: Arc<Team<S>>, thread: usize, room: usize) -> Self {
        // The calling thread is the first worker.
        WorkerContext::new(team, Queue::new_lifo(), thread + 1, Record::new(Clocked::Untold, room))
    }

    /// Publishes a split point's ticket, if there may be a task to claim.
    pub(crate) fn publish(&self, split: &Ticket<S>) -> Published {
        let is_open = split.latch.is_open();
        if is_open {
            let is_only = self.queue.is_empty();
            self.queue.push(split.clone());
            self.team.announce(self.index, is_only.then_some(split.node().ply));
        }
        Published(is_open)
    }

    /// Withdraws a ticket that `publish` pushed, unless it was stolen. Does so once.
    pub(crate) fn withdraw(&self, split: &Ticket<S>, ticket: &mut Published) {
        if !std::mem::take(&mut ticket.0) {
            return;
        }
        // Later tickets have been withdrawn already, so this one is on top or stolen.
        let top = self.queue.pop();
        debug_assert!(top.is_none_or(|top| Arc::ptr_eq(&top, split)), "a ticket below later ones");
        if self.queue.is_empty() {
            self.team.retract(self.index);
        }
    }

    /// The place of a node at this depth, which the worker is about to split: its task, and `links` from
    /// there, if every node on the way recorded its own. `None` without a task.
    pub(crate) fn place(&self, depth: Depth, links: &[Link]) -> Option<Above<S>> {
        let split = self.under.clone()?;
        let are_noted = depth >= greatest_below::<S::Game>(self.depths().following);
        let links = are_noted.then(|| links.into());
        Some(Above { split, task: self.task, links })
    }

    /// Sets the worker's task at its split point.
    pub(crate) fn set_task(&mut self, task: usize) {
        self.task = task;
    }
}

/// Enters a split point.
pub(crate) fn enter_split<S: Parallel>(worker: &mut Worker<'_, S>, split: &Ticket<S>) -> Suspended<S> {
    if worker.team_link.context().under.is_none() && worker.team_link.links.is_empty() {
        worker.adopt_granularity();
    }
    let (first_link, seen_version) = (worker.team_link.first_link, worker.team_link.seen_version);
    worker.team_link.first_link = worker.team_link.links.len();
    let context = worker.team_link.context_mut();
    let under = context.under.replace(split.clone());
    Suspended { under, task: context.task, first_link, seen_version }
}

/// Returns to the place before [`enter_split`].
pub(crate) fn leave_split<S: Parallel>(worker: &mut Worker<'_, S>, before: Suspended<S>) {
    (worker.team_link.first_link, worker.team_link.seen_version) = (before.first_link, before.seen_version);
    let context = worker.team_link.context_mut();
    (context.under, context.task) = (before.under, before.task);
}

/// Counts the nodes of all the split point's tasks as this worker's, in place of those that it visited itself
/// while the split point was open. `before` is its count at the beginning.
pub(crate) fn count_in_full<S: Parallel>(worker: &mut Worker<'_, S>, split: &SplitPoint<S>, before: u64) {
    let visited = worker.visited().wrapping_sub(before);
    let context = worker.team_link.context_mut();
    if context.team.is_large() {
        context.helper_nodes = context.helper_nodes.wrapping_add(split.latch.visited()).wrapping_sub(visited);
    }
}

/// Checks, after a change of place or an unwinding, whether the worker must leave here as well.
pub(crate) fn check_place<S: Parallel>(worker: &mut Worker<'_, S>) {
    let cut_above = worker.team_link.context().is_cut_above();
    worker.set_halted(cut_above || worker.control.is_halted());
}

/// A node's tag.
pub(crate) fn tag_of<S: Parallel>(
    worker: &Worker<'_, S>,
    position: &PositionOf<S>,
    kind: NodeKind,
    depth: Depth,
) -> NodeTag {
    NodeTag::new(worker.node_key(position, kind, depth), worker.entry_depth(depth))
}

/// Records that the worker does something else from now on.
pub(crate) fn turn_to<S: Parallel>(worker: &mut Worker<'_, S>, clocked: Clocked) {
    let now = worker.processor.now();
    worker.team_link.context_mut().record.turn_to(clocked, now);
}
