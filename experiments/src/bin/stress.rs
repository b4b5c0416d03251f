//! Searches random games in every way, for as long as told, and compares what is found with a serial reference.

use starsplit_experiments::{cli, stress};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: stress::StressArgs, stop| stress::main(&args, stop))
}
