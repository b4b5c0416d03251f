//! The memory of tables of buckets: zeroed pages straight from the system, huge ones where it grants them.

#![allow(unsafe_code, reason = "mapped pages are read as buckets, for huge pages and untouched zero pages")]

use super::TableError;
use super::buckets::Bucket;
use super::saved::Marks;
use super::slot::SealedSlot;
use bytemuck::Zeroable;
use memmap2::{MmapMut, MmapOptions, MmapRaw};
use std::fmt;
use std::fs::File;
use std::io;
use std::marker::PhantomData;

/// Types of which all bytes are valid, whoever writes them.
///
/// # Safety
/// They consist of atomic integers and of nothing else, padding aside.
pub(super) unsafe trait AnyBytes: Zeroable {}

// SAFETY: four slots of two `AtomicU64`s.
unsafe impl AnyBytes for Bucket<SealedSlot> {}
// SAFETY: eight `AtomicU64`s.
unsafe impl AnyBytes for Marks {}

/// An array of buckets, zeroed or in a file.
pub(super) struct Memory<B> {
    /// Raw, so that nothing ever makes a reference to their bytes, which any thread may be writing.
    pages: MmapRaw,
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
        // A wish, not a need: random look-ups in small pages miss the address cache nearly every time. Where
        // the system does not know huge pages the table works all the same, so a refusal is no error.
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        Ok(Memory { pages: pages.into(), buckets: buckets as usize, holds: PhantomData })
    }

    /// The `buckets` buckets that begin at `offset` in a file, in memory that all who map them share. The
    /// file has to be as long; `offset` is a multiple of their alignment.
    pub(super) fn of_file(file: &File, offset: u64, buckets: u64) -> io::Result<Self>
    where
        B: AnyBytes,
    {
        let is_aligned = offset.is_multiple_of(align_of::<B>() as u64);
        let bytes = buckets.checked_mul(size_of::<B>() as u64).filter(|&bytes| bytes > 0);
        let bytes = bytes.filter(|&bytes| is_aligned && bytes <= isize::MAX as u64);
        let Some(bytes) = bytes else { return Err(io::ErrorKind::InvalidInput.into()) };
        let pages = MmapOptions::new().offset(offset).len(bytes as usize).map_raw(file)?;
        Ok(Memory { pages, buckets: buckets as usize, holds: PhantomData })
    }

    /// Has what was written to a file's memory written to the disk.
    pub(super) fn flush(&self) -> io::Result<()> {
        self.pages.flush()
    }

    /// The buckets.
    #[inline]
    pub(super) fn get(&self) -> &[B] {
        // SAFETY: `as_mut_ptr` hands out the pointer that the system gave, with its right to read and write
        // all of the mapping, and makes no reference on the way. From there on there are `buckets *
        // size_of::<B>()` bytes, at most `isize::MAX` (`zeroed` and `of_file` saw to both). They begin on a
        // page boundary, which a bucket's alignment divides, or in a file so far behind one that it does
        // (`of_file`), and stay mapped as long as `self`, which the slice borrows.
        // Of `zeroed`, the system zeroed them, and all-zero bytes are a valid bucket: it is `Zeroable`. The
        // pages are private to this process and reached through such slices alone, so whatever changes there
        // is changed through a bucket's own atomics, by the leave of their `UnsafeCell`s.
        // Of `of_file`, they hold anything, and anything is a valid bucket: it is `AnyBytes`. Other processes
        // that run this code change them through the same atomics; what else writes to the file changes words
        // that are read as atomics only, which may hold any value at any time. Where the file is cut off, an
        // access ends the process by a signal, and reads nothing.
        // Whether other threads may have such a slice is up to `B`, for which `holds` stands: `MmapRaw` may
        // go anywhere. It pays: see docs/performance.md, "What a look-up costs".
        unsafe { std::slice::from_raw_parts(self.pages.as_mut_ptr().cast::<B>(), self.buckets) }
    }
}

impl<B> fmt::Debug for Memory<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("buckets", &self.buckets).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    #[derive(Zeroable)]
    #[repr(C, align(64))]
    struct CacheLine([AtomicU64; 8]);

    #[test]
    fn many_threads_write_what_all_of_them_read() {
        const LINES: usize = 1000;
        const THREADS: u64 = 8;
        let memory = Memory::<CacheLine>::zeroed(LINES as u64).expect("a small table");
        assert_eq!((memory.get().len(), memory.get().as_ptr().addr() % align_of::<CacheLine>()), (LINES, 0));
        let words = || memory.get().iter().flat_map(|line| &line.0);
        assert!(words().all(|word| word.load(Relaxed) == 0), "the system zeroes pages");
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                scope.spawn(move || words().for_each(|word| _ = word.fetch_add(1 << (8 * thread), Relaxed)));
            }
        });
        let from_all: u64 = (0..THREADS).map(|thread| 1 << (8 * thread)).sum();
        assert!(words().all(|word| word.load(Relaxed) == from_all), "a write was lost or came elsewhere");
    }

    #[test]
    fn what_cannot_be_had_is_an_error() {
        let error = |lines| Memory::<CacheLine>::zeroed(lines).map(|_| ()).expect_err("no such memory");
        for lines in [0, u64::MAX, u64::MAX / 64 + 1, isize::MAX as u64 / 64 + 1] {
            assert!(matches!(error(lines), TableError::Buckets { buckets } if buckets == lines), "{lines}");
        }
        let bytes = isize::MAX as u64 / 64 * 64;
        assert!(matches!(error(bytes / 64), TableError::Memory { bytes: found, .. } if found == bytes));
    }
}
