//! Shared by the experiments, in folders along the way of the data: from the command line to a question, its
//! records, their analysis, and what is made of them. A folder imports from those above it in this list only.
//!
//! | folder | subject |
//! |---|---|
//! | `cli` | the command line: arguments and their values, files, outputs, progress, how a program ends |
//! | `question` | what is searched, and how: doors to games, suites of positions, flags of searches |
//! | `training` | networks by TD(lambda) self-play, and suites from self-play |
//! | `records` | what is kept of searches: lines, settings, machine; written, read, gone on with |
//! | `analysis` | figures from records; pure |
//! | `runner` | contenders that search in turn, in real time, with verdicts |
//! | `matches` | whole games: settings, commands and persons who play one another |
//! | `compare`, `scaling`, `simulate`, `study`, `paper_tables`, `tuning`, `smaller` | the experiments |
//! | `spec` | experiments as files that say what is run, and why |
//! | `report` | pages, pictures and tables from the records of a folder, or of many |
//! | `run` | a whole experiment from its spec |
//!
//! A binary in a file of `src/bin` reads its arguments and calls one function of this library. One that
//! nothing else needs has a folder there with all that is its own: the library holds what several of them
//! share, and whatever `run` and `report` call.
//!
//! Searches go through the doors of `question`. Two binaries make searchers of their own: `limit`, which
//! needs a table and an evaluator that no door has, and `instructions`, which counts what a search costs a
//! program that calls the library itself, without a door between.

pub mod analysis;
pub mod cli;
pub mod compare;
pub mod matches;
pub mod paper_tables;
pub mod question;
pub mod records;
pub mod report;
pub mod run;
pub mod runner;
pub mod scaling;
pub mod simulate;
pub mod smaller;
pub mod spec;
pub mod study;
pub mod training;
pub mod tuning;
