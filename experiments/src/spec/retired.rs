//! Experiments that are no more, so that whoever still names one is told.

use starsplit_doors::retired::complaint;

/// Finished studies, whose records and answers stay.
const RETIRED: [&str; 6] = ["clusters", "graphs", "limit", "smaller", "teach", "windows"];

/// The last revision that had them.
const LAST_WITH_THEM: &str = "1875a700";

/// What to say of an experiment that there is not; `expected` are those that there are.
pub(crate) fn no_experiment(name: &str, expected: &str) -> String {
    if RETIRED.contains(&name) { complaint(LAST_WITH_THEM, expected) } else { format!("expected {expected}") }
}
