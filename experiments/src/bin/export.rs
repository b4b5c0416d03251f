//! Prints records in the forms that other programs read.

use starsplit_experiments::cli;
use starsplit_experiments::report::export;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: export::ExportArgs, _| export::main(&args))
}
