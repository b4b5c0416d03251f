//! Shared by the experiments: the command line, suites of positions, measured runs, records and statistics.
//!
//! A binary in a file of `src/bin` reads its arguments and calls one function of this library. One that nothing else needs has a
//! folder there with all that is its own: the library holds what several of them share, and whatever `run` and `report` call.

mod analysis;
pub mod bootstrap;
pub mod cli;
pub mod compare;
pub mod compare_records;
pub mod contest;
pub mod costs;
pub mod crew;
pub mod decomposition;
pub mod earlier;
pub mod efforts;
pub mod export;
pub mod figure;
pub mod files;
pub mod fits;
pub mod flags;
pub mod growth;
pub mod interrupt;
pub mod machine;
pub mod measure;
pub mod measures;
pub mod memory;
pub mod outputs;
pub mod paper_tables;
pub mod pools;
pub mod positions;
pub mod progress;
pub mod ratios;
mod reading;
mod recorded;
pub mod records;
pub mod report;
pub mod run;
pub mod scaling;
pub mod settings;
pub mod setup;
pub mod simulate;
pub mod spec;
pub mod statistics;
pub mod study;
pub mod suite;
pub mod tables;
pub mod together;
pub mod training;
pub mod turns;
pub mod verdict;
