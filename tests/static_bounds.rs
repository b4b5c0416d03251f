//! What a search makes of bounds of outcomes that a game should not offer: beyond the grid, crossed, or
//! false.

use crate::common::erased_game::{Plain, at};
use crate::common::graphs::affordable_depth;
use crate::common::oracle::oracle_value;
use crate::common::splits::eager;
use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::game::{Game, Step};
use starsplit::score::{Bounds, Score};
use starsplit::search::{Algorithm, Limits, Options, SearchResult, TableUse};
use starsplit::table::LocklessTable;
use starsplit_testkit::{GraphPosition, GraphShape, RandomGraph};
use starsplit_wrappers::{GameWrapper, forward};

/// What becomes of true bounds, given the grid's limit and the number of the outcome.
type Twist = fn(Bounds, Score, usize) -> Bounds;

/// A random graph that offers something else than what it knows.
#[derive(Clone)]
struct Twisted(RandomGraph, Twist);

impl GameWrapper for Twisted {
    type Inner = RandomGraph;
    type Position = GraphPosition;

    fn inner(&self) -> &RandomGraph {
        &self.0
    }

    fn inner_position(position: &GraphPosition) -> &GraphPosition {
        position
    }

    fn wrap(&self, _: &GraphPosition, _: Step<u32, u32>, after: GraphPosition) -> GraphPosition {
        after
    }

    fn identity(&self) -> u64 {
        self.0.identity()
    }

    fn outcome_bounds(&self, position: &GraphPosition, depth: u8, mut push: impl FnMut(Bounds)) {
        let (limit, mut number) = (self.0.facts().grid.limit(), 0);
        self.0.outcome_bounds(position, depth, |bounds| {
            push((self.1)(bounds, limit, number));
            number += 1;
        });
    }
}

forward! { impl Game for Twisted }

/// Searches graphs on grids of several sizes, by every algorithm, on one thread and on two; `check` is given
/// the oracle's value, the grid's limit and what was found.
fn search_all(twist: Twist, mut check: impl FnMut(Score, Score, &SearchResult<u32, u32>)) {
    for seed in 0..60 {
        let limit = [4, 1 << 10, starsplit::score::MAX_LIMIT][seed as usize % 3];
        let shape = GraphShape { limit, terminal_percent: 20, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let (root, evaluator) = (at(graph.start()), HashRandom::new(seed, limit));
        let depth = affordable_depth(&graph, graph.start(), 6, 20_000);
        let game = Plain::of(Twisted(graph, twist));
        let expected = oracle_value(&game, &evaluator, &root, depth) as Score;
        let forms = Algorithm::ALL.iter().flat_map(|&algorithm| [(algorithm, 1), (algorithm, 2)]);
        for (algorithm, threads) in forms {
            let (table_use, split_depth) = (TableUse::All, 2);
            let options = Options {
                algorithm,
                table_use,
                threads,
                splits: eager(Some(split_depth)),
                ..Options::default()
            };
            let table = LocklessTable::with_buckets(64).expect("a small table");
            let searcher = Searcher::new(game.clone(), evaluator, table).with_options(options);
            check(
                expected,
                limit,
                &searcher.request(&root).limits(Limits::depth(depth)).search().expect("a search"),
            );
        }
    }
}

/// The ends of the grid become the ends of the integers, and a step beyond the grid.
#[test]
fn bounds_beyond_the_grid_count_as_its_ends() {
    let twists: [Twist; 2] = [
        |Bounds { lower, upper }, limit, _| {
            let beyond = |score| match score {
                _ if score == limit => i32::MAX,
                _ if score == -limit => i32::MIN,
                _ => score,
            };
            Bounds::new(beyond(lower), beyond(upper))
        },
        |Bounds { lower, upper }, limit, _| {
            let beyond = |score: Score| score + Score::from(score == limit) - Score::from(score == -limit);
            Bounds::new(beyond(lower), beyond(upper))
        },
    ];
    let mut cutoffs = 0;
    for twist in twists {
        search_all(twist, |expected, _, found| {
            assert_eq!(found.bounds, Bounds::exactly(expected));
            assert_eq!(found.stats.table.contradictions, 0);
            cutoffs += found.stats.nodes.static_cutoffs;
        });
    }
    assert!(cutoffs > 1_000, "only {cutoffs} chance nodes were cut by such bounds");
}

#[test]
fn crossed_bounds_are_left_out_and_counted() {
    let mut contradictions = 0;
    let crossed: Twist = |Bounds { lower, upper }, _, number| match number % 3 {
        0 if lower < upper => Bounds::new(upper, lower),
        1 => Bounds::new(i32::MAX, i32::MIN),
        _ => Bounds::new(lower, upper),
    };
    search_all(crossed, |expected, _, found| {
        assert_eq!(found.bounds, Bounds::exactly(expected));
        contradictions += found.stats.table.contradictions;
    });
    assert!(contradictions > 1_000, "only {contradictions} crossed bounds were counted");
}

/// What is false may make a value wrong, but no value that is none, and no panic.
#[test]
fn false_bounds_of_any_size_leave_values_on_the_grid() {
    let mut wrong = 0;
    let wild: Twist = |bounds, limit, number| match number % 5 {
        0 => Bounds::exactly(limit + 1),
        1 => Bounds::exactly(i32::MIN),
        2 => Bounds::exactly(i32::MAX),
        3 => Bounds::new(bounds.lower, -limit - 1),
        _ => Bounds::new(i32::MIN, bounds.lower),
    };
    search_all(wild, |expected, limit, found| {
        let Bounds { lower, upper } = found.bounds;
        assert!(-limit <= lower && lower <= upper && upper <= limit, "{:?}", found.bounds);
        wrong += u64::from(found.bounds != Bounds::exactly(expected));
    });
    assert!(wrong > 0, "no bounds were taken");
}
