//! Whether an evaluator costs what it declares.

use super::plays::{Check, Found, Plays, walk};
use super::report::Report;
use super::violation::Violation;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, StepOf};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// So many times too little or too much may be declared.
const FACTOR: f64 = 4.0;

/// Below so many nanoseconds what is declared does not matter.
const LEAST_NS: f64 = 20.0;

/// The least of so many measurements counts, each of which takes so long at least.
const ROUNDS: u32 = 5;
const LEAST_TIME: Duration = Duration::from_millis(2);

/// Positions beyond so many are not evaluated.
const MOST_POSITIONS: usize = 1000;

/// An evaluator that does not cost what it declares.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("an evaluation is declared to cost {declared_ns} ns: measured {measured_ns:.0} ns")]
pub struct WrongCost {
    /// What [`EvaluatorFacts::cost`](starsplit::evaluator::EvaluatorFacts::cost) says of one position alone.
    pub declared_ns: u64,
    /// What one takes here.
    pub measured_ns: f64,
}

/// Measures what an evaluation takes, the change of its state not included, at the positions of random plays,
/// and gives it in nanoseconds.
///
/// It is a measurement: build with optimisations, and leave the machine alone. Takes some milliseconds, and
/// as long as a thousand evaluations of a dear evaluator.
///
/// # Errors
/// When it is four times as much as [`EvaluatorFacts::cost`](starsplit::evaluator::EvaluatorFacts::cost)
/// declares, or a quarter of it, and not less than 20 ns both.
pub fn check_cost<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    start: &G::Position,
    plays: &Plays,
) -> Result<f64, WrongCost> {
    let mut met = Met { game, evaluator, positions: Vec::new(), report: Report::default() };
    // Nothing is checked on the way, so there is no violation.
    let (Ok(_) | Err(_)) = walk(game, start, plays, &mut met) as Result<Report, Violation>;
    let measured_ns = (0..ROUNDS).map(|_| met.measure()).fold(f64::INFINITY, f64::min);
    let declared_ns = evaluator.facts(game).cost.alone();
    let ratio = measured_ns.max(LEAST_NS) / (declared_ns as f64).max(LEAST_NS);
    if met.positions.is_empty() || (1.0 / FACTOR..=FACTOR).contains(&ratio) {
        Ok(measured_ns)
    } else {
        Err(WrongCost { declared_ns, measured_ns })
    }
}

/// The positions met, with the state of the evaluator.
struct Met<'a, G: Game, E: Evaluator<G>> {
    game: &'a G,
    evaluator: &'a E,
    positions: Vec<(G::Position, E::State)>,
    report: Report,
}

impl<G: Game, E: Evaluator<G>> Met<'_, G, E> {
    /// What an evaluation takes, in nanoseconds.
    fn measure(&self) -> f64 {
        let (begun, mut evaluations) = (Instant::now(), 0u64);
        while !self.positions.is_empty() && (evaluations == 0 || begun.elapsed() < LEAST_TIME) {
            for (position, state) in &self.positions {
                black_box(self.evaluator.evaluate(self.game, black_box(position), state));
            }
            evaluations += self.positions.len() as u64;
        }
        begun.elapsed().as_nanos() as f64 / evaluations.max(1) as f64
    }
}

impl<G: Game, E: Evaluator<G>> Check<G> for Met<'_, G, E> {
    type Carried = ();

    fn begin(&self, _: &G::Position) {}

    fn carry(&self, (): &(), _: &G::Position, _: &StepOf<G>, _: &G::Position) {}

    fn visit(&mut self, position: &G::Position, (): &()) -> Result<(), Found> {
        if self.game.kind(position) != NodeKind::Terminal && self.positions.len() < MOST_POSITIONS {
            self.positions.push((position.clone(), self.evaluator.state(self.game, position, None)));
        }
        Ok(())
    }

    fn report(&mut self) -> &mut Report {
        &mut self.report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GraphPosition, GraphShape, RandomGraph};
    use starsplit::evaluator::{Before, EvaluationCost, EvaluatorFacts};
    use starsplit::score::Score;

    /// Takes so many microseconds, and declares so many nanoseconds.
    struct Declares {
        takes_us: u64,
        declared_ns: u32,
    }

    impl Evaluator<RandomGraph> for Declares {
        type State = ();

        fn facts(&self, _: &RandomGraph) -> EvaluatorFacts {
            EvaluatorFacts::new(0).with_cost(EvaluationCost::each(self.declared_ns))
        }

        fn state(&self, _: &RandomGraph, _: &GraphPosition, _: Option<Before<'_, RandomGraph, ()>>) {}

        fn evaluate(&self, _: &RandomGraph, _: &GraphPosition, _: &()) -> Score {
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_micros(self.takes_us) {}
            0
        }
    }

    #[test]
    fn a_false_declaration_is_found() {
        let game = RandomGraph::new(&GraphShape::default(), 1).expect("a sound shape");
        let plays = Plays { games: 2, max_plies: 20, seed: 1 };
        let check = |takes_us, declared_ns| {
            check_cost(&game, &Declares { takes_us, declared_ns }, &game.start(), &plays)
        };
        let found = check(50, 1_000).expect_err("fifty times as dear");
        assert!(found.declared_ns == 1_000 && found.measured_ns >= 50e3, "{found}");
        assert!(found.to_string().starts_with("an evaluation is declared to cost 1000 ns: measured "));
        // However slow the machine is, nothing takes a second.
        assert!(check(0, 1_000_000_000).is_err(), "dear, it says");
    }
}
