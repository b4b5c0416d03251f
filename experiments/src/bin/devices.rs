//! Simulates a device that evaluates for the lanes of all virtual threads.

use starsplit_experiments::cli;
use starsplit_experiments::simulate::devices;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: devices::DevicesArgs, stop| devices::run(&args, stop)?.print(args.common.json))
}
