//! The memory of tables of buckets: zeroed pages straight from the system, huge ones where it grants them.

use super::TableError;
use bytemuck::Zeroable;
use memmap2::MmapMut;
use std::fmt;
use std::marker::PhantomData;

/// A zeroed array of buckets.
pub(super) struct Memory<B> {
    pages: MmapMut,
    buckets: usize,
    holds: PhantomData<B>,
}

impl<B: Zeroable> Memory<B> {
    /// `buckets` empty buckets.
    pub(super) fn zeroed(buckets: u64) -> Result<Self, TableError> {
        // The least page there is: what `get` relies on.
        const { assert!(4096 % align_of::<B>() == 0 && size_of::<B>() > 0) };
        let bytes = buckets.checked_mul(size_of::<B>() as u64).filter(|&bytes| bytes > 0);
        let Some(bytes) = bytes.filter(|&bytes| bytes <= isize::MAX as u64) else {
            return Err(TableError::Buckets { buckets });
        };
        let pages =
            MmapMut::map_anon(bytes as usize).map_err(|source| TableError::Memory { bytes, source })?;
        // A wish, not a need: random look-ups in small pages miss the address cache nearly every time. Where the
        // system does not know huge pages the table works all the same, so a refusal is no error.
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        Ok(Memory { pages, buckets: buckets as usize, holds: PhantomData })
    }

    /// The buckets.
    #[inline]
    pub(super) fn get(&self) -> &[B] {
        // SAFETY: the mapping is at least `buckets * size_of::<B>()` bytes long (`zeroed` asked for that), lives as
        // long as `self`, and begins on a page boundary, which a bucket's alignment divides. It was zeroed by the
        // system, and all-zero bytes are a valid bucket: it is `Zeroable`. The pages are private to this process and
        // nothing else ever makes a reference to them, so that all access goes through the bucket's own type. It
        // pays: see ARCHITECTURE.md, "unsafe".
        unsafe { std::slice::from_raw_parts(self.pages.as_ptr().cast::<B>(), self.buckets) }
    }
}

impl<B> fmt::Debug for Memory<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("buckets", &self.buckets).finish_non_exhaustive()
    }
}
