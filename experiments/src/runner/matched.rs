//! Independent searches at the same time, on the threads that a parallel search has and with the memory that
//! it has, until the first of them ends: the machine's ceiling, like for like.

use crate::question::door::{AnySearcher, Entry, Timed};
use crate::records::measured::Measured;
use crate::runner::together::Gate;
use starsplit::Pool;
use starsplit::search::{Limits, StopFlag};
use starsplit::table::Table;

/// As [`measure_together`](crate::runner::together::measure_together()), on the calling thread and as many of
/// the pool's as a parallel search on so many threads would have. The first to end stops the others: each
/// counts the nodes that it has visited by then, and its own time from the beginning of all until it has
/// left. So no copy ever has more of the machine than it would have beside all of them.
///
/// # Errors
/// Whatever ends a search with an error.
pub fn measure_matched(
    searchers: &[&dyn AnySearcher],
    pool: &Pool,
    position: &Entry,
    limits: &Limits,
) -> anyhow::Result<Vec<Measured>> {
    let stops: Vec<StopFlag> = searchers.iter().map(|searcher| searcher.stop_handle()).collect();
    let gate = Gate::new(searchers.len());
    let search = |number: usize| {
        let searcher = searchers[number];
        searcher.table().clear(1);
        gate.pass();
        let found = searcher.search(position, limits, &mut |_| {});
        stops.iter().for_each(StopFlag::stop);
        found
    };
    let runs = pool.run_together(searchers.len(), search);
    stops.iter().for_each(StopFlag::clear);
    let runs: Vec<Timed> = runs.into_iter().collect::<anyhow::Result<_>>()?;
    let first = runs.iter().map(|run| run.begun).min();
    let measured = searchers.iter().zip(&runs).map(|(searcher, run)| {
        let wall = run.ended.duration_since(first.unwrap_or(run.begun));
        Measured::new(searcher.grid(), searcher.options(), &run.answer, wall)
    });
    Ok(measured.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::measure::measure;
    use crate::runner::together::tests::with_searchers;

    #[test]
    fn the_first_to_end_stops_the_others_and_nobody_afterwards() {
        with_searchers(3, |searchers, initial| {
            let pool = Pool::new(3).unwrap();
            let limits = Limits::depth(9);
            let alone = measure(searchers[0], initial, &limits).unwrap();
            for _ in 0..2 {
                let found = measure_matched(searchers, &pool, initial, &limits).unwrap();
                let (ended, stopped): (Vec<_>, Vec<_>) = found.iter().partition(|search| !search.stopped);
                assert!(!ended.is_empty(), "one of them came to its end");
                assert!(ended.iter().all(|one| (one.nodes, one.score) == (alone.nodes, alone.score)));
                assert!(stopped.iter().all(|one| one.nodes <= alone.nodes && one.wall_ns > 0));
            }
            assert!(!measure(searchers[2], initial, &limits).unwrap().stopped, "it may search again");
        });
    }

    #[test]
    fn a_stop_from_outside_stops_all() {
        with_searchers(2, |searchers, initial| {
            let (pool, stop) = (Pool::new(2).unwrap(), StopFlag::new());
            stop.stop();
            let limits = Limits::depth(200).with_stop(stop);
            let found = measure_matched(searchers, &pool, initial, &limits).unwrap();
            assert!(found.iter().all(|search| search.stopped));
        });
    }
}
