//! The count of nodes that two workers search at once.

use crate::common::graphs::wide_graph;
use crate::common::splits::eager;
use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::game::Game;
use starsplit::search::{Limits, Method, Options, SearchError, Splits, Stats, Telemetry};
use starsplit::table::LocklessTable;

/// What a search to depth 7 by this method counts.
fn stats(method: Method, threads: usize, count_duplicates: bool) -> Result<Stats, SearchError> {
    let graph = wide_graph();
    let start = graph.start();
    let evaluator = HashRandom::new(1, graph.facts().grid.limit());
    let options = Options {
        method,
        threads,
        telemetry: Telemetry { count_duplicates, ..Telemetry::default() },
        splits: Splits { alone: true, ..eager(Some(3)) },
        ..Options::default()
    };
    let table = LocklessTable::new(4).expect("memory");
    let searcher = Searcher::new(graph, evaluator, table).with_options(options);
    searcher.request(&start).limits(Limits::depth(7)).search().map(|result| result.stats)
}

#[test]
fn a_worker_alone_meets_nobody_not_even_itself() {
    for &method in Method::ALL {
        // Jobs of fork and join may meet: one runs on top of another that waits.
        if method != Method::ForkJoin {
            let stats = stats(method, 1, true).expect("a search");
            assert_eq!(stats.split.duplicate_nodes, 0, "{method} of {} nodes", stats.nodes.total());
        }
    }
}

#[test]
fn duplicates_are_counted_only_if_asked_for() {
    for &method in Method::ALL {
        assert_eq!(stats(method, 3, false).expect("a search").split.duplicate_nodes, 0, "{method}");
    }
}
