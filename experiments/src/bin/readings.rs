//! Searches readings of the paper for one that gives its ratios.

use starsplit_experiments::cli;
use starsplit_experiments::readings;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(readings::run)
}
