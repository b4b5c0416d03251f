//! The binary `report`: a page, pictures and a table of figures for each folder of records, and one page over
//! all of them, from the records alone.

pub mod compare_records;
pub(crate) mod curves;
mod efficiency;
mod escaped;
pub mod export;
mod figures;
pub(crate) mod folder;
mod found;
mod growth;
mod output;
mod overview;
mod page;
mod picture;
mod played;
mod prepared;
mod seal;
mod sections;
pub mod site;
mod tuned;
mod watched;

use crate::cli::files;
use crate::cli::outputs;
use crate::cli::values::whole_number;
use crate::cli::{self, BadInput, Ending, in_words, is_bad_input, note};
use crate::records::archive;
use crate::records::samples;
use clap::Parser;
use folder::Folder;
use found::{below, with_runs};
use output::{MAKER, MIN_NODES, PAGE, write_file};
use prepared::{Made, Prepared, Reported, files, over_runs, prepare, runs};
use starsplit::search::StopFlag;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Write what folders of records show: a page, pictures of the speedup curves and the figures behind them
///
/// For each folder that scaling, compare or simulate has written: README.md with the command that began it,
/// the build, the machine and a table; speedup.svg, one for each cost model where times are virtual;
/// figures.csv with what is drawn. For each of study or paper_tables: README.md with its tables, figures.csv
/// and growth.csv with what is in them, and growth.svg. For each of tuning: README.md with its
/// table, and figures.csv. For each of match: README.md with who played what and came to how many points, and
/// figures.csv. For each that run has written: README.md over its runs, and summary.json over those of
/// tuning. Pages of retired studies stay as they are. All of it comes from meta.json, samples.jsonl, the
/// folder's name and --min-nodes: the same give the same files, byte for byte. A README.md that report has
/// not made is never replaced, nor are other files without one that it has made.
///
/// Without folders, results/index.html as well: one page over all of them, for a browser without a network,
/// on which one picks experiments, methods and positions. Folders that are sealed need no page of their own
/// there: of them it makes again, and checks, what they have. With --page, that page alone, over the folders
/// that are named.
///
/// With --seal, no page: for records that are to be kept, the revision comes first in meta.json, and samples
/// and tables go into records.tar.xz, those of all runs of a spec into one. Whatever reads a folder of
/// records finds them there.
///
/// For each folder of scaling, compare, study or paper_tables it prints whether the order of the contenders
/// was balanced, as their samples show it.
///
/// Pictures: the median over the large positions (over all where none is large), with the lower and the upper
/// quartile. Both axes are logarithmic. Dashed: as many times as fast as there are processors. Dotted, where
/// times are virtual: the greedy guarantee, T1 / (work / P + span), what greedy scheduling of the same work
/// gives at least, if stealing takes no time.
///
/// Without folders, those below results whose records cannot be read are named and passed over, and the exit
/// code is 2.
#[derive(Debug, Parser)]
#[command(name = "report", version = crate::cli::VERSION)]
pub struct ReportArgs {
    /// Folders of records [default: all below results]
    #[arg(value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,

    /// Write nothing; fail if a file is missing, other than what would be written, or a picture that would
    /// not be
    ///
    /// Without folders: of those below results that are sealed or have a page made by report, and the page
    /// over these.
    #[arg(long)]
    pub check: bool,

    /// Pack the records of the folders, and put the revision into meta.json; what is sealed already stays as
    /// it is
    #[arg(long, requires = "folders", conflicts_with_all = ["check", "page"])]
    pub seal: bool,

    /// Write the page over all the folders that are named to FILE, and nothing else; folders with other
    /// records are left out
    #[arg(long, value_name = "FILE", requires = "folders")]
    pub page: Option<PathBuf>,

    /// Nodes of the serial search from which on a position counts as large
    #[arg(long, value_name = "N", default_value = "1000000", allow_negative_numbers = true,
          value_parser = whole_number("min-nodes", 0..=u64::MAX))]
    pub min_nodes: u64,
}

/// Where folders are looked for.
const PARENT: &str = "results";

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`] when a folder has no records that can be read, or whatever keeps files from being written.
pub fn main(args: &ReportArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    let mut outcome = ReportEnd::default();
    if let Some(file) = &args.page {
        if !args.check {
            site::check_place(file)?;
        }
        over_all(file, &site::read(&args.folders, args.min_nodes)?, args, &mut outcome)?;
        return outcome.ending();
    }
    if args.seal {
        return seal::seal(&args.folders, stop);
    }
    let are_named = !args.folders.is_empty();
    let folders =
        if are_named { with_runs(&args.folders)? } else { checked(below(Path::new(PARENT))?, args.check) };
    let Some(prepared) = prepare(&folders, args.min_nodes, are_named, stop) else {
        return Ok(Ending::Stopped);
    };
    let mut read = Vec::new();
    for (path, prepared) in folders.iter().zip(prepared) {
        let done = prepared.and_then(|prepared| match prepared {
            prepared if !are_named && is_kept(path) => kept(path, prepared, args, &mut outcome),
            Prepared::Spec { runs, made } => of_spec(path, runs, &made, args, &mut outcome).map(|()| None),
            Prepared::Records(None) => Ok(None),
            Prepared::Records(Some(read)) => {
                let Reported { folder, files } = *read;
                one(path, &folder, &files, args, &mut outcome).map(|()| Some(folder))
            }
        });
        match done {
            Err(error) if !are_named && is_bad_input(&error) => {
                note(format_args!("report: {}", in_words(&error)));
                outcome.refused += 1;
            }
            done => read.extend(done?),
        }
    }
    if !are_named && !read.is_empty() {
        over_all(&Path::new(PARENT).join(site::FILE), &read, args, &mut outcome)?;
    }
    outcome.ending()
}

/// The pages that a run of a spec has made.
#[derive(Clone, Debug)]
pub(crate) struct Pages {
    /// The page over its runs.
    pub(crate) overview: PathBuf,
    /// The page for a browser; none where nothing is drawn.
    pub(crate) site: Option<PathBuf>,
}

impl fmt::Display for Pages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Report: {}", self.overview.display())?;
        self.site.iter().try_for_each(|site| writeln!(f, "To pick and compare: {}", site.display()))
    }
}

/// Writes the reports of a folder that `run` has made, of its runs and over them.
///
/// # Errors
/// [`BadInput`] when a folder has no records that can be read, or whatever keeps files from being written.
pub(crate) fn of_run(parent: &Path) -> anyhow::Result<Pages> {
    let runs = runs(parent, MIN_NODES, |_| None)?;
    for (path, folder) in runs.iter().filter_map(|(name, folder)| Some((parent.join(name), folder.as_ref()?)))
    {
        write(&path, &files(folder, None)?)?;
    }
    write_pages(parent, &over_runs(parent, &runs)?)?;
    let (drawn, site) = (drawn(runs), parent.join(site::FILE));
    if !drawn.is_empty() {
        site::put(&site, &site::text(&drawn, MIN_NODES)?)?;
    }
    Ok(Pages { overview: parent.join(PAGE), site: (!drawn.is_empty()).then_some(site) })
}

/// Writes the page for a browser of one folder into it; none where nothing of it is drawn.
///
/// # Errors
/// [`BadInput`] when the folder has no records that can be read, or whatever keeps the page from being
/// written.
pub(crate) fn page_of(path: &Path) -> anyhow::Result<Option<PathBuf>> {
    let Some(folder) = Folder::read(path, MIN_NODES, true)?.filter(|folder| !folder.panels.is_empty()) else {
        return Ok(None);
    };
    let site = path.join(site::FILE);
    site::put(&site, &site::text(&[folder], MIN_NODES)?)?;
    Ok(Some(site))
}

/// What became of the folders.
#[derive(Debug, Default)]
struct ReportEnd {
    /// Files that are not what their records show.
    differ: Vec<PathBuf>,
    /// How many folders could not be read.
    refused: usize,
}

impl ReportEnd {
    /// Names what differs, and says how it ends.
    fn ending(&self) -> anyhow::Result<Ending> {
        for path in &self.differ {
            note(format_args!("report: {} is not what its records show", path.display()));
        }
        match self.refused {
            0 if self.differ.is_empty() => Ok(Ending::Complete),
            0 => Ok(Ending::ValuesDiffer),
            number => Err(BadInput::new(
                "folder",
                PARENT,
                format_args!("expected records that can be read; {number} of its folders have none"),
            )
            .into()),
        }
    }
}

/// Writes or checks the report of one folder.
fn one(
    path: &Path,
    folder: &Folder,
    files: &[Made],
    args: &ReportArgs,
    outcome: &mut ReportEnd,
) -> anyhow::Result<()> {
    if !args.check {
        write(path, files)?;
        let order = folder.order.as_ref();
        let order = order.map_or_else(String::new, |order| format!("  order of turns: {}\n", order.words()));
        let lacks = folder.lacks.as_ref();
        let lacks = lacks.map_or_else(String::new, |lacks| format!("  INCOMPLETE: {lacks}\n"));
        let (page, disturbed) = (path.join(PAGE), folder.in_headline());
        cli::print(&format!("{}{disturbed}\n{order}{lacks}", page.display()))?;
        return Ok(());
    }
    let made = files.iter().map(|made| path.join(&made.name)).zip(files);
    outcome.differ.extend(made.filter_map(|(path, made)| is_other(&path, &made.bytes)));
    outcome.differ.extend(left_over(path, files));
    Ok(())
}

/// Writes again, or checks, what there is of the report of a folder that is kept. What differs from a file in
/// an archive is written beside it, to be sealed.
fn kept(
    path: &Path,
    prepared: Prepared,
    args: &ReportArgs,
    outcome: &mut ReportEnd,
) -> anyhow::Result<Option<Folder>> {
    let (folder, files) = match prepared {
        Prepared::Spec { made, .. } => (None, made),
        Prepared::Records(read) => read.map_or((None, Vec::new()), |read| (Some(read.folder), read.files)),
    };
    check_page(path)?;
    for made in &files {
        match is_other(&path.join(&made.name), &made.bytes).filter(|file| archive::has(file)) {
            None => {}
            Some(file) if args.check => outcome.differ.push(file),
            Some(_) => write_in(path, made)?,
        }
    }
    outcome.differ.extend(left_over(path, &files));
    Ok(folder)
}

/// Whether the samples of a folder are sealed, or those of the runs below it.
fn is_kept(path: &Path) -> bool {
    let mut below = fs::read_dir(path).into_iter().flatten().flatten();
    path.join(archive::ARCHIVE).is_file()
        || samples::are_sealed_in(path)
        || below.any(|run| samples::are_sealed_in(&run.path()))
}

/// Writes or checks the pages over the runs of a spec. Those of the runs are written as any folder's.
fn of_spec(
    path: &Path,
    runs: Vec<(String, Option<Folder>)>,
    made: &[Made],
    args: &ReportArgs,
    outcome: &mut ReportEnd,
) -> anyhow::Result<()> {
    if args.check {
        outcome.differ.extend(made.iter().filter_map(|made| is_other(&path.join(&made.name), &made.bytes)));
    } else {
        write_pages(path, made)?;
    }
    let drawn = drawn(runs);
    if drawn.is_empty() { Ok(()) } else { over_all(&path.join(site::FILE), &drawn, args, outcome) }
}

/// The folders of which something is drawn for a browser.
fn drawn(runs: Vec<(String, Option<Folder>)>) -> Vec<Folder> {
    runs.into_iter().filter_map(|(_, folder)| folder).filter(|folder| !folder.panels.is_empty()).collect()
}

/// Writes or checks the page over all folders.
fn over_all(
    file: &Path,
    folders: &[Folder],
    args: &ReportArgs,
    outcome: &mut ReportEnd,
) -> anyhow::Result<()> {
    let text = site::text(folders, args.min_nodes)?;
    if args.check {
        outcome.differ.extend(is_other(file, text.as_bytes()));
        return Ok(());
    }
    site::put(file, &text)?;
    Ok(cli::print(&format!("{}\n", file.display()))?)
}

/// Pictures in the folder that are none of the `files`.
fn left_over(path: &Path, files: &[Made]) -> Vec<PathBuf> {
    named(path, |name| is_picture(name) && files.iter().all(|made| made.name != *name))
}

fn is_picture(name: &str) -> bool {
    ["speedup", efficiency::NAME, growth::NAME].iter().any(|kind| name.starts_with(kind))
        && (name.ends_with(".svg") || name.ends_with(".png"))
}

/// What is in a folder under such names, by name.
fn named(path: &Path, is_meant: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).map(|entries| entries.flatten().collect::<Vec<_>>()).unwrap_or_default();
    let mut names: Vec<_> = entries.iter().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(|name| is_meant(name));
    names.sort();
    names.iter().map(|name| path.join(name)).collect()
}

/// The folders; those alone that are kept or have a page that was made here, if asked.
fn checked(mut folders: Vec<PathBuf>, is_asked: bool) -> Vec<PathBuf> {
    folders.retain(|path| !is_asked || is_kept(path) || has_page(path));
    folders
}

/// Whether a folder has a page that was made here.
fn has_page(path: &Path) -> bool {
    files::read_text(&path.join(PAGE), files::PAGE).is_ok_and(|text| text.contains(output::MARK))
}

/// The file's path, if something else is there.
fn is_other(path: &Path, made: &[u8]) -> Option<PathBuf> {
    let is_same = archive::read(path, made.len() as u64).is_ok_and(|bytes| bytes == made);
    (!is_same).then(|| path.to_owned())
}

/// Whether the pages of a run can be written into the folder, which need not be there yet.
///
/// # Errors
/// When a page is there that is somebody else's.
pub(crate) fn check_place(path: &Path) -> Result<(), BadInput> {
    check_page(path)?;
    site::check_place(&path.join(site::FILE))
}

fn check_page(path: &Path) -> Result<(), BadInput> {
    outputs::check_own("page", &path.join(PAGE), MAKER, |_| has_page(path))
}

/// Whether the report of a folder of records, which need not be there yet, can be written into it.
///
/// # Errors
/// When a page is there that is somebody else's, or pictures or figures without a page.
pub(crate) fn check_report(path: &Path) -> Result<(), BadInput> {
    check_page(path)?;
    let is_made = |name: &str| is_picture(name) || [sections::FIGURES, sections::GROWTH].contains(&name);
    match named(path, is_made).first().filter(|_| !has_page(path)) {
        None => Ok(()),
        Some(file) => {
            let complaint = format!("expected none without a {PAGE} that {MAKER} has made; remove it");
            Err(BadInput::new("file", file.to_string_lossy(), complaint))
        }
    }
}

fn write(path: &Path, files: &[Made]) -> anyhow::Result<()> {
    check_report(path)?;
    files.iter().try_for_each(|made| write_in(path, made))
}

fn write_pages(path: &Path, made: &[Made]) -> anyhow::Result<()> {
    check_page(path)?;
    made.iter().try_for_each(|made| write_in(path, made))
}

/// Writes a file into a folder, which need not be there where its records are in an archive.
fn write_in(folder: &Path, Made { name, bytes }: &Made) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    write_file(&folder.join(name), bytes)
}
