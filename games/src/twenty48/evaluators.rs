//! The evaluators of 2048 by name: points still to come, or how likely the target is to be made.
//!
//! `rows` adds up what is known of each row and each column, in shares of which half of the scale has
//! 32,768: 18 on for each empty cell; 47 on for two equal tiles with nothing but empty cells between them;
//! off three times what the row rises or falls, whichever is less, in fourth powers of exponents, an empty
//! cell being 0, so that a gap in an ordered row costs as well; off a quarter of the fourth powers, which
//! merges make less. An empty board is near the middle. The scale is from 0 to a quarter of the points that a
//! game may score at most, or nearly from 0 to 1 for the target. The kind of terms is usual (Xiao 2014); what
//! they weigh was chosen by play: docs/journal.md.

use super::rows::{ROWS, exponents, rows, transposed};
use super::{Move, Position, Scoring, Twenty48};
use crate::{Delay, EvaluatorInfo, Invalid};
use starsplit::evaluator::{EvaluationCost, Evaluator, mix64};
use starsplit::score::Score;
use std::fmt;
use std::sync::Arc;

pub(super) const ALL: &[EvaluatorInfo] = &[
    EvaluatorInfo { name: "rows", about: "each row and column: room, merges, order and size of the tiles" },
    EvaluatorInfo { name: "constant", about: "nothing to come: no points, no chance to make the target" },
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
    /// Nothing is to come where there is none.
    scale: Option<Scale>,
    delay: Delay,
}

/// What `rows` takes from its shares to the grid.
#[derive(Clone)]
struct Scale {
    /// Of every row, and of every column seen as a row: their lengths may differ.
    shares: [Arc<[i32]>; 2],
    middle: Score,
    /// Steps a share.
    step: Score,
}

/// Half of the scale.
const HALF: i32 = 1 << 15;

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
        let of = |length| (0..ROWS).map(|row| line_shares(row as u16, length)).collect::<Arc<[i32]>>();
        let rows = of(game.rules.columns);
        let columns = if game.rules.rows == game.rules.columns { rows.clone() } else { of(game.rules.rows) };
        Scale { shares: [rows, columns], middle, step }
    }

    #[inline]
    fn score(&self, board: u64) -> Score {
        let [of_rows, of_columns] = &self.shares;
        let sum = |of: &[i32], board| rows(board).map(|row| of[usize::from(row)]).sum::<i32>();
        let shares = sum(of_rows, board) + sum(of_columns, transposed(board));
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

/// The shares of a row or a column of so many cells. A tile counts in both of its own.
fn line_shares(line: u16, length: u8) -> i32 {
    let cells = exponents(line).map(i32::from);
    let cells = &cells[..usize::from(length)];
    let mut shares = 18 * cells.iter().filter(|&&cell| cell == 0).count() as i32;
    let (mut rise, mut fall) = (0, 0);
    for pair in cells.windows(2) {
        let difference = pair[1].pow(4) - pair[0].pow(4);
        rise += difference.max(0);
        fall -= difference.min(0);
    }
    let tiles: Vec<_> = cells.iter().filter(|&&cell| cell > 0).collect();
    shares += 47 * tiles.windows(2).filter(|pair| pair[0] == pair[1]).count() as i32;
    shares - 3 * rise.min(fall) - cells.iter().map(|cell| cell.pow(4)).sum::<i32>() / 4
}

impl Evaluator<Twenty48> for Evaluation {
    type State = ();

    fn identity(&self) -> u64 {
        mix64(0x3230_3438_726f_7773 ^ u64::from(self.scale.is_some()))
    }

    fn state(&self, _: &Twenty48, _: &Position) {}

    fn after_move(&self, _: &Twenty48, _: &(), _: &Position, _: Move, _: &Position) {}

    #[inline]
    fn evaluate(&self, game: &Twenty48, position: &Position, _: &()) -> Score {
        self.delay.pass();
        self.scale.as_ref().map_or_else(|| game.nothing_to_come(), |scale| scale.score(position.board))
    }

    fn cost(&self) -> EvaluationCost {
        self.delay.on_top_of(if self.scale.is_some() { 6 } else { 2 })
    }
}
