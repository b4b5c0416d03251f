//! Saving a table to a file.

use super::blocks::{SealedBucket, blocks, copy_out};
use super::checksum::checksum;
use super::header::{BLOCK, Header};
use super::marks::Marks;
use super::part::Part;
use super::{SavedTableError, TableIdentity, failed};
use std::io::{self, Write};
use std::path::Path;

/// Writes the complete file, still under its other name.
pub(super) fn write(
    buckets: &[SealedBucket],
    generation: u8,
    path: &Path,
    identity: &TableIdentity,
) -> Result<Part, SavedTableError> {
    identity.check(path)?;
    let header = Header::new(buckets.len() as u64, identity);
    let mut part = Part::create(path).map_err(failed(path, WRITTEN))?;
    write_to(&mut part.file, buckets, generation, &header).map_err(failed(path, WRITTEN))?;
    Ok(part)
}

/// The action that an error names.
pub(super) const WRITTEN: &str = "written";

/// Writes block by block, without a second table in memory.
fn write_to(
    file: &mut impl Write,
    buckets: &[SealedBucket],
    generation: u8,
    header: &Header,
) -> io::Result<()> {
    file.write_all(&header.encode())?;
    file.write_all(&Marks::closed_bytes(generation))?;
    let mut checksums = Vec::new();
    let mut bytes = Vec::with_capacity(BLOCK);
    for (number, block) in blocks(buckets).enumerate() {
        copy_out(block, &mut bytes);
        checksums.extend(checksum(number as u64, &bytes).to_le_bytes());
        file.write_all(&bytes)?;
    }
    file.write_all(&checksums)?;
    file.flush()
}
