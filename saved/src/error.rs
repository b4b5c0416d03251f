//! Why a table could not be saved, loaded or mapped.

use crate::identity::MAX_NAME;
use starsplit::table::TableError;
use std::io;
use std::path::PathBuf;

/// Why a table could not be saved, loaded or mapped. The text is one line and names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SavedTableError {
    /// The system refused.
    #[error("table {}: expected a file that can be {doing} ({source})", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// The system's error.
        source: io::Error,
    },
    /// The file is not a saved table.
    #[error("table {}: expected a saved table, found something else", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The header has changed since it was written.
    #[error("table {}: expected a header that fits its checksum, found a damaged one", path.display())]
    Header {
        /// The file.
        path: PathBuf,
    },
    /// The file is shorter or longer than its header says.
    #[error("table {}: expected {expected} bytes, found {found}", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// The length by its header, in bytes.
        expected: u64,
        /// The actual length, in bytes.
        found: u64,
    },
    /// The file is for other searches or from another build.
    #[error("table {}: expected {what} {expected}, found {found}", path.display())]
    Differs {
        /// The file.
        path: PathBuf,
        /// What differs, such as the game.
        what: &'static str,
        /// What the caller needs.
        expected: String,
        /// What the file has.
        found: String,
    },
    /// A name is too long for the header.
    #[error("table {}: expected {what} of at most {MAX_NAME} bytes, found {bytes}", path.display())]
    Name {
        /// The file.
        path: PathBuf,
        /// What has the name.
        what: &'static str,
        /// The name's length, in bytes.
        bytes: usize,
    },
    /// The table's size is invalid, or the system refused its memory.
    #[error(transparent)]
    Table(#[from] TableError),
}
