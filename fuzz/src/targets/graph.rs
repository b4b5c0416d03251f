//! Random games out of bytes, and what they are worth.

use crate::bytes::Bytes;
use starsplit::Searcher;
use starsplit::evaluator::{Abilities, Before, EvaluationCost, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::{Game, NodeKind, Step};
use starsplit::score::{MAX_LIMIT, Score};
use starsplit::search::{Algorithm, Limits, Options, TableUse};
use starsplit::table::NoTable;
use starsplit_testkit::{
    EdgePlies, GraphGame, GraphPosition, GraphShape, PliedGraph, RandomGraph, RewardedGraph, Rewards, Weights,
};
use std::collections::HashMap;

/// A game with all there is: rewards, and moves and outcomes that take none, one or more plies.
pub(super) type Rich = PliedGraph<RewardedGraph>;

/// A game that bytes have chosen.
#[derive(Debug)]
pub(super) enum AnyGraph {
    /// Without rewards, a ply for each step.
    Plain(RandomGraph),
    /// With all there is.
    Rich(Box<Rich>),
}

/// The game, and the number that its evaluations are drawn from.
pub(super) fn graph(bytes: &mut Bytes<'_>) -> (AnyGraph, Evaluations) {
    const LIMITS: [Score; 7] = [1, 3, 4, 4, 1 << 10, 1 << 21, MAX_LIMIT];
    const WEIGHTS: [Weights; 5] =
        [Weights::Mixed, Weights::EvenSum, Weights::OddSum, Weights::Ones, Weights::Ties];
    let least = bytes.within(1, 3);
    let limit = LIMITS[bytes.below(LIMITS.len())];
    let shape = GraphShape {
        positions: bytes.within(2, 120),
        chance_percent: bytes.within(10, 80),
        terminal_percent: bytes.within(0, 20),
        successors: least..=least + bytes.within(0, 5),
        weights: WEIGHTS[bytes.below(WEIGHTS.len())],
        limit,
        one_player: bytes.below(5) == 4,
        cycles: bytes.below(4) != 3,
    };
    let seed = bytes.u32().into();
    let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
    let evaluations = Evaluations(HashRandom::new(seed, limit));
    if bytes.below(3) != 2 {
        return (AnyGraph::Plain(graph), evaluations);
    }
    let most = [1, limit / 3 + 1, limit, 2 * limit][bytes.below(4)];
    let rewards = Rewards { move_percent: bytes.within(0, 100), outcome_percent: bytes.within(0, 100), most };
    let plies = EdgePlies {
        none_percent: bytes.within(0, 49),
        more_percent: bytes.within(0, 49),
        most: bytes.within(2, 5) as u8,
    };
    let rewarded = RewardedGraph::new(graph, rewards).expect("the rewards are within their limits");
    let rich = PliedGraph::new(rewarded, plies).expect("the plies are within their limits");
    (AnyGraph::Rich(Box::new(rich)), evaluations)
}

/// A position to search: one that the number chooses, or the start where the game is over there.
pub(super) fn root<G: GraphGame>(game: &G, number: u32) -> GraphPosition {
    let count = game.graph().positions().count() as u32;
    let drawn = GraphPosition { index: number % count };
    if game.kind(&drawn) == NodeKind::Terminal { game.graph().start() } else { drawn }
}

/// The greatest depth, up to `deepest`, at which the whole tree has at most so many nodes; 1 at least.
pub(super) fn affordable<G: GraphGame>(game: &G, root: GraphPosition, deepest: u32, nodes: u64) -> u32 {
    let mut known = HashMap::new();
    let mut size = |depth| tree_size(game, root, depth, &mut known);
    (1..=deepest).take_while(|&depth| size(depth) <= nodes).last().unwrap_or(1)
}

fn tree_size<G: GraphGame>(
    game: &G,
    position: GraphPosition,
    depth: u32,
    known: &mut HashMap<(u32, u32), u64>,
) -> u64 {
    let kind = game.kind(&position);
    if depth == 0 || kind == NodeKind::Terminal {
        return 1;
    }
    if let Some(&size) = known.get(&(position.index, depth)) {
        return size;
    }
    let mut below = Vec::new();
    if kind == NodeKind::Decision {
        game.moves(&position, |mv| {
            let after = game.play(&position, mv);
            below.push((
                after,
                if G::STEPS.plies { game.plies(&position, Step::Move(mv), &after) } else { 1 },
            ));
        });
    } else {
        game.outcomes(&position, |outcome, _| {
            let after = game.resolve(&position, outcome);
            let plies =
                if G::STEPS.plies { game.plies(&position, Step::Outcome(outcome), &after) } else { 1 };
            below.push((after, plies));
        });
    }
    let below = below.into_iter();
    let sizes = below.map(|(after, plies)| tree_size(game, after, depth.saturating_sub(plies.into()), known));
    let size = sizes.fold(1, u64::saturating_add);
    known.insert((position.index, depth), size);
    size
}

/// What a position is worth at a depth by plain Expectimax, without a table and without anything beyond it.
pub(super) fn plain_value<G: GraphGame>(
    game: &G,
    evaluations: Evaluations,
    position: GraphPosition,
    depth: u32,
) -> Score {
    if game.kind(&position) == NodeKind::Terminal {
        return game.terminal_score(&position);
    }
    if depth == 0 {
        return evaluations.evaluate(game, &position, &());
    }
    let options =
        Options { table_use: TableUse::None, deepening: false, ..Options::paper(Algorithm::Expectimax) };
    let searcher = Searcher::new(game.clone(), evaluations, NoTable).with_options(options);
    let result = searcher.request(&position).limits(Limits::depth(depth)).search().expect("a value");
    result.score().expect("an exact value")
}

/// Evaluations at random, which may be made in batches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evaluations(HashRandom);

impl<G: Game> Evaluator<G> for Evaluations {
    type State = ();
    const ABILITIES: Abilities = Abilities::NONE.with_batches(true);

    /// So that one lane is chosen where the options leave that to the search.
    fn facts(&self, game: &G) -> EvaluatorFacts {
        self.0.facts(game).with_cost(EvaluationCost::each(50))
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, ()>>) {}

    fn evaluate(&self, game: &G, position: &G::Position, state: &()) -> Score {
        self.0.evaluate(game, position, state)
    }
}
