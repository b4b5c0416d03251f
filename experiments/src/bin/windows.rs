//! Searches in other windows than the usual ones.

use starsplit_experiments::cli;
use starsplit_experiments::windows;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: windows::WindowsArgs, stop| windows::run(&args, stop)?.print(args.common.json))
}
