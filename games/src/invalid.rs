//! What every game says of text that it cannot read.

use std::fmt;

/// Text that names no rules, position, move or evaluator of a game: one line that names the thing, what was
/// given and what was expected.
///
/// Whatever it shows of the text is escaped, and cut after 80 bytes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(String);

impl Invalid {
    /// `value` is no `what`; `expected` says what would be, without the word.
    pub fn new(what: &str, value: &str, expected: impl fmt::Display) -> Self {
        Invalid(format!("{what} {}: expected {expected}", shown(value)))
    }

    /// An error that names its thing and value itself.
    pub fn from_error(error: impl fmt::Display) -> Self {
        Invalid(error.to_string())
    }
}

/// Text as a message shows it: plain where it is short and plain, else quoted, escaped and cut after 80
/// bytes, so that no line grows with what was given.
pub fn shown(value: &str) -> String {
    const LONGEST: usize = 80;
    let is_plain = !value.is_empty() && value.chars().all(|c| c.is_ascii_graphic());
    if is_plain && value.len() <= LONGEST {
        return value.to_owned();
    }
    let mut kept = "\"".to_owned();
    for letter in value.chars() {
        let escaped = if letter == '\'' { "'".to_owned() } else { letter.escape_debug().to_string() };
        if kept.len() + escaped.len() > LONGEST + 1 {
            return kept + "\"...";
        }
        kept += &escaped;
    }
    kept + "\""
}

/// Words of somebody else's as a part of a message: on one line, whatever they have in them.
pub fn one_line(words: &str) -> String {
    let mut line = String::with_capacity(words.len());
    for letter in words.chars() {
        match letter {
            '\n' | '\r' | '\t' => line.push(' '),
            letter if letter.is_control() => line.extend(letter.escape_default()),
            letter => line.push(letter),
        }
    }
    line
}

/// The beginning of a text, as errors keep it that show it in quotes: whoever gives a long one knows the rest.
pub(crate) fn cut(text: &str) -> String {
    const LONGEST: usize = 24;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_escaped_and_cut() {
        let complaint = |value: &str| Invalid::new("move", value, "e2").to_string();
        assert_eq!(complaint("e9"), "move e9: expected e2");
        assert_eq!(complaint("a\u{1b}[1m"), "move \"a\\u{1b}[1m\": expected e2");
        assert_eq!(complaint("a 'b' \"c\" \u{202e}"), "move \"a 'b' \\\"c\\\" \\u{202e}\": expected e2");
        for text in ["x", "\u{1b}", "\u{7f}", "\n", "\u{10ffff}", "\u{1d11e}", "\\"] {
            let complaint = complaint(&text.repeat(1000));
            assert!(complaint.len() < 120 && !complaint.contains(char::is_control), "{complaint:?}");
        }
    }

    #[test]
    fn words_of_others_are_one_line() {
        assert_eq!(one_line("a\nb\u{1b}[1m\u{85}c \u{e9}"), "a b\\u{1b}[1m\\u{85}c \u{e9}");
        assert_eq!(
            (cut("size"), cut(&"\u{e9}".repeat(30))),
            ("size".to_owned(), "\u{e9}".repeat(24) + "...")
        );
    }
}
