//! Searches give back all that they allocate, and say so where the system refuses them memory. What the
//! system counts as resident says little about that: an allocator keeps what it is given back, and the more
//! threads there are the longer that grows.

#![allow(unsafe_code, reason = "an allocator that counts")]

mod common;

use common::faulty::{Fault, Faulty};
use common::graphs::wide_graph;
use common::splits::eager;
use starsplit::evaluator::HashRandom;
use starsplit::game::Game;
use starsplit::search::{Limits, Method, Options};
use starsplit::table::{LocklessTable, NoTable};
use starsplit::{Pool, Searcher};
use starsplit_testkit::{GraphShape, RandomGraph};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The system's allocator, how many bytes it has out, and how many it gives at once at most.
struct Counted;

static LIVE: AtomicI64 = AtomicI64::new(0);
static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);

/// One test at a time: there is one allocator.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

// SAFETY: every call is refused or handed on to the system's allocator as it is; counting touches none of the
// memory.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > MOST.load(Relaxed) {
            return std::ptr::null_mut();
        }
        LIVE.fetch_add(layout.size() as i64, Relaxed);
        // SAFETY: the caller keeps the contract of `GlobalAlloc`, which is that of the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as i64, Relaxed);
        // SAFETY: as in `alloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// What queues and their garbage may differ by from one moment to the next: some buffers of a kilobyte.
const SLACK: i64 = 16 << 10;

#[test]
fn searches_give_back_what_they_allocate() {
    let _alone = alone();
    let graph = wide_graph();
    let start = graph.start();
    let evaluator = HashRandom::new(1, graph.facts().grid.limit());
    let table = LocklessTable::new(1).expect("memory");
    let pool = Pool::new(8).expect("threads");
    let mut splits = 0;
    let mut search_all = |repeats: u32| {
        for &method in Method::ALL {
            let options = Options { threads: 8, method, splits: eager(Some(2)), ..Options::default() };
            let searcher =
                Searcher::new(graph.clone(), evaluator, &table).with_options(options).with_pool(pool.clone());
            for _ in 0..repeats {
                searcher.new_game();
                let found = searcher.request(&start).limits(Limits::depth(5)).search().expect("a search");
                splits += found.stats.split.probing_splits;
            }
        }
    };
    search_all(50);
    let before = LIVE.load(Relaxed);
    search_all(500);
    let grown = LIVE.load(Relaxed) - before;
    println!("{before} bytes out before 3,500 searches, {grown} more after them, {splits} split points");
    assert!(grown <= SLACK, "{grown} bytes are still out, expected at most {SLACK}");
    assert!(splits > 1_000, "only {splits} split points: nothing that could have been kept");
}

#[test]
fn memory_refused_for_move_slots_is_an_error() {
    let _alone = alone();
    let slots = 1 << 19;
    for threads in [1, 2] {
        for method in [Method::ChanceSplit, Method::ForkJoin] {
            let options = Options { threads, method, ..Options::default() };
            let graph = RandomGraph::new(&GraphShape::default(), 1).expect("the shape is within its limits");
            let start = graph.start();
            let game = Faulty::new(graph, Fault::MoveSlots(slots));
            let searcher =
                Searcher::new(game, HashRandom::new(1, 1000), NoTable).with_options(options.clone());
            let search = || searcher.request(&start).limits(Limits::depth(3)).search();
            search().expect("memory enough");
            MOST.store(size_of::<u32>() * slots - 1, Relaxed);
            let refused = search();
            MOST.store(usize::MAX, Relaxed);
            let expected = format!("move_slots {slots}: the system refused the memory for them");
            assert_eq!(refused.expect_err("no memory").to_string(), expected, "{options:?}");
            search().expect("memory enough again");
        }
    }
}
