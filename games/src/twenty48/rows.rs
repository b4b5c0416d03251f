//! What a slide does to a row, for every row there is.
//!
//! A board is 64 bits: four rows of four cells from the top left, each cell the exponent of its tile in four
//! bits, 0 where it is empty. Smaller boards use the first rows and columns, and the other cells stay empty.

use super::Direction;
use std::fmt;

/// The exponent of the greatest tile that four bits hold. Two of these do not merge.
pub(super) const GREATEST_EXPONENT: u8 = 15;

/// How many rows there are: 16 bits each.
pub(super) const ROWS: usize = 1 << 16;

/// Slides of whole rows: the row after it in the lower half of a word, a quarter of the points of its merges
/// in the upper one.
pub(super) struct RowTables {
    /// To the left.
    left: Box<[u32; ROWS]>,
    /// To the right: of the board's rows, and of its columns seen as rows. They differ where the board is not
    /// square, for the last cell is another.
    right: [Box<[u32; ROWS]>; 2],
}

/// A board after a slide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slid {
    pub(super) board: u64,
    /// A quarter of the points: of the new tiles of its merges.
    pub(super) quarter_points: u32,
}

impl RowTables {
    /// The tables of boards of so many rows and columns.
    pub(super) fn new(rows: u8, columns: u8) -> Self {
        let packed = |(row, points): (u16, u32)| u32::from(row) | ((points / 4) << 16);
        let table = |of: &dyn Fn(u16) -> u32| {
            let mut table = Box::new([0; ROWS]);
            (0..=u16::MAX).for_each(|row| table[usize::from(row)] = of(row));
            table
        };
        // Equal neighbours merge in pairs, from whichever end, so either direction scores the same.
        let right = |width| {
            table(&|row| {
                let (slid, points) = slid_left(reversed(row, width));
                packed((reversed(slid, width), points))
            })
        };
        RowTables { left: table(&|row| packed(slid_left(row))), right: [right(columns), right(rows)] }
    }

    /// The slides in the order of `DIRECTIONS`, each with the same board where nothing moves.
    #[inline(always)]
    pub(super) fn slides(&self, board: u64) -> [Slid; 4] {
        let columns = transposed(board);
        let upright = |slid: Slid| Slid { board: transposed(slid.board), ..slid };
        [
            upright(slide(&self.left, columns)),
            upright(slide(&self.right[1], columns)),
            slide(&self.left, board),
            slide(&self.right[0], board),
        ]
    }

    /// The board after a slide, the same one where nothing moves.
    #[inline]
    pub(super) fn slide(&self, board: u64, direction: Direction) -> u64 {
        match direction {
            Direction::Left => slide(&self.left, board).board,
            Direction::Right => slide(&self.right[0], board).board,
            Direction::Up => transposed(slide(&self.left, transposed(board)).board),
            Direction::Down => transposed(slide(&self.right[1], transposed(board)).board),
        }
    }

    /// Whether some two neighbours on a full board merge.
    #[inline]
    pub(super) fn has_merge(&self, board: u64) -> bool {
        self.slide(board, Direction::Left) != board || self.slide(board, Direction::Up) != board
    }
}

impl fmt::Debug for RowTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowTables").finish_non_exhaustive()
    }
}

/// The four rows from the top.
#[inline]
pub(super) fn rows(board: u64) -> impl Iterator<Item = u16> {
    [48, 32, 16, 0].into_iter().map(move |shift| (board >> shift) as u16)
}

/// The board with rows and columns exchanged.
#[inline]
pub(super) fn transposed(board: u64) -> u64 {
    // The cells off the diagonal of each quarter change places, then the quarters off the diagonal.
    let swapped = exchanged(board, 0x0000_f0f0_0000_f0f0, 12);
    exchanged(swapped, 0x0000_0000_ff00_ff00, 24)
}

/// The bits of `low` change places with those `distance` above them.
#[inline]
fn exchanged(board: u64, low: u64, distance: u32) -> u64 {
    let differing = (board ^ (board >> distance)) & low;
    board ^ differing ^ (differing << distance)
}

/// One bit in each empty cell, its lowest, counting those that a smaller board does not use.
#[inline]
pub(super) fn empty_cells(board: u64) -> u64 {
    let pairs = board | (board >> 1);
    !(pairs | (pairs >> 2)) & 0x1111_1111_1111_1111
}

/// The exponents in a row from the left, 0 where a cell is empty.
pub(super) fn exponents(row: u16) -> [u8; 4] {
    [12, 8, 4, 0].map(|shift| (row >> shift) as u8 & 15)
}

/// All four rows slid by a table.
#[inline(always)]
fn slide(table: &[u32; ROWS], board: u64) -> Slid {
    let slid = rows(board).map(|row| table[usize::from(row)]);
    let (board, quarter_points) = slid.fold((0, 0), |(board, points), slid| {
        (board << 16 | u64::from(slid & 0xffff), points + (slid >> 16))
    });
    Slid { board, quarter_points }
}

/// The row after a slide to the left, and the points. A tile that came of a merge does not merge again.
fn slid_left(row: u16) -> (u16, u32) {
    let (mut slid, mut length, mut may_merge, mut points) = ([0; 4], 0, false, 0);
    for tile in exponents(row).into_iter().filter(|&tile| tile > 0) {
        if may_merge && slid[length - 1] == tile && tile < GREATEST_EXPONENT {
            slid[length - 1] += 1;
            points += 1 << (tile + 1);
            may_merge = false;
        } else {
            slid[length] = tile;
            length += 1;
            may_merge = true;
        }
    }
    (packed(slid), points)
}

/// The first `width` cells in the other order; the rest is left out.
fn reversed(row: u16, width: u8) -> u16 {
    let cells = exponents(row);
    let width = usize::from(width);
    packed(std::array::from_fn(|i| if i < width { cells[width - 1 - i] } else { 0 }))
}

fn packed(cells: [u8; 4]) -> u16 {
    cells.into_iter().fold(0, |row, cell| row << 4 | u16::from(cell))
}
