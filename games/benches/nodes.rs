//! Time a node: whole searches of fixed positions, divided by the nodes they visit.
//!
//! `cargo bench --bench nodes` prints elements a second; an element is a node. `paper` are the options of the
//! paper's comparison, where every node uses the table, `default` the library's. The evaluator is the trained
//! network; the table is cleared and touched outside the timed part.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use starsplit::Searcher;
use starsplit::search::{Algorithm, Limits, MoveOrdering, Options};
use starsplit::table::{LocklessTable, Table};
use starsplit_games::dice::{Dice, Network, Rules};
use std::time::Duration;

/// Openings, middle games and an ending.
const POSITIONS: [&str; 3] = [
    "...../..x../..o../.x.../....o x -",
    "x.o../..x../.oo../.x..o/...x. x -",
    "x.o.x/..x.o/.oox./ox.xo/o..x. x -",
];

fn nodes(c: &mut Criterion) {
    let dice = Dice::new(Rules::default());
    let network = Network::trained(&dice).expect("the committed weights are valid");
    let table = LocklessTable::new(64).expect("64 MiB");
    let positions: Vec<_> = POSITIONS.iter().map(|text| dice.parse(text).expect("valid notation")).collect();
    let mut group = c.benchmark_group("node");
    group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(5)).sample_size(20);
    let paper = Algorithm::ALL.iter().map(|&algorithm| {
        let depth = if algorithm == Algorithm::Expectimax { 7 } else { 9 };
        (format!("{algorithm}/paper"), Options::paper(algorithm), depth)
    });
    let default = MoveOrdering::ALL.iter().map(|&ordering| {
        (format!("star2-tt/default-{ordering}"), Options { ordering, ..Options::default() }, 11)
    });
    for (name, options, depth) in paper.chain(default) {
        let search = || {
            let searcher = Searcher::new(dice.clone(), &network, &table).with_options(options.clone());
            let counts = positions.iter().map(|position| {
                let result =
                    searcher.request(position).limits(Limits::depth(depth)).search().expect("valid options");
                result.stats.nodes.total()
            });
            counts.sum::<u64>()
        };
        table.clear(2);
        let visited = search();
        group.throughput(Throughput::Elements(visited));
        group.bench_function(format!("{name}/depth-{depth}"), |b| {
            b.iter_batched(|| table.clear(2), |()| assert_eq!(search(), visited), BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, nodes);
criterion_main!(benches);
