//! The marks of blocks in a document.

use std::collections::BTreeMap;
use std::ops::Range;

/// What the mark before a block begins with; its name follows.
const BEGIN: &str = "<!-- figures ";

/// The mark after a block.
const END: &str = "<!-- end -->";

/// What ends any mark.
const CLOSE: &str = " -->";

/// A block of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) name: String,
    /// The line that it begins in, from 1.
    pub(super) line: usize,
    /// What stands between its marks.
    inside: Range<usize>,
}

/// All blocks of a document, in their order.
///
/// A mark at the beginning of a line has to be all of that line, and so has its other one: Markdown takes
/// such a line for no part of a paragraph, and what followed on it would be shown as it is.
///
/// # Errors
/// The line of a mark that has no other one or no name, or is where it may not be, and what was expected.
pub(super) fn find(text: &str) -> Result<Vec<Mark>, (usize, String)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(begin) = text[from..].find(BEGIN).map(|place| from + place) {
        let line = line_of(text, begin);
        if let Some(end) = text[from..begin].find(END) {
            return Err((
                line_of(text, from + end),
                format!("expected a mark {BEGIN}NAME{CLOSE} before {END}"),
            ));
        }
        let rest = &text[begin + BEGIN.len()..];
        let name = rest.split_once(CLOSE).map(|(name, _)| name).filter(|name| is_name(name));
        let name =
            name.ok_or((line, format!("expected {BEGIN}NAME{CLOSE} with a name of letters, digits and -")))?;
        let inside = begin + BEGIN.len() + name.len() + CLOSE.len();
        let end = text[inside..].find(END).map(|place| inside + place);
        let end = end.filter(|&end| !text[inside..end].contains(BEGIN));
        let end = end.ok_or((line, format!("expected {END} after the block {name}")))?;
        let [opens, closes] = [is_alone(text, begin..inside), is_alone(text, end..end + END.len())];
        if opens != closes || opens.is_none() {
            let complaint =
                format!("expected the marks of {name} on lines of their own, or none first on its line");
            return Err((line, complaint));
        }
        found.push(Mark { name: name.to_owned(), line, inside: inside..end });
        from = end + END.len();
    }
    match text[from..].find(END) {
        None => Ok(found),
        Some(end) => {
            let complaint = format!("expected a mark {BEGIN}NAME{CLOSE} before {END}");
            Err((line_of(text, from + end), complaint))
        }
    }
}

/// The document with these texts in its blocks. Where a text has as many words as what it replaces, lines are
/// broken where they were.
pub(super) fn with(text: &str, marks: &[Mark], texts: &BTreeMap<String, String>) -> String {
    let mut made = String::new();
    let mut from = 0;
    for Mark { name, inside, .. } in marks {
        made += &text[from..inside.start];
        let old = &text[inside.clone()];
        let new = texts.get(name).map_or(old, String::as_str);
        made += &laid_out(old, new);
        from = inside.end;
    }
    made + &text[from..]
}

/// The new words with the spaces of the old ones, as far as these are as many; all around it stays.
fn laid_out(old: &str, new: &str) -> String {
    let words: Vec<_> = new.split_whitespace().collect();
    if words.is_empty() || words.len() != old.split_whitespace().count() {
        let inner = old.trim();
        let (before, after) = match inner {
            "" if old.contains('\n') => ("\n", "\n"),
            "" => ("", ""),
            inner => old.split_once(inner).unwrap_or_default(),
        };
        return format!("{before}{}{after}", new.trim());
    }
    let mut made = String::new();
    let mut rest = old;
    for word in words {
        let start = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
        let length = rest[start..].find(char::is_whitespace).unwrap_or(rest.len() - start);
        made += &rest[..start];
        made += word;
        rest = &rest[start + length..];
    }
    made + rest
}

/// Whether a mark is all of its line; none where it is the first on its line and more follows.
fn is_alone(text: &str, mark: Range<usize>) -> Option<bool> {
    let before = text[..mark.start].rsplit('\n').next().unwrap_or_default();
    let after = text[mark.end..].split('\n').next().unwrap_or_default();
    // In an item of a list it is the item's text that it must not begin.
    let before = before.trim().trim_end_matches(['*', '-', '+', '>']);
    let before =
        before.strip_suffix('.').filter(|n| n.bytes().all(|c| c.is_ascii_digit())).map_or(before, |_| "");
    match (before.trim().is_empty(), after.trim().is_empty()) {
        (true, true) => Some(true),
        (true, false) => None,
        (false, _) => Some(false),
    }
}

fn line_of(text: &str, place: usize) -> usize {
    text[..place].matches('\n').count() + 1
}

/// Whether a block may be called so.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(name: &str, text: &str) -> BTreeMap<String, String> {
        [(name.to_owned(), text.to_owned())].into()
    }

    fn filled(document: &str, text: &str) -> String {
        with(document, &find(document).unwrap(), &texts("a-1", text))
    }

    #[test]
    fn blocks_are_filled_and_all_else_stays() {
        let document = "# One\n\nIt is <!-- figures a-1 -->1.8 times\nas fast<!-- end -->, so\nthere.\n";
        assert_eq!(filled(document, "1.8 times as fast"), document, "lines are broken where they were");
        assert_eq!(filled(document, "2.0 times as fast"), document.replace("1.8", "2.0"));
        assert_eq!(
            filled(document, "twice as fast"),
            "# One\n\nIt is <!-- figures a-1 -->twice as fast<!-- end -->, so\nthere.\n"
        );
        let table = "<!-- figures a-1 -->\n| a | b |\n|---|---|\n| 1 | 2 |\n<!-- end -->\n";
        assert_eq!(filled(table, "| a | b |\n|---|---|\n| 1 | 3 |\n"), table.replace("2 |", "3 |"));
        let longer = "| a |\n|---|\n| 1 |\n| 2 |";
        assert_eq!(filled(table, longer), format!("<!-- figures a-1 -->\n{longer}\n<!-- end -->\n"));
        assert_eq!(
            filled("<!-- figures a-1 -->\n<!-- end -->", "x"),
            "<!-- figures a-1 -->\nx\n<!-- end -->"
        );
        assert_eq!(filled("a <!-- figures a-1 --><!-- end -->", "x"), "a <!-- figures a-1 -->x<!-- end -->");
    }

    #[test]
    fn marks_that_do_not_fit_are_named_with_their_line() {
        for (document, line, words) in [
            ("a\nb <!-- figures a -->", 2, "expected <!-- end --> after the block a"),
            ("b <!-- figures a -->1 <!-- figures b -->2<!-- end -->", 1, "after the block a"),
            ("a\n\nb <!-- end -->", 3, "before <!-- end -->"),
            ("a <!-- end --> <!-- figures a -->1<!-- end -->", 1, "before <!-- end -->"),
            ("b <!-- figures A b -->1<!-- end -->", 1, "a name of letters"),
            ("b <!-- figures a", 1, "a name of letters"),
            ("b\n<!-- figures a -->1<!-- end -->", 2, "lines of their own"),
            ("b <!-- figures a -->1\n<!-- end -->", 1, "lines of their own"),
            ("b <!-- figures a -->1\n<!-- end --> c", 1, "lines of their own"),
            ("* <!-- figures a -->1<!-- end --> c", 1, "lines of their own"),
            ("12. <!-- figures a -->1<!-- end --> c", 1, "lines of their own"),
        ] {
            let (found, complaint) = find(document).unwrap_err();
            assert!(found == line && complaint.contains(words), "{document:?}: {found}, {complaint}");
        }
    }
}
