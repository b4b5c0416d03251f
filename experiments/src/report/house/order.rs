//! Whether the house is in order.

use crate::cli::files;
use crate::records::meta::{META, Meta, read_value};
use crate::records::samples::PLAIN;
use crate::report::house::machine;
use crate::report::house::manifest::{Current, Manifest};
use crate::report::house::places::{ARCHIVE, CURRENT};
use crate::report::house::seal::REVISION;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The most bytes of a file.
const FILE_BYTES: u64 = 1_000_000;

/// The most bytes of all records.
const ALL_BYTES: u64 = 40_000_000;

/// What is not as it should be, a line each: folders that the manifest does not name, or that are not there,
/// current records that do not tell their revision or lie in another machine's folder, samples that are not
/// sealed, files that are too large.
pub(super) fn disorder(house: &Path, manifest: &Manifest) -> io::Result<Vec<String>> {
    let mut lines = unlisted(house, manifest)?;
    let is_missing = |name: &&str| !house.join(name).is_dir();
    lines.extend(manifest.names().filter(is_missing).map(|name| format!("{name} is not there")));
    lines.extend(manifest.current().filter_map(|(_, record)| untold(house, record)));
    let mut all = 0;
    for (path, bytes) in files_below(house)? {
        let name = path.strip_prefix(house).unwrap_or(&path).display();
        all += bytes;
        if path.file_name() == Some(OsStr::new(PLAIN)) {
            lines.push(format!("{name} is not sealed"));
        } else if bytes > FILE_BYTES {
            lines.push(format!("{name} has {bytes} bytes, more than {FILE_BYTES}"));
        }
    }
    if all > ALL_BYTES {
        lines.push(format!("all records have {all} bytes, more than {ALL_BYTES}"));
    }
    Ok(lines)
}

/// What lies where records do, and is none that the manifest names.
fn unlisted(house: &Path, manifest: &Manifest) -> io::Result<Vec<String>> {
    let listed: BTreeSet<_> = manifest.names().map(|name| house.join(name)).collect();
    let mut found = entries(&house.join(ARCHIVE))?;
    for question in entries(&house.join(CURRENT))? {
        if question.is_dir() {
            found.extend(entries(&question)?);
        } else {
            found.push(question);
        }
    }
    let line = |path: &PathBuf| {
        format!("{} is not in the manifest", path.strip_prefix(house).unwrap_or(path).display())
    };
    Ok(found.iter().filter(|path| !listed.contains(*path)).map(line).collect())
}

/// What a current record that is there does not tell, or tells otherwise than its place does.
fn untold(house: &Path, record: &Current) -> Option<String> {
    let folder = house.join(&record.folder);
    if !folder.is_dir() {
        return None;
    }
    let (found, meta) = match read_meta(&folder) {
        Ok(read) => read,
        Err(error) => return Some(format!("{} has no {META} that can be read: {error}", record.folder)),
    };
    if found.get(REVISION).is_none() {
        return Some(format!("{} has no {META} with {REVISION:?}; seal it", record.folder));
    }
    let machine = machine::name(&meta.machine);
    let is_there = folder.file_name() == Some(OsStr::new(&machine));
    (!is_there).then(|| format!("{} was made on {machine}", record.folder))
}

/// What the `meta.json` of a folder says, and the same as it stands there: a revision that is unknown is to
/// be told from none.
fn read_meta(folder: &Path) -> io::Result<(Value, Meta)> {
    let text = files::read_text(&folder.join(META), files::TEXT)?;
    let found = read_value(&text).map_err(io::Error::other)?;
    let meta = Meta::deserialize(&found)?;
    Ok((found, meta))
}

/// Every file of the records, with its bytes.
fn files_below(house: &Path) -> io::Result<Vec<(PathBuf, u64)>> {
    let mut folders: Vec<_> = [CURRENT, ARCHIVE].iter().map(|name| house.join(name)).collect();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for path in entries(&folder)? {
            let found = path.symlink_metadata()?;
            if found.is_dir() {
                folders.push(path);
            } else {
                files.push((path, found.len()));
            }
        }
    }
    files.sort();
    Ok(files)
}

/// What is in a folder, by name; nothing where it is not there.
fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let found = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        found => found?,
    };
    let mut paths = found.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::house::manifest::tests::manifest;

    /// A house in order, in a folder that is removed afterwards.
    struct House(PathBuf);

    const RECORD: &str = "current/scaling/some-2";
    const OLD: &str = "archive/2026-01-01-scaling";

    impl House {
        fn new(name: &str) -> Self {
            let house =
                House(std::env::temp_dir().join(format!("starsplit-house-{}-{name}", std::process::id())));
            let _ = fs::remove_dir_all(&house.0);
            let meta = r#"{"revision": "0123", "machine": {"cores": 2, "cpu": {"name": "Some"}}}"#;
            house.write(&format!("{RECORD}/meta.json"), meta.as_bytes());
            house.write(&format!("{RECORD}/samples.jsonl.gz"), b"packed");
            house.write(&format!("{OLD}/meta.json"), b"{}");
            assert_eq!(house.disorder(), "");
            house
        }

        fn write(&self, name: &str, bytes: &[u8]) {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }

        fn disorder(&self) -> String {
            disorder(&self.0, &manifest()).unwrap().join("; ")
        }
    }

    impl Drop for House {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn folders_and_the_manifest_agree() {
        let house = House::new("agree");
        for name in [
            "current/other/some-2/meta.json",
            "archive/older/meta.json",
            "current/scaling/other-2/x",
            "archive/file",
        ] {
            house.write(name, b"{}");
            let named =
                name.rsplit_once('/').filter(|_| name != "archive/file").map_or(name, |(folder, _)| folder);
            assert_eq!(house.disorder(), format!("{named} is not in the manifest"));
            let path = house.0.join(named);
            if path.is_dir() { fs::remove_dir_all(path).unwrap() } else { fs::remove_file(path).unwrap() }
        }
        fs::remove_dir_all(house.0.join(RECORD)).unwrap();
        fs::remove_dir_all(house.0.join(OLD)).unwrap();
        assert_eq!(house.disorder(), format!("{RECORD} is not there; {OLD} is not there"));
    }

    #[test]
    fn current_records_tell_their_revision_and_machine() {
        let house = House::new("tell");
        let write = |text: &str| house.write(&format!("{RECORD}/meta.json"), text.as_bytes());
        write("{}");
        assert_eq!(house.disorder(), format!("{RECORD} has no meta.json with \"revision\"; seal it"));
        for (text, cause) in [
            ("", "EOF while parsing a value at line 1 column 0"),
            ("[", "EOF while parsing a list at line 1 column 1"),
            (r#"{"revision": 3}"#, "invalid type: integer `3`, expected a string"),
        ] {
            write(text);
            let found = house.disorder();
            assert!(found.starts_with(&format!("{RECORD} has no meta.json that can be read: ")), "{found}");
            assert!(found.contains(cause) && !found.contains('\n'), "{cause} in {found}");
        }
        write(r#"{"revision": null, "machine": {"cores": 4, "cpu": {"name": "Some"}}}"#);
        assert_eq!(house.disorder(), format!("{RECORD} was made on some-4"));
        write(r#"{"revision": null, "machine": {"cores": 2, "cpu": {"name": "Some"}}}"#);
        assert_eq!(house.disorder(), "");
    }

    #[test]
    fn samples_are_sealed_and_files_small() {
        let house = House::new("small");
        house.write(&format!("{OLD}/deeper/samples.jsonl"), b"{}");
        assert_eq!(house.disorder(), format!("{OLD}/deeper/samples.jsonl is not sealed"));
        fs::remove_file(house.0.join(OLD).join("deeper/samples.jsonl")).unwrap();
        house.write(&format!("{OLD}/large"), &vec![0; 1_000_000]);
        assert_eq!(house.disorder(), "");
        house.write(&format!("{OLD}/large"), &vec![0; 1_000_001]);
        assert_eq!(house.disorder(), format!("{OLD}/large has 1000001 bytes, more than 1000000"));
        for number in 0..40 {
            house.write(&format!("{OLD}/large"), b"");
            house.write(&format!("{OLD}/{number}"), &vec![0; 1_000_000]);
        }
        assert!(house.disorder().starts_with("all records have 40000"), "{}", house.disorder());
    }
}
