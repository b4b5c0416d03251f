//! Every target on its whole corpus, and then on a fixed number of mutations of it.

use starsplit_fuzz::campaign::{self, Failure};
use starsplit_fuzz::{TARGETS, Target, corpus, named};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// From which all mutations follow.
const SEED: u64 = 1;

/// Where inputs that fail are left.
fn left() -> PathBuf {
    std::env::temp_dir().join("starsplit-fuzz-failures")
}

macro_rules! campaigns {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            campaign::check(named(stringify!($name)).expect("a target"), SEED, &left());
        })*

        #[test]
        fn no_target_is_left_out() {
            let tested = BTreeSet::from([$(stringify!($name)),*]);
            let all: BTreeSet<_> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!((tested, all.len()), (all, TARGETS.len()));
        }
    };
}

campaigns! {
    notation matches options suite spec costs protocol record_line meta saved_table planner weights c_api
}

/// A target that is wrong where a number is greater than its reader expects.
const BROKEN: Target = Target {
    name: "broken",
    about: "a number of one byte, written in digits",
    run: |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let number = text.parse::<u64>().unwrap_or_default();
        assert!(u8::try_from(number).is_ok(), "a number that does not fit: {number}");
    },
    seeds: || vec![("one".to_owned(), b"1".to_vec())],
    words: Vec::new,
    mutations: 2_000,
    longest: 20,
};

#[test]
fn a_target_that_is_wrong_is_caught_and_its_input_is_left_to_be_seen_again() {
    let inputs: Vec<_> = (BROKEN.seeds)().into_iter().map(|(_, bytes)| bytes).collect();
    let failure = campaign::run(&BROKEN, &inputs, SEED).expect_err("it is wrong");
    assert!(failure.message.starts_with("a number that does not fit: "), "{}", failure.message);
    let folder = left().join("broken");
    let told = campaign::leave(&BROKEN, &failure, &folder);
    let files = corpus::read(&folder).expect("a folder");
    let found = files.iter().find(|(_, bytes)| *bytes == failure.bytes).expect("the input");
    let replay = format!("cargo run --profile test -p starsplit-fuzz -- replay broken {}", found.0.display());
    assert!(told.ends_with(&replay) && told.contains(&failure.message), "{told}");
    assert_eq!(campaign::try_one(&BROKEN, &found.1), Err(failure));
    fs::remove_dir_all(&folder).expect("it was made here");
    // In the corpus, too, and not only by a mutation.
    let inputs = [b"12".to_vec(), b"256".to_vec()];
    let expected =
        Failure { bytes: inputs[1].clone(), message: "a number that does not fit: 256".to_owned() };
    assert_eq!(campaign::run(&Target { mutations: 0, ..BROKEN }, &inputs, SEED), Err(expected));
}

/// The most bytes of all inputs together: whoever clones the repository has them all.
const MOST_BYTES: u64 = 300_000;

#[test]
fn the_corpus_is_small_and_has_no_folder_without_a_target() {
    let folder = corpus::folder(&TARGETS[0]).parent().expect("the corpus").to_owned();
    let mut bytes = 0;
    for entry in fs::read_dir(folder).expect("the corpus") {
        let entry = entry.expect("a folder");
        let name = entry.file_name().into_string().expect("a name");
        let target = named(&name).unwrap_or_else(|| panic!("corpus/{name}: there is no such target"));
        for (path, input) in corpus::read(&entry.path()).expect("inputs") {
            assert!(input.len() <= target.longest, "{}: {} bytes", path.display(), input.len());
            bytes += input.len() as u64;
        }
    }
    assert!((1..MOST_BYTES).contains(&bytes), "{bytes} bytes");
}

#[test]
fn seeds_are_inputs_that_fit() {
    for target in TARGETS {
        let seeds = (target.seeds)();
        assert!(!seeds.is_empty(), "{}", target.name);
        for (name, bytes) in seeds {
            assert!(bytes.len() <= target.longest, "{}, {name}: {} bytes", target.name, bytes.len());
        }
    }
}
