//! Searches one position and prints what it found.

use starsplit_experiments::{cli, search_one};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: search_one::SearchArgs, stop| search_one::main(&args, stop))
}
