//! Time a whole move of backgammon: found, none twice, and played, with the hash of what it leads to.
//!
//! `cargo bench -p starsplit-games --bench backgammon` prints elements a second on one core; an element is a
//! move. The positions are those of seeded random plays.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use starsplit::game::{Game, NodeKind};
use starsplit_games::backgammon::{Backgammon, Move, Position, Scoring, Variant};
use std::time::Duration;

/// Positions with a roll to be played.
fn positions(game: &Backgammon) -> Vec<Position> {
    let mut random = Pcg32::seed_from_u64(1);
    let mut below = |end: usize| ((u64::from(random.next_u32()) * end as u64) >> 32) as usize;
    let (mut position, mut found) = (game.initial(), Vec::new());
    while found.len() < 1000 {
        match game.kind(&position) {
            NodeKind::Terminal => position = game.initial(),
            NodeKind::Chance => {
                let mut outcomes = Vec::new();
                game.outcomes(&position, |outcome, _| outcomes.push(outcome));
                position = game.resolve(&position, outcomes[below(outcomes.len())]);
            }
            NodeKind::Decision => {
                found.push(position);
                let mut moves = Vec::new();
                game.moves(&position, |mv| moves.push(mv));
                position = game.play(&position, moves[below(moves.len())]);
            }
        }
    }
    found
}

/// Finds and plays all moves; the exclusive-or of the hashes, and how many there were.
fn play_all(game: &Backgammon, positions: &[Position], moves: &mut Vec<Move>) -> (u64, u64) {
    let (mut hashes, mut count) = (0, 0);
    for position in positions {
        moves.clear();
        game.moves(position, |mv| moves.push(mv));
        for &mv in &*moves {
            hashes ^= game.hash(&game.play(position, mv)).low;
        }
        count += moves.len() as u64;
    }
    (hashes, count)
}

fn moves(c: &mut Criterion) {
    let mut group = c.benchmark_group("backgammon");
    group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3)).sample_size(20);
    for (name, variant) in [("backgammon", Variant::Backgammon), ("hyper-backgammon", Variant::Hyper)] {
        let game = Backgammon::new(variant, Scoring::Points);
        let (positions, mut moves) = (positions(&game), Vec::new());
        group.throughput(Throughput::Elements(play_all(&game, &positions, &mut moves).1));
        group.bench_function(name, |b| b.iter(|| play_all(&game, &positions, &mut moves)));
    }
    group.finish();
}

criterion_group!(benches, moves);
criterion_main!(benches);
