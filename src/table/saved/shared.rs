//! A saved table that several processes use in place.
//!
//! Each process that maps the file holds a shared lock on it. The first one briefly takes an exclusive lock,
//! checks the table and marks the file as in use. The last one to leave takes an exclusive lock, writes
//! checksums and marks the file as closed. A killed process leaves the mark "in use"; the next process finds
//! the file unlocked.

use super::blocks::{blocks, checksums, copy_out, drop_impossible, is_sound};
use super::header::{HEADER, Header, MARKS_AT};
use super::load::{open, read_checksums, read_header};
use super::save::{WRITTEN, write};
use super::{Loaded, SavedTableError, TableIdentity, failed};
use crate::score::Score;
use crate::table::buckets::BucketTable;
use crate::table::memory::Memory;
use crate::table::slot::SealedSlot;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The actions that errors name.
const LOCKED: &str = "locked";
const MAPPED: &str = "mapped";

/// The file of a mapped table, with a shared lock.
#[derive(Debug)]
pub(in crate::table) struct Shared {
    path: PathBuf,
    file: File,
    checksums_at: u64,
}

/// Maps the table in the file, after making one with `buckets` buckets where there is none.
pub(super) fn map(
    path: &Path,
    identity: &TableIdentity,
    buckets: u64,
) -> Result<(BucketTable<SealedSlot>, Shared, Loaded), SavedTableError> {
    let mut options = OpenOptions::new();
    let mut file = match open(options.read(true).write(true), path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let empty = BucketTable::with_buckets(buckets)?;
            write(&empty, path, identity)?.place_new().map_err(failed(path, WRITTEN))?;
            open(&options, path)
        }
        opened => opened,
    }
    .map_err(failed(path, "read and written"))?;
    let (header, _) = read_header(&mut file, path, identity)?;
    let table = mapped(&file, &header).map_err(failed(path, MAPPED))?;
    let limit = identity.meaning.limit;
    let loaded = join(&table, &mut file, &header, limit).map_err(failed(path, LOCKED))?;
    let shared = Shared { path: path.to_owned(), file, checksums_at: header.checksums_at() };
    Ok((table, shared, loaded))
}

fn mapped(file: &File, header: &Header) -> io::Result<BucketTable<SealedSlot>> {
    let memory = Memory::of_file(file, HEADER as u64, header.buckets)?;
    let marks = Memory::of_file(file, MARKS_AT as u64, 1)?;
    Ok(BucketTable::shared(memory, marks))
}

/// Joins the processes that map the table. Returns with a shared lock, and with the file marked as in use.
fn join(
    table: &BucketTable<SealedSlot>,
    file: &mut File,
    header: &Header,
    limit: Score,
) -> io::Result<Loaded> {
    let mut found = Loaded { blocks: header.blocks(), damaged: 0, impossible: 0, is_checked: false };
    let Some(marks) = table.marks() else { return Err(ErrorKind::InvalidInput.into()) };
    loop {
        if try_lock(file)? {
            found = come_first(table, file, header, limit)?;
            file.unlock()?;
        }
        file.lock_shared()?;
        // Between the two locks another process may have come, gone, and closed the table.
        if !marks.get()[0].is_closed() {
            table.set_generation(marks.get()[0].generation());
            return Ok(found);
        }
        file.unlock()?;
        // Several processes may try at once; one of them is soon alone.
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Checks the table under an exclusive lock, empties what is damaged, and marks the file as in use.
fn come_first(
    table: &BucketTable<SealedSlot>,
    file: &mut File,
    header: &Header,
    limit: Score,
) -> io::Result<Loaded> {
    let blocks_found = header.blocks();
    let is_checked = table.marks().is_some_and(|marks| marks.get()[0].is_closed());
    // On the disk before any bucket changes, so that no valid mark stands beside old checksums.
    mark(table, false)?;
    if !is_checked {
        let impossible = drop_impossible(table.all(), limit);
        return Ok(Loaded { blocks: blocks_found, damaged: 0, impossible, is_checked });
    }
    let sums = read_checksums(file, header)?;
    let mut bytes = Vec::new();
    let mut damaged = 0;
    for (number, block) in blocks(table.all()).enumerate() {
        copy_out(block, &mut bytes);
        if !is_sound(&sums, number, &bytes) {
            block.iter().for_each(|bucket| bucket.clear());
            damaged += 1;
        }
    }
    Ok(Loaded { blocks: blocks_found, damaged, impossible: 0, is_checked })
}

/// Marks the table as closed or in use, on the disk.
fn mark(table: &BucketTable<SealedSlot>, is_closed: bool) -> io::Result<()> {
    let Some(marks) = table.marks() else { return Ok(()) };
    marks.get()[0].set_closed(is_closed);
    marks.flush()
}

impl Shared {
    /// Leaves the table. Returns whether no other process maps it, so that its checksums are valid.
    pub(super) fn leave(&mut self, table: &BucketTable<SealedSlot>) -> Result<bool, SavedTableError> {
        self.try_leave(table).map_err(failed(&self.path, WRITTEN))
    }

    fn try_leave(&mut self, table: &BucketTable<SealedSlot>) -> io::Result<bool> {
        // Released first: when two processes leave at once, one of them gets the exclusive lock.
        self.file.unlock()?;
        if !try_lock(&self.file)? {
            return Ok(false);
        }
        let sums = checksums(table.all());
        table.flush()?;
        self.file.seek(SeekFrom::Start(self.checksums_at))?;
        self.file.write_all(&sums)?;
        self.file.sync_all()?;
        mark(table, true)?;
        self.file.unlock()?;
        Ok(true)
    }
}

/// Tries to get the exclusive lock.
fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
