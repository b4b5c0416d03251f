//! The search's own choices, where its options leave them open. Every choice finds the same
//! value, so the search may change it at any moment, by what it has counted so far.
//!
//! | file | what is chosen |
//! |---|---|
//! | `plan.rs` | the current choices, and how workers share them |
//! | `orderings.rs` | how moves are ranked near the leaves |
//! | `share_trials.rs` | whether successors are asked for shares of a window |
//! | `shallow_table.rs` | which nodes near the leaves use the table, and whether it holds evaluations |
//! | `granularity.rs` | how deep and how large a search must be to be split |
//! | `lanes.rs` | the lanes of a thread, and the size of a batch |
//!
//! Costs are counted and declared, never timed, so that a repeated search makes the same choices. A node has
//! a price in nanoseconds by its kind; an evaluation has the one that its evaluator declares, and a successor
//! the one that its game declares. The prices of nodes are rough; where they lead to the wrong choice, both
//! choices were nearly equal.

mod granularity;
mod lanes;
mod orderings;
mod plan;
mod shallow_table;
mod share_trials;

pub(crate) use granularity::{FINEST_PART, Granularity};
pub use lanes::Lanes;
pub(super) use orderings::Trial;
pub(crate) use plan::Plan;
use shallow_table::Class;
pub(super) use shallow_table::Sampled;
pub(super) use share_trials::ShareTrial;

use crate::evaluator::EvaluationCost;
use crate::game::{NodeKind, PositionHash};
use crate::search::answer::{NodeCounts, TunedSettings};
use crate::search::near_leaves::NearLeaves;
use crate::search::plies::Depth;
use crate::search::request::{Options, TableUse};
use orderings::Orderings;
use shallow_table::ShallowTable;
use share_trials::ShareTrials;

/// The price of an interior node with its moves or outcomes, in nanoseconds.
const INTERIOR_NS: u64 = 40;

/// The price of a leaf, in nanoseconds, without its evaluation.
const LEAF_NS: u64 = 5;

/// The price of a successor made for ranking, in nanoseconds, without its evaluation.
const MADE_NS: u64 = 15;

/// The prices of nodes have as much for the successor that each of them is: what those of Dice and backgammon
/// take, by which these prices were found.
const INCLUDED_NS: u64 = 20;

/// The highest price of a successor that is counted: ten milliseconds. So no sum of prices overflows.
const MOST_NS: u32 = 10_000_000;

/// The price of a table probe, in nanoseconds, with the wait for memory and the store.
const TABLE_NS: u64 = 60;

/// A worker's plan, and the counts behind it.
#[derive(Debug)]
pub(crate) struct Tuner {
    /// The current choices.
    pub(crate) plan: Plan,
    /// Whether this worker leads, and so chooses for all.
    pub(super) leads: bool,
    /// The choices that follow from samples: the plan, but for [early iterations](Plan::in_early_iterations).
    by_samples: Plan,
    /// Whether the iteration is an early one, with a plan of its own.
    pub(super) is_early: bool,
    /// The cost of an evaluation, in nanoseconds.
    evaluation_ns: u64,
    /// Whether that is taken for granted.
    evaluation_assumed: bool,
    /// The same for choosing what to split: in lanes, several share the cost of a call.
    split_ns: u64,
    /// The declared price of a successor.
    successor_ns: u64,
    /// The successors made for ranking.
    made: u64,
    shallow_table: ShallowTable,
    orderings: Orderings,
    share_trials: ShareTrials,
    /// Whether the table is probed for evaluations: all of them, or a sample.
    pub(super) asks_memory: bool,
    /// The greatest depth of nodes in a sample of probes; 0 without samples.
    pub(super) sampled_depth: Depth,
    /// The greatest depth of nodes in a sample of orderings; 0 without samples.
    order_sampled_depth: Depth,
}

impl Tuner {
    /// For a search with these prices of an evaluation and of a successor. `plan` is the leader's, if there
    /// is one.
    pub(super) fn new(
        (evaluation, successor_ns): (EvaluationCost, u32),
        options: &Options,
        has_table: bool,
        near_leaves: NearLeaves,
        plan: Option<Plan>,
    ) -> Self {
        let (evaluation_ns, evaluation_assumed) = (evaluation.alone(), !evaluation.is_declared());
        let has_table = has_table && options.table_use != TableUse::None;
        let first = Plan::new(options, evaluation_ns, has_table, near_leaves);
        let shallow_table = ShallowTable::new(options, evaluation_ns, has_table, near_leaves, first);
        let orderings = Orderings::new(options);
        let mut tuner = Tuner {
            leads: false,
            by_samples: first,
            is_early: false,
            evaluation_ns,
            evaluation_assumed,
            successor_ns: successor_ns.min(MOST_NS).into(),
            split_ns: granularity::split_ns(evaluation, options),
            made: 0,
            asks_memory: false,
            sampled_depth: shallow_table.deepest(),
            order_sampled_depth: if near_leaves.to_the_end { 0 } else { orderings.deepest() },
            shallow_table,
            orderings,
            share_trials: ShareTrials::new(options.window_shares),
            plan: plan.unwrap_or(first),
        };
        tuner.adopt(tuner.plan);
        tuner
    }

    /// Adopts a plan.
    pub(super) fn adopt(&mut self, plan: Plan) {
        self.plan = plan;
        self.asks_memory = plan.remembers_evaluations || self.shallow_table.tries(Class::Evaluation);
    }

    /// The price of all that a worker with these counts has done, in nanoseconds.
    #[inline]
    fn price(&self, nodes: &NodeCounts) -> u64 {
        self.price_at(self.evaluation_ns, nodes)
    }

    /// The same with evaluations at this price.
    #[inline]
    fn price_at(&self, evaluation_ns: u64, nodes: &NodeCounts) -> u64 {
        INTERIOR_NS * (nodes.decision + nodes.chance)
            + LEAF_NS * nodes.leaf
            + evaluation_ns * nodes.evaluations
            + MADE_NS * self.made
            + self.successor_ns.saturating_sub(INCLUDED_NS) * (nodes.total() + self.made)
    }

    /// The granularity of the first iteration.
    pub(super) fn first_splits(&self, options: &Options) -> Granularity {
        Granularity::before(options, self.split_ns)
    }

    /// The granularity of the next iteration, from the depths and nodes of those before.
    pub(super) fn splits(
        &self,
        options: &Options,
        nodes: &NodeCounts,
        iterations: &[(Depth, u64)],
    ) -> Granularity {
        let price_each = self.price_at(self.split_ns, nodes) as f64 / nodes.total().max(1) as f64;
        Granularity::after(options, iterations, price_each)
    }

    /// Counts successors made for ranking.
    pub(super) fn note_made(&mut self, successors: usize) {
        self.made += successors as u64;
    }

    /// The plan that follows from the counts so far.
    pub(super) fn choose(&mut self, nodes: &NodeCounts) -> Plan {
        let price = self.price(nodes);
        let plan = self.shallow_table.choose(self.share_trials.choose(self.by_samples), price);
        self.by_samples = self.orderings.choose(plan);
        self.plan_now()
    }

    /// The plan for this iteration.
    pub(super) fn plan_now(&self) -> Plan {
        if self.is_early { self.by_samples.in_early_iterations() } else { self.by_samples }
    }

    /// The current choices.
    pub(super) fn chosen(&self, options: &Options, granularity: Option<Granularity>) -> TunedSettings {
        let Plan { chance_table_depth, decision_table_depth, remembers_evaluations, .. } = self.plan;
        let used = |depth: Depth| u8::try_from(depth).ok();
        let statically_ranked =
            (1..8u8).filter(|&depth| self.plan.orders_statically(options, depth.into())).collect();
        TunedSettings {
            chance_table_depth: used(chance_table_depth),
            decision_table_depth: used(decision_table_depth),
            remembers_evaluations,
            evaluation_ns: self.evaluation_ns,
            evaluation_assumed: self.evaluation_assumed,
            successor_ns: self.successor_ns,
            successors_assumed: self.successor_ns == 0,
            split_depth: granularity.map(|granularity| granularity.depth.try_into().unwrap_or(u8::MAX)),
            split_size: granularity.map(|granularity| granularity.size),
            statically_ranked,
            shares_asked: self.share_trials.chosen().collect(),
        }
    }

    /// Whether the node of this kind, depth and key is in a sample of probes.
    #[inline]
    pub(super) fn samples(&self, kind: NodeKind, depth: Depth, key: PositionHash) -> bool {
        Class::of(kind, depth).is_some_and(|class| self.shallow_table.has(class, key))
    }

    /// Whether the evaluation with this key is in a sample.
    #[inline]
    pub(super) fn samples_evaluation(&self, key: PositionHash) -> bool {
        self.shallow_table.has(Class::Evaluation, key)
    }

    /// Begins to measure a node that is probed for, if it is in a sample.
    #[cold]
    pub(super) fn begin_sample(
        &self,
        kind: NodeKind,
        depth: Depth,
        key: Option<PositionHash>,
        nodes: &NodeCounts,
    ) -> Option<Sampled> {
        let class = Class::of(kind, depth)?;
        let is_sampled = self.shallow_table.has(class, key?);
        if is_sampled { Sampled::new(class, self.price(nodes)) } else { None }
    }

    /// The probe has settled the node.
    #[cold]
    pub(super) fn note_settled(&mut self, sampled: Sampled) {
        self.shallow_table.note_settled(sampled.class());
    }

    /// The probe has not settled the node, which was then searched.
    #[cold]
    pub(super) fn note_searched(&mut self, sampled: Sampled, nodes: &NodeCounts) {
        let price = self.price(nodes) - sampled.before();
        self.shallow_table.note_searched(sampled.class(), price);
    }

    /// The table was probed for an evaluation of the sample.
    pub(super) fn note_remembered(&mut self, is_found: bool) {
        if is_found {
            self.shallow_table.note_settled(Class::Evaluation);
        } else {
            self.shallow_table.note_searched(Class::Evaluation, self.evaluation_ns);
        }
    }

    /// Whether a node is in a sample of orderings, by its position's hash.
    #[inline]
    pub(super) fn is_order_sampled(&self, depth: Depth, hash: impl FnOnce() -> PositionHash) -> bool {
        depth <= self.order_sampled_depth && self.orderings.trial(depth, hash()).is_some()
    }

    /// Begins to measure a node, if it is in a sample of orderings. What other workers search of it is not
    /// measured, with either ordering.
    #[inline]
    pub(super) fn begin_trial(
        &self,
        depth: Depth,
        hash: impl FnOnce() -> PositionHash,
        nodes: &NodeCounts,
    ) -> Option<Trial> {
        if depth > self.order_sampled_depth {
            return None;
        }
        let is_static = self.orderings.trial(depth, hash())?;
        Some(Trial { is_static, depth, before: self.price(nodes) })
    }

    /// Ends the measurement.
    #[cold]
    pub(super) fn end_trial(&mut self, trial: Trial, nodes: &NodeCounts) {
        let price = self.price(nodes) - trial.before;
        self.orderings.note(trial, price);
    }

    /// Begins to measure a node that may be asked for shares; `None` if none ever is.
    #[inline]
    pub(super) fn begin_share_trial(&self, depth: Depth, nodes: &NodeCounts) -> Option<ShareTrial> {
        let (asks, place) = self.share_trials.begin(depth, self.leads, self.plan)?;
        Some(ShareTrial { asks, place, before: self.price(nodes) })
    }

    /// Ends the measurement.
    pub(super) fn end_share_trial(&mut self, trial: ShareTrial, nodes: &NodeCounts) {
        self.share_trials.note(trial, self.price(nodes) - trial.before);
    }
}
