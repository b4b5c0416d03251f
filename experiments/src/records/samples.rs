//! The file of the samples: plain, to which a run adds lines, or sealed by gzip when no run will add any
//! more. Whoever reads samples takes either.

use crate::cli::files::{self, Limited};
use flate2::bufread::MultiGzDecoder;
use std::fs;
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

/// Opens a file of samples, whose name does not have to tell whether it `is_sealed`.
pub(super) fn open_file(path: &Path, is_sealed: bool) -> io::Result<Samples> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};
    use std::io::Write;

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
