//! What the paper leaves open, read in several ways: a list of readings, and a searcher of Dice that does as
//! each of them says. The command `readings` of the lab searches the paper's positions with them.

pub mod form;
pub mod game;
pub mod list;
mod ordering;
pub mod search;
pub mod sets;
mod sums;
pub mod table;
#[cfg(test)]
mod tests;
