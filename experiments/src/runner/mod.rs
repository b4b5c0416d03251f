//! Contenders that search the same positions in turn, in real time, with verdicts.

pub mod contender;
pub mod contest;
pub(crate) mod cpu_time;
pub mod measure;
pub mod memory;
pub mod pinning;
pub mod pools;
pub(crate) mod probe;
pub mod race;
pub mod turns;
pub mod verdict;
