//! Contenders that search the same positions in turn, in real time, with verdicts.

pub mod contest;
pub mod measure;
pub mod memory;
pub mod pools;
pub mod race;
pub mod together;
pub mod turns;
pub mod verdict;
