//! One worker's place in a team, and what the search asks of it.

use crate::game::{Game, Kind};
use crate::parallel::marks::Mark;
use crate::parallel::record::{Activity, Record};
use crate::parallel::setup::{Machine, Parallel};
use crate::parallel::sizes::Sizes;
use crate::parallel::split_point::{Above, SplitPoint};
use crate::parallel::team::{Team, Ticket};
use crate::parallel::{abdada, both, chance_split, decision_split, root_split, shared_table};
use crate::score::Window;
use crate::search::{
    ChanceNode, Crew, Link, Method, NEVER, NodeOf, OpenMoves, Phase, PositionOf, Setup, Worker,
};
use crate::sync::deque::Worker as Queue;
use std::sync::Arc;

/// One worker's place in a team.
pub(crate) struct Seat<S: Setup> {
    pub(crate) team: Arc<Team<S>>,
    queue: Queue<Ticket<S>>,
    pub(crate) index: usize,
    /// The innermost split point that this worker works under, and which of its successors it has.
    under: Option<Ticket<S>>,
    share: usize,
    pub(crate) record: Record,
    pub(crate) sizes: Sizes,
    /// See [`Crew::visited_elsewhere`].
    elsewhere: u64,
    /// Whether what is being searched lies below a node that another worker was found in.
    in_duplicate: bool,
}

/// Where a worker was before it went to work under another split point.
pub(crate) struct Before<S: Setup> {
    under: Option<Ticket<S>>,
    share: usize,
    first_link: usize,
    seen_version: u64,
}

impl<S: Setup> Seat<S> {
    /// A seat taken when the search begins.
    pub(crate) fn new(team: Arc<Team<S>>, queue: Queue<Ticket<S>>, index: usize, record: Record) -> Self {
        Seat {
            team,
            queue,
            index,
            under: None,
            share: 0,
            record,
            sizes: Sizes::default(),
            elsewhere: 0,
            in_duplicate: false,
        }
    }

    /// Makes a split point known to whoever looks for work.
    pub(crate) fn publish(&self, split: &Ticket<S>) {
        let is_only = self.queue.is_empty();
        self.queue.push(split.clone());
        self.team.offer(self.index, is_only.then_some(split.node().ply));
    }

    /// Takes back a ticket that `publish` put up, if nobody stole it.
    pub(crate) fn withdraw(&self, split: &Ticket<S>) {
        // What was put up later has been withdrawn already, so the ticket is on top or gone.
        let top = self.queue.pop();
        debug_assert!(top.is_none_or(|top| Arc::ptr_eq(&top, split)), "a ticket below those put up later");
        if self.queue.is_empty() {
            self.team.retract(self.index);
        }
    }

    /// The place of a node at this depth that this worker is about to split: a successor of a split point, and `links`
    /// from there, if every node above noted its own.
    pub(crate) fn place(&self, depth: u8, links: &[Link]) -> Option<Above<S>> {
        let split = self.under.clone()?;
        let links = (depth + 1 >= self.following_depth()).then(|| links.into());
        Some(Above { split, share: self.share, links })
    }

    /// The least depth of nodes that follow the split points above them: of those that may be split, but for the smallest
    /// that large teams split. None does where the algorithm asks nothing of a window.
    fn following_depth(&self) -> u8 {
        if !self.team.prunes {
            return u8::MAX;
        }
        match self.team.method {
            Method::ChanceSplit | Method::DecisionSplit | Method::Both => chance_split::following_depth(self),
            _ => self.team.split_depth,
        }
    }

    /// Takes note of which successor of the split point above this worker has.
    pub(crate) fn take_share(&mut self, share: usize) {
        self.share = share;
    }

    /// A seat for jobs on a thread of the pool; `room` is that of the timeline.
    pub(crate) fn for_jobs(team: Arc<Team<S>>, thread: usize, room: usize) -> Self {
        // The calling thread is the first worker.
        Seat::new(team, Queue::new_lifo(), thread + 1, Record::new(Activity::Untold, room))
    }
}

/// Goes to work under a split point.
pub(crate) fn go_under<S: Parallel>(worker: &mut Worker<'_, S>, split: &Ticket<S>) -> Option<Before<S>> {
    let seat = worker.seat.as_mut()?;
    let under = seat.under.replace(split.clone());
    let (share, first_link) = (seat.share, worker.first_link);
    let before = Before { under, share, first_link, seen_version: worker.seen_version };
    worker.first_link = worker.links.len();
    Some(before)
}

/// Goes back to where the worker was.
pub(crate) fn go_back<S: Parallel>(worker: &mut Worker<'_, S>, before: Before<S>) {
    (worker.first_link, worker.seen_version) = (before.first_link, before.seen_version);
    if let Some(seat) = &mut worker.seat {
        (seat.under, seat.share) = (before.under, before.share);
    }
}

/// Takes note that what a worker visited since it had visited `before` nodes, `split` being open all the time, is what
/// the split point's successors took, whoever searched them.
pub(crate) fn count_in_full<S: Parallel>(worker: &mut Worker<'_, S>, split: &SplitPoint<S>, before: u64) {
    let visited = worker.visited().wrapping_sub(before);
    if let Some(seat) = worker.seat.as_mut().filter(|seat| seat.team.is_large()) {
        seat.elsewhere = seat.elsewhere.wrapping_add(split.ledger.visited()).wrapping_sub(visited);
    }
}

/// After a change of place, or an unwinding to it: whether the worker has to leave here, too.
pub(crate) fn notice_arrival<S: Parallel>(worker: &mut Worker<'_, S>) {
    let cut_above = worker.seat.as_ref().is_some_and(Seat::is_cut_above);
    worker.set_halted(cut_above || worker.control.is_halted());
}

/// The mark of a node of the search.
pub(crate) fn mark_of<S: Parallel>(
    worker: &Worker<'_, S>,
    position: &PositionOf<S>,
    kind: Kind,
    depth: u8,
) -> Mark {
    Mark::new(worker.keys.key(worker.game.hash(position), kind), depth)
}

impl<S: Parallel> Crew<S> for Seat<S> {
    #[inline]
    fn is_cut_above(&self) -> bool {
        match &self.under {
            Some(split) => split.is_cut_or_below_cut(),
            // Workers that search the whole tree end with the one whose answer counts.
            None => self.team.is_over(),
        }
    }

    fn window_above(&self) -> Option<Option<Window>> {
        self.under.as_ref().map(|split| split.successor_window(self.share))
    }

    fn window_version(&self) -> u64 {
        self.under.as_ref().map_or(0, |split| split.version())
    }

    fn least_depth(&self) -> u8 {
        match self.team.method {
            Method::ChanceSplit | Method::DecisionSplit | Method::Both => chance_split::least_depth(self),
            Method::ForkJoin => self.team.split_depth,
            Method::RootSplit => 2,
            Method::SharedTable if self.index == 0 => u8::MAX,
            Method::SharedTable => 2,
            Method::Abdada => abdada::least_depth(self),
        }
    }

    fn following_depth(&self) -> u8 {
        Seat::following_depth(self)
    }

    #[inline]
    fn idle(&self) -> usize {
        self.team.idle()
    }

    fn idle_for_phase(&self, node: NodeOf<'_, S>, phase: Phase) -> usize {
        match self.team.method {
            Method::ChanceSplit => chance_split::least_idle(self, node.depth, phase),
            Method::DecisionSplit => NEVER,
            Method::Both => both::least_idle(self, node.depth, phase),
            Method::ForkJoin => 0, // at the least depth and above
            Method::RootSplit => root_split::least_idle(node.ply),
            Method::SharedTable | Method::Abdada => 0,
        }
    }

    fn visited_elsewhere(&self) -> u64 {
        self.elsewhere
    }

    fn note_size(&mut self, depth: u8, phase: Phase, nodes: u64) {
        self.sizes.note(depth, phase, nodes);
    }

    fn go_through(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    ) {
        match worker.options.method {
            Method::ForkJoin => S::Processor::fork(worker, node, chance, phase, from),
            Method::SharedTable => shared_table::go_through(worker, node, chance, phase, from),
            Method::Abdada => abdada::go_through(worker, node, chance, phase, from),
            _ => chance_split::go_through(worker, node, chance, phase, from),
        }
    }

    fn idle_for_moves(&self, node: NodeOf<'_, S>) -> usize {
        match self.team.method {
            Method::ChanceSplit | Method::ForkJoin | Method::SharedTable => NEVER,
            Method::DecisionSplit | Method::Both => decision_split::least_idle(self, node.depth),
            Method::RootSplit => root_split::least_idle(node.ply),
            Method::Abdada => 0,
        }
    }

    fn try_rest(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves) {
        match worker.options.method {
            Method::Abdada => abdada::try_rest(worker, node, open),
            _ => decision_split::try_rest(worker, node, open),
        }
    }

    fn enter(worker: &mut Worker<'_, S>, kind: Kind, node: NodeOf<'_, S>) -> Option<u64> {
        let mark = mark_of(worker, node.position, kind, node.depth);
        let nodes = worker.stats.nodes.total();
        let seat = worker.seat.as_mut()?;
        let marks = seat.team.marks.as_ref()?;
        if seat.in_duplicate {
            return None;
        }
        seat.in_duplicate = !marks.set(mark);
        Some(nodes)
    }

    fn leave(worker: &mut Worker<'_, S>, kind: Kind, node: NodeOf<'_, S>, entered: Option<u64>) {
        let Some(before) = entered else { return };
        let mark = mark_of(worker, node.position, kind, node.depth);
        let nodes = worker.stats.nodes.total() - before;
        let Some(seat) = &mut worker.seat else { return };
        if seat.in_duplicate {
            seat.in_duplicate = false;
            worker.stats.split.duplicate_nodes += nodes;
        } else if let Some(marks) = &seat.team.marks {
            marks.clear(mark);
        }
    }
}
