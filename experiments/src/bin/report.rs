//! Writes what folders of records show: a page, pictures of the speedup curves and the figures behind them.

use starsplit_experiments::cli;
use starsplit_experiments::report;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: report::ReportArgs, stop| report::main(&args, stop))
}
