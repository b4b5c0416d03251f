//! The counts of a signature beside those that the package's `tests/signature.txt` has.

use std::path::Path;

/// Fails with every line that differs; with `STARSPLIT_BLESS` in the environment it writes the file anew.
/// The head of `source` says when that is right.
pub(crate) fn check(found: &str, source: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/signature.txt");
    if std::env::var_os("STARSPLIT_BLESS").is_some() {
        return std::fs::write(path, found).expect("the counts can be written");
    }
    let expected = std::fs::read_to_string(path).expect("the counts are there");
    let lines = found.lines().zip(expected.lines());
    let differing: Vec<_> = lines.filter(|(found, expected)| found != expected).collect();
    let told = |(found, expected): &(&str, &str)| format!("found    {found}\nexpected {expected}");
    let told: Vec<_> = differing.iter().map(told).collect();
    assert!(told.is_empty(), "{} lines differ; see the head of {source}\n{}", told.len(), told.join("\n"));
    assert_eq!(found.lines().count(), expected.lines().count());
}
