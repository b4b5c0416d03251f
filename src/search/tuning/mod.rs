//! What a search chooses for itself where its options leave it the choice: every choice finds the same value,
//! so it may choose at any moment, by what it has counted so far.
//!
//! | file | what is chosen |
//! |---|---|
//! | `plan.rs` | the choices in force, and how the workers of a search come to share them |
//! | `orderings.rs` | by what moves are ranked near the leaves |
//! | `shallow_table.rs` | which nodes near the leaves use the table, and whether evaluations are remembered |
//! | `granularity.rs` | how deep and how large a search must be to be split among threads |
//! | `lanes.rs` | how many lanes a thread has, and what a call takes |
//!
//! Costs are counted and declared, never clocked, so that a search that is repeated chooses the same: nodes
//! of each kind have a price in nanoseconds, an evaluation has the one that its evaluator declares. The
//! prices of nodes are rough; a choice that they get wrong was nearly indifferent.

mod granularity;
mod lanes;
mod orderings;
mod plan;
mod shallow_table;

pub(crate) use granularity::{FINEST_PART, Granularity};
pub use lanes::Lanes;
pub(super) use orderings::Trial;
pub(crate) use plan::Plan;
use shallow_table::Class;
pub(super) use shallow_table::Sampled;

use crate::evaluator::EvaluationCost;
use crate::game::{Hash, Kind};
use crate::search::answer::{Chosen, NodeCounts};
use crate::search::near_leaves::NearLeaves;
use crate::search::request::Options;
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

/// What one worker goes by, and what it has counted to choose it from.
#[derive(Debug)]
pub(crate) struct Tuner {
    /// What is done at present where the options leave it to the search.
    pub(crate) plan: Plan,
    /// Whether this worker chooses for all of them: the one that leads the search.
    pub(super) leads: bool,
    /// What an evaluation costs.
    evaluation_ns: u64,
    /// How many successors were made to rank moves by them.
    made: u64,
    shallow_table: ShallowTable,
    orderings: Orderings,
    /// Whether evaluations are asked of the table: all, or a sample of them.
    pub(super) asks_memory: bool,
    /// The greatest depth of nodes of which a sample is looked up; 0 where none is.
    pub(super) sampled_depth: u8,
    /// The greatest depth of nodes of which a sample is searched to choose an ordering; 0 where none is.
    order_sampled_depth: u8,
}

impl Tuner {
    /// Of a search in which evaluations cost so much, and which goes by `plan` where others have chosen it.
    pub(super) fn new(
        evaluation: EvaluationCost,
        options: &Options,
        has_table: bool,
        near_leaves: NearLeaves,
        plan: Option<Plan>,
    ) -> Self {
        let evaluation_ns = evaluation.alone();
        let first = || Plan::new(options, evaluation_ns, has_table, near_leaves.collapsing_depth);
        let (shallow_table, orderings) =
            (ShallowTable::new(options, evaluation_ns, has_table, near_leaves), Orderings::new(options));
        let mut tuner = Tuner {
            leads: false,
            evaluation_ns,
            made: 0,
            asks_memory: false,
            sampled_depth: shallow_table.deepest(),
            order_sampled_depth: orderings.deepest(),
            shallow_table,
            orderings,
            plan: plan.unwrap_or_else(first),
        };
        tuner.follow(tuner.plan);
        tuner
    }

    /// Goes by this plan from now on.
    pub(super) fn follow(&mut self, plan: Plan) {
        self.plan = plan;
        self.asks_memory = plan.remembers_evaluations || self.shallow_table.tries(Class::Evaluation);
    }

    /// The price of all that a worker with these counts has done so far, in nanoseconds.
    #[inline]
    fn price(&self, nodes: &NodeCounts) -> u64 {
        INTERIOR_NS * (nodes.decision + nodes.chance)
            + LEAF_NS * nodes.leaf
            + self.evaluation_ns * nodes.evaluations
            + MADE_NS * self.made
    }

    /// What is split in the first iteration.
    pub(super) fn first_splits(&self, options: &Options) -> Granularity {
        Granularity::before(options, self.evaluation_ns)
    }

    /// What is split in the next one, by the depths and nodes of those before.
    pub(super) fn splits(
        &self,
        options: &Options,
        nodes: &NodeCounts,
        iterations: &[(u8, u64)],
    ) -> Granularity {
        let price_each = self.price(nodes) as f64 / nodes.total().max(1) as f64;
        Granularity::after(options, iterations, price_each)
    }

    /// So many successors were made to rank moves by them.
    pub(super) fn note_made(&mut self, successors: usize) {
        self.made += successors as u64;
    }

    /// The plan that follows from what was counted so far.
    pub(super) fn choose(&mut self, nodes: &NodeCounts) -> Plan {
        let price = self.price(nodes);
        let plan = self.shallow_table.choose(self.plan, price);
        self.orderings.choose(plan)
    }

    /// What is in force now, and why.
    pub(super) fn chosen(&self, options: &Options, granularity: Option<Granularity>) -> Chosen {
        let Plan { chance_table_depth, decision_table_depth, remembers_evaluations, .. } = self.plan;
        let used = |depth: u8| (depth < u8::MAX).then_some(depth);
        let statically_ranked = (1..8).filter(|&depth| self.plan.orders_statically(options, depth)).collect();
        Chosen {
            chance_table_depth: used(chance_table_depth),
            decision_table_depth: used(decision_table_depth),
            remembers_evaluations,
            evaluation_ns: self.evaluation_ns,
            split_depth: granularity.map(|granularity| granularity.depth),
            split_size: granularity.map(|granularity| granularity.size),
            statically_ranked,
        }
    }

    /// Whether a node of this kind, at this depth and with this key is in a sample of look-ups.
    #[inline]
    pub(super) fn samples(&self, kind: Kind, depth: u8, key: Hash) -> bool {
        Class::of(kind, depth).is_some_and(|class| self.shallow_table.has(class, key))
    }

    /// Whether an evaluation with this key is.
    #[inline]
    pub(super) fn samples_evaluation(&self, key: Hash) -> bool {
        self.shallow_table.has(Class::Evaluation, key)
    }

    /// Notes that a node is looked up, if it is in a sample.
    #[cold]
    #[inline(never)]
    pub(super) fn begin_sample(
        &self,
        kind: Kind,
        depth: u8,
        key: Option<Hash>,
        nodes: &NodeCounts,
    ) -> Option<Sampled> {
        let class = Class::of(kind, depth)?;
        let is_sampled = self.shallow_table.has(class, key?);
        if is_sampled { Sampled::new(class, self.price(nodes)) } else { None }
    }

    /// The look-up settled the node.
    #[cold]
    #[inline(never)]
    pub(super) fn note_settled(&mut self, sampled: Sampled) {
        self.shallow_table.note_settled(sampled.class());
    }

    /// It did not, and the node was searched.
    #[cold]
    #[inline(never)]
    pub(super) fn note_searched(&mut self, sampled: Sampled, nodes: &NodeCounts) {
        let price = self.price(nodes) - sampled.before();
        self.shallow_table.note_searched(sampled.class(), price);
    }

    /// An evaluation of the sample was looked up, and found or made.
    pub(super) fn note_remembered(&mut self, is_found: bool) {
        if is_found {
            self.shallow_table.note_settled(Class::Evaluation);
        } else {
            self.shallow_table.note_searched(Class::Evaluation, self.evaluation_ns);
        }
    }

    /// Whether a node whose moves are to be ranked is in a sample of orderings, by its position's hash.
    #[inline]
    pub(super) fn is_order_sampled(&self, depth: u8, hash: impl FnOnce() -> Hash) -> bool {
        depth <= self.order_sampled_depth && self.orderings.trial(depth, hash()).is_some()
    }

    /// Begins to measure such a node, if it is in a sample. Where other workers take a part of it that part
    /// is not measured, however its moves are ranked.
    #[inline]
    pub(super) fn begin_trial(
        &self,
        depth: u8,
        hash: impl FnOnce() -> Hash,
        nodes: &NodeCounts,
    ) -> Option<Trial> {
        if depth > self.order_sampled_depth {
            return None;
        }
        let is_static = self.orderings.trial(depth, hash())?;
        Some(Trial { is_static, depth, before: self.price(nodes) })
    }

    /// The node has been searched.
    #[cold]
    #[inline(never)]
    pub(super) fn end_trial(&mut self, trial: Trial, nodes: &NodeCounts) {
        let price = self.price(nodes) - trial.before;
        self.orderings.note(trial, price);
    }
}
