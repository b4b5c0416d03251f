//! Counters of a search. Each worker has its own counters, which are added up after the join.

use std::ops::AddAssign;

macro_rules! counters {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $name {
            $($(#[$field_meta])* pub $field: u64),+
        }

        impl $name {
            pub(crate) fn add(&mut self, other: Self) {
                $(self.$field += other.$field;)+
            }

            /// Every counter, after its name.
            pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((stringify!($field), self.$field)),+].into_iter()
            }
        }
    };
}

counters! {
    /// Nodes by kind, and work done for them.
    NodeCounts {
        /// Entries into decision nodes.
        decision,
        /// Entries into chance nodes.
        chance,
        /// Entries into leaves: nodes at depth 0 and terminals.
        leaf,
        /// Static evaluations, for leaves and for move ordering. Not nodes.
        evaluations,
        /// Table probes for a chance node's successors, by Star2-TT's successor probing. Not nodes.
        successor_probes,
        /// Successors searched in Star2's probing phase (also counted in `decision`).
        star2_probes,
        /// Chance nodes (also counted in `chance`) that one evaluation replaced: see
        /// [`Options::leaf_collapse`](crate::search::Options::leaf_collapse).
        collapsed,
        /// Chance nodes cut by static bounds before any search: see
        /// [`Options::static_bounds`](crate::search::Options::static_bounds).
        static_cutoffs,
        /// Table probes for a decision node's successors, for enhanced transposition cutoffs: see
        /// [`Options::move_probing_depth`](crate::search::Options::move_probing_depth). Not nodes.
        move_probes,
    }
}

impl NodeCounts {
    /// All nodes: decision nodes, chance nodes and leaves.
    #[inline]
    pub fn total(&self) -> u64 {
        self.decision + self.chance + self.leaf
    }
}

counters! {
    /// How chance nodes ended, of those that Star2 and Star2-TT searched in phases: neither right above
    /// leaves, nor settled by the table or static bounds.
    ChanceEnds {
        /// The probing phase proved that they reach beta.
        by_probes,
        /// Their successors' [shares](crate::search::Options::window_shares) did.
        by_shares,
        /// The Star1 phase did.
        by_star1,
        /// They stay within alpha.
        low,
        /// Neither: they were searched to the end, or the search was over.
        open,
    }
}

counters! {
    /// Table events.
    TableCounts {
        /// Probes, those of successor probing included.
        probes,
        /// Probes that found bounds of a depth that counts.
        hits,
        /// Decision nodes settled by their table entry alone.
        decision_cutoffs,
        /// Chance nodes settled by their table entry alone.
        chance_cutoffs,
        /// Chance nodes settled by successor probing alone.
        successor_cutoffs,
        /// Decision nodes settled by a successor's entry: enhanced transposition cutoffs.
        move_cutoffs,
        /// Stores.
        stores,
        /// Stores that replaced an entry of another position or depth.
        replacements,
        /// Contradictions between proven bounds of one node. Under `Reuse::Exact` the cause is a false hit or
        /// a fault (such as crossed or false bounds from the game or the evaluator), under `Reuse::AtLeast`
        /// possibly different depths.
        contradictions,
    }
}

impl TableCounts {
    /// The contradictions as text: how many, and what that means for the value.
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
    /// Events between threads.
    SplitCounts {
        /// Split points published in the probing phase.
        probing_splits,
        /// Split points published in the Star1 phase, or in Expectimax's only phase.
        star1_splits,
        /// Split points published at decision nodes.
        decision_splits,
        /// Successors taken from split points and searched, by any worker.
        tasks,
        /// Of `tasks`, those searched by a worker that does not own the split point.
        helped,
        /// Attempts to steal a ticket.
        steal_attempts,
        /// Stolen tickets that still had a successor to search.
        steals,
        /// Of `steals`, those from another thread's worker; all of them without
        /// [lanes](crate::search::Options::lanes).
        thread_steals,
        /// Searches of a successor that were aborted, because a split point above was cut or the search was
        /// stopped.
        aborts,
        /// Nodes of aborted searches.
        aborted_nodes,
        /// Nodes below a node that another worker was searching, with [`Telemetry::count_duplicates`].
        ///
        /// [`Telemetry::count_duplicates`]: crate::search::Telemetry::count_duplicates
        duplicate_nodes,
        /// Successors deferred because another worker was searching them, with a method whose workers mark
        /// the nodes that they search.
        deferred,
    }
}

counters! {
    /// The evaluations that were made several in a call.
    BatchCounts {
        /// Calls of [`Evaluator::evaluate_many`](crate::evaluator::Evaluator::evaluate_many).
        calls,
        /// Evaluations in these calls.
        evaluations,
    }
}

impl BatchCounts {
    /// The mean fill of the calls, for batches of size `room`; 0 without calls.
    pub fn fill(&self, room: usize) -> f64 {
        self.evaluations as f64 / (self.calls.max(1) as f64 * room as f64)
    }
}

/// Everything that a search counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Nodes and evaluations.
    pub nodes: NodeCounts,
    /// How chance nodes ended.
    pub ends: ChanceEnds,
    /// Table events.
    pub table: TableCounts,
    /// Events between threads.
    pub split: SplitCounts,
    /// Evaluations in batches: with [lanes](crate::search::Options::lanes) all, counted at the search's end;
    /// without, those of [siblings](crate::search::SiblingBatch).
    pub batches: BatchCounts,
}

impl AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.nodes.add(other.nodes);
        self.ends.add(other.ends);
        self.table.add(other.table);
        self.split.add(other.split);
        self.batches.add(other.batches);
    }
}
