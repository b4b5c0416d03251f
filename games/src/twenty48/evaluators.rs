//! The evaluators of 2048 by name: points still to come, or how likely the target is to be made.
//!
//! `rows` adds up what is known of each row and each column, in shares of which half of the scale has
//! 32,768: 18 on for each empty cell; 47 on for two equal tiles with nothing but empty cells between them;
//! off three times what the row rises or falls, whichever is less, in fourth powers of exponents, an empty
//! cell being 0, so that a gap in an ordered row costs as well; off a quarter of the fourth powers, which
//! merges make less. An empty board is near the middle. The scale is from 0 to a quarter of the points that a
//! game may score at most, or nearly from 0 to 1 for the target. The kind of terms is usual (Xiao 2014); what
//! they weigh was chosen by play.
//!
//! With `end=none` exponents go to 15, and their fourth powers to where that scale would end: late boards
//! would all be worth the same. There the scale ends where no board comes, from 0 to as many points as a game
//! may score at most, and each tile adds its number in its row and in its column. Moves do not change the sum
//! of the numbers, but of two boards in order the one with the greater tiles has more to merge.
//!
//! `rows` and `constant` know bounds of what searches find with them (`bounds.rs`). With `rows`, searches of
//! the suite's 50 positions to 5 plies visit 17 thousand nodes instead of 306 thousand, to 6 plies 0.76
//! million instead of 1.18, and to 7 plies 0.23 million instead of 4.73: to an odd depth the chance nodes
//! above the leaves are known without their leaves. (In this order of outcomes, 2s first; with 4s first 1.13
//! and 0.37 million nodes to 6 and 7 plies are left.) With `constant` it is 0.20 instead of 5.35 million to 7
//! plies.

use super::bounds::{NewTiles, Outlook, Tiles};
use super::rows::{ROWS, exponents, rows, transposed};
use super::{Position, Rules, Scoring, Twenty48};
use crate::{Delay, EvaluatorInfo, Invalid};
use starsplit::evaluator::{Abilities, Before, EvaluationError, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::NodeKind;
use starsplit::score::{Bounds, Score};
use std::fmt;
use std::sync::Arc;

pub(super) const ALL: &[EvaluatorInfo] = &[
    EvaluatorInfo { name: "rows", about: "each row and column: room, merges, order and size of the tiles" },
    EvaluatorInfo { name: "constant", about: "nothing to come: no points, no chance to make the target" },
    EvaluatorInfo { name: "slow", about: "as rows, in 5 microseconds, without bounds" },
];

/// The evaluator of that name.
pub(super) fn named(game: &Twenty48, name: &str) -> Result<Evaluation, Invalid> {
    match name {
        "rows" => Ok(Evaluation::by_rows(game, Delay::NONE)),
        "constant" => Ok(Evaluation {
            scale: None,
            outlook: Outlook::new(game, game.nothing_to_come(), game.nothing_to_come(), 0),
            delay: Delay::NONE,
        }),
        "slow" => Ok(Evaluation::by_rows(game, Delay::SLOW)),
        _ => Err(Invalid::new("evaluator", name, "rows, constant or slow")),
    }
}

/// Every evaluator of 2048. Clones share the table of rows.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// Nothing is to come where there is none.
    scale: Option<Scale>,
    outlook: Outlook,
    delay: Delay,
}

impl Evaluation {
    fn by_rows(game: &Twenty48, delay: Delay) -> Self {
        let scale = Scale::new(game);
        let least = scale.middle + scale.ends.0 * scale.step;
        Evaluation { outlook: Outlook::new(game, scale.middle, least, scale.step), scale: Some(scale), delay }
    }

    /// What a search to this depth finds where such tiles are on the board, one at least.
    #[inline]
    fn bounds_of(&self, game: &Twenty48, tiles: Tiles, kind: NodeKind, depth: u8) -> Bounds {
        Bounds::new(game.nothing_to_come(), self.outlook.most(game, tiles, kind, depth))
    }
}

/// What `rows` takes from its shares to the grid.
#[derive(Clone)]
struct Scale {
    /// Of every row, and of every column seen as a row: their lengths may differ.
    shares: [Arc<[i32; ROWS]>; 2],
    new_tiles: NewTiles,
    /// The least and the most shares that the scale has.
    ends: (i32, i32),
    /// The score of 0 shares.
    middle: Score,
    /// Steps a share.
    step: Score,
}

/// Half of the scale where a tile ends the game.
const HALF: i32 = 1 << 15;

impl Scale {
    fn new(game: &Twenty48) -> Self {
        let rules = &game.rules;
        let of = |length| {
            let mut shares = Box::new([0; ROWS]);
            (0..=u16::MAX).for_each(|row| shares[usize::from(row)] = line_shares(row, length, rules));
            Arc::<[i32; ROWS]>::from(shares)
        };
        let rows = of(rules.columns);
        let columns = if rules.rows == rules.columns { rows.clone() } else { of(rules.rows) };
        let shares = [rows, columns];
        let (ends, middle, step) = match (rules.scoring, rules.end) {
            (Scoring::Points, Some(_)) => {
                let half = (rules.points_bound() / 8) as Score * game.point;
                ((-HALF, HALF), half, half / HALF)
            }
            (Scoring::Points, None) => {
                let (least, most) = farthest(rules, &shares);
                let step = rules.evaluation_bound() as Score * game.point / (most - least);
                ((least, most), -least * step, step)
            }
            // Kept short of the ends, which only a finished game reaches.
            (Scoring::Target, _) => ((-HALF, HALF), 0, game.grid.limit() / (HALF + 8)),
        };
        Scale { new_tiles: NewTiles::new(rules, &shares), shares, ends, middle, step }
    }

    #[inline(always)]
    fn score(&self, board: u64) -> Score {
        let (least, most) = self.ends;
        self.middle + self.shares(board).max(least).min(most) * self.step
    }

    #[inline(always)]
    fn shares(&self, board: u64) -> i32 {
        let [of_rows, of_columns] = &self.shares;
        let sum = |of: &[i32; ROWS], board| rows(board).map(|row| of[usize::from(row)]).sum::<i32>();
        sum(of_rows, board) + sum(of_columns, transposed(board))
    }

    /// The mean of the scores after a new tile, rounded as searches do.
    #[inline]
    fn mean_score(&self, game: &Twenty48, board: u64) -> Option<Bounds> {
        let cells = game.empty(board).count_ones();
        let (sum, weights) = self.new_tiles.mean(&game.rules, board, cells, self.shares(board), self.ends)?;
        let sum = i64::from(self.middle) * weights + i64::from(self.step) * sum;
        let rounded = (2 * sum.abs() + weights) / (2 * weights);
        let mean = (rounded * sum.signum()) as Score;
        // The last cell may be filled, and the game be over.
        Some(Bounds::new(if cells > 1 { mean } else { game.nothing_to_come() }, mean))
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

/// Fewer and more shares than any board has: those of a board of the worst lines, and of the best.
fn farthest(rules: &Rules, [of_rows, of_columns]: &[Arc<[i32; ROWS]>; 2]) -> (i32, i32) {
    let greatest = rules.greatest_tile();
    let sum = |of: &[i32; ROWS], lines: u8| {
        let may_be = |line: &u16| exponents(*line).into_iter().all(|tile| tile <= greatest);
        let shares = || (0..=u16::MAX).filter(may_be).map(|line| of[usize::from(line)]);
        let unused = i32::from(4 - lines) * of[0];
        let all = |line: Option<i32>| i32::from(lines) * line.unwrap_or(0) + unused;
        (all(shares().min()), all(shares().max()))
    };
    let (rows, columns) = (sum(of_rows, rules.rows), sum(of_columns, rules.columns));
    (rows.0 + columns.0, rows.1 + columns.1)
}

/// The shares of a row or a column of so many cells. A tile counts in both of its own.
fn line_shares(line: u16, length: u8, rules: &Rules) -> i32 {
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
    if rules.end.is_none() {
        shares += tiles.iter().map(|&&tile| 1 << tile).sum::<i32>();
    }
    shares += 47 * tiles.windows(2).filter(|pair| pair[0] == pair[1]).count() as i32;
    shares - 3 * rise.min(fall) - cells.iter().map(|cell| cell.pow(4)).sum::<i32>() / 4
}

impl Evaluator<Twenty48> for Evaluation {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.with_batches(true).with_bounds(true);

    /// With large tiles the shares may leave the scale.
    fn facts(&self, _: &Twenty48) -> EvaluatorFacts {
        let is_endless = self.scale.as_ref().is_some_and(|scale| scale.ends != (-HALF, HALF));
        EvaluatorFacts::new(mix64(
            0x3230_3438_726f_7773 ^ u64::from(self.scale.is_some()) ^ u64::from(is_endless) << 1,
        ))
        .saturating(self.scale.is_some())
        .with_cost(self.delay.on_top_of(if self.scale.is_some() { 6 } else { 2 }))
    }

    fn state(&self, _: &Twenty48, _: &Position, _: Option<Before<'_, Twenty48, ()>>) {}

    #[inline(always)] // a call of its own is a tenth of Expectimax's time
    fn evaluate(&self, game: &Twenty48, position: &Position, _: &()) -> Score {
        self.delay.pass();
        match &self.scale {
            Some(scale) => scale.score(position.board),
            None => game.nothing_to_come(),
        }
    }

    #[inline]
    fn bounds(&self, game: &Twenty48, position: &Position, depth: u8) -> Bounds {
        // Of an empty board: two tiles come before a move.
        if self.delay.is_some() || position.board == 0 {
            return Bounds::unknown(game.grid.limit());
        }
        if let (Some(scale), NodeKind::Chance, 1) = (&self.scale, position.kind, depth) {
            if let Some(bounds) = scale.mean_score(game, position.board) {
                return bounds;
            }
        }
        self.bounds_of(game, Tiles::on(position.board), position.kind, depth)
    }

    #[inline]
    fn outcome_bounds(&self, game: &Twenty48, position: &Position, depth: u8, mut push: impl FnMut(Bounds)) {
        if self.delay.is_some() || position.board == 0 {
            return;
        }
        let (tiles, cells) = (Tiles::on(position.board), game.empty(position.board).count_ones());
        for (exponent, weight) in game.rules.weights() {
            if weight > 0 {
                let bounds = self.bounds_of(game, tiles.and(1, exponent), NodeKind::Decision, depth - 1);
                (0..cells).for_each(|_| push(bounds));
            }
        }
    }

    fn evaluate_many(
        &self,
        game: &Twenty48,
        nodes: &[(&Position, &())],
        scores: &mut [Score],
    ) -> Result<(), EvaluationError> {
        self.delay.evaluate_many(&Evaluation { delay: Delay::NONE, ..self.clone() }, game, nodes, scores)
    }
}
