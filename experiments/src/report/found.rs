//! Which folders there are.

use crate::cli::BadInput;
use crate::records::samples;
use crate::spec::{SPEC, is_of_retired};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folders in `parent` that have samples, by name.
pub(super) fn with_samples(parent: &Path) -> Result<Vec<PathBuf>, BadInput> {
    let mut folders = entries(parent)?;
    folders.retain(|path| samples::are_in(path));
    Ok(folders)
}

/// All folders below `parent` that have samples or the spec of runs, by name, a spec's own after those of its
/// runs. Retired experiments are left out: their pages stay as they are.
pub(super) fn below(parent: &Path) -> Result<Vec<PathBuf>, BadInput> {
    let mut folders = Vec::new();
    for path in entries(parent)?.into_iter().filter(|path| path.is_dir()) {
        let is_spec = path.join(SPEC).is_file();
        if is_spec && is_of_retired(&path.join(SPEC)) {
            continue;
        }
        folders.extend(below(&path)?);
        if is_spec || samples::are_in(&path) {
            folders.push(path);
        }
    }
    Ok(folders)
}

/// The folders, those of the runs of specs before the specs' own.
pub(super) fn with_runs(named: &[PathBuf]) -> Result<Vec<PathBuf>, BadInput> {
    let mut folders = Vec::new();
    for path in named {
        if path.join(SPEC).is_file() {
            folders.extend(with_samples(path)?);
        }
        folders.push(path.clone());
    }
    Ok(folders)
}

/// What is in `parent`, by name.
fn entries(parent: &Path) -> Result<Vec<PathBuf>, BadInput> {
    let entries = fs::read_dir(parent).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
    let entries = entries.map_err(|error| {
        let complaint = format!("expected a folder that can be read ({error})");
        BadInput::new("folder", parent.to_string_lossy(), complaint)
    })?;
    let mut entries: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
    entries.sort();
    Ok(entries)
}
