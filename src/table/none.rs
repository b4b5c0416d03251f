//! No table.

use super::Table;
use super::entry::{Found, NewEntry, Stored};
use crate::game::PositionHash;
use crate::table::Reuse;

/// A table that stores nothing, for searches without one.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTable;

impl Table for NoTable {
    const IS_PRESENT: bool = false;

    #[inline]
    fn probe(&self, _key: PositionHash, _depth: u8, _reuse: Reuse) -> Option<Found> {
        None
    }

    #[inline]
    fn store(&self, _key: PositionHash, _entry: NewEntry, _reuse: Reuse) -> Stored {
        Stored::default()
    }

    fn new_generation(&self) {}

    fn clear(&self, _threads: usize) {}

    fn hashfull(&self) -> u32 {
        0
    }
}
