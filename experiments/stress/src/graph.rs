//! A random graph: positions are met by many paths and at many depths.

use super::case::{Attempt, Case, Store};
use super::random::Random;
use anyhow::Result;
use starsplit::evaluator::{Abilities, Before, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::{Game, NodeKind};
use starsplit::score::{MAX_LIMIT, Score};
use starsplit::table::{NoTable, Table};
use starsplit::{Pool, Searcher};
use starsplit_experiments::question::door::{Answer, Entry, SearcherMaker};
use starsplit_experiments::question::typed::{Typed, in_words};
use starsplit_experiments::records::meta::RANDOM_GRAPH;
use starsplit_tables::{AnyTable, Scheme};
use starsplit_testkit::{GraphPosition, GraphShape, OutcomeBlind, RandomGraph, Weights};

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
        let result = attempt.stopping(|limits| searcher.search_within(&self.root, limits))?;
        Ok(in_words(&self.graph, &self.root, result))
    }
}

/// The case of a graph that `random` makes.
pub(super) fn case(random: &mut Random) -> Result<Case> {
    let shape = shape(random);
    let graph = RandomGraph::new(&shape, random.next())?;
    let positions = graph.positions().count() as u64;
    let drawn = GraphPosition { index: random.below(positions) as u32 };
    let root = if graph.kind(&drawn) == NodeKind::Terminal { graph.start() } else { drawn };
    let width = *random.pick(&[shape.limit, shape.limit, 1, 2 * shape.limit]);
    let seed = random.next();
    // A bucket has four entries.
    let striped = AnyTable::new(Scheme::Striped, 4 * (1 + random.below(32)))?;
    let position = Entry::new(root.index.to_string(), root);
    let (maker, typed): (Box<dyn SearcherMaker>, _) = if random.below(2) == 0 {
        // The same after every outcome, so that chance nodes collapse where an option says so.
        let evaluator = Yielding(OutcomeBlind::new(&graph, seed, width));
        (Box::new(Typed::<_, _, false> { game: graph, evaluator }), None)
    } else {
        let evaluator = Yielding(HashRandom::new(seed, width));
        let maker = Typed::<_, _, false> { game: graph.clone(), evaluator: evaluator.clone() };
        (Box::new(maker), Some(TypedGraph { graph, evaluator, root, striped }))
    };
    Case::new(RANDOM_GRAPH, maker, position, typed, random)
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

impl<E: Evaluator<RandomGraph>> Evaluator<RandomGraph> for Yielding<E> {
    type State = E::State;
    // So that searches of graphs take lanes as well.
    const ABILITIES: Abilities = E::ABILITIES.with_batches(true);

    fn facts(&self, game: &RandomGraph) -> EvaluatorFacts {
        self.0.facts(game)
    }

    fn state(
        &self,
        game: &RandomGraph,
        position: &GraphPosition,
        before: Option<Before<'_, RandomGraph, E::State>>,
    ) -> E::State {
        self.0.state(game, position, before)
    }

    fn evaluate(&self, graph: &RandomGraph, position: &GraphPosition, state: &E::State) -> Score {
        if position.index.is_multiple_of(16) {
            std::thread::yield_now();
        }
        self.0.evaluate(graph, position, state)
    }
}
