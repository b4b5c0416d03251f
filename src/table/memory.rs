//! The lockless table's memory: zeroed pages straight from the system, huge ones where it grants them.

use super::TableError;
use super::lockless::Bucket;
use memmap2::MmapMut;
use std::fmt;

/// A zeroed array of buckets.
pub(super) struct Memory {
    pages: MmapMut,
    buckets: usize,
}

impl Memory {
    /// `buckets` empty buckets.
    pub(super) fn zeroed(buckets: u64) -> Result<Self, TableError> {
        let bytes = buckets.checked_mul(size_of::<Bucket>() as u64).filter(|&bytes| bytes > 0);
        let Some(bytes) = bytes.filter(|&bytes| bytes <= isize::MAX as u64) else {
            return Err(TableError::Buckets { buckets });
        };
        let pages =
            MmapMut::map_anon(bytes as usize).map_err(|source| TableError::Memory { bytes, source })?;
        // A wish, not a need: random look-ups in small pages miss the address cache nearly every time. Where the
        // system does not know huge pages the table works all the same, so a refusal is no error.
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        Ok(Memory { pages, buckets: buckets as usize })
    }

    /// The buckets.
    #[inline]
    pub(super) fn buckets(&self) -> &[Bucket] {
        // SAFETY: the mapping is at least `buckets * size_of::<Bucket>()` bytes long (`zeroed` asked for that), lives
        // as long as `self`, and begins on a page boundary, which a bucket's 64 bytes divide. It was zeroed by the
        // system, and all-zero bytes are a valid `Bucket`: it consists of `AtomicU64`s alone. The pages are private
        // to this process and nothing else ever makes a reference to them, so that all access goes through these
        // atomics. It pays: see ARCHITECTURE.md, "unsafe".
        unsafe { std::slice::from_raw_parts(self.pages.as_ptr().cast::<Bucket>(), self.buckets) }
    }
}

impl fmt::Debug for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("buckets", &self.buckets).finish_non_exhaustive()
    }
}
