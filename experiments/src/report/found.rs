//! Which folders there are.

use crate::cli::BadInput;
use crate::records::samples;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folders in `parent` that have samples, by name.
pub(super) fn with_samples(parent: &Path) -> Result<Vec<PathBuf>, BadInput> {
    let mut folders = entries(parent)?;
    folders.retain(|path| samples::are_in(path));
    folders.sort();
    Ok(folders)
}

/// What is in `parent`.
pub(super) fn entries(parent: &Path) -> Result<Vec<PathBuf>, BadInput> {
    let entries = fs::read_dir(parent).and_then(|entries| entries.collect::<io::Result<Vec<_>>>());
    let entries = entries.map_err(|error| {
        let complaint = format!("expected a folder that can be read ({error})");
        BadInput::new("folder", parent.to_string_lossy(), complaint)
    })?;
    Ok(entries.iter().map(fs::DirEntry::path).collect())
}
