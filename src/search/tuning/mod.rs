//! What a search chooses for itself where its options leave it the choice: every choice finds the same value,
//! so it may choose at any moment, by what it has counted so far.
//!
//! | file | what is chosen |
//! |---|---|
//! | `plan.rs` | the choices in force, and how the workers of a search come to share them |
//! | `orderings.rs` | by what moves are ranked near the leaves |
//! | `shallow_table.rs` | which nodes near the leaves use the table, and whether evaluations are remembered |
//! | `splits.rs` | how deep and how large a search must be to be split among threads |
//! | `lanes.rs` | how many lanes a thread has, and what a call takes |
//!
//! Costs are counted and declared, never clocked, so that a search that is repeated chooses the same: nodes
//! of each kind have a price in nanoseconds, an evaluation has the one that its evaluator declares. The
//! prices of nodes are rough; a choice that they get wrong was nearly indifferent.

mod lanes;
mod orderings;
mod plan;
mod shallow_table;
mod splits;

pub use lanes::Lanes;
pub(super) use orderings::Trial;
pub(crate) use plan::Plan;
use shallow_table::Class;
pub(super) use shallow_table::Sampled;
pub(crate) use splits::{FINEST_PART, Granularity};

use crate::evaluator::EvaluationCost;
use crate::search::answer::Chosen;
use crate::search::peers::Peers;
use crate::search::request::Options;
use crate::search::setup::Setup;
use crate::search::worker::Worker;
use orderings::Orderings;
use shallow_table::ShallowTable;

/// The price of an interior node, in nanoseconds: its moves or outcomes, and what making it takes.
const INTERIOR_NS: u64 = 40;

/// The price of a leaf beside its evaluation.
const LEAF_NS: u64 = 5;

/// The price of what a move leads to, made to rank the move by it, beside its evaluation.
const MADE_NS: u64 = 15;

/// The price of a look-up and what follows from it: the memory that is waited for, and the store.
const TABLE_NS: u64 = 60;

/// What one worker has counted, to choose from.
#[derive(Debug)]
pub(crate) struct Tuner {
    /// Whether this worker chooses for all of them: the one that leads the search.
    leads: bool,
    /// What an evaluation costs.
    evaluation_ns: u64,
    /// How many successors were made to rank moves by them.
    made: u64,
    shallow_table: ShallowTable,
    orderings: Orderings,
}

impl Tuner {
    /// Of a search in which evaluations cost so much.
    pub(super) fn new<S: Setup>(evaluation: EvaluationCost, options: &Options) -> Self {
        let evaluation_ns = evaluation.alone();
        Tuner {
            leads: false,
            evaluation_ns,
            made: 0,
            shallow_table: ShallowTable::new::<S>(options, evaluation_ns),
            orderings: Orderings::new(options),
        }
    }

    /// What a search begins with.
    pub(super) fn first_plan<S: Setup>(&self, options: &Options) -> Plan {
        Plan::new::<S>(options, self.evaluation_ns)
    }
}

impl<S: Setup> Worker<'_, S> {
    /// The price of all that this worker has done so far, in nanoseconds.
    #[inline]
    fn price(&self) -> u64 {
        let nodes = &self.stats.nodes;
        INTERIOR_NS * (nodes.decision + nodes.chance)
            + LEAF_NS * nodes.leaf
            + self.tuner.evaluation_ns * nodes.evaluations
            + MADE_NS * self.tuner.made
    }

    /// From now on this worker chooses for all workers of its search.
    pub(super) fn lead_tuning(&mut self) {
        self.tuner.leads = true;
        if self.options.splits() || self.options.has_lanes() {
            self.choose_first_splits(self.tuner.evaluation_ns);
        }
    }

    /// Called once in a while: the worker that leads looks whether it is time to choose anew, the others take
    /// what it has chosen.
    pub(super) fn tune(&mut self) {
        if self.tuner.leads {
            self.choose();
        } else if let Some(plan) = self.control.plan()
            && plan != self.plan
        {
            self.follow_plan(plan);
        }
    }

    /// An iteration to this depth has ended, before which all workers had reported so many nodes: adds it to
    /// those before, and makes the choices of the next that go by sizes.
    pub(super) fn choose_by_sizes(&mut self, depth: u8, before: u64, iterations: &mut Vec<(u8, u64)>) {
        let splits = self.options.splits() || self.options.has_lanes();
        if splits {
            self.report_nodes();
            iterations.push((depth, self.control.nodes().saturating_sub(before)));
            self.choose_splits(iterations);
        }
    }

    /// So many successors were made to rank moves by them.
    pub(super) fn note_made(&mut self, successors: usize) {
        self.tuner.made += successors as u64;
    }

    /// Chooses by what was counted so far.
    fn choose(&mut self) {
        let price = self.price();
        let plan = self.tuner.shallow_table.choose(self.plan, price);
        let plan = self.tuner.orderings.choose(plan);
        if plan != self.plan {
            self.publish_plan(plan);
        }
    }

    /// Goes by this plan from now on.
    fn follow_plan(&mut self, plan: Plan) {
        self.plan = plan;
        self.mind_others();
    }

    /// What is in force now, and why.
    pub(super) fn chosen(&self) -> Chosen {
        let Plan { chance_table_depth, decision_table_depth, remembers_evaluations, .. } = self.plan;
        let used = |depth: u8| (depth < u8::MAX).then_some(depth);
        let granularity = self.peers.as_ref().map(S::Peers::granularity);
        Chosen {
            chance_table_depth: used(chance_table_depth),
            decision_table_depth: used(decision_table_depth),
            remembers_evaluations,
            evaluation_ns: self.tuner.evaluation_ns,
            split_depth: granularity.map(|granularity| granularity.depth),
            split_size: granularity.map(|granularity| granularity.size),
            samples: self.tuner.shallow_table.samples(),
            statically_ranked: self.statically_ranked(),
            orderings: self.tuner.orderings.samples(),
        }
    }

    /// The depths near the leaves at which moves are ranked by static evaluation.
    fn statically_ranked(&self) -> Vec<u8> {
        (1..8).filter(|&depth| self.orders_statically(depth)).collect()
    }

    /// The greatest depth of nodes of which some are searched to choose an ordering; 0 where none are.
    pub(super) fn deepest_order_sampled(&self) -> u8 {
        self.tuner.orderings.deepest()
    }

    /// The greatest depth of nodes of which there are samples; 0 where there are none.
    pub(super) fn deepest_sampled(&self) -> u8 {
        self.tuner.shallow_table.deepest()
    }

    /// Whether some evaluations are looked up: all, or a sample.
    pub(super) fn looks_up_evaluations(&self) -> bool {
        self.plan.remembers_evaluations || self.tuner.shallow_table.tries(Class::Evaluation)
    }

    /// Goes by this plan from now on, with all workers of its search.
    fn publish_plan(&mut self, plan: Plan) {
        self.control.publish_plan(plan);
        self.follow_plan(plan);
    }
}
