//! Chance nodes: successor probing, the probing phase, and Star1's, in which windows may be narrowed.

use super::search::{Breadth, Edge, OwnSearch};
use super::sums::Sums;
use super::table::{NodeKey, key};
use starsplit::game::{Game, NodeKind, Step};
use starsplit::score::{Bounds, Score, Window};

/// The least depth of a node whose successors are all looked up before any is searched; the library's
/// default.
const SUCCESSOR_PROBING_DEPTH: u8 = 4;

/// A successor and what is known of what it is worth to the chance node's player.
pub(super) struct Successor<P> {
    pub(super) position: P,
    pub(super) weight: u32,
    pub(super) edge: Edge,
    pub(super) bounds: Bounds,
    /// Whether it was searched in less than Star1's window, which that did not settle.
    pub(super) was_narrowed: bool,
}

/// The end of a node's window that is to be proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Alpha,
    Beta,
}

impl End {
    /// Bounds as if alpha were to be proven.
    pub(super) fn bounds(self, bounds: Bounds) -> Bounds {
        if self == End::Alpha { bounds } else { bounds.flipped() }
    }

    /// A window as if alpha were to be proven, and back.
    pub(super) fn window(self, window: Window) -> Window {
        if self == End::Alpha { window } else { window.flipped() }
    }
}

/// A chance node that is being searched.
pub(super) struct OpenChance<P> {
    pub(super) successors: Vec<Successor<P>>,
    pub(super) sums: Sums,
    pub(super) window: Window,
    pub(super) depth: u8,
}

impl<P> OpenChance<P> {
    /// Learns what was found of a successor, which takes in what was known.
    pub(super) fn learn(&mut self, index: usize, found: Bounds) {
        let successor = &mut self.successors[index];
        self.sums.change(successor.weight, successor.bounds, found);
        successor.bounds = found;
    }

    /// Star1's window for a successor that is not known exactly, while the node is not cut.
    pub(super) fn window_for(&self, index: usize) -> Window {
        self.sums.window_for(self.successors[index].weight, self.successors[index].bounds)
    }

    /// The successors that are still to be searched.
    fn open(&self) -> Vec<usize> {
        (0..self.successors.len()).filter(|&index| !self.successors[index].bounds.is_exact()).collect()
    }
}

impl<G: Game> OwnSearch<'_, G> {
    /// Searches a chance node that the table has not settled.
    pub(super) fn chance(
        &mut self,
        position: &G::Position,
        (node, depth): (&NodeKey, u8),
        window: Window,
    ) -> Bounds {
        let mut open = self.generate(position, depth, window);
        if depth >= SUCCESSOR_PROBING_DEPTH {
            self.look_up_successors(&mut open);
        }
        if depth > 1 {
            self.probe_successors(&mut open);
            self.share_slack(node, &mut open);
        }
        self.search_successors(&mut open);
        open.sums.bounds()
    }

    /// The successors, with what the game knows of them beforehand.
    fn generate(&self, position: &G::Position, depth: u8, window: Window) -> OpenChance<G::Position> {
        let (game, mover) = (self.game, self.game.player(position));
        let mut successors = Vec::new();
        game.outcomes(position, |outcome, weight| {
            let after = game.resolve(position, outcome);
            let reward = if G::STEPS.outcome_rewards {
                self.on_edge(game.reward(position, Step::Outcome(outcome), &after))
            } else {
                0
            };
            let edge = Edge { mover, reward };
            let bounds = self.possible(edge);
            successors.push(Successor { position: after, weight, edge, bounds, was_narrowed: false });
        });
        if depth > 1 {
            let mut places = successors.iter_mut();
            game.outcome_bounds(position, depth, |offered| {
                let Some(successor) = places.next() else { return };
                let with = |score: Score| {
                    let on_grid = score.clamp(-self.limit, self.limit);
                    (on_grid + successor.edge.reward).clamp(-self.limit, self.limit)
                };
                successor.bounds = Bounds::new(with(offered.lower), with(offered.upper));
            });
        }
        let total = successors.iter().map(|successor| i64::from(successor.weight)).sum();
        let mut sums = Sums::new(total, window);
        successors.iter().for_each(|successor| sums.add(successor.weight, successor.bounds));
        OpenChance { successors, sums, window, depth }
    }

    /// Whether a value may lie beyond this end of a window: not where it is the grid's end, or near that
    /// where rewards are taken off windows that reach to it.
    pub(super) fn is_in_reach(&self, end: End, window: Window) -> bool {
        let far = if G::STEPS.rewards { self.limit - self.limit / 16 } else { self.limit };
        if end == End::Alpha { window.alpha > -far } else { window.beta < far }
    }

    /// What an edge can be worth whatever it leads to.
    pub(super) fn possible(&self, edge: Edge) -> Bounds {
        let with = |score: Score| (score + edge.reward).clamp(-self.limit, self.limit);
        Bounds::new(with(-self.limit), with(self.limit))
    }

    /// Successor probing (section III.B): what the table knows of all, before any is searched.
    fn look_up_successors(&mut self, open: &mut OpenChance<G::Position>) {
        for index in open.open() {
            if open.sums.is_cut() {
                return;
            }
            let found = self.proven_before(open, index, open.depth - 1);
            let bounds = self.meet(found, open.successors[index].bounds);
            open.learn(index, bounds);
        }
    }

    /// What the table knows of what a successor is worth at some depth.
    fn proven_before(&mut self, open: &OpenChance<G::Position>, index: usize, depth: u8) -> Bounds {
        let Successor { position, edge, .. } = &open.successors[index];
        let kind = self.game.kind(position);
        if kind == NodeKind::Terminal {
            return self.possible(*edge);
        }
        let node = key(self.game.hash_to_depth(position, depth), kind == NodeKind::Chance);
        let found = self.look_up(&node, depth);
        self.worth(*edge, position, found)
    }

    /// Star2's probing phase: one move of each successor, for a bound of the player who moves there, where
    /// that bound could settle the node.
    fn probe_successors(&mut self, open: &mut OpenChance<G::Position>) {
        for index in open.open() {
            if open.sums.is_cut() {
                return;
            }
            let Successor { position, edge, bounds, .. } = &open.successors[index];
            let kind = self.game.kind(position);
            let of_mover = self.game.player(position) == edge.mover;
            let may_settle = self.is_in_reach(if of_mover { End::Beta } else { End::Alpha }, open.window);
            if kind == NodeKind::Chance || kind == NodeKind::Decision && !may_settle {
                continue;
            }
            let window = open.window_for(index);
            let window = match of_mover {
                true => Window::new(bounds.lower, window.beta),
                false => Window::new(window.alpha, bounds.upper),
            };
            self.search_successor(open, index, window, Breadth::First);
        }
    }

    /// Searches a successor in this window, and learns what is found.
    pub(super) fn search_successor(
        &mut self,
        open: &mut OpenChance<G::Position>,
        index: usize,
        window: Window,
        breadth: Breadth,
    ) {
        let Successor { position, edge, bounds, .. } = &open.successors[index];
        let found = self.search_edge(*edge, (position, open.depth - 1), (window, *bounds), breadth);
        open.learn(index, found);
    }

    /// Star1's phase: every successor until its part of the node's value is settled.
    fn search_successors(&mut self, open: &mut OpenChance<G::Position>) {
        for index in open.open() {
            if open.sums.is_cut() || self.is_halted {
                return;
            }
            if let Some(margin) = self.inner.last
                && open.depth > 1
            {
                self.search_near_last(open, index, margin);
                if open.sums.is_cut() || open.successors[index].bounds.is_exact() {
                    continue;
                }
            }
            self.counts.re_searches += u64::from(open.successors[index].was_narrowed);
            self.search_successor(open, index, open.window_for(index), Breadth::All);
        }
    }

    /// Searches a successor first in a window around what the last iteration has proven of it, two plies less
    /// deep, and so much wider at either end.
    fn search_near_last(&mut self, open: &mut OpenChance<G::Position>, index: usize, margin: Score) {
        let usual = open.window_for(index);
        let Some(depth) = (open.depth - 1).checked_sub(2) else { return };
        let last = self.proven_before(open, index, depth);
        let alpha = last.lower.saturating_sub(margin).clamp(usual.alpha, usual.beta - 1);
        let beta = last.upper.saturating_add(margin).clamp(alpha + 1, usual.beta);
        let narrow = Window::new(alpha, beta);
        if narrow == usual {
            return;
        }
        self.search_narrowed(open, index, (narrow, usual));
    }

    /// Searches a successor in less than its usual window.
    pub(super) fn search_narrowed(
        &mut self,
        open: &mut OpenChance<G::Position>,
        index: usize,
        (narrow, usual): (Window, Window),
    ) {
        self.counts.narrowed += 1;
        self.search_successor(open, index, narrow, Breadth::All);
        open.successors[index].was_narrowed = !usual.is_settled_by(open.successors[index].bounds);
    }
}
