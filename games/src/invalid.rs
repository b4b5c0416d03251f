//! What every game says of text that it cannot read.

use std::fmt;

/// Text that names no rules, position, move or evaluator of a game: one line that names the thing, what was
/// given and what was expected.
///
/// Whatever it shows of the text is escaped, and cut after 80 characters.
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
/// characters.
pub fn shown(value: &str) -> String {
    const LONGEST: usize = 80;
    let is_plain = !value.is_empty() && value.chars().all(|c| c.is_ascii_graphic());
    let is_long = value.chars().nth(LONGEST).is_some();
    let kept: String = value.chars().take(LONGEST).collect();
    match (is_plain, is_long) {
        (true, false) => kept,
        (false, false) => format!("{kept:?}"),
        (_, true) => format!("{kept:?}..."),
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
        assert!(complaint(&"x".repeat(1000)).len() < 120);
    }
}
