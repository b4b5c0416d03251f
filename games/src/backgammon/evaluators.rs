//! The evaluators of backgammon.
//!
//! `pips` and `constant` know bounds of what searches find with them (`pip_bounds.rs`), for what a turn can
//! gain is seen without making moves. With `pips`, searches of the suite's 50 positions to 4 plies visit 0.46
//! million nodes instead of 6.72, to 5 plies 0.26 instead of 4.96; in hyper-backgammon, to 5 plies, 21
//! thousand instead of 456. With `constant` hardly anything is left to search unless the game may end.

use crate::backgammon::mlp::{self, is_mlp};
use crate::backgammon::pip_bounds::{PipBounds, may_end};
use crate::backgammon::{Backgammon, Phase, Position, Roll};
use crate::network::{NETWORK, is_network, named};
use crate::{Delay, EvaluatorInfo, EvaluatorVisitor, Invalid};
use starsplit::evaluator::{Abilities, Before, Constant, EvaluationError, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::Game;
use starsplit::score::{Bounds, Score};

/// All of them, the trained network first, the perceptron last.
pub(super) const ALL: &[EvaluatorInfo] = &[
    NETWORK,
    EvaluatorInfo { name: "pips", about: "how many pips a player is ahead, a pip counting 1/64 of a point" },
    EvaluatorInfo { name: "constant", about: "every unfinished game is even" },
    EvaluatorInfo { name: "slow", about: "as pips, in 5 microseconds, without bounds" },
    EvaluatorInfo { name: "slowest", about: "as pips, in a millisecond, without bounds" },
    EvaluatorInfo { name: "mlp", about: "a trained perceptron of three hidden layers, best in batches" },
];

/// Those of rules that the perceptron was not trained for.
pub(super) const WITHOUT_MLP: &[EvaluatorInfo] = ALL.split_at(ALL.len() - 1).0;

/// A part of the identities of evaluators: another number wherever equal weights, or pips, come to mean other
/// values.
pub(super) const EDITION: u64 = 1;

/// What a pip is worth: a point has so many.
pub(super) const PIPS_A_POINT: Score = 64;

/// Gives the one called `name` to `visitor`.
pub(super) fn visit<V: EvaluatorVisitor<Backgammon>>(
    game: &Backgammon,
    name: &str,
    visitor: V,
) -> Result<V::Output, Invalid> {
    if is_network(name) {
        return named(game, name).map(|network| visitor.visit(network));
    }
    if is_mlp(name) {
        return mlp::named(game, name).map(|mlp| visitor.visit(mlp));
    }
    let (value, delay) = match name {
        "pips" => (Value::Pips, Delay::NONE),
        "constant" => (Value::Even, Delay::NONE),
        "slow" => (Value::Pips, Delay::SLOW),
        "slowest" => (Value::Pips, Delay::SLOWEST),
        _ => {
            let expected = "network, network:FILE, mlp, mlp:FILE, pips, constant, slow or slowest";
            return Err(Invalid::new("evaluator", name, expected));
        }
    };
    Ok(visitor.visit(Plain { value, delay }))
}

/// The evaluators that look at the pips alone, or at nothing; not at who is to roll.
#[derive(Clone, Copy, Debug)]
struct Plain {
    value: Value,
    delay: Delay,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Even,
    Pips,
}

impl Evaluator<Backgammon> for Plain {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.with_batches(true).ignoring_outcomes().with_bounds(true);

    /// A lead of more pips than the scale has is told as its end.
    fn facts(&self, game: &Backgammon) -> EvaluatorFacts {
        EvaluatorFacts::new(match self.value {
            Value::Even => Constant::default().facts(game).identity,
            Value::Pips => mix64(0x7069_7073 ^ EDITION),
        })
        .saturating(matches!(self.value, Value::Pips))
        .with_cost(self.delay.on_top_of(match self.value {
            Value::Even => 1,
            Value::Pips => 5,
        }))
    }

    fn state(&self, _: &Backgammon, _: &Position, _: Option<Before<'_, Backgammon, ()>>) {}

    #[inline]
    fn evaluate(&self, game: &Backgammon, position: &Position, (): &()) -> Score {
        self.delay.pass();
        match self.value {
            Value::Even => 0,
            Value::Pips => {
                let player = game.player(position);
                let needed = |player| Score::from(position.pips(player));
                let pip = game.point / PIPS_A_POINT;
                // Kept short of the ends, which only a finished game reaches.
                let most = game.grid.limit() / pip - 1;
                let lead = (needed(player.opponent()) - needed(player)).clamp(-most, most) * pip;
                game.within_rules(position, player, lead)
            }
        }
    }

    #[inline]
    fn bounds(&self, game: &Backgammon, position: &Position, depth: u8) -> Bounds {
        let roll = match position.phase {
            _ if self.delay.is_some() => return Bounds::unknown(game.grid.limit()),
            Phase::Opening => return Bounds::unknown(game.grid.limit()),
            Phase::Rolling => None,
            Phase::Moving(roll) => Some(roll),
        };
        match self.value {
            Value::Even => even_bounds(game, position, roll, depth),
            Value::Pips => PipBounds::new(game, position, roll.is_some(), depth).with(roll),
        }
    }

    #[inline]
    fn outcome_bounds(&self, game: &Backgammon, position: &Position, depth: u8, push: impl FnMut(Bounds)) {
        if self.delay.is_some() || position.phase == Phase::Opening {
            return;
        }
        match self.value {
            Value::Even => {
                Roll::all().map(|roll| even_bounds(game, position, Some(roll), depth - 1)).for_each(push);
            }
            Value::Pips => {
                let bounds = PipBounds::new(game, position, true, depth - 1);
                Roll::all().map(|roll| bounds.with(Some(roll))).for_each(push);
            }
        }
    }

    fn evaluate_many(
        &self,
        game: &Backgammon,
        nodes: &[(&Position, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        self.delay.evaluate_many(&Plain { delay: Delay::NONE, ..*self }, game, nodes, scores)
    }
}

/// Unfinished games are even, so only an end within the depth makes a difference.
fn even_bounds(game: &Backgammon, position: &Position, roll: Option<Roll>, depth: u8) -> Bounds {
    let lost = |loser| game.most_to_lose(position, loser);
    let (own, other) = may_end(position, roll, depth);
    let (player, opponent) = (position.to_act, position.to_act.opponent());
    Bounds::new(if other { -lost(player) } else { 0 }, if own { lost(opponent) } else { 0 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KnownGame;
    use crate::backgammon::{HYPER_INFO, INFO};
    use starsplit_testkit::{Plays, check_evaluator};

    struct Check<'a>(&'a Backgammon);

    impl EvaluatorVisitor<Backgammon> for Check<'_> {
        type Output = u64;

        fn visit<E: Evaluator<Backgammon>>(self, evaluator: E) -> u64 {
            let plays = Plays { games: 2, max_plies: 40, seed: 4 };
            check_evaluator(self.0, &evaluator, &self.0.initial(), &plays).unwrap();
            evaluator.facts(self.0).identity
        }
    }

    #[test]
    fn every_evaluator_that_is_told_keeps_the_contract() {
        for info in [&INFO, &HYPER_INFO] {
            for rules in ["scoring=points", "scoring=winloss"] {
                let game = Backgammon::open(info, rules).unwrap();
                // The slowest differs from slow by its delay alone, and would take seconds.
                let identity = |name| game.visit_evaluator(name, 1, Check(&game)).unwrap();
                assert_eq!(identity("pips"), identity("slow"));
                assert_ne!(identity("pips"), identity("constant"));
            }
        }
    }

    #[test]
    fn no_other_name_is_taken() {
        let game = Backgammon::open(&INFO, "").unwrap();
        for name in ["", "Pips", "network:", "slowest "] {
            assert!(game.visit_evaluator(name, 1, Check(&game)).is_err(), "{name}");
        }
    }

    #[test]
    fn a_pip_is_a_64th_of_a_point_up_to_the_ends() {
        let value = |rules, text| {
            let game = Backgammon::open(&INFO, rules).unwrap();
            let position = game.parse(text).unwrap();
            let plain = Plain { value: Value::Pips, delay: Delay::NONE };
            game.facts().grid.value(plain.evaluate(&game, &position, &()))
        };
        let close = |one: f64, other: f64| (one - other).abs() < 1e-9;
        // The first of the ID's players, who is not on roll, has a checker on point 3 and the other one on 1.
        for rules in ["scoring=points", "scoring=winloss"] {
            assert!(close(value(rules, "BAAABAAAAAAAAA x -"), 2.0 / 64.0));
            assert!(close(value(rules, "BAAABAAAAAAAAA o -"), 2.0 / 64.0), "as the player on roll sees it");
        }
    }
}
