//! Works with folders of records: puts the shards of an experiment together.

use starsplit_experiments::cli;
use starsplit_experiments::run::merge;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: merge::RecordsArgs, stop| merge::main(&args, stop))
}
