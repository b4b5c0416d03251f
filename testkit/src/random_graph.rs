//! Random games whose positions form a graph: the hardest ground for equality tests of searches.

use super::hash_form::HashForm;
use super::plays::Random;
use starsplit::evaluator::mix64;
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Texts};
use starsplit::score::{Bounds, Grid, GridError, MAX_LIMIT, Score};
use std::ops::RangeInclusive;

/// The greatest weight of an outcome.
const MAX_WEIGHT: u32 = 1 << 20;

/// The most successors a position may have: the sum of so many weights still fits 32 bits.
const MAX_SUCCESSORS: u32 = 1024;

/// The most positions a graph may have.
const MAX_POSITIONS: u32 = 1 << 20;

/// What a [`RandomGraph`] looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphShape {
    /// How many positions there are, 1 to 2^20. Play starts at the first; with few of them, searches meet the
    /// same position by many paths and at many depths.
    pub positions: u32,
    /// How many of 100 positions are chance nodes, on average.
    pub chance_percent: u32,
    /// How many of 100 positions are terminals, on average.
    pub terminal_percent: u32,
    /// How many successors a position has, from 1 to 1,024: fewer where there are not enough other positions.
    pub successors: RangeInclusive<u32>,
    /// The weights of outcomes.
    pub weights: Weights,
    /// How finely values are told apart: see [`Grid::with_limit`]. A coarse grid makes ties and rounding
    /// matter.
    pub limit: Score,
    /// Whether all positions belong to [`Player::Max`]. Otherwise each belongs to either player at random,
    /// terminals and chance nodes too.
    pub one_player: bool,
    /// Whether play may come back to a position. If not, [`Game::full_depth`] is known.
    pub cycles: bool,
}

impl Default for GraphShape {
    /// Forty positions, cycles, up to six successors, two players, weights of all sizes, the finest grid.
    fn default() -> Self {
        GraphShape {
            positions: 40,
            chance_percent: 45,
            terminal_percent: 10,
            successors: 1..=6,
            weights: Weights::Mixed,
            limit: MAX_LIMIT,
            one_player: false,
            cycles: true,
        }
    }
}

/// How the weights of a chance node's outcomes are drawn. The sum's parity decides whether a weighted mean
/// can lie halfway between two scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weights {
    /// From 1 to 2^20, small ones as likely as large ones.
    Mixed,
    /// The same, but with an even sum.
    EvenSum,
    /// The same, but with an odd sum: no mean lies halfway.
    OddSum,
    /// All 1.
    Ones,
    /// Small, with a power of two as their sum: many means lie exactly halfway.
    Ties,
}

/// A game whose positions, kinds, players, successors, weights and terminal scores are drawn at random from a
/// seed.
///
/// Decisions follow decisions and chance follows chance; positions are reached by several paths, at different
/// depths, and (unless the shape says otherwise) from themselves. No position is its own successor, and the
/// outcomes of a chance node lead to different positions, unless [they are to](RandomGraph::with_loops).
#[derive(Clone, Debug)]
pub struct RandomGraph {
    grid: Grid,
    /// The identity but for the form of the hashes.
    digest: u64,
    hashes: HashForm,
    nodes: Vec<Node>,
    /// The successors of all positions, each with its weight; a node knows its share.
    edges: Vec<(GraphPosition, u32)>,
    move_slots: usize,
    /// The declared price of a successor.
    successor_ns: u32,
    seed: u64,
}

/// A position of a [`RandomGraph`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphPosition {
    /// Its number, from 0.
    pub index: u32,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    kind: NodeKind,
    player: Player,
    terminal_score: Score,
    first_edge: u32,
    edges: u32,
    full_depth: Option<u32>,
}

impl RandomGraph {
    /// The graph of the given shape that `seed` stands for: always the same one.
    ///
    /// # Errors
    /// When the shape is out of its limits.
    pub fn new(shape: &GraphShape, seed: u64) -> Result<Self, ShapeError> {
        shape.check()?;
        let mut graph = RandomGraph {
            grid: Grid::with_limit(-1.0, 1.0, shape.limit)?,
            digest: 0,
            hashes: HashForm::default(),
            successor_ns: 20,
            nodes: Vec::with_capacity(shape.positions as usize),
            edges: Vec::new(),
            move_slots: *shape.successors.end() as usize,
            seed,
        };
        let mut random = Random::new(seed);
        for index in 0..shape.positions {
            graph.add_node(shape, index, &mut random);
        }
        if !shape.cycles {
            graph.find_full_depths();
        }
        graph.digest = graph.digest_anew();
        Ok(graph)
    }

    /// The same graph with hashes of another form. Nothing else depends on it but the identity.
    #[must_use]
    pub fn with_hashes(self, form: HashForm) -> Self {
        RandomGraph { hashes: form, ..self }
    }

    /// The same graph with another [declared price](GameFacts::successor_ns) of a successor, 0 for none.
    #[must_use]
    pub fn with_successor_ns(self, ns: u32) -> Self {
        RandomGraph { successor_ns: ns, ..self }
    }

    /// The form of the hashes.
    pub fn hash_form(&self) -> HashForm {
        self.hashes
    }

    /// The identity but for the form of the hashes: what is drawn by it is the same in every form.
    pub(crate) fn digest(&self) -> u64 {
        self.digest
    }

    /// The first position. It is a terminal only where the shape leaves nothing else.
    pub fn start(&self) -> GraphPosition {
        GraphPosition { index: 0 }
    }

    /// Every position.
    pub fn positions(&self) -> impl Iterator<Item = GraphPosition> + use<> {
        (0..self.nodes.len() as u32).map(|index| GraphPosition { index })
    }

    fn add_node(&mut self, shape: &GraphShape, index: u32, random: &mut Random) {
        // Without cycles, successors come later in the list.
        let others = if shape.cycles { shape.positions - 1 } else { shape.positions - 1 - index };
        let kind = if others == 0 { NodeKind::Terminal } else { shape.draw_kind(index == 0, random) };
        let player = if shape.one_player || random.below(2) == 0 { Player::Max } else { Player::Min };
        let first_edge = self.edges.len() as u32;
        if kind != NodeKind::Terminal {
            self.add_edges(shape, index, others, kind, random);
        }
        self.nodes.push(Node {
            kind,
            player,
            terminal_score: draw_score(shape.limit, random),
            first_edge,
            edges: self.edges.len() as u32 - first_edge,
            full_depth: None,
        });
    }

    fn add_edges(
        &mut self,
        shape: &GraphShape,
        index: u32,
        others: u32,
        kind: NodeKind,
        random: &mut Random,
    ) {
        let (least, most) = (*shape.successors.start(), *shape.successors.end());
        let count = (least + random.below(most - least + 1)).min(others) as usize;
        let mut drawn: Vec<u32> = Vec::with_capacity(count);
        while drawn.len() < count {
            // The k-th position after this one, going round where there are cycles; never this one itself.
            let successor = (index + 1 + random.below(others)) % shape.positions;
            if kind == NodeKind::Decision || !drawn.contains(&successor) {
                drawn.push(successor);
            }
        }
        let weights = shape.weights.draw(count, random);
        self.edges.extend(drawn.into_iter().map(|index| GraphPosition { index }).zip(weights));
    }

    /// The longest way to an end. Successors come later in the list, so going backwards finds them done.
    fn find_full_depths(&mut self) {
        for index in (0..self.nodes.len()).rev() {
            let below = self
                .edges_of(index as u32)
                .iter()
                .filter_map(|(to, _)| self.nodes[to.index as usize].full_depth);
            let depth = below.max().map_or(0, |depth| depth + 1);
            self.nodes[index].full_depth = Some(depth);
        }
    }

    /// A number made of all that decides values.
    fn digest_anew(&self) -> u64 {
        let start = mix64(0x67_7261_7068 ^ mix64(self.seed) ^ self.grid.limit() as u64);
        let with_edges = self.edges.iter().fold(start, |digest, (to, weight)| {
            mix64(digest ^ (u64::from(to.index) << 32 | u64::from(*weight)))
        });
        self.nodes.iter().fold(with_edges, |digest, node| {
            let kinds =
                (node.kind as u64) << 33 | (node.player as u64) << 32 | u64::from(node.terminal_score as u32);
            mix64(mix64(digest ^ kinds) ^ u64::from(node.edges))
        })
    }

    #[inline]
    fn node(&self, position: &GraphPosition) -> &Node {
        &self.nodes[position.index as usize]
    }

    /// What is proven of a position, for its player, by its being a terminal or by the terminals that its
    /// moves lead to. `worth` tells what a move of this position is worth, given what it leads to.
    fn bounds_at_sight(&self, position: &GraphPosition, worth: impl Fn(u32, Bounds) -> Bounds) -> Bounds {
        let limit = self.grid.limit();
        let at_end = |end: &GraphPosition| Bounds::exactly(self.node(end).terminal_score);
        match self.kind(position) {
            NodeKind::Terminal => at_end(position),
            NodeKind::Chance => Bounds::unknown(limit),
            NodeKind::Decision => {
                let seen = |after: &GraphPosition| match self.kind(after) {
                    NodeKind::Terminal if self.player(after) == self.player(position) => at_end(after),
                    NodeKind::Terminal => at_end(after).flipped(),
                    _ => Bounds::unknown(limit),
                };
                let edges = (0..).zip(self.edges_of(position.index));
                let moves = edges.map(|(mv, (after, _))| worth(mv, seen(after)));
                moves.fold(Bounds::exactly(-limit), |greatest, end| {
                    Bounds::new(greatest.lower.max(end.lower), greatest.upper.max(end.upper))
                })
            }
        }
    }

    /// What terminals prove of each outcome of a chance node, the outcomes themselves and those that a move
    /// leads to. `worth` tells what a move of a position is worth, given what it leads to.
    pub(crate) fn push_outcome_bounds(
        &self,
        position: &GraphPosition,
        worth: impl Fn(&GraphPosition, u32, Bounds) -> Bounds,
        mut push: impl FnMut(Bounds),
    ) {
        let own = self.player(position);
        for (after, _) in self.edges_of(position.index) {
            let bounds = self.bounds_at_sight(after, |mv, below| worth(after, mv, below));
            push(if self.player(after) == own { bounds } else { bounds.flipped() });
        }
    }

    #[inline]
    fn edges_of(&self, index: u32) -> &[(GraphPosition, u32)] {
        let node = &self.nodes[index as usize];
        &self.edges[node.first_edge as usize..][..node.edges as usize]
    }
}

impl Game for RandomGraph {
    type Position = GraphPosition;

    /// The ordinal of the successor.
    type Move = u32;

    /// The ordinal of the successor.
    type Outcome = u32;

    fn identity(&self) -> u64 {
        self.digest ^ self.hashes.salt()
    }

    fn facts(&self) -> GameFacts {
        GameFacts::new(self.grid).with_move_slots(self.move_slots).with_successor_ns(self.successor_ns)
    }

    #[inline]
    fn kind(&self, position: &GraphPosition) -> NodeKind {
        self.node(position).kind
    }

    #[inline]
    fn player(&self, position: &GraphPosition) -> Player {
        self.node(position).player
    }

    #[inline]
    fn terminal_score(&self, position: &GraphPosition) -> Score {
        self.node(position).terminal_score
    }

    #[inline]
    fn hash(&self, position: &GraphPosition) -> PositionHash {
        let node = self.node(position);
        self.hashes.hash(self.seed, position.index, node.kind, node.player)
    }

    fn moves(&self, position: &GraphPosition, push: impl FnMut(u32)) {
        (0..self.node(position).edges).for_each(push);
    }

    #[inline]
    fn play(&self, position: &GraphPosition, mv: u32) -> GraphPosition {
        self.edges_of(position.index)[mv as usize].0
    }

    fn outcomes(&self, position: &GraphPosition, mut push: impl FnMut(u32, u32)) {
        for (ordinal, (_, weight)) in (0..).zip(self.edges_of(position.index)) {
            push(ordinal, *weight);
        }
    }

    #[inline]
    fn resolve(&self, position: &GraphPosition, outcome: u32) -> GraphPosition {
        self.edges_of(position.index)[outcome as usize].0
    }

    /// What terminals prove, the outcomes themselves and those that a move leads to.
    fn outcome_bounds(&self, position: &GraphPosition, _depth: u8, push: impl FnMut(Bounds)) {
        self.push_outcome_bounds(position, |_, _, below| below, push);
    }

    #[inline]
    fn move_slot(&self, mv: u32) -> usize {
        mv as usize
    }

    fn full_depth(&self, position: &GraphPosition) -> Option<u32> {
        self.node(position).full_depth
    }
}

impl Texts for RandomGraph {}

impl GraphShape {
    fn check(&self) -> Result<(), ShapeError> {
        let percent = u64::from(self.chance_percent) + u64::from(self.terminal_percent);
        let (least, most) = (*self.successors.start(), *self.successors.end());
        if !(1..=MAX_POSITIONS).contains(&self.positions) {
            Err(ShapeError::Positions { found: self.positions })
        } else if percent > 100 {
            Err(ShapeError::Percent { found: percent })
        } else if least < 1 || most > MAX_SUCCESSORS || least > most {
            Err(ShapeError::Successors { least, most })
        } else {
            Ok(())
        }
    }

    /// The start takes what would be a terminal for a decision: a game that is over teaches nothing.
    fn draw_kind(&self, is_start: bool, random: &mut Random) -> NodeKind {
        let drawn = random.below(100);
        if drawn < self.chance_percent {
            NodeKind::Chance
        } else if drawn < self.chance_percent + self.terminal_percent && !is_start {
            NodeKind::Terminal
        } else {
            NodeKind::Decision
        }
    }
}

impl Weights {
    fn draw(self, count: usize, random: &mut Random) -> Vec<u32> {
        let small = matches!(self, Weights::Ones | Weights::Ties);
        let mut weights: Vec<u32> = (0..count).map(|_| if small { 1 } else { draw_weight(random) }).collect();
        let sum: u32 = weights.iter().sum();
        let wanted = match self {
            Weights::Mixed | Weights::Ones => sum,
            Weights::EvenSum => sum + sum % 2,
            Weights::OddSum => sum + (sum + 1) % 2,
            Weights::Ties => sum.next_power_of_two(),
        };
        if let Some(last) = weights.last_mut() {
            *last = raised(*last, wanted - sum);
        }
        weights
    }
}

/// A weight made greater, or less by two where that would exceed the limit: the parity is the same.
fn raised(weight: u32, by: u32) -> u32 {
    let raised = weight + by;
    if raised > MAX_WEIGHT { raised - 2 } else { raised }
}

/// First the size in bits, then the weight, so that small weights are as likely as large ones.
fn draw_weight(random: &mut Random) -> u32 {
    let bits = random.below(21);
    1 + random.below(1 << bits)
}

/// One of the numbers below `end`, drawn by `bits`.
pub(crate) fn part(bits: u64, end: u32) -> u32 {
    ((u128::from(bits) * u128::from(end)) >> 64) as u32
}

/// Any score; one in eight times an end of the grid, where searches cut at once.
fn draw_score(limit: Score, random: &mut Random) -> Score {
    match random.below(16) {
        0 => limit,
        1 => -limit,
        _ => random.below(2 * limit as u32 + 1) as Score - limit,
    }
}

/// Why a [`RandomGraph`] could not be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// No positions, or too many.
    #[error("{found} positions: expected 1 to {MAX_POSITIONS}")]
    Positions {
        /// How many were asked for.
        found: u32,
    },
    /// The shares of chance nodes and terminals are more than everything.
    #[error("{found} percent of chance nodes and terminals together: expected at most 100")]
    Percent {
        /// The sum of the two shares.
        found: u64,
    },
    /// The range of successors is empty or out of its limits.
    #[error("{least} to {most} successors: expected a range within 1 to {MAX_SUCCESSORS}")]
    Successors {
        /// The start of the range.
        least: u32,
        /// The end of the range.
        most: u32,
    },
    /// The grid cannot be made.
    #[error(transparent)]
    Grid(#[from] GridError),
}

mod loops;

#[cfg(test)]
mod tests;
