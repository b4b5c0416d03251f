//! The counts of a signature beside those that the package's `tests/signature.txt` has.

use std::path::Path;

/// Fails at the first line that differs; with `STARSPLIT_BLESS` in the environment it writes the file anew.
/// The head of `source` says when that is right.
pub(crate) fn check(found: &str, source: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/signature.txt");
    if std::env::var_os("STARSPLIT_BLESS").is_some() {
        return std::fs::write(path, found).expect("the counts can be written");
    }
    let expected = std::fs::read_to_string(path).expect("the counts are there");
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected, "see the head of {source}");
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}
