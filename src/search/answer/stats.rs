//! What a search counts. Every worker counts for itself; the counts are added up after the join.

use std::ops::AddAssign;

macro_rules! counters {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name {
            $($(#[$field_meta])* pub $field: u64),+
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                $(self.$field += other.$field;)+
            }
        }

        impl $name {
            /// Every counter with its name, for records.
            pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($field), self.$field)),+].into_iter()
            }
        }
    };
}

counters! {
    /// Nodes by kind, and the work done beside them.
    NodeCounts {
        /// Entries into decision nodes.
        decision,
        /// Entries into chance nodes.
        chance,
        /// Entries into leaves: nodes at depth 0 and terminals.
        leaf,
        /// Static evaluations made, for leaves and for ordering. Not nodes.
        evaluations,
        /// Table look-ups of a chance node's successors by Star2-TT's successor probing. Not nodes.
        successor_probes,
        /// Successors probed in Star2's probing phase (their entries are among `decision`).
        star2_probes,
        /// Chance nodes, among those in `chance`, that stood for all their successors: see
        /// [`Options::leaf_collapse`](crate::search::Options::leaf_collapse).
        collapsed,
        /// Chance nodes settled by what the game or the evaluator knows of their outcomes, before any
        /// search: see [`Options::static_bounds`](crate::search::Options::static_bounds).
        static_cutoffs,
        /// Table look-ups of a decision node's successors, for enhanced transposition cutoffs: see
        /// [`Options::move_probing_depth`](crate::search::Options::move_probing_depth). Not nodes.
        move_probes,
    }
}

impl NodeCounts {
    /// All nodes: every entry into a decision node, a chance node or a leaf.
    #[inline]
    pub fn total(&self) -> u64 {
        self.decision + self.chance + self.leaf
    }
}

counters! {
    /// What happened at the table.
    TableCounts {
        /// Look-ups, those of successor probing among them.
        probes,
        /// Look-ups that found bounds of a depth that counts.
        hits,
        /// Decision nodes settled by their table entry alone.
        decision_cutoffs,
        /// Chance nodes settled by their table entry alone.
        chance_cutoffs,
        /// Chance nodes settled by successor probing alone.
        successor_cutoffs,
        /// Decision nodes settled by the entry of one of their successors: enhanced transposition cutoffs.
        move_cutoffs,
        /// Stores.
        stores,
        /// Stores that pushed an entry of another position, or of another depth, out of its slot.
        replacements,
        /// Times two pieces of knowledge about one node contradicted each other. Under `Reuse::Exact` that is
        /// a false hit or a fault (of the game or the evaluator, where bounds that it offers are crossed or
        /// false), under `Reuse::AtLeast` a mixture of depths.
        contradictions,
    }
}

impl TableCounts {
    /// The contradictions for people: how many there were, and what that says of a value found beside them.
    pub fn contradictions_text(&self) -> String {
        match self.contradictions {
            0 => "0 contradictions".to_owned(),
            found => format!(
                "{found} contradictions: unless depths are mixed (reuse at-least), hash, game or evaluator \
                 break the contract, and the value may be wrong"
            ),
        }
    }
}

counters! {
    /// What happened between threads.
    SplitCounts {
        /// Split points published in the probing phase.
        probing_splits,
        /// Split points published in the Star1 phase, or in the one phase that Expectimax has.
        star1_splits,
        /// Split points published at decision nodes.
        decision_splits,
        /// Successors taken from split points and searched, by whomever.
        tasks,
        /// Successors searched by a worker that does not own the split point.
        helped,
        /// Attempts to steal a ticket.
        steal_attempts,
        /// Tickets stolen that still had a successor to give.
        steals,
        /// Those of them that were stolen from a worker of another thread; all of them without
        /// [lanes](crate::search::Options::lanes).
        thread_steals,
        /// Searches of a successor that were cut short, because a split point above them was settled or the
        /// search was stopped.
        aborts,
        /// Nodes visited by those searches.
        aborted_nodes,
        /// Nodes below a node that another worker was found in, with [`Options::count_duplicates`].
        ///
        /// [`Options::count_duplicates`]: crate::search::Options::count_duplicates
        duplicate_nodes,
        /// Successors put off because another worker was searching them, with a method that marks them
        /// ([`marks_busy_nodes`]).
        ///
        /// [`marks_busy_nodes`]: crate::search::MethodProperties::marks_busy_nodes
        deferred,
    }
}

counters! {
    /// What the threads of a search in lanes evaluated together.
    BatchCounts {
        /// Calls of [`Evaluator::evaluate_many`](crate::evaluator::Evaluator::evaluate_many).
        calls,
        /// Evaluations made by them.
        evaluations,
    }
}

impl BatchCounts {
    /// How full the calls were in the mean, where each has room for so many; 0 without any.
    pub fn fill(&self, room: usize) -> f64 {
        if self.calls == 0 { 0.0 } else { self.evaluations as f64 / (self.calls as f64 * room as f64) }
    }
}

/// Everything that a search counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Nodes and evaluations.
    pub nodes: NodeCounts,
    /// The table.
    pub table: TableCounts,
    /// The split between threads.
    pub split: SplitCounts,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.table += other.table;
        self.split += other.split;
    }
}
