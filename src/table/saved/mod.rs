//! Saved tables: to a file and back, or mapped and used in place by several processes.
//!
//! A file has a header that says what it is a table of (`header.rs`), and checksums. What differs is refused
//! with a reason; what is damaged is emptied and counted. Beyond that a slot checks itself, as it does in
//! memory: a flipped bit of its data or its tag makes its entry one for another tag, which is found as seldom
//! as any other position's is by mistake, once in 2^48 look-ups; one of its move or its generation can only
//! misguide in which order moves are tried and what gives way. So a table without valid checksums, which one
//! in use is, is as sound as its slots.

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

use super::LocklessTable;
use std::io;
use std::path::Path;

/// What was found in a saved table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// How many blocks of 64 KiB it has.
    pub blocks: u64,
    /// How many of them did not fit their checksums, and were emptied.
    pub damaged: u64,
    /// How many slots were emptied because no search writes what they held. Looked for only where checksums
    /// do not hold.
    pub impossible: u64,
    /// Whether checksums were compared. They do not hold where a table is mapped by others, or was when its
    /// process was killed; then slots have their own checks alone.
    pub is_checked: bool,
}

/// Saved tables.
///
/// # Examples
/// A search goes on where another process has left off:
/// ```
/// # #[path = "../../../examples/pig.rs"]
/// # mod pig;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use starsplit::Searcher;
/// use starsplit::evaluator::HashRandom;
/// use starsplit::score::MAX_LIMIT;
/// use starsplit::search::{Limits, Reuse};
/// use starsplit::table::{LocklessTable, TableIdentity, TableNames};
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
    /// Saves the table, which others may go on using meanwhile: what they write may be in the file or not.
    ///
    /// The file is written beside its place and renamed when it is whole and on the disk, so that whatever
    /// goes wrong leaves the old one. It takes 64 bytes a bucket, empty or not, and 16 KiB. Memory: 64 KiB,
    /// and 8 bytes for each 64 KiB of the table. A killed process leaves `.NAME.starsplit-….part`.
    ///
    /// # Errors
    /// When it cannot be written, or a name in `identity` is too long.
    pub fn save(&self, path: &Path, identity: &TableIdentity) -> Result<(), SavedTableError> {
        save::write(&self.table, path, identity)?.replace().map_err(failed(path, save::WRITTEN))
    }

    /// A table with what was saved: as large as it was, in memory of its own. Damaged blocks are empty, and
    /// counted in [`Loaded`].
    ///
    /// # Errors
    /// When the file cannot be read, is no saved table, is shorter or longer than its header says, or is of
    /// another game, rules, evaluator, reuse policy or layout: the error says which.
    pub fn load(path: &Path, identity: &TableIdentity) -> Result<(Self, Loaded), SavedTableError> {
        let (table, loaded) = load::load(path, identity)?;
        Ok((LocklessTable { table, shared: None }, loaded))
    }

    /// The table in a file, used in place, by any number of processes at once; where there is no file, a new
    /// one of so many buckets. What one stores the others find. All clear it who
    /// [clear](super::Table::clear) it.
    ///
    /// What another process has stored since this one's last iteration began looks old to it, and gives way
    /// first. Values are the same whatever happens. Who cuts the file off while it is mapped, or lets the
    /// disk fail, ends the processes that use it (SIGBUS).
    ///
    /// # Errors
    /// As [`load`](Self::load), and when the file cannot be written, locked or mapped.
    pub fn map(
        path: &Path,
        identity: &TableIdentity,
        new_buckets: u64,
    ) -> Result<(Self, Loaded), SavedTableError> {
        let (table, shared, loaded) = shared::map(path, identity, new_buckets)?;
        Ok((LocklessTable { table, shared: Some(shared) }, loaded))
    }

    /// Leaves a mapped table, and says whether nobody else has it: then it has checksums again. Of a table
    /// that is not mapped nothing is to be done. To drop a table does the same, without telling.
    ///
    /// # Errors
    /// When the file cannot be written. Its slots still check themselves.
    pub fn close(mut self) -> Result<bool, SavedTableError> {
        self.shared.take().map_or(Ok(true), |mut shared| shared.leave(&self.table))
    }

    /// Whether the file begins as saved tables do, sound or not.
    pub fn is_saved(path: &Path) -> bool {
        load::is_saved(path)
    }
}

impl Drop for LocklessTable {
    fn drop(&mut self) {
        if let Some(mut shared) = self.shared.take() {
            // Without checksums the next to come trusts the slots' own checks.
            let _ = shared.leave(&self.table);
        }
    }
}

/// Puts a system's error into one that names the file and what was to be done to it.
fn failed(path: &Path, doing: &'static str) -> impl Fn(io::Error) -> SavedTableError {
    move |source| SavedTableError::File { path: path.to_owned(), doing, source }
}
