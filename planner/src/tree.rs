//! What a planner knows: bounds of positions at depths, and of some of them what their moves or outcomes lead
//! to, so that bounds from below are bounds above.

use crate::error::PlanError;
use crate::task::TaskKey;
use starsplit::game::{Game, NodeKind};
use starsplit::score::{Bounds, Score};
use starsplit::search::{MAX_DEPTH, MAX_PATH_LENGTH, SearchError};
use starsplit::unstable::{Successor, WeightedEdge, bounds, successors};
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
    kind: NodeKind,
    depth: u8,
}

/// A position at a depth.
pub(super) struct Node<P> {
    position: P,
    pub(super) kind: NodeKind,
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
    pub(super) edge: WeightedEdge,
}

impl<G: Game> Tree<G> {
    pub(super) fn new(game: G) -> Self {
        let limit = game.facts().grid.limit();
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
        let depth = if kind == NodeKind::Terminal { 0 } else { depth };
        let identity = self.identity(&position, kind, depth);
        if let Some(&known) = self.numbers.get(&identity) {
            return Ok(known);
        }
        let bounds = match kind {
            NodeKind::Terminal => bounds(&self.game, &position, kind, &[])?,
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

    fn identity(&self, position: &G::Position, kind: NodeKind, depth: u8) -> Identity {
        // A leaf's value is its evaluation or its score, which know no past.
        let hash =
            if depth == 0 { self.game.hash(position) } else { self.game.hash_to_depth(position, depth) };
        Identity { high: hash.high, low: hash.low, kind, depth }
    }

    fn shallower(&self, position: &G::Position, kind: NodeKind, depth: u8) -> Option<usize> {
        let depth = depth.checked_sub(self.game.facts().depth_step.max(1)).filter(|&depth| depth > 0)?;
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
        *kind != NodeKind::Terminal && *depth > 0 && branches.is_none()
    }

    /// Enters the successors of a node.
    ///
    /// # Errors
    /// When the game breaks its contract.
    pub(super) fn expand(&mut self, number: usize) -> Result<(), PlanError> {
        let Node { position, depth, path, .. } = self.node(number);
        if path.len() >= longest_path::<G>() as usize {
            return Err(SearchError::PathLength.into());
        }
        let (below, path) = (successors(&self.game, position, *depth)?, path.clone());
        let mut branches = Vec::with_capacity(below.len());
        for (ordinal, Successor { position, depth, edge }) in (0u32..).zip(below) {
            let to = self.enter(position, depth, || [path.as_slice(), &[ordinal]].concat())?;
            branches.push(Branch { to, edge });
        }
        self.nodes[number].branches = Some(branches);
        Ok(())
    }

    /// What is known of a move or an outcome, as the player of the node above it sees it.
    pub(super) fn worth(&self, branch: Branch) -> Bounds {
        branch.edge.worth(self.node(branch.to).bounds, self.limit)
    }

    /// What is known of these moves or outcomes: each with the bounds of what it leads to.
    pub(super) fn below(&self, branches: &[Branch]) -> Vec<(WeightedEdge, Bounds)> {
        branches.iter().map(|branch| (branch.edge, self.node(branch.to).bounds)).collect()
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
            let Node { position, kind, visited, branches, .. } = self.node(number);
            let (mut size, mut found) = (*visited, None);
            if let Some(branches) = branches {
                let part = |branch: &Branch| self.node(branch.to).size.div_ceil(ways[branch.to]);
                size = branches.iter().map(part).fold(size, u64::saturating_add);
                found = Some(bounds(&self.game, position, *kind, &self.below(branches))?);
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
}

/// The most moves and outcomes that a way to a position can have.
fn longest_path<G: Game>() -> u32 {
    if G::STEPS.plies { MAX_PATH_LENGTH } else { MAX_DEPTH }
}
