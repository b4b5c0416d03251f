//! What is made of each folder, before anything is written.

use crate::cli::files;
use crate::cli::texts;
use crate::cli::{BadInput, note};
use crate::report::folder::{self, Folder};
use crate::report::found::with_samples;
use crate::report::output::{MIN_NODES, PAGE};
use crate::report::sections::{self, Csv};
use crate::report::{efficiency, figures, growth, overview, page, picture, tuned};
use crate::spec::{Outline, SPEC};
use rayon::prelude::*;
use starsplit::search::StopFlag;
use std::path::{Path, PathBuf};

/// A file of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Made {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
}

/// A folder of records, and everything that is written for it.
pub(super) struct Reported {
    pub(super) folder: Folder,
    pub(super) files: Vec<Made>,
}

/// What is made of a folder.
pub(super) enum Prepared {
    /// The runs of a spec, and the pages over them.
    Spec { runs: Vec<(String, Option<Folder>)>, made: Vec<Made> },
    /// Records and their report; none where they are of a kind that has none.
    Records(Option<Box<Reported>>),
}

/// Reads folders and makes what is written for each, several at once, and writes nothing; none where it was
/// stopped. To read is most of what a report takes, so runs of specs among them are read once.
pub(super) fn prepare(
    folders: &[PathBuf],
    min_nodes: u64,
    is_named: bool,
    stop: &StopFlag,
) -> Option<Vec<anyhow::Result<Prepared>>> {
    let is_spec = |path: &PathBuf| path.join(SPEC).is_file();
    let is_wanted = |path: &&PathBuf| !stop.is_raised() && !is_spec(path);
    let of_records = |path| Some(path).filter(is_wanted).map(|path| read_and_made(path, min_nodes, is_named));
    let records: Vec<_> = folders.par_iter().map(of_records).collect();
    let known = |path: &Path| {
        let place = folders.iter().position(|other| other == path)?;
        let read = records[place].as_ref()?.as_ref().ok()?;
        read.as_ref().map(|read| read.folder.clone())
    };
    let of_spec = |path: &PathBuf| {
        let runs = runs(path, min_nodes, known)?;
        let made = over_runs(path, &runs)?;
        Ok(Prepared::Spec { runs, made })
    };
    let specs: Vec<_> = folders.iter().map(|path| is_spec(path).then(|| of_spec(path))).collect();
    let of_either = |(records, spec): (Option<anyhow::Result<_>>, _)| match records {
        Some(read) => Some(read.map(Prepared::Records)),
        None => spec,
    };
    let prepared = records.into_iter().zip(specs).map(of_either).collect();
    if stop.is_raised() { None } else { prepared }
}

/// Reads a folder, and makes its report.
fn read_and_made(path: &Path, min_nodes: u64, is_named: bool) -> anyhow::Result<Option<Box<Reported>>> {
    let Some(folder) = Folder::read(path, min_nodes, is_named)? else { return Ok(None) };
    let files = files(&folder, Some(min_nodes).filter(|&nodes| nodes != MIN_NODES))?;
    Ok(Some(Box::new(Reported { folder, files })))
}

/// The runs below a folder that `run` has made, by name; those that were `read` before are not read again.
pub(super) fn runs(
    parent: &Path,
    min_nodes: u64,
    read: impl Fn(&Path) -> Option<Folder>,
) -> Result<Vec<(String, Option<Folder>)>, BadInput> {
    let anew = |path: &Path| {
        // Other runs may have records none the less.
        Folder::read(path, min_nodes, false).unwrap_or_else(|error| {
            note(format_args!("report: {error}"));
            None
        })
    };
    let read = |path: PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        (name, read(&path).or_else(|| anew(&path)))
    };
    Ok(with_samples(parent)?.into_iter().map(read).collect())
}

/// The page over the runs of a spec, and beside it what those of tuning come to.
pub(super) fn over_runs(parent: &Path, runs: &[(String, Option<Folder>)]) -> anyhow::Result<Vec<Made>> {
    let refuse = |complaint: String| BadInput::new("spec", parent.join(SPEC).to_string_lossy(), complaint);
    let text = texts::read(&parent.join(SPEC), files::TEXT)
        .map_err(|error| refuse(format!("expected a file that can be read ({error})")))?;
    let outline = Outline::read(&text).map_err(|error| refuse(format!("expected a spec ({error})")))?;
    let name = folder::name(parent, 0);
    let (cells, missing) = overview::cells(&outline, runs);
    let bytes = overview::text(&name, &outline, runs).into_bytes();
    let mut files = vec![Made { name: PAGE.to_owned(), bytes }];
    if !cells.is_empty() {
        files.push(Made { name: tuned::SUMMARY.to_owned(), bytes: tuned::summary(&cells, missing)? });
    }
    Ok(files)
}

/// Everything that is written for a folder, the page first: it is what the others are known by for a
/// report's.
pub(super) fn files(folder: &Folder, min_nodes: Option<u64>) -> anyhow::Result<Vec<Made>> {
    let mut files = vec![Made { name: PAGE.to_owned(), bytes: page::text(folder, min_nodes).into_bytes() }];
    let shown = &folder.shown;
    let mut pictures = Vec::new();
    for panel in &folder.panels {
        pictures.push((panel.picture.as_str(), picture::svg(panel)?));
    }
    if let Some(svg) = efficiency::svg(&folder.panels)? {
        pictures.push((efficiency::NAME, svg));
    }
    if !shown.growth.is_empty() {
        let title = format!("{}: {}", folder.name, shown.means);
        pictures.push((growth::NAME, growth::svg(&title, &shown.growth)?));
    }
    for (name, svg) in pictures {
        files.push(Made { name: format!("{name}.svg"), bytes: svg.into_bytes() });
    }
    if !folder.panels.is_empty() {
        files.push(Made {
            name: sections::FIGURES.to_owned(),
            bytes: figures::text(&folder.panels)?.into_bytes(),
        });
    }
    for Csv { name, bytes } in shown.tables.iter().cloned() {
        files.push(Made { name: name.to_owned(), bytes });
    }
    Ok(files)
}
