//! Sealing the samples of a folder to which no run will add any more.

use crate::cli::files;
use crate::cli::outputs;
use crate::records::line;
use crate::records::samples::{PLAIN, SEALED, Samples, open, open_file};
use crate::records::texts::Texts;
use flate2::{Compression, GzBuilder};
use std::fs::{self, TryLockError};
use std::io::{self, BufRead};
use std::path::Path;

/// Seals the samples of a folder: looks whether all lines are as they were written, packs them by gzip, looks
/// whether what is unpacked is what was packed, and removes the plain file. The same samples give the same
/// bytes, since neither a name nor an hour is kept. Whether anything was left to seal.
///
/// # Errors
/// When a run is adding lines, a line is damaged or only half there, a sealed file of other samples is there
/// already, or the folder cannot be read or written to. The files are as they were then.
pub fn seal(folder: &Path) -> io::Result<bool> {
    let [plain, sealed] = [PLAIN, SEALED].map(|name| folder.join(name));
    if !plain.exists() && sealed.is_file() {
        return Ok(false);
    }
    let lock = files::open(&plain)?;
    if let Err(TryLockError::WouldBlock) = lock.try_lock() {
        return Err(io::Error::new(io::ErrorKind::WouldBlock, format!("a run is writing to {PLAIN}")));
    }
    check_lines(open_file(&plain, false)?)?;
    // A killed sealing leaves both files, with the same samples.
    if fs::symlink_metadata(&sealed).is_err() {
        outputs::replace(&sealed, |out| {
            let mut packed = GzBuilder::new().mtime(0).write(out, Compression::best());
            io::copy(&mut open_file(&plain, false)?, &mut packed)?;
            packed.finish().map(drop)
        })?;
    }
    if !are_equal(open_file(&plain, false)?, open_file(&sealed, true)?)? {
        return Err(io::Error::other(format!("{SEALED} is there and does not hold what {PLAIN} does")));
    }
    fs::remove_file(&plain)?;
    Ok(true)
}

/// Looks whether the samples of a folder, plain or sealed, have a line, and every line is whole and as it was
/// written.
///
/// # Errors
/// When they have none, or one that is not, or cannot be read.
pub(crate) fn check(folder: &Path) -> io::Result<()> {
    match check_lines(open(folder)?)? {
        0 => Err(refused(format!("{PLAIN} is empty"))),
        _ => Ok(()),
    }
}

/// Looks whether every line is whole and as it was written. How many there are.
fn check_lines(samples: Samples) -> io::Result<usize> {
    let mut texts = Texts::new(samples);
    let mut number = 0;
    while let Some(text) = texts.next_text().map_err(|error| refused(format!("expected {error}")))? {
        number += 1;
        line::check(text, number).map_err(|error| refused(format!("line {number} of {PLAIN}: {error}")))?;
    }
    if texts.has_half() {
        return Err(refused(format!("{PLAIN} ends within line {}, where a run was killed", number + 1)));
    }
    Ok(number)
}

fn refused(complaint: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, complaint)
}

fn are_equal(mut one: impl BufRead, mut other: impl BufRead) -> io::Result<bool> {
    loop {
        let (own, theirs) = (one.fill_buf()?, other.fill_buf()?);
        let length = own.len().min(theirs.len());
        if own[..length] != theirs[..length] {
            return Ok(false);
        }
        if length == 0 {
            return Ok(own.is_empty() && theirs.is_empty());
        }
        one.consume(length);
        other.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::samples::{are_in, file_in};
    use std::io::Write;
    use std::path::PathBuf;

    /// A folder of its own for a test, removed afterwards.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("starsplit-samples-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir_all(&path).unwrap();
            Scratch(path)
        }

        fn text(&self) -> io::Result<String> {
            io::read_to_string(open(&self.0)?)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn sealed_samples_are_read_as_they_were() {
        let scratch = Scratch::new("seal");
        let text: String = (0..50_000_u64).map(|n| format!("{{\"n\":{}}}\n", n * n)).collect();
        let pack = |scratch: &Scratch| {
            fs::write(scratch.0.join(PLAIN), &text).unwrap();
            assert!(are_in(&scratch.0) && scratch.text().unwrap() == text);
            assert!(seal(&scratch.0).unwrap() && !scratch.0.join(PLAIN).exists());
            fs::read(scratch.0.join(SEALED)).unwrap()
        };
        let packed = pack(&scratch);
        assert!(packed.len() < text.len() / 3 && are_in(&scratch.0));
        assert_eq!(scratch.text().unwrap(), text);
        assert!(file_in(&scratch.0).unwrap().1);
        assert!(!seal(&scratch.0).unwrap(), "nothing is left to seal");
        // No flags, so no name; no hour.
        assert_eq!(packed[..8], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
        let other = Scratch::new("again");
        assert!(pack(&other) == packed, "the same samples give the same bytes");
    }

    #[test]
    fn damaged_or_doubled_samples_are_refused() {
        let scratch = Scratch::new("damaged");
        fs::write(scratch.0.join(PLAIN), "{\"n\":1}\n".repeat(1_000)).unwrap();
        seal(&scratch.0).unwrap();
        let sealed = scratch.0.join(SEALED);
        let packed = fs::read(&sealed).unwrap();
        for bad in [packed[..packed.len() - 1].to_vec(), [&packed[..], b"more"].concat()] {
            fs::write(&sealed, bad).unwrap();
            assert!(scratch.text().is_err());
        }
        fs::write(scratch.0.join(PLAIN), "").unwrap();
        assert!(scratch.text().unwrap_err().to_string().contains("is there, too"));
        let none = Scratch::new("none");
        assert_eq!(none.text().unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn what_is_being_written_is_not_sealed() {
        let scratch = Scratch::new("busy");
        let mut file = fs::File::create(scratch.0.join(PLAIN)).unwrap();
        file.write_all(b"{}\n").unwrap();
        file.lock().unwrap();
        assert_eq!(seal(&scratch.0).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        drop(file);
        assert!(seal(&scratch.0).unwrap());
    }

    #[test]
    fn other_samples_that_are_sealed_are_not_replaced() {
        let scratch = Scratch::new("other");
        let [plain, sealed] = [PLAIN, SEALED].map(|name| scratch.0.join(name));
        fs::write(&plain, "{\"n\":1}\n").unwrap();
        seal(&scratch.0).unwrap();
        let packed = fs::read(&sealed).unwrap();
        fs::write(&plain, "{\"n\":2}\n").unwrap();
        let complaint = seal(&scratch.0).unwrap_err().to_string();
        assert_eq!(complaint, "samples.jsonl.gz is there and does not hold what samples.jsonl does");
        assert!(fs::read(&sealed).unwrap() == packed && plain.exists());
        fs::write(&plain, "{\"n\":1}\n").unwrap();
        assert!(seal(&scratch.0).unwrap() && !plain.exists(), "the same samples are removed");
        assert!(fs::read(&sealed).unwrap() == packed);
    }

    #[test]
    fn lines_that_are_not_as_they_were_written_are_not_sealed() {
        let scratch = Scratch::new("lines");
        let good = line::write(&line::tests::full(), 1).unwrap();
        let changed = good.replace("\"nodes\":34", "\"nodes\":35");
        let bare = good.split(",\"crc32\"").next().unwrap().to_owned() + "}";
        let second = line::write(&line::tests::full(), 2).unwrap();
        let third = line::write(&line::tests::full(), 3).unwrap();
        for (text, words) in [
            (format!("{good}\n{changed}\n"), "line 2 of samples.jsonl: its checksum is"),
            (format!("{good}\n{third}\n"), "line 2 of samples.jsonl: it was written as line 3"),
            (format!("{second}\n"), "line 1 of samples.jsonl: it was written as line 2"),
            (format!("{bare}\n"), "line 1 of samples.jsonl: expected a checksum"),
            (format!("{good}\nx\n"), "line 2 of samples.jsonl: expected value"),
            (format!("{good}\n{}", &good[..20]), "samples.jsonl ends within line 2"),
            (format!("{good}\n{good}"), "samples.jsonl ends within line 2"),
            (format!("{good}\n{good} "), "expected a line feed after the last line"),
        ] {
            fs::write(scratch.0.join(PLAIN), &text).unwrap();
            let complaint = seal(&scratch.0).unwrap_err().to_string();
            assert!(complaint.starts_with(words), "{words} in {complaint}");
            assert!(scratch.text().unwrap() == text && !scratch.0.join(SEALED).exists());
        }
        fs::write(scratch.0.join(PLAIN), good + "\n").unwrap();
        assert!(seal(&scratch.0).unwrap());
    }
}
