//! Runs an experiment from its spec to its report.

fn main() -> std::process::ExitCode {
    starsplit_experiments::commands::only(starsplit_doors_all::GAMES, "run")
}
