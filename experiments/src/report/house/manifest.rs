//! The manifest: which record answers which question, and what it has superseded.

use crate::cli::BadInput;
use crate::cli::files;
use crate::report::house::places::{ARCHIVE, CURRENT};
use crate::report::quotes::{RowSpecs, Sources, filled};
use crate::spec;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The file.
pub(super) const FILE: &str = "manifest.toml";

/// What the file says. Folders are named from the house on; links in texts are seen from the folder above it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::report) struct Manifest {
    /// How the records are to be read.
    pub(super) about: String,
    /// What is asked.
    #[serde(rename = "question")]
    pub(super) questions: Vec<Question>,
    /// What nobody has to read any more.
    #[serde(default)]
    pub(super) superseded: Vec<Superseded>,
}

/// What is asked, and the records that answer it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Question {
    /// Its name, which its folder has.
    pub(super) name: String,
    /// The spec by which `run` asks it; such questions are in the table of answers.
    pub(super) spec: Option<String>,
    /// The question itself.
    pub(super) asks: String,
    /// The answer, a template.
    pub(super) answer: String,
    /// The rows that figures in the answer, and in what its records show, are computed from.
    #[serde(default)]
    rows: RowSpecs,
    /// Whether it is left out of the table of answers, and stands on the page over the house alone.
    #[serde(default)]
    pub(super) is_aside: bool,
    /// The last revision that had the code of a study that is finished. Its records and their pages stay as
    /// they are.
    pub(super) retired: Option<String>,
    /// A record for each machine.
    pub(super) current: Vec<Current>,
}

/// The record of a question on a machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Current {
    /// `current/<question>/<machine>`.
    pub(super) folder: String,
    /// What is in it, a template.
    pub(super) shows: String,
    /// The command that makes such a record.
    pub(super) command: String,
}

/// A record that was current once, or was never better than one that is.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Superseded {
    /// `archive/<its old name>`.
    pub(super) folder: String,
    /// The current record that answers now what it answered.
    pub(super) by: String,
    /// The reason, where it is another than that the other record is later.
    pub(super) because: Option<String>,
    /// What is in it.
    pub(super) was: String,
    /// The command that made it.
    pub(super) command: String,
}

impl Manifest {
    /// Reads the manifest of a house; none where there is no such file.
    ///
    /// # Errors
    /// When the file cannot be read, is none, or contradicts itself.
    pub(in crate::report) fn read(house: &Path) -> Result<Option<Self>, BadInput> {
        let file = house.join(FILE);
        if file.symlink_metadata().is_err() {
            return Ok(None);
        }
        let refuse = |complaint: String| BadInput::new("file", file.to_string_lossy(), complaint);
        let text = files::read_text(&file, files::TEXT)
            .map_err(|error| refuse(format!("expected one that can be read ({error})")))?;
        Manifest::parse(&text).map(Some).map_err(refuse)
    }

    pub(in crate::report) fn parse(text: &str) -> Result<Self, String> {
        let manifest: Self = toml::from_str(text).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            format!("expected a manifest (line {line}: {})", error.message())
        })?;
        manifest.check()?;
        Ok(manifest)
    }

    /// The same with the figures in its templates computed.
    ///
    /// # Errors
    /// When one is not to be had.
    pub(super) fn filled(&self, sources: &Sources) -> Result<Self, BadInput> {
        let file = sources.house.join(FILE);
        let mut made = self.clone();
        for Question { name, answer, rows, current, .. } in &mut made.questions {
            let texts = current.iter_mut().map(|record| &mut record.shows);
            for text in texts.chain([answer]) {
                *text = filled(text, rows, sources).map_err(|complaint| {
                    BadInput::new("file", file.to_string_lossy(), format_args!("{name}: {complaint}"))
                })?;
            }
        }
        Ok(made)
    }

    /// The folders of all records whose pages are made, in the order in which the file names them.
    pub(in crate::report) fn folders(&self, house: &Path) -> Vec<PathBuf> {
        let retired: BTreeSet<_> = self.retired().collect();
        self.names().filter(|name| !retired.contains(name)).map(|name| house.join(name)).collect()
    }

    /// The folders of retired studies, whose pages and tables are what was made when they ran.
    pub(in crate::report) fn retired_folders(&self, house: &Path) -> Vec<PathBuf> {
        self.retired().map(|name| house.join(name)).collect()
    }

    fn retired(&self) -> impl Iterator<Item = &str> {
        let of_retired = self.current().filter(|(asked, _)| asked.retired.is_some());
        of_retired.map(|(_, record)| record.folder.as_str())
    }

    /// The names of all folders.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let current = self.current().map(|(_, record)| record.folder.as_str());
        current.chain(self.superseded.iter().map(|record| record.folder.as_str()))
    }

    /// The current records, each with its question.
    pub(super) fn current(&self) -> impl Iterator<Item = (&Question, &Current)> {
        self.questions.iter().flat_map(|asked| asked.current.iter().map(move |record| (asked, record)))
    }

    /// Whether every place is where it belongs, named once, and every text fits a cell of a table.
    fn check(&self) -> Result<(), String> {
        let mut found = BTreeSet::new();
        for name in self.names().chain(self.questions.iter().map(|asked| asked.name.as_str())) {
            if !found.insert(name) {
                return Err(format!("expected {name} once"));
            }
        }
        let specs: Vec<_> = spec::names().collect();
        for asked in &self.questions {
            if !is_name(&asked.name) {
                return Err(format!(
                    "expected a question's name of letters, digits, - and _, not {:?}",
                    asked.name
                ));
            }
            let spec = asked.spec.as_deref().filter(|_| asked.retired.is_none());
            if let Some(spec) = spec.filter(|spec| !specs.contains(spec)) {
                return Err(format!("expected one of the specs {}, not {spec:?}", specs.join(", ")));
            }
        }
        for (asked, record) in self.current() {
            let expected = [CURRENT, &asked.name];
            let parts: Vec<_> = record.folder.split('/').collect();
            if parts.len() != 3 || parts[..2] != expected || !is_name(parts[2]) {
                return Err(format!("expected {CURRENT}/{}/<machine>, not {}", asked.name, record.folder));
            }
        }
        for record in &self.superseded {
            let own = record.folder.strip_prefix(ARCHIVE).and_then(|rest| rest.strip_prefix('/'));
            if !own.is_some_and(is_name) {
                return Err(format!("expected {ARCHIVE}/<name>, not {}", record.folder));
            }
            if !self.current().any(|(_, current)| current.folder == record.by) {
                return Err(format!(
                    "expected a current record that supersedes {}, not {}",
                    record.folder, record.by
                ));
            }
        }
        match self.cells().find(|text| text.trim().is_empty() || text.contains(['\n', '|'])) {
            Some(text) => Err(format!("expected a line of text without |, not {text:?}")),
            None => Ok(()),
        }
    }

    /// Every text that goes into a table.
    fn cells(&self) -> impl Iterator<Item = &str> {
        let asked = self.questions.iter().flat_map(|asked| [&asked.name, &asked.asks, &asked.answer]);
        let specs = self.questions.iter().filter_map(|asked| asked.spec.as_ref());
        let current = self.current().flat_map(|(_, record)| [&record.shows, &record.command]);
        let superseded = self.superseded.iter().flat_map(|record| [&record.was, &record.command]);
        let reasons = self.superseded.iter().filter_map(|record| record.because.as_ref());
        let revisions = self.questions.iter().filter_map(|asked| asked.retired.as_ref());
        let more = specs.chain(reasons).chain(revisions);
        asked.chain(current).chain(superseded).chain(more).map(String::as_str)
    }
}

/// Whether a folder may be called so.
fn is_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ['-', '_'].contains(&c);
    !text.is_empty() && text.chars().all(is_plain)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A manifest of one question with one record, and one that is superseded.
    pub(in crate::report::house) const TEXT: &str = r#"
about = "How to read."

[[question]]
name = "scaling"
spec = "scaling"
asks = "How fast?"
answer = "fast ([report](results/current/scaling/some-2/README.md), [notes](notes.md#one))"

[[question.current]]
folder = "current/scaling/some-2"
shows = "two threads"
command = "run scaling"

[[superseded]]
folder = "archive/2026-01-01-scaling"
by = "current/scaling/some-2"
was = "one thread"
command = "scaling"
"#;

    /// That manifest.
    pub(in crate::report::house) fn manifest() -> Manifest {
        Manifest::parse(TEXT).expect("a manifest")
    }

    #[test]
    fn folders_are_named_in_their_order() {
        let names: Vec<_> = manifest().folders("house".as_ref());
        assert_eq!(
            names,
            ["house/current/scaling/some-2", "house/archive/2026-01-01-scaling"].map(PathBuf::from)
        );
    }

    #[test]
    fn a_retired_question_has_no_spec_any_more_and_its_records_stay_as_they_are() {
        let text = TEXT.replacen("spec = \"scaling\"", "spec = \"gone\"\nretired = \"0123\"", 1);
        let manifest = Manifest::parse(&text).expect("a manifest");
        assert_eq!(manifest.folders("house".as_ref()), [Path::new("house/archive/2026-01-01-scaling")]);
        let retired = manifest.retired_folders("house".as_ref());
        assert_eq!(retired, [Path::new("house/current/scaling/some-2")]);
    }

    #[test]
    fn the_manifest_that_is_kept_names_specs_that_exist() {
        let house = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../results"));
        let kept = Manifest::read(house).expect("nothing is wrong with it").expect("it is there");
        let specs: Vec<_> = spec::named().into_iter().map(|(name, _)| name).collect();
        let asked = kept.questions.iter().filter(|asked| asked.retired.is_none());
        let asked: Vec<_> = asked.filter_map(|asked| asked.spec.as_deref()).collect();
        assert!(!asked.is_empty() && asked.iter().all(|spec| specs.contains(spec)), "{asked:?} in {specs:?}");
    }

    #[test]
    fn what_is_wrong_is_said_in_a_line() {
        for (from, to, words) in [
            ("asks =", "askes =", "line 7"),
            ("about = ", "about ", "line 2"),
            (
                "current/scaling/some-2\"\nshows",
                "current/some-2\"\nshows",
                "current/scaling/<machine>, not current/some-2",
            ),
            ("current/scaling/some-2\"\nshows", "current/scaling/..\"\nshows", "not current/scaling/.."),
            ("archive/2026-01-01-scaling", "archive", "archive/<name>, not archive"),
            ("archive/2026-01-01-scaling", "archive/a/b", "not archive/a/b"),
            (
                "by = \"current/scaling/some-2",
                "by = \"current/scaling/other-2",
                "not current/scaling/other-2",
            ),
            ("two threads", "two|threads", "two|threads"),
            ("two threads", "two\\nthreads", "without |"),
            ("\"one thread\"", "\" \"", "a line of text"),
            ("archive/2026-01-01-scaling", "current/scaling/some-2", "once"),
            (
                "name = \"scaling\"",
                "name = \"..\"",
                "a question's name of letters, digits, - and _, not \"..\"",
            ),
            ("spec = \"scaling\"", "spec = \"scalling\"", "not \"scalling\""),
        ] {
            let changed = TEXT.replacen(from, to, 1);
            assert_ne!(changed, TEXT, "{from}");
            let complaint = Manifest::parse(&changed).unwrap_err();
            assert!(complaint.contains(words) && !complaint.contains('\n'), "{words} in {complaint}");
        }
        assert!(Manifest::read("no/such/house".as_ref()).unwrap().is_none());
    }
}
