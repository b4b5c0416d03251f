//! Transposition tables of the scheme and size that the user asks for.

use crate::cli::BadInput;
use crate::cli::values::whole_number;
use clap::Args;
use serde_json::{Value, json};
use starsplit::table::TableError;
use starsplit_doors::retired;
use starsplit_tables::{AnyTable, ChainError, ChainOptions, MAX_CHAIN, RETIRED, Scheme};

/// The greatest number of entries: more than any machine has memory for.
const MAX_ENTRIES: u64 = 1 << 48;

/// What all entries tell: both bounds, each with its depth.
pub const TWO_SIDED: &str = "two-sided";

/// The last revision with the schemes and the form of entries that are retired.
const LAST_WITH_RETIRED: &str = "32d6ac58";

/// Reads a scheme.
fn scheme(text: &str) -> Result<Scheme, BadInput> {
    let found = Scheme::ALL.iter().copied().find(|scheme| scheme.name() == text);
    found.ok_or_else(|| {
        let known: Vec<_> = Scheme::ALL.iter().map(|scheme| scheme.name()).collect();
        read_none("table-scheme", text, RETIRED, &format!("one of {}", known.join(", ")))
    })
}

/// Reads a form of entries.
fn entries(text: &str) -> Result<&'static str, BadInput> {
    if text == TWO_SIDED {
        Ok(TWO_SIDED)
    } else {
        Err(read_none("entries", text, &["three-types"], TWO_SIDED))
    }
}

/// What to say of a name that is none, or none any more.
fn read_none(thing: &str, text: &str, retired: &[&str], expected: &str) -> BadInput {
    let complaint = match retired.contains(&text) {
        true => retired::complaint(LAST_WITH_RETIRED, expected),
        false => format!("expected {expected}"),
    };
    BadInput::new(thing, text, complaint)
}

/// Flags that say of which kind a table is.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Args)]
pub struct TableFlags {
    /// What the table keeps where it is full
    ///
    /// buckets: the library's own, four entries with ageing. always (new) and keep-first (old): one entry,
    /// the last or the first. deepest, deep: the deeper, of equal ones the first or the last. reference-bit:
    /// once more what was used. twodeep: the deeper and the last. striped, atomic128: the library's behind
    /// locks, and of 128-bit atomics. chains: rows of entries in the order of use, whose lengths grow where
    /// they are needed; chains-by-counts: the pieces left choose the row, too. The value is the same with
    /// each.
    #[arg(long, value_name = "SCHEME", value_parser = scheme)]
    pub table_scheme: Option<Scheme>,

    /// What an entry of the table tells: two-sided, both bounds with a depth each
    #[arg(long, value_name = "FORM", value_parser = entries)]
    pub entries: Option<&'static str>,

    /// For how many entries the table is, in place of --table-mb; there are 65536 to the MiB
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole_number("table-entries", 1..=MAX_ENTRIES))]
    pub table_entries: Option<u64>,

    /// Count how many look-ups of what was stored before find it; the search takes several times as long
    #[arg(long)]
    pub watch_table: bool,

    /// What the chains are like.
    #[command(flatten)]
    pub chains: ChainFlags,
}

/// Flags of the schemes chains and chains-by-counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Args)]
pub struct ChainFlags {
    /// How many rows a table of chains has, a power of two [default: 4194304, or fewer where the memory has
    /// no room for the threshold's entries in each]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole_number("chain-rows", 1..=MAX_ENTRIES))]
    pub chain_rows: Option<u64>,

    /// How many entries a chain holds before it grows [default: 3, or chain-length if that is less]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole_number("chain-threshold", 1..=MAX_CHAIN.into()))]
    pub chain_threshold: Option<u64>,

    /// How many entries a chain may come to hold [default: 13]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = whole_number("chain-length", 1..=MAX_CHAIN.into()))]
    pub chain_length: Option<u64>,
}

impl ChainFlags {
    /// The flags that are given, with their names.
    fn given(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let flags = [
            ("chain-rows", self.chain_rows),
            ("chain-threshold", self.chain_threshold),
            ("chain-length", self.chain_length),
        ];
        flags.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }

    fn or(&self, usual: &ChainFlags) -> ChainFlags {
        ChainFlags {
            chain_rows: self.chain_rows.or(usual.chain_rows),
            chain_threshold: self.chain_threshold.or(usual.chain_threshold),
            chain_length: self.chain_length.or(usual.chain_length),
        }
    }

    /// A table of chains of this scheme in the memory of so many entries.
    fn table(&self, scheme: Scheme, count: u64) -> Result<AnyTable, ChainError> {
        let usual = ChainOptions::default();
        let length = |given: Option<u64>, usual| given.map_or(usual, |given| given as u8);
        let greatest = length(self.chain_length, usual.greatest);
        let options = ChainOptions {
            rows: self.chain_rows,
            threshold: length(self.chain_threshold, usual.threshold.min(greatest)),
            greatest,
            by_counts: scheme == Scheme::ChainsByCounts,
        };
        AnyTable::of_chains(count, options)
    }
}

/// How many entries of 16 bytes are in a MiB.
const ENTRIES_A_MIB: u64 = (1 << 20) / 16;

/// How many buckets of the library's own table make a MiB.
pub const BUCKETS_A_MIB: u64 = (1 << 20) / 64;

impl TableFlags {
    /// These flags, and `usual` where they say nothing.
    #[must_use]
    pub fn or(&self, usual: &TableFlags) -> TableFlags {
        TableFlags {
            table_scheme: self.table_scheme.or(usual.table_scheme),
            entries: self.entries.or(usual.entries),
            table_entries: self.table_entries.or(usual.table_entries),
            watch_table: self.watch_table || usual.watch_table,
            chains: self.chains.or(&usual.chains),
        }
    }

    /// What they say, for records; nothing where they say nothing.
    pub fn described(&self) -> Option<Value> {
        let TableFlags { table_scheme, entries, table_entries, watch_table, chains } = self;
        let scheme = table_scheme.map(Scheme::name);
        let mut table =
            json!({"scheme": scheme, "entries": entries, "count": table_entries, "watched": watch_table});
        chains.given().for_each(|(name, value)| table[name] = value.into());
        (*self != TableFlags::default()).then_some(table)
    }

    /// A table of this kind, of `mib` MiB where the flags name no number of entries.
    ///
    /// # Errors
    /// [`BadInput`] when the machine cannot give so much.
    pub fn table(&self, mib: u64) -> Result<AnyTable, BadInput> {
        let is_plain = TableFlags { watch_table: false, ..self.clone() }.is_usual();
        let table = if is_plain { table(mib)? } else { self.unusual(mib)? };
        Ok(if self.watch_table { table.watched() } else { table })
    }

    /// Whether the table is the library's own, of a size in MiB and not watched.
    pub fn is_usual(&self) -> bool {
        let is_plain = self.table_entries.is_none() && !self.watch_table;
        self.scheme() == Scheme::Buckets && is_plain && self.chains == ChainFlags::default()
    }

    /// The size of the table in MiB, rounded down, where `usual` is what --table-mb says.
    pub fn mib(&self, usual: u64) -> u64 {
        self.table_entries.map_or(usual, |entries| entries / ENTRIES_A_MIB)
    }

    fn scheme(&self) -> Scheme {
        self.table_scheme.unwrap_or(Scheme::Buckets)
    }

    fn unusual(&self, mib: u64) -> Result<AnyTable, BadInput> {
        let count = self.table_entries.unwrap_or(mib.saturating_mul(ENTRIES_A_MIB));
        let scheme = self.scheme();
        let refused = |error| match self.table_entries {
            Some(count) => refused("table-entries", count, error),
            None => refused("table-mb", mib, error),
        };
        if !matches!(scheme, Scheme::Chains | Scheme::ChainsByCounts) {
            if let Some((name, value)) = self.chains.given().next() {
                let complaint = "expected it with --table-scheme chains or chains-by-counts";
                return Err(BadInput::new(name, value.to_string(), complaint));
            }
            return AnyTable::new(scheme, count).map_err(refused);
        }
        self.chains.table(scheme, count).map_err(|error| match error {
            ChainError::Table(error) => refused(error),
            error => BadInput::from_error(error),
        })
    }
}

/// The smallest table there is, for searches that use none.
///
/// # Errors
/// [`BadInput`] when the machine has not a page of memory left.
pub fn smallest() -> Result<AnyTable, BadInput> {
    AnyTable::new(Scheme::Buckets, 1).map_err(|error| refused("table-entries", 1, error))
}

/// So many tables of the library's own kind, of `mib` MiB each.
///
/// # Errors
/// As [`table`].
pub fn tables(count: usize, mib: u64) -> Result<Vec<AnyTable>, BadInput> {
    (0..count).map(|_| table(mib)).collect()
}

/// Tables of the library's own kind that share the memory of one of `mib` MiB: `count` of them, of equal
/// size.
///
/// # Errors
/// As [`table`].
pub fn parts(count: usize, mib: u64) -> Result<Vec<AnyTable>, BadInput> {
    let entries = (mib.saturating_mul(ENTRIES_A_MIB) / count as u64).max(1);
    let part = || AnyTable::new(Scheme::Buckets, entries);
    (0..count).map(|_| part().map_err(|error| refused("table-mb", mib, error))).collect()
}

/// A table of the library's own kind, of `mib` MiB.
///
/// # Errors
/// [`BadInput`] when the machine cannot give so much.
pub fn table(mib: u64) -> Result<AnyTable, BadInput> {
    AnyTable::of_mib(mib).map_err(|error| refused("table-mb", mib, error))
}

/// What to say of a table that cannot be had, of the size that a flag asks for.
pub fn refused(flag: &str, size: u64, error: TableError) -> BadInput {
    let reason = match error {
        TableError::Memory { source, .. } => source.to_string(),
        other => other.to_string(),
    };
    let complaint = format_args!("expected no more than the system grants ({reason})").to_string();
    BadInput::new(flag, size.to_string(), complaint)
}
