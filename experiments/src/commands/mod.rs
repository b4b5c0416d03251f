//! Everything that can be asked of the lab, by name: the commands of the program `starsplit`. Those that are
//! binaries of their own as well are the same.

mod calibrate;
mod engine;
mod perft;
mod play;
mod positions;
mod search;
mod train;

use crate::cli::{self, BadInput, Ending};
use crate::question::doors::{self, Games};
use crate::report::{compare_records, export};
use crate::spec::no_experiment;
use crate::{compare, matches, paper_tables, report, run, scaling, simulate, study, tuning};
use clap::Parser;
use starsplit::search::StopFlag;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

/// A command.
struct Command {
    name: &'static str,
    /// Its purpose in a line.
    about: fn() -> String,
    /// Runs it with the arguments after its name. The first argument is how usage names the program.
    run: fn(String, Vec<OsString>) -> ExitCode,
}

/// Makes the list of commands: of each its name, its arguments' type and what it does with them.
macro_rules! commands {
    ($($name:literal: $args:ty => $run:expr,)*) => {
        /// All commands.
        const COMMANDS: &[Command] = &[$(Command {
            name: $name,
            about: about::<$args>,
            run: |program, words| {
                let run: fn(&$args, &StopFlag) -> anyhow::Result<Ending> = $run;
                cli::main_of(program, words, |args: $args, stop| run(&args, stop))
            },
        },)*];
    };
}

commands! {
    "compare": compare::CompareArgs => |args, stop| compare::run(args, stop)?.print(args.race.common.json),
    "scaling": scaling::ScalingArgs => |args, stop| scaling::run(args, stop)?.print(args.race.common.json),
    "simulate": simulate::SimulateArgs => |args, stop| simulate::run(args, stop)?.print(args.common.json),
    "paper_tables": paper_tables::PaperTablesArgs =>
        |args, stop| paper_tables::run(args, stop)?.print(args.common.json),
    "study": study::StudyArgs => |args, stop| study::run(args, stop)?.print(args.common.json),
    "tuning": tuning::TuningArgs => |args, stop| tuning::run(args, stop)?.print(args.common.json),
    "calibrate": calibrate::CalibrateArgs => calibrate::run,
    "run": run::RunArgs => run::main,
    "report": report::ReportArgs => report::main,
    "compare-records": compare_records::CompareRecordsArgs => |args, _| compare_records::main(args),
    "export": export::ExportArgs => |args, _| export::main(args),
    "search": search::SearchArgs => search::run,
    "match": matches::MatchArgs => |args, stop| matches::run(args, stop)?.print(args.json),
    "play": play::PlayArgs => play::run,
    "engine": engine::EngineArgs => engine::run,
    "perft": perft::PerftArgs => perft::run,
    "positions": positions::PositionsArgs => |args, _| positions::run(args),
    "train": train::TrainArgs => train::run,
}

fn about<A: Parser>() -> String {
    A::command().get_about().map(ToString::to_string).unwrap_or_default()
}

/// The program of all commands over these games, as its command line asks.
pub fn main(games: Games) -> ExitCode {
    doors::choose(games);
    let mut words = env::args_os();
    let program = words.next();
    let program = program.as_deref().and_then(|path| Path::new(path).file_name()).map(OsStr::to_string_lossy);
    let program = program.unwrap_or("starsplit".into());
    let name = words.next().unwrap_or_else(|| "--help".into());
    let name = name.to_string_lossy();
    if let Some(command) = named(&name) {
        return (command.run)(format!("{program} {name}"), words.collect());
    }
    match &*name {
        "--help" | "-h" | "help" => cli::answer(&help(&program)),
        "--version" | "-V" => cli::answer(&format!("{program} {}\n", cli::VERSION)),
        other => cli::refuse(&no_command(other)),
    }
}

/// A program of one command over these games.
pub fn only(games: Games, name: &str) -> ExitCode {
    doors::choose(games);
    match named(name) {
        Some(command) => (command.run)(name.to_owned(), env::args_os().skip(1).collect()),
        None => cli::refuse(&no_command(name)),
    }
}

fn named(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// What to say of a command that there is not.
fn no_command(name: &str) -> BadInput {
    let names: Vec<_> = COMMANDS.iter().map(|command| command.name).collect();
    BadInput::new("command", name, no_experiment(name, &format!("one of {}", names.join(", "))))
}

fn help(program: &str) -> String {
    let line = |command: &Command| format!("  {:16}{}\n", command.name, (command.about)());
    let lines: String = COMMANDS.iter().map(line).collect();
    format!("Usage: {program} COMMAND [ARGUMENTS]; {program} COMMAND --help explains one\n\n{lines}")
}
