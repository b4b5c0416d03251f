//! A worker's place in its team: its deque, its task and its records; and what the search sees of it.

use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind};
use crate::parallel::scheduler::team::{Team, Ticket};
use crate::parallel::split::join_latch::JoinLatch;
use crate::parallel::split::split_and_join;
use crate::parallel::telemetry::in_flight::{InFlight, NodeTag};
use crate::parallel::telemetry::log::Clocked;
use crate::parallel::telemetry::record::Record;
use crate::processor::{Evaluates, Processor};
use crate::score::Window;
use crate::search::transposition;
use crate::search::{
    ChanceNode, Depth, NodeOf, OpenMoves, Peers, Phase, PositionOf, Setup, Worker, recorded_depth,
};
use crate::sync::deque::Worker as Deque;
use crate::table::Table;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

/// The types of every search of this library, whose workers may form a team: a game, an evaluator, a table
/// and a processor.
pub(crate) struct TeamSetup<G, E, T, P>(Types<G, E, T, P>);

/// Names the types without a value of them.
type Types<G, E, T, P> = PhantomData<fn() -> (G, E, T, P)>;

impl<G: Game, E: Evaluator<G>, T: Table, P: ParallelProcessor + Evaluates<G, E>> Setup
    for TeamSetup<G, E, T, P>
{
    type Game = G;
    type Evaluator = E;
    type Table = T;
    type Processor = P;
    type Peers = WorkerContext<Self>;
}

/// Types of a search whose workers have a context each.
pub(crate) trait Parallel: Setup<Peers = WorkerContext<Self>, Processor: ParallelProcessor> {}

impl<S: Setup<Peers = WorkerContext<S>, Processor: ParallelProcessor>> Parallel for S {}

/// A processor on which workers share a search: a thread, unless it says otherwise.
pub(crate) trait ParallelProcessor: Processor {
    /// Sleeps until a split point is published, or for the team's longest sleep.
    fn sleep<S: Setup>(&self, team: &Team<S>, worker: usize) {
        team.sleep(worker);
    }

    /// Wakes a worker that sleeps.
    fn wake<S: Setup>(&self, team: &Team<S>, sleeper: usize) {
        team.wake(sleeper);
    }

    /// Sleeps until the claimed tasks of the worker's split point are finished, or for so long.
    fn sleep_until_joined(&self, latch: &JoinLatch, claimed: u32, longest: Duration) {
        latch.wait(claimed, longest);
    }

    /// Makes a job of each task of a split point, and returns when all are done. Only threads of a rayon pool
    /// can; on other processors the options refuse the method that asks for it.
    fn run_jobs<S: Parallel<Processor = Self>>(_: &mut Worker<'_, S>, _: &Ticket<S>) {
        unreachable!("there are no threads to run jobs, and a search by fork and join is refused")
    }
}

/// A worker's place in a team.
pub(crate) struct WorkerContext<S: Setup> {
    pub(crate) team: Arc<Team<S>>,
    deque: Deque<Ticket<S>>,
    pub(crate) index: usize,
    /// The innermost split point above the worker, and the worker's task there.
    pub(in crate::parallel) under: Option<Ticket<S>>,
    pub(in crate::parallel) task: usize,
    pub(crate) record: Record,
    /// See [`Peers::helper_nodes`].
    pub(in crate::parallel) helper_nodes: u64,
    /// Whether the current search lies below a node that another worker was searching.
    in_duplicate: bool,
}

/// Whether a split point's ticket is in the worker's deque, as far as the worker knows.
#[derive(Debug)]
#[must_use = "a ticket that was put up has to be withdrawn"]
pub(crate) struct Published(bool);

impl<S: Parallel> WorkerContext<S> {
    /// A worker's context at the start of the search.
    pub(crate) fn new(team: Arc<Team<S>>, deque: Deque<Ticket<S>>, index: usize, record: Record) -> Self {
        WorkerContext {
            team,
            deque,
            index,
            under: None,
            task: 0,
            record,
            helper_nodes: 0,
            in_duplicate: false,
        }
    }

    /// A context for jobs on a pool thread. `room` is that of the timeline.
    pub(crate) fn for_jobs(team: Arc<Team<S>>, thread: usize, room: usize) -> Self {
        // The calling thread is the first worker.
        WorkerContext::new(team, Deque::new_lifo(), thread + 1, Record::new(Clocked::Untold, room))
    }

    /// Publishes a split point's ticket, if there may be a task to claim.
    pub(crate) fn publish(&self, processor: &S::Processor, split: &Ticket<S>) -> Published {
        let is_open = split.latch.is_open();
        if is_open {
            let is_only = self.deque.is_empty();
            self.deque.push(split.clone());
            let ply = is_only.then_some(split.node().ply);
            self.team.announce(self.index, ply, |sleeper| processor.wake(&self.team, sleeper));
        }
        Published(is_open)
    }

    /// Withdraws a ticket that `publish` pushed, unless it was stolen. Does so once.
    pub(crate) fn withdraw(&self, split: &Ticket<S>, ticket: &mut Published) {
        if !std::mem::take(&mut ticket.0) {
            return;
        }
        // Later tickets have been withdrawn already, so this one is on top or stolen.
        let top = self.deque.pop();
        debug_assert!(top.is_none_or(|top| Arc::ptr_eq(&top, split)), "a ticket below later ones");
        if self.deque.is_empty() {
            self.team.retract(self.index);
        }
    }
}

impl<S: Parallel> Peers<S> for WorkerContext<S> {
    fn place(&self) -> (usize, usize) {
        (self.index, self.team.size())
    }

    fn has_task(&self) -> bool {
        self.under.is_some()
    }

    #[inline]
    fn is_cut_above(&self) -> bool {
        match &self.under {
            Some(split) => split.is_cut_or_below_cut(),
            // A worker that searches the whole tree ends with the leader.
            None => self.team.is_over(),
        }
    }

    fn window_above(&self) -> Option<Option<Window>> {
        self.under.as_ref().map(|split| split.successor_window(self.task))
    }

    fn window_version(&self) -> u64 {
        self.under.as_ref().map_or(0, |split| split.version())
    }

    #[inline]
    fn idle(&self) -> usize {
        match &self.team.jobs {
            Some(jobs) => usize::from(jobs.has_room(self.index)),
            None => self.team.idle(),
        }
    }

    fn helper_nodes(&self) -> u64 {
        self.helper_nodes
    }

    fn split_phase(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    ) {
        split_and_join::split_phase(worker, node, chance, phase, from);
    }

    fn split_moves(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves) {
        split_and_join::split_moves(worker, node, open);
    }

    fn is_busy(worker: &mut Worker<'_, S>, kind: NodeKind, position: &PositionOf<S>, depth: Depth) -> bool {
        let tag = tag_of(worker, position, kind, depth);
        busy(worker).contains(tag)
    }

    fn mark(worker: &mut Worker<'_, S>, position: &PositionOf<S>, depth: Depth) -> bool {
        let tag = tag_of(worker, position, worker.game.kind(position), depth);
        busy(worker).begin(tag)
    }

    fn unmark(worker: &mut Worker<'_, S>, position: &PositionOf<S>, depth: Depth) {
        let tag = tag_of(worker, position, worker.game.kind(position), depth);
        busy(worker).end(tag);
    }

    fn enter(worker: &mut Worker<'_, S>, kind: NodeKind, node: NodeOf<'_, S>) -> Option<u64> {
        let tag = tag_of(worker, node.position, kind, node.depth);
        if worker.team_link.policy.marks(node.depth) {
            worker.team_link.context().team.busy().begin(tag);
        }
        let counts_duplicates = node.depth >= recorded_depth(worker.options);
        let nodes = worker.stats.nodes.total();
        let context = worker.team_link.context_mut();
        if !counts_duplicates || context.in_duplicate {
            return None;
        }
        context.in_duplicate = !context.team.in_flight().begin(tag);
        Some(nodes)
    }

    fn leave(worker: &mut Worker<'_, S>, kind: NodeKind, node: NodeOf<'_, S>, entered: Option<u64>) {
        let tag = tag_of(worker, node.position, kind, node.depth);
        if worker.team_link.policy.marks(node.depth) {
            worker.team_link.context().team.busy().end(tag);
        }
        let Some(before) = entered else { return };
        let nodes = worker.stats.nodes.total() - before;
        let context = worker.team_link.context_mut();
        if context.in_duplicate {
            context.in_duplicate = false;
            worker.stats.split.duplicate_nodes += nodes;
        } else {
            context.team.in_flight().end(tag);
        }
    }
}

/// A node's tag.
fn tag_of<S: Parallel>(
    worker: &Worker<'_, S>,
    position: &PositionOf<S>,
    kind: NodeKind,
    depth: Depth,
) -> NodeTag {
    NodeTag::new(
        transposition::node_key(worker, position, kind, depth),
        transposition::entry_depth(worker, depth),
    )
}

/// The nodes marked as being searched, after workers behind in virtual time have run.
fn busy<'w, S: Parallel>(worker: &'w Worker<'_, S>) -> &'w InFlight {
    worker.processor.catch_up();
    worker.team_link.context().team.busy()
}

/// Records that the worker does something else from now on.
pub(crate) fn turn_to<S: Parallel>(worker: &mut Worker<'_, S>, clocked: Clocked) {
    let now = worker.processor.now();
    worker.team_link.context_mut().record.turn_to(clocked, now);
}
