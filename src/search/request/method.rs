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
        /// How several threads share a search. All methods find the same value.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum Method {
            $($(#[$about])* $method,)+
        }

        named!(Method, "method", $($method = $name),+);
    };
}
list_methods!([declare]);

/// The properties of a method. [`Method`] says what the public ones mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MethodProperties {
    pub(crate) splits_chance_nodes: bool,
    pub(crate) splits_decision_nodes: bool,
    pub(crate) uses_whole_pool: bool,
    /// Whether workers mark the nodes that they search, so that others defer them.
    pub(crate) marks_busy_nodes: bool,
}

impl MethodProperties {
    /// The properties of a method that shares nothing and schedules its own work.
    pub(crate) const USUAL: Self = MethodProperties {
        splits_chance_nodes: false,
        splits_decision_nodes: false,
        uses_whole_pool: false,
        marks_busy_nodes: false,
    };
}
