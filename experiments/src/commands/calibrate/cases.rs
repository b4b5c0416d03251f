//! The searches whose times tell what events cost, and how many events each of them has.

use crate::commands::calibrate::fit::KINDS;
use crate::question::door::{AnySearcher, Entry};
use anyhow::Result;
use starsplit::search::{Limits, MoveOrdering, Options, Splits};
use starsplit::simulate::{CostModel, Simulation};
use starsplit::table::Table;

/// The kinds of event in the order of an observation's counts, by name and as a model in which nothing else
/// costs anything. Last of the counts, and not among these, is the search itself: what it takes however small
/// it is.
pub(super) fn kinds() -> [(&'static str, CostModel); KINDS - 1] {
    let nothing = CostModel { node: 0, ..CostModel::FREE };
    [
        ("node", CostModel { node: 1, ..nothing }),
        ("evaluation", CostModel { evaluation: 1, ..nothing }),
        ("table", CostModel { table: 1, ..nothing }),
        ("poll", CostModel { poll: 1, ..nothing }),
        ("split", CostModel { split: 1, ..nothing }),
    ]
}

/// Ways to search a position on one thread that differ in what they are made of: evaluations by the ordering,
/// look-ups by the least depth that uses the table, polls and splits by what the parallel code splits where
/// nobody comes.
pub(super) fn ways() -> Vec<(String, Options)> {
    let serial = MoveOrdering::ALL.iter().flat_map(|&ordering| {
        [1, 3, 6].map(|table_depth| {
            let options = Options { ordering, table_depth: Some(table_depth), ..Options::default() };
            (format!("serial {ordering} table-depth {table_depth}"), options)
        })
    });
    let alone = [(2, 0), (3, 100), (5, 0), (7, 1_000)].map(|(depth, size)| {
        let splits = Splits { depth: Some(depth), size: Some(size), alone: true, ..Splits::default() };
        let options = Options { splits, ..Options::default() };
        (format!("alone split-depth {depth} split-size {size}"), options)
    });
    serial.chain(alone).collect()
}

/// A position to be searched in one way.
#[derive(Clone, Debug)]
pub(super) struct Case {
    pub(super) position: Entry,
    pub(super) way: String,
    pub(super) options: Options,
    /// How many events of each kind such a search has.
    pub(super) counts: [u64; KINDS],
}

/// How many events of each kind a search has: its time on a virtual processor where they alone take time, a
/// unit each.
///
/// # Errors
/// Whatever ends a search with an error.
pub(super) fn count(searcher: &dyn AnySearcher, position: &Entry, depth: u32) -> Result<[u64; KINDS]> {
    let mut counts = [1; KINDS];
    for (count, (_, costs)) in counts.iter_mut().zip(kinds()) {
        searcher.table().clear(searcher.options().threads);
        let simulated = searcher.simulate(position, &Limits::depth(depth), &Simulation { costs, seed: 1 })?;
        *count = simulated.result.elapsed.as_nanos() as u64;
    }
    Ok(counts)
}
