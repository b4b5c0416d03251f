//! The methods of parallel search. A method is data: what it shares, by which rule, and what helpers do.

use crate::search::request::named::named;

/// How several threads share a search. All methods find the same value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Method {
    /// Splits the successors of chance nodes among threads by work stealing.
    ChanceSplit,
    /// Splits the moves of decision nodes, after the first move (young brothers wait).
    DecisionSplit,
    /// Splits both chance nodes and decision nodes.
    #[default]
    Both,
    /// Forks the successors of chance nodes as jobs of a general pool, and joins them. All threads of
    /// the pool take part, even if they are more than
    /// [`Options::threads`](crate::search::Options::threads).
    ForkJoin,
    /// Splits the successors of the root, and no others.
    RootSplit,
    /// Every thread searches the whole tree, in its own order. They share the table; without one this
    /// gains nothing.
    SharedTable,
    /// Every thread searches the whole tree, and defers what another is searching (ABDADA). Without a
    /// table this gains nothing.
    Abdada,
}

named!(
    Method,
    "method",
    ChanceSplit = "chance-split",
    DecisionSplit = "decision-split",
    Both = "both",
    ForkJoin = "fork-join",
    RootSplit = "root-split",
    SharedTable = "shared-table",
    Abdada = "abdada"
);

/// What a method is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// Which chance nodes are split into their successors, in each phase anew.
    pub(crate) phases: Splitting,
    /// Which decision nodes are split into their moves after the first.
    pub(crate) moves: Splitting,
    /// What helpers do.
    pub(crate) helpers: Helping,
    /// Whether workers mark the nodes that they search, so that others defer them.
    pub(crate) marks_busy_nodes: bool,
}

/// Which nodes of a kind are split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Splitting {
    /// None.
    Never,
    /// The root alone, whoever is idle.
    Root,
    /// Those whose search is worth a split to the workers that are idle.
    BySize,
}

/// What helpers do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Helping {
    /// They steal tasks.
    Steal,
    /// They are a general pool's threads, which runs tasks as jobs.
    RunJobs,
    /// They search the whole tree. Each worker takes a chance node's successors from another one on; among
    /// many, each has an order of successors and moves of its own.
    SearchInOwnOrder,
    /// They search the whole tree. Each worker takes what another is searching last, among many in an order
    /// of its own.
    SearchBusyLast,
}

impl Method {
    /// What it is.
    pub(crate) const fn way(self) -> Way {
        let none = Way {
            phases: Splitting::Never,
            moves: Splitting::Never,
            helpers: Helping::Steal,
            marks_busy_nodes: false,
        };
        match self {
            // Veness and Blair expect less redundant work at chance nodes than at decision nodes, and leave
            // the method to future work (section VIII). Unless a chance node is cut, all its successors must
            // be searched, each in its own window from the node's sums, so an early split wastes little.
            Method::ChanceSplit => Way { phases: Splitting::BySize, marks_busy_nodes: true, ..none },
            // Young brothers wait: Feldmann, Monien, Mysliwietz and Vornberger, "Distributed game-tree
            // search", ICCA Journal 12(2), 1989. An idle worker finds tasks only where moves are left.
            Method::DecisionSplit => Way { moves: Splitting::BySize, ..none },
            // More tasks, of which more are moves that a serial search would cut.
            Method::Both => {
                Way { phases: Splitting::BySize, moves: Splitting::BySize, marks_busy_nodes: true, ..none }
            }
            // Rayon, after Cilk: Blumofe and Leiserson, "Scheduling multithreaded computations by work
            // stealing", J. ACM 46(5), 1999. A worker that waits for its jobs runs any job of the pool.
            Method::ForkJoin => Way { phases: Splitting::BySize, helpers: Helping::RunJobs, ..none },
            // The oldest way, cheap, and limited by the largest successor: Akl, Barnard and Doran, "Design,
            // analysis, and implementation of a parallel tree search algorithm", IEEE PAMI 4(2), 1982.
            Method::RootSplit => Way { phases: Splitting::Root, moves: Splitting::Root, ..none },
            // Of chess programs, where it is called lazy search: Brockington, "A taxonomy of parallel
            // game-tree search algorithms", ICCA Journal 19(3), 1996.
            Method::SharedTable => Way { helpers: Helping::SearchInOwnOrder, ..none },
            // Weill, "The ABDADA distributed minimax search algorithm", ICCA Journal 19(1), 1996; with a list
            // of busy nodes outside the table, which is Kerrigan's simplification.
            Method::Abdada => Way { helpers: Helping::SearchBusyLast, marks_busy_nodes: true, ..none },
        }
    }

    /// Whether it has split points: nodes whose successors are tasks for idle workers. With the others each
    /// helper searches the whole tree, besides the leader, whose answer counts. They learn of each other only
    /// through the table, so the search has no tasks and no span.
    pub const fn splits(self) -> bool {
        self.splits_chance_nodes() || self.splits_decision_nodes()
    }

    /// Whether workers split the successors of chance nodes.
    pub const fn splits_chance_nodes(self) -> bool {
        !matches!(self.way().phases, Splitting::Never)
    }

    /// Whether workers split the moves of decision nodes.
    pub const fn splits_decision_nodes(self) -> bool {
        !matches!(self.way().moves, Splitting::Never)
    }

    /// Whether a general pool schedules the work, not this library. All threads of the pool take part then,
    /// however many the options ask for, besides the calling thread, which waits: for a search on a given
    /// number of threads, give it a pool of that size. Of such a search only busy time is clocked, and it
    /// runs neither in lanes nor on virtual processors.
    pub const fn uses_whole_pool(self) -> bool {
        matches!(self.way().helpers, Helping::RunJobs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_that_mark_busy_nodes_go_through_chance_nodes() {
        for method in Method::ALL {
            let goes_through = !method.splits() || method.splits_chance_nodes();
            assert!(goes_through || !method.way().marks_busy_nodes, "{method}");
        }
    }

    #[test]
    fn helpers_search_the_whole_tree_where_there_are_no_tasks() {
        for method in Method::ALL {
            let takes_tasks = matches!(method.way().helpers, Helping::Steal | Helping::RunJobs);
            assert_eq!(method.splits(), takes_tasks, "{method}");
        }
    }

    #[test]
    fn fork_and_join_alone_leaves_scheduling_to_the_pool() {
        for &method in Method::ALL {
            assert_eq!(method.uses_whole_pool(), method == Method::ForkJoin, "{method}");
        }
    }
}
