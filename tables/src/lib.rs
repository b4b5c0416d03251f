//! Transposition tables to compare starsplit's own with, and [`AnyTable`], whose [`Scheme`] is chosen while a
//! program runs. The value is the same with each; how many nodes a search visits is not (`run tables` of the
//! experiments, docs/tables.md).
//!
//! All of them are built on what is public of `starsplit::table`: [`Table`](starsplit::table::Table), and
//! [`BucketTable`](starsplit::table::BucketTable) over a [`WordPair`](starsplit::table::WordPair).
//!
//! | file | subject |
//! |---|---|
//! | `any.rs` | a table of any scheme |
//! | `scheme.rs` | the schemes by name, and the retired ones |
//! | `atomic128.rs` | pairs of words that the hardware keeps whole, and the library's buckets of them |
//! | `striped.rs` | the library's table behind locks |
//! | `group.rs`, `rules.rs` | groups of one or two entries, and which of them gives way |
//! | `entry.rs` | what such an entry holds, in 128 bits |
//! | `chains.rs`, `chain.rs` | rows that are chains of entries, behind locks; what a row does |
//! | `pieces.rs` | how many pieces are left, from the game to the chains |
//! | `watched.rs` | what a table keeps, counted beside it |

mod any;
mod atomic128;
mod chain;
mod chains;
mod entry;
mod group;
mod pieces;
mod rules;
mod scheme;
mod striped;
mod watched;

pub use any::AnyTable;
pub use atomic128::{Atomic128Table, WholePair, is_lock_free};
pub use chains::{ChainError, ChainOptions, ChainPlan, ChainTable, MAX_CHAIN};
pub use pieces::{Counting, Left, PiecesLeft};
pub use scheme::{RETIRED, Scheme};
pub use striped::StripedTable;
pub use watched::Retention;
