//! Transposition tables to compare starsplit's own with, the feature `rivals`, and [`AnyTable`], whose
//! scheme is chosen while a program runs. The value is the same with each; how many nodes a search visits
//! is not (`run tables` of the experiments, docs/tables.md).
//!
//! All of them are built on what is public of `starsplit::table`: [`Table`](starsplit::table::Table), and
//! [`BucketTable`](starsplit::unstable::BucketTable) over a [`WordPair`](starsplit::unstable::WordPair).
//!
//! | file | subject |
//! |---|---|
//! | `any.rs` | a table that is known when the program runs |
//! | `rivals.rs` | one of any scheme |
//! | `scheme.rs` | the schemes by name, and the retired ones |
//! | `atomic128.rs` | pairs of words that the hardware keeps whole, and the library's buckets of them |
//! | `striped.rs` | the library's table behind locks |
//! | `group.rs`, `rules.rs` | groups of one or two entries, and which of them gives way |
//! | `entry.rs` | what such an entry holds, in 128 bits |
//! | `chains.rs`, `chain.rs` | rows that are chains of entries, behind locks; what a row does |
//! | `pieces.rs` | how many pieces are left, from the game to the chains |
//! | `watched.rs` | what a table keeps, counted beside it |

mod any;
#[cfg(feature = "rivals")]
mod atomic128;
#[cfg(feature = "rivals")]
mod chain;
#[cfg(feature = "rivals")]
mod chains;
#[cfg(feature = "rivals")]
mod entry;
#[cfg(feature = "rivals")]
mod group;
#[cfg(feature = "rivals")]
mod pieces;
#[cfg(feature = "rivals")]
mod rivals;
#[cfg(feature = "rivals")]
mod rules;
#[cfg(feature = "rivals")]
mod scheme;
#[cfg(feature = "rivals")]
mod striped;
#[cfg(feature = "rivals")]
mod watched;

pub use any::AnyTable;
#[cfg(feature = "rivals")]
pub use atomic128::{Atomic128Table, WholePair, is_lock_free};
#[cfg(feature = "rivals")]
pub use chains::{ChainError, ChainOptions, ChainPlan, ChainTable, MAX_CHAIN};
#[cfg(feature = "rivals")]
pub use pieces::{Counting, Left, PiecesLeft};
#[cfg(feature = "rivals")]
pub use scheme::{RETIRED, Scheme};
#[cfg(feature = "rivals")]
pub use striped::StripedTable;
#[cfg(feature = "rivals")]
pub use watched::Retention;
