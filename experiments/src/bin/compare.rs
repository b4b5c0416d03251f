//! Compares an algorithm's serial search with its parallel one on a suite of positions.

fn main() -> std::process::ExitCode {
    starsplit_experiments::commands::only(starsplit_doors_all::GAMES, "compare")
}
