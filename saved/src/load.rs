//! Loading a table from a file.

use crate::blocks::{copy_in, is_sound, read_blocks};
use crate::header::{HEADER, Header, MAGIC, MARKS_AT};
use crate::marks;
use crate::{Loaded, SavedTableError, TableIdentity, failed};
use starsplit::table::LocklessTable;
use starsplit::unstable::RawTable;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// The action that an error names.
pub(crate) const READ: &str = "read";

/// The table of the file, in memory of its own.
pub(crate) fn load(
    path: &Path,
    identity: &TableIdentity,
) -> Result<(LocklessTable, Loaded), SavedTableError> {
    let mut file = open(OpenOptions::new().read(true), path).map_err(failed(path, READ))?;
    let (header, (is_closed, generation)) = read_header(&mut file, path, identity)?;
    let table = LocklessTable::with_buckets(header.buckets)?;
    table.set_generation(generation);
    let damaged = fill(&table, &mut file, &header, is_closed).map_err(failed(path, READ))?;
    let impossible = if is_closed { 0 } else { table.clear_impossible(identity.salts.limit) };
    let loaded = Loaded { blocks: header.blocks(), damaged, impossible, is_checked: is_closed };
    Ok((table, loaded))
}

/// The header, checked for this identity and the file's length, and the marks: whether the table was closed,
/// and its generation.
pub(crate) fn read_header(
    file: &mut File,
    path: &Path,
    identity: &TableIdentity,
) -> Result<(Header, (bool, u8)), SavedTableError> {
    let mut bytes = Vec::with_capacity(HEADER);
    file.take(HEADER as u64).read_to_end(&mut bytes).map_err(failed(path, READ))?;
    let header = Header::decode(&bytes, path)?;
    header.check(identity, path)?;
    let (expected, found) = (header.file_bytes(), file.metadata().map_err(failed(path, READ))?.len());
    let marks = bytes.get(MARKS_AT..).and_then(<[u8]>::first_chunk);
    match marks {
        Some(marks) if expected == found => Ok((header, marks::of_bytes(marks))),
        _ => Err(SavedTableError::Length { path: path.to_owned(), expected, found }),
    }
}

/// The checksums of all blocks.
pub(crate) fn read_checksums(file: &mut File, header: &Header) -> io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(header.checksums_at()))?;
    let mut checksums = Vec::new();
    file.take(8 * header.blocks()).read_to_end(&mut checksums)?;
    Ok(checksums)
}

/// Fills an empty table. Skips and counts damaged blocks, where the checksums are valid.
fn fill(table: &LocklessTable, file: &mut File, header: &Header, is_checked: bool) -> io::Result<u64> {
    let checksums = read_checksums(file, header)?;
    let mut damaged = 0;
    read_blocks(file, header, |number, bytes| match !is_checked || is_sound(&checksums, number, bytes) {
        true => copy_in(table, number, bytes),
        false => damaged += 1,
    })?;
    Ok(damaged)
}

/// Opens a regular file. Others, such as pipes, may block or never end.
pub(crate) fn open(options: &OpenOptions, path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() {
        options.open(path)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}

/// Whether a file begins as saved tables do.
pub(crate) fn is_saved(path: &Path) -> bool {
    let mut magic = [0; MAGIC.len()];
    let found = open(OpenOptions::new().read(true), path).and_then(|mut file| file.read_exact(&mut magic));
    found.is_ok() && magic == MAGIC
}
