//! The methods of parallel search, one to a file.
//!
//! | file | subject |
//! |---|---|
//! | `chance_split.rs` | successors of chance nodes are tasks that idle workers steal |
//! | `decision_split.rs` | moves of decision nodes are |
//! | `both.rs` | the default: both of them |
//! | `root_split.rs` | only the root's successors are |
//! | `fork_join.rs` | successors of chance nodes are jobs of a general pool |
//! | `shared_table.rs`, `abdada.rs` | every worker searches the whole tree |
//! | `granularity.rs` | how large a search has to be to be worth a split |
//!
//! A new method is a file with a [`ParallelMethod`], a line for it here, and a line of the list in
//! `search/request/method.rs`.

pub(super) mod abdada;
pub(super) mod both;
pub(super) mod chance_split;
pub(super) mod decision_split;
pub(super) mod fork_join;
mod granularity;
pub(super) mod root_split;
pub(super) mod shared_table;

use crate::parallel::scheduler::worker_context::WorkerContext;
use crate::parallel::setup::Parallel;
use crate::search::{ChanceNode, Method, MethodProperties, NodeOf, OpenMoves, Phase, PositionOf, Worker};

/// How several workers share one search.
///
/// Nothing here has a body, so that nothing is inherited unseen: a method that does as another does calls the
/// other's function.
pub(crate) trait ParallelMethod {
    /// What sets it apart from others.
    const PROPERTIES: MethodProperties;

    /// The least depth of nodes that this worker may share with others, in whatever way.
    fn least_depth<S: Parallel>(context: &WorkerContext<S>) -> u8;

    /// The least depth of nodes whose windows follow those of the split points above them.
    fn following_depth<S: Parallel>(context: &WorkerContext<S>) -> u8;

    /// The least depth of nodes that are marked while they are searched, so that whoever comes to them goes
    /// through other successors first; above every depth where the method marks none, or does so itself.
    fn marking_depth<S: Parallel>(context: &WorkerContext<S>) -> u8;

    /// How many workers have to be idle for the rest of a phase of this chance node to be for
    /// [`share_phase`](ParallelMethod::share_phase); [`NEVER`](crate::search::NEVER) when it is not, however
    /// many are.
    fn idle_for_phase<S: Parallel>(context: &WorkerContext<S>, node: NodeOf<'_, S>, phase: Phase) -> usize;

    /// Goes through the successors of a phase from `from` on, in this method's way.
    fn share_phase<S: Parallel>(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &mut ChanceNode,
        phase: Phase,
        from: usize,
    );

    /// How many workers have to be idle for the moves of this decision node that are left after the first to
    /// be for [`share_moves`](ParallelMethod::share_moves); [`NEVER`](crate::search::NEVER) when they are
    /// not.
    fn idle_for_moves<S: Parallel>(context: &WorkerContext<S>, node: NodeOf<'_, S>) -> usize;

    /// Tries the moves that are left, in this method's way.
    fn share_moves<S: Parallel>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves);

    /// What a helper does from when it comes to when the search of `position` is over.
    fn help<S: Parallel>(worker: &mut Worker<'_, S>, position: &PositionOf<S>, depth: u8);
}

/// `dispatch!(method, M => expression)`: the expression with `M` as the type of the method, known when it is
/// compiled.
macro_rules! dispatch {
    ($($given:tt)*) => {
        $crate::search::list_methods! { [$crate::parallel::methods::dispatch_by_list] $($given)* }
    };
}

/// One arm for each method of the list.
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
    /// What sets this method apart from others.
    pub const fn properties(self) -> MethodProperties {
        dispatch!(self, M => M::PROPERTIES)
    }
}

/// For a step that a method has said it never takes.
#[cold]
fn never(step: &str) -> ! {
    unreachable!("this method never {step}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_split_or_search_the_whole_tree() {
        for method in Method::ALL {
            let properties = method.properties();
            assert_ne!(properties.splits(), properties.helpers_search_whole_tree, "{method}");
            let goes_through = properties.helpers_search_whole_tree || properties.splits_chance_nodes;
            assert!(goes_through || !properties.marks_busy_nodes, "{method}");
        }
    }

    /// The pool of another library tells nobody what its threads do, and has none in virtual time.
    #[test]
    fn fork_and_join_alone_leaves_scheduling_to_the_pool() {
        for &method in Method::ALL {
            let MethodProperties { clocks_idle_time, can_be_simulated, uses_whole_pool, .. } =
                method.properties();
            let is_own = method != Method::ForkJoin;
            assert_eq!([clocks_idle_time, can_be_simulated, !uses_whole_pool], [is_own; 3], "{method}");
        }
    }
}
