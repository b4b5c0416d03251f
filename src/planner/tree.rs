//! What a planner knows: bounds of positions at depths, and of some of them what their moves or outcomes lead
//! to, so that bounds from below are bounds above.

use crate::game::{Game, Kind};
use crate::planner::error::PlanError;
use crate::planner::task::TaskKey;
use crate::score::{Bounds, Score, Window};
use crate::search::{
    ChanceSums, Edge, Given, SearchError, depth_after_move, depth_after_outcome, longest_path, taken,
};
use std::collections::HashMap;

/// All nodes, by number.
pub(super) struct Tree<G: Game> {
    pub(super) game: G,
    pub(super) limit: Score,
    nodes: Vec<Node<G::Position>>,
    numbers: HashMap<Identity, usize>,
}

/// What makes two nodes the same: what the table's key of them is made of, and the depth.
#[derive(PartialEq, Eq, Hash)]
struct Identity {
    high: u64,
    low: u64,
    kind: Kind,
    depth: u8,
}

/// A position at a depth.
pub(super) struct Node<P> {
    position: P,
    pub(super) kind: Kind,
    pub(super) depth: u8,
    /// The first way to it that was found.
    path: Vec<u32>,
    /// What is proven of its value, as its own player sees it.
    pub(super) bounds: Bounds,
    /// The nodes that all answers about it took.
    pub(super) visited: u64,
    /// The same with those about what lies below it. Where ways meet, each has its part of what lies below.
    pub(super) size: u64,
    /// The same position one step of deepening less deep, where that was met before.
    pub(super) shallower: Option<usize>,
    /// What it leads to, once it is expanded, in the order in which the game gives moves and outcomes.
    pub(super) branches: Option<Vec<Branch>>,
}

/// A move or an outcome.
#[derive(Clone, Copy)]
pub(super) struct Branch {
    /// The node that it leads to.
    pub(super) to: usize,
    pub(super) edge: Edge,
    /// The weight of an outcome; 1 for a move.
    pub(super) weight: u32,
}

impl<G: Game> Tree<G> {
    pub(super) fn new(game: G) -> Self {
        let limit = game.grid().limit();
        Tree { game, limit, nodes: Vec::new(), numbers: HashMap::new() }
    }

    pub(super) fn node(&self, number: usize) -> &Node<G::Position> {
        &self.nodes[number]
    }

    /// How many nodes there are.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn key(&self, number: usize) -> TaskKey {
        let Node { path, depth, .. } = self.node(number);
        TaskKey { path: path.clone(), depth: *depth }
    }

    /// The number of a position at a depth, which becomes a node where it is none.
    ///
    /// # Errors
    /// When it is a terminal whose score is off the grid.
    pub(super) fn enter(
        &mut self,
        position: G::Position,
        depth: u8,
        path: impl FnOnce() -> Vec<u32>,
    ) -> Result<usize, SearchError> {
        let kind = self.game.kind(&position);
        // How deep one wants to look makes no difference to an ended game.
        let depth = if kind == Kind::Terminal { 0 } else { depth };
        let identity = self.identity(&position, kind, depth);
        if let Some(&known) = self.numbers.get(&identity) {
            return Ok(known);
        }
        let bounds = match kind {
            Kind::Terminal => {
                let score = self.game.terminal_score(&position);
                Bounds::exactly(self.taken(Given::TerminalScore, score, &position)?)
            }
            _ => Bounds::unknown(self.limit),
        };
        let shallower = self.shallower(&position, kind, depth);
        let number = self.nodes.len();
        let (path, branches) = (path(), None);
        let node = Node { position, kind, depth, path, bounds, visited: 0, size: 0, shallower, branches };
        self.nodes.push(node);
        self.numbers.insert(identity, number);
        Ok(number)
    }

    /// What is taken of a score or of a reward that the game gives of a position.
    fn taken(&self, given: Given, score: Score, position: &G::Position) -> Result<Score, SearchError> {
        taken(&self.game, self.game.saturates(), given, score, self.game.player(position))
    }

    fn identity(&self, position: &G::Position, kind: Kind, depth: u8) -> Identity {
        // A leaf's value is its evaluation or its score, which know no past.
        let hash =
            if depth == 0 { self.game.hash(position) } else { self.game.hash_to_depth(position, depth) };
        Identity { high: hash.high, low: hash.low, kind, depth }
    }

    fn shallower(&self, position: &G::Position, kind: Kind, depth: u8) -> Option<usize> {
        let depth = depth.checked_sub(self.game.depth_step().max(1)).filter(|&depth| depth > 0)?;
        self.numbers.get(&self.identity(position, kind, depth)).copied()
    }

    /// Joins what was found of a node with what is known of it.
    pub(super) fn learn(&mut self, number: usize, found: Bounds) -> Result<(), PlanError> {
        let known = self.nodes[number].bounds;
        let both = known.meet(found).ok_or_else(|| {
            let key = self.key(number);
            PlanError::Contradiction { key, known, found }
        })?;
        self.nodes[number].bounds = both;
        Ok(())
    }

    /// Counts the nodes of an answer about a node.
    pub(super) fn count(&mut self, number: usize, nodes: u64) {
        let visited = &mut self.nodes[number].visited;
        *visited = visited.saturating_add(nodes);
    }

    /// Whether a node has successors and is not expanded.
    pub(super) fn can_expand(&self, number: usize) -> bool {
        let Node { kind, depth, branches, .. } = self.node(number);
        *kind != Kind::Terminal && *depth > 0 && branches.is_none()
    }

    /// Enters the successors of a node.
    ///
    /// # Errors
    /// When the game breaks its contract.
    pub(super) fn expand(&mut self, number: usize) -> Result<(), PlanError> {
        let Node { position, kind, path, .. } = self.node(number);
        if path.len() >= longest_path::<G>() as usize {
            return Err(SearchError::PathLength.into());
        }
        let (position, path) = (position.clone(), path.clone());
        let depth = self.node(number).depth;
        let successors = match kind {
            Kind::Decision => self.after_moves(&position, depth)?,
            _ => self.after_outcomes(&position, depth)?,
        };
        check_weights(self.node(number).kind, &successors)?;
        let mut branches = Vec::with_capacity(successors.len());
        for (ordinal, After { position, depth, edge, weight }) in (0u32..).zip(successors) {
            let to = self.enter(position, depth, || [path.as_slice(), &[ordinal]].concat())?;
            branches.push(Branch { to, edge, weight });
        }
        self.nodes[number].branches = Some(branches);
        Ok(())
    }

    fn after_moves(&self, position: &G::Position, depth: u8) -> Result<Vec<After<G::Position>>, SearchError> {
        let (game, mut moves) = (&self.game, Vec::new());
        game.moves(position, |mv| moves.push(mv));
        let after = |mv| {
            let after = game.play(position, mv);
            if G::HAS_REWARDS {
                self.taken(Given::Reward, game.move_reward(position, mv, &after), position)?;
            }
            let edge = Edge::of_move(game, self.limit, position, mv, &after);
            let depth = depth_after_move(game, depth, position, mv, &after);
            Ok(After { position: after, depth, edge, weight: 1 })
        };
        moves.into_iter().map(after).collect()
    }

    fn after_outcomes(
        &self,
        position: &G::Position,
        depth: u8,
    ) -> Result<Vec<After<G::Position>>, SearchError> {
        let (game, mut outcomes) = (&self.game, Vec::new());
        game.outcomes(position, |outcome, weight| outcomes.push((outcome, weight)));
        let after = |(outcome, weight)| {
            let after = game.resolve(position, outcome);
            if G::HAS_OUTCOME_REWARDS {
                self.taken(Given::Reward, game.outcome_reward(position, outcome, &after), position)?;
            }
            let edge = Edge::of_outcome(game, self.limit, position, outcome, &after);
            let depth = depth_after_outcome(game, depth, position, outcome, &after);
            Ok(After { position: after, depth, edge, weight })
        };
        outcomes.into_iter().map(after).collect()
    }

    /// What is known of a move or an outcome, as the player of the node above it sees it.
    pub(super) fn worth(&self, branch: Branch) -> Bounds {
        branch.edge.worth(self.node(branch.to).bounds, self.limit)
    }

    /// Whether a branch of a node, if the value of what it leads to is known, is worth something on the grid.
    fn check_worth(&self, number: usize, branch: Branch) -> Result<(), SearchError> {
        let Node { position, .. } = self.node(number);
        match branch.edge.exact_worth(self.node(branch.to).bounds) {
            Some(worth) => self.taken(Given::Worth, worth, position).map(|_| ()),
            None => Ok(()),
        }
    }

    /// The sums of a chance node of which `window` is asked.
    pub(super) fn sums(&self, branches: &[Branch], window: Window) -> ChanceSums {
        let total = branches.iter().map(|branch| i64::from(branch.weight)).sum();
        let mut sums = ChanceSums::new(total, self.limit, window);
        for &branch in branches {
            sums.update(branch.weight, Bounds::unknown(self.limit), self.worth(branch));
        }
        sums
    }

    /// The nodes from `root` down, each after all that it leads to.
    ///
    /// # Errors
    /// When moves and outcomes that take no ply lead round in a circle.
    pub(super) fn upwards(&self, root: usize) -> Result<Vec<usize>, PlanError> {
        const OPEN: u8 = 1;
        const DONE: u8 = 2;
        let (mut order, mut marks) = (Vec::new(), vec![0; self.len()]);
        marks[root] = OPEN;
        let mut open = vec![(root, 0)];
        while let Some((number, next)) = open.last_mut() {
            match self.nodes[*number].branches.as_ref().and_then(|branches| branches.get(*next)) {
                None => {
                    marks[*number] = DONE;
                    order.push(*number);
                    open.pop();
                }
                Some(&Branch { to, .. }) => {
                    *next += 1;
                    match marks[to] {
                        DONE => {}
                        OPEN => return Err(SearchError::PathLength.into()),
                        _ => {
                            marks[to] = OPEN;
                            open.push((to, 0));
                        }
                    }
                }
            }
        }
        Ok(order)
    }

    /// Derives bounds and sizes of the nodes in this order from those of what they lead to.
    ///
    /// # Errors
    /// When bounds exclude each other, or a reward carries a value beyond the grid.
    pub(super) fn derive(&mut self, upwards: &[usize]) -> Result<(), PlanError> {
        let ways = self.ways(upwards);
        for &number in upwards {
            let (mut size, mut found) = (self.nodes[number].visited, None);
            if let Some(branches) = &self.nodes[number].branches {
                branches.iter().try_for_each(|&branch| self.check_worth(number, branch))?;
                let part = |branch: &Branch| self.node(branch.to).size.div_ceil(ways[branch.to]);
                size = branches.iter().map(part).fold(size, u64::saturating_add);
                found = Some(self.bounds_from(self.nodes[number].kind, branches));
            }
            self.nodes[number].size = size;
            if let Some(found) = found {
                self.learn(number, found)?;
            }
        }
        Ok(())
    }

    /// How many moves and outcomes of these nodes lead to each node.
    fn ways(&self, upwards: &[usize]) -> Vec<u64> {
        let mut ways = vec![0; self.len()];
        let branches = upwards.iter().filter_map(|&number| self.node(number).branches.as_ref());
        branches.flatten().for_each(|branch| ways[branch.to] += 1);
        ways
    }

    fn bounds_from(&self, kind: Kind, branches: &[Branch]) -> Bounds {
        if kind == Kind::Chance {
            return self.sums(branches, Window::full(self.limit)).bounds();
        }
        let least = Bounds::exactly(-self.limit);
        branches.iter().fold(least, |greatest, &branch| {
            let worth = self.worth(branch);
            Bounds::new(greatest.lower.max(worth.lower), greatest.upper.max(worth.upper))
        })
    }
}

/// A successor before it is a node.
struct After<P> {
    position: P,
    depth: u8,
    edge: Edge,
    weight: u32,
}

/// Whether there are successors, and with weights as a search takes them.
fn check_weights<P>(kind: Kind, successors: &[After<P>]) -> Result<(), SearchError> {
    let total: u64 = successors.iter().map(|after| u64::from(after.weight)).sum();
    if kind == Kind::Decision {
        return if successors.is_empty() { Err(SearchError::NoMoves) } else { Ok(()) };
    }
    if successors.iter().any(|after| after.weight == 0) {
        Err(SearchError::ZeroWeight)
    } else if (1..=u64::from(u32::MAX)).contains(&total) {
        Ok(())
    } else {
        Err(SearchError::TotalWeight { total })
    }
}
