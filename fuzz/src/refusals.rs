//! What has to hold of every refusal.

use std::fmt::Display;

/// The most bytes of what a reader of notations says.
pub const SHORT: usize = 400;

/// One line without control characters, that says what was expected, of at most [`SHORT`] bytes.
///
/// # Panics
/// When it is anything else.
pub fn check_short(error: &impl Display) {
    let line = check(error);
    assert!(line.len() <= SHORT, "a refusal of {} bytes: {line}", line.len());
}

/// One line without control characters that says what was expected; gives it.
///
/// # Panics
/// When it is anything else.
pub fn check(error: &impl Display) -> String {
    let line = one_line(error);
    assert!(line.contains("expected"), "a refusal that does not say what was expected: {line}");
    line
}

/// One line without control characters; gives it.
///
/// # Panics
/// When it is anything else.
pub fn one_line(text: &impl Display) -> String {
    let line = text.to_string();
    assert!(!line.contains(char::is_control), "not one line: {line:?}");
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "not one line")]
    fn two_lines_are_not_one() {
        check(&"a:\nexpected b");
    }

    #[test]
    #[should_panic(expected = "does not say what was expected")]
    fn who_refuses_says_what_was_expected() {
        check(&"a: wrong");
    }

    #[test]
    #[should_panic(expected = "a refusal of 409 bytes")]
    fn refusals_are_short() {
        check(&format!("expected {}", "x".repeat(400)));
        check_short(&format!("expected {}", "x".repeat(400)));
    }
}
