//! Writes what folders of records show: a page, pictures of the speedup curves and the figures behind them.

fn main() -> std::process::ExitCode {
    starsplit_experiments::commands::only(starsplit_doors_all::GAMES, "report")
}
