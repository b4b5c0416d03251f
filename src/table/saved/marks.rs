//! The line of a saved table that changes during use.

use crate::sync::{AtomicU64, Relaxed};
use bytemuck::Zeroable;

/// The state of a table whose checksums are valid. A few flipped bits do not make this number, so damage may
/// turn a closed table into one in use, but never the reverse.
const CLOSED: u64 = 0x9d3f_51c2_e8a7_46b1;

/// The marks: one cache line of words. All zeros mark a table in use.
#[derive(Debug, Zeroable)]
#[repr(C, align(64))]
pub(in crate::table) struct Marks {
    /// [`CLOSED`]. Anything else, usually 0, while the table is mapped or after a process that mapped it was
    /// killed.
    state: AtomicU64,
    /// The latest generation of any process. It guides replacement only, so any number is harmless.
    generation: AtomicU64,
    unused: [AtomicU64; 6],
}

impl Marks {
    /// The marks of a closed table, as bytes.
    pub(super) fn closed_bytes(generation: u8) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..8].copy_from_slice(&CLOSED.to_ne_bytes());
        bytes[8..16].copy_from_slice(&u64::from(generation).to_ne_bytes());
        bytes
    }

    /// The marks from bytes: whether the table was closed, and the generation.
    pub(super) fn of_bytes(bytes: &[u8; 64]) -> (bool, u64) {
        let (words, _) = bytes.as_chunks::<8>();
        (u64::from_ne_bytes(words[0]) == CLOSED, u64::from_ne_bytes(words[1]))
    }

    pub(super) fn is_closed(&self) -> bool {
        self.state.load(Relaxed) == CLOSED // Relaxed: a lock on the file orders what matters.
    }

    pub(super) fn set_closed(&self, is_closed: bool) {
        self.state.store(if is_closed { CLOSED } else { 0 }, Relaxed); // Relaxed: as above.
    }

    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Relaxed) // Relaxed: a stale one only misguides replacement.
    }

    /// Starts a generation for all processes that share the table.
    pub(super) fn next_generation(&self) -> u64 {
        // Relaxed: as in `generation`. One operation, so that simultaneous searches get one generation each.
        self.generation.fetch_add(1, Relaxed).wrapping_add(1)
    }
}
