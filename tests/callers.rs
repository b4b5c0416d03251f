//! Whose thread it is: searches that are called from threads of somebody else's rayon pool or async runtime,
//! from within one another, and on a pool that another search has. None waits for another, and none runs the
//! jobs of its caller's pool while the caller holds a lock.

mod common;

use common::batched::Batched;
use common::graphs::endless_graph;
use common::oracle::Oracle;
use common::splits::eager;
use common::watchdog::watched;
use rayon::prelude::*;
use starsplit::evaluator::{Evaluator, HashRandom};
use starsplit::score::{Bounds, Score};
use starsplit::search::{LaneOptions, Limits, Method, Options, StopReason};
use starsplit::table::LocklessTable;
use starsplit::{Pool, Searcher};
use starsplit_testkit::{GraphPosition, RandomGraph};
use std::sync::{Mutex, OnceLock, mpsc};
use std::time::Duration;

const DEPTH: u32 = 5;

/// How often each form calls.
const CALLS: u32 = 200;

/// As many of them as there is room for at once: each may take some stacks of 16 MiB.
const AT_ONCE: usize = if usize::BITS < 64 { 4 } else { 200 };

fn evaluator() -> HashRandom {
    HashRandom::new(1, 1000)
}

fn searcher<E: Evaluator<RandomGraph>>(
    evaluator: E,
    options: Options,
) -> Searcher<RandomGraph, E, LocklessTable> {
    let table = LocklessTable::with_buckets(64).expect("a small table");
    Searcher::new(endless_graph(), evaluator, table).with_options(options)
}

fn splitting(threads: usize, method: Method) -> Options {
    Options { threads, method, splits: eager(Some(1)), table_depth: Some(1), ..Options::default() }
}

/// Positions with their values.
fn positions() -> Vec<(GraphPosition, Bounds)> {
    let (graph, evaluator) = (endless_graph(), evaluator());
    let mut oracle = Oracle::new(&graph, &evaluator);
    let mut value = |root: GraphPosition| Bounds::exactly(oracle.value(&root, DEPTH) as Score);
    graph.positions().take(12).map(|root| (root, value(root))).collect()
}

/// A searcher that is called with the number of a position, and checks the value that it finds.
type Form = (String, Box<dyn Fn(u32) + Send + Sync>);

fn form<E: Evaluator<RandomGraph> + 'static>(name: String, evaluator: E, options: Options) -> Form {
    let (searcher, positions, told) = (searcher(evaluator, options), positions(), name.clone());
    let search = move |number: u32| {
        let (root, expected) = positions[number as usize % positions.len()];
        let found = searcher.request(&root).limits(Limits::depth(DEPTH)).search().expect("a sound game");
        assert_eq!(found.bounds, expected, "{told}, position {number}");
    };
    (name, Box::new(search))
}

/// On two threads by every method, and in lanes of two threads, with a device and without.
fn forms() -> Vec<Form> {
    let by_method = Method::ALL.iter().map(|&method| {
        form(format!("method {method}"), evaluator(), splitting(2, method)) //
    });
    let in_lanes = [false, true].map(|device| {
        let lanes = LaneOptions { count: Some(3), batch: Some(4), device, ..LaneOptions::default() };
        let options = Options { lanes, ..splitting(2, Method::default()) };
        form(format!("lanes, device {device}"), Batched(evaluator()), options)
    });
    by_method.chain(in_lanes).collect()
}

/// Calls every form in a rayon pool of two threads of the caller's.
fn in_callers_pool(call: impl Fn(&(dyn Fn(u32) + Send + Sync)) + Send + Sync + 'static) {
    watched(move |watch| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
        for (name, search) in &forms() {
            watch.over(|| name.clone(), || pool.install(|| call(search)));
        }
    });
}

/// A thread that ran another job of its pool while it waits would want the lock that it has.
#[test]
fn searches_behind_a_lock_may_be_called_from_a_parallel_iterator() {
    in_callers_pool(|search| {
        let lock = Mutex::new(());
        (0..CALLS).into_par_iter().for_each(|number| {
            let _guard = lock.lock().expect("nobody panics");
            search(number);
        });
    });
}

#[test]
fn each_value_may_be_found_once_from_a_parallel_iterator() {
    in_callers_pool(|search| {
        let found: Vec<OnceLock<()>> = (0..CALLS / 4).map(|_| OnceLock::new()).collect();
        (0..CALLS).into_par_iter().with_max_len(1).for_each(|number| {
            found[number as usize / 4].get_or_init(|| search(number / 4));
        });
    });
}

#[test]
fn searches_may_be_joined_and_spawned_in_scopes() {
    in_callers_pool(|search| {
        let lock = Mutex::new(());
        let locked = |number| {
            let _guard = lock.lock().expect("nobody panics");
            search(number);
        };
        for number in 0..CALLS / 4 {
            rayon::join(|| locked(number), || rayon::join(|| locked(number + 1), || search(number + 2)));
            rayon::scope(|scope| {
                (0..3).for_each(|more| scope.spawn(move |_| search(number + more)));
                locked(number);
            });
        }
    });
}

#[test]
fn searches_may_be_called_from_an_async_runtime() {
    watched(|watch| {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().expect("a runtime");
        for (name, search) in forms() {
            let search: &'static (dyn Fn(u32) + Send + Sync) = Box::leak(search);
            watch.over(
                || name.clone(),
                || {
                    let call = |number| match number % 2 {
                        0 => runtime.spawn(async move { search(number) }),
                        _ => runtime.spawn_blocking(move || search(number)),
                    };
                    for first in (0..CALLS).step_by(AT_ONCE) {
                        let tasks = (first..CALLS.min(first + AT_ONCE as u32)).map(call);
                        for task in tasks.collect::<Vec<_>>() {
                            runtime.block_on(task).expect("a value");
                        }
                    }
                },
            );
        }
    });
}

/// A callback that has its pool work, and so meets other calls on the thread that searches.
#[test]
fn a_callback_may_run_jobs_that_search() {
    watched(|watch| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
        for &method in Method::ALL {
            let (searcher, positions) = (searcher(evaluator(), splitting(2, method)), positions());
            let search = |number: usize, more: &(dyn Fn() + Sync)| {
                let (root, expected) = positions[number % positions.len()];
                let asked = searcher.request(&root).limits(Limits::depth(DEPTH)).on_iteration(|_| more());
                assert_eq!(asked.search().expect("a sound game").bounds, expected, "{method}");
            };
            let inner = || (0..4).into_par_iter().for_each(|number| search(number, &|| {}));
            let outer = || (0..20).into_par_iter().for_each(|number| search(number, &inner));
            watch.over(|| format!("{method}"), || pool.install(outer));
        }
    });
}

/// A search that has the pool until it is told to end, and whether it has begun.
fn while_the_pool_is_busy<R: Send>(
    (busy, root): (&Searcher<RandomGraph, HashRandom, LocklessTable>, GraphPosition),
    act: impl FnOnce(Box<dyn FnMut() + '_>) -> R + Send,
) -> R {
    std::thread::scope(|scope| {
        let ((begun, begins), (end, ends)) = (mpsc::channel(), mpsc::channel::<()>());
        let holder = scope.spawn(move || {
            let mut left = Some(ends);
            let asked = busy.request(&root).limits(Limits::depth(3)).on_iteration(move |_| {
                if let Some(ends) = left.take() {
                    begun.send(()).expect("somebody waits");
                    let _ = ends.recv(); // until it is told, or nobody can tell any more
                }
            });
            asked.search().expect("a sound game")
        });
        begins.recv().expect("it has the pool");
        let mut holding = Some((end, holder));
        act(Box::new(move || {
            if let Some((end, holder)) = holding.take() {
                drop(end);
                holder.join().expect("it ends");
            }
        }))
    })
}

/// Searches whose pool is busy search alone, to the end, and say so.
#[test]
fn a_search_whose_pool_is_busy_goes_on_alone() {
    watched(|watch| {
        for &method in Method::ALL {
            let (busy, positions) = (searcher(evaluator(), splitting(2, method)), positions());
            let busy = busy.with_pool(Pool::new(2).expect("threads"));
            let alone = |watched: &dyn Fn()| {
                let (root, expected) = positions[1];
                let asked = busy.request(&root).limits(Limits::depth(DEPTH)).on_iteration(|_| watched());
                let found = asked.search().expect("a sound game");
                assert_eq!((found.bounds, found.depth), (expected, DEPTH), "{method}");
                found
            };
            let found = watch.over(
                || format!("busy, {method}"),
                || while_the_pool_is_busy((&busy, positions[0].0), |_end| alone(&|| {})),
            );
            assert!(!found.had_helpers && found.waited > Duration::ZERO, "{method}: {:?}", found.waited);
            assert!(found.workers.is_empty(), "{method}: {} workers", found.workers.len());
            let free = watch.over(|| format!("free, {method}"), || alone(&|| {}));
            assert!(free.had_helpers && free.waited == Duration::ZERO, "{method}: {:?}", free.waited);
        }
    });
}

/// It takes the pool as soon as it is free: here after the first iteration.
#[test]
fn a_search_takes_its_pool_when_it_becomes_free() {
    watched(|watch| {
        for &method in Method::ALL {
            let (busy, positions) = (searcher(evaluator(), splitting(2, method)), positions());
            let busy = busy.with_pool(Pool::new(2).expect("threads"));
            let (root, expected) = positions[1];
            let found = watch.over(
                || format!("{method}"),
                || {
                    while_the_pool_is_busy((&busy, positions[0].0), |mut end| {
                        let asked =
                            busy.request(&root).limits(Limits::depth(DEPTH)).on_iteration(move |_| {
                                end();
                                std::thread::sleep(Duration::from_millis(25)); // in which a helper wakes
                            });
                        asked.search().expect("a sound game")
                    })
                },
            );
            assert_eq!(found.bounds, expected, "{method}");
            assert!(found.had_helpers && found.waited > Duration::ZERO, "{method}: {:?}", found.waited);
        }
    });
}

/// Four threads on one searcher, each within a limit of time: all of them search.
#[test]
fn searches_on_one_searcher_do_not_spend_their_time_waiting() {
    let (searcher, positions) = (searcher(evaluator(), splitting(2, Method::default())), positions());
    let limits = Limits::unbounded().with_time(Duration::from_millis(100));
    let found: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|number| {
                let (searcher, limits, (root, _)) = (&searcher, &limits, positions[number]);
                scope.spawn(move || {
                    searcher.request(&root).limits(limits.clone()).search().expect("a sound game")
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    for result in found {
        assert_eq!(result.stopped_by, StopReason::Time);
        assert!(result.depth > 0 && result.value.is_finite(), "{result}");
    }
}
