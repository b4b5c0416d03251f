//! What is made of each folder, before anything is written.

use crate::report::folder::Folder;
use crate::report::output::MIN_NODES;
use crate::report::{Made, ReportArgs, files, overview, runs};
use crate::spec::SPEC;
use rayon::prelude::*;
use starsplit::search::StopFlag;
use std::path::{Path, PathBuf};

/// What is made of a folder.
pub(super) enum Prepared {
    /// The runs of a spec, and the pages over them.
    Spec { runs: Vec<(String, Option<Folder>)>, made: Vec<Made> },
    /// Records and their report; none where they are of a kind that has none.
    Records(Option<(Folder, Vec<Made>)>),
}

/// Reads folders and makes what is written for each, several at once, and writes nothing; none where it was
/// stopped. To read is most of what a report takes, so runs of specs among them are read once.
pub(super) fn prepare(
    folders: &[PathBuf],
    args: &ReportArgs,
    is_named: bool,
    stop: &StopFlag,
) -> Option<Vec<anyhow::Result<Prepared>>> {
    let is_spec = |path: &PathBuf| path.join(SPEC).is_file();
    let is_wanted = |path: &&PathBuf| !stop.is_raised() && !is_spec(path);
    let of_records = |path| Some(path).filter(is_wanted).map(|path| read_and_made(path, args, is_named));
    let records: Vec<_> = folders.par_iter().map(of_records).collect();
    let known = |path: &Path| {
        let place = folders.iter().position(|other| other == path)?;
        let read = records[place].as_ref()?.as_ref().ok()?;
        read.as_ref().map(|(folder, _)| folder.clone())
    };
    let of_spec = |path: &PathBuf| {
        let runs = runs(path, args.min_nodes, known)?;
        let made = overview(path, &runs)?;
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

/// A folder of records, and everything that is written for it.
fn read_and_made(
    path: &Path,
    args: &ReportArgs,
    is_named: bool,
) -> anyhow::Result<Option<(Folder, Vec<Made>)>> {
    let Some(folder) = Folder::read(path, args.min_nodes, is_named)? else { return Ok(None) };
    let files = files(&folder, Some(args.min_nodes).filter(|&nodes| nodes != MIN_NODES))?;
    Ok(Some((folder, files)))
}
