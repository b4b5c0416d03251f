//! Records that an earlier run left, to be read or gone on with.

use crate::cli::files;
use crate::records::archive;
use crate::records::archived::Archived;
use crate::records::line::{self, RecordLine};
use crate::records::meta::{META, Meta};
use crate::records::samples::{self, PLAIN};
use crate::records::texts::{TextError, Texts};
use crate::records::writer::{Records, RecordsError};
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

/// The records of an earlier run. Its lines are read one at a time, as often as they are asked for.
#[derive(Clone, Debug)]
pub struct Earlier {
    path: PathBuf,
    /// What `meta.json` says.
    pub meta: Meta,
    /// Whether runs may be added to them that were made by another build, on another machine or at another
    /// time than those they are set beside.
    pub is_mixed: bool,
    /// How many bytes the file of the samples was; none where it is sealed.
    found: Option<u64>,
}

impl Earlier {
    /// Reads `meta.json` in the folder `path`, and looks whether the samples are lines of text; none where
    /// there are no samples, or nothing in their file because a run was killed as it began. Writes nothing.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn read(path: &Path) -> Result<Option<Self>, RecordsError> {
        let refuse = |expected| RecordsError::Unreadable(path.to_owned(), expected);
        let found = match samples::place_in(path).and_then(|place| place.length()) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Ok(Some(0)) if !path.join(META).exists() => return Ok(None),
            found => found.map_err(|error| refuse(TextError::Unreadable(error).to_string()))?,
        };
        length_of(path, usize::MAX).map_err(|error| refuse(error.to_string()))?;
        let meta = archive::read_text(&path.join(META), files::TEXT);
        let meta = meta.map_err(|error| error.to_string()).and_then(|text| Meta::read(&text));
        let meta = meta.map_err(|error| {
            refuse(format!("a {META} beside {PLAIN} that names its experiment ({error})"))
        })?;
        Ok(Some(Earlier { path: path.to_owned(), meta, is_mixed: false, found }))
    }

    /// The lines, in their order; what a killed run may have left behind the last of them is not among them.
    ///
    /// A line is an error, in words, where it is not of that kind or was changed since it was written, where
    /// one before it is missing, where it is of another schema than `meta.json`, or where the file cannot be
    /// read.
    pub fn lines<L: RecordLine>(&self) -> impl Iterator<Item = Result<L, String>> + use<L> {
        let opened = samples::place_in(&self.path).and_then(|place| {
            let archived = Archived::of(&self.path, &place);
            Ok((Texts::new(place.open()?), archived))
        });
        let mut opened = opened.map_err(|error| Some(error.to_string()));
        let (mut number, schema) = (0, self.meta.schema);
        iter::from_fn(move || match &mut opened {
            Ok((texts, archived)) => match texts.next_text() {
                Ok(text) => text.map(|text| {
                    number += 1;
                    line::read_at(text, number, || archived.has(text, number))
                        .and_then(|line| line::check_schema(line, schema))
                }),
                Err(error) => Some(Err(format!("expected {error}"))),
            },
            Err(complaint) => complaint.take().map(Err),
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether nothing may be added to them.
    pub fn is_sealed(&self) -> bool {
        self.found.is_none()
    }

    /// Opens the records to add to them. So many lines are kept; what follows them is cut off.
    ///
    /// # Errors
    /// When they cannot be written to, are sealed, or something was written to them since they were read.
    pub fn go_on(self, lines: usize) -> Result<Records, RecordsError> {
        let Some(found) = self.found else {
            return Err(RecordsError::Sealed(self.path));
        };
        let length = length_of(&self.path, lines)
            .map_err(|error| RecordsError::Unreadable(self.path.clone(), error.to_string()))?;
        Records::go_on(&self.path, (length, found), lines, self.meta)
    }
}

/// How many bytes the first lines in a folder are, at most so many of them.
fn length_of(folder: &Path, lines: usize) -> Result<u64, TextError> {
    let mut texts = Texts::new(samples::open(folder)?);
    for _ in 0..lines {
        if texts.next_text()?.is_none() {
            break;
        }
    }
    Ok(texts.whole_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::line::Line;
    use crate::records::line::tests::full;
    use crate::records::meta::{DICE, RunSettings};
    use serde_json::json;
    use std::fs;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn half_a_line_is_cut_off_before_the_next_is_added() {
        let folder = std::env::temp_dir().join(format!("starsplit-earlier-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        assert!(Earlier::read(&folder).unwrap().is_none(), "nothing is there");
        let settings = RunSettings::other(&json!({"depth": 3})).unwrap();
        let mut records = Records::create(Some(&folder), ("test", DICE), settings, None).unwrap();
        records.append(&full()).unwrap();
        drop(records);
        let samples = folder.join(PLAIN);
        // Half a letter of two bytes at its end.
        fs::write(&samples, [&fs::read(&samples).unwrap()[..], b"{\"n\":\"\xc3"].concat()).unwrap();
        let earlier = Earlier::read(&folder).unwrap().unwrap();
        let lines: Vec<Line> = earlier.lines().collect::<Result<_, _>>().unwrap();
        assert_eq!((lines, earlier.meta.settings.get("depth")), (vec![full()], json!(3)));
        let other = Line { repeat: 7, ..full() };
        earlier.go_on(1).unwrap().append(&other).unwrap();
        let earlier = Earlier::read(&folder).unwrap().unwrap();
        assert_eq!(earlier.lines().collect::<Result<Vec<Line>, _>>().unwrap(), [full(), other]);
        assert_eq!(fs::read_to_string(&samples).unwrap().lines().count(), 2);
        // A program that another test starts has the file open, and so locked, until it begins.
        let is_sealed = |_| {
            thread::sleep(Duration::from_millis(10));
            crate::records::sealing::seal(&folder).is_ok()
        };
        assert!((0..500).any(is_sealed));
        let earlier = Earlier::read(&folder).unwrap().unwrap();
        assert_eq!((earlier.lines::<Line>().count(), earlier.is_sealed()), (2, true));
        assert!(earlier.go_on(2).unwrap_err().to_string().contains("not sealed"));
        fs::remove_file(folder.join(archive::ARCHIVE)).unwrap();
        fs::write(&samples, "{\"n\":1}\r\n{\"n\":2}\r\n").unwrap();
        assert!(Earlier::read(&folder).unwrap_err().to_string().contains("without carriage returns"));
        fs::write(&samples, "{\"n\":1}\n").unwrap();
        fs::remove_file(folder.join(META)).unwrap();
        assert!(Earlier::read(&folder).unwrap_err().to_string().contains("expected a meta.json"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
