//! The evaluators of Dice by name.

use crate::dice::{Dice, Position, RunCount};
use crate::network::{self, NETWORK};
use crate::{Delay, EvaluatorInfo, EvaluatorVisitor, Invalid};
use starsplit::evaluator::{
    Abilities, Before, Constant, EvaluationError, Evaluator, EvaluatorFacts, HashRandom,
};
use starsplit::game::Game;
use starsplit::score::Score;

/// All of them, the trained network first.
pub(super) const ALL: &[EvaluatorInfo] = &[
    NETWORK,
    EvaluatorInfo { name: "constant", about: "every unfinished game is even" },
    EvaluatorInfo { name: "runs", about: "unfinished runs" },
    EvaluatorInfo { name: "slow", about: "as runs, in 5 microseconds" },
    EvaluatorInfo { name: "hash-random", about: "drawn from the position's hash and the seed" },
];

/// Gives the one called `name` to `visitor`.
pub(super) fn visit<V: EvaluatorVisitor<Dice>>(
    dice: &Dice,
    name: &str,
    seed: u64,
    visitor: V,
) -> Result<V::Output, Invalid> {
    let plain = |value, delay| Plain { value, delay };
    match (name, name.strip_prefix("network:")) {
        ("constant", _) => Ok(visitor.visit(plain(Value::Even, Delay::NONE))),
        ("runs", _) => Ok(visitor.visit(plain(Value::Runs, Delay::NONE))),
        ("slow", _) => Ok(visitor.visit(plain(Value::Runs, Delay::SLOW))),
        ("hash-random", _) => Ok(visitor.visit(HashRandom::new(seed, dice.facts().grid.limit()))),
        ("network", _) | (_, Some(_)) => Ok(visitor.visit(network::named(dice, name)?)),
        _ => {
            let expected = "network, network:FILE, constant, runs, slow or hash-random";
            Err(Invalid::new("evaluator", name, expected))
        }
    }
}

/// The evaluators that keep no state and do not look at what was rolled.
#[derive(Clone, Copy, Debug)]
struct Plain {
    value: Value,
    delay: Delay,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Even,
    Runs,
}

impl Evaluator<Dice> for Plain {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.with_batches(true).ignoring_outcomes();

    fn facts(&self, dice: &Dice) -> EvaluatorFacts {
        EvaluatorFacts::new(match self.value {
            Value::Even => Constant::default().facts(dice).identity,
            Value::Runs => RunCount.facts(dice).identity,
        })
        .saturating(matches!(self.value, Value::Runs) && RunCount.facts(dice).saturates)
        .with_cost(self.delay.on_top_of(match self.value {
            Value::Even => 1,
            Value::Runs => 15,
        }))
    }

    fn state(&self, _: &Dice, _: &Position, _: Option<Before<'_, Dice, ()>>) {}

    #[inline]
    fn evaluate(&self, dice: &Dice, position: &Position, state: &()) -> Score {
        self.delay.pass();
        match self.value {
            Value::Even => 0,
            Value::Runs => RunCount.evaluate(dice, position, state),
        }
    }

    fn evaluate_many(
        &self,
        game: &Dice,
        nodes: &[(&Position, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        self.delay.evaluate_many(&Plain { delay: Delay::NONE, ..*self }, game, nodes, scores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KnownGame;

    struct Identity<'a>(&'a Dice);

    impl EvaluatorVisitor<Dice> for Identity<'_> {
        type Output = u64;

        fn visit<E: Evaluator<Dice>>(self, evaluator: E) -> u64 {
            evaluator.facts(self.0).identity
        }
    }

    fn open(rules: &str) -> Dice {
        Dice::open(&crate::dice::INFO, rules).unwrap()
    }

    #[test]
    fn every_evaluator_that_is_told_is_there() {
        for rules in ["", "size=3,run=3"] {
            let dice = open(rules);
            for info in dice.evaluators() {
                assert!(dice.visit_evaluator(info.name, 1, Identity(&dice)).is_ok(), "{}", info.name);
            }
        }
        for bad in ["", "Network", "network:", "none"] {
            let dice = open("");
            assert!(dice.visit_evaluator(bad, 1, Identity(&dice)).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_network_is_the_default_for_its_own_board_only() {
        let default = |rules| open(rules).evaluators()[0].name;
        assert_eq!((default(""), default("size=3,run=3")), ("network", "constant"));
        assert!(network::named(&open("size=3,run=3"), "network").is_err());
    }

    #[test]
    fn weights_that_are_not_there_are_named() {
        let error = network::named(&open(""), "network:no/such/weights").unwrap_err().to_string();
        assert!(error.starts_with("weights file no/such/weights: expected"), "{error}");
    }
}
