//! A search of ours at the other end of the line protocol.

use crate::cli::{self, Ending};
use crate::matches::engine::serve;
use crate::matches::setting::SearchSetting;
use clap::Parser;
use starsplit::search::StopFlag;
use std::io;

/// Answer the requests of a match on standard input, one a line: game, new, position, go, stop and quit
///
/// The protocol is described in docs/experiments.md. Every request but stop and quit is answered by one line,
/// ok, move or error, that of go with a line of information for each iteration before it. Requests are heard
/// while a search goes on: stop and quit end it as soon as it has a move, others wait. When there are no
/// more, it comes to its own end.
#[derive(Debug, Parser)]
#[command(name = "engine", version = crate::cli::VERSION)]
pub(super) struct EngineArgs {
    /// How it searches, as in the settings of match without depth, time-ms and nodes:
    /// evaluator=network,threads=2
    #[arg(long, value_name = "SETTINGS", default_value = "", value_parser = SearchSetting::read)]
    settings: SearchSetting,
}

pub(super) fn run(args: &EngineArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    cli::until_closed(serve(&args.settings, io::stdin(), io::stdout(), &is_heard, stop))?;
    Ok(if stop.is_raised() { Ending::Stopped } else { Ending::Complete })
}

/// Whether anybody may read what is written to standard output.
#[cfg(unix)]
fn is_heard() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let output = io::stdout();
    let mut polled = [PollFd::new(&output, PollFlags::empty())];
    let found = poll(&mut polled, Some(&Timespec::default()));
    found.is_err() || !polled[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

/// Whether anybody may: nobody tells.
#[cfg(not(unix))]
fn is_heard() -> bool {
    true
}
