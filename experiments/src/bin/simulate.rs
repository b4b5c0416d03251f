//! Simulates how an algorithm scales in parallel, on virtual processors in virtual time.

use starsplit_experiments::cli;
use starsplit_experiments::simulate;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: simulate::SimulateArgs, stop| simulate::run(&args, stop)?.print(args.common.json))
}
