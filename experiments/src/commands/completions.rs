//! The command `completions`: what a shell needs to complete command lines.

use crate::cli::{self, Ending};
use crate::commands::of_all;
use clap::Parser;
use clap_complete::Shell;
use starsplit::search::StopFlag;

/// Print the completions of the command line for a shell
#[derive(Debug, Parser)]
#[command(name = "completions", version = crate::cli::VERSION)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Does what the command does.
///
/// # Errors
/// When it cannot be written.
pub(super) fn run(args: &CompletionsArgs, _: &StopFlag) -> anyhow::Result<Ending> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut of_all("starsplit"), "starsplit", &mut text);
    cli::print_with(|out| out.write_all(&text))?;
    Ok(Ending::Complete)
}
