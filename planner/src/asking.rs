//! What is open: the window of each position at a depth, derived from the root's down, how large its search
//! is expected to be, and which is most useful.

use crate::tree::{Branch, Node, Tree};
use starsplit::game::{Game, NodeKind};
use starsplit::score::{Bounds, Window};
use starsplit::unstable::windows;
use std::cmp::Reverse;

/// What is asked of a node by those above it.
#[derive(Clone, Copy)]
struct Asked {
    /// Of the windows that they leave it the least that holds them all.
    window: Window,
    /// Its share of what their searches are expected to take, in nodes.
    share: u64,
    /// How many moves above it come after another one, which may make them idle. Fewer is better.
    doubts: u32,
}

/// A node that nothing below it is asked for: a task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    pub(super) number: usize,
    pub(super) window: Window,
    /// The nodes that its search is expected to take; 0 where nobody knows.
    pub(super) expected: u64,
    doubts: u32,
}

/// Sorts tasks. A function of its own, to be compiled once and not for each game.
fn most_useful_first(open: &mut [Open]) {
    open.sort_by_key(|task| (task.doubts, Reverse(task.expected)));
}

/// How a root is asked.
#[derive(Clone, Copy)]
pub(super) struct Question {
    pub(super) root: usize,
    /// Whether a move has to be named.
    pub(super) names_move: bool,
    /// By how much searches grow from one iteration to the next.
    pub(super) growth: f64,
}

impl<G: Game> Tree<G> {
    /// A move of a decision root that is proven to be worth as much as the root: its ordinal.
    pub(super) fn proven_move(&self, root: usize) -> Option<usize> {
        let Node { bounds, branches, .. } = self.node(root);
        let is_proven = |&branch: &Branch| bounds.is_exact() && self.worth(branch).lower == bounds.lower;
        branches.as_ref()?.iter().position(is_proven)
    }

    /// Whether the question is answered.
    pub(super) fn is_answered(&self, question: Question) -> bool {
        let is_exact = self.node(question.root).bounds.is_exact();
        is_exact && (!question.names_move || self.proven_move(question.root).is_some())
    }

    /// All that is open below an open root, the most useful first. The order is that of
    /// [`upwards`](Tree::upwards), after [`derive`](Tree::derive).
    pub(super) fn open(&self, question: Question, upwards: &[usize]) -> Vec<Open> {
        let mut asked: Vec<Option<Asked>> = vec![None; self.len()];
        let root = Asked { window: Window::full(self.limit), share: 0, doubts: 0 };
        asked[question.root] = Some(root);
        let mut open = Vec::new();
        for &number in upwards.iter().rev() {
            let Some(own) = asked[number] else { continue };
            let Some(window) = self.window_of(question, number, own.window) else { continue };
            let expected = self.expected(number, question.growth, own.share);
            let Some(branches) = &self.node(number).branches else {
                open.push(Open { number, window, expected, doubts: own.doubts });
                continue;
            };
            for (below, question) in self.questions(number, branches, window, expected, own.doubts) {
                let joined = asked[below].map_or(question, |other| other.joined(question));
                asked[below] = Some(joined);
            }
        }
        most_useful_first(&mut open);
        open
    }

    /// What is left to ask of a node, if anything is.
    fn window_of(&self, question: Question, number: usize, asked: Window) -> Option<Window> {
        let bounds = self.node(number).bounds;
        if number == question.root && question.names_move {
            // Some move has to reach what is known of the root, even if that is its value.
            return Some(Window::new((bounds.lower - 1).max(-self.limit), bounds.upper));
        }
        (!asked.is_settled_by(bounds)).then(|| asked.narrowed_by(bounds))
    }

    /// What is asked of the successors of a node with this window. Each is asked by the means of the search.
    fn questions(
        &self,
        number: usize,
        branches: &[Branch],
        window: Window,
        expected: u64,
        doubts: u32,
    ) -> Vec<(usize, Asked)> {
        let kind = self.node(number).kind;
        let worths: Vec<Bounds> = branches.iter().map(|&branch| self.worth(branch)).collect();
        let windows = windows(kind, self.limit, window, &self.below(branches));
        let open = || (0..branches.len()).filter(|&index| windows[index].is_some());
        let share = self.share(number, branches.len(), open().count(), expected);
        // Outcomes count whatever the others are worth; of moves the one that promises most does.
        let first =
            open().max_by_key(|&index| (self.promise(branches[index], worths[index]), Reverse(index)));
        let ask = |index: usize| {
            let doubts = doubts + u32::from(kind != NodeKind::Chance && Some(index) != first);
            windows[index].map(|window| (branches[index].to, Asked { window, share, doubts }))
        };
        open().filter_map(ask).collect()
    }

    /// How many nodes each of the `open` ones of `all` successors is expected to take: its part of what is
    /// left of what was expected, but no more than those that are done took; as many where nothing is left.
    fn share(&self, number: usize, all: usize, open: usize, expected: u64) -> u64 {
        let spent = self.node(number).size;
        let as_before = spent.checked_div((all - open) as u64);
        let share = match expected.saturating_sub(spent) / open.max(1) as u64 {
            0 => as_before.unwrap_or(0),
            left => as_before.filter(|&before| before > 0).map_or(left, |before| left.min(before)),
        };
        share.max(1)
    }

    /// What a move promises: what it is sure of, then what it was worth one iteration ago.
    fn promise(&self, branch: Branch, worth: Bounds) -> (i32, i64) {
        let before = self.node(branch.to).shallower.map_or(Bounds::unknown(self.limit), |shallower| {
            branch.edge.worth(self.node(shallower).bounds, self.limit)
        });
        (worth.lower, i64::from(before.lower) + i64::from(before.upper))
    }

    /// How many nodes the search of a node is expected to take: as many as one iteration ago, grown, or its
    /// share of what is expected above it; no less than it has taken in vain.
    fn expected(&self, number: usize, growth: f64, share: u64) -> u64 {
        let Node { shallower, visited, .. } = self.node(number);
        let before = shallower.map_or(0, |shallower| self.node(shallower).size);
        let grown = if before == 0 { share } else { (before as f64 * growth) as u64 };
        grown.max(*visited)
    }
}

impl Asked {
    /// Both at once.
    fn joined(self, other: Asked) -> Self {
        let (own, window) = (self.window, other.window);
        Asked {
            window: Window::new(own.alpha.min(window.alpha), own.beta.max(window.beta)),
            share: self.share.max(other.share),
            doubts: self.doubts.min(other.doubts),
        }
    }
}
