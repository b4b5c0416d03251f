//! Sets two folders of records side by side.

use starsplit_experiments::cli;
use starsplit_experiments::report::compare_records;
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: compare_records::CompareRecordsArgs, _| compare_records::main(&args))
}
