//! Chance nodes and decision nodes are both split, each as in its own file (`chance_split.rs`, `decision_split.rs`), by
//! the same rule. There is more to share, and more of it is moves that a serial search would have cut.

use crate::parallel::chance_split;
use crate::parallel::seat::Seat;
use crate::search::Setup;

/// Whether a chance node at this depth is to be split now; decision nodes go by `decision_split`.
#[inline]
pub(super) fn wants<S: Setup>(seat: &Seat<S>, depth: u8, size: Option<u64>) -> bool {
    chance_split::wants(seat, depth, size)
}
