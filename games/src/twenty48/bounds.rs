//! Bounds of what searches find with the evaluators of 2048.
//!
//! # From the tiles on the board, wherever they lie
//!
//! A line of play to the search's depth has k moves and t new tiles. Each merge of tiles 2^x takes two: of
//! the c on the board, of the new ones, and of those that merges of tiles 2^(x-1) made in an earlier move. So
//! there are at most M(x, k) = (c + t + M(x-1, k-1)) / 2, rounded down, where M(x, 0) is 0, and t counts for
//! those x alone of which new tiles come.
//!
//! * A line that ends the game is worth the points of its merges, or the target: no more than its points and
//!   the least evaluation, unless the target can be made.
//! * Another is worth its points and its evaluation. Of the latter's shares leave out what they take off for
//!   disorder. Twice the rest is at most 72 for each empty cell, 94 for each two neighbours, 12 for what
//!   rounding leaves in eight lines, less the sum of x^4; with `end=none` also four times the sum of 2^x,
//!   which merges leave as it is. A merge frees a cell; a new tile takes one. Of n
//!   equal tiles in r rows and c columns no more than 2 n - r - c are neighbours. For each x, of the n =
//!   c + t + M(x-1, k) tiles that there may be, some merge and the others may be neighbours: whichever number
//!   is best is looked up, and these add up to a bound.
//!
//! Both hold for every line, so for whatever decisions and chance make of the lines, rounded or not. No value
//! is less than that of a game with nothing to come, since no evaluation is.
//!
//! # One new tile before the evaluation
//!
//! A tile changes the shares of one row and of one column. What all tiles that may come change together is
//! therefore a sum over lines, which are looked up, so that the mean is known exactly. It is the value; where
//! the tile fills the last cell, and the game may be over, it is a bound from above. Nothing is told where an
//! evaluation might come to an end of its scale.

use super::rows::{ROWS, rows, transposed};
use super::{Rules, Scoring, Twenty48};
use starsplit::game::NodeKind;
use starsplit::score::Score;
use std::fmt;
use std::sync::Arc;

/// For more moves nothing is worked out.
const MOST_MOVES: u8 = 8;

/// More tiles of a kind than there may be in so many moves: 16 on the board, 9 new and 25 merged at most.
const TILES: usize = 64;

/// How many tiles of each exponent there are, in eight bits each: the even exponents from 0, and the odd ones
/// from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiles {
    even: u64,
    odd: u64,
}

/// One in each of eight lanes.
const LANES: u64 = 0x0101_0101_0101_0101;

impl Tiles {
    /// Those of a board, empty cells being of exponent 0.
    #[inline]
    pub(super) fn on(board: u64) -> Self {
        // Of half of the cells there are at most eight, for which four bits do.
        let half = |cells: u64| (0..8).map(|cell| 1u64 << (4 * (cells >> (4 * cell) & 15))).sum::<u64>();
        let (upper, lower, lanes) = (half(board >> 32), half(board), 15 * LANES);
        Tiles { even: (upper & lanes) + (lower & lanes), odd: (upper >> 4 & lanes) + (lower >> 4 & lanes) }
    }

    /// The same with so many more of this exponent.
    #[inline]
    pub(super) fn and(mut self, count: u8, exponent: u8) -> Self {
        let lanes = if exponent % 2 == 0 { &mut self.even } else { &mut self.odd };
        *lanes += u64::from(count) << (8 * (exponent / 2));
        self
    }

    #[inline]
    fn count(self, exponent: u8) -> usize {
        let lanes = if exponent % 2 == 0 { self.even } else { self.odd };
        (lanes >> (8 * (exponent / 2)) & 0xff) as usize
    }

    /// How many pairs of each exponent there are.
    #[inline]
    fn pairs(self) -> Self {
        let half = |lanes: u64| lanes >> 1 & (0x7f * LANES);
        Tiles { even: half(self.even), odd: half(self.odd) }
    }

    /// The same with the tiles that so many pairs merge into.
    #[inline]
    fn and_merged(self, pairs: Self) -> Self {
        // Empty cells do not merge.
        Tiles { even: self.even + (pairs.odd << 8), odd: self.odd + (pairs.even & !0xff) }
    }
}

/// What can come of the tiles on a board, as an evaluator tells it.
#[derive(Clone)]
pub(super) struct Outlook {
    /// By exponent and number of the tiles that there may be, what their merges and neighbours add to twice
    /// the score at most, in steps.
    gains: Arc<[[i32; TILES]; 16]>,
    /// What a tile of each exponent takes from twice the score.
    sizes: [i64; 16],
    /// Twice the score of an empty board.
    empty: i64,
    /// The score in the middle of the scale, and the least.
    middle: Score,
    least: Score,
}

impl Outlook {
    /// To an evaluator whose scale has so many steps a share, 0 where it is the same everywhere.
    pub(super) fn new(game: &Twenty48, middle: Score, least: Score, step: Score) -> Self {
        let rules = game.rules;
        let added = |exponent: usize| if rules.end.is_none() { 4 << exponent } else { 0 };
        let step = i64::from(step);
        let gain =
            |exponent: usize, count: usize| most_gained(&rules, game.point.into(), step, exponent, count);
        Outlook {
            gains: Arc::new(std::array::from_fn(|exponent| {
                std::array::from_fn(|count| gain(exponent, count) as i32)
            })),
            sizes: std::array::from_fn(|exponent| step * (72 + fourth_power(exponent) - added(exponent))),
            empty: step * (72 * i64::from(rules.cells()) + 36 * unused_cells(&rules) + 12),
            middle,
            least,
        }
    }

    /// What a search to this depth finds at most where such tiles are on the board.
    #[inline]
    pub(super) fn most(&self, game: &Twenty48, tiles: Tiles, kind: NodeKind, depth: u8) -> Score {
        let (moves, new) = match kind {
            NodeKind::Chance => (depth / 2, depth.div_ceil(2)),
            NodeKind::Decision | NodeKind::Terminal => (depth.div_ceil(2), depth / 2),
        };
        let (rules, limit) = (&game.rules, game.grid.limit());
        if moves > MOST_MOVES {
            return limit;
        }
        let twos = tiles.and(if rules.two > 0 { new } else { 0 }, 1);
        let given = twos.and(if rules.four > 0 { new } else { 0 }, 2);
        let (mut merges, mut all) = (Tiles { even: 0, odd: 0 }, given);
        for _ in 0..moves {
            merges = all.pairs();
            all = given.and_merged(merges);
        }
        let greatest = rules.greatest_unfinished();
        if rules.scoring == Scoring::Target && merges.count(greatest) > 0 {
            return limit;
        }
        let smallest = usize::from(rules.new_tiles().0);
        let (mut points, mut twice) = (0, self.empty - i64::from(new) * self.sizes[smallest]);
        for exponent in 1..=greatest {
            let of = usize::from(exponent);
            points += (merges.count(exponent) as i64) << (of + 1);
            twice += i64::from(self.gains[of][all.count(exponent) % TILES]);
            twice -= self.sizes[of] * tiles.count(exponent) as i64;
        }
        let (points, middle, least) =
            (points * i64::from(game.point), i64::from(self.middle), i64::from(self.least));
        let unfinished = if self.empty == 0 { points } else { twice.div_euclid(2) };
        (middle + unfinished).max(points + least).min(limit.into()) as Score
    }
}

/// How many cells of lines that a smaller board does not use look empty to an evaluator.
fn unused_cells(rules: &Rules) -> i64 {
    i64::from((4 - rules.rows) * rules.columns + (4 - rules.columns) * rules.rows)
}

/// What so many tiles of an exponent add to twice the score at most.
fn most_gained(rules: &Rules, point: i64, step: i64, exponent: usize, count: usize) -> i64 {
    let merge =
        2 * (point << (exponent + 1)) + step * (72 - fourth_power(exponent + 1) + 2 * fourth_power(exponent));
    // A merge into the tile that ends the game leaves no evaluation.
    let merges = if exponent < usize::from(rules.greatest_unfinished()) { count / 2 } else { 0 };
    let gained =
        |merged: usize| merged as i64 * merge + 94 * step * most_neighbours(rules, count - 2 * merged);
    (0..=merges).map(gained).max().unwrap_or(0)
}

/// How often two of so many equal tiles are neighbours at most.
fn most_neighbours(rules: &Rules, tiles: usize) -> i64 {
    let tiles = tiles.min(rules.cells().into()) as i64;
    let shapes =
        (1..=i64::from(rules.rows)).flat_map(|r| (1..=i64::from(rules.columns)).map(move |c| (r, c)));
    shapes.filter(|(r, c)| r * c >= tiles).map(|(r, c)| 2 * tiles - r - c).max().unwrap_or(0).max(0)
}

fn fourth_power(exponent: usize) -> i64 {
    (exponent as i64).pow(4)
}

impl fmt::Debug for Outlook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outlook").field("empty", &self.empty).finish_non_exhaustive()
    }
}

/// How new tiles change the shares of lines.
#[derive(Clone)]
pub(super) struct NewTiles {
    /// What a 2, and 2^16 times what a 4, in each of the empty cells of a row, and of a column seen as one,
    /// change together.
    changes: [Arc<[i32]>; 2],
    /// The same of lines that a smaller board does not use: no tile comes there.
    unused: i32,
    /// The most that one tile changes in a row and a column.
    most: i32,
}

impl NewTiles {
    /// Of lines, rows and columns, that have these shares.
    pub(super) fn new(rules: &Rules, [of_rows, of_columns]: &[Arc<[i32; ROWS]>; 2]) -> Self {
        let of = |shares: &[i32; ROWS], length| {
            (0..ROWS).map(|line| line_changes(shares, line, length)).collect::<Vec<_>>()
        };
        let by_line = [of(of_rows, rules.columns), of(of_columns, rules.rows)];
        let packed = |[twos, fours, _]: &[i32; 3]| (fours << 16) + twos;
        let unused = [4 - rules.rows, 4 - rules.columns];
        NewTiles {
            most: by_line.iter().map(|of| of.iter().map(|[.., most]| *most).max().unwrap_or(0)).sum(),
            unused: by_line.iter().zip(unused).map(|(of, lines)| i32::from(lines) * packed(&of[0])).sum(),
            changes: by_line.map(|changes| changes.iter().map(packed).collect()),
        }
    }

    /// The sum of a board's shares after each tile that may come into its empty cells, times the tile's
    /// weight, and the sum of the weights; the board has so many shares now. `None` where the shares may come
    /// to an end of the scale, which has these.
    #[inline]
    pub(super) fn mean(
        &self,
        rules: &Rules,
        board: u64,
        cells: u32,
        shares: i32,
        (least, most): (i32, i32),
    ) -> Option<(i64, i64)> {
        if shares - self.most < least || shares + self.most > most {
            return None;
        }
        let [of_rows, of_columns] = &self.changes;
        let sum = |of: &[i32], board| rows(board).map(|row| of[usize::from(row)]).sum::<i32>();
        let packed = sum(of_rows, board) + sum(of_columns, transposed(board)) - self.unused;
        let twos = i64::from(packed as i16);
        let fours = (i64::from(packed) - twos) >> 16;
        let (two, four) = (i64::from(rules.two), i64::from(rules.four));
        let total = i64::from(cells) * (two + four);
        Some((total * i64::from(shares) + two * twos + four * fours, total))
    }
}

/// What a 2, and a 4, change in the shares of a line, all empty cells together; and the most that one does.
fn line_changes(shares: &[i32], line: usize, length: u8) -> [i32; 3] {
    let change = |shift: u8, tile: usize| shares[line | tile << shift] - shares[line];
    let empty = (0..length).map(|cell| 12 - 4 * cell).filter(|shift| line >> shift & 15 == 0);
    empty.fold([0, 0, 0], |[twos, fours, most], shift| {
        let (two, four) = (change(shift, 1), change(shift, 2));
        [twos + two, fours + four, most.max(two.abs()).max(four.abs())]
    })
}

impl fmt::Debug for NewTiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewTiles").field("most", &self.most).finish_non_exhaustive()
    }
}
