//! A rival: only the root's successors are split, the oldest way to use several processors (Akl, Barnard and Doran,
//! "Design, analysis, and implementation of a parallel tree search algorithm", IEEE PAMI 4(2), 1982, discuss it as the
//! simplest). Cheap, and limited by the largest successor.

/// Whether a node at this ply is split: the root is.
#[inline]
pub(super) fn wants(ply: u8) -> bool {
    ply == 0
}
