//! Time a node: whole searches of fixed positions, divided by the nodes they visit.
//!
//! `cargo bench --bench nodes` prints nanoseconds an element; an element is a node. The evaluator is the trained
//! network, the table is cleared and touched outside the timed part.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use starsplit::Searcher;
use starsplit::games::dice::{Dice, Network, Rules};
use starsplit::search::{Algorithm, Limits, MoveOrdering, Options};
use starsplit::table::{LocklessTable, Table};
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
    group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(8)).sample_size(20);
    for (algorithm, ordering, depth) in [
        (Algorithm::Expectimax, MoveOrdering::Paper, 7),
        (Algorithm::Star1, MoveOrdering::Paper, 9),
        (Algorithm::Star2, MoveOrdering::Paper, 9),
        (Algorithm::Star2Tt, MoveOrdering::Paper, 11),
        (Algorithm::Star2Tt, MoveOrdering::Static, 11),
        (Algorithm::Star2Tt, MoveOrdering::Hybrid, 11),
    ] {
        let options = Options { ordering, ..Options::paper(algorithm) };
        let search = || {
            let searcher = Searcher::new(dice.clone(), &network, &table).with_options(options.clone());
            let counts = positions.iter().map(|position| {
                let result = searcher.search(position, &Limits::depth(depth)).expect("valid options");
                result.stats.nodes.total()
            });
            counts.sum::<u64>()
        };
        table.clear(2);
        let visited = search();
        group.throughput(Throughput::Elements(visited));
        group.bench_function(format!("{algorithm}/{ordering}/depth-{depth}"), |b| {
            b.iter_batched(|| table.clear(2), |()| assert_eq!(search(), visited), BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, nodes);
criterion_main!(benches);
