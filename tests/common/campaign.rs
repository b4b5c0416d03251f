//! How large a campaign over random graphs is, and whether it met what it is about.

use super::verdict::assert_happened;
use proptest::prelude::{ProptestConfig, Strategy};
use proptest::test_runner::{RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

/// What part of each campaign is run, in percent: a quarter, unless `STARSPLIT_PERCENT` says otherwise.
/// `.ci/long` runs the whole. Tools that slow a program down run less.
fn percent() -> u32 {
    std::env::var("STARSPLIT_PERCENT").map_or(25, |text| text.parse().expect("a number of percent"))
}

/// How many graphs are tried, of so many in the whole campaign.
pub(crate) fn graphs(whole: u32) -> u32 {
    (whole * percent() / 100).max(1)
}

/// Tries so many cases. They are the same each time, with this seed, unless `STARSPLIT_CAMPAIGN` holds
/// another. Panics at the first that fails, with the smallest like it.
pub(crate) fn run<S: Strategy>(
    cases: u32,
    seed: u8,
    strategy: &S,
    test: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let seed = std::env::var("STARSPLIT_CAMPAIGN").map_or(seed, |text| text.parse().expect("below 256"));
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    match TestRunner::new_with_rng(config, rng).run(strategy, test) {
        Ok(()) => {}
        Err(TestError::Fail(reason, case)) => panic!("{reason}\nin the smallest such case found:\n{case:#?}"),
        Err(abort) => panic!("{abort}"),
    }
}

/// Of what the whole campaign must meet at least, what its part must.
fn least(count: u64) -> u64 {
    // The part may be a little poorer than the rest.
    count * u64::from(percent()) * 4 / 500
}

/// As [`assert_happened`], where the least numbers are those of the whole campaign.
#[track_caller]
pub(crate) fn assert_met(counts: &[(&str, u64, u64)]) {
    let of_part: Vec<_> = counts.iter().map(|&(what, count, whole)| (what, count, least(whole))).collect();
    assert_happened(&of_part);
}
