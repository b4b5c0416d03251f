//! Measures how an algorithm scales in parallel, against the best serial search and against what the machine
//! can give.

fn main() -> std::process::ExitCode {
    starsplit_experiments::commands::only(starsplit_doors_all::GAMES, "scaling")
}
