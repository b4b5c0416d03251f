//! A file of templates.

use crate::report::output::line_at;
use crate::report::quotes::blocks::is_name;
use crate::report::quotes::source::RowSpecs;
use serde::Deserialize;
use std::collections::BTreeSet;
use toml::Spanned;

/// The templates of a document.
#[derive(Clone, Debug)]
pub(super) struct QuotesFile {
    /// The document, seen from the root.
    pub(super) document: String,
    pub(super) blocks: Vec<Block>,
}

/// What a block is made from.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) name: String,
    /// The line of the file that names it, from 1.
    pub(super) line: usize,
    /// The text, with figures in braces.
    pub(super) text: String,
    /// The rows that the figures are computed from.
    pub(super) rows: RowSpecs,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    document: String,
    #[serde(default)]
    block: Vec<WrittenBlock>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBlock {
    name: Spanned<String>,
    text: String,
    #[serde(default)]
    rows: RowSpecs,
}

impl QuotesFile {
    /// # Errors
    /// Where it is no such file, and what was expected.
    pub(super) fn parse(text: &str) -> Result<Self, (usize, String)> {
        let written: Written = toml::from_str(text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            (start, format!("expected templates ({})", error.message()))
        })?;
        let mut names = BTreeSet::new();
        let blocks = written.block.into_iter().map(|WrittenBlock { name, text: own, rows }| {
            let start = name.span().start;
            let name = name.into_inner();
            if !is_name(&name) {
                return Err((start, format!("expected a name of small letters, digits and -, not {name:?}")));
            }
            if !names.insert(name.clone()) {
                return Err((start, format!("expected the template {name} once")));
            }
            Ok(Block { name, line: line_at(text, start), text: own, rows })
        });
        Ok(QuotesFile { blocks: blocks.collect::<Result<_, _>>()?, document: written.document })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"document = "docs/one.md"

[[block]]
name = "a-1"
text = "{x.nodes:.1}"
rows.x = { of = "current/a", variant = "b", "table.hits" = 3 }

[[block]]
name = "b"
text = "2"
"#;

    #[test]
    fn templates_know_their_lines() {
        let file = QuotesFile::parse(TEXT).unwrap();
        let blocks: Vec<_> = file.blocks.iter().map(|block| (block.name.as_str(), block.line)).collect();
        assert_eq!((file.document.as_str(), blocks), ("docs/one.md", vec![("a-1", 4), ("b", 9)]));
        assert_eq!(file.blocks[0].rows.len(), 1);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (from, to, line, words) in [
            ("text = \"2\"", "texts = \"2\"", 10, "expected templates"),
            ("\"b\"\ntext", "\"a-1\"\ntext", 9, "the template a-1 once"),
            ("\"a-1\"", "\"A\"", 4, "small letters"),
            ("of = \"current/a\", ", "", 6, "of"),
        ] {
            let changed = TEXT.replacen(from, to, 1);
            assert_ne!(changed, TEXT, "{from}");
            let (start, complaint) = QuotesFile::parse(&changed).unwrap_err();
            assert!(complaint.contains(words), "{words} in {complaint}");
            assert!(line_at(&changed, start).abs_diff(line) <= 1, "{complaint}: {start}");
        }
    }
}
