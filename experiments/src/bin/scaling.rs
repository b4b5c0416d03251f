//! Measures how an algorithm scales in parallel, against the best serial search and against what the machine
//! can give.

use starsplit_experiments::cli;
use starsplit_experiments::scaling;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: scaling::ScalingArgs, stop| scaling::run(&args, stop)?.print(args.race.common.json))
}
