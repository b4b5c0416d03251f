//! The line of a saved table that changes while it is in use.

use crate::sync::{AtomicU64, Relaxed};
use bytemuck::Zeroable;

/// That nothing was written since the checksums were. A number of which no few flips of bits make another, so
/// that damage makes a closed table one that was left, and never the other way about.
const CLOSED: u64 = 0x9d3f_51c2_e8a7_46b1;

/// The marks, a cache line of words. All zero they are those of a table in use.
#[derive(Debug, Zeroable)]
#[repr(C, align(64))]
pub(in crate::table) struct Marks {
    /// [`CLOSED`]; anything else, 0 as a rule, while the table is mapped or after whoever had it mapped was
    /// killed.
    state: AtomicU64,
    /// The generation of whoever began the last one. It guides replacement, so that no harm comes of any.
    generation: AtomicU64,
    unused: [AtomicU64; 6],
}

impl Marks {
    /// The bytes of a closed table's marks.
    pub(super) fn closed_bytes(generation: u8) -> [u8; 64] {
        let mut bytes = [0; 64];
        bytes[..8].copy_from_slice(&CLOSED.to_ne_bytes());
        bytes[8..16].copy_from_slice(&u64::from(generation).to_ne_bytes());
        bytes
    }

    /// What such bytes say: whether the table was closed, and the generation.
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

    /// Begins a generation for all who share the table.
    pub(in crate::table) fn next_generation(&self) -> u64 {
        // Relaxed: as in `generation`. One step, so that those who begin at once have one each.
        self.generation.fetch_add(1, Relaxed).wrapping_add(1)
    }
}
