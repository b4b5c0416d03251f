//! A random graph: positions are met by many paths and at many depths.

use super::case::{Attempt, Case, DEEPEST, Searched, Store};
use super::foresight::{ByDefault, Foreseeing, Telling};
use super::oracle::Oracle;
use super::random::Random;
use anyhow::{Result, ensure};
use starsplit::evaluator::{Abilities, Before, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::{Game, NodeKind, Texts};
use starsplit::score::{Bounds, MAX_LIMIT, Score};
use starsplit::table::{NoTable, Table};
use starsplit::{Pool, Searcher};
use starsplit_experiments::question::door::{Answer, Entry};
use starsplit_experiments::question::typed::{Typed, in_words};
use starsplit_experiments::records::meta::RANDOM_GRAPH;
use starsplit_tables::{AnyTable, Scheme};
use starsplit_testkit::{
    EdgePlies, GraphGame, GraphPosition, GraphShape, HashForm, OutcomeBlind, PliedGraph, RandomGraph,
    RewardedGraph, Rewards, Weights,
};
use std::fmt;

/// A graph whose evaluations are independent of one another, to be searched with no table and with a striped
/// one beside the one that all its searches share. Others are not, so that fewer kinds of search are built.
pub(super) struct TypedGraph {
    graph: RandomGraph,
    evaluator: Yielding<HashRandom>,
    root: GraphPosition,
    /// Of the type of every other table, so that no more kinds of search are built.
    striped: AnyTable,
}

impl TypedGraph {
    pub(super) fn search(&self, attempt: &Attempt, pool: &Pool) -> Result<Answer> {
        match attempt.store {
            Store::Striped => self.search_with(&self.striped, attempt, pool),
            Store::Nowhere | Store::Scheme => self.search_with(NoTable, attempt, pool),
        }
    }

    fn search_with(&self, table: impl Table, attempt: &Attempt, pool: &Pool) -> Result<Answer> {
        let searcher = Searcher::new(self.graph.clone(), self.evaluator.clone(), table)
            .with_options(attempt.options.clone())
            .with_pool(pool.clone());
        let result =
            attempt.stopping(|limits| searcher.request(&self.root).limits(limits.clone()).search())?;
        Ok(in_words(&self.graph, &self.root, result))
    }
}

/// The case of a graph that `random` makes, with whole trees of at most so many nodes.
pub(super) fn case(nodes: u64, random: &mut Random) -> Result<Case> {
    let shape = shape(random);
    let form = *random.pick(&HashForm::ALL);
    let price = *random.pick(&[0, 20, 2_000]);
    let graph = RandomGraph::new(&shape, random.next())?.with_hashes(form).with_successor_ns(price);
    let positions = graph.positions().count() as u64;
    let drawn = GraphPosition { index: random.below(positions) as u32 };
    let root = if graph.kind(&drawn) == NodeKind::Terminal { graph.start() } else { drawn };
    let width = *random.pick(&[shape.limit, shape.limit, 1, 2 * shape.limit]);
    let seed = random.next();
    match random.below(4) {
        0 | 1 => rich_case((graph, shape.limit), (root, nodes), (seed, width), random),
        2 => {
            // The same after every outcome, so that chance nodes collapse where an option says so.
            let evaluator = Yielding(OutcomeBlind::new(&graph, seed, width));
            judged::<false, _, _>((graph, evaluator), (root, nodes), |_, _| Searched::by_door(false), random)
        }
        _ => {
            // A bucket has four entries.
            let striped = AnyTable::new(Scheme::Striped, 4 * (1 + random.below(32)))?;
            let typed = |graph: &RandomGraph, evaluator: &Yielding<HashRandom>| {
                let (graph, evaluator) = (graph.clone(), evaluator.clone());
                Searched { typed: Some(TypedGraph { graph, evaluator, root, striped }), virtually: false }
            };
            judged::<false, _, _>(
                (graph, Yielding(HashRandom::new(seed, width))),
                (root, nodes),
                typed,
                random,
            )
        }
    }
}

/// The same of a graph with rewards and plies, whose evaluator knows bounds.
fn rich_case(
    (graph, limit): (RandomGraph, Score),
    (root, nodes): (GraphPosition, u64),
    (seed, width): (u64, Score),
    random: &mut Random,
) -> Result<Case> {
    let mut percent = || *random.pick(&[0, 5, 30, 100]);
    let (move_percent, outcome_percent) = (percent(), percent());
    let most = *random.pick(&[1, limit / 3 + 1, limit, 2 * limit]);
    let none_percent = *random.pick(&[0, 5, 30, 60]);
    let more_percent = *random.pick(&[0, 5, 40]);
    let plies = EdgePlies { none_percent, more_percent, most: 2 + random.below(5) as u8 };
    let positions = graph.positions().count() as u32;
    let graph = RewardedGraph::new(graph, Rewards { move_percent, outcome_percent, most })?;
    let graph = PliedGraph::new(graph, plies)?;
    let known = (Telling::Truth, random.next());
    let foreseeing = Foreseeing::new(&graph, positions, HashRandom::new(seed, width), DEEPEST, known);
    let evaluator = Yielding(ByDefault(foreseeing));
    judged::<true, _, _>((graph, evaluator), (root, nodes), |_, _| Searched::by_door(true), random)
}

/// The case of a game whose scores have been worked out without the library's searches.
fn judged<const SIMULATES: bool, G, E>(
    (game, evaluator): (G, E),
    (root, nodes): (GraphPosition, u64),
    searched: impl FnOnce(&G, &E) -> Searched,
    random: &mut Random,
) -> Result<Case>
where
    G: GraphGame + Texts + fmt::Debug + 'static,
    E: Evaluator<G> + Clone + fmt::Debug + 'static,
{
    let searched = searched(&game, &evaluator);
    let maker = Box::new(Typed::<_, _, SIMULATES> {
        game: game.clone(),
        evaluator: evaluator.clone(),
        caller_stack: None,
    });
    let position = Entry::new(root.index.to_string(), root);
    let case = Case::new(RANDOM_GRAPH, maker, (position, nodes), searched, random)?;
    let mut oracle = Oracle::new(&game, &evaluator);
    for (depth, &found) in (1..).zip(case.expected()) {
        let expected = oracle.value(&root, depth);
        ensure!(i64::from(found) == expected, "Expectimax: {found} at depth {depth}, expected {expected}");
    }
    Ok(case)
}

fn shape(random: &mut Random) -> GraphShape {
    let least = 1 + random.below(3) as u32;
    let weights = [Weights::Mixed, Weights::EvenSum, Weights::OddSum, Weights::Ones, Weights::Ties];
    GraphShape {
        positions: 2 + random.below(200) as u32,
        chance_percent: 10 + random.below(71) as u32,
        terminal_percent: random.below(21) as u32,
        successors: least..=least + random.below(6) as u32,
        weights: *random.pick(&weights),
        limit: *random.pick(&[1, 3, 4, 1 << 10, 1 << 21, MAX_LIMIT]),
        one_player: random.below(5) == 0,
        cycles: random.below(4) > 0,
    }
}

/// Evaluations some of which give the processor away first, so that threads meet in many different orders.
#[derive(Clone, Debug)]
struct Yielding<E>(E);

impl<G: GraphGame, E: Evaluator<G>> Evaluator<G> for Yielding<E> {
    type State = E::State;
    // So that searches of graphs take lanes as well.
    const ABILITIES: Abilities = E::ABILITIES.with_batches(true);

    fn facts(&self, game: &G) -> EvaluatorFacts {
        self.0.facts(game)
    }

    fn state(&self, game: &G, position: &GraphPosition, before: Option<Before<'_, G, E::State>>) -> E::State {
        self.0.state(game, position, before)
    }

    fn evaluate(&self, graph: &G, position: &GraphPosition, state: &E::State) -> Score {
        if position.index.is_multiple_of(16) {
            std::thread::yield_now();
        }
        self.0.evaluate(graph, position, state)
    }

    fn bounds(&self, graph: &G, position: &GraphPosition, depth: u8) -> Bounds {
        self.0.bounds(graph, position, depth)
    }
}
