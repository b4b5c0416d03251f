//! Makes the paper's Tables I and II and the figures behind Figure 6.3.

use starsplit_experiments::cli;
use starsplit_experiments::paper_tables;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: paper_tables::PaperTablesArgs, stop| {
        paper_tables::run(&args, stop)?.print(args.common.json)
    })
}
