//! What a game's successors and an evaluator's evaluations cost, beside what is declared.

use starsplit::evaluator::{EvaluationCost, Evaluator};
use starsplit::game::Game;
use std::fmt;

/// So many times too little or too much may be declared.
const FACTOR: f64 = 4.0;

/// Below so many nanoseconds what is declared does not matter.
const LEAST_NS: f64 = 20.0;

/// The size of a large call, by which the price of a call is told from that of each position.
pub(crate) const BATCH: u32 = 64;

/// Prices in nanoseconds, as a game and an evaluator declare them or as they were measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prices {
    /// Of a successor with its share of generating
    /// ([`GameFacts::successor_ns`](starsplit::game::GameFacts::successor_ns)); 0 where undeclared.
    pub successor_ns: u32,
    /// Of an evaluation ([`EvaluatorFacts::cost`](starsplit::evaluator::EvaluatorFacts::cost)).
    pub evaluation: EvaluationCost,
}

/// What a step takes, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StepCost {
    /// How many steps were measured; where none was, nothing is known.
    pub steps: u64,
    /// The step's share of listing all steps of its position ([`Game::moves`], [`Game::outcomes`]).
    pub listing_ns: u32,
    /// Making the position after it ([`Game::play`], [`Game::resolve`]).
    pub taking_ns: u32,
}

/// What was measured, beside what is declared. Its text has both, and the lines to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Costs {
    /// What a move takes.
    pub moves: StepCost,
    /// What an outcome takes.
    pub outcomes: StepCost,
    /// How many positions were evaluated.
    pub evaluations: u64,
    /// What is declared.
    pub declared: Prices,
    /// What should be. `None` where nothing was measured: without optimisations, or where no position was
    /// met.
    pub measured: Option<Prices>,
}

/// A declared price that is four times what was measured, or a quarter of it, and not below 20 ns both. Only
/// the time of searches depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WrongCost {
    /// Of a successor.
    #[error(
        "a successor with its share of generating takes {measured_ns} ns, and {} declared: write `{}` in \
         Game::facts",
        if *declared_ns == 0 { "nothing is".to_owned() } else { format!("{declared_ns} ns are") },
        successor_line(*measured_ns)
    )]
    Successor {
        /// What [`GameFacts::successor_ns`](starsplit::game::GameFacts::successor_ns) says.
        declared_ns: u32,
        /// What it should say.
        measured_ns: u32,
    },
    /// Of an evaluation.
    #[error(
        "an evaluation takes {}, and {}: write `{}` in Evaluator::facts",
        cost_text(measured),
        if declared.is_declared() {
            format!("{} are declared", cost_text(declared))
        } else {
            "nothing is declared".to_owned()
        },
        evaluation_line(measured)
    )]
    Evaluation {
        /// What [`EvaluatorFacts::cost`](starsplit::evaluator::EvaluatorFacts::cost) says.
        declared: EvaluationCost,
        /// What it should say.
        measured: EvaluationCost,
    },
}

/// The declared prices that are wrong: one or both.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.iter().map(WrongCost::to_string).collect::<Vec<_>>().join("; "))]
pub struct WrongCosts(pub Vec<WrongCost>);

impl Prices {
    /// What the game and the evaluator declare.
    pub fn declared<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E) -> Self {
        Prices { successor_ns: game.facts().successor_ns, evaluation: evaluator.facts(game).cost }
    }

    /// Which of these declared prices are wrong, if these are the measured ones.
    pub fn wrong(self, measured: Prices) -> Vec<WrongCost> {
        let (declared_ns, measured_ns) = (self.successor_ns, measured.successor_ns);
        let successor = (declared_ns == 0 || is_wrong(declared_ns.into(), measured_ns.into()))
            .then_some(WrongCost::Successor { declared_ns, measured_ns });
        let evaluation = [1, BATCH]
            .into_iter()
            .any(|size| is_wrong(share(self.evaluation, size), share(measured.evaluation, size)))
            .then_some(WrongCost::Evaluation { declared: self.evaluation, measured: measured.evaluation });
        successor.into_iter().chain(evaluation).collect()
    }
}

impl Costs {
    /// Nothing measured.
    pub(crate) fn unmeasured(declared: Prices) -> Self {
        let (moves, outcomes) = (StepCost::default(), StepCost::default());
        Costs { moves, outcomes, evaluations: 0, declared, measured: None }
    }

    /// The declared prices that are wrong.
    pub fn wrong(&self) -> Vec<WrongCost> {
        self.measured.map_or_else(Vec::new, |measured| self.declared.wrong(measured))
    }
}

impl fmt::Display for Costs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Costs { moves, outcomes, declared, measured, .. } = self;
        let successor = match declared.successor_ns {
            0 => "nothing".to_owned(),
            ns => format!("{ns} ns"),
        };
        let evaluation = cost_text(&declared.evaluation);
        let Some(measured) = measured else {
            return write!(
                f,
                "costs: not measured (they are in builds with optimisations), declared are {successor} for a \
                 successor, {evaluation} for an evaluation"
            );
        };
        writeln!(f, "a move: {moves}")?;
        writeln!(f, "an outcome: {outcomes}")?;
        writeln!(
            f,
            "a successor: {} ns, declared {successor}, to declare: {}",
            measured.successor_ns,
            successor_line(measured.successor_ns)
        )?;
        write!(
            f,
            "an evaluation: {}, declared {evaluation}, to declare: {}",
            cost_text(&measured.evaluation),
            evaluation_line(&measured.evaluation)
        )
    }
}

impl fmt::Display for StepCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let StepCost { steps, listing_ns, taking_ns } = self;
        if *steps == 0 {
            write!(f, "none measured")
        } else {
            write!(f, "its share of listing {listing_ns} ns, the position after it {taking_ns} ns")
        }
    }
}

/// A price of so many nanoseconds for a call and for each of its positions. What the call takes next to
/// nothing for is the positions' share.
pub(crate) fn evaluation_cost(call_ns: f64, each_ns: f64) -> EvaluationCost {
    if call_ns < LEAST_NS {
        return EvaluationCost::each(whole(call_ns + each_ns));
    }
    EvaluationCost { fixed_ns: whole(call_ns), each_ns: whole(each_ns) }
}

/// Whole nanoseconds.
pub(crate) fn whole(ns: f64) -> u32 {
    ns.round() as u32
}

/// What an evaluation costs in a call for so many.
fn share(cost: EvaluationCost, size: u32) -> f64 {
    let cost = cost.or_assumed();
    f64::from(cost.fixed_ns) / f64::from(size) + f64::from(cost.each_ns)
}

/// Whether a price is declared that is far from the one measured, where that matters.
fn is_wrong(declared_ns: f64, measured_ns: f64) -> bool {
    let ratio = measured_ns.max(LEAST_NS) / declared_ns.max(LEAST_NS);
    !(1.0 / FACTOR..=FACTOR).contains(&ratio)
}

fn cost_text(cost: &EvaluationCost) -> String {
    match cost {
        EvaluationCost { fixed_ns: 0, each_ns: 0 } => "nothing".to_owned(),
        EvaluationCost { fixed_ns: 0, each_ns } => format!("{each_ns} ns"),
        EvaluationCost { fixed_ns, each_ns } => format!("{fixed_ns} ns a call with {each_ns} ns each"),
    }
}

/// The line that declares a successor's price.
fn successor_line(ns: u32) -> String {
    format!(".with_successor_ns({})", rounded(ns).max(1))
}

/// The line that declares an evaluation's price.
fn evaluation_line(cost: &EvaluationCost) -> String {
    let [fixed_ns, each_ns] = [cost.fixed_ns, cost.each_ns].map(rounded);
    if fixed_ns == 0 {
        format!(".with_cost(EvaluationCost::each({}))", each_ns.max(1))
    } else {
        format!(".with_cost(EvaluationCost {{ fixed_ns: {fixed_ns}, each_ns: {each_ns} }})")
    }
}

/// Two digits are more than a measurement is worth.
fn rounded(ns: u32) -> u32 {
    let unit = 10u32.pow(ns.max(1).ilog10().saturating_sub(1));
    ns.saturating_add(unit / 2) / unit * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prices(successor_ns: u32, fixed_ns: u32, each_ns: u32) -> Prices {
        Prices { successor_ns, evaluation: EvaluationCost { fixed_ns, each_ns } }
    }

    #[test]
    fn prices_within_a_factor_of_four_pass_and_others_do_not() {
        let measured = prices(1_000, 0, 1_000);
        for declared in [250, 1_000, 4_000] {
            assert_eq!(prices(declared, 0, declared).wrong(measured), []);
        }
        for declared_ns in [1, 249, 4_001] {
            let wrong = prices(declared_ns, 0, 1_000).wrong(measured);
            assert_eq!(wrong, [WrongCost::Successor { declared_ns, measured_ns: 1_000 }]);
            let declared = EvaluationCost::each(declared_ns);
            let wrong = prices(1_000, 0, declared_ns).wrong(measured);
            assert_eq!(wrong, [WrongCost::Evaluation { declared, measured: measured.evaluation }]);
            assert_eq!(prices(declared_ns, 0, declared_ns).wrong(measured).len(), 2);
        }
    }

    #[test]
    fn what_costs_next_to_nothing_may_have_any_small_price() {
        assert_eq!(prices(1, 0, 1).wrong(prices(80, 0, 80)), []);
        assert_eq!(prices(1, 0, 1).wrong(prices(81, 0, 81)).len(), 2);
        assert_eq!(prices(80, 0, 80).wrong(prices(0, 0, 1)), []);
    }

    #[test]
    fn of_what_is_not_declared_successors_need_a_price_and_evaluations_that_are_dear() {
        for measured_ns in [0, 5, 500, 5_000] {
            let wrong = prices(0, 0, 0).wrong(prices(measured_ns, 0, 120));
            assert_eq!(wrong, [WrongCost::Successor { declared_ns: 0, measured_ns }]);
        }
        assert_eq!(prices(1, 0, 0).wrong(prices(1, 0, 121)).len(), 1);
    }

    #[test]
    fn the_price_of_a_call_is_compared_in_large_calls_too() {
        let measured = prices(1, 6_000, 100);
        assert_eq!(prices(1, 6_000, 100).wrong(measured), []);
        // The same alone, and thirty times as much in a large call.
        assert_eq!(prices(1, 0, 6_100).wrong(measured).len(), 1);
        assert_eq!(prices(1, 6_100, 0).wrong(measured), []);
    }

    #[test]
    fn a_wrong_price_is_told_with_the_line_to_write() {
        let wrong = prices(0, 0, 5_000).wrong(prices(737, 6_123, 1_049));
        let told: Vec<_> = wrong.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "a successor with its share of generating takes 737 ns, and nothing is declared: write \
                 `.with_successor_ns(740)` in Game::facts",
                "an evaluation takes 6123 ns a call with 1049 ns each, and 5000 ns are declared: write \
                 `.with_cost(EvaluationCost { fixed_ns: 6100, each_ns: 1000 })` in Evaluator::facts",
            ]
        );
        let [one] = prices(9, 0, 2_000).wrong(prices(300, 0, 1_000))[..] else { panic!("one is wrong") };
        assert!(one.to_string().contains("takes 300 ns, and 9 ns are declared"), "{one}");
        let [one] = prices(9, 0, 0).wrong(prices(9, 0, 1_000))[..] else { panic!("one is wrong") };
        assert!(one.to_string().contains("takes 1000 ns, and nothing is declared"), "{one}");
        assert_eq!(WrongCosts(wrong).to_string(), told.join("; "));
    }

    #[test]
    fn costs_are_told_with_the_lines_to_write() {
        let moves = StepCost { steps: 10, listing_ns: 700, taking_ns: 37 };
        let (declared, measured) = (prices(0, 0, 30), Some(prices(737, 0, 26)));
        let costs = Costs { moves, outcomes: StepCost::default(), evaluations: 5, declared, measured };
        assert_eq!(
            costs.to_string(),
            "a move: its share of listing 700 ns, the position after it 37 ns\n\
             an outcome: none measured\n\
             a successor: 737 ns, declared nothing, to declare: .with_successor_ns(740)\n\
             an evaluation: 26 ns, declared 30 ns, to declare: .with_cost(EvaluationCost::each(26))"
        );
        assert_eq!(costs.wrong(), [WrongCost::Successor { declared_ns: 0, measured_ns: 737 }]);
        let none = Costs::unmeasured(declared);
        assert_eq!(none.wrong(), []);
        assert_eq!(
            none.to_string(),
            "costs: not measured (they are in builds with optimisations), declared are nothing for a \
             successor, 30 ns for an evaluation"
        );
    }

    #[test]
    fn a_call_that_takes_next_to_nothing_has_no_price() {
        assert_eq!(evaluation_cost(19.4, 3.2), EvaluationCost::each(23));
        assert_eq!(evaluation_cost(20.4, 3.2), EvaluationCost { fixed_ns: 20, each_ns: 3 });
    }

    #[test]
    fn prices_are_rounded_to_two_digits() {
        let all = [0, 7, 94, 99, 104, 105, 737, 995, 12_499, 12_500, u32::MAX];
        assert_eq!(all.map(rounded), [0, 7, 94, 99, 100, 110, 740, 1000, 12_000, 13_000, 4_200_000_000]);
    }
}
