//! The methods of parallel search: the one list of them, and what they are asked about themselves.

use crate::search::request::named::named;

/// The list of methods: hands every method's documentation, file and type in `parallel/methods`, and name to
/// the macro in brackets, behind whatever else it is given. Whatever is to be said of each method is made
/// from here.
macro_rules! list_methods {
    ([$($then:tt)+] $($given:tt)*) => {
        $($then)+! {
            ($($given)*)
            /// The successors of chance nodes are split among the threads by work stealing.
            chance_split::ChanceSplit = "chance-split",
            /// The moves of decision nodes are, once the first has been searched (young brothers wait).
            decision_split::DecisionSplit = "decision-split",
            /// Chance nodes and decision nodes are.
            #[default]
            both::Both = "both",
            /// The successors of chance nodes are forked as jobs of a general pool, and joined. All threads
            /// of the pool take part, be they more than
            /// [`Options::threads`](crate::search::Options::threads).
            fork_join::ForkJoin = "fork-join",
            /// The successors of the root are split, and no others.
            root_split::RootSplit = "root-split",
            /// Every thread searches the whole tree in an order of its own; they share the table, and without
            /// one gain nothing.
            shared_table::SharedTable = "shared-table",
            /// Every thread searches the whole tree and puts off what another is searching (ABDADA); without
            /// a table, nothing is gained.
            abdada::Abdada = "abdada",
        }
    };
}
pub(crate) use list_methods;

/// Makes the enum and its names from the list.
macro_rules! declare {
    (() $($(#[$about:meta])* $file:ident::$method:ident = $name:literal,)+) => {
        /// How several threads share one search. All find the same value; [`Method::properties`] tells in
        /// what they differ.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum Method {
            $($(#[$about])* $method,)+
        }

        named!(Method, "method", $($method = $name),+);
    };
}
list_methods!([declare]);

/// What sets a method apart from others, for those who run, simulate, time or report searches by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MethodProperties {
    /// Whether workers split the successors of chance nodes among them.
    pub splits_chance_nodes: bool,
    /// Whether they split the moves of decision nodes.
    pub splits_decision_nodes: bool,
    /// Whether each helper searches the whole tree, beside the worker whose answer counts. They learn of one
    /// another by the table alone, so there are no tasks, and no span of the search.
    pub helpers_search_whole_tree: bool,
    /// Whether every moment of a worker is clocked: idle, stealing and parked time, too, and not its busy
    /// time alone.
    pub clocks_idle_time: bool,
    /// Whether [`Searcher::simulate`] takes it where the options have more than one thread.
    ///
    /// [`Searcher::simulate`]: crate::Searcher
    pub can_be_simulated: bool,
    /// Whether all threads of the pool take part, however many the options ask for, beside the calling
    /// thread, which waits. To search on a given number of threads it needs a pool of that size.
    pub uses_whole_pool: bool,
    /// Whether workers mark nodes that they search, so that others put them off.
    pub marks_busy_nodes: bool,
}

impl MethodProperties {
    /// Of a method that shares nothing, on whatever workers run on.
    pub(crate) const USUAL: Self = MethodProperties {
        splits_chance_nodes: false,
        splits_decision_nodes: false,
        helpers_search_whole_tree: false,
        clocks_idle_time: true,
        can_be_simulated: true,
        uses_whole_pool: false,
        marks_busy_nodes: false,
    };

    /// Whether there are split points: nodes whose successors are tasks for whichever worker has nothing to
    /// do.
    pub const fn splits(&self) -> bool {
        self.splits_chance_nodes || self.splits_decision_nodes
    }
}
