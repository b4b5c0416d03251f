//! The current choices. They fit into one word, so that workers share them without a lock.

use crate::game::NodeKind;
use crate::search::near_leaves::NearLeaves;
use crate::search::plies::{Depth, NO_DEPTH};
use crate::search::request::{MoveOrdering, Options, TableUse};
use crate::search::tuning::TABLE_NS;

/// The current choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The least depth of chance nodes that use the table.
    pub(crate) chance_table_depth: Depth,
    /// The least depth of decision nodes that use the table.
    pub(crate) decision_table_depth: Depth,
    /// Whether the table is probed for evaluations.
    pub(crate) remembers_evaluations: bool,
    /// The depths below 8 at which moves are ranked by static evaluation, one bit each. Used where the
    /// options leave the ordering to the search.
    pub(crate) static_depths: u8,
    /// The places of [`ShareTrials`](super::share_trials) at which shares are asked for, one bit each of 15.
    pub(crate) share_places: u16,
}

/// The depths ranked statically at first, one bit each: from 4 on, as in [`MoveOrdering::Hybrid`].
const AT_FIRST: u8 = 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7;

/// Shares are asked for everywhere at first.
pub(super) const EVERY_PLACE: u16 = (1 << 15) - 1;

/// The table depth of nodes that never use the table.
const NEVER: Depth = NO_DEPTH;

impl Plan {
    /// The first plan. It follows the options; where these are silent, chance nodes use the table from depth
    /// 2 and decision nodes from depth 3, and it holds evaluations that cost several probes.
    pub(in crate::search) fn new(
        options: &Options,
        evaluation_ns: u64,
        has_table: bool,
        near_leaves: NearLeaves,
    ) -> Self {
        let of_chance = options.table_use == TableUse::All;
        let depth = |is_used: bool, usual: Depth| {
            if is_used { options.table_depth.map_or(usual, Depth::from) } else { NEVER }
        };
        // Otherwise a node above leaves costs all its successors.
        let (chance, decision) = if near_leaves.collapses_unseen() { (2, 3) } else { (1, 2) };
        let plan = Plan {
            chance_table_depth: depth(has_table && of_chance, chance),
            decision_table_depth: depth(has_table, decision),
            remembers_evaluations: false,
            static_depths: AT_FIRST,
            share_places: EVERY_PLACE,
        };
        let is_dear = evaluation_ns > 4 * TABLE_NS && !plan.looks_up_collapsed(near_leaves.collapsing_depth);
        let remembers_evaluations = has_table && options.remember_evaluations.unwrap_or(is_dear);
        Plan { remembers_evaluations, ..plan }
    }

    /// The plan for iterations before the last, where the options leave it to the search and nobody has
    /// declared what successors cost: decisions use the table at every depth. These iterations are small, and
    /// their entries tell the next iteration which move to try first, where it cannot rank moves by their
    /// evaluations.
    pub(super) fn in_early_iterations(self) -> Self {
        let decision_table_depth =
            if self.decision_table_depth == NEVER { NEVER } else { self.decision_table_depth.min(1) };
        Plan { decision_table_depth, ..self }
    }

    /// The least depth of a node of this kind that uses the table.
    #[inline]
    pub(in crate::search) fn table_depth(&self, kind: NodeKind) -> Depth {
        if kind == NodeKind::Decision { self.decision_table_depth } else { self.chance_table_depth }
    }

    /// Whether collapsed chance nodes are probed for. If so, evaluations need no entries of their own.
    pub(in crate::search) fn looks_up_collapsed(&self, collapsing_depth: Depth) -> bool {
        collapsing_depth >= self.chance_table_depth.max(1)
    }

    /// The plan as one word, never 0.
    pub(in crate::search) fn pack(self) -> u64 {
        let Plan { static_depths, share_places, remembers_evaluations, .. } = self;
        let depths = u64::from(self.decision_table_depth) << 16 | u64::from(self.chance_table_depth);
        let places = 1 << 63 | u64::from(share_places) << 48 | u64::from(static_depths) << 40;
        places | u64::from(remembers_evaluations) << 32 | depths
    }

    /// Reverses [`pack`](Self::pack); `None` for 0.
    pub(in crate::search) fn unpack(word: u64) -> Option<Self> {
        (word != 0).then_some(Plan {
            chance_table_depth: word as Depth,
            decision_table_depth: (word >> 16) as Depth,
            remembers_evaluations: word >> 32 & 1 != 0,
            static_depths: (word >> 40) as u8,
            share_places: (word >> 48) as u16 & EVERY_PLACE,
        })
    }

    /// Whether moves at this depth are ranked by static evaluation.
    #[inline]
    pub(in crate::search) fn orders_statically(&self, options: &Options, depth: Depth) -> bool {
        match options.ordering {
            MoveOrdering::Paper => false,
            MoveOrdering::Static => true,
            MoveOrdering::Hybrid => depth >= 4,
            MoveOrdering::Chosen => self.ranks_statically(depth),
        }
    }

    /// The same, where the options leave the ordering to the search.
    #[inline]
    pub(in crate::search) fn ranks_statically(&self, depth: Depth) -> bool {
        depth > 7 || self.static_depths >> depth & 1 != 0
    }

    /// The plan with this ordering at a depth.
    pub(super) fn with_ranking(self, depth: Depth, is_static: bool) -> Self {
        let others = self.static_depths & !(1 << depth);
        Plan { static_depths: others | u8::from(is_static) << depth, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_goes_through_a_word() {
        assert_eq!(Plan::unpack(0), None);
        for (chance, decision, remembers) in
            [(1, 2, true), (3, NO_DEPTH, false), (NO_DEPTH, 1, true), (0, 0, false)]
        {
            let plan = Plan {
                chance_table_depth: chance,
                decision_table_depth: decision,
                remembers_evaluations: remembers,
                static_depths: chance as u8 ^ 5,
                share_places: 0x55aa & EVERY_PLACE,
            };
            assert_eq!(Plan::unpack(plan.pack()), Some(plan));
        }
    }
}
