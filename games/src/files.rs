//! Files whose paths come from outside: only regular ones are opened, which never blocks, and only so much of
//! them is read.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of what people or small programs write: specs, suites, costs, recorded figures,
/// `meta.json`.
pub const TEXT: u64 = 16 << 20;

/// The most bytes of weights, and of the training run that makes them.
pub const WEIGHTS: u64 = 64 << 20;

/// The most bytes of a page.
pub const PAGE: u64 = 256 << 20;

/// The most bytes of samples. The longest records so far are a thirtieth of it.
pub const SAMPLES: u64 = 4 << 30;

/// The bytes of a regular file, of which there may be so many.
///
/// # Errors
/// When it cannot be read, is something else, a folder or a device for instance, or larger. The error says
/// which.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    if length <= most {
        let length = usize::try_from(length).map_err(io::Error::other)?;
        bytes.try_reserve_exact(length).map_err(io::Error::other)?;
        // One more than allowed, because it may grow while it is read, and some files do not tell their
        // length.
        file.take(most + 1).read_to_end(&mut bytes)?;
    }
    if length.max(bytes.len() as u64) > most {
        return Err(too_large(most));
    }
    Ok(bytes)
}

/// As [`read`], a text.
///
/// # Errors
/// As [`read`], and when it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    String::from_utf8(read(path, most)?)
        .map_err(|error| refused(io::ErrorKind::InvalidData, format!("no text: {}", error.utf8_error())))
}

/// The first bytes of a regular file, at most so many, however large it is.
///
/// # Errors
/// When it cannot be read, or is something else.
pub fn read_head(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A regular file, opened to be read.
///
/// # Errors
/// When it cannot be opened, or is something else.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(OpenOptions::new().read(true), path)
}

/// A regular file, opened as `options` say.
///
/// # Errors
/// When it cannot be opened, or something else is there.
pub fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // To open a device may do something already. What counts is the second look: another file may come
    // between.
    if let Ok(found) = fs::metadata(path) {
        check(&found)?;
    }
    // A FIFO blocks whoever opens it until somebody else does. Reading and writing regular files does not
    // change.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

/// Whether a regular file is at `path`, or a link to one.
///
/// # Errors
/// When something else is there, or nothing.
pub fn is_regular(path: &Path) -> io::Result<()> {
    check(&fs::metadata(path)?)
}

fn check(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        return Ok(());
    }
    Err(refused(io::ErrorKind::InvalidInput, format!("{}, not a regular file", kind(found))))
}

fn kind(found: &Metadata) -> &'static str {
    if found.is_dir() { "a folder" } else { special(found) }
}

#[cfg(unix)]
fn special(found: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = found.file_type();
    if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn special(_: &Metadata) -> &'static str {
    "something special"
}

/// What is said of a file of more than `most` bytes.
pub fn too_large(most: u64) -> io::Error {
    refused(io::ErrorKind::FileTooLarge, format!("more than {} MiB", most >> 20))
}

/// A reader that ends with an error where another has more than so many bytes, which may come out of a file
/// that is much smaller.
#[derive(Debug)]
pub struct Limited<R> {
    inner: R,
    most: u64,
    left: u64,
}

impl<R> Limited<R> {
    /// Reads from `inner`, at most so many bytes.
    pub fn new(inner: R, most: u64) -> Self {
        Limited { inner, most, left: most }
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| too_large(self.most))?;
        Ok(count)
    }
}

fn refused(kind: io::ErrorKind, words: String) -> io::Error {
    io::Error::new(kind, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use tempfile::NamedTempFile;

    fn file_of(bytes: &[u8]) -> NamedTempFile {
        let mut file = NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file
    }

    #[test]
    fn a_file_may_be_as_large_as_its_limit_and_no_larger() {
        let file = file_of(b"12345");
        assert_eq!(read(file.path(), 5).unwrap(), b"12345");
        assert_eq!(read(file.path(), 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(read_head(file.path(), 4).unwrap(), b"1234");
    }

    #[test]
    fn what_is_no_text_is_said_to_be_none() {
        let file = file_of(b"1\xff");
        let error = read_text(file.path(), TEXT).unwrap_err();
        assert!(error.kind() == io::ErrorKind::InvalidData && error.to_string().starts_with("no text: "));
    }

    #[cfg(unix)]
    #[test]
    fn only_regular_files_and_links_to_them_are_opened() {
        let file = file_of(b"12");
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(file.path(), &link).unwrap();
        assert_eq!(read(&link, 2).unwrap(), b"12");
        for (path, words) in [("/dev/zero", "a device, not a regular file"), ("/", "a folder, not")] {
            assert!(open(path.as_ref()).unwrap_err().to_string().starts_with(words), "{path}");
        }
        assert_eq!(open("no/such/file".as_ref()).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    /// Files of the system tell a length of 0, whatever is in them.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_that_does_not_tell_its_length_has_the_same_limit() {
        let path = Path::new("/proc/self/status");
        assert!(!read(path, TEXT).unwrap().is_empty());
        assert_eq!(read(path, 10).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
