//! Fast paths near the leaves: collapsing chance nodes, static bounds, and decision nodes with loops of their
//! own.

use crate::evaluator::{EvaluationCost, Evaluator};
use crate::game::{DEAR_SUCCESSOR_NS, Game, GameFacts};
use crate::search::plies::{Depth, NO_DEPTH};
use crate::search::request::{MoveOrdering, Options};
use crate::search::tuning::Plan;

/// The depth of decision nodes whose moves lead to leaves; their loop is in `above_leaves.rs`.
pub(super) const LAST_DECISION: Depth = 1;

/// The depth of decision nodes whose moves lead to collapsed chance nodes. Their loop is in
/// `above_leaves.rs`.
pub(super) const FRONTIER: Depth = 2;

/// Which fast paths a worker uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NearLeaves {
    /// The depth of leaves, 0; where the tree is recorded none, so that leaves are noted as other nodes are.
    pub(super) leaf_depth: Depth,
    /// The depth of chance nodes that may collapse; 0 if none may.
    pub(super) collapsing_depth: Depth,
    /// Whether all of them collapse.
    pub(super) all_collapse: bool,
    /// Whether they collapse without a look at their outcomes; see `collapse.rs`.
    pub(super) leaves_are_promised: bool,
    /// The least depth of chance nodes that take static bounds.
    pub(super) static_bounds_depth: Depth,
    /// The least depth of chance nodes that Star2 probes, where the options leave it to the search.
    pub(super) probed_depth: Depth,
    /// The depths of decision nodes with a loop of their own, one bit each.
    pub(super) own_loops: u8,
    /// Whether the search goes to the end of the game. Then there are no leaves but its ends, and the paths
    /// at depth 1 end the search with an error.
    pub(crate) to_the_end: bool,
}

impl NearLeaves {
    /// The fast paths that game, evaluator and options allow, without loops.
    pub(super) fn new<G: Game, E: Evaluator<G>>(
        facts: &GameFacts,
        evaluation: EvaluationCost,
        options: &Options,
        to_the_end: bool,
    ) -> Self {
        // A probe right above the leaves generates all moves to evaluate one. Where the moves are what costs,
        // their evaluations come with them for little, and prove more.
        let successor_ns = facts.successor_ns_of_probes();
        let generates = successor_ns >= DEAR_SUCCESSOR_NS && evaluation.alone() < successor_ns.into();
        let collapses = E::ABILITIES.ignores_outcome || E::ABILITIES.may_ignore_outcome;
        let collapsing_depth = Depth::from(collapses && options.leaf_collapse || to_the_end);
        let all_collapse = collapsing_depth == 1 && E::ABILITIES.ignores_outcome;
        let takes_bounds = options.static_bounds && options.algorithm.prunes() && !to_the_end;
        NearLeaves {
            leaf_depth: 0,
            collapsing_depth,
            all_collapse,
            leaves_are_promised: !G::STEPS.outcome_rewards && !G::STEPS.plies && facts.outcomes_never_end,
            // At depth 1 the outcomes are evaluated, which costs no more than bounds.
            static_bounds_depth: if takes_bounds { 2 } else { NO_DEPTH },
            probed_depth: if generates { Depth::from(all_collapse) + 3 } else { 0 },
            own_loops: 0,
            to_the_end,
        }
    }

    /// Whether chance nodes right above the leaves may have the value of one evaluation without a look at
    /// their outcomes.
    pub(super) fn collapses_unseen(&self) -> bool {
        self.collapsing_depth == 1 && self.leaves_are_promised
    }

    /// Whether decision nodes at this depth have a loop of their own.
    #[inline]
    pub(super) fn has_own_loop(&self, depth: Depth) -> bool {
        depth <= FRONTIER && self.own_loops >> depth & 1 != 0
    }

    /// Chooses the loops for decision nodes below `usual_depth`.
    pub(super) fn choose_loops<G: Game>(
        &mut self,
        options: &Options,
        plan: &Plan,
        usual_depth: Depth,
        asks_memory: bool,
    ) {
        // The loop computes every evaluation itself. So it is not used where evaluations are probed for, even
        // to see whether that pays.
        let has_last = self.to_the_end
            || usual_depth > LAST_DECISION && !asks_memory && is_last_simple::<G>(options, plan);
        let has_frontier = usual_depth > FRONTIER && self.is_frontier_simple::<G>(options, plan);
        self.own_loops = u8::from(has_frontier) << FRONTIER | u8::from(has_last) << LAST_DECISION;
    }

    /// Whether nodes of [`FRONTIER`] may use their loop: chance nodes collapse, nodes this shallow do not use
    /// the table, moves are not ranked by evaluation, and every move takes one ply. (A chance node that does
    /// not collapse is searched as usual.)
    fn is_frontier_simple<G: Game>(&self, options: &Options, plan: &Plan) -> bool {
        let uses_table =
            plan.decision_table_depth <= FRONTIER || plan.looks_up_collapsed(self.collapsing_depth);
        self.collapsing_depth == FRONTIER - 1
            && !self.to_the_end
            && !uses_table
            && !G::STEPS.plies
            && !plan.orders_statically(options, FRONTIER)
    }
}

/// Whether nodes of [`LAST_DECISION`] may use their loop: they do not use the table, every move takes one
/// ply, and their moves are not ranked by evaluation. An algorithm that prunes must also leave the ordering
/// to the search: another ordering must be kept to the last move.
fn is_last_simple<G: Game>(options: &Options, plan: &Plan) -> bool {
    let is_left_to_search = options.ordering == MoveOrdering::Chosen;
    !G::STEPS.plies
        && plan.decision_table_depth > LAST_DECISION
        && (is_left_to_search && !plan.orders_statically(options, LAST_DECISION)
            || !options.algorithm.prunes())
}
