//! A small random game as the paper's figure has them: chance, decision of the same player, chance of the
//! other player, and so on, on a graph with cycles.
//!
//! Everything is a power of two: the weights, their sums, and the steps of evaluations and terminal scores.
//! Values to depth 8 then lie on the grid exactly, and are exact as `f64` too, so that no difference between
//! two algorithms can be blamed on rounding.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, mix64};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash};
use starsplit::score::{Grid, Score};

/// The score of a win; a power of two, so that it can be divided as often as a deep search needs.
pub(crate) const WIN: Score = 1 << 22;

/// The weights of a chance node's outcomes.
const WEIGHTS: [&[u32]; 4] = [&[1, 1], &[1, 1, 2], &[2, 1, 1], &[1, 1, 1, 1]];

/// The game. Positions are numbered; a number's rest by four says kind and player.
#[derive(Clone, Debug)]
pub(crate) struct Alternating {
    seed: u64,
    nodes: Vec<AlternatingNode>,
}

#[derive(Clone, Debug)]
pub(crate) struct AlternatingNode {
    /// The successors with their weights, which mean nothing at a decision node. None at a terminal.
    pub(crate) edges: Vec<(u32, u32)>,
    /// The evaluation, or a terminal's score, as the position's player sees it.
    pub(crate) score: Score,
}

impl Alternating {
    /// The game that `seed` stands for, with `size` positions of each kind and player. Position 0 is a chance
    /// node.
    pub(crate) fn new(size: u32, seed: u64) -> Self {
        let mut random = Pcg32::seed_from_u64(seed);
        let nodes = (0..4 * size).map(|index| AlternatingNode::draw(index, size, &mut random)).collect();
        Alternating { seed, nodes }
    }

    pub(crate) fn node(&self, position: u32) -> &AlternatingNode {
        &self.nodes[position as usize]
    }

    /// The first decision node of at least two moves.
    pub(crate) fn decision(&self) -> u32 {
        let decisions = (1..self.nodes.len() as u32).step_by(2);
        decisions.into_iter().find(|&position| self.node(position).edges.len() > 1).expect("one of many")
    }

    /// The chance nodes.
    pub(crate) fn chance_nodes(&self) -> impl Iterator<Item = u32> + use<> {
        (0..self.nodes.len() as u32).step_by(2)
    }
}

impl AlternatingNode {
    fn draw(index: u32, size: u32, random: &mut Pcg32) -> Self {
        let mut below = |count: u32| random.next_u32() % count;
        // Ends of the game leave chance nodes alone, so that every one of them can be searched.
        let is_over = index % 2 == 1 && below(8) == 0;
        let score =
            if is_over { [-WIN, WIN][below(2) as usize] } else { (below(15) as Score - 7) * (WIN / 8) };
        let weights = match index % 2 {
            _ if is_over => &[][..],
            0 => WEIGHTS[below(4) as usize],
            _ => &[1; 4][..1 + below(4) as usize],
        };
        let edges = weights.iter().map(|&weight| (4 * below(size) + (index + 1) % 4, weight)).collect();
        AlternatingNode { edges, score }
    }
}

impl Game for Alternating {
    type Position = u32;
    type Move = u32;
    type Outcome = u32;

    fn identity(&self) -> u64 {
        mix64(self.seed ^ self.nodes.len() as u64)
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(Grid::with_limit(-1.0, 1.0, WIN).expect("a limit below the greatest"))
    }

    fn kind(&self, &position: &u32) -> NodeKind {
        match position % 2 {
            _ if self.node(position).edges.is_empty() => NodeKind::Terminal,
            0 => NodeKind::Chance,
            _ => NodeKind::Decision,
        }
    }

    fn player(&self, &position: &u32) -> Player {
        if position % 4 < 2 { Player::Max } else { Player::Min }
    }

    fn terminal_score(&self, &position: &u32) -> Score {
        self.node(position).score
    }

    fn hash(&self, &position: &u32) -> PositionHash {
        let high = mix64(self.seed ^ mix64(u64::from(position)));
        PositionHash { high, low: mix64(!high) }
    }

    fn moves(&self, &position: &u32, push: impl FnMut(u32)) {
        (0..self.node(position).edges.len() as u32).for_each(push);
    }

    fn play(&self, &position: &u32, mv: u32) -> u32 {
        self.node(position).edges[mv as usize].0
    }

    fn outcomes(&self, &position: &u32, mut push: impl FnMut(u32, u32)) {
        for (outcome, (_, weight)) in (0..).zip(&self.node(position).edges) {
            push(outcome, *weight);
        }
    }

    fn resolve(&self, position: &u32, outcome: u32) -> u32 {
        self.play(position, outcome)
    }
}

/// The evaluations that the positions of [`Alternating`] hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held;

impl Evaluator<Alternating> for Held {
    type State = ();

    fn facts(&self, _: &Alternating) -> EvaluatorFacts {
        EvaluatorFacts::new(mix64(0x6865_6c64))
    }

    fn state(&self, _: &Alternating, _: &u32, _: Option<Before<'_, Alternating, ()>>) {}

    fn evaluate(&self, game: &Alternating, &position: &u32, _: &()) -> Score {
        game.node(position).score
    }
}
