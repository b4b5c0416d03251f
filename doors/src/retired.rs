//! Options of the search that are no more, so that whoever still names one is told.

use starsplit_games::Invalid;
use starsplit_options::{DECLARED, DeclaredOption};

/// The options by their flags, each with the value that it had where the search did what it always does now.
pub const RETIRED: [(&str, &str); 5] = [
    ("history", "live"),
    ("internal-deepening-depth", "255"),
    ("move-probing-work", "auto"),
    ("probe-hints", "always"),
    ("table-work", "auto"),
];

/// The last revision that had them.
const LAST_WITH_THEM: &str = "21018ab5";

/// How alike, from 0 to 1, a name has to be to what was asked for, to be what was meant.
const ALIKE: f64 = 0.75;

/// What is expected in place of an option that there is not: the likeliest that was meant.
fn expected(flag: &str) -> String {
    let likeness = |declared: &&DeclaredOption| strsim::jaro_winkler(declared.flag, flag);
    let nearest = DECLARED.iter().max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    let meant =
        nearest.filter(|nearest| likeness(nearest) >= ALIKE).map_or("threads", |nearest| nearest.flag);
    format!("one that the library has, such as {meant}")
}

/// What to say of a name that revision `last` had and that is no more.
pub fn complaint(last: &str, expected: &str) -> String {
    format!("retired, revision {last} had it last; expected {expected}")
}

/// What to say of the option of this flag, where it is retired.
pub fn refused(flag: &str) -> Option<Invalid> {
    let is_retired = RETIRED.iter().any(|&(retired, _)| retired == flag);
    let complaint = || complaint(LAST_WITH_THEM, "one that the library has, such as threads");
    is_retired.then(|| Invalid::from_error(format_args!("option {flag}: {}", complaint())))
}

/// What to say of a flag of which there is no option.
pub(crate) fn unknown(flag: &str) -> Invalid {
    refused(flag).unwrap_or_else(|| Invalid::new("option", flag, expected(flag)))
}
