//! Which lines may have their checksums left empty: those in an archive, which has a checksum of its own, and
//! those that were unpacked from the one beside them, and are as they are there.

use crate::records::archive;
use crate::records::samples::{PLAIN, Place};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The lines of a folder as its archive has them.
#[derive(Debug)]
pub(super) struct Archived {
    /// Where the samples are that may have been unpacked; none where they are in the archive.
    loose: Option<PathBuf>,
    /// The archive's, once they were needed; nothing where it has none.
    packed: Option<Arc<[u8]>>,
    /// Where the line after the last that was looked for begins, and its number, from 1.
    next: (usize, usize),
}

impl Archived {
    /// Of the samples of a folder, which are there.
    pub(super) fn of(folder: &Path, place: &Place) -> Self {
        let loose = (!matches!(place, Place::Packed(_))).then(|| folder.join(PLAIN));
        Archived { loose, packed: None, next: (0, 1) }
    }

    /// Whether the line of this number may have its checksum left empty. Numbers only grow.
    pub(super) fn has(&mut self, text: &str, number: usize) -> bool {
        let Some(loose) = &self.loose else { return true };
        if self.packed.is_none() {
            // An archive that cannot be read vouches for nothing.
            self.packed = Some(archive::find(loose).ok().flatten().unwrap_or_default());
        }
        let packed = self.packed.as_deref().unwrap_or_default();
        let mut found: &[u8] = &[];
        while self.next.1 <= number && self.next.0 < packed.len() {
            found = packed[self.next.0..].split(|&byte| byte == b'\n').next().unwrap_or_default();
            self.next = (self.next.0 + found.len() + 1, self.next.1 + 1);
        }
        self.next.1 == number + 1 && found == text.as_bytes()
    }
}
