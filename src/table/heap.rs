//! The memory of bucket tables where nothing can be mapped, as in WebAssembly: zeroed, from the heap.

use super::TableError;
use super::bucket::Bucket;
use super::slot::SealedSlot;
use bytemuck::Zeroable;
use bytemuck::allocation::try_zeroed_slice_box;
use std::fmt;
use std::fs::File;
use std::io;

/// An array of buckets.
pub(super) struct Memory<B>(Box<[B]>);

impl<B: Zeroable> Memory<B> {
    /// `buckets` empty buckets.
    pub(super) fn zeroed(buckets: u64) -> Result<Self, TableError> {
        let bytes = buckets.checked_mul(size_of::<B>() as u64).filter(|&bytes| bytes > 0);
        let Some(bytes) = bytes.filter(|&bytes| bytes <= isize::MAX as u64) else {
            return Err(TableError::Buckets { buckets });
        };
        let refused = |()| TableError::Memory { bytes, source: io::ErrorKind::OutOfMemory.into() };
        try_zeroed_slice_box(buckets as usize).map(Memory).map_err(refused)
    }

    /// The buckets.
    #[inline]
    pub(super) fn get(&self) -> &[B] {
        &self.0
    }
}

impl Memory<Bucket<SealedSlot>> {
    /// Files cannot be shared here.
    pub(super) fn of_file(_: &File, _: u64, _: u64) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// There is no file.
    pub(super) fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

impl<B> fmt::Debug for Memory<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memory").field("buckets", &self.0.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zeroed(buckets: u64) -> Result<Memory<Bucket<SealedSlot>>, TableError> {
        Memory::zeroed(buckets)
    }

    #[test]
    fn buckets_are_empty_and_as_many_as_asked_for() {
        let memory = zeroed(1000).expect("a small table");
        assert_eq!(memory.get().len(), 1000);
        assert!(memory.get().iter().flat_map(|bucket| &bucket.slots).all(|slot| slot.words() == [0; 2]));
        assert!(memory.flush().is_ok());
    }

    #[test]
    fn what_cannot_be_had_is_an_error() {
        for buckets in [0, u64::MAX, isize::MAX as u64 / 64 + 1] {
            let error = zeroed(buckets).map(|_| ()).expect_err("no such memory");
            assert!(matches!(error, TableError::Buckets { buckets: found } if found == buckets), "{error}");
        }
        let mut had = Vec::new(); // with addresses of 32 bits, one or two
        let error = loop {
            match zeroed(isize::MAX as u64 / 64) {
                Ok(memory) => had.push(memory),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, TableError::Memory { .. }), "{error}");
        let file = File::open("Cargo.toml").expect("the manifest");
        let error = Memory::of_file(&file, 0, 1).map(|_| ()).expect_err("not to be mapped");
        assert_eq!(error.kind(), io::ErrorKind::Unsupported);
    }
}
