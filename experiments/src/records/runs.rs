//! The runs in a folder that is none itself, for whoever was given it in the place of one.

use crate::records::archive;
use crate::records::samples::{self, PLAIN};
use std::fs;
use std::path::{Path, PathBuf};

/// How many are named.
const NAMED: usize = 8;

/// How many folders below each other are looked into.
const DEEP: usize = 3;

/// What to add to a complaint of a folder: which runs it has; nothing where it has none.
pub(crate) fn told(folder: &Path) -> String {
    let runs = below(folder, DEEP);
    let name = |run: &PathBuf| run.strip_prefix(folder).unwrap_or(run).to_string_lossy().into_owned();
    let mut names: Vec<_> = runs.iter().take(NAMED).map(name).collect();
    match runs.len() - names.len() {
        0 if names.is_empty() => return String::new(),
        0 => {}
        more => names.push(format!("{more} more")),
    }
    format!("; it has the runs {}: name one, such as {}", names.join(", "), runs[0].display())
}

/// The folders with samples below one, by name, those of its archive among them.
fn below(folder: &Path, deep: usize) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut inner: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    // An archive that cannot be read is named where it is.
    inner.extend(archive::parts(folder, PLAIN).unwrap_or_default());
    inner.sort();
    inner.dedup();
    let runs = inner.into_iter().flat_map(|path| match samples::are_in(&path) {
        true => vec![path],
        false if deep > 1 => below(&path, deep - 1),
        false => Vec::new(),
    });
    runs.collect()
}
