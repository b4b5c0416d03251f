//! The contract of tables, kept by the library's own.

/// Calls a check with a table of so many buckets.
macro_rules! for_each_table {
    ($buckets:expr, $check:expr) => {
        $check(LocklessTable::with_buckets($buckets).unwrap());
    };
}

#[path = "tables/contract.rs"]
mod contract;
