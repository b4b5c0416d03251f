//! Stacks that the system refuses are an error that names them, and never the end of the process: searches in
//! processes that may map so much memory and no more.

#![cfg(target_os = "linux")]

use starsplit::evaluator::HashRandom;
use starsplit::search::{Limits, Options};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::LocklessTable;
use starsplit::{Pool, Searcher};
use starsplit_testkit::{GraphShape, RandomGraph};
use std::process::{Command, Output};
use std::{env, fs};

/// Set in the processes that this one starts.
const IS_LIMITED: &str = "STARSPLIT_IS_LIMITED";

const WORKERS: usize = 256;

/// What their stacks take together, in MiB.
const STACKS: usize = WORKERS * 16;

#[test]
fn threads_whose_stacks_are_refused_are_an_error() {
    if env::var_os(IS_LIMITED).is_some() {
        let pool = Pool::new(WORKERS);
        return println!("found: {}", pool.map_or_else(|error| error.to_string(), |_| "a pool".into()));
    }
    let refused = "threads 256: the system refused to start them: with a stack of 16 MiB each: ";
    assert_refusals("threads_whose_stacks_are_refused_are_an_error", refused, "a pool");
}

#[test]
fn virtual_processors_whose_stacks_are_refused_are_an_error() {
    if env::var_os(IS_LIMITED).is_some() {
        return println!("found: {}", simulated());
    }
    let refused = "256 virtual processors: the system refused a stack of 16 MiB for each: ";
    assert_refusals("virtual_processors_whose_stacks_are_refused_are_an_error", refused, "a value");
}

fn simulated() -> String {
    let graph = RandomGraph::new(&GraphShape::default(), 1).expect("the shape is within its limits");
    let (start, table) = (graph.start(), LocklessTable::with_buckets(16).expect("a small table"));
    let options = Options { threads: WORKERS, ..Options::default() };
    let searcher = Searcher::new(graph, HashRandom::new(1, 1000), table).with_options(options);
    let simulation = Simulation { costs: CostModel::UNIT, seed: 1 };
    let found = searcher.request(&start).limits(Limits::depth(3)).simulate(&simulation);
    found.map_or_else(|error| error.to_string(), |_| "a value".into())
}

/// Runs this test in processes that may map some MiB more and more than this program and the stacks take.
fn assert_refusals(test: &str, refused: &str, fine: &str) {
    let program = env::current_exe().and_then(fs::metadata).expect("this program").len() as usize >> 20;
    let (mut refusals, mut fine_ones) = (0, 0);
    for more in 0..100 {
        let Output { status, stdout, stderr } = within(program + STACKS + more, test);
        let (text, errors) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        let what = format!("{more} MiB more than the stacks take: {status}, {text}{errors}");
        assert!(status.success(), "{what}");
        let found = text.lines().find_map(|line| line.split_once("found: ")).expect(&what).1;
        let is_refusal = found.starts_with(refused) && found.contains("os error");
        assert!(is_refusal || found == fine, "{what}");
        refusals += u32::from(is_refusal);
        fine_ones += u32::from(!is_refusal);
    }
    assert!(refusals > 0 && fine_ones > 0, "{refusals} refusals, {fine_ones} others");
}

/// Runs this test in a process that may map so many MiB.
fn within(mib: usize, test: &str) -> Output {
    let program = env::current_exe().expect("this program");
    let module = module_path!().split_once("::").expect("a module of a program").1;
    Command::new("sh")
        .args(["-c", "ulimit -v \"$1\" && exec \"$0\" --exact \"$2\" --nocapture --test-threads 1"])
        .args([program.as_os_str(), (mib << 10).to_string().as_ref(), format!("{module}::{test}").as_ref()])
        .env(IS_LIMITED, "")
        // The C library would set memory aside for each thread, which others then lack.
        .env("MALLOC_ARENA_MAX", "1")
        .output()
        .expect("a shell")
}
