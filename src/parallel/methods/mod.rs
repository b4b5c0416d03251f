//! The methods of parallel search, one to a file.
//!
//! | file | subject |
//! |---|---|
//! | `chance_split.rs` | successors of chance nodes are tasks that idle workers steal |
//! | `decision_split.rs` | moves of decision nodes are tasks |
//! | `both.rs` | the default: both |
//! | `root_split.rs` | only the root's successors are tasks |
//! | `fork_join.rs` | successors of chance nodes are jobs of a general pool |
//! | `shared_table.rs`, `abdada.rs` | every worker searches the whole tree |
//! | `split_rule.rs` | how large a search must be to be worth a split |
//!
//! A new method needs a file with a [`ParallelMethod`], its `mod` line and a line in this table, and a line
//! in the list of `search/request/method.rs`.

pub(super) mod abdada;
pub(super) mod both;
pub(super) mod chance_split;
pub(super) mod decision_split;
pub(super) mod fork_join;
pub(super) mod root_split;
pub(super) mod shared_table;
mod split_rule;

use crate::parallel::scheduler::work_loop::steal_until_over;
use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::parallel::split::split_and_join::split_and_join;
use crate::parallel::split::{moves, phase};
use crate::search::{
    ChanceNode, Depth, Method, MethodProperties, NEVER, NodeOf, OpenMoves, Phase, PositionOf, SharingDepths,
    Worker,
};

/// A method of parallel search: what workers share, and when. By default it shares nothing, and helpers steal
/// tasks. A method that says when to share a node makes a split point of it, unless it has a way of its own.
pub(crate) trait ParallelMethod {
    /// The method's properties.
    const PROPERTIES: MethodProperties;

    /// The least depths at which other workers matter to this one.
    fn depths<S: Parallel>(context: &WorkerContext<S>) -> SharingDepths {
        split_rule::coarse_depths(context)
    }

    /// How many workers must be idle to search the rest of this chance node's phase with
    /// [`share_phase`](ParallelMethod::share_phase); [`NEVER`] if it is never shared.
    fn idle_for_phase<S: Parallel>(_: &WorkerContext<S>, _: NodeOf<'_, S>, _: Phase) -> usize {
        NEVER
    }

    /// Searches the successors of a phase from `from` on. By default, at a split point.
    fn share_phase<S: Parallel>(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    ) {
        let tasks = phase::tasks_of(worker, node, chance, phase, from);
        let split = split_and_join(worker, node, (chance.window, chance.known), tasks);
        phase::merge_results(worker, chance, &split);
    }

    /// How many workers must be idle to try this decision node's moves after the first with
    /// [`share_moves`](ParallelMethod::share_moves); [`NEVER`] if they are never shared.
    fn idle_for_moves<S: Parallel>(_: &WorkerContext<S>, _: NodeOf<'_, S>) -> usize {
        NEVER
    }

    /// Tries the remaining moves. By default, at a split point.
    fn share_moves<S: Parallel>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves) {
        let tasks = moves::tasks_of(worker, node, open);
        let split = split_and_join(worker, node, (open.window, open.known), tasks);
        moves::merge_results(worker, node, open, &split);
    }

    /// Runs a helper from its start to the end of the search of `position`.
    fn help_until_over<S: Parallel>(worker: &mut Worker<'_, S>, _position: &PositionOf<S>, _depth: Depth) {
        steal_until_over(worker);
    }
}

/// `dispatch!(method, M => expression)`: the expression with `M` as the method's type, known at compile time.
macro_rules! dispatch {
    ($($given:tt)*) => {
        $crate::search::list_methods! { [$crate::parallel::methods::dispatch_by_list] $($given)* }
    };
}

/// One match arm for each method of the list.
macro_rules! dispatch_by_list {
    (
        ($method:expr, $type:ident => $call:expr)
        $($(#[$about:meta])* $file:ident::$variant:ident = $name:literal,)+
    ) => {
        match $method {
            $($crate::search::Method::$variant => {
                type $type = $crate::parallel::methods::$file::$variant;
                $call
            })+
        }
    };
}
pub(super) use {dispatch, dispatch_by_list};

impl Method {
    /// Whether it has split points: nodes whose successors are tasks for idle workers. With the others each
    /// helper searches the whole tree, besides the leader, whose answer counts. They learn of each other only
    /// through the table, so the search has no tasks and no span.
    pub const fn splits(self) -> bool {
        self.splits_chance_nodes() || self.splits_decision_nodes()
    }

    /// Whether workers split the successors of chance nodes.
    pub const fn splits_chance_nodes(self) -> bool {
        self.properties().splits_chance_nodes
    }

    /// Whether workers split the moves of decision nodes.
    pub const fn splits_decision_nodes(self) -> bool {
        self.properties().splits_decision_nodes
    }

    /// Whether a general pool schedules the work, not this library. All threads of the pool take part then,
    /// however many the options ask for, besides the calling thread, which waits: for a search on a given
    /// number of threads, give it a pool of that size. Of such a search only busy time is clocked, and it
    /// runs neither in lanes nor on virtual processors.
    pub const fn uses_whole_pool(self) -> bool {
        self.properties().uses_whole_pool
    }

    pub(crate) const fn properties(self) -> MethodProperties {
        dispatch!(self, M => M::PROPERTIES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_that_mark_busy_nodes_go_through_chance_nodes() {
        for method in Method::ALL {
            let goes_through = !method.splits() || method.splits_chance_nodes();
            assert!(goes_through || !method.properties().marks_busy_nodes, "{method}");
        }
    }

    #[test]
    fn fork_and_join_alone_leaves_scheduling_to_the_pool() {
        for &method in Method::ALL {
            assert_eq!(method.uses_whole_pool(), method == Method::ForkJoin, "{method}");
        }
    }
}
