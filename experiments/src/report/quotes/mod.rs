//! Figures that documents quote: a block between two marks in a document has the text of a template, in which
//! every figure is computed from the records.
//!
//! In the document, `<!-- figures NAME -->` and `<!-- end -->`, within a paragraph or around whole lines. In
//! a file below `results/quotes`, the template of that name:
//!
//! ```toml
//! document = "docs/report.md"
//!
//! [[block]]
//! name = "two-threads"
//! text = "{two.speedup_large_median:.2} times as fast"
//! rows.two = { of = "current/scaling/xeon-m207-2/paper", method = "chance-split", processors = 2 }
//! ```
//!
//! `rows` names rows of a table of a record ([`source`]), and what stands in braces is computed from them
//! ([`expression`], [`template`]).

mod blocks;
mod expression;
mod file;
mod source;
mod template;

pub(in crate::report) use source::{RowSpecs, Sources, Tables};

use crate::cli::BadInput;
use crate::cli::files;
use crate::report::output::line_at;
use file::{Block, QuotesFile};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the templates, in the house.
const FOLDER: &str = "quotes";

/// Where documents lie, seen from the root; those below are looked at, but for the folders in them.
const PLACES: [&str; 2] = ["", "docs"];

/// A document with its blocks filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::report) struct Filled {
    /// Where it is.
    pub(in crate::report) path: PathBuf,
    /// Its whole text.
    pub(in crate::report) text: String,
}

/// The text of a template without a document of its own, such as an answer.
///
/// # Errors
/// What is wrong with it, in a line.
pub(in crate::report) fn filled(text: &str, rows: &RowSpecs, sources: &Sources) -> Result<String, String> {
    template::fill(text, &sources.find(rows)?)
}

/// Every document below `root` that has blocks, with the blocks filled from the templates in the house.
///
/// # Errors
/// [`BadInput`] where a document and its templates do not fit together, or a figure is not to be had: a line
/// with the file and, where one is to blame, its line.
pub(in crate::report) fn documents(
    house: &Path,
    root: &Path,
    sources: &Sources,
) -> Result<Vec<Filled>, BadInput> {
    let mut templates = templates(&house.join(FOLDER))?;
    let mut made = Vec::new();
    for path in written(root) {
        let text = read(&path)?;
        let own = templates.remove(path.strip_prefix(root).unwrap_or(&path));
        let marks = blocks::find(&text).map_err(|(line, complaint)| refuse(&path, line, &complaint))?;
        match own {
            None if marks.is_empty() => {}
            None => {
                return Err(refuse(
                    &path,
                    marks[0].line,
                    "expected no block without templates below results",
                ));
            }
            Some((file, own)) => {
                let texts = texts(&file, &own, sources)?;
                check_names(&path, &marks, &file, &own)?;
                made.push(Filled { path, text: blocks::with(&text, &marks, &texts) });
            }
        }
    }
    match templates.into_iter().next() {
        None => Ok(made),
        Some((document, (file, _))) => {
            let complaint = format!("expected a document that is there, not {}", document.display());
            Err(refuse(&file, 1, &complaint))
        }
    }
}

/// What every template comes to, by its name.
fn texts(file: &Path, own: &QuotesFile, sources: &Sources) -> Result<BTreeMap<String, String>, BadInput> {
    let text = |block: &Block| {
        let made = filled(&block.text, &block.rows, sources);
        let made =
            made.map_err(|complaint| refuse(file, block.line, &format!("{}: {complaint}", block.name)))?;
        Ok((block.name.clone(), made))
    };
    own.blocks.iter().map(text).collect()
}

/// Whether each block has a template, and each template one block.
fn check_names(
    document: &Path,
    marks: &[blocks::Mark],
    file: &Path,
    own: &QuotesFile,
) -> Result<(), BadInput> {
    for (place, mark) in marks.iter().enumerate() {
        if own.blocks.iter().all(|block| block.name != mark.name) {
            let complaint =
                format!("expected a block whose template is in {}, not {}", file.display(), mark.name);
            return Err(refuse(document, mark.line, &complaint));
        }
        if marks[..place].iter().any(|other| other.name == mark.name) {
            return Err(refuse(document, mark.line, &format!("expected the block {} once", mark.name)));
        }
    }
    match own.blocks.iter().find(|block| marks.iter().all(|mark| mark.name != block.name)) {
        None => Ok(()),
        Some(block) => {
            let complaint = format!("expected a template that {} uses, not {}", own.document, block.name);
            Err(refuse(file, block.line, &complaint))
        }
    }
}

/// The files of templates, by the documents that they are for; none without the folder.
fn templates(folder: &Path) -> Result<BTreeMap<PathBuf, (PathBuf, QuotesFile)>, BadInput> {
    let mut found = BTreeMap::new();
    for path in listed(folder, "toml") {
        let text = read(&path)?;
        let own = QuotesFile::parse(&text)
            .map_err(|(start, complaint)| refuse(&path, line_at(&text, start), &complaint))?;
        if let Some((other, _)) = found.insert(PathBuf::from(&own.document), (path.clone(), own)) {
            let complaint = format!("expected another document than {} has", other.display());
            return Err(refuse(&path, 1, &complaint));
        }
    }
    Ok(found)
}

/// The documents, by name.
fn written(root: &Path) -> Vec<PathBuf> {
    PLACES.iter().flat_map(|place| listed(&root.join(place), "md")).collect()
}

fn listed(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries.map(|entry| entry.path()).collect();
    found.retain(|path| path.is_file() && path.extension().is_some_and(|found| found == extension));
    found.sort();
    found
}

fn read(path: &Path) -> Result<String, BadInput> {
    files::read_text(path, files::TEXT).map_err(|error| {
        let complaint = format!("expected one that can be read ({error})");
        BadInput::new("file", path.to_string_lossy(), complaint)
    })
}

fn refuse(path: &Path, line: usize, complaint: &str) -> BadInput {
    BadInput::new("file", path.to_string_lossy(), format_args!("line {line}: {complaint}"))
}
