//! Why a table could not be saved, loaded or mapped.

use super::identity::MAX_NAME;
use crate::table::TableError;
use std::io;
use std::path::PathBuf;

/// Why a table could not be saved, loaded or mapped. Each is told in one line, which names the file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SavedTableError {
    /// The system refused.
    #[error("table {}: expected a file that can be {doing} ({source})", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What was to be done to it.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The file is none that this library has saved.
    #[error("table {}: expected a saved table, found something else", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Bits of the header have changed since it was written.
    #[error("table {}: expected a header that fits its checksum, found a damaged one", path.display())]
    Header {
        /// The file.
        path: PathBuf,
    },
    /// Something is missing at the end, or there is more than should be.
    #[error("table {}: expected {expected} bytes, found {found}", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// As long as it is according to its header.
        expected: u64,
        /// As long as it is.
        found: u64,
    },
    /// The file is of other searches, or of another build.
    #[error("table {}: expected {what} {expected}, found {found}", path.display())]
    Differs {
        /// The file.
        path: PathBuf,
        /// What they differ in: the game for instance.
        what: &'static str,
        /// What was asked for.
        expected: String,
        /// What the file has.
        found: String,
    },
    /// A name is too long for the header.
    #[error("table {}: expected {what} of at most {MAX_NAME} bytes, found {bytes}", path.display())]
    Name {
        /// The file.
        path: PathBuf,
        /// What has that name.
        what: &'static str,
        /// How long it is.
        bytes: usize,
    },
    /// There is no memory for so large a table, or none was asked for.
    #[error(transparent)]
    Table(#[from] TableError),
}
