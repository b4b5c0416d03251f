//! A serial Star2-TT of the experiment's own, in which windows below the root can be narrowed: the library
//! has no door for that.
//!
//! It has a table that forgets nothing and holds both bounds of every position and depth, leaf collapse,
//! the game's bounds of outcomes, look-ups of successors before they are searched, and probes of one move.
//! Moves are tried by the table's, then by static evaluation from depth 4 on and by history below. It has
//! no killers, no evaluator's bounds and chooses nothing while it searches, so its counts are not the
//! library's: what a way saves is told beside this same search without it. Every bound that it returns is
//! proven.

mod chance;
mod decision;
mod maker;
mod search;
mod slack;
mod sums;
mod table;

pub(super) use maker::{OwnMaker, maker};

#[cfg(test)]
mod tests;
