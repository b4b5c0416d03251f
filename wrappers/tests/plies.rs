//! Every wrapper around games whose steps take 0 to 6 plies and have rewards: searches find what the judge finds.

use crate::common::batched::Batched;
use crate::common::foresight::{ByDefault, Foreseeing, Telling};
use crate::common::oracle::Oracle;
use crate::common::verdict::Graph;
use crate::inner::Same;
use starsplit::Searcher;
use starsplit::evaluator::{Evaluator, HashRandom};
use starsplit::game::{Game, PositionHash};
use starsplit::score::{Bounds, Score};
use starsplit::search::{Algorithm, Limits, Options};
use starsplit::table::LocklessTable;
use starsplit_testkit::{
    EdgePlies, GraphPosition, GraphShape, HashForm, PliedGraph, RandomGraph, RewardedGraph, Rewards,
};
use starsplit_wrappers::repetition::Repeating;
use starsplit_wrappers::smaller::{Sampled, TopMoves};
use starsplit_wrappers::{OfInner, Padded};
use std::time::Duration;

const GRAPHS: u64 = 48;
const DEEPEST: u32 = 5;

/// Counts what was searched, and what the games had.
#[derive(Default)]
struct Seen {
    searches: u64,
    clamped: u64,
    plies_none: u64,
    plies_more: u64,
}

impl Seen {
    /// Searches a wrapped game to each depth, by each algorithm once and by the default on two threads.
    fn search<G: Game + Clone, E: Evaluator<G>>(
        &mut self,
        (name, seed): (&str, u64),
        game: &G,
        evaluator: &E,
        root: &G::Position,
    ) {
        let mut oracle = Oracle::new(game, evaluator);
        for depth in 1..=DEEPEST {
            let expected = Bounds::exactly(oracle.value(root, depth) as Score);
            let algorithm = Algorithm::ALL[(seed + u64::from(depth)) as usize % Algorithm::ALL.len()];
            let mut shared = Options { threads: 2, table_depth: Some(1), ..Options::default() };
            (shared.splits.depth, shared.splits.size) = (Some(1), Some(0));
            shared.splits.helpers_after = Duration::ZERO;
            for options in [Options { algorithm, ..Options::default() }, shared] {
                let table = LocklessTable::with_buckets(64).expect("a small table");
                let searcher = Searcher::new(game.clone(), evaluator, table).with_options(options.clone());
                let found =
                    searcher.request(root).limits(Limits::depth(depth)).search().expect("a valid game");
                assert_eq!(found.bounds, expected, "{name}, graph {seed}, depth {depth}, {options:?}");
                assert_eq!(found.contradictions(), 0, "{name}, graph {seed}, depth {depth}, {options:?}");
                self.searches += 1;
            }
        }
        self.clamped += oracle.clamped;
        self.plies_none += oracle.plies_none;
        self.plies_more += oracle.plies_more;
    }

    fn search_wrapped<G: Graph + Clone>(&mut self, seed: u64, game: &G, limit: Score, root: GraphPosition) {
        let random = HashRandom::new(seed, limit);
        let bounds = Foreseeing::new(game, POSITIONS, random, DEEPEST, (Telling::Truth, seed));
        let bounded = ByDefault(bounds);
        self.search(("padded", seed), game, &Padded::new(Batched(random), 3), &root);
        self.search(("padded, with bounds", seed), game, &Padded::new(bounded.clone(), 3), &root);
        let same = Same(game.clone(), PositionHash::default());
        self.search(("a game of one's own", seed), &same, &OfInner(bounded), &root);
        let sampled = Sampled::new(game.clone(), Some(1 + seed as u32 % 4), seed);
        self.search(("sampled", seed), &sampled, &OfInner(random), &root);
        let top = TopMoves::new(game.clone(), random, Some(2), (seed % 2 == 0).then_some(limit / 2));
        self.search(("best moves", seed), &top, &OfInner(random), &root);
        let both = TopMoves::new(sampled, OfInner(random), Some(2), None);
        self.search(("best moves of a sampled game", seed), &both, &OfInner(OfInner(random)), &root);
        let repeating = Repeating::new(game.clone(), 1);
        let begun = repeating.begin(root);
        self.search(("repeating", seed), &repeating, &OfInner(random), &begun);
    }
}

const POSITIONS: u32 = 24;

#[test]
fn wrapped_games_with_rewards_and_any_plies_have_one_value() {
    let mut seen = Seen::default();
    for seed in 0..GRAPHS {
        let limit = [1, 4, 1000][seed as usize % 3];
        let shape = GraphShape {
            positions: POSITIONS,
            limit,
            cycles: seed % 4 > 0,
            successors: 1..=3,
            ..GraphShape::default()
        };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let graph = graph.with_hashes(HashForm::drawn_by(seed));
        let rewards = Rewards { move_percent: 50, outcome_percent: 50, most: 2 * limit };
        let plies = EdgePlies { none_percent: 40, more_percent: 50, most: 6 };
        let rewarded = RewardedGraph::new(graph, rewards).expect("the rewards are within their limits");
        let plied = PliedGraph::new(rewarded.clone(), plies).expect("the plies are within their limits");
        let root = GraphPosition { index: seed as u32 * 7 % POSITIONS };
        seen.search_wrapped(seed, &rewarded, limit, root);
        seen.search_wrapped(seed, &plied, limit, root);
    }
    let Seen { searches, clamped, plies_none, plies_more } = seen;
    assert_eq!(searches, GRAPHS * 2 * 7 * u64::from(DEEPEST) * 2);
    assert!(
        clamped > 1_000 && plies_none > 1_000 && plies_more > 1_000,
        "{clamped}, {plies_none}, {plies_more}"
    );
}
