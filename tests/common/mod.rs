//! What several test programs share.
#![allow(dead_code, reason = "each test program takes only a part of it")]

pub(crate) mod alarmed;
pub(crate) mod alternating;
pub(crate) mod batched;
pub(crate) mod brittle;
pub(crate) mod campaign;
pub(crate) mod carried;
pub(crate) mod erased;
pub(crate) mod erased_game;
pub(crate) mod faulty;
pub(crate) mod foresight;
pub(crate) mod forms;
pub(crate) mod gamble;
pub(crate) mod graphs;
pub(crate) mod oracle;
pub(crate) mod partly_blind;
pub(crate) mod printed;
pub(crate) mod process;
pub(crate) mod promising;
pub(crate) mod quiet;
pub(crate) mod signature_file;
pub(crate) mod splits;
pub(crate) mod techniques;
pub(crate) mod verdict;
pub(crate) mod watchdog;
pub(crate) mod whimsical;
pub(crate) mod yielding;

/// How many lanes, threads or virtual processors a test may have: addresses of 32 bits leave room for few
/// stacks.
pub(crate) const MOST_WORKERS: usize = if usize::BITS < 64 { 64 } else { 4096 };
