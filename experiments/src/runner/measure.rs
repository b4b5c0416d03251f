//! Timed searches: of one position alone, or several of it at the same time, which tell what the machine
//! gives to programs that share nothing.

use crate::question::door::{AnySearcher, Entry, Timed};
use crate::records::measured::Measured;
use crate::runner::cpu_time::{self, Before};
use crate::runner::pinning::Pinning;
use starsplit::Pool;
use starsplit::search::{Limits, SearchError, StopFlag};
use starsplit::table::Table;
use std::panic::resume_unwind;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::thread;

/// Clears the table, which touches every page of it, and then searches and takes the time of the search
/// alone, and its processor time, as that of the process.
///
/// # Errors
/// Whatever ends the search with an error.
pub fn measure(searcher: &dyn AnySearcher, position: &Entry, limits: &Limits) -> anyhow::Result<Measured> {
    searcher.table().clear(searcher.options().threads);
    let stolen = cpu_time::stolen_ns();
    let before = Before::in_this_process();
    let timed = searcher.search(position, limits, &mut |_| {})?;
    let cpu_ns = before.passed();
    let measured = Measured::new(searcher.grid(), searcher.options(), &timed.answer, timed.wall());
    let stolen_ns = cpu_time::stolen_since(stolen);
    Ok(Measured { cpu_ns, stolen_ns, ..measured }.with_table(searcher.table()))
}

/// As [`measure()`], with independent searches of one position at the same
/// time, each on a thread of its own. All begin when the last of the threads is running and has cleared its
/// table, and the time of each is taken from that moment: where the machine runs fewer at once, waiting for a
/// turn counts. Where threads are pinned, each has a processor of its own.
///
/// # Errors
/// Whatever ends a search with an error, and when the system starts no more threads.
pub fn measure_together(
    searchers: &[&dyn AnySearcher],
    position: &Entry,
    limits: &Limits,
    pinning: &Pinning,
) -> anyhow::Result<Vec<Measured>> {
    let gate = Gate::new(searchers.len());
    let stolen = cpu_time::stolen_ns();
    let search = &|number: usize, searcher: &dyn AnySearcher| {
        pinning.copy(number);
        searcher.table().clear(searcher.options().threads);
        gate.pass();
        Copied::measure(searcher, position, limits)
    };
    let runs: Vec<Copied> = thread::scope(|scope| {
        let start = |(number, &searcher)| {
            let started = thread::Builder::new().spawn_scoped(scope, move || search(number, searcher));
            started.map_err(|error| {
                gate.open();
                let what = format!("threads {}", searchers.len());
                SearchError::Refused { what, message: format!("to start them: {error}") }
            })
        };
        let threads: Vec<_> = searchers.iter().enumerate().map(start).collect::<Result<_, _>>()?;
        let join = |thread: thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        threads.into_iter().map(join).collect::<anyhow::Result<_>>()
    })?;
    Ok(measured(searchers, &runs, stolen))
}

/// As [`measure_together()`], on the calling thread and as many of
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
    let stolen = cpu_time::stolen_ns();
    let search = |number: usize| {
        let searcher = searchers[number];
        searcher.table().clear(1);
        gate.pass();
        let found = Copied::measure(searcher, position, limits);
        stops.iter().for_each(StopFlag::stop);
        found
    };
    let runs = pool.run_together(searchers.len(), search);
    stops.iter().for_each(StopFlag::clear);
    let runs: Vec<Copied> = runs.into_iter().collect::<anyhow::Result<_>>()?;
    Ok(measured(searchers, &runs, stolen))
}

/// One of several searches at the same time, on a thread of its own.
struct Copied {
    timed: Timed,
    cpu_ns: Option<u64>,
}

impl Copied {
    fn measure(searcher: &dyn AnySearcher, position: &Entry, limits: &Limits) -> anyhow::Result<Self> {
        let before = Before::on_this_thread();
        let timed = searcher.search(position, limits, &mut |_| {})?;
        Ok(Copied { timed, cpu_ns: before.passed() })
    }
}

/// What searches came to that were at the same time; each took its time from the beginning of all. Before
/// them, so much had been stolen.
fn measured(searchers: &[&dyn AnySearcher], runs: &[Copied], stolen: Option<u64>) -> Vec<Measured> {
    let first = runs.iter().map(|run| run.timed.begun).min();
    let stolen_ns = cpu_time::stolen_since(stolen);
    let measured = searchers.iter().zip(runs).map(|(searcher, Copied { timed, cpu_ns })| {
        let wall = timed.ended.duration_since(first.unwrap_or(timed.begun));
        let measured = Measured::new(searcher.grid(), searcher.options(), &timed.answer, wall);
        Measured { cpu_ns: *cpu_ns, stolen_ns, ..measured }
    });
    measured.collect()
}

/// Lets threads through when all of them are there.
struct Gate {
    missing: AtomicUsize,
}

impl Gate {
    fn new(threads: usize) -> Self {
        Gate { missing: AtomicUsize::new(threads) }
    }

    /// Waits for the others. They look again and again and do not sleep, because on a virtual machine waking
    /// up takes longer than many a search.
    fn pass(&self) {
        // AcqRel and Acquire: what the others did before the gate is done for whoever has passed it.
        let counted = self.missing.try_update(AcqRel, Acquire, |missing| missing.checked_sub(1));
        while counted.is_ok() && self.missing.load(Acquire) > 0 {
            thread::yield_now();
        }
    }

    /// Lets everyone through, because somebody will never come.
    fn open(&self) {
        self.missing.store(0, Relaxed); // Relaxed: whoever passes relies on nothing that was done here.
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::doors::games;
    use starsplit::search::Options;
    use starsplit_tables::AnyTable;

    /// What `work` does with the searchers of as many small tables, all of one game, and with its first
    /// position.
    fn with_searchers<R>(count: usize, work: impl FnOnce(&[&dyn AnySearcher], &Entry) -> R) -> R {
        let door = games().open(games().default_game(), None).unwrap();
        let maker = door.evaluator("constant", 1).unwrap();
        let tables: Vec<_> = (0..count).map(|_| AnyTable::of_mib(1).unwrap()).collect();
        let searchers: Vec<_> =
            tables.iter().map(|table| maker.searcher(table, Options::default(), None)).collect();
        work(&searchers.iter().map(|searcher| &**searcher).collect::<Vec<_>>(), &door.initial())
    }

    #[test]
    fn searches_at_once_do_not_meet() {
        with_searchers(3, |searchers, initial| {
            let limits = Limits::depth(5);
            let alone = measure(searchers[0], initial, &limits).unwrap();
            let together = measure_together(searchers, initial, &limits, &Pinning::off()).unwrap();
            assert_eq!(together.len(), 3);
            for measured in &together {
                assert_eq!((measured.nodes, measured.score), (alone.nodes, alone.score));
                assert!(measured.wall_ns > 0);
            }
        });
    }

    #[test]
    fn an_error_of_one_search_is_the_answer() {
        with_searchers(2, |searchers, initial| {
            let error = measure_together(searchers, initial, &Limits::depth(0), &Pinning::off()).unwrap_err();
            assert!(matches!(error.downcast_ref(), Some(SearchError::Depth { found: 0 })), "{error}");
        });
    }

    #[test]
    fn nobody_passes_the_gate_before_all_are_there_unless_it_is_opened() {
        let gate = Gate::new(2);
        let there = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    there.fetch_add(1, Relaxed); // Relaxed: the gate is to order it, and the next.
                    gate.pass();
                    assert_eq!(there.load(Relaxed), 2);
                });
            }
        });
        let gate = Gate::new(3);
        thread::scope(|scope| {
            scope.spawn(|| gate.pass());
            gate.open();
        });
    }

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
