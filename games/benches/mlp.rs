//! Time an evaluation of backgammon's perceptron: alone, and in batches of several sizes, beside the small
//! network.
//!
//! `cargo bench -p starsplit-games --bench mlp` prints elements a second on one core; an element is a
//! position. States are carried along moves in searches and are not timed.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind};
use starsplit_games::backgammon::mlp::Weights;
use starsplit_games::backgammon::network::Weights as SmallWeights;
use starsplit_games::backgammon::{Backgammon, Mlp, Position, Scoring, Variant};
use starsplit_games::network::NetworkGame;
use std::hint::black_box;
use std::time::Duration;

/// How many positions are evaluated in turn.
const POSITIONS: usize = 512;

/// Positions before a roll, of random games.
fn positions(game: &Backgammon) -> Vec<Position> {
    let mut random = Pcg32::seed_from_u64(1);
    let mut below = |end: usize| ((u64::from(random.next_u32()) * end as u64) >> 32) as usize;
    let (mut position, mut found) = (game.initial(), Vec::new());
    while found.len() < POSITIONS {
        let (mut outcomes, mut moves) = (Vec::new(), Vec::new());
        position = match game.kind(&position) {
            NodeKind::Terminal => game.initial(),
            NodeKind::Chance => {
                found.push(position);
                game.outcomes(&position, |outcome, _| outcomes.push(outcome));
                game.resolve(&position, outcomes[below(outcomes.len())])
            }
            NodeKind::Decision => {
                game.moves(&position, |mv| moves.push(mv));
                game.play(&position, moves[below(moves.len())])
            }
        };
    }
    found
}

fn evaluations(c: &mut Criterion) {
    let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
    let positions = positions(&game);
    // How fast it is does not depend on what has been learnt.
    let mlp = Mlp::new(&game, &Weights::random(&game, 1)).expect("small weights");
    let mut group = c.benchmark_group("mlp");
    group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3)).sample_size(20);
    group.throughput(Throughput::Elements(POSITIONS as u64));
    let states: Vec<_> = positions.iter().map(|position| mlp.state(&game, position, None)).collect();
    let nodes: Vec<_> = positions.iter().zip(&states).collect();
    group.bench_function("alone", |b| {
        b.iter(|| nodes.iter().map(|(position, state)| mlp.evaluate(&game, position, state)).max());
    });
    for size in [1, 4, 16, 64, 256] {
        group.bench_function(BenchmarkId::new("batches", size), |b| {
            let mut scores = [0; POSITIONS];
            b.iter(|| {
                for nodes in nodes.chunks(size) {
                    mlp.evaluate_many(&game, nodes, black_box(&mut scores[..nodes.len()])).unwrap();
                }
            });
        });
    }
    let small = game.trained().map(|bytes| SmallWeights::from_bytes(game.shape(), bytes));
    if let Some(Ok(Ok(small))) = small.map(|weights| weights.map(|weights| game.network(&weights))) {
        let states: Vec<_> = positions.iter().map(|position| small.state(&game, position, None)).collect();
        group.bench_function("the small network", |b| {
            let nodes = positions.iter().zip(&states);
            b.iter(|| nodes.clone().map(|(position, state)| small.evaluate(&game, position, state)).max());
        });
    }
    group.finish();
}

criterion_group!(benches, evaluations);
criterion_main!(benches);
