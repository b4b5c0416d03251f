//! A file that is written beside its place and put there when it is whole.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A file beside its place, `.NAME.starsplit-PROCESS-NUMBER.part`, removed when this is dropped. It is
/// locked, so that others can tell what a killed process has left.
pub(super) struct Part {
    place: PathBuf,
    path: PathBuf,
    pub(super) file: BufWriter<File>,
}

impl Part {
    /// A new file that is to be at `path`; where a link is, at the place that it leads to.
    pub(super) fn create(path: &Path) -> io::Result<Part> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let is_other = fs::metadata(&place).is_ok_and(|found| !found.is_file());
        let Some(name) = place.file_name().filter(|_| !is_other) else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
        };
        loop {
            let mut part = OsString::from(".");
            part.push(name);
            // Relaxed: only the numbers have to differ.
            let number = NEXT.fetch_add(1, Relaxed);
            part.push(format!(".starsplit-{}-{number}.part", std::process::id()));
            let path = place.with_file_name(part);
            match File::create_new(&path) {
                Ok(file) => {
                    // Where there are no locks, nobody clears away. Where there are, somebody may have been
                    // quicker.
                    let _ = file.lock();
                    if path.exists() {
                        return Ok(Part { place, path, file: BufWriter::new(file) });
                    }
                }
                // A process of that number has left it, or has it, on another machine.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Puts it in its place, instead of what is there.
    pub(super) fn replace(self) -> io::Result<()> {
        self.sync()?;
        fs::rename(&self.path, &self.place)
    }

    /// Puts it in its place unless something is there.
    pub(super) fn place_new(self) -> io::Result<()> {
        self.sync()?;
        match fs::hard_link(&self.path, &self.place) {
            Ok(()) => Ok(()),
            Err(_) if self.place.exists() => Ok(()),
            // Where there are no hard links, two processes that begin at once may end with a table each.
            Err(_) => fs::rename(&self.path, &self.place),
        }
    }

    fn sync(&self) -> io::Result<()> {
        self.file.get_ref().sync_all()
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // Not there any more where it was renamed; only takes room where it cannot be removed.
        let _ = fs::remove_file(&self.path);
    }
}
