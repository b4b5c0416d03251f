//! What is asked of the library to share a search among machines: a search made of its parts alone finds the
//! oracle's value, and prunes; broken games are errors.

use crate::common::carried::Carried;
use crate::common::gamble::{Gamble, Pays, START};
use crate::common::graphs::affordable_depth_of;
use crate::common::oracle::Oracle;
use crate::common::verdict::{Graph, assert_happened};
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind};
use starsplit::score::{Bounds, Window};
use starsplit::search::SearchError;
use starsplit::unstable::{Successor, WeightedEdge, bounds, successors, windows};
use starsplit_testkit::{
    EdgePlies, GraphPosition, GraphShape, PliedGraph, RandomGraph, RewardedGraph, Rewards,
};

/// A search of nothing but what is shared: one successor after another, each as far as it is asked.
struct ByHand<'a, G, E> {
    game: &'a G,
    evaluator: &'a E,
    /// Nodes, and those of the whole tree.
    nodes: u64,
    all: u64,
}

impl<G: Graph, E: Evaluator<G>> ByHand<'_, G, E> {
    fn search(&mut self, position: &GraphPosition, depth: u8, window: Window) -> Bounds {
        self.nodes += 1;
        let (kind, limit) = (self.game.kind(position), self.game.facts().grid.limit());
        if kind == NodeKind::Terminal {
            return bounds(self.game, position, kind, &[]).expect("a score on the grid");
        }
        if depth == 0 {
            let state = self.evaluator.state(self.game, position, None);
            let score = self.evaluator.evaluate(self.game, position, &state);
            return Bounds::exactly(score.clamp(-limit, limit));
        }
        let successors = successors(self.game, position, depth).expect("successors");
        let unknown = |successor: &Successor<_>| (successor.edge, Bounds::unknown(limit));
        let mut below: Vec<(WeightedEdge, Bounds)> = successors.iter().map(unknown).collect();
        loop {
            let found = bounds(self.game, position, kind, &below).expect("bounds");
            if window.is_settled_by(found) {
                return found;
            }
            let asked = windows(kind, limit, window.narrowed_by(found), &below);
            let next = asked.iter().position(Option::is_some).expect("an open node leaves something to ask");
            let (window, Successor { position, depth, .. }) =
                (asked[next].expect("it is asked"), &successors[next]);
            assert!(!window.is_empty());
            let told = self.search(position, *depth, window);
            assert!(window.is_settled_by(told), "{told:?} in {window:?}");
            below[next].1 = below[next].1.meet(told).expect("proofs agree");
        }
    }

    fn count_all(&mut self, position: &GraphPosition, depth: u8) {
        self.all += 1;
        if depth > 0 && self.game.kind(position) != NodeKind::Terminal {
            for Successor { position, depth, .. } in
                successors(self.game, position, depth).expect("successors")
            {
                self.count_all(&position, depth);
            }
        }
    }
}

/// Searches a game in the widest window; the nodes, and those of the whole tree.
fn try_graph<G: Graph>(game: &G, root: GraphPosition, evaluator: &Carried) -> (u64, u64) {
    let depth = affordable_depth_of(game, root, 6, 1_500) as u8;
    let mut by_hand = ByHand { game, evaluator, nodes: 0, all: 0 };
    let found = by_hand.search(&root, depth, Window::full(game.facts().grid.limit()));
    let expected = Oracle::new(game, evaluator).value(&root, depth.into());
    assert_eq!((found.is_exact(), i64::from(found.lower)), (true, expected));
    by_hand.count_all(&root, depth);
    (by_hand.nodes, by_hand.all)
}

#[test]
fn a_search_of_these_parts_finds_the_oracles_value_and_prunes() {
    let (mut nodes, mut all, mut none, mut clamped) = (0, 0, 0, 0);
    for seed in 0..300 {
        let limit = [4, 1 << 10, 1 << 21][seed as usize % 3];
        let shape = GraphShape { positions: 60, chance_percent: 40, limit, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
        let (root, evaluator) = (graph.start(), Carried::new(seed, limit, false));
        let rewards = Rewards { move_percent: 40, outcome_percent: 40, most: limit / 2 };
        let plies = EdgePlies { none_percent: 20, more_percent: 20, most: 3 };
        let rewarded = RewardedGraph::new(graph.clone(), rewards).expect("they are within their limits");
        let plied = PliedGraph::new(rewarded, plies).expect("the plies are within their limits");
        let mut oracle = Oracle::new(&plied, &evaluator);
        oracle.value(&root, affordable_depth_of(&plied, root, 6, 1_500));
        (none, clamped) = (none + oracle.plies_none, clamped + oracle.clamped);
        for (visited, whole) in [try_graph(&graph, root, &evaluator), try_graph(&plied, root, &evaluator)] {
            (nodes, all) = (nodes + visited, all + whole);
        }
    }
    assert_happened(&[
        ("nodes of the whole trees", all, 100_000),
        ("nodes that were spared", all - nodes, all / 4),
        ("moves and outcomes without a ply", none, 1_000),
        ("values at the end of the grid", clamped, 1_000),
    ]);
}

#[test]
fn what_is_off_the_grid_is_an_error_as_in_a_search() {
    let given = |found: Result<Bounds, SearchError>| match found {
        Err(SearchError::OffGrid(off)) => Some(off.to_string()),
        _ => None,
    };
    // From the bottom up, as far as it goes.
    fn value<const R: bool>(game: &Gamble<R>, position: u8, depth: u8) -> Result<Bounds, SearchError> {
        let kind = game.kind(&position);
        if kind == NodeKind::Terminal {
            return bounds(game, &position, kind, &[]);
        }
        let below = successors(game, &position, depth)?
            .into_iter()
            .map(|successor| Ok((successor.edge, value(game, successor.position, successor.depth)?)));
        bounds(game, &position, kind, &below.collect::<Result<Vec<_>, SearchError>>()?)
    }
    for (pays, what, win) in [
        (Pays::Terminals, "a terminal score for Max of", 10.0),
        (Pays::Rewards, "a reward of", 10.0),
        (Pays::Together, "a move or an outcome worth, with its reward,", 1.75),
    ] {
        let strict = Gamble::<true>::new(pays, win);
        let told = given(value(&strict, START, 2)).expect("a breach");
        assert!(told.starts_with(what), "{told}");
        let clamped = Gamble { saturates: true, ..strict };
        assert_eq!(
            value(&clamped, START, 2),
            Ok(Bounds::exactly(clamped.facts().grid.score(0.5))),
            "{pays:?}"
        );
    }
}
