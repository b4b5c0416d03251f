//! The header of a saved table: 16 KiB, with its own checksum and a line of marks that change during use.
//!
//! ```text
//! 0        magic 8, format 4, byte order 1, bits a slot 4, slots a bucket 4, bytes a block 4, key scheme 4,
//!          buckets 8, game 8, evaluator 8, limit 4, low 8, high 8, reuse 1; then the names of game, rules
//!          and evaluator, each a length 4 and so many bytes of UTF-8; zeros
//! 16,312   checksum 8 of all before it
//! 16,320   marks 64: see `marks.rs`
//! 16,384   the buckets, 64 bytes each, as they lie in memory
//!          a checksum 8 for each block of 64 KiB of them
//! ```
//!
//! Numbers are little-endian, except in marks and buckets, which are used in place.

use crate::SavedTableError;
use crate::checksum::checksum;
use crate::identity::{Salts, TableIdentity, TableNames};
use starsplit::score::Score;
use starsplit::table::Reuse;
use starsplit::unstable::KEY_SCHEME;
use std::path::Path;

/// The length of the header. The buckets begin here, on a cache line.
pub(crate) const HEADER: usize = 16 << 10;
/// Where the marks begin.
pub(crate) const MARKS_AT: usize = HEADER - 64;
const CHECKSUM_AT: usize = MARKS_AT - 8;

/// The bytes of buckets with a common checksum.
pub(crate) const BLOCK: usize = 64 << 10;

/// The bytes of a bucket.
pub(crate) const BUCKET: usize = 64;

/// Contains bytes that a transfer as text would change.
pub(crate) const MAGIC: [u8; 8] = *b"\x89SPLTB\r\n";
const FORMAT: u32 = 1;
const BYTE_ORDER: u8 = if cfg!(target_endian = "little") { 1 } else { 2 };

/// The constant parts of the header.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Header {
    layout: Layout,
    pub(crate) buckets: u64,
    identity: TableIdentity,
}

/// The layout of slots and blocks in the file, and how keys are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    byte_order: u8,
    bits_a_slot: u32,
    slots_a_bucket: u32,
    bytes_a_block: u32,
    key_scheme: u32,
}

/// The layout of this build.
const LAYOUT: Layout = Layout {
    byte_order: BYTE_ORDER,
    bits_a_slot: 128,
    slots_a_bucket: 4,
    bytes_a_block: BLOCK as u32,
    key_scheme: KEY_SCHEME,
};

impl Header {
    pub(crate) fn new(buckets: u64, identity: &TableIdentity) -> Self {
        Header { layout: LAYOUT, buckets, identity: identity.clone() }
    }

    /// The number of blocks.
    pub(crate) fn blocks(&self) -> u64 {
        self.buckets.div_ceil((BLOCK / BUCKET) as u64)
    }

    /// The offset of the checksums.
    pub(crate) fn checksums_at(&self) -> u64 {
        self.buckets.saturating_mul(BUCKET as u64).saturating_add(HEADER as u64)
    }

    /// The length of the file.
    pub(crate) fn file_bytes(&self) -> u64 {
        self.checksums_at().saturating_add(8 * self.blocks())
    }

    /// The header without the marks. The names must fit.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let Salts { game, evaluator, limit, range: (low, high), reuse } = self.identity.salts;
        let Layout { byte_order, bits_a_slot, slots_a_bucket, bytes_a_block, key_scheme } = self.layout;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT.to_le_bytes());
        bytes.push(byte_order);
        for number in [bits_a_slot, slots_a_bucket, bytes_a_block, key_scheme] {
            bytes.extend(number.to_le_bytes());
        }
        for number in [self.buckets, game, evaluator] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(limit.to_le_bytes());
        bytes.extend(low.to_bits().to_le_bytes());
        bytes.extend(high.to_bits().to_le_bytes());
        bytes.push(u8::from(reuse == Reuse::AtLeast));
        for (_, text) in self.identity.texts() {
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes.resize(CHECKSUM_AT, 0);
        let checksum = checksum(0, &bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    /// Decodes what [`encode`](Self::encode) wrote.
    pub(crate) fn decode(bytes: &[u8], path: &Path) -> Result<Self, SavedTableError> {
        let path = || path.to_owned();
        if !bytes.starts_with(&MAGIC) {
            return Err(SavedTableError::Foreign { path: path() });
        }
        let (checked, found) = bytes.split_at_checked(CHECKSUM_AT).unwrap_or_default();
        let fits = found.first_chunk() == Some(&checksum(0, checked).to_le_bytes());
        if !fits {
            return Err(SavedTableError::Header { path: path() });
        }
        let mut fields = Fields(&checked[MAGIC.len()..]);
        let format = fields.u32().unwrap_or_default();
        if format != FORMAT {
            let (expected, found) = (FORMAT.to_string(), format.to_string());
            return Err(SavedTableError::Differs { path: path(), what: "format", expected, found });
        }
        fields.header().ok_or_else(|| SavedTableError::Header { path: path() })
    }

    /// Checks that this build can use the table for searches of `identity`.
    pub(crate) fn check(&self, identity: &TableIdentity, path: &Path) -> Result<(), SavedTableError> {
        let layout = LAYOUT.difference(self.layout);
        match layout.or_else(|| identity.difference(&self.identity)) {
            None => Ok(()),
            Some((what, expected, found)) => {
                Err(SavedTableError::Differs { path: path.to_owned(), what, expected, found })
            }
        }
    }
}

impl Layout {
    /// The first difference: its name, the value of `self`, the value of `found`.
    fn difference(self, found: Layout) -> Option<(&'static str, String, String)> {
        let named = |layout: Layout| {
            [
                ("byte order", u32::from(layout.byte_order)),
                ("bits a slot", layout.bits_a_slot),
                ("slots a bucket", layout.slots_a_bucket),
                ("bytes a block", layout.bytes_a_block),
                ("key scheme", layout.key_scheme),
            ]
        };
        let mut both = named(self).into_iter().zip(named(found));
        let (own, other) = both.find(|(own, other)| own != other)?;
        Some((own.0, own.1.to_string(), other.1.to_string()))
    }
}

/// The fields not yet read. Each method returns `None` at the end.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Option<String> {
        let length = self.u32()? as usize;
        String::from_utf8(self.take(length)?.to_vec()).ok()
    }

    /// The fields after the format.
    fn header(&mut self) -> Option<Header> {
        let layout = Layout {
            byte_order: self.u8()?,
            bits_a_slot: self.u32()?,
            slots_a_bucket: self.u32()?,
            bytes_a_block: self.u32()?,
            key_scheme: self.u32()?,
        };
        let buckets = self.u64()?;
        let salts = Salts {
            game: self.u64()?,
            evaluator: self.u64()?,
            limit: self.array().map(Score::from_le_bytes)?,
            range: (f64::from_bits(self.u64()?), f64::from_bits(self.u64()?)),
            reuse: if self.u8()? == 0 { Reuse::Exact } else { Reuse::AtLeast },
        };
        let names = TableNames { game: self.text()?, rules: self.text()?, evaluator: self.text()? };
        Some(Header { layout, buckets, identity: TableIdentity { names, salts } })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        let salts = Salts { game: 1, evaluator: 2, limit: 100, range: (-1.0, 1.5), reuse: Reuse::Exact };
        let names = TableNames { game: "dice".into(), rules: "size=5".into(), evaluator: "runs".into() };
        Header::new(77, &TableIdentity { names, salts })
    }

    #[test]
    fn what_is_written_is_read() {
        let mut header = header();
        assert_eq!(Header::decode(&header.encode(), Path::new("x")).unwrap(), header);
        // The longest names, in a header of the same length.
        let name = || "x".repeat(crate::identity::MAX_NAME);
        header.identity.names = TableNames { game: name(), rules: name(), evaluator: name() };
        assert!(header.identity.check(Path::new("x")).is_ok());
        assert_eq!(header.encode().len(), MARKS_AT);
        assert_eq!(Header::decode(&header.encode(), Path::new("x")).unwrap(), header);
    }

    #[test]
    fn no_bit_may_change() {
        let whole = header().encode();
        for bit in 0..8 * whole.len() {
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(Header::decode(&bytes, Path::new("x")).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn every_field_that_differs_is_named() {
        type Change = fn(&mut Header);
        let changes: [(Change, &str); 13] = [
            (|header| header.layout.byte_order = 9, "byte order"),
            (|header| header.layout.bits_a_slot = 64, "bits a slot 128, found 64"),
            (|header| header.layout.slots_a_bucket = 8, "slots a bucket 4, found 8"),
            (|header| header.layout.bytes_a_block = 4096, "bytes a block 65536, found 4096"),
            (|header| header.layout.key_scheme += 1, "key scheme"),
            (|header| header.identity.names.game = "pig".into(), "game dice, found pig"),
            (|header| header.identity.names.rules = "size=6".into(), "rules size=5, found size=6"),
            (|header| header.identity.names.evaluator = "none".into(), "evaluator runs, found none"),
            (|header| header.identity.salts.game = 7, "number of the game and its rules 0x1, found 0x7"),
            (|header| header.identity.salts.evaluator = 7, "number of the evaluator 0x2, found 0x7"),
            (|header| header.identity.salts.limit = 99, "limit of the grid 100, found 99"),
            (|header| header.identity.salts.range.1 = 2.0, "values -1.0 to 1.5, found -1.0 to 2.0"),
            (|header| header.identity.salts.reuse = Reuse::AtLeast, "exact depths, found of greater"),
        ];
        let own = header();
        own.check(&own.identity, Path::new("x")).expect("no difference");
        for (change, told) in changes {
            let mut other = header();
            change(&mut other);
            let read = Header::decode(&other.encode(), Path::new("x")).expect("a sound header");
            let complaint = read.check(&own.identity, Path::new("x")).expect_err(told).to_string();
            assert!(complaint.starts_with("table x: expected ") && complaint.contains(told), "{complaint}");
        }
    }

    #[test]
    fn whatever_names_a_file_has_they_are_told_on_one_short_line() {
        let own = header();
        for name in ["\u{1b}[31m\n".to_owned(), "\0".repeat(4096), "x".repeat(4096), "\u{1d11e}".repeat(1000)]
        {
            let mut other = header();
            other.identity.names.rules = name;
            let complaint = other.check(&own.identity, Path::new("x")).expect_err("other rules").to_string();
            assert!(complaint.starts_with("table x: expected rules size=5, found "), "{complaint}");
            assert!(complaint.len() < 600 && !complaint.contains(char::is_control), "{complaint:?}");
        }
    }

    #[test]
    fn another_format_is_told() {
        let mut bytes = header().encode();
        bytes[8] += 1;
        let checksum = checksum(0, &bytes[..CHECKSUM_AT]).to_le_bytes();
        bytes[CHECKSUM_AT..].copy_from_slice(&checksum);
        let complaint = Header::decode(&bytes, Path::new("x")).unwrap_err().to_string();
        assert_eq!(complaint, "table x: expected format 1, found 2");
    }
}
