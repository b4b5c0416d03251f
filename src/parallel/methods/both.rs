//! Chance nodes and decision nodes are both split, each as in its own file (`chance_split.rs`, `decision_split.rs`), by
//! the same rule. There is more to share, and more of it is moves that a serial search would have cut.

use crate::parallel::methods::chance_split;
use crate::parallel::scheduler::worker_context::Seat;
use crate::search::{Phase, Setup};

/// How many workers have to be idle for a phase of a chance node at this depth to be split; decision nodes go by
/// `decision_split`.
pub(crate) fn least_idle<S: Setup>(seat: &Seat<S>, depth: u8, phase: Phase) -> usize {
    chance_split::least_idle(seat, depth, phase)
}
