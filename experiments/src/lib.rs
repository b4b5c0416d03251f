//! Shared by the experiments: the command line, suites of positions, measured runs, records and statistics.
//!
//! The binaries in `src/bin` read their arguments, call one function of this library and print what it returns.

mod analysis;
pub mod calibrate;
pub mod cli;
pub mod compare;
pub mod contest;
pub mod costs;
pub mod crew;
pub mod decomposition;
pub mod earlier;
pub mod efforts;
pub mod figure;
pub mod flags;
pub mod instructions;
pub mod interrupt;
pub mod machine;
pub mod measure;
pub mod memory;
pub mod paper_tables;
pub mod pools;
pub mod positions;
pub mod progress;
pub mod ratios;
mod reading;
pub mod records;
pub mod scaling;
pub mod search_one;
pub mod setup;
pub mod simulate;
pub mod statistics;
pub mod stress;
pub mod suite;
mod tables;
pub mod together;
pub mod trace;
pub mod training;
pub mod turns;
pub mod verdict;
