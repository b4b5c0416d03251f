//! The memory of bucket tables: zeroed pages from the system, huge ones where it has them.

#![allow(unsafe_code, reason = "mapped pages are read as buckets, for huge pages and untouched zero pages")]

use super::TableError;
use super::bucket::Bucket;
use super::slot::SealedSlot;
use bytemuck::Zeroable;
use memmap2::{MmapMut, MmapOptions, MmapRaw};
use std::fmt;
use std::fs::File;
use std::io;
use std::marker::PhantomData;

/// An array of buckets, in fresh memory or in a file.
pub(super) struct Memory<B> {
    /// Raw, so that nothing makes a reference to bytes that any thread may be writing.
    pages: MmapRaw,
    buckets: usize,
    holds: PhantomData<B>,
}

impl<B: Zeroable> Memory<B> {
    /// `buckets` empty buckets.
    pub(super) fn zeroed(buckets: u64) -> Result<Self, TableError> {
        // The least page size, on which `get` relies.
        const { assert!(4096 % align_of::<B>() == 0 && size_of::<B>() > 0) };
        let bytes = buckets.checked_mul(size_of::<B>() as u64).filter(|&bytes| bytes > 0);
        let Some(bytes) = bytes.filter(|&bytes| bytes <= isize::MAX as u64) else {
            return Err(TableError::Buckets { buckets });
        };
        let pages =
            MmapMut::map_anon(bytes as usize).map_err(|source| TableError::Memory { bytes, source })?;
        // Random probes of small pages miss the address cache (TLB) nearly every time. The table works
        // without huge pages, so a refusal is no error.
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        Ok(Memory { pages: pages.into(), buckets: buckets as usize, holds: PhantomData })
    }

    /// The buckets.
    #[inline]
    pub(super) fn get(&self) -> &[B] {
        // SAFETY: `as_mut_ptr` returns the system's pointer, which may read and write the whole mapping, and
        // makes no reference on the way. The mapping holds `buckets * size_of::<B>()` bytes, at most
        // `isize::MAX` (both checked by `zeroed` and `of_file`). They begin on a page boundary, or at an
        // offset into the file that `of_file` checked; both are multiples of a bucket's alignment. They stay
        // mapped as long as `self`, which the slice borrows.
        // From `zeroed`: the system zeroed them, and a bucket may be all zeros: it is `Zeroable`. The pages
        // are private to this process and reached through such slices only. So they change only through the
        // buckets' own atomics, which have `UnsafeCell`s.
        // From `of_file`: they hold anything, and anything is a valid bucket of sealed slots, which are pairs
        // of `AtomicU64`s. Other processes with this code change them through the same atomics. Any other
        // writer changes words that are read as atomics only, which may hold any value at any time. Where the
        // file is truncated, an access ends the process by a signal and reads nothing.
        // `MmapRaw` is `Send` and `Sync`; `holds` makes `Memory` so only if `B` is, so that `B` decides
        // whether threads may share the slice. It pays: see docs/decisions.md, "The table".
        unsafe { std::slice::from_raw_parts(self.pages.as_mut_ptr().cast::<B>(), self.buckets) }
    }
}

// Only of sealed slots: a file may hold anything, and anything is a valid bucket of them.
impl Memory<Bucket<SealedSlot>> {
    /// The `buckets` buckets at byte `offset` of a file, in memory shared by all processes that map it.
    pub(super) fn of_file(file: &File, offset: u64, buckets: u64) -> io::Result<Self> {
        let size = size_of::<Bucket<SealedSlot>>() as u64;
        let is_aligned = offset % align_of::<Bucket<SealedSlot>>() as u64 == 0;
        let bytes = buckets.checked_mul(size).filter(|&bytes| 0 < bytes && bytes <= isize::MAX as u64);
        let length = file.metadata()?.len();
        let is_within = |&bytes: &u64| offset.checked_add(bytes).is_some_and(|end| end <= length);
        let Some(bytes) = bytes.filter(|bytes| is_aligned && is_within(bytes)) else {
            let told = format!(
                "{buckets} buckets at byte {offset}: expected at least 1, at a multiple of {size}, within \
                 the file's {length} bytes"
            );
            return Err(io::Error::new(io::ErrorKind::InvalidInput, told));
        };
        let pages = MmapOptions::new().offset(offset).len(bytes as usize).map_raw(file)?;
        Ok(Memory { pages, buckets: buckets as usize, holds: PhantomData })
    }

    /// Writes the file's memory to the disk.
    pub(super) fn flush(&self) -> io::Result<()> {
        self.pages.flush()
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
        let mut had = Vec::new(); // with addresses of 32 bits, one or two
        let error = loop {
            match Memory::<CacheLine>::zeroed(bytes / 64) {
                Ok(memory) => had.push(memory),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, TableError::Memory { bytes: found, .. } if found == bytes));
    }
}
