//! A search as a tree, node by node.

use crate::game::{NodeKind, Player, Step};
use crate::score::{Bounds, Score, Window};

/// The nodes that the last iteration entered, in the order of their beginnings, if
/// [`Telemetry::tree`](crate::search::Telemetry::tree) asks for them.
///
/// It is the tree as it was searched: a node that several workers or several phases entered is there several
/// times. With a method whose helpers search beside the leader, each of them has a root of its own.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SearchTree<M, O> {
    /// The nodes. A parent comes before its children.
    pub nodes: Vec<TreeNode<M, O>>,
    /// How many nodes are left out, since they were more than were asked for: all those deeper than
    /// [`deepest_ply`](SearchTree::deepest_ply).
    pub left_out: u64,
    /// The greatest distance of a recorded node from the root.
    pub deepest_ply: u32,
    /// The grid's limit: scores lie between it and its negative.
    pub limit: Score,
}

/// A node of a [`SearchTree`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TreeNode<M, O> {
    /// The parent's index among the nodes; none of a root.
    pub parent: Option<usize>,
    /// The move or outcome that led here; none at a root. Of several that lead to one position, the first.
    pub step: Option<Step<M, O>>,
    /// The weight of the outcome that led here.
    pub weight: Option<u32>,
    /// What kind of node it is.
    pub kind: NodeKind,
    /// The position's player, for whom `window` and `bounds` are.
    pub player: Player,
    /// The plies that were left to search.
    pub depth: u32,
    /// The moves and outcomes from the root.
    pub ply: u32,
    /// The window in which the node was searched.
    pub window: Window,
    /// What was proven.
    pub bounds: Bounds,
    /// The phase of the chance node above in which it was searched.
    pub phase: Option<TreePhase>,
    /// Why its search ended.
    pub end: TreeEnd,
    /// The worker that searched it: 0 led the search. With fork and join by a general pool each job counts as
    /// one.
    pub worker: usize,
    /// When its search began, in nanoseconds since the search began.
    pub began: u64,
    /// When its search ended.
    pub ended: u64,
    /// When its window changed because of what other workers had proven, and what it was from then on.
    pub narrowed: Vec<(u64, Window)>,
}

/// A pass over a chance node's successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TreePhase {
    /// Star2's probes: a few moves of each successor.
    Probing,
    /// Null windows that ask each successor for its share of beta.
    Shares,
    /// Star1's: each successor in its window.
    Star1,
}

/// Why the search of a node ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TreeEnd {
    /// The game is over there.
    Terminal,
    /// The depth is reached: a static evaluation.
    Leaf,
    /// A chance node whose leaves share one evaluation.
    Collapse,
    /// An entry of the table settles the window: the node's own, or those of its successors.
    Table,
    /// Static bounds or rewards settle the window.
    StaticBounds,
    /// It is worth at least beta.
    Beta,
    /// It is worth at most alpha.
    Alpha,
    /// Its value is within the window, and exact.
    Exact,
    /// Nothing of that: a probe has tried as many moves as it may, or what other workers had proven left
    /// nothing to search.
    Open,
    /// The search ended, or a node above was cut.
    Halted,
}

impl TreePhase {
    /// Its name in texts.
    pub const fn name(self) -> &'static str {
        match self {
            TreePhase::Probing => "probing",
            TreePhase::Shares => "shares",
            TreePhase::Star1 => "star1",
        }
    }
}

impl TreeEnd {
    /// Its name in texts.
    pub const fn name(self) -> &'static str {
        match self {
            TreeEnd::Terminal => "terminal",
            TreeEnd::Leaf => "leaf",
            TreeEnd::Collapse => "collapse",
            TreeEnd::Table => "table",
            TreeEnd::StaticBounds => "static-bounds",
            TreeEnd::Beta => "beta",
            TreeEnd::Alpha => "alpha",
            TreeEnd::Exact => "exact",
            TreeEnd::Open => "open",
            TreeEnd::Halted => "halted",
        }
    }
}

impl<M: Clone, O: Clone> SearchTree<M, O> {
    /// The steps from the root to the node at this index.
    pub fn line(&self, index: usize) -> Vec<Step<M, O>> {
        let mut line = Vec::new();
        let mut at = Some(index);
        while let Some(node) = at.map(|at| &self.nodes[at]) {
            line.extend(node.step.clone());
            at = node.parent;
        }
        line.reverse();
        line
    }

    /// The same in other words: `line` makes them of a line of play from the root.
    pub fn map<N, P>(&self, line: impl Fn(Vec<Step<M, O>>) -> Vec<Step<N, P>>) -> SearchTree<N, P> {
        let in_words = |(index, node): (usize, &TreeNode<M, O>)| TreeNode {
            parent: node.parent,
            step: node.step.as_ref().and_then(|_| line(self.line(index)).pop()),
            weight: node.weight,
            kind: node.kind,
            player: node.player,
            depth: node.depth,
            ply: node.ply,
            window: node.window,
            bounds: node.bounds,
            phase: node.phase,
            end: node.end,
            worker: node.worker,
            began: node.began,
            ended: node.ended,
            narrowed: node.narrowed.clone(),
        };
        SearchTree {
            nodes: self.nodes.iter().enumerate().map(in_words).collect(),
            left_out: self.left_out,
            deepest_ply: self.deepest_ply,
            limit: self.limit,
        }
    }
}
