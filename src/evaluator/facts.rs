//! What an evaluator says of itself, and what it is told.

use crate::game::{Game, StepOf};

/// What an evaluator is able to do beside evaluating one position, known where its searches are compiled
/// ([`Evaluator::ABILITIES`](crate::evaluator::Evaluator::ABILITIES)). What it is not no search asks for, and
/// nothing is slower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Abilities {
    /// Promises that a chance outcome changes neither the state nor, seen by the same player, the evaluation:
    /// the evaluator does not look at what was rolled. The evaluation of a chance node then serves all its
    /// successors, and with [`Options::leaf_collapse`](crate::search::Options::leaf_collapse) stands for
    /// them. The test kit compares the evaluations around every chance node that its plays come to.
    pub ignores_outcome: bool,

    /// Whether that holds at some positions
    /// ([`ignores_outcome`](crate::evaluator::Evaluator::ignores_outcome)).
    pub may_ignore_outcome: bool,

    /// Whether it knows bounds of what searches find with it
    /// ([`bounds`](crate::evaluator::Evaluator::bounds),
    /// [`outcome_bounds`](crate::evaluator::Evaluator::outcome_bounds)).
    pub bounds: bool,

    /// Whether [`evaluate_many`](crate::evaluator::Evaluator::evaluate_many) is worth having: many at once
    /// cost less than one after another. Where this is false no search runs in
    /// [lanes](crate::search::Options::lanes), whatever its options, and none is compiled.
    pub batches: bool,
}

impl Abilities {
    /// None of them.
    pub const NONE: Abilities =
        Abilities { ignores_outcome: false, may_ignore_outcome: false, bounds: false, batches: false };

    /// Ignores outcomes everywhere.
    #[must_use]
    pub const fn ignoring_outcomes(self) -> Self {
        Abilities { ignores_outcome: true, may_ignore_outcome: true, ..self }
    }

    /// Ignores outcomes at positions of which it says so.
    #[must_use]
    pub const fn ignoring_some_outcomes(self) -> Self {
        Abilities { may_ignore_outcome: true, ..self }
    }

    /// Whether it knows bounds.
    #[must_use]
    pub const fn with_bounds(self, bounds: bool) -> Self {
        Abilities { bounds, ..self }
    }

    /// Whether many evaluations at once are cheaper.
    #[must_use]
    pub const fn with_batches(self, batches: bool) -> Self {
        Abilities { batches, ..self }
    }
}

/// What is the same at all positions: [`Evaluator::facts`](crate::evaluator::Evaluator::facts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EvaluatorFacts {
    /// A number that differs between evaluators which give some position different evaluations: table entries
    /// are kept apart by it. Whether evaluations saturate is part of what they are.
    pub identity: u64,

    /// Declares that evaluations saturate: that those which it would give beyond the grid's ends, or short of
    /// them, where it has ends of its own, are meant to be told as these ends, by itself or by the search.
    /// The value found is then exact of the evaluator so clamped. What is not a number is an error all the
    /// same. Where the game itself [saturates](crate::game::GameFacts::saturates) no evaluator has to say so.
    pub saturates: bool,

    /// What an evaluation costs, its state included where that is carried along.
    ///
    /// A hint from which the search chooses among ways to find the same value, where its options leave the
    /// choice to it: what is declared wrong costs time, never exactness. A factor of two does not matter;
    /// `starsplit_testkit::check_cost` measures it.
    pub cost: EvaluationCost,
}

impl EvaluatorFacts {
    /// Of this identity, which does not saturate and costs what most do.
    pub fn new(identity: u64) -> Self {
        EvaluatorFacts { identity, saturates: false, cost: EvaluationCost::default() }
    }

    /// With [`saturates`](EvaluatorFacts::saturates) as told.
    #[must_use]
    pub fn saturating(self, saturates: bool) -> Self {
        EvaluatorFacts { saturates, ..self }
    }

    /// With this [`cost`](EvaluatorFacts::cost).
    #[must_use]
    pub fn with_cost(self, cost: EvaluationCost) -> Self {
        EvaluatorFacts { cost, ..self }
    }
}

/// What it costs to evaluate positions, in nanoseconds on one core of a machine of today.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvaluationCost {
    /// What each call costs, however many positions it is for.
    pub fixed_ns: u32,
    /// What each position costs beside that.
    pub each_ns: u32,
}

impl EvaluationCost {
    /// So many nanoseconds for each position, and nothing beside.
    pub fn each(ns: u32) -> Self {
        EvaluationCost { fixed_ns: 0, each_ns: ns }
    }

    /// What one position alone costs.
    pub fn alone(self) -> u64 {
        u64::from(self.fixed_ns) + u64::from(self.each_ns)
    }
}

impl Default for EvaluationCost {
    /// 30 ns: a small table of features, or a small network whose first layer is carried along.
    fn default() -> Self {
        EvaluationCost::each(30)
    }
}

/// Where a position came from, as [`Evaluator::state`](crate::evaluator::Evaluator::state) is told it.
#[derive(Debug)]
pub struct Before<'a, G: Game, T> {
    /// The position before.
    pub position: &'a G::Position,
    /// Its state.
    pub state: &'a T,
    /// What leads from it to the position.
    pub step: StepOf<G>,
}
