//! The command `completions`: what a shell needs to complete command lines.

use crate::cli::{self, Ending};
use crate::question::doors;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Parser};
use clap_complete::Shell;
use starsplit::search::{Algorithm, Method, MoveOrdering};

/// Print the completions of the command line for a shell
#[derive(Debug, Parser)]
#[command(name = "completions", version = crate::cli::VERSION)]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// The argument with the values that it may have, where it is one of names that are known. What reads command
/// lines complains of others in its own words, and so has no list.
fn with_values(arg: Arg) -> Arg {
    let values: Vec<&str> = match arg.get_id().as_str() {
        "game" => doors::games().infos().map(|info| info.name).collect(),
        "algorithm" => Algorithm::ALL.iter().map(|algorithm| algorithm.name()).collect(),
        "method" => Method::ALL.iter().map(|method| method.name()).collect(),
        "ordering" => MoveOrdering::ALL.iter().map(|ordering| ordering.name()).collect(),
        _ => return arg,
    };
    arg.value_parser(PossibleValuesParser::new(values))
}

/// Does what the command does, of this command line.
///
/// # Errors
/// When it cannot be written.
pub(super) fn run(args: &CompletionsArgs, of: clap::Command) -> anyhow::Result<Ending> {
    let mut of = of.mut_subcommands(|command| command.mut_args(with_values));
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut of, "starsplit", &mut text);
    cli::print_with(|out| out.write_all(&text))?;
    Ok(Ending::Complete)
}
