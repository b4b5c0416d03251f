//! A search of ours at the other end of the line protocol.

use crate::cli::lines::{Lines, Next};
use crate::cli::{self, Ending};
use crate::matches::engine::serve;
use crate::matches::setting::SearchSetting;
use clap::Parser;
use starsplit::search::StopFlag;
use std::io;

/// Answer the requests of a match on standard input, one a line: game, new, position, go and quit
///
/// The protocol is described in docs/experiments.md. Every request but quit is answered by one line, ok, move
/// or error, that of go with lines of information before it.
#[derive(Debug, Parser)]
#[command(name = "engine", version = crate::cli::VERSION)]
pub(super) struct EngineArgs {
    /// How it searches, as in the settings of match without depth, ms and nodes: evaluator=network,threads=2
    #[arg(long, value_name = "SETTINGS", default_value = "", value_parser = SearchSetting::read)]
    settings: SearchSetting,
}

pub(super) fn run(args: &EngineArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    let lines = Lines::of(io::stdin())?;
    let next = || Ok(if let Next::Line(line) = lines.next(stop, None)? { Some(line) } else { None });
    cli::until_closed(serve(&args.settings, next, &mut io::stdout().lock(), stop))?;
    Ok(if stop.is_raised() { Ending::Stopped } else { Ending::Complete })
}
