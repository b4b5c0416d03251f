//! What a worker shares with the others of its team, and when. One value decides: the method's way, the
//! worker's place in its team, the granularity, and the sizes of past searches. Depth alone does not tell
//! what is worth a split: near the end of a game a search nine plies deep may take a microsecond.

use crate::evaluator::mix64;
use crate::search::chance_node::Phase;
use crate::search::node::Node;
use crate::search::plies::{Depth, NO_DEPTH};
use crate::search::request::{Helping, Options, Splitting, Way};
use crate::search::tuning::{FINEST_PART, Granularity};
use std::ops::Range;

/// More workers than there can be.
pub(super) const NEVER: usize = usize::MAX;

/// A search this many times the least split size is split even if no worker is idle: one will be before it
/// ends, and the split point costs a hundredth of the search.
const EAGER: u64 = 10;

/// The idle workers from which on smaller searches are split.
const MANY_IDLE: usize = 4;

/// A search smaller than the least split size is split while one worker in this many is idle, in teams where
/// that is more than four. In a team of a thousand, four workers are always idle for a moment between two
/// tasks. With four as the limit there would be ten times as many split points as thieves use.
const MANY_IDLE_IN: usize = 10;

/// In large teams, how far below the least split depth nodes follow the split points above them, at most.
/// Nodes closer to the leaves end before their windows could change.
const FOLLOWING_FINER: Depth = 2;

/// The same for nodes that are marked while being searched. A mark is cheap, but to look for one, a worker
/// must compute the position after each outcome. Below the least split depth this costs more than it saves
/// where positions seldom recur.
const MARKING_FINER: Depth = 1;

/// An average of sizes moves towards a new one by one part in this many.
const INERTIA: u64 = 4;

/// What a worker shares, and when.
#[derive(Debug)]
pub(crate) struct SharingPolicy {
    way: Way,
    prunes: bool,
    /// The worker's index in its team, and the team's size.
    place: (usize, usize),
    granularity: Granularity,
    depths: SharingDepths,
    sizes: Sizes,
}

/// The least depths of nodes at which other workers matter; above every depth where they never do.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharingDepths {
    /// Of nodes that may be shared with other workers, in any way.
    pub(super) shared: Depth,
    /// Of nodes whose windows follow the split points above them.
    pub(super) following: Depth,
    /// Of nodes that are marked while a worker searches them, so that others defer them.
    pub(super) marking: Depth,
}

impl SharingPolicy {
    /// Of a worker without a team: it shares nothing.
    pub(super) fn alone(options: &Options) -> Self {
        SharingPolicy {
            way: options.method.way(),
            prunes: options.algorithm.prunes(),
            place: (0, 1),
            granularity: Granularity::new(options),
            depths: SharingDepths { shared: NO_DEPTH, following: NO_DEPTH, marking: NO_DEPTH },
            sizes: Sizes::default(),
        }
    }

    /// Of a worker at this place in its team: its index, and the team's size.
    pub(super) fn of_team(options: &Options, place: (usize, usize)) -> Self {
        let mut policy = SharingPolicy { place, ..SharingPolicy::alone(options) };
        policy.depths = policy.depths_now();
        policy
    }

    /// Splits by this granularity from now on. Returns whether it is another one.
    pub(super) fn adopt(&mut self, granularity: Granularity) -> bool {
        let differs = self.granularity != granularity;
        if differs {
            self.granularity = granularity;
            self.depths = self.depths_now();
        }
        differs
    }

    pub(super) fn granularity(&self) -> Granularity {
        self.granularity
    }

    /// Where others matter. A method that splits as finely as pays does so below the least split depth, too,
    /// in large teams. The others share nothing there, where searching beside others takes much of the time.
    fn depths_now(&self) -> SharingDepths {
        let Granularity { depth, finest, .. } = self.granularity;
        let is_fine = self.way.helpers == Helping::Steal
            && [self.way.phases, self.way.moves].contains(&Splitting::BySize);
        let finer =
            |by| if is_fine && self.is_large() { depth.saturating_sub(by).max(finest) } else { depth };
        // Where each worker has an order of its own, the leader keeps the serial one.
        let is_serial = self.way.helpers == Helping::SearchInOwnOrder && self.place.0 == 0;
        SharingDepths {
            shared: if is_serial { NO_DEPTH } else { finer(NO_DEPTH) },
            // Without pruning no window follows another.
            following: if self.prunes { finer(FOLLOWING_FINER) } else { NO_DEPTH },
            marking: if is_fine && self.way.marks_busy_nodes { finer(MARKING_FINER) } else { NO_DEPTH },
        }
    }

    /// Whether many workers can be idle while one works, so that feeding them matters most. In a smaller team
    /// workers are seldom idle, and a finer split costs more than it gains.
    pub(crate) fn is_large(&self) -> bool {
        self.place.1 > MANY_IDLE
    }

    /// Whether many workers search the whole tree. In the same order, even if each begins elsewhere, most of
    /// them would soon be behind each other; so each has an order of its own.
    fn has_own_order(&self) -> bool {
        let searches_all = matches!(self.way.helpers, Helping::SearchInOwnOrder | Helping::SearchBusyLast);
        searches_all && self.is_large()
    }

    /// A number for `of`, another one in each worker.
    pub(super) fn draw(&self, of: u64) -> u64 {
        mix64(of ^ mix64(self.place.0 as u64))
    }

    /// The least depth of nodes to which other workers matter.
    #[inline]
    pub(super) fn least_depth(&self) -> Depth {
        self.depths.shared.min(self.depths.following)
    }

    /// The least depth of nodes whose windows follow the split points above them.
    pub(crate) fn following_depth(&self) -> Depth {
        self.depths.following
    }

    /// Whether the window of a node at this depth follows the split points above it.
    #[inline]
    pub(super) fn follows(&self, depth: Depth) -> bool {
        depth >= self.depths.following
    }

    /// Whether a node at this depth is marked while it is searched.
    #[inline]
    pub(crate) fn marks(&self, depth: Depth) -> bool {
        depth >= self.depths.marking
    }

    /// The least depth of nodes that are marked.
    pub(super) fn marking_depth(&self) -> Depth {
        self.depths.marking
    }

    /// What helpers do.
    pub(super) fn helpers(&self) -> Helping {
        self.way.helpers
    }

    /// How many workers must be idle to share the rest of a chance node's phase; [`NEVER`] if it is not
    /// shared.
    pub(super) fn idle_for_phase<P, S>(&self, node: Node<'_, P, S>, phase: Phase) -> usize {
        match self.way.helpers {
            _ if node.depth < self.depths.shared => NEVER,
            Helping::Steal => self.idle_by(self.way.phases, node, || self.sizes.of(node.depth, phase)),
            // Of the pool's threads none tells that it is idle. What counts as one is room for a job.
            Helping::RunJobs => 1,
            Helping::SearchInOwnOrder | Helping::SearchBusyLast => 0,
        }
    }

    /// The same for the moves of a decision node after the first. They go by the size of one of the
    /// successors, which are chance nodes in most games, but at least one worker must be idle. Successors
    /// below the least split depth have no size, so a node just above them is split however small it is.
    pub(super) fn idle_for_moves<P, S>(&self, node: Node<'_, P, S>) -> usize {
        let below = || self.sizes.largest(node.depth.saturating_sub(1));
        match (self.way.helpers, self.way.moves) {
            _ if node.depth < self.depths.shared => NEVER,
            (Helping::SearchBusyLast, _) => 0,
            (Helping::SearchInOwnOrder, _) if self.has_own_order() => 0,
            (_, Splitting::BySize) => self.idle_by(Splitting::BySize, node, below).max(1),
            (_, rule) => self.idle_by(rule, node, below),
        }
    }

    fn idle_by<P, S>(&self, rule: Splitting, node: Node<'_, P, S>, size: impl Fn() -> Option<u64>) -> usize {
        match rule {
            Splitting::Root if node.ply == 0 => 0,
            Splitting::Never | Splitting::Root => NEVER,
            Splitting::BySize => self.idle_for_size(node.depth, size()),
        }
    }

    /// How many workers must be idle to split a search at this depth, which is at least the least shared one.
    /// `size` is the usual size of such searches in nodes, as far as this worker knows. With S, the least
    /// split size, and m, four or a tenth of the team if that is more:
    ///
    /// | size | from the least split depth on | at less depth |
    /// |---|---|---|
    /// | unknown | 1 | m |
    /// | 10 S or more | 0 | m |
    /// | S or more | 1 | m |
    /// | S / 8 or more | the greater of m and S / size | the same |
    /// | less | never | never |
    fn idle_for_size(&self, depth: Depth, size: Option<u64>) -> usize {
        let Granularity { depth: split_depth, size: split_size, .. } = self.granularity;
        let is_deep = depth >= split_depth;
        let many = MANY_IDLE.max(self.place.1 / MANY_IDLE_IN);
        match size {
            None if is_deep => 1,
            None => many,
            Some(size) if is_deep && size >= split_size.saturating_mul(EAGER) => 0,
            Some(size) if is_deep && size >= split_size => 1,
            Some(size) if size < split_size / FINEST_PART => NEVER,
            Some(size) => (split_size.div_ceil(size.max(1)) as usize).max(many),
        }
    }

    /// This worker's own order of successors: among few workers from its own first one, going round, among
    /// many at random.
    pub(super) fn own_order(&self, successors: Range<usize>, seed: u64) -> Vec<usize> {
        let ((index, workers), Range { start, end }) = (self.place, successors);
        let first = start + index * (end - start) / workers;
        let mut order: Vec<_> = (first..end).chain(start..first).collect();
        self.shuffle(&mut order, seed);
        order
    }

    /// Where each worker has an order of its own, brings these into it (Fisher and Yates).
    pub(super) fn shuffle<T>(&self, all: &mut [T], seed: u64) {
        let least = if self.has_own_order() { 1 } else { all.len() };
        for last in (least..all.len()).rev() {
            all.swap(last, (self.draw(seed ^ mix64(last as u64)) % (last as u64 + 1)) as usize);
        }
    }

    /// Records the nodes that a phase of a chance node at this depth took.
    pub(super) fn note_size(&mut self, depth: Depth, phase: Phase, nodes: u64) {
        self.sizes.note(depth, phase, nodes);
    }
}

/// A worker's moving averages of the nodes in each phase of chance nodes, by depth.
#[derive(Debug, Default)]
struct Sizes {
    /// By depth, as far as known.
    averages: Vec<Averages>,
}

/// The averages of one depth, by phase; `None` before the first.
type Averages = [Option<u64>; 3];

impl Sizes {
    /// The average; `None` before the first.
    #[inline]
    fn of(&self, depth: Depth, phase: Phase) -> Option<u64> {
        self.averages.get(usize::from(depth))?[phase as usize]
    }

    /// The average of the larger phase at this depth; `None` before the first.
    fn largest(&self, depth: Depth) -> Option<u64> {
        self.averages.get(usize::from(depth))?.iter().copied().max()?
    }

    /// Records the nodes of a phase.
    fn note(&mut self, depth: Depth, phase: Phase, nodes: u64) {
        let depth = usize::from(depth);
        if self.averages.len() <= depth {
            self.averages.resize(depth + 1, Averages::default());
        }
        let average = &mut self.averages[depth][phase as usize];
        *average = Some(average.map_or(nodes, |old| (old * (INERTIA - 1) + nodes) / INERTIA));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::request::{Method, Splits};
    use std::collections::BTreeSet;

    #[test]
    fn averages_follow_what_is_seen() {
        let mut sizes = Sizes::default();
        assert_eq!(sizes.of(7, Phase::Star1), None);
        sizes.note(7, Phase::Star1, 1_000);
        assert_eq!((sizes.of(7, Phase::Star1), sizes.of(7, Phase::Probing)), (Some(1_000), None));
        assert_eq!((sizes.largest(7), sizes.largest(8)), (Some(1_000), None));
        sizes.note(7, Phase::Star1, 0);
        assert_eq!(sizes.of(7, Phase::Star1), Some(750));
        (0..40).for_each(|_| sizes.note(7, Phase::Star1, 20_000));
        assert!(sizes.of(7, Phase::Star1).is_some_and(|size| size > 19_000));
        assert_eq!((sizes.of(5, Phase::Star1), sizes.of(200, Phase::Star1)), (None, None));
    }

    fn options(method: Method) -> Options {
        let splits = Splits { depth: Some(7), size: Some(400), ..Splits::default() };
        Options { method, splits, ..Options::default() }
    }

    /// The workers that must be idle to share the Star1 phase and the moves of a node.
    fn idle_for(policy: &SharingPolicy, depth: Depth, ply: u16) -> [usize; 2] {
        let node = Node::new(&(), &(), depth, ply);
        [policy.idle_for_phase(node, Phase::Star1), policy.idle_for_moves(node)]
    }

    #[test]
    fn each_method_shares_its_own_nodes() {
        let of = |method, depth, ply| idle_for(&SharingPolicy::of_team(&options(method), (1, 4)), depth, ply);
        assert_eq!(of(Method::ChanceSplit, 8, 3), [1, NEVER]);
        assert_eq!(of(Method::DecisionSplit, 8, 3), [NEVER, 1]);
        assert_eq!(of(Method::Both, 8, 3), [1, 1]);
        assert_eq!(of(Method::ForkJoin, 8, 3), [1, NEVER]);
        assert_eq!([of(Method::RootSplit, 8, 0), of(Method::RootSplit, 8, 1)], [[0, 0], [NEVER, NEVER]]);
        assert_eq!(of(Method::SharedTable, 8, 3), [0, NEVER]);
        assert_eq!(of(Method::Abdada, 8, 3), [0, 0]);
        let of_many = SharingPolicy::of_team(&options(Method::SharedTable), (1, 5));
        assert_eq!(idle_for(&of_many, 8, 3), [0, 0], "a worker of many with its own order of moves");
        for &method in Method::ALL {
            assert_eq!(of(method, 6, 3), [NEVER, NEVER], "{method}, below the least split depth");
            let alone = SharingPolicy::alone(&options(method));
            assert_eq!(idle_for(&alone, 200, 0), [NEVER, NEVER], "{method}, alone");
        }
    }

    #[test]
    fn the_smaller_a_search_the_more_workers_must_be_idle() {
        let after = |workers, size, depth| {
            let mut policy = SharingPolicy::of_team(&options(Method::Both), (0, workers));
            policy.note_size(depth, Phase::Star1, size);
            idle_for(&policy, depth, 3)[0]
        };
        let sizes = [4_000, 400, 399, 50, 49];
        assert_eq!(sizes.map(|size| after(4, size, 7)), [0, 1, 4, 8, NEVER]);
        assert_eq!(sizes.map(|size| after(100, size, 7)), [0, 1, 10, 10, NEVER]);
        assert_eq!(sizes.map(|size| after(100, size, 5)), [10, 10, 10, 10, NEVER]);
    }

    #[test]
    fn many_workers_that_search_everything_draw_orders_of_their_own() {
        let policy = |method, place| SharingPolicy::of_team(&options(method), place);
        let has = |method, workers| policy(method, (1, workers)).has_own_order();
        for &method in Method::ALL {
            let is_rival = [Method::SharedTable, Method::Abdada].contains(&method);
            assert_eq!([has(method, 4), has(method, 5)], [false, is_rival], "{method}");
        }
        let order = |index, seed| policy(Method::SharedTable, (index, 64)).own_order(10..40, seed);
        let orders: BTreeSet<_> = (0..64).map(|index| order(index, index as u64 / 32)).collect();
        assert_eq!(orders.len(), 64, "each worker's own");
        assert_ne!(order(1, 0), order(1, 1), "another one in each node");
        assert!(orders.into_iter().all(|mut order| {
            order.sort_unstable();
            order.into_iter().eq(10..40)
        }));
    }

    #[test]
    fn workers_with_orders_of_their_own_begin_apart() {
        let order = |index| {
            let policy = SharingPolicy::of_team(&options(Method::SharedTable), (index, 3));
            policy.own_order(10..16, 0)
        };
        assert_eq!(order(0), [10, 11, 12, 13, 14, 15]);
        assert_eq!(order(1), [12, 13, 14, 15, 10, 11]);
        assert_eq!(order(2), [14, 15, 10, 11, 12, 13]);
    }
}
