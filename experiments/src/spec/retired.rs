//! Experiments that are no more, so that whoever still names one is told.

use starsplit_doors::retired::complaint;

/// Finished studies, whose records and answers stay, and a command, below the last revision that had them.
const RETIRED: &[(&str, &[&str])] = &[
    ("1875a700", &["clusters", "graphs", "limit", "smaller", "teach", "windows"]),
    ("7a4c2bf0", &["devices", "records"]),
    ("f6628f8c", &["readings"]),
];

/// What to say of an experiment that there is not; `expected` are those that there are.
pub(crate) fn no_experiment(name: &str, expected: &str) -> String {
    let last = RETIRED.iter().find(|(_, names)| names.contains(&name));
    last.map_or_else(|| format!("expected {expected}"), |(last, _)| complaint(last, expected))
}

/// Whether there was such an experiment once.
pub(super) fn is_retired(name: &str) -> bool {
    RETIRED.iter().any(|(_, names)| names.contains(&name))
}
