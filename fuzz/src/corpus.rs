//! The files of the corpus: a folder for each target, and in it a file for each input.

use crate::Target;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of a target's inputs.
pub fn folder(target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name)
}

/// The inputs in a folder, each with its file, in the order of their names.
///
/// # Errors
/// When one cannot be read.
pub fn read(folder: &Path) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut paths =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    paths.into_iter().map(|path| fs::read(&path).map(|bytes| (path, bytes))).collect()
}
