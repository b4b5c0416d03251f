//! The run-count heuristic: a hand-made evaluator for Dice.

use super::{Dice, Position};
use starsplit::evaluator::{Abilities, Before, EvaluationCost, Evaluator, EvaluatorFacts, mix64};
use starsplit::score::Score;

/// Judges a position by who has more unfinished runs: a run one short of winning weighs four times as much as
/// a run two short. Made by hand, for comparison with the trained network.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunCount;

/// The weights of runs two short and one short of winning, of which the whole scale has 64.
const WEIGHTS: [i32; 2] = [1, 4];

impl Evaluator<Dice> for RunCount {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.ignoring_outcomes();

    /// A board may have more runs than the scale has room for.
    fn facts(&self, _: &Dice) -> EvaluatorFacts {
        EvaluatorFacts::new(mix64(0x7275_6e73)).saturating(true).with_cost(EvaluationCost::each(15))
    }

    fn state(&self, _: &Dice, _: &Position, _: Option<Before<'_, Dice, ()>>) {}

    #[inline]
    fn evaluate(&self, dice: &Dice, position: &Position, _: &()) -> Score {
        let count = |player| {
            let runs = position.runs(player);
            WEIGHTS[0] * i32::from(runs[0]) + WEIGHTS[1] * i32::from(runs[1])
        };
        let own = position.to_act();
        let lead = count(own) - count(own.opponent());
        // Kept short of the ends, which only a finished game reaches.
        lead.clamp(-63, 63) * (dice.grid.limit() / 64)
    }
}
