//! The evaluators of 2048 by name: points still to come, or how likely the target is to be made.
//!
//! `rows` adds up what is known of each row and each column, in shares of which the scale has 1,024: 24 off
//! for each tile and as much on for each half of the cells, so that a half-full board is in the middle; 8 on
//! for two equal tiles with nothing between them; off what the row rises or falls, whichever is less, in
//! squares of exponents; off an eighth of the squares of the exponents, which merges make less. The scale is
//! from 0 to a quarter of the points that a game may score at most, or nearly from 0 to 1 for the target.

use super::rows::{ROWS, exponents, rows, transposed};
use super::{Move, Position, Scoring, Twenty48};
use crate::{Delay, EvaluatorInfo, Invalid};
use starsplit::evaluator::{Evaluator, mix64};
use starsplit::score::Score;
use std::fmt;
use std::sync::Arc;

pub(super) const ALL: &[EvaluatorInfo] = &[
    EvaluatorInfo { name: "rows", about: "each row and column: room, merges, order and size of the tiles" },
    EvaluatorInfo { name: "constant", about: "no points to come, or an even chance to make the target" },
    EvaluatorInfo { name: "slow", about: "as rows, in 5 microseconds" },
];

/// The evaluator of that name.
pub(super) fn named(game: &Twenty48, name: &str) -> Result<Evaluation, Invalid> {
    match name {
        "rows" => Ok(Evaluation { scale: Some(Scale::new(game)), delay: Delay::NONE }),
        "constant" => Ok(Evaluation { scale: None, delay: Delay::NONE }),
        "slow" => Ok(Evaluation { scale: Some(Scale::new(game)), delay: Delay::SLOW }),
        _ => Err(Invalid::new("evaluator", name, "rows, constant or slow")),
    }
}

/// Every evaluator of 2048. Clones share the table of rows.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The middle of the grid everywhere where there is none.
    scale: Option<Scale>,
    delay: Delay,
}

/// What `rows` takes from its shares to the grid.
#[derive(Clone)]
struct Scale {
    shares: Arc<[i16]>,
    /// What the board has before its tiles are looked at.
    empty: i32,
    middle: Score,
    /// Steps a share.
    step: Score,
}

/// Half of the scale.
const HALF: i32 = 512;

impl Scale {
    fn new(game: &Twenty48) -> Self {
        let (middle, step) = match game.rules.scoring {
            Scoring::Points => {
                let half = (game.rules.points_bound() / 8) as Score * game.point;
                (half, half / HALF)
            }
            // Kept short of the ends, which only a finished game reaches.
            Scoring::Target => (0, game.grid.limit() / (HALF + 8)),
        };
        let shares = (0..ROWS).map(|row| row_shares(row as u16)).collect();
        Scale { shares, empty: 12 * i32::from(game.rules.cells()), middle, step }
    }

    #[inline]
    fn score(&self, board: u64) -> Score {
        let sum = |board| rows(board).map(|row| i32::from(self.shares[usize::from(row)])).sum::<i32>();
        let shares = self.empty + sum(board) + sum(transposed(board));
        self.middle + shares.clamp(-HALF, HALF) * self.step
    }
}

impl fmt::Debug for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scale")
            .field("middle", &self.middle)
            .field("step", &self.step)
            .finish_non_exhaustive()
    }
}

/// The shares of a row. A tile counts in its row and in its column, so each takes half of what it costs.
fn row_shares(row: u16) -> i16 {
    let tiles: Vec<_> = exponents(row).into_iter().filter(|&tile| tile > 0).map(i16::from).collect();
    let squares: i16 = tiles.iter().map(|tile| tile * tile).sum();
    let (mut merges, mut rise, mut fall) = (0, 0, 0);
    for pair in tiles.windows(2) {
        let difference = pair[1] * pair[1] - pair[0] * pair[0];
        merges += i16::from(difference == 0);
        rise += difference.max(0);
        fall -= difference.min(0);
    }
    8 * merges - 12 * tiles.len() as i16 - rise.min(fall) - squares / 8
}

impl Evaluator<Twenty48> for Evaluation {
    type State = ();

    fn identity(&self) -> u64 {
        mix64(0x3230_3438_726f_7773 ^ u64::from(self.scale.is_some()))
    }

    fn state(&self, _: &Twenty48, _: &Position) {}

    fn after_move(&self, _: &Twenty48, _: &(), _: &Position, _: Move, _: &Position) {}

    #[inline]
    fn evaluate(&self, _: &Twenty48, position: &Position, _: &()) -> Score {
        self.delay.pass();
        self.scale.as_ref().map_or(0, |scale| scale.score(position.board))
    }
}
