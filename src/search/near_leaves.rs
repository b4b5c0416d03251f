//! What is special near the leaves: chance nodes that one evaluation stands for, static bounds, and decision
//! nodes that have loops of their own.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::search::request::{MoveOrdering, Options};
use crate::search::tuning::Plan;

/// The depth of decision nodes whose moves lead to leaves; their loop is `above_leaves.rs`.
pub(super) const LAST_DECISION: u8 = 1;

/// The depth of decision nodes whose moves lead to collapsed chance nodes; their loop is `above_leaves.rs`.
pub(super) const FRONTIER: u8 = 2;

/// What a worker does near the leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearLeaves {
    /// The depth of chance nodes that may collapse; 0, at which there are none, where none may.
    pub(super) collapsing_depth: u8,
    /// Whether all of them do.
    pub(super) all_collapse: bool,
    /// Whether the game promises that they need no look at their outcomes; see `collapse.rs`.
    pub(super) leaves_are_promised: bool,
    /// The least depth of chance nodes that take static bounds.
    pub(super) static_bounds_depth: u8,
    /// The depths at which decision nodes have a loop of their own, a bit each.
    pub(super) own_loops: u8,
}

impl NearLeaves {
    /// What game, evaluator and options allow; nothing has a loop of its own yet.
    pub(super) fn new<G: Game, E: Evaluator<G>>(game: &G, options: &Options) -> Self {
        let collapsing_depth = u8::from(
            (E::ABILITIES.ignores_outcome || E::ABILITIES.may_ignore_outcome) && options.leaf_collapse,
        );
        let takes_bounds = options.static_bounds && options.algorithm.prunes();
        NearLeaves {
            collapsing_depth,
            all_collapse: collapsing_depth == 1 && E::ABILITIES.ignores_outcome,
            leaves_are_promised: !G::STEPS.outcome_rewards
                && !G::STEPS.plies
                && game.facts().outcomes_never_end,
            // At depth 1 each outcome is evaluated, which costs no more than bounds do.
            static_bounds_depth: if takes_bounds { 2 } else { u8::MAX },
            own_loops: 0,
        }
    }

    /// Whether decision nodes at this depth have a loop of their own.
    #[inline]
    pub(super) fn has_own_loop(&self, depth: u8) -> bool {
        depth <= FRONTIER && self.own_loops >> depth & 1 != 0
    }

    /// Gives decision nodes their loops, but for depths from `usual_depth` on.
    pub(super) fn choose_loops<G: Game>(
        &mut self,
        options: &Options,
        plan: &Plan,
        usual_depth: u8,
        asks_memory: bool,
    ) {
        // Evaluations that are looked up, if only to see whether that pays, are not made in that loop.
        let has_last = usual_depth > LAST_DECISION && !asks_memory && is_last_simple::<G>(options, plan);
        let has_frontier = usual_depth > FRONTIER && self.is_frontier_simple::<G>(options, plan);
        self.own_loops = u8::from(has_frontier) << FRONTIER | u8::from(has_last) << LAST_DECISION;
    }

    /// Whether nodes of [`FRONTIER`] may have their loop: chance nodes collapse, the table has no part in it,
    /// and moves are ranked by what is known of moves alone. (What does not collapse all the same is searched
    /// as usual.) Not where moves may take another number of plies.
    fn is_frontier_simple<G: Game>(&self, options: &Options, plan: &Plan) -> bool {
        let uses_table =
            plan.decision_table_depth <= FRONTIER || plan.looks_up_collapsed(self.collapsing_depth);
        self.collapsing_depth == FRONTIER - 1
            && !uses_table
            && !G::STEPS.plies
            && !plan.orders_statically(options, FRONTIER)
    }
}

/// Whether nodes of [`LAST_DECISION`] may have their loop: the table has no part in it, and moves are ranked
/// by what is known of moves alone, if at all, as they are where the ordering is left to the search. (Others
/// keep to their order to the last move.) Not where moves may take another number of plies.
fn is_last_simple<G: Game>(options: &Options, plan: &Plan) -> bool {
    let is_left_to_search = options.ordering == MoveOrdering::Chosen;
    !G::STEPS.plies
        && plan.decision_table_depth > LAST_DECISION
        && (is_left_to_search && !plan.orders_statically(options, LAST_DECISION)
            || !options.algorithm.prunes())
}
