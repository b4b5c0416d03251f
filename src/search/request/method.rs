//! The list of the methods of parallel search, and their properties.

use crate::search::request::named::named;

/// The list of methods. Passes each method's documentation, file and type in `parallel/methods`, and name to
/// the macro in brackets, after the other arguments. Everything about all methods is made from this list.
macro_rules! list_methods {
    ([$($then:tt)+] $($given:tt)*) => {
        $($then)+! {
            ($($given)*)
            /// Splits the successors of chance nodes among threads by work stealing.
            chance_split::ChanceSplit = "chance-split",
            /// Splits the moves of decision nodes, after the first move (young brothers wait).
            decision_split::DecisionSplit = "decision-split",
            /// Splits both chance nodes and decision nodes.
            #[default]
            both::Both = "both",
            /// Forks the successors of chance nodes as jobs of a general pool, and joins them. All threads of
            /// the pool take part, even if they are more than
            /// [`Options::threads`](crate::search::Options::threads).
            fork_join::ForkJoin = "fork-join",
            /// Splits the successors of the root, and no others.
            root_split::RootSplit = "root-split",
            /// Every thread searches the whole tree, in its own order. They share the table; without one this
            /// gains nothing.
            shared_table::SharedTable = "shared-table",
            /// Every thread searches the whole tree, and defers what another is searching (ABDADA). Without a
            /// table this gains nothing.
            abdada::Abdada = "abdada",
        }
    };
}
pub(crate) use list_methods;

/// Makes the enum and its names from the list.
macro_rules! declare {
    (() $($(#[$about:meta])* $file:ident::$method:ident = $name:literal,)+) => {
        /// How several threads share a search. All methods find the same value. [`Method::properties`] tells
        /// how they differ.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum Method {
            $($(#[$about])* $method,)+
        }

        named!(Method, "method", $($method = $name),+);
    };
}
list_methods!([declare]);

/// The properties of a method, for code that runs, simulates, times or reports its searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MethodProperties {
    /// Whether workers split the successors of chance nodes.
    pub splits_chance_nodes: bool,
    /// Whether workers split the moves of decision nodes.
    pub splits_decision_nodes: bool,
    /// Whether all time of a worker is clocked: idle, stealing and parked time besides busy time.
    pub clocks_idle_time: bool,
    /// Whether [`Searcher::simulate`] accepts it with more than one thread.
    ///
    /// [`Searcher::simulate`]: crate::Searcher
    pub can_be_simulated: bool,
    /// Whether all threads of the pool take part, however many the options ask for, besides the calling
    /// thread, which waits. For a search on a given number of threads, give it a pool of that size.
    pub uses_whole_pool: bool,
    /// Whether workers mark the nodes that they search, so that others defer them.
    pub(crate) marks_busy_nodes: bool,
}

impl MethodProperties {
    /// The properties of a method that shares nothing and runs on any processor.
    pub(crate) const USUAL: Self = MethodProperties {
        splits_chance_nodes: false,
        splits_decision_nodes: false,
        clocks_idle_time: true,
        can_be_simulated: true,
        uses_whole_pool: false,
        marks_busy_nodes: false,
    };

    /// Whether it has split points: nodes whose successors are tasks for idle workers. With the others each
    /// helper searches the whole tree, besides the leader, whose answer counts. They learn of each other only
    /// through the table, so the search has no tasks and no span.
    pub const fn splits(&self) -> bool {
        self.splits_chance_nodes || self.splits_decision_nodes
    }
}
