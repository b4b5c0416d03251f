//! Folders for a test alone.

use std::fs;
use std::path::Path;
use tempfile::{TempDir, tempdir};

/// A new empty folder, removed with all that is in it when this is dropped.
pub struct Scratch(TempDir);

impl Scratch {
    pub fn new() -> Self {
        Scratch(tempdir().expect("a temporary folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// A file in the folder.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path().join(name);
        fs::write(&path, contents).expect("a temporary file");
        path.into_os_string().into_string().expect("a folder whose name is text")
    }
}
