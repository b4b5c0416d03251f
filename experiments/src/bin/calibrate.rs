//! Measures what events cost on this machine, for simulated searches.

use starsplit_experiments::{calibrate, cli};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: calibrate::CalibrateArgs, stop| calibrate::main(&args, stop))
}
