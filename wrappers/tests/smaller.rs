//! Smaller games: what they keep follows from the position, and searches of them are as exact as any.

use crate::common::oracle::oracle_value;
use crate::inner::Priced;
use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::game::{Game, NodeKind};
use starsplit::search::{Algorithm, Limits, Method, Options, Splits};
use starsplit::table::LocklessTable;
use starsplit_testkit::{GraphPosition, GraphShape, Plays, RandomGraph, check_evaluator, check_game};
use starsplit_wrappers::OfInner;
use starsplit_wrappers::smaller::{Sampled, TopMoves};
use std::collections::HashSet;

fn graph(seed: u64) -> RandomGraph {
    let shape = GraphShape { positions: 300, terminal_percent: 3, ..GraphShape::default() };
    RandomGraph::new(&shape, seed).unwrap()
}

fn evaluator(seed: u64) -> HashRandom {
    HashRandom::new(seed, 900)
}

type Both = TopMoves<Sampled<RandomGraph>, OfInner<HashRandom>>;

/// A few outcomes, and of each decision's moves the best two or those within a margin.
fn smaller(seed: u64) -> Both {
    let margin = (seed % 2 == 1).then_some(200);
    TopMoves::new(
        Sampled::new(graph(seed), Some(1 + seed as u32 % 4), seed),
        OfInner(evaluator(seed)),
        Some(2),
        margin,
    )
}

/// Every position that play comes to.
fn positions<G: Game<Position = GraphPosition>>(game: &G, start: GraphPosition) -> Vec<GraphPosition> {
    let (mut met, mut left) = (HashSet::new(), vec![start]);
    let mut all = Vec::new();
    while let Some(position) = left.pop() {
        if !met.insert(game.hash(&position)) {
            continue;
        }
        match game.kind(&position) {
            NodeKind::Terminal => {}
            NodeKind::Decision => game.moves(&position, |mv| left.push(game.play(&position, mv))),
            NodeKind::Chance => {
                game.outcomes(&position, |outcome, _| left.push(game.resolve(&position, outcome)))
            }
        }
        all.push(position);
    }
    all
}

fn moves<G: Game>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, |mv| moves.push(mv));
    moves
}

#[test]
fn every_search_of_a_smaller_game_finds_its_value() {
    let mut differ = 0;
    for seed in 0..60 {
        let game = smaller(seed);
        let (start, depth) = (graph(seed).start(), 5 + seed as u32 % 3);
        let expected = oracle_value(&game, &OfInner(OfInner(evaluator(seed))), &start, depth);
        differ += u32::from(expected != oracle_value(&graph(seed), &evaluator(seed), &start, depth));
        let words = game.facts().left_out;
        assert!(words.as_ref().is_some_and(|words| words.contains("drawn") && words.contains("best moves")));
        for (turn, &algorithm) in Algorithm::ALL.iter().enumerate() {
            for threads in [1, 3] {
                let methods = [Method::Both, Method::ChanceSplit, Method::SharedTable];
                let method = methods[(seed as usize + turn) % methods.len()];
                let helpers_after = std::time::Duration::ZERO;
                let options = Options {
                    algorithm,
                    threads,
                    method,
                    splits: Splits { helpers_after, ..Splits::default() },
                    ..Options::default()
                };
                let table = LocklessTable::new(1).unwrap();
                let searcher = Searcher::new(smaller(seed), OfInner(OfInner(evaluator(seed))), table)
                    .with_options(options);
                let found = searcher.request(&start).limits(Limits::depth(depth)).search().unwrap();
                assert_eq!(found.score().map(i64::from), Some(expected), "{seed}, {algorithm}, {threads}");
                assert_eq!(found.smaller_game, words);
            }
        }
    }
    assert!(differ >= 50, "{differ} of 60 values are not the full game's");
}

#[test]
fn a_search_of_a_full_game_says_nothing_of_a_smaller_one() {
    // A game of which nothing is left out, of the type of those of which something is.
    let full = TopMoves::new(Sampled::new(graph(1), None, 1), OfInner(evaluator(1)), None, None);
    let searcher = Searcher::new(full, OfInner(OfInner(evaluator(1))), LocklessTable::new(1).unwrap());
    assert_eq!(
        searcher.request(&graph(1).start()).limits(Limits::depth(2)).search().unwrap().smaller_game,
        None
    );
}

#[test]
fn smaller_games_keep_the_rules() {
    for seed in 0..10 {
        let (game, start) = (smaller(seed), graph(seed).start());
        check_game(&game, &start, &Plays::default()).unwrap();
        check_evaluator(&game, &OfInner(OfInner(evaluator(seed))), &start, &Plays::default()).unwrap();
    }
}

#[test]
fn a_sample_has_as_many_draws_as_asked_for_of_outcomes_that_there_are() {
    let full = graph(2);
    let mut several = 0;
    for draws in [1, 2, 5, 40] {
        let game = Sampled::new(full.clone(), Some(draws), 7);
        for position in positions(&full, full.start()) {
            if full.kind(&position) != NodeKind::Chance {
                continue;
            }
            let (mut there, mut drawn) = (Vec::new(), Vec::new());
            full.outcomes(&position, |outcome, _| there.push(outcome));
            game.outcomes(&position, |outcome, weight| drawn.push((outcome, weight)));
            assert_eq!(drawn.iter().map(|&(_, weight)| weight).sum::<u32>(), draws);
            several += u32::from(drawn.len() > 1);
            let mut rest = there.iter();
            assert!(drawn.iter().all(|(outcome, weight)| *weight > 0 && rest.any(|other| other == outcome)));
        }
    }
    assert!(several > 100, "{several}");
}

/// Over many seeds an outcome is drawn as often as its weight says.
#[test]
fn draws_follow_the_weights() {
    let full = graph(5);
    let is_uneven = |position: &GraphPosition| {
        let mut weights = Vec::new();
        if full.kind(position) == NodeKind::Chance {
            full.outcomes(position, |_, weight| weights.push(weight));
        }
        weights.len() >= 3 && weights.iter().max() >= weights.iter().min().map(|&least| 2 * least).as_ref()
    };
    let position = positions(&full, full.start()).into_iter().find(is_uneven).unwrap();
    let mut weights = Vec::new();
    full.outcomes(&position, |outcome, weight| weights.push((outcome, weight)));
    let total: u32 = weights.iter().map(|&(_, weight)| weight).sum();
    let mut times = vec![0u32; weights.len()];
    let seeds = 5_000;
    for seed in 0..seeds {
        Sampled::new(full.clone(), Some(2), seed).outcomes(&position, |outcome, times_drawn| {
            let place = weights.iter().position(|&(other, _)| other == outcome).unwrap();
            times[place] += times_drawn;
        });
    }
    for (&(_, weight), times) in weights.iter().zip(times) {
        let (draws, share) = (2.0 * seeds as f64, f64::from(weight) / f64::from(total));
        let deviation = (draws * share * (1.0 - share)).sqrt();
        let off = (f64::from(times) - draws * share).abs();
        assert!(off < 5.0 * deviation, "{times} of {draws}, expected {}", draws * share);
    }
}

#[test]
fn the_best_moves_are_kept_best_first() {
    let (full, ranking) = (graph(3), evaluator(3));
    let value = |position: &GraphPosition, mv| {
        let after = full.play(position, mv);
        let score = oracle_value(&full, &ranking, &after, 0);
        if full.player(&after) == full.player(position) { score } else { -score }
    };
    let mut fewer = 0;
    for (most, margin) in
        [(Some(1), None), (Some(2), None), (Some(3), Some(150)), (None, Some(0)), (None, Some(90))]
    {
        let game = TopMoves::new(full.clone(), ranking, most, margin);
        for position in positions(&full, full.start()) {
            if full.kind(&position) != NodeKind::Decision {
                continue;
            }
            let (all, kept) = (moves(&full, &position), moves(&game, &position));
            let mut expected: Vec<_> = all.iter().map(|&mv| (-value(&position, mv), mv)).collect();
            expected.sort_by_key(|&(value, _)| value);
            let least = expected[0].0 + margin.map_or(i64::MAX / 2, i64::from);
            let expected: Vec<_> = expected
                .into_iter()
                .take(most.map_or(usize::MAX, |most| most as usize))
                .filter(|&(value, _)| value <= least)
                .map(|(_, mv)| mv)
                .collect();
            assert_eq!(kept, expected);
            fewer += u32::from(kept.len() < all.len());
        }
    }
    assert!(fewer > 300, "{fewer}");
}

#[test]
fn what_is_kept_is_part_of_the_identity() {
    let full = graph(4);
    let sampled = |draws, seed| Sampled::new(full.clone(), Some(draws), seed).identity();
    let top = |seed, most, margin| TopMoves::new(full.clone(), evaluator(seed), most, margin).identity();
    let all = [
        full.identity(),
        sampled(1, 0),
        sampled(2, 0),
        sampled(1, 1),
        top(0, Some(1), None),
        top(1, Some(1), None),
        top(0, Some(2), None),
        top(0, Some(1), Some(0)),
        top(0, Some(1), Some(1)),
        top(0, None, Some(1)),
        Sampled::new(Sampled::new(full.clone(), Some(1), 0), Some(1), 0).identity(),
    ];
    assert_eq!(HashSet::from(all).len(), all.len());
    let inner = starsplit_wrappers::GameWrapper::inner(&Sampled::new(full.clone(), Some(1), 0)).identity();
    assert_eq!(inner, full.identity());
    // Nothing left out: the same game, so that a table may be shared.
    let all = TopMoves::new(Sampled::new(full.clone(), None, 9), OfInner(evaluator(0)), None, None);
    assert_eq!((all.identity(), all.facts().left_out), (full.identity(), None));
}

#[test]
fn best_moves_declare_a_price_where_their_game_and_their_ranking_do() {
    let shape = GraphShape { positions: 300, ..GraphShape::default() };
    let game = RandomGraph::new(&shape, 3).expect("the shape is within its limits");
    let random = HashRandom::new(3, game.facts().grid.limit());
    let price = |game: &RandomGraph, ranking_ns| {
        let ranking = Priced(random, ranking_ns);
        TopMoves::new(game.clone(), ranking, Some(2), None).facts().successor_ns
    };
    let undeclared = game.clone().with_successor_ns(0);
    let declared = game.with_successor_ns(40);
    assert_eq!([price(&declared, 50), price(&declared, 0)], [90, 0]);
    assert_eq!([price(&undeclared, 50), price(&undeclared, 0)], [0, 0]);
}
