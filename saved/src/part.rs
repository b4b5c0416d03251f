//! A file that is written under another name and renamed when complete.

use crate::lock::lock;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A file beside its place, `.NAME.starsplit-PROCESS-NUMBER.part`, removed on drop. It is locked, which tells
/// it from one that a killed process left.
pub(crate) struct Part {
    place: PathBuf,
    path: PathBuf,
    pub(crate) file: BufWriter<File>,
}

impl Part {
    /// A new file that will move to `path`, or to the target of a link there.
    pub(crate) fn create(path: &Path) -> io::Result<Part> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let is_other = fs::metadata(&place).is_ok_and(|found| !found.is_file());
        let Some(name) = place.file_name().filter(|_| !is_other) else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        };
        loop {
            let mut part = OsString::from(".");
            part.push(name);
            // Relaxed: the numbers only have to differ.
            let number = NEXT.fetch_add(1, Relaxed);
            part.push(format!(".starsplit-{}-{number}.part", std::process::id()));
            let path = place.with_file_name(part);
            match File::create_new(&path) {
                Ok(file) => {
                    // Without file locks nothing is ever cleaned up. With them, a clean-up may have removed
                    // the file just before it was locked.
                    let _ = lock(&file);
                    if path.exists() {
                        return Ok(Part { place, path, file: BufWriter::new(file) });
                    }
                }
                // Left by a process with the same id, or in use by one on another machine.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Moves the file to its place, over an older one.
    pub(crate) fn replace(self) -> io::Result<()> {
        self.sync()?;
        fs::rename(&self.path, &self.place)
    }

    /// Moves the file to its place, unless one is there.
    pub(crate) fn place_new(self) -> io::Result<()> {
        self.sync()?;
        match fs::hard_link(&self.path, &self.place) {
            Ok(()) => Ok(()),
            Err(_) if self.place.exists() => Ok(()),
            // Without hard links, two processes that start at once may end up with a table each.
            Err(_) => fs::rename(&self.path, &self.place),
        }
    }

    fn sync(&self) -> io::Result<()> {
        self.file.get_ref().sync_all()
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // Fails after a rename, as it should. Otherwise a file that stays only takes disk space.
        let _ = fs::remove_file(&self.path);
    }
}
