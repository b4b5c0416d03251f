//! The yardstick: an array of cache lines, in the same kind of memory as the tables.

#![allow(unsafe_code, reason = "mapped pages are read as atomics, and prefetched, as the tables do")]

use super::Subject;
use memmap2::{MmapMut, MmapRaw};
use starsplit::game::PositionHash;
use starsplit::table::NewEntry;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// One cache line.
#[repr(C, align(64))]
struct Line([AtomicU64; 8]);

/// Zeroed lines in pages asked for as the lockless table asks for its own: huge ones where the system grants
/// them.
pub(super) struct RawLines {
    pages: MmapRaw,
    lines: usize,
}

impl RawLines {
    pub(super) fn new(lines: u64) -> std::io::Result<Self> {
        let mut pages = MmapMut::map_anon(lines as usize * size_of::<Line>())?;
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        // A page that was never written is not there yet. Nobody else has them so far, so a plain `&mut [u8]`
        // will do.
        pages.fill(0);
        Ok(RawLines { pages: pages.into(), lines: lines as usize })
    }

    #[inline]
    fn line(&self, key: PositionHash) -> &Line {
        // SAFETY: `as_mut_ptr` hands out the pointer that the system gave, which may read and write all of
        // the mapping, and makes no reference on the way. From there on there are `lines * size_of::<Line>()`
        // bytes, which begin on a page boundary, stay mapped as long as `self`, and since `new` are reached
        // but through these atomics, for which every bit pattern is valid. Nothing but this gives an array of
        // atomics in memory of the tables' kind.
        let lines = unsafe { std::slice::from_raw_parts(self.pages.as_mut_ptr().cast::<Line>(), self.lines) };
        &lines[((u128::from(key.high) * lines.len() as u128) >> 64) as usize]
    }
}

impl Subject for RawLines {
    /// Reads all of the line.
    #[inline]
    fn read(&self, key: PositionHash) -> u64 {
        // Relaxed, here and below: as in the tables.
        self.line(key).0.iter().fold(0, |sum, word| sum | word.load(Relaxed))
    }

    /// Reads all of the line and writes all of it.
    #[inline]
    fn write(&self, key: PositionHash, _entry: NewEntry) -> u64 {
        self.line(key).0.iter().for_each(|word| word.store(word.load(Relaxed) ^ key.low, Relaxed));
        0
    }

    #[inline]
    fn announce(&self, key: PositionHash) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let line: *const Line = self.line(key);
            // SAFETY: a prefetch never faults and changes no memory. The tables prefetch so, and they are
            // compared.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.cast()) };
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }
}
