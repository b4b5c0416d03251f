//! The samples of a folder: in a plain file, to which a run adds lines, or sealed when no run will add any
//! more, in an archive; in earlier records by gzip. Whoever reads samples takes any.

use crate::cli::files::{self, Limited};
use crate::records::archive;
use flate2::bufread::MultiGzDecoder;
use std::fs;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file that a run adds lines to.
pub const PLAIN: &str = "samples.jsonl";

/// The same in earlier records that are sealed.
pub const SEALED: &str = "samples.jsonl.gz";

/// How much is read at once.
const BUFFER: usize = 1 << 16;

/// The bytes of the lines, wherever they are.
pub type Samples = BufReader<Limited<Box<dyn Read + Send>>>;

/// Where the samples of a folder are.
#[derive(Debug)]
pub(super) enum Place {
    /// In a file to which lines may be added, which need not be there.
    Plain(PathBuf),
    /// In a file that is sealed.
    Sealed(PathBuf),
    /// In an archive.
    Packed(Arc<[u8]>),
}

/// Whether the folder has samples, of whatever form; also where nobody can tell.
pub fn are_in(folder: &Path) -> bool {
    place_in(folder).map_or(true, |place| !matches!(place, Place::Plain(path) if !path.is_file()))
}

/// Whether the folder has samples that are sealed.
pub fn are_sealed_in(folder: &Path) -> bool {
    matches!(place_in(folder), Ok(Place::Sealed(_) | Place::Packed(_)))
}

/// Where the samples of a folder are. Its own files come before archives.
///
/// # Errors
/// When there are two files, or an archive that cannot be read.
pub(super) fn place_in(folder: &Path) -> io::Result<Place> {
    let [plain, sealed] = [PLAIN, SEALED].map(|name| folder.join(name));
    let has = |path: &PathBuf| fs::symlink_metadata(path).is_ok();
    match (has(&plain), has(&sealed)) {
        (true, true) => {
            let words = format!("{SEALED} is there, too; remove one of them");
            Err(io::Error::new(io::ErrorKind::InvalidInput, words))
        }
        (false, true) => Ok(Place::Sealed(sealed)),
        (true, false) => Ok(Place::Plain(plain)),
        _ => Ok(archive::find(&plain)?.map_or(Place::Plain(plain), Place::Packed)),
    }
}

/// Opens the samples of a folder, of whatever form. No more than [`files::SAMPLES`] bytes are read from the
/// file, nor unpacked from it.
///
/// # Errors
/// When there are none, or two files, or one that cannot be read. Reading ends with an error where there is
/// more than allowed, or a sealed file is damaged.
pub fn open(folder: &Path) -> io::Result<Samples> {
    place_in(folder)?.open()
}

impl Place {
    /// Opens them.
    pub(super) fn open(&self) -> io::Result<Samples> {
        let reader: Box<dyn Read + Send> = match self {
            Place::Plain(path) => Box::new(limited(path)?),
            // Of several members, since whatever follows the first would else be passed over in silence.
            Place::Sealed(path) => {
                Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, limited(path)?)))
            }
            Place::Packed(bytes) => Box::new(Cursor::new(Arc::clone(bytes))),
        };
        Ok(BufReader::with_capacity(BUFFER, Limited::new(reader, files::SAMPLES)))
    }

    /// How many bytes there are; none where nothing may be added to them.
    ///
    /// # Errors
    /// When there are none.
    pub(super) fn length(&self) -> io::Result<Option<u64>> {
        match self {
            Place::Plain(path) => Ok(Some(files::open(path)?.metadata()?.len())),
            Place::Sealed(path) => files::open(path).map(|_| None),
            Place::Packed(_) => Ok(None),
        }
    }
}

fn limited(path: &Path) -> io::Result<Limited<fs::File>> {
    let file = files::open(path)?;
    if file.metadata()?.len() > files::SAMPLES {
        return Err(files::too_large(files::SAMPLES));
    }
    Ok(Limited::new(file, files::SAMPLES))
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
