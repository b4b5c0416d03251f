//! The evaluators of Abalone by name.
//!
//! In shares of which the scale has 640 to either end: 64 for each marble more than the other player has; 4
//! for each field by which one's own marbles lie nearer to the middle, summed over all of them (the middle
//! counts 4, the edge 0, so that more marbles count more); 2 for each pair of neighbours more.

use super::{Abalone, Position, board};
use crate::{Delay, EvaluatorInfo, Invalid};
use starsplit::evaluator::{Abilities, Before, EvaluationError, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::Game;
use starsplit::score::Score;

pub(super) const ALL: &[EvaluatorInfo] = &[
    EvaluatorInfo { name: "cohesion", about: "marbles, how near they are to the middle, and neighbours" },
    EvaluatorInfo { name: "centre", about: "marbles, and how near they are to the middle" },
    EvaluatorInfo { name: "marbles", about: "marbles alone" },
    EvaluatorInfo { name: "constant", about: "every unfinished game is even" },
    EvaluatorInfo { name: "slow", about: "as cohesion, in 5 microseconds" },
];

/// The evaluator of that name.
pub(super) fn named(name: &str) -> Result<Evaluation, Invalid> {
    let (value, delay) = match name {
        "cohesion" => (Value::Cohesion, Delay::NONE),
        "centre" => (Value::Centre, Delay::NONE),
        "marbles" => (Value::Marbles, Delay::NONE),
        "constant" => (Value::Even, Delay::NONE),
        "slow" => (Value::Cohesion, Delay::SLOW),
        _ => return Err(Invalid::new("evaluator", name, "cohesion, centre, marbles, constant or slow")),
    };
    Ok(Evaluation { value, delay })
}

/// Every evaluator of Abalone.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    value: Value,
    delay: Delay,
}

/// What is looked at: each adds something to the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    Even,
    Marbles,
    Centre,
    Cohesion,
}

/// The shares from an even game to a won one, which no unfinished one reaches: 5 marbles more are 320, 14 of
/// them about the middle against all others at the edge 144, and three pairs to each of them 84.
const SHARES: i32 = 640;

impl Evaluation {
    /// What `position`'s player leads by.
    #[inline]
    fn lead(self, position: &Position) -> i32 {
        let (own, other) = (position.to_move as usize, position.to_move.opponent() as usize);
        let difference =
            |of: fn(&Position, usize) -> u32| of(position, own) as i32 - of(position, other) as i32;
        let mut lead = 0;
        if self.value >= Value::Marbles {
            lead += 64 * difference(|position, player| position.marbles[player].count_ones());
        }
        if self.value >= Value::Centre {
            lead += 4 * difference(|position, player| position.nearness[player].into());
        }
        if self.value >= Value::Cohesion {
            lead += 2 * difference(|position, player| board::pairs(position.marbles[player]));
        }
        lead
    }
}

impl Evaluator<Abalone> for Evaluation {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.with_batches(true);

    fn facts(&self, _: &Abalone) -> EvaluatorFacts {
        EvaluatorFacts::new(mix64(0x6162_616c_6f6e_6501 + self.value as u64)).with_cost(self.delay.on_top_of(
            match self.value {
                Value::Even => 1,
                Value::Marbles | Value::Centre => 5,
                Value::Cohesion => 12,
            },
        ))
    }

    fn state(&self, _: &Abalone, _: &Position, _: Option<Before<'_, Abalone, ()>>) {}

    #[inline]
    fn evaluate(&self, game: &Abalone, position: &Position, _: &()) -> Score {
        self.delay.pass();
        self.lead(position).clamp(1 - SHARES, SHARES - 1) * (game.facts().grid.limit() / SHARES)
    }

    fn evaluate_many(
        &self,
        game: &Abalone,
        nodes: &[(&Position, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        self.delay.evaluate_many(&Evaluation { delay: Delay::NONE, ..*self }, game, nodes, scores)
    }
}
