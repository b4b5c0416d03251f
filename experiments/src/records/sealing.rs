//! Sealing: the records of a folder, or of its parts, go into its archive when no run will add to them any
//! more.

use crate::cli::files;
use crate::records::archive::{self, ARCHIVE};
use crate::records::archived::Archived;
use crate::records::checksum;
use crate::records::line;
use crate::records::meta::META;
use crate::records::samples::{PLAIN, Place, Samples, place_in};
use crate::records::texts::Texts;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The records of a folder that are not in the archive yet.
#[derive(Debug)]
pub struct Loose {
    /// What goes into the archive, by its names there.
    members: Vec<(String, Arc<[u8]>)>,
    /// The files that are removed then.
    files: Vec<PathBuf>,
    folder: PathBuf,
    /// Keeps runs from adding lines until then.
    _lock: Option<File>,
}

impl Loose {
    /// Whether nothing is left to seal.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Reads what there is of a `folder`, which is `home` or a part of it: samples, tables and the
    /// `meta.json` of a part. That of `home` is for everybody to see, as are pictures. Looks whether all
    /// lines are as they were written.
    ///
    /// # Errors
    /// When a run is adding lines, a line is damaged or only half there, or something cannot be read.
    pub fn read(home: &Path, folder: &Path) -> io::Result<Self> {
        let is_part = folder != home;
        let part = folder.file_name().filter(|_| is_part).map(|name| format!("{}/", name.to_string_lossy()));
        let part = part.unwrap_or_default();
        let mut loose =
            Loose { members: Vec::new(), files: Vec::new(), folder: folder.to_owned(), _lock: None };
        for file in tables_and(META, folder)?.into_iter().filter(|file| is_part || !file.ends_with(META)) {
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            loose.members.push((format!("{part}{name}"), files::read(&file, files::TEXT)?.into()));
            loose.files.push(file);
        }
        let place = place_in(folder)?;
        let Place::Plain(file) = &place else { return Ok(loose) };
        let lock = files::open(file)?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            return Err(io::Error::new(io::ErrorKind::WouldBlock, format!("a run is writing to {PLAIN}")));
        }
        let archived = Archived::of(folder, &place);
        loose.members.push((format!("{part}{PLAIN}"), checked(place.open()?, archived)?.into()));
        loose.files.push(file.clone());
        Ok(Loose { _lock: Some(lock), ..loose })
    }
}

/// The tables in a folder, and the file of that name.
fn tables_and(name: &str, folder: &Path) -> io::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut files = entries.collect::<io::Result<Vec<_>>>()?;
    files.retain(|file| file.ends_with(name) || file.extension().is_some_and(|end| end == "csv"));
    files.sort();
    Ok(files)
}

/// Seals the records of a folder by themselves. Whether anything was left to seal.
///
/// # Errors
/// As those of [`Loose::read`] and [`pack`].
pub fn seal(folder: &Path) -> io::Result<bool> {
    let loose = Loose::read(folder, folder)?;
    let is_left = !loose.is_empty();
    pack(folder, &[loose]).map(|()| is_left)
}

/// Puts records into the archive of the folder `home`, and removes their files. Samples that are there
/// already may only have been added to, everything else is replaced.
///
/// # Errors
/// When other samples are there already, or the archive cannot be written. The files are as they were then.
pub fn pack(home: &Path, all: &[Loose]) -> io::Result<()> {
    let before = archive::members(home)?;
    let mut members = (*before).clone();
    for (name, bytes) in all.iter().flat_map(|loose| &loose.members) {
        let known = members.insert(name.clone(), Arc::clone(bytes));
        // Sealing that was killed leaves both.
        if known.is_some_and(|known| name.ends_with(PLAIN) && !bytes.starts_with(&known)) {
            return Err(io::Error::other(format!("{ARCHIVE} is there and does not hold what {name} does")));
        }
    }
    if members != *before {
        archive::write(home, &members)?;
    }
    for loose in all {
        loose.files.iter().try_for_each(fs::remove_file)?;
        // Of a part nothing else may be left.
        let _ = fs::remove_dir(&loose.folder);
    }
    Ok(())
}

/// The lines, without their checksums. Looks whether every one is whole and as it was written, and all are of
/// one schema.
fn checked(samples: Samples, mut archived: Archived) -> io::Result<Vec<u8>> {
    let mut texts = Texts::new(samples);
    let (mut number, mut packed, mut schema) = (0, Vec::new(), None);
    while let Some(text) = texts.next_text().map_err(|error| refused(format!("expected {error}")))? {
        number += 1;
        let own = line::check(text, number, || archived.has(text, number))
            .map_err(|error| refused(format!("line {number} of {PLAIN}: {error}")))?;
        let first = *schema.get_or_insert(own);
        if own != first {
            let complaint = format!("expected lines of schema {first}, line {number} of {PLAIN} is of {own}");
            return Err(refused(complaint));
        }
        packed.extend_from_slice(checksum::emptied(text).as_bytes());
        packed.push(b'\n');
    }
    if texts.has_half() {
        return Err(refused(format!("{PLAIN} ends within line {}, where a run was killed", number + 1)));
    }
    Ok(packed)
}

fn refused(complaint: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, complaint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::samples::{are_in, are_sealed_in, open};
    use std::io::Write;
    use tempfile::{TempDir, tempdir};

    fn text_of(folder: &TempDir) -> io::Result<String> {
        io::read_to_string(open(folder.path())?)
    }

    #[test]
    fn sealed_samples_are_read_as_they_were() {
        let scratch = tempdir().unwrap();
        let text: String = (0..50_000_u64).map(|n| format!("{{\"n\":{}}}\n", n * n)).collect();
        let pack = |scratch: &TempDir| {
            fs::write(scratch.path().join(PLAIN), &text).unwrap();
            assert!(
                are_in(scratch.path()) && !are_sealed_in(scratch.path()) && text_of(scratch).unwrap() == text
            );
            assert!(seal(scratch.path()).unwrap() && !scratch.path().join(PLAIN).exists());
            fs::read(scratch.path().join(ARCHIVE)).unwrap()
        };
        let packed = pack(&scratch);
        assert!(packed.len() < text.len() / 3 && are_in(scratch.path()) && are_sealed_in(scratch.path()));
        assert_eq!(text_of(&scratch).unwrap(), text);
        assert!(!seal(scratch.path()).unwrap(), "nothing is left to seal");
        let other = tempdir().unwrap();
        assert!(pack(&other) == packed, "the same samples give the same bytes");
    }

    #[test]
    fn parts_go_into_one_archive_and_are_read_from_it() {
        let scratch = tempdir().unwrap();
        let [one, two] = ["one", "two"].map(|name| scratch.path().join(name));
        let line = |number| line::write(&line::tests::full(), number).unwrap() + "\n";
        for part in [&one, &two] {
            fs::create_dir(part).unwrap();
            fs::write(part.join(PLAIN), line(1)).unwrap();
            fs::write(part.join(META), "{}").unwrap();
        }
        fs::write(one.join("figures.csv"), "a\n1\n").unwrap();
        fs::write(two.join("speedup.svg"), "<svg/>").unwrap();
        fs::write(scratch.path().join(META), "{}").unwrap();
        let pack_all = || {
            let all = [&one, &two].map(|part| Loose::read(scratch.path(), part).unwrap());
            pack(scratch.path(), &all).map(|()| all.iter().filter(|loose| !loose.is_empty()).count())
        };
        assert_eq!(pack_all().unwrap(), 2);
        assert!(!one.exists() && two.join("speedup.svg").exists() && scratch.path().join(META).exists());
        let names =
            ["one/figures.csv", "one/meta.json", "one/samples.jsonl", "two/meta.json", "two/samples.jsonl"];
        assert!(archive::members(scratch.path()).unwrap().keys().eq(names.iter()));
        assert_eq!(archive::parts(scratch.path(), PLAIN).unwrap(), [one.clone(), two.clone()]);
        assert_eq!(archive::read_text(&one.join("figures.csv"), 4).unwrap(), "a\n1\n");
        assert_eq!(
            archive::read(&one.join("figures.csv"), 3).unwrap_err().kind(),
            io::ErrorKind::FileTooLarge
        );
        assert!(!archive::has(&one.join("growth.csv")) && archive::has(&two.join(META)));
        let read = io::read_to_string(open(&one).unwrap()).unwrap();
        assert_eq!(read.trim_end(), checksum::emptied(line(1).trim_end()));
        assert_eq!(pack_all().unwrap(), 0, "nothing is left to seal");
        // What lies in a folder comes first; lines may have been added, tables may be others.
        fs::create_dir(&one).unwrap();
        fs::write(one.join("figures.csv"), "a\n2\n").unwrap();
        fs::write(one.join(PLAIN), line(1) + &line(2)).unwrap();
        assert_eq!(archive::read_text(&one.join("figures.csv"), 4).unwrap(), "a\n2\n");
        assert_eq!(pack_all().unwrap(), 1);
        assert_eq!(archive::read_text(&one.join("figures.csv"), 4).unwrap(), "a\n2\n");
        assert_eq!(io::read_to_string(open(&one).unwrap()).unwrap().lines().count(), 2);
    }

    #[test]
    fn damaged_or_doubled_samples_are_refused() {
        let scratch = tempdir().unwrap();
        fs::write(scratch.path().join(PLAIN), "{\"n\":1}\n".repeat(1_000)).unwrap();
        seal(scratch.path()).unwrap();
        let sealed = scratch.path().join(ARCHIVE);
        let packed = fs::read(&sealed).unwrap();
        for bad in [packed[..packed.len() - 1].to_vec(), [&packed[..], b"more"].concat()] {
            fs::write(&sealed, bad).unwrap();
            let complaint = text_of(&scratch).unwrap_err().to_string();
            assert!(complaint.contains("records.tar.xz: expected records packed by report"), "{complaint}");
            assert!(are_in(scratch.path()), "whoever reads it has to complain");
        }
        let none = tempdir().unwrap();
        assert_eq!(text_of(&none).unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn what_is_being_written_is_not_sealed() {
        let scratch = tempdir().unwrap();
        let mut file = fs::File::create(scratch.path().join(PLAIN)).unwrap();
        file.write_all(b"{}\n").unwrap();
        file.lock().unwrap();
        assert_eq!(seal(scratch.path()).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        drop(file);
        assert!(seal(scratch.path()).unwrap());
    }

    #[test]
    fn other_samples_that_are_sealed_are_not_replaced() {
        let scratch = tempdir().unwrap();
        let [plain, sealed] = [PLAIN, ARCHIVE].map(|name| scratch.path().join(name));
        fs::write(&plain, "{\"n\":1}\n").unwrap();
        seal(scratch.path()).unwrap();
        let packed = fs::read(&sealed).unwrap();
        fs::write(&plain, "{\"n\":2}\n").unwrap();
        let complaint = seal(scratch.path()).unwrap_err().to_string();
        assert_eq!(complaint, "records.tar.xz is there and does not hold what samples.jsonl does");
        assert!(fs::read(&sealed).unwrap() == packed && plain.exists());
        fs::write(&plain, "{\"n\":1}\n").unwrap();
        assert!(seal(scratch.path()).unwrap() && !plain.exists(), "the same samples are removed");
        assert!(fs::read(&sealed).unwrap() == packed);
    }

    #[test]
    fn lines_that_are_not_as_they_were_written_are_not_sealed() {
        let scratch = tempdir().unwrap();
        let good = line::write(&line::tests::full(), 1).unwrap();
        let changed = good.replace("\"nodes\":34", "\"nodes\":35");
        let bare = good.split(",\"crc32\"").next().unwrap().to_owned() + "}";
        let second = line::write(&line::tests::full(), 2).unwrap();
        let third = line::write(&line::tests::full(), 3).unwrap();
        for (text, words) in [
            (format!("{good}\n{changed}\n"), "line 2 of samples.jsonl: its checksum is"),
            (format!("{good}\n{third}\n"), "line 2 of samples.jsonl: it was written as line 3"),
            (format!("{second}\n"), "line 1 of samples.jsonl: it was written as line 2"),
            (format!("{bare}\n"), "line 1 of samples.jsonl: expected a checksum"),
            (format!("{good}\nx\n"), "line 2 of samples.jsonl: expected value"),
            (format!("{good}\n{}", &good[..20]), "samples.jsonl ends within line 2"),
            (format!("{good}\n{good}"), "samples.jsonl ends within line 2"),
            (format!("{good}\n{good} "), "expected a line feed after the last line"),
        ] {
            fs::write(scratch.path().join(PLAIN), &text).unwrap();
            let complaint = seal(scratch.path()).unwrap_err().to_string();
            assert!(complaint.starts_with(words), "{words} in {complaint}");
            assert!(text_of(&scratch).unwrap() == text && !scratch.path().join(ARCHIVE).exists());
        }
        fs::write(scratch.path().join(PLAIN), good + "\n").unwrap();
        assert!(seal(scratch.path()).unwrap());
    }
}
