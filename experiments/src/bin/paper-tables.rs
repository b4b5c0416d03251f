//! Makes the paper's Tables I and II and the figures behind Figure 6.3.

fn main() -> std::process::ExitCode {
    starsplit_experiments::commands::only(starsplit_doors_all::GAMES, "paper-tables")
}
