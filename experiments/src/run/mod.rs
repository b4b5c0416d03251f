//! The binary `run`: an experiment from its spec to its report.

use crate::cli::files;
use crate::cli::outputs;
use crate::cli::texts;
use crate::cli::{self, BadInput, Ending, as_bad_input, note};
use crate::records::flags::RecordsFlags;
use crate::records::meta::Asked;
use crate::records::writer::{self, DEFAULT_PARENT, create_dated};
use crate::report;
use crate::runner::verdict::Finished;
use crate::spec::{self, Call, Run, SPEC, Spec};
use clap::Parser;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;
use starsplit::search::StopFlag;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Run an experiment: everything that its spec asks for, with records, reports, pictures and a page
///
/// A spec is a TOML file: a question, how the answer is to be read, and a list of runs, each of which is a
/// call of compare, scaling, simulate, paper-tables, study, tuning or match. Every key of a
/// run but "name" and "experiment" is a flag of that binary, whose --help describes it; "variants" is a
/// study's list of tables, each with a name and options. experiments/specs has examples.
///
/// The records of each run go to a folder of its name below results/DATE-SPEC, or below --out, beside a copy
/// of the spec; then the report of each is made, as report does it, and index.html, which shows them all.
///
/// A run that was killed or stopped goes on with --resume: what is recorded is not searched again. Records of
/// another spec, build or machine are refused.
///
/// All runs are checked before the first begins: their flags, and whatever suites, costs, weights, records
/// and commands they name.
///
/// The exit code is 1 if searches that must agree did not.
#[derive(Debug, Parser)]
#[command(name = "run", version = crate::cli::VERSION)]
pub struct RunArgs {
    /// The spec: a name of --list, or a file
    #[arg(value_name = "SPEC", required_unless_present = "list")]
    pub spec: Option<String>,

    /// Say which specs come with the experiments, and what they ask
    #[arg(long)]
    pub list: bool,

    /// Folder for the records instead of results/DATE-SPEC
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Go on with what is in --out
    #[arg(long, requires = "out")]
    pub resume: bool,

    /// Let --resume go on with records of another build or machine
    #[arg(long, requires = "resume")]
    pub mix: bool,

    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    pub json: bool,
}

/// What is printed with `--json`.
#[derive(Serialize)]
struct Printed<'a> {
    spec: &'a str,
    question: &'a str,
    folder: &'a Path,
    runs: Vec<PrintedRun<'a>>,
}

#[derive(Serialize)]
struct PrintedRun<'a> {
    name: &'a str,
    experiment: &'a str,
    report: &'a RawValue,
}

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`], or whatever ends a search with an error.
pub fn main(args: &RunArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    let Some(name) = args.spec.as_ref().filter(|_| !args.list) else { return list() };
    let spec = Spec::load(name)?;
    check(args, &spec)?;
    let folder = folder(args, &spec)?;
    let finished = run_all(args, &spec, &folder, stop)?;
    let pages = report::of_run(&folder)?;
    let ending = ending(spec.runs.len(), &finished, stop);
    if args.json {
        cli::print_json(&printed(&spec, &folder, &finished))?;
    } else {
        cli::print(&format!("{}\n\n{}\n\n{pages}", spec.question, spec.reading))?;
    }
    if ending == Ending::Stopped {
        note(format_args!("stopped: go on with run {name} --out {} --resume", folder.display()));
    }
    Ok(ending)
}

/// Runs what is asked for, in turn, until somebody stops it.
fn run_all<'a>(
    args: &RunArgs,
    spec: &'a Spec,
    folder: &Path,
    stop: &StopFlag,
) -> anyhow::Result<Vec<(&'a Run, Finished)>> {
    let mut finished = Vec::new();
    for run in &spec.runs {
        if stop.is_raised() {
            break;
        }
        note(format_args!("run {}: {} ({})", spec.name, run.name, run.experiment));
        let done = call(args, spec, run, Some(folder.join(&run.name)))?.run(stop)?;
        if !args.json {
            cli::print(&format!("## {}: {}\n\n{}\n", run.name, run.experiment, done.text))?;
        }
        finished.push((run, done));
    }
    Ok(finished)
}

/// The worst of the runs' endings.
fn ending(count: usize, finished: &[(&Run, Finished)], stop: &StopFlag) -> Ending {
    let differ = finished.iter().find(|(_, done)| !matches!(done.ending, Ending::Complete | Ending::Stopped));
    let is_cut = finished.iter().any(|(_, done)| done.ending == Ending::Stopped)
        || (stop.is_raised() && finished.len() < count);
    match differ {
        Some((_, done)) => done.ending,
        None if is_cut => Ending::Stopped,
        None => Ending::Complete,
    }
}

fn list() -> anyhow::Result<Ending> {
    for (name, question) in spec::named() {
        cli::print(&format!("{name}: {question}\n"))?;
    }
    Ok(Ending::Complete)
}

fn printed<'a>(spec: &'a Spec, folder: &'a Path, finished: &'a [(&Run, Finished)]) -> Printed<'a> {
    let run = |(run, done): &'a (&Run, Finished)| PrintedRun {
        name: &run.name,
        experiment: &run.experiment,
        report: &done.json,
    };
    let runs = finished.iter().map(run).collect();
    Printed { spec: &spec.name, question: &spec.question, folder, runs }
}

/// Refuses what would end a later run or keep its report from being written, before the first begins. Writes
/// nothing.
fn check(args: &RunArgs, spec: &Spec) -> anyhow::Result<()> {
    let folder_of = |run: &Run| args.out.as_ref().map(|out| out.join(&run.name));
    if let Some(out) = &args.out {
        check_place(args, spec, out)?;
    }
    for folder in spec.runs.iter().filter_map(folder_of) {
        writer::check_free(&folder).map_err(BadInput::from_error)?;
    }
    for run in &spec.runs {
        let out = folder_of(run);
        let check = || {
            out.iter().try_for_each(|out| report::check_report(out))?;
            call(args, spec, run, out)?.check()
        };
        check().map_err(|error| match as_bad_input(error) {
            Ok(error) => BadInput::from_error(format_args!("run {}: {error}", run.name)).into(),
            Err(error) => error.context(format!("run {}", run.name)),
        })?;
    }
    Ok(())
}

/// Whether the spec can be run in the folder `path`.
fn check_place(args: &RunArgs, spec: &Spec, path: &Path) -> Result<(), BadInput> {
    let refuse = |complaint: String| Err(BadInput::new("results folder", path.to_string_lossy(), complaint));
    match texts::read(&path.join(SPEC), files::TEXT) {
        Ok(text) if !args.resume => {
            let words = if text == spec.text { "; --resume goes on with it" } else { "" };
            refuse(format!("expected one without a {SPEC}, not to mix runs{words}"))
        }
        Ok(text) if text == spec.text => Ok(()),
        Ok(_) => refuse(format!("expected a {SPEC} that is this very spec to resume")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => report::check_place(path),
        Err(error) => refuse(format!("expected a {SPEC} that can be read, or none ({error})")),
    }
}

/// The folder of all runs, with the spec in it.
fn folder(args: &RunArgs, spec: &Spec) -> Result<PathBuf, BadInput> {
    let path = match &args.out {
        Some(path) => path.clone(),
        None => {
            let name = format!("{}-{}", Timestamp::now().strftime("%Y-%m-%d"), spec.name);
            create_dated(Path::new(DEFAULT_PARENT), &name).map_err(BadInput::from_error)?
        }
    };
    write_spec(spec, &path).map_err(|error| {
        let complaint = format!("expected a folder that can be written to ({error})");
        BadInput::new("results folder", path.to_string_lossy(), complaint)
    })?;
    Ok(path)
}

fn write_spec(spec: &Spec, path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)?;
    let copy = path.join(SPEC);
    outputs::clear(&copy);
    if copy.exists() {
        return Ok(());
    }
    outputs::replace(&copy, |file| file.write_all(spec.text.as_bytes()))
}

/// What the run calls; its records go to the folder `out`, where there is one yet.
fn call(args: &RunArgs, spec: &Spec, run: &Run, out: Option<PathBuf>) -> Result<Call, BadInput> {
    let asked = Asked {
        name: spec.name.clone(),
        run: run.name.clone(),
        question: spec.question.clone(),
        reading: spec.reading.clone(),
    };
    let records = RecordsFlags { out, resume: args.resume, mix: args.mix, spec: Some(asked) };
    Call::new(run, records)
}
