//! Runs an experiment from its spec to its report.

use starsplit_experiments::cli;
use starsplit_experiments::run;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: run::RunArgs, stop| run::main(&args, stop))
}
