//! Saved tables: written to a file and loaded, or mapped and used in place by several processes.
//!
//! A file has a header that says what the table is for (`header.rs`), and checksums. A table for something
//! else is refused with the reason; damaged blocks are emptied and counted. Beyond that a slot checks itself,
//! as in memory. A flipped bit of its data or tag turns its entry into one for another tag, which a probe
//! finds once in 2^48. A flipped bit of its move or generation only affects move ordering and replacement. So
//! a table without valid checksums, such as one in use, is as sound as its slots.
//!
//! # Examples
//! A second process continues a search:
//! ```
//! # #[path = "../../examples/pig.rs"]
//! # mod pig;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use starsplit::Searcher;
//! use starsplit::evaluator::HashRandom;
//! use starsplit::score::MAX_LIMIT;
//! use starsplit::search::Limits;
//! use starsplit::table::{LocklessTable, Reuse};
//! use starsplit_saved::{SavedTable, TableIdentity, TableNames};
//! # use pig::under_way;
//! # let (game, position) = under_way();
//! # let folder = std::env::temp_dir().join(format!("starsplit-example-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! # let path = folder.join("saved.table");
//! let evaluator = HashRandom::new(5, MAX_LIMIT);
//! let names = TableNames { game: "mine".into(), rules: "usual".into(), evaluator: "random".into() };
//! let identity = TableIdentity::new(&game, &evaluator, Reuse::Exact, names);
//!
//! let searcher = Searcher::new(game.clone(), evaluator, LocklessTable::new(1)?);
//! let first = searcher.request(&position).limits(Limits::depth(8)).search()?;
//! starsplit_saved::save(searcher.table(), &path, &identity)?;
//!
//! let (table, loaded) = SavedTable::load(&path, &identity)?;
//! assert_eq!(loaded.damaged, 0);
//! let again = Searcher::new(game, evaluator, table).request(&position).limits(Limits::depth(8)).search()?;
//! assert_eq!(again.score(), first.score());
//! assert!(again.stats.nodes.total() < first.stats.nodes.total());
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok(())
//! # }
//! ```
//!
//! | file | subject |
//! |---|---|
//! | `table.rs` | a table from a file |
//! | `save.rs`, `part.rs` | writing it, beside its place |
//! | `load.rs` | reading it |
//! | `shared.rs`, `marks.rs` | using it in place, and what processes tell each other |
//! | `header.rs`, `identity.rs` | what a table is for |
//! | `blocks.rs`, `checksum.rs` | its buckets as blocks of bytes, with checksums |
//! | `error.rs` | why a table is refused |

mod blocks;
mod checksum;
mod error;
mod header;
mod identity;
mod load;
mod lock;
mod marks;
mod part;
mod save;
mod shared;
mod table;
mod words;

pub use error::SavedTableError;
pub use identity::{TableIdentity, TableNames};
pub use table::SavedTable;

use starsplit::table::LocklessTable;
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

/// Saves a table. Searches may go on meanwhile; the file may or may not contain their stores.
///
/// The file is written under another name and renamed once it is complete and on the disk, so a failure
/// leaves the old file. The file has 64 bytes a bucket, empty or not, plus 16 KiB and the checksums. Saving
/// takes 64 KiB of memory, plus 8 bytes for each 64 KiB of the table. A killed process leaves
/// `.NAME.starsplit-….part`.
///
/// # Errors
/// When it cannot be written, or a name in `identity` is too long.
pub fn save(
    table: &LocklessTable,
    path: impl AsRef<Path>,
    identity: &TableIdentity,
) -> Result<(), SavedTableError> {
    let path = path.as_ref();
    save::write(table, path, identity)?.replace().map_err(failed(path, save::WRITTEN))
}

/// Whether the file begins as saved tables do, damaged or not.
pub fn is_saved(path: impl AsRef<Path>) -> bool {
    load::is_saved(path.as_ref())
}

/// Adds the file and the action to a system error.
fn failed(path: &Path, doing: &'static str) -> impl Fn(io::Error) -> SavedTableError {
    move |source| SavedTableError::File { path: path.to_owned(), doing, source }
}
