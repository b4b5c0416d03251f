//! What a search can leave out, look up or learn from beyond the paper's algorithm, drawn at random: every
//! option of which its declaration names values to try, in every combination.

use proptest::prelude::*;
use starsplit::search::Options;
use starsplit_options::{DECLARED, OptionRole};
use std::ops::Range;

/// Options at random, but for those that a test has to choose itself, which stay as they are by default: the
/// algorithm, the table's use, the ordering, threads and their method.
pub(crate) fn techniques() -> impl Strategy<Value = Options> {
    let drawn = || DECLARED.iter().filter(|declared| declared.role != OptionRole::Contender);
    let trials: Vec<Range<usize>> = drawn().map(|declared| 0..declared.trials()).collect();
    trials.prop_map(move |trials| {
        let mut options = Options::default();
        for (declared, n) in drawn().zip(trials) {
            declared.try_nth(&mut options, n);
        }
        options
    })
}
