//! Sets the default search beside the best of many fixed settings.

use starsplit_experiments::cli;
use starsplit_experiments::tuning;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: tuning::TuningArgs, stop| tuning::run(&args, stop)?.print(args.common.json))
}
