//! The records that are kept: a folder for each question and machine, an archive, and a manifest that says
//! which is which.

mod machine;
mod manifest;
mod order;
mod pages;
mod places;
pub(super) mod seal;

pub(super) use manifest::Manifest;

use crate::cli::BadInput;
use crate::cli::files;
use crate::report::quotes::{self, Filled, Sources};
use places::CURRENT;
use std::io;
use std::path::{Path, PathBuf};

/// A text that is made from the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    /// Where it goes.
    pub(super) path: PathBuf,
    /// The file's whole text.
    pub(super) text: String,
}

/// The page over the house, the README.md above it with the table of answers in it made anew, and the
/// documents with their blocks of figures.
///
/// # Errors
/// [`BadInput`] when a document cannot be read or has no place for what goes into it, or a figure is not to
/// be had.
pub(super) fn texts(manifest: &Manifest, sources: &Sources) -> Result<Vec<Text>, BadInput> {
    let (house, root) = (sources.house, above(sources.house));
    let path = root.join("README.md");
    let refuse = |complaint: String| BadInput::new("file", path.to_string_lossy(), complaint);
    let manifest = manifest.filled(sources)?;
    let mut texts = vec![Text { path: house.join("README.md"), text: pages::over_all(&manifest) }];
    let documents = quotes::documents(house, &root, sources)?;
    texts.extend(documents.into_iter().map(|Filled { path, text }| Text { path, text }));
    if texts.iter().all(|made| made.path != path) {
        let text = files::read_text(&path, files::TEXT);
        let text = text.map_err(|error| refuse(format!("expected one that can be read ({error})")))?;
        texts.push(Text { path: path.clone(), text });
    }
    for made in texts.iter_mut().filter(|made| made.path == path) {
        made.text = pages::with_answers(&made.text, &manifest).ok_or_else(|| {
            refuse(format!("expected a line {} and one {} after it", pages::BEGIN, pages::END))
        })?;
    }
    Ok(texts)
}

/// The folder that the house is in.
fn above(house: &Path) -> PathBuf {
    match house.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// What is not in order in the house, a line each.
///
/// # Errors
/// [`BadInput`] when a folder cannot be read.
pub(super) fn disorder(house: &Path, manifest: &Manifest) -> Result<Vec<String>, BadInput> {
    order::disorder(house, manifest).map_err(|error| unreadable(house, &error))
}

fn unreadable(house: &Path, error: &io::Error) -> BadInput {
    BadInput::new("folder", house.to_string_lossy(), format!("expected folders that can be read ({error})"))
}

/// How many names tell a record's folder from others: its own, with the question's before it where it is a
/// current one.
pub(super) fn names_of(record: &Path) -> usize {
    let questions = record.ancestors().nth(2);
    let is_current = questions.is_some_and(|questions| {
        questions.ends_with(CURRENT)
            && questions.parent().is_some_and(|house| house.join(manifest::FILE).is_file())
    });
    if is_current { 2 } else { 1 }
}
