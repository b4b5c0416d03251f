//! An engine's net as an evaluator: this is what a bridge to a net of your own has to say.

use anyhow::{Context, Result, ensure};
use starsplit::evaluator::{
    Abilities, Before, EvaluationCost, EvaluationError, Evaluator, EvaluatorFacts, mix64,
};
use starsplit::game::{Game, NodeKind, Player};
use starsplit::score::Score;
use starsplit_games::backgammon::{Backgammon, Position};
use tract_onnx::prelude::*;

/// The inputs: the checkers of the player, and of the other, on each point and the bar.
pub const INPUTS: usize = 2 * 25;

/// The outputs, for the player: shares of wins, of gammons and backgammons won, and of those lost.
pub const OUTPUTS: usize = 5;

/// The net, ready to run.
#[derive(Clone, Debug)]
pub struct Net {
    plan: Arc<TypedRunnableModel>,
    identity: u64,
}

impl Net {
    /// Reads a file in ONNX.
    ///
    /// # Errors
    /// When tract cannot read or prepare it.
    pub fn read(file: &[u8]) -> Result<Self> {
        let plan = tract_onnx::onnx().model_for_read(&mut &file[..])?.into_optimized()?.into_runnable()?;
        // Another net is another evaluator: entries of the table are nothing to it.
        let identity = file.iter().fold(0x6f6e_6e78, |hash, &byte| mix64(hash ^ u64::from(byte)));
        Ok(Net { plan, identity })
    }

    /// The shares of these positions, each for its own player, by one call of the net.
    ///
    /// # Errors
    /// Those of tract.
    pub fn shares(&self, game: &Backgammon, positions: &[&Position]) -> Result<Vec<[f64; OUTPUTS]>> {
        let rows: Vec<f32> = positions.iter().flat_map(|position| row(game, position)).collect();
        let input = Tensor::from_shape(&[positions.len(), INPUTS], &rows)?;
        let outputs = self.plan.run(tvec!(input.into()))?;
        let output = outputs.first().context("the net has no output")?.try_as_plain_ram()?;
        let (rows, rest) = output.as_slice::<f32>()?.as_chunks::<OUTPUTS>();
        ensure!(
            rows.len() == positions.len() && rest.is_empty(),
            "expected a row of {OUTPUTS} for each position"
        );
        Ok(rows.iter().map(|row| row.map(|one| f64::midpoint(1.0, f64::from(one)))).collect())
    }

    /// The shares of a leaf as `Max` sees them, and those of a game that has ended.
    pub fn for_max(&self, game: &Backgammon, leaf: &Position) -> Result<[f64; OUTPUTS]> {
        let [win, gammons, backgammons, lost_gammons, lost_backgammons] = match game.kind(leaf) {
            NodeKind::Terminal => {
                let points = game.facts().grid.value(game.terminal_score(leaf));
                [0.5, 1.5, 2.5, -1.5, -2.5].map(|least| {
                    let is_so = if least > 0.0 { points > least } else { points < least };
                    f64::from(u8::from(is_so))
                })
            }
            NodeKind::Decision | NodeKind::Chance => {
                *self.shares(game, &[leaf])?.first().context("no shares")?
            }
        };
        Ok(match game.player(leaf) {
            Player::Max => [win, gammons, backgammons, lost_gammons, lost_backgammons],
            Player::Min => [1.0 - win, lost_gammons, lost_backgammons, gammons, backgammons],
        })
    }
}

/// The points that shares are worth.
pub fn equity([win, gammons, backgammons, lost_gammons, lost_backgammons]: [f64; OUTPUTS]) -> f64 {
    2.0 * win - 1.0 + gammons + backgammons - lost_gammons - lost_backgammons
}

fn row(game: &Backgammon, position: &Position) -> [f32; INPUTS] {
    let player = game.player(position);
    let of = |player, point: usize| f32::from(position.checkers(player, point as u8 + 1));
    let half = INPUTS / 2;
    std::array::from_fn(|at| if at < half { of(player, at) } else { of(player.opponent(), at - half) })
}

impl Evaluator<Backgammon> for Net {
    type State = ();

    /// Most values are the same whatever was rolled, and many positions are evaluated in one call.
    const ABILITIES: Abilities = Abilities::NONE.ignoring_some_outcomes().with_batches(true);

    /// What a call costs and each row of it, measured roughly: the search makes batches by it.
    fn facts(&self, _: &Backgammon) -> EvaluatorFacts {
        let cost = EvaluationCost { fixed_ns: 5_000, each_ns: 500 };
        EvaluatorFacts::new(self.identity).saturating(true).with_cost(cost)
    }

    /// The first roll says who begins.
    fn ignores_outcome(&self, _: &Backgammon, position: &Position) -> bool {
        !position.is_opening()
    }

    fn state(&self, _: &Backgammon, _: &Position, _: Option<Before<'_, Backgammon, ()>>) {}

    /// # Panics
    /// When tract fails: one evaluation has no other way to say so, and the search says it.
    fn evaluate(&self, game: &Backgammon, position: &Position, state: &()) -> Score {
        let mut score = [0];
        self.evaluate_many(game, &[(position, state)], &mut score).unwrap_or_else(|error| panic!("{error}"));
        score[0]
    }

    fn evaluate_many(
        &self,
        game: &Backgammon,
        nodes: &[(&Position, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        let positions: Vec<_> = nodes.iter().map(|(position, ())| *position).collect();
        let shares =
            self.shares(game, &positions).map_err(|error| EvaluationError::new(format!("{error:#}")))?;
        let grid = game.facts().grid;
        for (score, shares) in scores.iter_mut().zip(shares) {
            *score = grid.saturating_score(equity(shares));
        }
        Ok(())
    }
}
