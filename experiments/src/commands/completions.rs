//! The command `completions`: what a shell needs to complete command lines.

use crate::cli::{self, Ending};
use clap::Parser;
use clap_complete::Shell;

/// Print the completions of the command line for a shell
#[derive(Debug, Parser)]
#[command(name = "completions", version = crate::cli::VERSION)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Does what the command does, of this command line.
///
/// # Errors
/// When it cannot be written.
pub(super) fn run(args: &CompletionsArgs, mut of: clap::Command) -> anyhow::Result<Ending> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut of, "starsplit", &mut text);
    cli::print_with(|out| out.write_all(&text))?;
    Ok(Ending::Complete)
}
