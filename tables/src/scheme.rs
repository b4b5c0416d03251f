//! Schemes by name.

/// A scheme: what a table keeps where it is full. `rules.rs` and `chains.rs` say what each does and whose it
/// is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scheme {
    /// Buckets of four with ageing: [`LocklessTable`](starsplit::table::LocklessTable).
    #[default]
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
    /// The deepest and the last.
    TwoDeep,
    /// The table of [`Buckets`](Self::Buckets) behind locks: [`StripedTable`](crate::StripedTable).
    Striped,
    /// The same buckets of 128-bit atomics: [`Atomic128Table`](crate::Atomic128Table).
    Atomic128,
    /// Chains in the order of use: [`ChainTable`](crate::ChainTable).
    Chains,
    /// The same, where the pieces left choose the row, too.
    ChainsByCounts,
}

/// The names of schemes that there are no more, since they ask more of a search than what it has proven: how
/// many nodes that took. Records of them are in `results/current/tables`.
pub const RETIRED: &[&str] = &["big1", "bigall", "twobig1"];

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
        Scheme::TwoDeep,
        Scheme::Striped,
        Scheme::Atomic128,
        Scheme::Chains,
        Scheme::ChainsByCounts,
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
            Scheme::TwoDeep => "twodeep",
            Scheme::Striped => "striped",
            Scheme::Atomic128 => "atomic128",
            Scheme::Chains => "chains",
            Scheme::ChainsByCounts => "chains-by-counts",
        }
    }
}
