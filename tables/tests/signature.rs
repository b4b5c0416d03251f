//! The signature of tables: what searches count with every scheme, in tables that are too small for them,
//! and what these keep and are full to. What makes any of them keep something else shows here, also where no
//! value differs.
//!
//! The counts are in `signature.txt`. A commit that changes them on purpose writes them anew with
//!
//! ```text
//! STARSPLIT_BLESS=1 cargo test -p starsplit-tables --test schemes signature::
//! ```
//!
//! and says why they changed.

use crate::common::signature_file;
use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::search::{Algorithm, Limits, Options};
use starsplit::table::Table;
use starsplit_tables::{AnyTable, Scheme};
use starsplit_testkit::{GraphShape, RandomGraph};
use std::fmt::Write as _;

#[test]
#[cfg_attr(
    not(target_pointer_width = "64"),
    ignore = "rows of chains are smaller there, so more entries fit"
)]
fn tables_keep_what_they_kept() {
    signature_file::check(&signature(), "tables/tests/signature.rs");
}

/// Two searches with every scheme: the second finds a warm table.
fn signature() -> String {
    let shape = GraphShape {
        positions: 2_000,
        terminal_percent: 3,
        successors: 2..=4,
        limit: 1 << 20,
        ..GraphShape::default()
    };
    let graph = RandomGraph::new(&shape, 3).expect("the shape is within its limits");
    let (start, mut lines) = (graph.start(), String::new());
    for &scheme in Scheme::ALL {
        for size in [50, 1_000] {
            let table = AnyTable::new(scheme, size).expect("a small table").watched();
            let options = Options { table_depth: Some(1), ..Options::paper(Algorithm::Star2Tt) };
            let searcher = Searcher::new(graph.clone(), HashRandom::new(1, 1 << 20), &table);
            let searcher = searcher.with_options(options);
            for depth in [7, 6] {
                let stats =
                    searcher.request(&start).limits(Limits::depth(depth)).search().expect("a search").stats;
                let kept = table.retention().expect("it is watched");
                let kept = format!("{} of {}", kept.found_again, kept.asked_again);
                let counts =
                    stats.nodes.named().chain(stats.table.named()).map(|(_, count)| count.to_string());
                let counts = counts.collect::<Vec<_>>().join(" ");
                let full = table.hashfull();
                writeln!(lines, "{scheme:?} of {size} to {depth}: {kept} full {full} {counts}")
                    .expect("text");
            }
        }
    }
    lines
}
