//! Everything that can be asked of the lab, by name: the commands of the program `starsplit`. Those that are
//! binaries of their own as well are the same.

mod calibrate;
mod completions;
mod engine;
mod perft;
mod play;
mod positions;
mod search;
mod train;

use crate::cli::{self, BadInput, Ending, note};
use crate::question::doors::{self, Games};
use crate::report::{compare_records, export};
use crate::runner::verdict::Finished;
use crate::spec::no_experiment;
use crate::{compare, matches, paper_tables, report, run, scaling, simulate, study, tuning};
use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, CommandFactory};
use starsplit::search::StopFlag;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

/// A command.
struct Command {
    name: &'static str,
    /// What help lists it under.
    group: &'static str,
    /// How it is called, after the program's name.
    example: &'static str,
    /// Its arguments.
    arguments: fn() -> clap::Command,
    /// Runs it with the arguments that were read.
    run: fn(&ArgMatches) -> ExitCode,
}

/// Makes the list of commands: of each its name, its arguments' type and what it does with them.
macro_rules! commands {
    ($($group:literal: $($name:literal, $example:literal: $args:ty => $run:expr,)*;)*) => {
        /// All commands, by group.
        const COMMANDS: &[Command] = &[$($(Command {
            name: $name,
            group: $group,
            example: $example,
            arguments: <$args as CommandFactory>::command,
            run: |matches| {
                let run: fn(&$args, &StopFlag) -> anyhow::Result<Ending> = $run;
                cli::main_of(matches, |args: $args, stop| run(&args, stop))
            },
        },)*)*];
    };
}

commands! {
    "Positions and games":
    "search", "search --depth 9 --threads 2 --top 3": search::SearchArgs => search::run,
    "play", "play --game einstein": play::PlayArgs => play::run,
    "match", "match --one time-ms=10 --two time-ms=10,threads=2 --games 100": matches::MatchArgs =>
        |args, stop| matches::run(args, stop)?.print(args.json),
    "positions", "positions --game pig --count 10": positions::PositionsArgs =>
        |args, _| positions::run(args),
    "perft", "perft --depth 4": perft::PerftArgs => perft::run,
    ;
    "Experiments":
    "compare", "compare --threads 1,2": compare::CompareArgs =>
        |args, stop| with_page(compare::run(args, stop)?).print(args.race.common.json),
    "scaling", "scaling --threads 1,2 --out curve": scaling::ScalingArgs =>
        |args, stop| with_page(scaling::run(args, stop)?).print(args.race.common.json),
    "simulate", "simulate --processors 1,16,64 --out virtual": simulate::SimulateArgs =>
        |args, stop| with_page(simulate::run(args, stop)?).print(args.common.json),
    "study", "study --variant default --variant plain:static-bounds=off": study::StudyArgs =>
        |args, stop| study::run(args, stop)?.print(args.common.json),
    "tuning", "tuning --game pig": tuning::TuningArgs =>
        |args, stop| tuning::run(args, stop)?.print(args.common.json),
    "paper-tables", "paper-tables --depth 9": paper_tables::PaperTablesArgs =>
        |args, stop| paper_tables::run(args, stop)?.print(args.common.json),
    "calibrate", "calibrate --out costs": calibrate::CalibrateArgs => calibrate::run,
    "run", "run quick": run::RunArgs => run::main,
    ;
    "Records":
    "report", "report curve": report::ReportArgs => report::main,
    "compare-records", "compare-records one other": compare_records::CompareRecordsArgs =>
        |args, _| compare_records::main(args),
    "export", "export curve": export::ExportArgs => |args, _| export::main(args),
    ;
    "For other programs":
    "engine", "engine": engine::EngineArgs => engine::run,
    "train", "train --help": train::TrainArgs => train::run,
    "completions", "completions bash": completions::CompletionsArgs =>
        |args, _| completions::run(args, of_all("starsplit")),
    ;
}

/// The same with a page of the curves beside its records. A page that cannot be written takes nothing from
/// it.
fn with_page(mut finished: Finished) -> Finished {
    let page = finished.folder.as_deref().map(report::page_of);
    match page.transpose() {
        Ok(Some(Some(page))) => finished.text += &format!("Curve, for a browser: {}\n", page.display()),
        Ok(_) => {}
        Err(error) => note(format_args!("page: {error:#}")),
    }
    finished
}

impl Command {
    /// Its arguments with an example, as a part of this program.
    fn of_program(&self, program: &str) -> clap::Command {
        let example = format!("Example: {program} {}", self.example);
        let command = (self.arguments)().name(self.name).version(cli::VERSION).after_help(example);
        let command = within_terminal(command);
        // As it was called once, and still is in records.
        if self.name == "paper-tables" { command.alias("paper_tables") } else { command }
    }
}

/// The program of all commands over these games, as its command line asks.
pub fn main(games: Games) -> ExitCode {
    doors::choose(games);
    let mut words = env::args_os();
    let program = words.next();
    let program = program.as_deref().and_then(|path| Path::new(path).file_name()).map(OsStr::to_string_lossy);
    let program = program.unwrap_or("starsplit".into()).into_owned();
    match of_all(&program).try_get_matches_from([OsString::from(&program)].into_iter().chain(words)) {
        Ok(matches) => match matches.subcommand().and_then(|(name, own)| Some((named(name)?, own))) {
            Some((command, own)) => (command.run)(own),
            None => cli::answer(&help(&program)),
        },
        Err(error) => match no_command(&error) {
            Some(refused) => cli::refuse(&refused),
            None => cli::answer_clap(&error),
        },
    }
}

/// What to say of a command that there is not, where that is what the argument parser complains of.
fn no_command(error: &clap::Error) -> Option<BadInput> {
    let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let expected = match cli::similar(error) {
        Some(nearest) => format!("such as {nearest}"),
        None => {
            let names: Vec<_> = COMMANDS.iter().map(|command| command.name).collect();
            format!("one of {}", names.join(", "))
        }
    };
    Some(BadInput::new("command", name, no_experiment(name, &expected)))
}

/// A program of one command over these games.
pub fn only(games: Games, name: &str) -> ExitCode {
    doors::choose(games);
    let Some(command) = named(name) else {
        return cli::refuse(&BadInput::new("command", name, "expected one of the lab's"));
    };
    match within_terminal((command.arguments)()).try_get_matches() {
        Ok(matches) => (command.run)(&matches),
        Err(error) => cli::answer_clap(&error),
    }
}

fn named(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// The command line, whose help has lines as long as the terminal's; elsewhere as long as its sentences.
fn within_terminal(command: clap::Command) -> clap::Command {
    command.term_width(cli::terminal_width().map_or(0, usize::from))
}

/// The command line of a program of all commands.
fn of_all(program: &str) -> clap::Command {
    clap::Command::new("starsplit")
        .bin_name(program)
        .version(cli::VERSION)
        .about("Searches game trees with chance nodes, and measures how well that scales")
        .override_help(help(program))
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(COMMANDS.iter().map(|command| command.of_program(program)))
}

/// The commands by group, a line each.
fn help(program: &str) -> String {
    let mut text = format!("Usage: {program} COMMAND [ARGUMENTS]; {program} help COMMAND explains one\n");
    for (place, command) in COMMANDS.iter().enumerate() {
        if place == 0 || COMMANDS[place - 1].group != command.group {
            text += &format!("\n{}:\n", command.group);
        }
        let about = (command.arguments)().get_about().map(ToString::to_string).unwrap_or_default();
        text += &format!("  {:16}{about}\n", command.name);
    }
    let games: Vec<_> = doors::games().infos().map(|info| info.name).collect();
    text += &format!("\nGames: {}\n", games.join(", "));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_as_clap_wants_it() {
        of_all("starsplit").debug_assert();
    }

    #[test]
    fn examples_are_read() {
        for command in COMMANDS {
            let words = std::iter::once("starsplit").chain(command.example.split_whitespace());
            let read = of_all("starsplit").try_get_matches_from(words);
            let is_read = read.as_ref().map_or_else(|error| error.exit_code() == 0, |_| true);
            assert!(is_read, "{}: {read:?}", command.example);
        }
    }

    #[test]
    fn a_command_that_is_misspelt_is_answered_with_the_nearest() {
        let error = of_all("starsplit").try_get_matches_from(["starsplit", "serch"]).unwrap_err();
        let text = no_command(&error).expect("no such command").to_string();
        assert_eq!(text, "command serch: expected such as search");
        let error = of_all("starsplit").try_get_matches_from(["starsplit", "zzz"]).unwrap_err();
        assert!(no_command(&error).expect("no such command").to_string().contains("one of search, play"));
    }
}
