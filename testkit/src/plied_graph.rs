//! Random graphs whose moves and outcomes take none, one or more plies.

use super::random_graph::{GraphPosition, RandomGraph, part};
use super::rewarded_graph::RewardedGraph;
use starsplit::evaluator::mix64;
use starsplit::game::{Game, NodeKind, Step, Steps, Texts};
use starsplit::score::Bounds;

/// Where no ply is taken play comes to a position of a higher level, of so many; so no chain of such moves
/// and outcomes has as many.
const LEVELS: u32 = 8;

/// How many plies the moves and outcomes of a [`PliedGraph`] take. All others take one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgePlies {
    /// How many of 100 take none, on average, where chains of these have to end; elsewhere they take one. As
    /// the graph has it, that is more than half of them.
    pub none_percent: u32,
    /// How many of 100 take more than one, on average.
    pub more_percent: u32,
    /// How many plies these take at most: 2 or more. Each number from 2 to that is as likely as the others.
    pub most: u8,
}

/// A game on the positions of a [`RandomGraph`].
pub trait GraphGame: Game<Position = GraphPosition, Move = u32, Outcome = u32> + Clone {
    /// The graph.
    fn graph(&self) -> &RandomGraph;
}

impl GraphGame for RandomGraph {
    fn graph(&self) -> &RandomGraph {
        self
    }
}

impl GraphGame for RewardedGraph {
    fn graph(&self) -> &RandomGraph {
        self.graph()
    }
}

impl<G: GraphGame> GraphGame for PliedGraph<G> {
    fn graph(&self) -> &RandomGraph {
        self.game.graph()
    }
}

/// A [`RandomGraph`], with rewards or without, whose moves and outcomes take plies drawn at random from its
/// seed. No more than seven of them in a row take none.
///
/// It is a type of its own because a game says once and for all whether it has plies of its own
/// ([`Game::STEPS`]).
#[derive(Clone, Debug)]
pub struct PliedGraph<G = RandomGraph> {
    game: G,
    plies: EdgePlies,
    /// The identity but for the form of the hashes.
    digest: u64,
    /// By position; empty where play may come back to one.
    full_depths: Vec<u32>,
}

impl<G: GraphGame> PliedGraph<G> {
    /// `game` with such plies, always the same ones.
    ///
    /// # Errors
    /// When the plies are out of their limits.
    pub fn new(game: G, plies: EdgePlies) -> Result<Self, PliesError> {
        plies.check()?;
        let EdgePlies { none_percent, more_percent, most } = plies;
        // With one ply each it is the same game.
        let parts = match (none_percent, more_percent) {
            (0, 0) => [].as_slice(),
            _ => &[u64::from(none_percent), more_percent.into(), most.into()],
        };
        let of_game = game.identity() ^ game.graph().hash_form().salt();
        let digest = parts.iter().fold(of_game, |digest, part| mix64(mix64(digest) ^ part));
        let mut plied = PliedGraph { game, plies, digest, full_depths: Vec::new() };
        plied.find_full_depths();
        Ok(plied)
    }

    /// The game in which every move and outcome takes one ply.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// How many plies the edge with this ordinal takes.
    fn plies_of(&self, position: &GraphPosition, ordinal: u32, after: &GraphPosition) -> u8 {
        let EdgePlies { none_percent, more_percent, most } = self.plies;
        let bits = mix64(self.digest ^ mix64(u64::from(position.index) << 32 | u64::from(ordinal)));
        let drawn = part(bits, 100);
        if drawn < none_percent {
            u8::from(self.level(after) <= self.level(position))
        } else if drawn < none_percent + more_percent {
            2 + part(mix64(bits), u32::from(most) - 1) as u8
        } else {
            1
        }
    }

    fn level(&self, position: &GraphPosition) -> u32 {
        part(mix64(!self.digest ^ mix64(u64::from(position.index))), LEVELS)
    }

    /// The most plies to an end. Successors come later in the list, so going backwards finds them done.
    fn find_full_depths(&mut self) {
        let graph = self.game.graph();
        let positions: Vec<_> = graph.positions().collect();
        if graph.full_depth(&graph.start()).is_none() {
            return;
        }
        let mut depths = vec![0; positions.len()];
        for position in positions.iter().rev() {
            let through = |ordinal| {
                let after = self.game.play(position, ordinal);
                depths[after.index as usize] + u32::from(self.plies_of(position, ordinal, &after))
            };
            let mut depth = 0;
            let is_over = self.game.kind(position) == NodeKind::Terminal;
            // Outcomes are numbered as moves are, and there are as many of either.
            graph.moves(position, |ordinal| depth = depth.max(through(ordinal)));
            depths[position.index as usize] = if is_over { 0 } else { depth.max(1) };
        }
        self.full_depths = depths;
    }
}

impl<G: GraphGame> Texts for PliedGraph<G> {}

impl EdgePlies {
    fn check(&self) -> Result<(), PliesError> {
        let percent = u64::from(self.none_percent) + u64::from(self.more_percent);
        if percent > 100 {
            return Err(PliesError::Percent { found: percent });
        }
        if self.most < 2 { Err(PliesError::Most { found: self.most }) } else { Ok(()) }
    }
}

impl<G: GraphGame> starsplit_wrappers::GameWrapper for PliedGraph<G> {
    type Inner = G;
    type Position = GraphPosition;
    const STEPS: Steps = G::STEPS.with_plies(true);

    fn inner(&self) -> &G {
        &self.game
    }

    #[inline]
    fn inner_position(position: &GraphPosition) -> &GraphPosition {
        position
    }

    #[inline]
    fn wrap(&self, _: &GraphPosition, _: Step<u32, u32>, after: GraphPosition) -> GraphPosition {
        after
    }

    fn identity(&self) -> u64 {
        self.digest ^ self.graph().hash_form().salt()
    }

    fn plies(&self, before: &GraphPosition, step: Step<u32, u32>, after: &GraphPosition) -> u8 {
        let (Step::Move(ordinal) | Step::Outcome(ordinal)) = step;
        self.plies_of(before, ordinal, after)
    }

    /// Those of the game: what terminals prove at once holds at every depth but 0, whatever plies lead there.
    fn outcome_bounds(&self, position: &GraphPosition, depth: u8, push: impl FnMut(Bounds)) {
        self.game.outcome_bounds(position, depth, push);
    }

    fn full_depth(&self, position: &GraphPosition) -> Option<u32> {
        self.full_depths.get(position.index as usize).copied()
    }
}

starsplit_wrappers::forward! { impl<G: GraphGame> Game for PliedGraph<G> }

/// Why a [`PliedGraph`] could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PliesError {
    /// The shares of moves and outcomes are more than everything.
    #[error("{found} percent of moves and outcomes with other plies than 1: expected at most 100")]
    Percent {
        /// The sum of the two shares.
        found: u64,
    },
    /// Those that take more than one ply would take less.
    #[error("most plies {found}: expected 2 to 255")]
    Most {
        /// What was asked for.
        found: u8,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GraphShape;

    fn graph(cycles: bool, plies: EdgePlies) -> Result<PliedGraph, PliesError> {
        let shape = GraphShape { positions: 2_000, cycles, ..GraphShape::default() };
        PliedGraph::new(RandomGraph::new(&shape, 1).expect("the shape is within its limits"), plies)
    }

    /// Every edge: where from, where to, and its plies.
    fn edges(graph: &PliedGraph) -> Vec<(GraphPosition, GraphPosition, u8)> {
        let mut edges = Vec::new();
        for position in graph.game().positions() {
            graph.moves(&position, |mv| {
                let after = graph.play(&position, mv);
                edges.push((position, after, graph.plies(&position, Step::Move(mv), &after)));
            });
        }
        edges
    }

    #[test]
    fn plies_are_as_many_as_asked_for() {
        let plies = EdgePlies { none_percent: 40, more_percent: 30, most: 3 };
        let edges = edges(&graph(true, plies).unwrap());
        let percent = |plies| 100 * edges.iter().filter(|edge| edge.2 == plies).count() / edges.len();
        assert!((14..=22).contains(&percent(0)), "{}", percent(0));
        assert!((12..=18).contains(&percent(2)) && (12..=18).contains(&percent(3)));
        assert!(edges.iter().all(|edge| edge.2 <= 3));
    }

    #[test]
    fn chains_that_take_no_ply_end_though_play_comes_back() {
        let graph = graph(true, EdgePlies { none_percent: 100, more_percent: 0, most: 2 }).unwrap();
        let free: Vec<_> = edges(&graph).into_iter().filter(|edge| edge.2 == 0).collect();
        // How many may come before each position.
        let mut before = vec![0; graph.game().positions().count()];
        let mut longest = 0;
        for _ in 0..LEVELS {
            let last = before.clone();
            for (from, to, _) in &free {
                let chain = last[from.index as usize] + 1;
                before[to.index as usize] = chain.max(before[to.index as usize]);
                longest = longest.max(chain);
            }
        }
        assert_eq!(longest, LEVELS - 1);
    }

    #[test]
    fn full_depths_are_the_most_plies_to_an_end() {
        let graph = graph(false, EdgePlies { none_percent: 40, more_percent: 30, most: 2 }).unwrap();
        let full = |position| graph.full_depth(&position).expect("no cycles");
        let mut needed: Vec<u32> =
            graph.game().positions().map(|p| u32::from(graph.kind(&p) != NodeKind::Terminal)).collect();
        for (from, to, plies) in edges(&graph) {
            if graph.kind(&from) != NodeKind::Terminal {
                let through = full(to) + u32::from(plies);
                needed[from.index as usize] = through.max(needed[from.index as usize]);
            }
        }
        assert!(graph.game().positions().all(|position| full(position) == needed[position.index as usize]));
    }

    #[test]
    fn shares_of_nothing_are_one_ply_each() {
        let graph = graph(true, EdgePlies { none_percent: 0, more_percent: 0, most: 2 }).unwrap();
        assert!(edges(&graph).iter().all(|edge| edge.2 == 1));
        assert_eq!(graph.identity(), graph.game().identity());
    }

    #[test]
    fn plies_out_of_their_limits_are_refused() {
        let plies = EdgePlies { none_percent: 50, more_percent: 50, most: 2 };
        let refusal = |plies| graph(true, plies).unwrap_err();
        assert_eq!(refusal(EdgePlies { none_percent: 51, ..plies }), PliesError::Percent { found: 101 });
        assert_eq!(refusal(EdgePlies { most: 1, ..plies }), PliesError::Most { found: 1 });
    }
}
