//! Which folders there are.

use crate::cli::BadInput;
use crate::records::archive;
use crate::records::samples;
use crate::spec::{SPEC, is_of_retired};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folders in `parent` that have samples, by name. Those in its archive need not be there.
pub(super) fn with_samples(parent: &Path) -> Result<Vec<PathBuf>, BadInput> {
    let parts = archive::parts(parent, samples::PLAIN).map_err(|error| refuse(parent, &error))?;
    let mut folders: Vec<_> = entries(parent)?.into_iter().filter(|path| samples::are_in(path)).collect();
    folders.extend(parts);
    folders.sort();
    folders.dedup();
    Ok(folders)
}

/// All folders below `parent` that have samples or the spec of runs, by name, a spec's own after those of its
/// runs. Retired experiments are left out: their pages stay as they are.
pub(super) fn below(parent: &Path) -> Result<Vec<PathBuf>, BadInput> {
    let mut folders = Vec::new();
    // An archive that cannot be read is named where its folder is read.
    let parts = archive::parts(parent, samples::PLAIN).unwrap_or_default();
    let mut inner: Vec<_> = entries(parent)?.into_iter().filter(|path| path.is_dir()).collect();
    inner.extend(parts);
    inner.sort();
    inner.dedup();
    for path in inner {
        let is_spec = path.join(SPEC).is_file();
        if is_spec && is_of_retired(&path.join(SPEC)) {
            continue;
        }
        if path.is_dir() {
            folders.extend(below(&path)?);
        }
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
    let entries = entries.map_err(|error| refuse(parent, &error))?;
    let mut entries: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
    entries.sort();
    Ok(entries)
}

fn refuse(folder: &Path, error: &io::Error) -> BadInput {
    let complaint = format!("expected a folder that can be read ({error})");
    BadInput::new("folder", folder.to_string_lossy(), complaint)
}
