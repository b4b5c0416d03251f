//! The archive of a folder: the records of the folder and of its parts, packed together by tar and xz, so
//! that anybody can unpack them. Whoever reads records finds in it what is not in the folder itself.

use crate::cli::files::{self, Limited};
use crate::cli::outputs;
use crate::cli::texts;
use lzma_rust2::{XzOptions, XzReader, XzWriter};
use std::collections::BTreeMap;
use std::io::{self, BufReader, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// The file.
pub const ARCHIVE: &str = "records.tar.xz";

/// The most bytes that one has, and that are unpacked from it. The largest so far has a twelfth of it.
pub const MOST: u64 = 1 << 30;

/// The most memory that unpacking takes beside these, in KiB.
const MEMORY_KIB: u32 = 256 << 10;

/// So many unpacked bytes are remembered, since neighbours are read one after another.
const REMEMBERED: u64 = 256 << 20;

/// The files of an archive by their names: `samples.jsonl`, or `PART/samples.jsonl` of one of the parts.
pub type Members = BTreeMap<String, Arc<[u8]>>;

/// An archive as it was found: its path, its length and when it was changed.
type Found = (PathBuf, u64, Option<SystemTime>);

/// What was read last, the latest at the end.
static READ: Mutex<Vec<(Found, Arc<Members>)>> = Mutex::new(Vec::new());

/// The files in the archive of a folder; none where it has no archive.
///
/// # Errors
/// When it cannot be read, or is none that [`write`] makes. The error names it.
pub fn members(home: &Path) -> io::Result<Arc<Members>> {
    let path = home.join(ARCHIVE);
    let named = |error: io::Error| {
        let words = format!("{}: expected records packed by report ({error})", path.display());
        io::Error::new(error.kind(), words)
    };
    let file = match files::open(&path) {
        Err(error) if is_absence(&error) => return Ok(Arc::default()),
        file => file.map_err(named)?,
    };
    let about = file.metadata().map_err(named)?;
    if about.len() > MOST {
        return Err(named(files::too_large(MOST)));
    }
    let found = (path.clone(), about.len(), about.modified().ok());
    // Whoever wants the same waits until it is unpacked.
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let known = read.iter().position(|(known, _)| *known == found).map(|place| read.remove(place).1);
    let members = match known {
        Some(members) => members,
        None => Arc::new(unpacked(file, MOST).map_err(named)?),
    };
    read.push((found, Arc::clone(&members)));
    while read.len() > 1 && read.iter().map(|(_, members)| length(members)).sum::<u64>() > REMEMBERED {
        read.remove(0);
    }
    Ok(members)
}

/// The files in an archive, of so many bytes at most.
fn unpacked(file: impl Read, most: u64) -> io::Result<Members> {
    let packed = XzReader::new_mem_limit(BufReader::new(file), true, MEMORY_KIB);
    let mut tar = tar::Archive::new(Limited::new(packed, most));
    let mut members = Members::new();
    for entry in tar.entries()? {
        let mut entry = entry?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        if !entry.header().entry_type().is_file() || !is_inside(&name) {
            return Err(refused(format!("a file in the folder or one of its parts, not {name:?}")));
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        if bytes.len() as u64 != entry.size() || members.insert(name.clone(), bytes.into()).is_some() {
            return Err(refused(format!("{name:?} whole, and once")));
        }
    }
    // Checksums come last.
    io::copy(&mut tar.into_inner(), &mut io::sink())?;
    Ok(members)
}

/// Whether a name is of a file in the folder, or in a folder in it.
fn is_inside(name: &str) -> bool {
    let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    is_plain && name.split('/').count() <= 2 && !name.contains(['\\', '\0']) && !name.ends_with('/')
}

/// Replaces the archive of a folder. The same files give the same bytes: they are sorted by name, and nothing
/// is said of owner and hour.
///
/// # Errors
/// When it cannot be written, or is not read as it was written.
pub(super) fn write(home: &Path, members: &Members) -> io::Result<()> {
    let mut options = XzOptions::with_preset(9);
    let lzma = &mut options.lzma_options;
    // The most that an archive of lines in JSON gains by.
    (lzma.lc, lzma.pb, lzma.nice_len, lzma.depth_limit) = (4, 0, 273, 512);
    // No more memory than there is to pack.
    lzma.dict_size = length(members).next_power_of_two().clamp(1 << 16, lzma.dict_size.into()) as u32;
    outputs::replace(&home.join(ARCHIVE), |out| {
        let mut tar = tar::Builder::new(XzWriter::new(out, options)?);
        for (name, bytes) in members {
            let mut header = tar::Header::new_ustar();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            header.set_mtime(0);
            header.set_uid(0);
            header.set_gid(0);
            tar.append_data(&mut header, name, &bytes[..])?;
        }
        tar.into_inner()?.finish().map(drop)
    })?;
    let read = unpacked(files::open(&home.join(ARCHIVE))?, MOST)?;
    if read == *members { Ok(()) } else { Err(refused(format!("{ARCHIVE} as it was written"))) }
}

/// How many bytes there are in all.
fn length(members: &Members) -> u64 {
    members.values().map(|bytes| bytes.len() as u64).sum()
}

/// What the archive of a file's folder, or that of the folder above, has of the file.
///
/// # Errors
/// As those of [`members`].
pub fn find(path: &Path) -> io::Result<Option<Arc<[u8]>>> {
    let mut name = String::new();
    for (folder, last) in path.ancestors().skip(1).zip(path.ancestors().map(Path::file_name)).take(2) {
        let Some(last) = last else { break };
        name = format!("{}{}{name}", last.to_string_lossy(), if name.is_empty() { "" } else { "/" });
        if let Some(bytes) = members(folder)?.get(&name) {
            return Ok(Some(Arc::clone(bytes)));
        }
    }
    Ok(None)
}

/// Whether a file is there, or in an archive.
pub fn has(path: &Path) -> bool {
    path.exists() || matches!(find(path), Ok(Some(_)))
}

/// The bytes of a file, of which there may be so many: those of the file itself, else those in an archive.
///
/// # Errors
/// When there is none, or it cannot be read.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    match files::read(path, most) {
        Err(error) if is_absence(&error) => match find(path)? {
            None => Err(error),
            Some(bytes) if bytes.len() as u64 > most => Err(files::too_large(most)),
            Some(bytes) => Ok(bytes.to_vec()),
        },
        read => read,
    }
}

/// As [`read`], a text.
///
/// # Errors
/// As [`read`], and when it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> io::Result<String> {
    texts::of(read(path, most)?)
}

/// The parts of a folder of which the archive has a file of this name.
///
/// # Errors
/// As those of [`members`].
pub fn parts(home: &Path, file: &str) -> io::Result<Vec<PathBuf>> {
    let of = |name: &String| name.strip_suffix(file)?.strip_suffix('/').map(|part| home.join(part));
    Ok(members(home)?.keys().filter_map(of).collect())
}

fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn refused(expected: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;

    /// An archive with these entries of this kind, packed by xz.
    fn packed(kind: tar::EntryType, entries: &[(&str, &[u8])]) -> Vec<u8> {
        let mut tar = tar::Builder::new(XzWriter::new(Vec::new(), XzOptions::with_preset(0)).unwrap());
        for (name, bytes) in entries {
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(kind);
            header.set_size(bytes.len() as u64);
            // As it is: the crate itself would refuse some.
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            tar.append(&header, *bytes).unwrap();
        }
        tar.into_inner().unwrap().finish().unwrap()
    }

    #[test]
    fn what_is_no_file_of_a_record_is_refused() {
        let file = tar::EntryType::Regular;
        let good = packed(file, &[("a/b", b"1"), ("c", b"")]);
        assert_eq!(unpacked(&good[..], 1 << 20).unwrap()["a/b"][..], *b"1");
        for name in ["../a", "/a", "a/../b", "a/b/c", "./a", "a//b", "a/", "a\\b"] {
            let complaint = unpacked(&packed(file, &[(name, b"")])[..], 1 << 20).unwrap_err().to_string();
            assert!(complaint.contains("expected a file in the folder"), "{complaint}");
        }
        for kind in
            [tar::EntryType::Symlink, tar::EntryType::Link, tar::EntryType::Directory, tar::EntryType::Fifo]
        {
            assert!(unpacked(&packed(kind, &[("a", b"")])[..], 1 << 20).is_err(), "{kind:?}");
        }
        let twice = unpacked(&packed(file, &[("a", b"1"), ("a", b"2")])[..], 1 << 20);
        assert!(twice.unwrap_err().to_string().contains("once"));
    }

    #[test]
    fn no_more_is_unpacked_than_allowed() {
        let zeros = packed(tar::EntryType::Regular, &[("a", &vec![0; 1 << 20])]);
        assert!(zeros.len() < 1 << 12 && unpacked(&zeros[..], 2 << 20).is_ok());
        assert_eq!(unpacked(&zeros[..], 1 << 19).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        let mut packing = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).unwrap();
        let mut header = tar::Header::new_gnu();
        header.set_path("a").unwrap();
        header.set_size(u64::MAX >> 2);
        header.set_cksum();
        packing.write_all(header.as_bytes()).unwrap();
        assert!(unpacked(&packing.finish().unwrap()[..], 1 << 20).is_err(), "larger than the archive");
    }

    #[test]
    fn every_flipped_bit_and_every_early_end_is_seen() {
        let good = packed(tar::EntryType::Regular, &[("a/b", b"some bytes"), ("c", b"others")]);
        let read = unpacked(&good[..], 1 << 20).unwrap();
        for place in 0..good.len() {
            for bit in 0..8 {
                let mut flipped = good.clone();
                flipped[place] ^= 1 << bit;
                assert!(unpacked(&flipped[..], 1 << 20).is_err(), "bit {bit} of byte {place}");
            }
            assert!(place == 0 || unpacked(&good[..place], 1 << 20).is_err(), "{place} bytes");
        }
        let folder = std::env::temp_dir().join(format!("starsplit-archive-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        write(&folder, &read).unwrap();
        let bytes = fs::read(folder.join(ARCHIVE)).unwrap();
        write(&folder, &read).unwrap();
        assert!(fs::read(folder.join(ARCHIVE)).unwrap() == bytes && *members(&folder).unwrap() == read);
        fs::remove_dir_all(&folder).unwrap();
    }
}
