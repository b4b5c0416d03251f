//! What it costs to share: `cargo bench --bench split`.
//!
//! `split-and-join`: a tree of chance nodes with two successors each, all of them split, searched by the
//! parallel code on one thread and by the serial code. An element is a split point; the difference of the two
//! is what publishing a split point, claiming its successors and closing it cost where nobody comes.
//!
//! `steal`: a chance node with two terminals that take some microseconds each to score, split again in each
//! of many iterations. An element is such a node. On two threads, what the time exceeds half the serial one
//! by is what it costs that another thread finds the split point, takes a successor and is waited for.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use starsplit::evaluator::{Constant, mix64};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash};
use starsplit::score::Score;
use starsplit::search::{Limits, MAX_DEPTH, Options, Splits};
use starsplit::table::NoTable;
use starsplit::{Pool, Searcher};
use std::hint::black_box;
use std::time::Duration;

/// A binary tree of chance nodes.
struct Tree {
    /// How many chance nodes lie above each terminal.
    levels: u8,
    /// How long a terminal is scored, in steps of a nanosecond or so.
    work: u32,
    /// By how much a search deepens.
    step: u8,
}

impl Game for Tree {
    type Position = (u8, u64);
    type Move = ();
    type Outcome = u64;

    fn identity(&self) -> u64 {
        0
    }

    fn facts(&self) -> GameFacts {
        GameFacts::default().with_depth_step(self.step)
    }

    fn kind(&self, &(level, _): &(u8, u64)) -> NodeKind {
        if level == self.levels { NodeKind::Terminal } else { NodeKind::Chance }
    }

    fn player(&self, _: &(u8, u64)) -> Player {
        Player::Max
    }

    fn terminal_score(&self, &(_, path): &(u8, u64)) -> Score {
        (0..self.work).fold(path, |bits, _| black_box(mix64(bits))) as Score & 0xffff
    }

    fn hash(&self, &(level, path): &(u8, u64)) -> PositionHash {
        PositionHash { high: mix64(path), low: mix64(path ^ u64::from(level)) }
    }

    fn moves(&self, _: &(u8, u64), _: impl FnMut(())) {}

    fn play(&self, position: &(u8, u64), (): ()) -> (u8, u64) {
        *position
    }

    fn outcomes(&self, _: &(u8, u64), mut push: impl FnMut(u64, u32)) {
        push(0, 1);
        push(1, 1);
    }

    fn resolve(&self, &(level, path): &(u8, u64), outcome: u64) -> (u8, u64) {
        (level + 1, path << 1 | outcome)
    }
}

/// A bench of one search of a tree, with as many elements as it has split points on one thread.
fn bench(c: &mut Criterion, group: &str, tree: fn() -> Tree, depth: u32, contenders: &[(&str, Options)]) {
    let pool = Pool::new(2).expect("two threads");
    let searcher = |options: &Options| {
        Searcher::new(tree(), Constant::default(), NoTable)
            .with_options(options.clone())
            .with_pool(pool.clone())
    };
    let search = |options: &Options| {
        let result =
            searcher(options).request(&(0, 1)).limits(Limits::depth(depth)).search().expect("valid options");
        (result.bounds, result.stats.split.probing_splits + result.stats.split.star1_splits)
    };
    let (bounds, splits) = search(&Options {
        splits: Splits { alone: true, depth: Some(2), size: Some(0), helpers_after: Duration::ZERO },
        ..Options::default()
    });
    let mut group = c.benchmark_group(group);
    group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(5)).sample_size(50);
    group.throughput(Throughput::Elements(splits));
    for (name, options) in contenders {
        group.bench_function(format!("{name}/{splits}-splits"), |b| {
            b.iter(|| assert_eq!(search(options).0, bounds));
        });
    }
    group.finish();
}

fn benches(c: &mut Criterion) {
    let serial = Options {
        splits: Splits { depth: Some(2), size: Some(0), helpers_after: Duration::ZERO, alone: false },
        ..Options::default()
    };
    let alone = Options { splits: Splits { alone: true, ..serial.splits }, ..serial.clone() };
    let two = Options { threads: 2, ..serial.clone() };
    // The terminals lie at depth 6, so every chance node is split whether or not somebody is idle.
    let tree = || Tree { levels: 10, work: 0, step: 16 };
    bench(c, "split-and-join", tree, 16, &[("serial", serial.clone()), ("alone", alone)]);
    let fork = || Tree { levels: 1, work: 10_000, step: 1 };
    bench(c, "steal", fork, MAX_DEPTH, &[("serial", serial), ("two-threads", two)]);
}

criterion_group!(all, benches);
criterion_main!(all);
