//! Counts instructions a node and compares them with the recorded ones.

use starsplit_experiments::{cli, instructions};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: instructions::InstructionsArgs, stop| instructions::main(&args, stop))
}
