//! Locks on whole files, as `File` itself has them since Rust 1.89.

use fs4::{FileExt, TryLockError};
use std::fs::File;
use std::io;

/// Waits for the exclusive lock.
pub(crate) fn lock(file: &File) -> io::Result<()> {
    FileExt::lock(file)
}

/// Waits for a shared lock.
pub(crate) fn lock_shared(file: &File) -> io::Result<()> {
    FileExt::lock_shared(file)
}

/// Takes the exclusive lock, unless somebody has a lock.
pub(crate) fn try_lock(file: &File) -> io::Result<bool> {
    match FileExt::try_lock(file) {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Gives the lock back.
pub(crate) fn unlock(file: &File) -> io::Result<()> {
    FileExt::unlock(file)
}
