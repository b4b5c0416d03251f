//! The evaluators of EinStein würfelt nicht by name.

use crate::einstein::{Einstein, Position, Stage};
use crate::network::NETWORK;
use crate::{Delay, EvaluatorInfo, Invalid};
use starsplit::evaluator::{Abilities, Before, Constant, EvaluationError, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::{Game, Player};
use starsplit::score::Score;

/// All of them, the trained network first.
pub(super) const ALL: &[EvaluatorInfo] = &[
    NETWORK,
    EvaluatorInfo { name: "material", about: "the foremost stones, and how many are left" },
    EvaluatorInfo { name: "constant", about: "every unfinished game is even" },
    EvaluatorInfo { name: "slow", about: "as material, in 5 microseconds" },
];

/// The one called `name`.
pub(super) fn named(name: &str) -> Result<Plain, Invalid> {
    let (value, delay) = match name {
        "material" => (Value::Material, Delay::NONE),
        "constant" => (Value::Even, Delay::NONE),
        "slow" => (Value::Material, Delay::SLOW),
        _ => {
            return Err(Invalid::new("evaluator", name, "network, network:FILE, material, constant or slow"));
        }
    };
    Ok(Plain { value, delay })
}

/// All of them: they keep no state and do not look at what was rolled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plain {
    value: Value,
    delay: Delay,
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Even,
    Material,
}

/// What a stone more, a cell that the foremost stone is nearer, and the turn weigh, of which the whole scale
/// has 64. Made by hand. A stone more is a drawback, for whose stone is gone has a choice: with 4 in place of
/// -4, other things being equal, 67% of 3,000 games at depth 4 were lost.
const STONE: i32 = -4;
const CELL: i32 = 12;
const TURN: i32 = 6;

/// The lead of the player to act: by stones, in the race of the foremost stones, and by the turn. Before both
/// are set up by the turn alone, as it will be after any set-up.
fn lead(einstein: &Einstein, position: &Position) -> i32 {
    if position.stage == Stage::SetUp {
        return TURN;
    }
    let own = position.to_act;
    let other = own.opponent();
    let stones = |player: Player| position.left(player) as i32;
    let cells = |player: Player| i32::from(einstein.nearest(position, player));
    STONE * (stones(own) - stones(other)) + CELL * (cells(other) - cells(own)) + TURN
}

impl Evaluator<Einstein> for Plain {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.with_batches(true).ignoring_outcomes();

    /// On large boards a lead may be more than the scale has.
    fn facts(&self, einstein: &Einstein) -> EvaluatorFacts {
        EvaluatorFacts::new(match self.value {
            Value::Even => Constant::default().facts(einstein).identity,
            Value::Material => mix64(0x6d61_7465_7269_616c),
        })
        .saturating(matches!(self.value, Value::Material))
        .with_cost(self.delay.on_top_of(match self.value {
            Value::Even => 1,
            Value::Material => 10,
        }))
    }

    fn state(&self, _: &Einstein, _: &Position, _: Option<Before<'_, Einstein, ()>>) {}

    #[inline]
    fn evaluate(&self, einstein: &Einstein, position: &Position, (): &()) -> Score {
        self.delay.pass();
        match self.value {
            Value::Even => 0,
            Value::Material => {
                // Kept short of the ends, which only a finished game reaches. A division by a power of two
                // and a rounding: exact to the last bit on every machine.
                let lead = lead(einstein, position).clamp(-63, 63);
                einstein.facts().grid.score(f64::from(lead) / 64.0)
            }
        }
    }

    fn evaluate_many(
        &self,
        game: &Einstein,
        nodes: &[(&Position, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        self.delay.evaluate_many(&Plain { delay: Delay::NONE, ..*self }, game, nodes, scores)
    }
}
