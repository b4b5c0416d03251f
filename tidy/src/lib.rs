//! What the tests of this package share, which hold the whole tree to its own rules: documents, layers and
//! lints. They need none of the project's code, so that they are built in seconds.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::path::{Path, PathBuf};

/// The folder of the whole tree.
///
/// # Panics
/// Never: the package lies in it.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the package lies in the tree").to_owned()
}

/// What a document says that can be checked.
#[derive(Debug, Default, PartialEq)]
pub struct Scan {
    /// The anchors of the headings.
    pub anchors: Vec<String>,
    /// The text of each heading.
    pub headings: Vec<String>,
    /// Where links and pictures lead.
    pub links: Vec<String>,
    /// What stands in backquotes.
    pub code: Vec<String>,
    /// The lines of a shell's blocks.
    pub shell: Vec<String>,
}

/// Reads a document in Markdown.
pub fn scan(text: &str) -> Scan {
    let mut found = Scan::default();
    let mut heading: Option<String> = None;
    let mut is_of_shell = false;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let text = heading.take().unwrap_or_default();
                found.anchors.push(anchor(&text, &found.anchors));
                found.headings.push(text);
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                found.links.push(dest_url.into_string());
            }
            Event::Code(code) => {
                heading.iter_mut().for_each(|heading| heading.push_str(&code));
                found.code.push(code.into_string());
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                is_of_shell = matches!(kind, CodeBlockKind::Fenced(name) if &*name == "sh");
            }
            Event::End(TagEnd::CodeBlock) => is_of_shell = false,
            Event::Text(text) if is_of_shell => found.shell.extend(text.lines().map(str::to_owned)),
            Event::Text(text) => heading.iter_mut().for_each(|heading| heading.push_str(&text)),
            _ => {}
        }
    }
    found
}

/// The anchor that GitHub gives a heading: lower case, no punctuation, a hyphen for each space, and a number
/// where the document has it already.
fn anchor(heading: &str, earlier: &[String]) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    let plain: String = kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect();
    let numbered = (1..).map(|number| format!("{plain}-{number}"));
    std::iter::once(plain.clone())
        .chain(numbered)
        .find(|name| !earlier.contains(name))
        .expect("numbers do not end")
}
