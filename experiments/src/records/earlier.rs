//! Records that an earlier run left, to be gone on with.

use crate::cli::files;
use crate::records::samples::{self, PLAIN};
use crate::records::writer::{META, Records, RecordsError};
use serde_json::Value;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The records of an earlier run.
#[derive(Clone, Debug)]
pub struct Earlier {
    path: PathBuf,
    /// What `meta.json` says.
    pub meta: Value,
    /// The whole lines of `samples.jsonl`. What a killed run may have left behind the last of them is not among them.
    pub lines: Vec<String>,
    /// Whether runs may be added to them that were made by another build, on another machine or at another time than those
    /// they are set beside.
    pub is_mixed: bool,
    /// How many bytes the file was; none where it is sealed.
    found: Option<u64>,
}

impl Earlier {
    /// Reads the records in the folder `path`; none where there are no samples, or nothing in their file because a run was
    /// killed as it began. Writes nothing.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn read(path: &Path) -> Result<Option<Self>, RecordsError> {
        let refuse = |expected| RecordsError::Unreadable { path: path.to_owned(), expected };
        let mut bytes = Vec::new();
        let read =
            samples::open(path).and_then(|mut samples| samples.read_to_end(&mut bytes).map(|_| samples));
        let found = match read {
            Ok(samples) => (!samples.is_sealed()).then_some(bytes.len() as u64),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(refuse(format!("a readable {PLAIN} ({error})"))),
        };
        if bytes.is_empty() && !path.join(META).exists() {
            return Ok(None);
        }
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let text = std::str::from_utf8(&bytes[..whole])
            .map_err(|error| refuse(format!("text in {PLAIN} ({error})")))?;
        // Lengths are counted by lines, so that what an editor has made of their ends must not go unseen.
        if text.contains('\r') {
            return Err(refuse(format!(
                "lines in {PLAIN} that end in a line feed alone, without carriage returns"
            )));
        }
        let meta = files::read_text(&path.join(META), files::TEXT);
        let meta = meta.and_then(|text| Ok(serde_json::from_str(&text)?));
        Ok(Some(Earlier {
            path: path.to_owned(),
            meta: meta.map_err(|error| refuse(format!("a {META} beside {PLAIN} ({error})")))?,
            lines: text.lines().map(str::to_owned).collect(),
            is_mixed: false,
            found,
        }))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether nothing may be added to them.
    pub fn is_sealed(&self) -> bool {
        self.found.is_none()
    }

    /// Opens the records to add to them. What follows the [lines](Self::lines), half a line, is cut off.
    ///
    /// # Errors
    /// When they cannot be written to, are sealed, or something was written to them since they were read.
    pub fn go_on(self) -> Result<Records, RecordsError> {
        let Some(found) = self.found else {
            return Err(RecordsError::Sealed { path: self.path });
        };
        let length = self.lines.iter().map(|line| line.len() as u64 + 1).sum();
        Records::go_on(&self.path, (length, found), self.meta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::fs;

    #[test]
    fn half_a_line_is_cut_off_before_the_next_is_added() {
        let folder = std::env::temp_dir().join(format!("starsplit-earlier-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        assert!(Earlier::read(&folder).unwrap().is_none(), "nothing is there");
        let mut records = Records::create(Some(&folder), "test", &json!({"depth": 3}), None).unwrap();
        records.append(&json!({"n": 1})).unwrap();
        drop(records);
        let samples = folder.join(PLAIN);
        // Half a letter of two bytes at its end.
        fs::write(&samples, [&fs::read(&samples).unwrap()[..], b"{\"n\":\"\xc3"].concat()).unwrap();
        let earlier = Earlier::read(&folder).unwrap().unwrap();
        assert_eq!((earlier.lines.len(), &earlier.meta["settings"]["depth"]), (1, &json!(3)));
        earlier.go_on().unwrap().append(&json!({"n": 2})).unwrap();
        assert_eq!(fs::read_to_string(&samples).unwrap(), "{\"n\":1}\n{\"n\":2}\n");
        fs::write(&samples, "{\"n\":1}\r\n{\"n\":2}\r\n").unwrap();
        assert!(Earlier::read(&folder).unwrap_err().to_string().contains("without carriage returns"));
        fs::write(&samples, "{\"n\":1}\n").unwrap();
        fs::remove_file(folder.join(META)).unwrap();
        assert!(Earlier::read(&folder).unwrap_err().to_string().contains("expected a meta.json"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
