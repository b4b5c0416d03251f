//! The command `records`: the shards of an experiment, put together as the folder that one run would have
//! left.

use crate::cli::outputs::write_whole;
use crate::cli::values::names;
use crate::cli::{self, BadInput, Ending, files, note, shown};
use crate::records::earlier::Earlier;
use crate::records::machine::{Clock, Machine, Program};
use crate::records::meta::Meta;
use crate::records::{sealing, writer};
use crate::report::{self, Pages};
use crate::run::shard::{MARK, Mark, Shard};
use crate::spec::{SPEC, Spec};
use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use serde::Serialize;
use starsplit::search::StopFlag;
use std::borrow::Cow;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

/// Work with folders of records
#[derive(Debug, Parser)]
#[command(name = "records", version = crate::cli::VERSION, arg_required_else_help = false)]
pub struct RecordsArgs {
    /// What is done with them.
    #[command(subcommand)]
    pub command: RecordsCommand,
}

/// What can be done with folders of records.
#[derive(Debug, Subcommand)]
pub enum RecordsCommand {
    /// Put the shards of an experiment together: the folder that one run of its spec would have left
    ///
    /// The folders are those that run SPEC --shard i/n has made, all n of them, in any order. They have to be
    /// of the same spec and complete, every line as it was written, and the runs of one build. Machines may
    /// differ, and are named where they do. The records are copied, and the reports made of them as run does
    /// it; run SPEC --out DIR --resume takes the whole for its own. Shards stay as they are.
    ///
    /// They are copied to DIR.part, which is renamed when it is whole: what goes wrong leaves nothing of that
    /// name.
    Merge(MergeArgs),
}

/// Which shards, and where to.
#[derive(Debug, Args)]
pub struct MergeArgs {
    /// The folders of all shards
    #[arg(value_name = "SHARD", required = true)]
    pub shards: Vec<PathBuf>,

    /// Folder for the whole, which is not there yet or empty
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// Let the builds that made the runs differ
    #[arg(long)]
    pub mix: bool,

    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    pub json: bool,
}

/// What is printed with `--json`.
#[derive(Serialize)]
struct Printed<'a> {
    question: &'a str,
    folder: Cow<'a, str>,
    shards: usize,
    runs: Vec<&'a str>,
    /// How many builds have made them.
    builds: usize,
    /// The machines on which they were made.
    machines: Vec<String>,
    report: Cow<'a, str>,
    page: Option<Cow<'a, str>>,
}

/// The folder of a shard.
struct ShardFolder {
    path: PathBuf,
    shard: Shard,
    /// The text of its spec.
    text: String,
}

/// A run's records, looked through from the first line to the last.
struct WholeRun {
    name: String,
    folder: PathBuf,
    files: Vec<OsString>,
    meta: Meta,
}

/// A folder that is removed when this is dropped before it is kept.
struct Unfinished {
    path: PathBuf,
    is_kept: bool,
}

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`], or whatever keeps files from being copied or reports from being made.
pub fn main(args: &RecordsArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    match &args.command {
        RecordsCommand::Merge(args) => merge(args, stop),
    }
}

fn merge(args: &MergeArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    check_place(&args.out)?;
    let shards = args.shards.iter().map(|path| ShardFolder::read(path)).collect::<Result<Vec<_>, _>>()?;
    let spec = spec_of(&shards)?;
    let Some(runs) = runs(&spec, &shards, stop)? else { return Ok(stopped()) };
    let builds = builds(&runs);
    if let Some(run) = builds.get(1).map(|(run, _)| run).filter(|_| !args.mix) {
        let first = shown(&runs[0].folder.to_string_lossy());
        let complaint =
            format!("expected one build, that which began {first}; --mix puts others together, too");
        return Err(BadInput::new("run", run.folder.to_string_lossy(), complaint).into());
    }
    let Some(pages) = put(&args.out, &spec, &runs, stop)? else { return Ok(stopped()) };
    let machines = machines(&runs);
    for (count, what) in [(builds.len(), "builds".to_owned()), (machines.len(), machine_words(&machines))] {
        if count > 1 {
            note(format_args!("records: the runs are of {count} {what}"));
        }
    }
    if !args.json {
        cli::print(&format!("{}\n\n{}\n\n{pages}", spec.question, spec.reading))?;
        return Ok(Ending::Complete);
    }
    cli::print_json(&Printed {
        question: &spec.question,
        folder: args.out.to_string_lossy(),
        shards: shards.len(),
        runs: runs.iter().map(|run| run.name.as_str()).collect(),
        builds: builds.len(),
        machines: machines.iter().map(|machine| machine_name(machine)).collect(),
        report: pages.overview.to_string_lossy(),
        page: pages.site.as_ref().map(|site| site.to_string_lossy()),
    })?;
    Ok(Ending::Complete)
}

fn stopped() -> Ending {
    note("stopped: nothing was put together");
    Ending::Stopped
}

impl ShardFolder {
    fn read(path: &Path) -> Result<Self, BadInput> {
        let refuse = |complaint: String| BadInput::new("shard", path.to_string_lossy(), complaint);
        let text = files::read_text(&path.join(SPEC), files::TEXT).map_err(|error| {
            refuse(format!("expected a folder that run --shard has made, with a {SPEC} ({error})"))
        })?;
        let mark = Mark::read(path).map_err(refuse)?;
        let Some(Mark { shard, complete }) = mark else {
            return Err(refuse(format!("expected a folder that run --shard has made, with a {MARK}")));
        };
        if !complete {
            let words = "expected one whose runs have all ended complete; go on with run SPEC";
            return Err(refuse(format!("{words} --shard {shard} --out FOLDER --resume")));
        }
        Ok(ShardFolder { path: path.to_owned(), shard, text })
    }
}

/// The spec of all shards, which have to be those of one run of it: every shard once.
fn spec_of(shards: &[ShardFolder]) -> Result<Spec, BadInput> {
    // There is one at least: the command line has to name it.
    let Some(first) = shards.first() else {
        return Err(BadInput::from_error("shards: expected one at least"));
    };
    let first_shown = shown(&first.path.to_string_lossy());
    for (place, ShardFolder { path, shard, text }) in shards.iter().enumerate() {
        let refuse = |complaint: String| Err(BadInput::new("shard", path.to_string_lossy(), complaint));
        if *text != first.text {
            return refuse(format!("expected the {SPEC} of {first_shown}, not another"));
        }
        if shard.of != first.shard.of {
            let (found, of) = (shard.of, first.shard.of);
            return refuse(format!("expected one of {of} shards, as {first_shown}, not of {found}"));
        }
        if let Some(other) = shards[..place].iter().find(|other| other.shard == *shard) {
            let other = shown(&other.path.to_string_lossy());
            return refuse(format!("expected every shard once, and {other} is {shard}, too"));
        }
    }
    let spec = Spec::parse(&first.path.join(SPEC).to_string_lossy(), &first.text)?;
    let (of, count) = (first.shard.of, spec.runs.len());
    if of > count {
        let complaint = format!("expected at most {count} shards, as many as its spec has runs, not {of}");
        return Err(BadInput::new("shard", first.path.to_string_lossy(), complaint));
    }
    let all = (1..=of).map(|number| Shard { number, of });
    let missing: Vec<_> = all.filter(|shard| shards.iter().all(|found| found.shard != *shard)).collect();
    if missing.is_empty() {
        return Ok(spec);
    }
    let words = if missing.len() == 1 { "shard" } else { "shards" };
    Err(BadInput::from_error(format!("{words} {}: expected among those that are named", names(missing))))
}

/// All runs of the spec, each from its shard; none where somebody stops it.
fn runs(spec: &Spec, shards: &[ShardFolder], stop: &StopFlag) -> Result<Option<Vec<WholeRun>>, BadInput> {
    let mut found = Vec::new();
    for (place, run) in spec.runs.iter().enumerate() {
        for folder in shards.iter().filter(|folder| folder.shard.of_place(place) == folder.shard) {
            if stop.is_raised() {
                return Ok(None);
            }
            found.push(WholeRun::read(&run.name, folder.path.join(&run.name), spec)?);
        }
    }
    Ok(Some(found))
}

impl WholeRun {
    fn read(name: &str, folder: PathBuf, spec: &Spec) -> Result<Self, BadInput> {
        let refuse = |complaint: String| BadInput::new("run", folder.to_string_lossy(), complaint);
        writer::check_free(&folder).map_err(BadInput::from_error)?;
        let earlier = Earlier::read(&folder).map_err(BadInput::from_error)?;
        let meta = earlier.ok_or_else(|| refuse("expected records, there are none".to_owned()))?.meta;
        if !meta.spec.as_ref().is_some_and(|asked| asked.run == name && asked.question == spec.question) {
            return Err(refuse(format!("expected the records of run {name} of its spec, by its meta.json")));
        }
        sealing::check(&folder)
            .map_err(|error| refuse(format!("expected samples as they were written ({error})")))?;
        report::check_report(&folder)?;
        let files = files_in(&folder).map_err(|error| refuse(format!("expected files to copy ({error})")))?;
        Ok(WholeRun { name: name.to_owned(), folder, files, meta })
    }

    /// The programs that have made the records.
    fn programs(&self) -> impl Iterator<Item = &Program> {
        iter::once(&self.meta.program).chain(self.meta.resumed.iter().map(|resumed| &resumed.program))
    }

    /// The machines on which they were made.
    fn machines(&self) -> impl Iterator<Item = &Machine> {
        iter::once(&self.meta.machine).chain(self.meta.resumed.iter().map(|resumed| &resumed.machine))
    }
}

/// The files of a run. Hidden ones are left out: they are what killed writers and network file systems leave.
fn files_in(folder: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        if name.as_encoded_bytes().starts_with(b".") {
            continue;
        }
        files::is_regular(&folder.join(&name)).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", shown(&name.to_string_lossy())))
        })?;
        names.push(name);
    }
    Ok(names)
}

/// The different builds that have made the runs, each with a run that it has made, that of the first run
/// first.
fn builds(runs: &[WholeRun]) -> Vec<(&WholeRun, &Program)> {
    let mut found: Vec<(&WholeRun, &Program)> = Vec::new();
    for (run, program) in runs.iter().flat_map(|run| run.programs().map(move |program| (run, program))) {
        if !found.iter().any(|(_, other)| other.is_build_of(program, Clock::Real)) {
            found.push((run, program));
        }
    }
    found
}

/// The different machines on which they were made.
fn machines(runs: &[WholeRun]) -> Vec<&Machine> {
    let mut found = Vec::new();
    for machine in runs.iter().flat_map(WholeRun::machines) {
        if !found.contains(&machine) {
            found.push(machine);
        }
    }
    found
}

fn machine_words(machines: &[&Machine]) -> String {
    let words = machines
        .iter()
        .map(|machine| format!("{}, {} processors", shown(&machine_name(machine)), machine.cores));
    format!("machines: {}", words.collect::<Vec<_>>().join("; "))
}

fn machine_name(machine: &Machine) -> String {
    let name = machine.cpu.as_ref().and_then(|cpu| cpu.name.clone());
    name.unwrap_or_else(|| "unknown".to_owned())
}

/// Whether the whole can be put there. Writes nothing.
fn check_place(out: &Path) -> Result<(), BadInput> {
    let refuse =
        |path: &Path, complaint: &str| Err(BadInput::new("--out", path.to_string_lossy(), complaint));
    let Some(part) = part(out) else { return refuse(out, "expected the name of a folder") };
    let is_free = match fs::symlink_metadata(out) {
        Ok(found) => found.is_dir() && fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_none()),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if !is_free {
        return refuse(out, "expected a folder that is not there yet, or is empty");
    }
    if fs::symlink_metadata(&part).is_ok() {
        return refuse(
            &part,
            "expected none: another merge is writing it, or a killed one has left it; remove it",
        );
    }
    Ok(())
}

/// Where the whole grows.
fn part(out: &Path) -> Option<PathBuf> {
    let mut name = out.file_name()?.to_owned();
    name.push(".part");
    Some(out.with_file_name(name))
}

/// Copies the runs, and makes their reports; none where somebody stops it before that. Where this fails or is
/// stopped, nothing is left.
fn put(out: &Path, spec: &Spec, runs: &[WholeRun], stop: &StopFlag) -> anyhow::Result<Option<Pages>> {
    let mut made = Unfinished::create(out)?;
    for run in runs {
        let folder = made.path.join(&run.name);
        fs::create_dir(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        for name in &run.files {
            if stop.is_raised() {
                return Ok(None);
            }
            let from = run.folder.join(name);
            fs::copy(&from, folder.join(name)).with_context(|| format!("cannot copy {}", from.display()))?;
        }
    }
    write_whole(&made.path.join(SPEC), spec.text.as_bytes())?;
    if stop.is_raised() {
        return Ok(None);
    }
    // Pages name the folder, so that they are made where it stays.
    made.rename(out)?;
    let pages = report::of_run(out)?;
    made.is_kept = true;
    Ok(Some(pages))
}

impl Unfinished {
    fn create(out: &Path) -> Result<Self, BadInput> {
        let path = part(out).unwrap_or_default();
        let above = path.parent().filter(|above| *above != Path::new(""));
        let made = above.map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::create_dir(&path));
        match made {
            Ok(()) => Ok(Unfinished { path, is_kept: false }),
            Err(error) => Err(not_writable(out, &error)),
        }
    }

    /// Renames it to `out`, where nothing is or an empty folder.
    fn rename(&mut self, out: &Path) -> Result<(), BadInput> {
        // Not every system lets a folder take the place of an empty one.
        match fs::remove_dir(out) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(not_writable(out, &error)),
            _ => {}
        }
        fs::rename(&self.path, out).map_err(|error| not_writable(out, &error))?;
        out.clone_into(&mut self.path);
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if !self.is_kept {
            // Only takes room when it cannot be removed.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

fn not_writable(out: &Path, error: &io::Error) -> BadInput {
    BadInput::new(
        "--out",
        out.to_string_lossy(),
        format!("expected a folder that can be written to ({error})"),
    )
}
