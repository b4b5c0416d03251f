//! Simulates how an algorithm scales in parallel, on virtual processors in virtual time.

fn main() -> std::process::ExitCode {
    starsplit_experiments::commands::only(starsplit_doors_all::GAMES, "simulate")
}
