//! The samples of a folder: in a plain file, to which a run adds lines, or sealed when no run will add any
//! more, in an archive. Whoever reads samples takes either.

use crate::cli::files::{self, Limited};
use crate::records::archive;
use std::fs;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The file that a run adds lines to.
pub const PLAIN: &str = "samples.jsonl";

/// How much is read at once.
const BUFFER: usize = 1 << 16;

/// The bytes of the lines, wherever they are.
pub type Samples = BufReader<Limited<Box<dyn Read + Send>>>;

/// Where the samples of a folder are.
#[derive(Debug)]
pub(super) enum Place {
    /// In a file to which lines may be added, which need not be there.
    Plain(PathBuf),
    /// In an archive.
    Packed(Arc<[u8]>),
}

/// Whether the folder has samples, of whatever form; also where nobody can tell.
pub fn are_in(folder: &Path) -> bool {
    place_in(folder).map_or(true, |place| !matches!(place, Place::Plain(path) if !path.is_file()))
}

/// Whether the folder has samples that are sealed.
pub fn are_sealed_in(folder: &Path) -> bool {
    matches!(place_in(folder), Ok(Place::Packed(_)))
}

/// Where the samples of a folder are. Its own file comes before archives.
///
/// # Errors
/// When there is an archive that cannot be read.
pub(super) fn place_in(folder: &Path) -> io::Result<Place> {
    let plain = folder.join(PLAIN);
    let packed = if fs::symlink_metadata(&plain).is_ok() { None } else { archive::find(&plain)? };
    Ok(packed.map_or(Place::Plain(plain), Place::Packed))
}

/// Opens the samples of a folder, of whatever form. No more than [`files::SAMPLES`] bytes are read from the
/// file, nor unpacked from it.
///
/// # Errors
/// When there are none, or a file that cannot be read. Reading ends with an error where there is more than
/// allowed.
pub fn open(folder: &Path) -> io::Result<Samples> {
    place_in(folder)?.open()
}

impl Place {
    /// Opens them.
    pub(super) fn open(&self) -> io::Result<Samples> {
        let reader: Box<dyn Read + Send> = match self {
            Place::Plain(path) => Box::new(limited(path)?),
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
