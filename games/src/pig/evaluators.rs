//! The evaluators of Pig by name.

use crate::pig::{Pig, Position};
use crate::{Delay, EvaluatorInfo, Invalid};
use starsplit::evaluator::{Abilities, Before, Constant, EvaluationError, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::Game;
use starsplit::score::Score;

pub(super) const ALL: &[EvaluatorInfo] = &[
    EvaluatorInfo { name: "constant", about: "every unfinished game is even" },
    EvaluatorInfo { name: "banked", about: "the lead in banked points, as a part of the target" },
    EvaluatorInfo { name: "slow", about: "as banked, in 5 microseconds" },
];

/// The one called `name`.
pub(super) fn named(name: &str) -> Result<Plain, Invalid> {
    let (value, delay) = match name {
        "constant" => (Value::Even, Delay::NONE),
        "banked" => (Value::Banked, Delay::NONE),
        "slow" => (Value::Banked, Delay::SLOW),
        _ => return Err(Invalid::new("evaluator", name, "constant, banked or slow")),
    };
    Ok(Plain { value, delay })
}

/// All of them: they keep no state and do not look at the turn's total, the only thing that a roll changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    value: Value,
    delay: Delay,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Even,
    Banked,
}

impl Evaluator<Pig> for Plain {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.with_batches(true).ignoring_outcomes();

    fn facts(&self, pig: &Pig) -> EvaluatorFacts {
        EvaluatorFacts::new(match self.value {
            Value::Even => Constant::default().facts(pig).identity,
            Value::Banked => mix64(0x6261_6e6b_6564),
        })
        .with_cost(self.delay.on_top_of(match self.value {
            Value::Even => 1,
            Value::Banked => 8,
        }))
    }

    fn state(&self, _: &Pig, _: &Position, _: Option<Before<'_, Pig, ()>>) {}

    #[inline]
    fn evaluate(&self, pig: &Pig, position: &Position, (): &()) -> Score {
        self.delay.pass();
        match self.value {
            Value::Even => 0,
            Value::Banked => {
                let own = pig.player(position);
                let [own, other] = [own, own.opponent()].map(|player| f64::from(position.banked(player)));
                // A division and a rounding: exact to the last bit on every machine.
                pig.facts().grid.score((own - other) / f64::from(pig.target()))
            }
        }
    }

    fn evaluate_many(
        &self,
        game: &Pig,
        nodes: &[(&Position, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        self.delay.evaluate_many(&Plain { delay: Delay::NONE, ..*self }, game, nodes, scores)
    }
}
