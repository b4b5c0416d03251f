//! Every algorithm through compare, scaling and simulate: on one thread and on several, all find the same
//! values.

use crate::common::{COMPARE, Program, SCALING, SEARCH, SIMULATE, Scratch, json_in, run_in, samples};
use serde_json::Value;
use starsplit::search::{Algorithm, Method};
use std::collections::BTreeMap;
use std::path::Path;

/// Three openings of the paper's board.
const SUITE: &str = "rules size=5,run=4,full-line=reroll\ndepth 5\n\
                     ...../..x../..o../.x.../....o x -\n\
                     x.o../..x../.oo../.x..o/...x. x -\n\
                     ...../...../..x../...../..... o -\n";

/// Searches this small are split all the same.
const EAGER: [&str; 8] =
    ["--table-mb", "1", "--split-depth", "1", "--split-size", "0", "--helpers-after-us", "0"];

/// Runs the binary by each algorithm; what it prints, by the algorithm, and its records in folders of their
/// names.
fn by_each(folder: &Path, binary: Program, args: &[&str]) -> BTreeMap<&'static str, Value> {
    let found = |algorithm: &Algorithm| {
        let name = algorithm.name();
        let own = ["--json", "--suite", "suite", "--algorithm", name, "--out", name];
        (name, json_in(folder, binary, &[&own[..], &EAGER, args].concat()))
    };
    Algorithm::ALL.iter().map(found).collect()
}

/// The score that every line of all folders has at each position.
fn scores(folder: &Path, lines: usize) -> Vec<Value> {
    let mut scores = vec![Value::Null; 3];
    for algorithm in Algorithm::ALL {
        // What was stopped at the first end may have found nothing, or a value of a lesser depth.
        let mut samples = samples(&folder.join(algorithm.name()));
        samples.retain(|sample| sample["method"] != "matched-ceiling");
        assert_eq!(samples.len(), lines, "{algorithm}");
        for sample in &samples {
            assert_eq!(sample["algorithm"], algorithm.name());
            assert!(sample["error"].is_null() && sample["score"].is_i64(), "{sample}");
            let score = &mut scores[sample["index"].as_u64().expect("a number") as usize - 1];
            if score.is_null() {
                score.clone_from(&sample["score"]);
            }
            assert_eq!(*score, sample["score"], "{sample}");
        }
    }
    scores
}

#[test]
fn compare_scaling_and_simulate_find_the_same_values_by_every_algorithm() {
    let [comparing, scaling, simulating] = [(); 3].map(|()| {
        let scratch = Scratch::new();
        scratch.file("suite", SUITE);
        scratch
    });
    let methods = "chance-split,both";
    let runs = [
        by_each(comparing.path(), COMPARE, &["--threads", "1,3", "--repeat", "1"]),
        by_each(scaling.path(), SCALING, &["--threads", "2", "--repeat", "1", "--methods", methods]),
        by_each(simulating.path(), SIMULATE, &["--processors", "1,16", "--methods", methods]),
    ];
    for (algorithm, found) in runs.iter().flatten() {
        assert_eq!(found["algorithm"], *algorithm);
        assert_eq!((&found["values_equal"], &found["positions"]), (&true.into(), &3.into()), "{found}");
    }
    // Serial and two numbers of threads; four orderings, a ceiling where two run at once, two methods; four
    // orderings and two methods on two numbers of processors.
    let copies = if starsplit_experiments::cli::values::cores() > 1 { 2 } else { 0 };
    let expected = scores(comparing.path(), 3 * 3);
    assert_eq!(scores(scaling.path(), 3 * (4 + copies + 2)), expected);
    assert_eq!(scores(simulating.path(), 3 * (4 + 2 * 2)), expected);
    let nodes = |algorithm: &str| runs[0][algorithm]["serial"]["nodes"].as_u64().expect("a number");
    assert!(nodes("expectimax") > nodes("star1") && nodes("star1") > nodes("star2-tt"), "they differ");
}

#[test]
fn search_runs_every_algorithm_by_every_method_on_threads() {
    let scratch = Scratch::new();
    let search = |args: &[&str]| {
        let fixed = ["--json", "--depth", "5", "--position", "x.o../..x../.oo../.x..o/...x. x -"];
        json_in(scratch.path(), SEARCH, &[&fixed[..], &EAGER, args].concat())
    };
    let expected = search(&[])["score"].clone();
    assert!(expected.is_i64());
    for algorithm in Algorithm::ALL {
        for method in Method::ALL {
            let found =
                search(&["--algorithm", algorithm.name(), "--method", method.name(), "--threads", "2"]);
            assert_eq!((&found["score"], &found["algorithm"]), (&expected, &algorithm.name().into()));
        }
    }
}

#[test]
fn records_of_one_algorithm_are_not_gone_on_with_by_another() {
    let scratch = Scratch::new();
    scratch.file("suite", SUITE);
    let run = |algorithm: &str, more: &[&str]| {
        let fixed = ["--suite", "suite", "--threads", "1", "--repeat", "1", "--out", "out"];
        run_in(scratch.path(), COMPARE, &[&fixed[..], &["--algorithm", algorithm], more].concat())
    };
    let first = run("star1", &[]);
    assert!(first.status.success() && String::from_utf8_lossy(&first.stdout).starts_with("star1 to depth 5"));
    assert!(run("star1", &["--resume"]).status.success());
    let other = run("star2-tt", &["--resume"]);
    let complaint = String::from_utf8_lossy(&other.stderr);
    assert_eq!(other.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("its algorithm is \"star1\", not \"star2-tt\""), "{complaint}");
}
