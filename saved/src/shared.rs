//! A saved table that several processes use in place.
//!
//! Each process that maps the file holds a shared lock on it. The first one briefly takes an exclusive lock,
//! checks the table and marks the file as in use. The last one to leave takes an exclusive lock, writes
//! checksums and marks the file as closed. A killed process leaves the mark "in use"; the next process finds
//! the file unlocked.

use crate::blocks::{clear, is_sound, read_blocks};
use crate::checksum::checksum;
use crate::header::{HEADER, Header, MARKS_AT};
use crate::load::{open, read_checksums, read_header};
use crate::lock::{lock_shared, try_lock, unlock};
use crate::marks::Marks;
use crate::save::{WRITTEN, write};
use crate::{Loaded, SavedTableError, TableIdentity, failed};
use starsplit::score::Score;
use starsplit::table::LocklessTable;
use starsplit::unstable::RawTable;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The actions that errors name.
const LOCKED: &str = "locked";
const MAPPED: &str = "mapped";

/// The file of a mapped table, with a shared lock.
#[derive(Debug)]
pub(crate) struct Shared {
    path: PathBuf,
    file: File,
    header: Header,
    marks: Marks,
}

/// Maps the buckets in the file, after making one with `buckets` buckets where there is none.
pub(crate) fn map(
    path: &Path,
    identity: &TableIdentity,
    buckets: u64,
) -> Result<(LocklessTable, Shared, Loaded), SavedTableError> {
    let mut options = OpenOptions::new();
    let mut file = match open(options.read(true).write(true), path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let empty = LocklessTable::with_buckets(buckets)?;
            write(&empty, path, identity)?.place_new().map_err(failed(path, WRITTEN))?;
            open(&options, path)
        }
        opened => opened,
    }
    .map_err(failed(path, "read and written"))?;
    let (header, _) = read_header(&mut file, path, identity)?;
    let table = LocklessTable::in_file(&file, HEADER as u64, header.buckets).map_err(failed(path, MAPPED))?;
    let marks = Marks::in_file(&file, MARKS_AT as u64).map_err(failed(path, MAPPED))?;
    let mut shared = Shared { path: path.to_owned(), file, header, marks };
    let loaded = shared.join(&table, identity.salts.limit).map_err(failed(path, LOCKED))?;
    table.set_generation(shared.marks.generation());
    Ok((table, shared, loaded))
}

impl Shared {
    /// Begins a generation for all who share the table.
    pub(crate) fn next_generation(&self) -> u8 {
        self.marks.next_generation()
    }

    /// Joins the processes that map the table. Returns with a shared lock, and with the file marked as in
    /// use.
    fn join(&mut self, table: &LocklessTable, limit: Score) -> io::Result<Loaded> {
        let blocks = self.header.blocks();
        let mut found = Loaded { blocks, damaged: 0, impossible: 0, is_checked: false };
        loop {
            if try_lock(&self.file)? {
                found = self.come_first(table, limit)?;
                unlock(&self.file)?;
            }
            lock_shared(&self.file)?;
            // Between the two locks another process may have come, gone, and closed the table.
            if !self.marks.is_closed() {
                return Ok(found);
            }
            unlock(&self.file)?;
            // Several processes may try at once; one of them is soon alone.
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Checks the table under an exclusive lock, empties what is damaged, and marks the file as in use.
    fn come_first(&mut self, table: &LocklessTable, limit: Score) -> io::Result<Loaded> {
        let is_checked = self.marks.is_closed();
        let mut found = Loaded { blocks: self.header.blocks(), damaged: 0, impossible: 0, is_checked };
        // On the disk before any bucket changes, so that no valid mark stands beside old checksums.
        self.marks.set_closed(false)?;
        if !is_checked {
            found.impossible = table.clear_impossible(limit);
            return Ok(found);
        }
        let checksums = read_checksums(&mut self.file, &self.header)?;
        read_blocks(&mut self.file, &self.header, |number, bytes| {
            if !is_sound(&checksums, number, bytes) {
                clear(table, number);
                found.damaged += 1;
            }
        })?;
        Ok(found)
    }

    /// Leaves this table. Returns whether no other process maps it, so that its
    /// checksums are valid.
    pub(crate) fn leave(&mut self, table: &LocklessTable) -> Result<bool, SavedTableError> {
        self.try_leave(table).map_err(failed(&self.path, WRITTEN))
    }

    fn try_leave(&mut self, table: &LocklessTable) -> io::Result<bool> {
        // Released first: when two processes leave at once, one of them gets the exclusive lock.
        unlock(&self.file)?;
        if !try_lock(&self.file)? {
            return Ok(false);
        }
        table.flush()?;
        let mut checksums = Vec::new();
        read_blocks(&mut self.file, &self.header, |number, bytes| {
            checksums.extend(checksum(number, bytes).to_le_bytes());
        })?;
        self.file.write_all(&checksums)?;
        self.file.sync_all()?;
        self.marks.set_closed(true)?;
        unlock(&self.file)?;
        Ok(true)
    }
}
