//! Saving a table to a file.

use crate::blocks::copy_out;
use crate::checksum::checksum;
use crate::header::{BLOCK, Header};
use crate::marks;
use crate::part::Part;
use crate::{SavedTableError, TableIdentity, failed};
use starsplit::table::LocklessTable;
use starsplit::unstable::RawTable;
use std::io::{self, Write};
use std::path::Path;

/// Writes the complete file, still under its other name.
pub(crate) fn write(
    table: &LocklessTable,
    path: &Path,
    identity: &TableIdentity,
) -> Result<Part, SavedTableError> {
    identity.check(path)?;
    let header = Header::new(table.buckets(), identity);
    let mut part = Part::create(path).map_err(failed(path, WRITTEN))?;
    write_to(&mut part.file, table, &header).map_err(failed(path, WRITTEN))?;
    Ok(part)
}

/// The action that an error names.
pub(crate) const WRITTEN: &str = "written";

/// Writes block by block, without a second table in memory.
fn write_to(file: &mut impl Write, table: &LocklessTable, header: &Header) -> io::Result<()> {
    file.write_all(&header.encode())?;
    file.write_all(&marks::closed_bytes(table.generation()))?;
    let mut checksums = Vec::new();
    let mut bytes = Vec::with_capacity(BLOCK);
    for number in 0..header.blocks() {
        copy_out(table, number, &mut bytes);
        checksums.extend(checksum(number, &bytes).to_le_bytes());
        file.write_all(&bytes)?;
    }
    file.write_all(&checksums)?;
    file.flush()
}
