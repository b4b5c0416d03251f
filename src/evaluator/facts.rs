//! Facts about an evaluator, and the arguments of its calls.

use crate::game::{Game, StepOf};

/// The abilities of an evaluator besides evaluating one position
/// ([`Evaluator::ABILITIES`](crate::evaluator::Evaluator::ABILITIES)). A constant, so a search is compiled
/// without what the evaluator cannot do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Abilities {
    /// Promises that an outcome changes neither the state nor, seen by the same player, the evaluation: the
    /// evaluator does not look at what was rolled. The evaluation of a chance node then serves all its
    /// successors; with [`Options::leaf_collapse`](crate::search::Options::leaf_collapse) it replaces them.
    /// The test kit compares the evaluations around every chance node that its plays reach.
    pub ignores_outcome: bool,

    /// Whether the evaluation ignores outcomes at some positions
    /// ([`ignores_outcome`](crate::evaluator::Evaluator::ignores_outcome)).
    pub may_ignore_outcome: bool,

    /// Whether it has bounds of what searches find with it ([`bounds`](crate::evaluator::Evaluator::bounds),
    /// [`outcome_bounds`](crate::evaluator::Evaluator::outcome_bounds)).
    pub bounds: bool,

    /// Whether [`evaluate_many`](crate::evaluator::Evaluator::evaluate_many) is cheaper than evaluations one
    /// by one. Where this is false no search in [lanes](crate::search::Options::lanes) is compiled, and the
    /// option has no effect.
    pub batches: bool,
}

impl Abilities {
    /// No abilities.
    pub const NONE: Abilities =
        Abilities { ignores_outcome: false, may_ignore_outcome: false, bounds: false, batches: false };

    /// Ignores outcomes everywhere.
    #[must_use]
    pub const fn ignoring_outcomes(self) -> Self {
        Abilities { ignores_outcome: true, may_ignore_outcome: true, ..self }
    }

    /// Ignores outcomes at some positions.
    #[must_use]
    pub const fn ignoring_some_outcomes(self) -> Self {
        Abilities { may_ignore_outcome: true, ..self }
    }

    /// Sets whether the evaluator has bounds.
    #[must_use]
    pub const fn with_bounds(self, bounds: bool) -> Self {
        Abilities { bounds, ..self }
    }

    /// Sets whether batches are cheaper.
    #[must_use]
    pub const fn with_batches(self, batches: bool) -> Self {
        Abilities { batches, ..self }
    }
}

/// Facts that hold at all positions: [`Evaluator::facts`](crate::evaluator::Evaluator::facts).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EvaluatorFacts {
    /// A number that differs between evaluators that give some position different evaluations. It keeps their
    /// table entries apart. Saturation counts as a difference.
    pub identity: u64,

    /// Declares that evaluations saturate: one beyond the grid, or beyond narrower ends of the evaluator's
    /// own, counts as the nearest end, whether the evaluator or the search clamps it. The search finds the
    /// exact value for the clamped evaluator. A value that is not a number is still an error. Needless where
    /// the game [saturates](crate::game::GameFacts::saturates).
    pub saturates: bool,

    /// The cost of an evaluation, with its state where that is carried along.
    ///
    /// A hint for the choices that the options leave to the search. A wrong cost costs time, never exactness,
    /// and a factor of two does not matter. `starsplit_testkit::check_cost` measures it. A result says where
    /// it was [not declared](crate::search::TunedSettings::evaluation_assumed).
    pub cost: EvaluationCost,

    /// The number of positions that every call is made for, whatever is asked: an evaluator that pads its
    /// calls says to which size, so that no search chooses lanes or batches beyond it. It may be asked for
    /// more in one call all the same, and then makes several. `None` if a call grows with what is asked. A
    /// hint, as [`cost`](EvaluatorFacts::cost) is.
    pub call_size: Option<u32>,
}

impl EvaluatorFacts {
    /// An evaluator with this identity, which does not saturate and declares no cost.
    pub fn new(identity: u64) -> Self {
        EvaluatorFacts { identity, saturates: false, cost: EvaluationCost::default(), call_size: None }
    }

    /// Sets [`saturates`](EvaluatorFacts::saturates).
    #[must_use]
    pub fn saturating(self, saturates: bool) -> Self {
        EvaluatorFacts { saturates, ..self }
    }

    /// Sets [`cost`](EvaluatorFacts::cost).
    #[must_use]
    pub fn with_cost(self, cost: EvaluationCost) -> Self {
        EvaluatorFacts { cost, ..self }
    }

    /// Sets [`call_size`](EvaluatorFacts::call_size).
    #[must_use]
    pub fn with_call_size(self, size: u32) -> Self {
        EvaluatorFacts { call_size: Some(size), ..self }
    }
}

/// The cost of evaluations, in nanoseconds on one core of a present-day machine. The default, of nothing at
/// all, is undeclared: searches take 30 ns for it, as of a small table of features, or a small network with
/// an incremental first layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvaluationCost {
    /// The cost of a call, for any number of positions.
    pub fixed_ns: u32,
    /// The additional cost of each position.
    pub each_ns: u32,
}

impl EvaluationCost {
    /// This many nanoseconds for each position, and none for the call.
    pub fn each(ns: u32) -> Self {
        EvaluationCost { fixed_ns: 0, each_ns: ns }
    }

    /// Whether it is declared.
    pub fn is_declared(self) -> bool {
        self != EvaluationCost::default()
    }

    /// The cost as searches take it: as it is declared, or else 30 ns for each position.
    pub fn or_assumed(self) -> Self {
        if self.is_declared() { self } else { EvaluationCost::each(30) }
    }

    /// The cost of one position in a call of its own, as searches take it.
    pub fn alone(self) -> u64 {
        let EvaluationCost { fixed_ns, each_ns } = self.or_assumed();
        u64::from(fixed_ns) + u64::from(each_ns)
    }
}

/// The position before another one: an argument of [`Evaluator::state`](crate::evaluator::Evaluator::state).
#[derive(Debug)]
pub struct Before<'a, G: Game, T> {
    /// The position before.
    pub position: &'a G::Position,
    /// Its state.
    pub state: &'a T,
    /// The step from it to the position.
    pub step: StepOf<G>,
}
