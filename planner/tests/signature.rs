//! The signature of plans: how many answers and nodes they take, to the last node. What makes a plan go
//! another way shows here, also where no value differs.
//!
//! The counts are in `signature.txt`. A commit that changes them on purpose writes them anew with
//!
//! ```text
//! STARSPLIT_BLESS=1 cargo test -p starsplit-planner --test all signature::
//! ```
//!
//! and says why they changed.

use crate::common::erased::Seeing;
use crate::common::signature_file;
use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::game::{Game, NodeKind};
use starsplit::search::Limits;
use starsplit::table::{LocklessTable, Reuse};
use starsplit_planner::{Identities, Planner, PlannerOptions, work};
use starsplit_testkit::{GraphShape, RandomGraph};
use std::fmt::Write as _;

/// So few buckets that some of what is stored gives way.
const BUCKETS: u64 = 256;

#[test]
fn plans_count_what_they_counted() {
    let mut found = String::new();
    planned(&mut found);
    signature_file::check(&found, "planner/tests/signature.rs");
}

/// Plans whose tasks are done one after another, the most useful first.
fn planned(lines: &mut String) {
    for seed in 0..12 {
        let shape = GraphShape { positions: 400, terminal_percent: 4, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let (start, limit) = (graph.start(), graph.facts().grid.limit());
        for (split_above, parts) in [(0, 1_000_000), (30, 1_000_000), (30, 6)] {
            let table = LocklessTable::with_buckets(BUCKETS).expect("a small table");
            let evaluator = Seeing::of(HashRandom::new(seed, limit));
            let searcher = Searcher::new(graph.clone(), evaluator, &table);
            let identities = Identities::new(&graph, searcher.evaluator(), Reuse::Exact);
            let options = PlannerOptions { split_above, parts };
            let mut planner = Planner::new(graph.clone(), start, 5, identities, options).expect("a plan");
            let (mut closed, mut narrowed, mut open) = (0, 0, 0);
            while planner.plan().is_none() {
                let task = planner.hand_out(1).remove(0);
                let answer = work(&searcher, &start, &task, &Limits::unbounded()).expect("a task");
                let progress = planner.answer(&answer).expect("the truth");
                (closed, narrowed) = (closed + progress.closed.len(), narrowed + progress.narrowed.len());
                open += planner.tasks(usize::MAX).len();
            }
            let plan = planner.plan().expect("it has ended");
            let root = if graph.kind(&start) == NodeKind::Chance { "chance" } else { "decision" };
            let name = format!("plan {seed} {root}, above {split_above}, parts {parts}");
            let (answers, nodes) = (plan.answers, plan.nodes);
            let tasks = format!("closed {closed} narrowed {narrowed} open {open}");
            writeln!(lines, "{name}: answers {answers} nodes {nodes} {tasks}").expect("text");
        }
    }
}
