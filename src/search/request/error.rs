//! Errors of options.

use std::fmt::Display;

/// Options that do not fit together, or an unknown name: one line that says what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct OptionsError(String);

impl OptionsError {
    /// The option `what` cannot be `found`; `complaint` says what was expected.
    pub(crate) fn new(what: &str, found: impl Display, complaint: impl Display) -> Self {
        OptionsError(format!("{what} {found}: {complaint}"))
    }

    /// `found` is none of these names. It is cut to 80 characters.
    pub(super) fn no_name(what: &str, found: &str, names: &[&str]) -> Self {
        const LONGEST: usize = 80;
        let end = found.char_indices().nth(LONGEST).map(|(end, _)| end);
        let found = end.map_or_else(|| found.to_owned(), |end| format!("{}...", &found[..end]));
        let (last, others) = names.split_last().expect("choices");
        OptionsError(format!("{what} {found:?}: expected {} or {last}", others.join(", ")))
    }
}
