//! Pig, whose players may hold again and again, so that its positions recur at nearly every depth.

use crate::erased::Blind;
use starsplit::Searcher;
use starsplit::evaluator::Constant;
use starsplit::search::Limits;
use starsplit::table::LocklessTable;
use starsplit_games::KnownGame;
use starsplit_games::pig::{self, Pig};

/// Searches from the start under these rules, which has to take no more than so many nodes.
fn search(rules: &str, depth: u32, most: u64) {
    let pig = Pig::open(&pig::INFO, rules).expect("rules of Pig");
    let (start, table) = (pig.initial(), LocklessTable::new(64).expect("memory"));
    let searcher = Searcher::new(pig, Blind::of(Constant::default()), table);
    let limits = Limits::depth(depth).with_nodes(most);
    let result = searcher.request(&start).limits(limits.clone()).search().expect("valid options");
    assert!(result.is_exact(), "{rules} to depth {depth}: more than {most} nodes");
}

#[test]
fn positions_of_pig_that_recur_are_searched_once_for_each_depth() {
    // A table that keeps four depths of a position takes 12.6 million.
    search("target=100,die=6", 20, 800_000);
    search("target=10,die=6", 254, 2_000_000);
}
