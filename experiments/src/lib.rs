//! Shared by the experiments, in folders along the way of the data: from the command line to a question, its
//! records, their analysis, and what is made of them. A folder imports from those above it in this list only.
//!
//! | folder | subject |
//! |---|---|
//! | `cli` | the command line: arguments and their values, files, outputs, progress, how a program ends |
//! | `question` | what is searched, and how: doors to games, suites of positions, flags of searches |
//! | `records` | what is kept of searches: lines, settings, machine; written, read, gone on with |
//! | `analysis` | figures from records; pure |
//! | `runner` | contenders that search in turn, in real time, with verdicts |
//! | `matches` | whole games: settings, commands and persons who play one another |
//! | `compare`, `scaling`, `simulate`, `study`, `paper_tables`, `tuning` | the experiments |
//! | `spec` | experiments as files that say what is run, and why |
//! | `report` | pages, pictures and tables from the records of a folder, or of many |
//! | `run` | a whole experiment from its spec |
//! | `commands` | all of it by name, as the program `starsplit` has it |
//!
//! A binary of `src/bin` names its command.
//!
//! Nothing here is built to be fast. Searches go through the doors of `question`. What else takes long
//! has a package in a folder beside this one: `statistics`; `training`, networks by self-play. Two have
//! binaries of their own: `stress`, whose allocator counts, and `instructions`, which counts what a
//! search costs a program that calls the library itself, without a door between. That one needs `cli`
//! alone, which is there without the feature `threads`, too.

#[cfg(feature = "threads")]
pub use starsplit_doors::games::{GameEntry, Games};
pub use starsplit_games::{GameInfo, Invalid, KnownGame, OwnGame, PositionOf};

#[cfg(feature = "threads")]
pub mod analysis;
pub mod cli;
#[cfg(feature = "threads")]
pub mod commands;
#[cfg(feature = "threads")]
pub mod compare;
#[cfg(feature = "threads")]
pub mod matches;
#[cfg(feature = "threads")]
pub mod paper_tables;
#[cfg(feature = "threads")]
pub mod question;
#[cfg(feature = "threads")]
pub mod records;
#[cfg(feature = "threads")]
pub mod report;
#[cfg(feature = "threads")]
pub mod run;
#[cfg(feature = "threads")]
pub mod runner;
#[cfg(feature = "threads")]
pub mod scaling;
#[cfg(feature = "threads")]
pub mod simulate;
#[cfg(feature = "threads")]
pub mod spec;
#[cfg(feature = "threads")]
pub mod study;
#[cfg(feature = "threads")]
pub mod tuning;
