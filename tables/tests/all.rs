//! The tests of the tables, in one program: the contract that the library's own keep, one value with each
//! scheme, and what each keeps.

/// Calls a check for every kind of table in buckets, made with so many of them.
macro_rules! for_each_table {
    ($buckets:expr, $check:expr) => {
        $check(LocklessTable::with_buckets($buckets).unwrap());
        $check(starsplit_tables::StripedTable::with_buckets($buckets).unwrap());
        $check(starsplit_tables::Atomic128Table::with_buckets($buckets).unwrap());
    };
}

mod chains;
#[path = "../../tests/common/mod.rs"]
mod common;
#[path = "../../tests/tables/contract.rs"]
mod contract;
mod schemes;
mod signature;
