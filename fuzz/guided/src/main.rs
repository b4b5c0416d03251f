//! The targets behind libFuzzer. Which one is run says the environment variable `FUZZ_TARGET`; all arguments
//! are libFuzzer's.
#![no_main]

use libfuzzer_sys::fuzz_target;
use starsplit_fuzz::{Target, named};
use std::sync::LazyLock;

static CHOSEN: LazyLock<&'static Target> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    named(&name).unwrap_or_else(|| panic!("FUZZ_TARGET {name:?}: expected the name of a target"))
});

fuzz_target!(|bytes: &[u8]| (CHOSEN.run)(bytes));
