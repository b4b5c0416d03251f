//! A rival: only the root's successors are split, the oldest way to use several processors (Akl, Barnard and Doran,
//! "Design, analysis, and implementation of a parallel tree search algorithm", IEEE PAMI 4(2), 1982, discuss it as the
//! simplest). Cheap, and limited by the largest successor.

use crate::search::NEVER;

/// How many workers have to be idle for a node at this ply to be split: none for the root.
pub(crate) fn least_idle(ply: u8) -> usize {
    if ply == 0 { 0 } else { NEVER }
}
