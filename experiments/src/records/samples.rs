//! The file of the samples: plain, to which a run adds lines, or sealed by gzip when no run will add any
//! more. Whoever reads samples takes either.

use crate::cli::files::{self, Limited};
use crate::cli::outputs;
use crate::records::line;
use crate::records::texts::Texts;
use flate2::bufread::MultiGzDecoder;
use flate2::{Compression, GzBuilder};
use std::fs::{self, TryLockError};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The file that a run adds lines to.
pub const PLAIN: &str = "samples.jsonl";

/// The same when it is sealed.
pub const SEALED: &str = "samples.jsonl.gz";

/// How much is read at once.
const BUFFER: usize = 1 << 16;

/// The samples of a folder, opened to be read: the bytes of the lines, whichever file they are in.
pub struct Samples {
    reader: BufReader<Limited<Box<dyn Read + Send>>>,
    length: u64,
    is_sealed: bool,
}

impl Samples {
    /// How many bytes the file had when it was opened; of a sealed one those that it has on the disk.
    pub fn file_length(&self) -> u64 {
        self.length
    }

    /// Whether nothing may be added any more.
    pub fn is_sealed(&self) -> bool {
        self.is_sealed
    }
}

impl std::fmt::Debug for Samples {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Samples { length, is_sealed, .. } = self;
        f.debug_struct("Samples")
            .field("length", length)
            .field("is_sealed", is_sealed)
            .finish_non_exhaustive()
    }
}

impl Read for Samples {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

impl BufRead for Samples {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.reader.consume(amount);
    }
}

/// Whether the folder has a file of samples, plain or sealed.
pub fn are_in(folder: &Path) -> bool {
    [PLAIN, SEALED].iter().any(|name| folder.join(name).is_file())
}

/// Opens the samples of a folder, plain or sealed. No more than [`files::SAMPLES`] bytes are read from the
/// file, nor unpacked from it.
///
/// # Errors
/// When there are none, or both files, or one that cannot be read. Reading ends with an error where there is
/// more than allowed, or a sealed file is damaged.
pub fn open(folder: &Path) -> io::Result<Samples> {
    let [plain, sealed] = [PLAIN, SEALED].map(|name| folder.join(name));
    let has = |path: &PathBuf| fs::symlink_metadata(path).is_ok();
    match (has(&plain), has(&sealed)) {
        (true, true) => {
            let words = format!("{SEALED} is there, too; remove one of them, or seal the samples again");
            Err(io::Error::new(io::ErrorKind::InvalidInput, words))
        }
        (false, true) => open_file(&sealed, true),
        _ => open_file(&plain, false),
    }
}

fn open_file(path: &Path, is_sealed: bool) -> io::Result<Samples> {
    let file = files::open(path)?;
    let length = file.metadata()?.len();
    if length > files::SAMPLES {
        return Err(files::too_large(files::SAMPLES));
    }
    let file = Limited::new(file, files::SAMPLES);
    let reader: Box<dyn Read + Send> = if is_sealed {
        // Of several members, since whatever follows the first would else be passed over in silence.
        Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, file)))
    } else {
        Box::new(file)
    };
    let reader = BufReader::with_capacity(BUFFER, Limited::new(reader, files::SAMPLES));
    Ok(Samples { reader, length, is_sealed })
}

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
    check_lines(&plain)?;
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

/// Looks whether every line of a plain file is whole and as it was written.
fn check_lines(plain: &Path) -> io::Result<()> {
    let refuse = |complaint: String| io::Error::new(io::ErrorKind::InvalidData, complaint);
    let samples = open_file(plain, false)?;
    let length = samples.file_length();
    let mut texts = Texts::new(samples);
    let mut number = 0;
    while let Some(text) = texts.next_text().map_err(|error| refuse(format!("expected {error}")))? {
        number += 1;
        line::check(text).map_err(|error| refuse(format!("line {number} of {PLAIN}: {error}")))?;
    }
    if texts.whole_bytes() < length {
        return Err(refuse(format!("{PLAIN} ends within line {}, where a run was killed", number + 1)));
    }
    Ok(())
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
    use std::io::Write;

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
        assert!(open(&scratch.0).unwrap().is_sealed());
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
        let good = line::write(&line::tests::full()).unwrap();
        let changed = good.replace("\"nodes\":34", "\"nodes\":35");
        let bare = good.split(",\"crc32\"").next().unwrap().to_owned() + "}";
        for (text, words) in [
            (format!("{good}\n{changed}\n"), "line 2 of samples.jsonl: its checksum is"),
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

    #[test]
    fn unpacked_bytes_are_counted() {
        let bytes = vec![0_u8; 1_000];
        let mut packed = GzBuilder::new().write(Vec::new(), Compression::best());
        packed.write_all(&bytes).unwrap();
        let packed = packed.finish().unwrap();
        let read =
            |most| io::copy(&mut Limited::new(MultiGzDecoder::new(&packed[..]), most), &mut io::sink());
        assert_eq!(read(1_000).unwrap(), 1_000);
        assert_eq!(read(999).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
