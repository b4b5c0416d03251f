//! Saving a table to a file.

use super::blocks::{blocks, copy_out};
use super::checksum::checksum;
use super::header::{BLOCK, Header};
use super::marks::Marks;
use super::part::Part;
use super::{SavedTableError, TableIdentity, failed};
use crate::table::buckets::BucketTable;
use crate::table::slot::SealedSlot;
use std::io::{self, Write};
use std::path::Path;

/// Writes the complete file, still under its other name.
pub(super) fn write(
    table: &BucketTable<SealedSlot>,
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
pub(super) const WRITTEN: &str = "written";

/// Writes block by block, without a second table in memory.
fn write_to(file: &mut impl Write, table: &BucketTable<SealedSlot>, header: &Header) -> io::Result<()> {
    file.write_all(&header.encode())?;
    file.write_all(&Marks::closed_bytes(table.generation()))?;
    let mut checksums = Vec::new();
    let mut bytes = Vec::with_capacity(BLOCK);
    for (number, block) in blocks(table.all()).enumerate() {
        copy_out(block, &mut bytes);
        checksums.extend(checksum(number as u64, &bytes).to_le_bytes());
        file.write_all(&bytes)?;
    }
    file.write_all(&checksums)?;
    file.flush()
}
