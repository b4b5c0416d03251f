//! Transposition tables of the size that the user asks for.

use crate::cli::BadInput;
use starsplit::table::{LocklessTable, TableError};

/// How many buckets of a lockless table make a MiB.
pub const BUCKETS_A_MIB: u64 = (1 << 20) / 64;

/// So many lockless tables of `mib` MiB each.
///
/// # Errors
/// As [`table`].
pub fn tables(count: usize, mib: u64) -> Result<Vec<LocklessTable>, BadInput> {
    (0..count).map(|_| table(mib)).collect()
}

/// A lockless table of `mib` MiB.
///
/// # Errors
/// [`BadInput`] when the machine cannot give so much.
pub fn table(mib: u64) -> Result<LocklessTable, BadInput> {
    LocklessTable::new(mib).map_err(|error| refused(mib, error))
}

/// What to say of a table of `mib` MiB that cannot be had.
pub fn refused(mib: u64, error: TableError) -> BadInput {
    let reason = match error {
        TableError::Memory { source, .. } => source.to_string(),
        other => other.to_string(),
    };
    let complaint = format_args!("expected no more than the system grants ({reason})").to_string();
    BadInput::new("table-mb", mib.to_string(), complaint)
}
