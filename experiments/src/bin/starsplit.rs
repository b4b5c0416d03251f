//! All commands of the lab in one program.

fn main() -> std::process::ExitCode {
    starsplit_experiments::commands::main(starsplit_doors_all::GAMES)
}
