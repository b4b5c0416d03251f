//! Saved tables: written to a file and loaded, or mapped and used in place by several processes.
//!
//! A file has a header that says what the table is for (`header.rs`), and checksums. A table for something
//! else is refused with the reason; damaged blocks are emptied and counted. Beyond that a slot checks itself,
//! as in memory. A flipped bit of its data or tag turns its entry into one for another tag, which a probe
//! finds once in 2^48. A flipped bit of its move or generation only affects move ordering and replacement. So
//! a table without valid checksums, such as one in use, is as sound as its slots.

mod blocks;
mod checksum;
mod error;
mod header;
mod identity;
mod load;
mod marks;
mod part;
mod save;
mod shared;

pub use error::SavedTableError;
pub use identity::{TableIdentity, TableNames};
pub(super) use marks::Marks;
pub(super) use shared::Shared;

use super::buckets::{BucketTable, LocklessTable};
use std::io;
use std::path::Path;

/// What was found in a saved table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Its blocks of 64 KiB.
    pub blocks: u64,
    /// Blocks that failed their checksums, and were emptied.
    pub damaged: u64,
    /// Slots emptied because no search can have stored their contents. Looked for only where checksums are
    /// not valid.
    pub impossible: u64,
    /// Whether checksums were compared. They are not valid while other processes map the table, or after one
    /// was killed; then only the slots' own checks hold.
    pub is_checked: bool,
}

/// Saved tables.
///
/// # Examples
/// A second process continues a search:
/// ```
/// # #[path = "../../../examples/pig.rs"]
/// # mod pig;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use starsplit::Searcher;
/// use starsplit::evaluator::HashRandom;
/// use starsplit::score::MAX_LIMIT;
/// use starsplit::search::Limits;
/// use starsplit::table::{LocklessTable, Reuse, TableIdentity, TableNames};
/// # use pig::under_way;
/// # let (game, position) = under_way();
/// # let folder = std::env::temp_dir().join(format!("starsplit-example-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("saved.table");
/// let evaluator = HashRandom::new(5, MAX_LIMIT);
/// let names = TableNames { game: "mine".into(), rules: "usual".into(), evaluator: "random".into() };
/// let identity = TableIdentity::new(&game, &evaluator, Reuse::Exact, names);
///
/// let searcher = Searcher::new(game.clone(), evaluator, LocklessTable::new(1)?);
/// let first = searcher.search_within(&position, &Limits::depth(8))?;
/// searcher.table().save(&path, &identity)?;
///
/// let (table, loaded) = LocklessTable::load(&path, &identity)?;
/// assert_eq!(loaded.damaged, 0);
/// let again = Searcher::new(game, evaluator, table).search_within(&position, &Limits::depth(8))?;
/// assert_eq!(again.score(), first.score());
/// assert!(again.stats.nodes.total() < first.stats.nodes.total());
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
impl LocklessTable {
    /// Saves the table. Searches may go on meanwhile; the file may or may not contain their stores.
    ///
    /// The file is written under another name and renamed once it is complete and on the disk, so a failure
    /// leaves the old file. The file has 64 bytes a bucket, empty or not, plus 16 KiB and the checksums.
    /// Saving takes 64 KiB of memory, plus 8 bytes for each 64 KiB of the table. A killed process leaves
    /// `.NAME.starsplit-….part`.
    ///
    /// # Errors
    /// When it cannot be written, or a name in `identity` is too long.
    pub fn save(&self, path: &Path, identity: &TableIdentity) -> Result<(), SavedTableError> {
        save::write(self.memory.get(), self.generation(), path, identity)?
            .replace()
            .map_err(failed(path, save::WRITTEN))
    }

    /// Loads a saved table into memory of its own, at its old size. Damaged blocks are empty, and counted in
    /// [`Loaded`].
    ///
    /// # Errors
    /// When the file cannot be read, is no saved table, is shorter or longer than its header says, or is for
    /// another game, rules, evaluator, reuse policy or layout: the error says which.
    pub fn load(path: &Path, identity: &TableIdentity) -> Result<(Self, Loaded), SavedTableError> {
        let (memory, generation, loaded) = load::load(path, identity)?;
        Ok((BucketTable::of(memory, generation, None), loaded))
    }

    /// Maps the table in a file, for any number of processes at once. Where there is no file, makes one with
    /// `new_buckets` buckets. Each process finds what the others store, and [`clear`](super::Table::clear)
    /// clears the table for all.
    ///
    /// Another process's entries since this one's last iteration look old, and are replaced first. Values are
    /// the same in any case. If the file is truncated while mapped, or the disk fails, the processes that use
    /// it end (SIGBUS).
    ///
    /// # Errors
    /// As [`load`](Self::load), and when the file cannot be written, locked or mapped.
    pub fn map(
        path: &Path,
        identity: &TableIdentity,
        new_buckets: u64,
    ) -> Result<(Self, Loaded), SavedTableError> {
        let (memory, shared, loaded) = shared::map(path, identity, new_buckets)?;
        Ok((BucketTable::of(memory, shared.generation(), Some(Box::new(shared))), loaded))
    }

    /// Leaves a mapped table. Returns whether no other process has it mapped; then its checksums are valid
    /// again. Does nothing for a table that is not mapped. Dropping a table does the same, without the
    /// result.
    ///
    /// # Errors
    /// When the file cannot be written. Its slots still check themselves.
    pub fn close(mut self) -> Result<bool, SavedTableError> {
        self.shared.take().map_or(Ok(true), |mut shared| shared.leave(&self.memory))
    }

    /// Whether the file begins as saved tables do, damaged or not.
    pub fn is_saved(path: &Path) -> bool {
        load::is_saved(path)
    }
}

/// Adds the file and the action to a system error.
fn failed(path: &Path, doing: &'static str) -> impl Fn(io::Error) -> SavedTableError {
    move |source| SavedTableError::File { path: path.to_owned(), doing, source }
}
