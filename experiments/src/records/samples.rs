//! The file of the samples: plain, to which a run adds lines, or sealed by gzip when no run will add any
//! more. Whoever reads samples takes either.

use crate::cli::files::{self, Limited};
use flate2::bufread::MultiGzDecoder;
use std::fs;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// The file that a run adds lines to.
pub const PLAIN: &str = "samples.jsonl";

/// The same when it is sealed.
pub const SEALED: &str = "samples.jsonl.gz";

/// How much is read at once.
const BUFFER: usize = 1 << 16;

/// The bytes of the lines, whichever file they are in.
pub type Samples = BufReader<Limited<Box<dyn Read + Send>>>;

/// Whether the folder has a file of samples, plain or sealed.
pub fn are_in(folder: &Path) -> bool {
    [PLAIN, SEALED].iter().any(|name| folder.join(name).is_file())
}

/// The file of a folder's samples, and whether it is sealed; the plain one where there is none.
///
/// # Errors
/// When there are both.
pub(super) fn file_in(folder: &Path) -> io::Result<(PathBuf, bool)> {
    let [plain, sealed] = [PLAIN, SEALED].map(|name| folder.join(name));
    let has = |path: &PathBuf| fs::symlink_metadata(path).is_ok();
    match (has(&plain), has(&sealed)) {
        (true, true) => {
            let words = format!("{SEALED} is there, too; remove one of them, or seal the samples again");
            Err(io::Error::new(io::ErrorKind::InvalidInput, words))
        }
        (false, true) => Ok((sealed, true)),
        _ => Ok((plain, false)),
    }
}

/// Opens the samples of a folder, plain or sealed. No more than [`files::SAMPLES`] bytes are read from the
/// file, nor unpacked from it.
///
/// # Errors
/// When there are none, or both files, or one that cannot be read. Reading ends with an error where there is
/// more than allowed, or a sealed file is damaged.
pub fn open(folder: &Path) -> io::Result<Samples> {
    let (path, is_sealed) = file_in(folder)?;
    open_file(&path, is_sealed)
}

/// Opens a file of samples, whose name does not have to tell whether it `is_sealed`.
pub(super) fn open_file(path: &Path, is_sealed: bool) -> io::Result<Samples> {
    let file = files::open(path)?;
    if file.metadata()?.len() > files::SAMPLES {
        return Err(files::too_large(files::SAMPLES));
    }
    let file = Limited::new(file, files::SAMPLES);
    let reader: Box<dyn Read + Send> = if is_sealed {
        // Of several members, since whatever follows the first would else be passed over in silence.
        Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, file)))
    } else {
        Box::new(file)
    };
    Ok(BufReader::with_capacity(BUFFER, Limited::new(reader, files::SAMPLES)))
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
