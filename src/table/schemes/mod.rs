//! The schemes of replacement of the literature, side by side: each in its file, behind [`Table`], with the
//! slots of 128 bits of the default table where it can be without a lock. The value is the same with each;
//! how many nodes a search visits is not (`run tables` of the experiments, docs/tables.md).

mod always;
mod any;
mod big;
mod chains;
mod deepest;
mod group;
mod keep_first;
mod reference_bit;
mod two_level;
mod watched;

pub use any::AnyTable;
pub use watched::Retention;

use crate::table::Table;

/// A scheme: what a table keeps where it is full. See each one's file for what it does and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scheme {
    /// Buckets of four with ageing: [`LocklessTable`](crate::table::LocklessTable).
    Buckets,
    /// Always replace.
    Always,
    /// Keep the first.
    KeepFirst,
    /// Keep the deeper, and of equal ones the first.
    Deepest,
    /// Keep, once, what was used since it was stored.
    ReferenceBit,
    /// Keep the deeper, and of equal ones the last.
    Deep,
    /// Another name of [`Always`](Self::Always).
    New,
    /// Another name of [`KeepFirst`](Self::KeepFirst).
    Old,
    /// Keep what took more nodes, a transposed subtree counting one.
    Big1,
    /// Keep what took more nodes, transposed subtrees counted whole.
    BigAll,
    /// The deepest and the last.
    TwoDeep,
    /// The biggest and the last.
    TwoBig1,
    /// Chains in order of use.
    Chains,
    /// The same, with a chain for each count of what is left.
    ChainsByCounts,
    /// The buckets of [`Buckets`](Self::Buckets) behind locks: [`StripedTable`](crate::table::StripedTable).
    Striped,
    /// The same buckets of 128-bit atomics: [`Atomic128Table`](crate::table::Atomic128Table).
    Atomic128,
}

impl Scheme {
    /// All schemes.
    pub const ALL: &[Scheme] = &[
        Scheme::Buckets,
        Scheme::Always,
        Scheme::KeepFirst,
        Scheme::Deepest,
        Scheme::ReferenceBit,
        Scheme::Deep,
        Scheme::New,
        Scheme::Old,
        Scheme::Big1,
        Scheme::BigAll,
        Scheme::TwoDeep,
        Scheme::TwoBig1,
        Scheme::Chains,
        Scheme::ChainsByCounts,
        Scheme::Striped,
        Scheme::Atomic128,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Buckets => "buckets",
            Scheme::Always => "always",
            Scheme::KeepFirst => "keep-first",
            Scheme::Deepest => "deepest",
            Scheme::ReferenceBit => "reference-bit",
            Scheme::Deep => "deep",
            Scheme::New => "new",
            Scheme::Old => "old",
            Scheme::Big1 => "big1",
            Scheme::BigAll => "bigall",
            Scheme::TwoDeep => "twodeep",
            Scheme::TwoBig1 => "twobig1",
            Scheme::Chains => "chains",
            Scheme::ChainsByCounts => "chains-by-counts",
            Scheme::Striped => "striped",
            Scheme::Atomic128 => "atomic128",
        }
    }
}

/// How much an entry tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Entries {
    /// Both bounds, each with its depth, joined with what was known before.
    #[default]
    TwoSided,
    /// One value, which is exact, a lower or an upper bound, and stands for what was known before.
    ThreeTypes,
}

impl Entries {
    /// Both.
    pub const ALL: &[Entries] = &[Entries::TwoSided, Entries::ThreeTypes];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Entries::TwoSided => "two-sided",
            Entries::ThreeTypes => "three-types",
        }
    }
}
