//! Files that a binary writes where it was told to: whole or not at all, and never over what others have
//! made.
//!
//! A file is written beside its place, under the name `.NAME.starsplit-PROCESS-NUMBER.part`, and renamed when
//! it is whole. Its writer keeps it locked, so that others can tell what a killed process has left: whoever
//! writes to the same place next clears that away.

use crate::cli::BadInput;
use crate::cli::files;
use anyhow::{Context, Result};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Refuses, before hours of work, a place to which nothing could be written after it, or where something is
/// that the program has not made itself: `is_own` knows by its content what `maker` has made. What is there
/// stays as it is.
///
/// # Errors
/// "`thing` `path`: expected ...".
pub fn check(
    thing: &str,
    path: &Path,
    maker: &str,
    is_own: impl FnOnce(&Path) -> bool,
) -> Result<(), BadInput> {
    check_own(thing, path, maker, is_own)?;
    let part = create_part(&place(path)).map_err(|error| {
        let complaint = format!("expected a file in a folder that can be written to ({error})");
        BadInput::new(thing, path.to_string_lossy(), complaint)
    })?;
    part.remove();
    Ok(())
}

/// As [`check`], of a place in a folder that may be missing yet.
///
/// # Errors
/// As [`check`].
pub fn check_own(
    thing: &str,
    path: &Path,
    maker: &str,
    is_own: impl FnOnce(&Path) -> bool,
) -> Result<(), BadInput> {
    let refuse = |complaint: String| Err(BadInput::new(thing, path.to_string_lossy(), complaint));
    if path.file_name().is_none() {
        return refuse("expected the name of a file".to_owned());
    }
    match files::is_regular(path) {
        Ok(()) if is_own(path) => Ok(()),
        Ok(()) => refuse(format!("expected none, or one that {maker} has made; remove it or name another")),
        // A link that leads nowhere is there all the same.
        Err(_) if fs::symlink_metadata(path).is_err() => Ok(()),
        Err(error) => refuse(format!("expected the name of a file ({error})")),
    }
}

/// Replaces the file at `path` by one with `bytes`; a reader sees the old file or the new one, never a part.
///
/// # Errors
/// When it cannot be written, by name.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    write_piecewise(path, |file| file.write_all(bytes))
}

/// As [`write_whole`], with what `write` writes.
///
/// # Errors
/// As [`write_whole`].
pub fn write_piecewise(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<()> {
    replace(path, write).with_context(|| format!("cannot write {}", path.display()))
}

/// As [`write_piecewise`], with an error that does not name the file.
pub(crate) fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let place = place(path);
    let mut part = create_part(&place)?;
    let written = write(&mut part.file).and_then(|()| part.file.flush());
    let written = written.and_then(|()| part.file.get_ref().sync_all());
    // Renamed before it is closed: as long as it is open, nobody clears it away.
    let renamed = written.and_then(|()| fs::rename(&part.path, &place));
    renamed.inspect_err(|_| part.remove())
}

/// Clears away what killed processes have left of files that were to be at `path`.
pub(crate) fn clear(path: &Path) {
    let place = place(path);
    let Some(prefix) = prefix(&place) else { return };
    let Ok(entries) = fs::read_dir(parent(&place)) else { return };
    for entry in entries.flatten().filter(|entry| is_part(&entry.file_name(), &prefix)) {
        // Where the file system has no locks, nothing is known of the writer.
        if files::open(&entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A file that is being written.
struct Part {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Part {
    /// Only takes room when it cannot be removed.
    fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// A new file beside `place`, after those that killed processes have left were cleared away.
fn create_part(place: &Path) -> io::Result<Part> {
    /// No process uses a name twice: what another has looked at under it might have come to its end since.
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let prefix = prefix(place).ok_or(io::ErrorKind::InvalidInput)?;
    clear(place);
    loop {
        // Relaxed: only the numbers have to differ.
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut name = prefix.clone();
        name.push(format!("{}-{number}{END}", std::process::id()));
        let path = parent(place).join(name);
        match File::create_new(&path) {
            Ok(file) => {
                // Where there are no locks, nobody clears away. Where there are, somebody may have been
                // quicker.
                let _ = file.lock();
                if path.exists() {
                    return Ok(Part { path, file: BufWriter::new(file) });
                }
            }
            // A process of that number has left it, or has it, on another machine.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// How the names of unfinished files end.
const END: &str = ".part";

/// How the names of unfinished files begin that are to be at `place`.
fn prefix(place: &Path) -> Option<OsString> {
    let mut prefix = OsString::from(".");
    prefix.push(place.file_name()?);
    prefix.push(".starsplit-");
    Some(prefix)
}

fn is_part(name: &std::ffi::OsStr, prefix: &std::ffi::OsStr) -> bool {
    let numbers = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
    let numbers = numbers.and_then(|rest| rest.strip_suffix(END.as_bytes()));
    numbers.is_some_and(|numbers| numbers.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-'))
}

/// Where a file really is: a link to it stays a link.
fn place(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The folder, since renaming works within a file system only.
fn parent(place: &Path) -> &Path {
    match place.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::{TempDir, tempdir};

    fn names_in(folder: &TempDir) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_a_killed_process_left_is_cleared_and_nothing_else() {
        let scratch = tempdir().unwrap();
        let kept = [".x.starsplit-a.part", ".x.starsplit-1-0.parts", ".y.starsplit-1-0.part", "x.1-0.part"];
        for name in kept.iter().chain(&[".x.starsplit-1-0.part", ".x.starsplit-77-12.part"]) {
            fs::write(scratch.path().join(name), "part").unwrap();
        }
        write_whole(&scratch.path().join("x"), b"whole").unwrap();
        let mut expected: Vec<_> = kept.iter().map(|&name| name.to_owned()).chain(["x".to_owned()]).collect();
        expected.sort();
        assert_eq!(names_in(&scratch), expected);
    }

    #[test]
    fn what_is_being_written_is_left_to_its_writer() {
        let scratch = tempdir().unwrap();
        let file = scratch.path().join("x");
        replace(&file, |outer| {
            outer.write_all(b"outer")?;
            replace(&file, |inner| inner.write_all(b"inner"))?;
            check("file", &file, "the test", |_| true).unwrap();
            assert_eq!(fs::read(&file)?, b"inner");
            Ok(())
        })
        .unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"outer");
        assert_eq!(names_in(&scratch), ["x"]);
    }

    #[test]
    fn a_file_that_cannot_be_written_leaves_the_old_one_and_no_part() {
        let scratch = tempdir().unwrap();
        let file = scratch.path().join("x");
        write_whole(&file, b"old").unwrap();
        let error = replace(&file, |_| Err(io::ErrorKind::StorageFull.into())).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!((fs::read(&file).unwrap(), names_in(&scratch)), (b"old".to_vec(), vec!["x".to_owned()]));
    }

    #[test]
    fn only_what_is_ones_own_is_replaced() {
        let scratch = tempdir().unwrap();
        let file = scratch.path().join("x");
        let check = |bytes: &[u8]| {
            check("--out", &file, "the test", |path| fs::read(path).is_ok_and(|found| found == bytes))
        };
        check(b"mine").unwrap();
        fs::write(&file, "mine").unwrap();
        check(b"mine").unwrap();
        let complaint = check(b"other").unwrap_err().to_string();
        assert!(
            complaint.ends_with("x: expected none, or one that the test has made; remove it or name another")
        );
        assert_eq!((fs::read(&file).unwrap(), names_in(&scratch)), (b"mine".to_vec(), vec!["x".to_owned()]));
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_lead_somewhere() {
        let scratch = tempdir().unwrap();
        let [file, link, dangling] = ["x", "link", "dangling"].map(|name| scratch.path().join(name));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        std::os::unix::fs::symlink("nothing", &dangling).unwrap();
        write_whole(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        let complaint = check("--out", &dangling, "the test", |_| true).unwrap_err().to_string();
        assert!(complaint.contains("expected the name of a file ("), "{complaint}");
    }
}
