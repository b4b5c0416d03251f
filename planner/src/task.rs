//! Tasks and answers, and whose values they are.

use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit::score::{Bounds, Grid, Window};
use starsplit::table::Reuse;

/// What a task is about: a position, by the way to it from the plan's root, and a depth.
///
/// Several ways may lead to one position; an answer counts whichever of them it names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TaskKey {
    /// The ordinals of the moves and outcomes that lead there, in the order in which the game gives them
    /// ([`Game::moves`], [`Game::outcomes`]), counted from 0. Empty for the root.
    pub path: Vec<u32>,
    /// The depth, 0 to [`MAX_DEPTH`](starsplit::search::MAX_DEPTH): at 0 the position is evaluated.
    pub depth: u8,
}

/// Something for a worker to do: prove bounds of a position's value at a depth that settle a window.
///
/// Written as a line, `task 1 path 3.0.5 depth 4 window -12 40`, by `to_string` and read by `parse`; the
/// number after the first word is the form's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The position and the depth.
    pub key: TaskKey,
    /// What is asked, as the position's player sees it, in steps of the grid: it is not empty, and lies
    /// within what the planner knows.
    pub window: Window,
}

/// What a worker has proven of a task's position at the task's depth.
///
/// Written as a line, `answer 2 path 3.0.5 depth 4 bounds 40 55 nodes 12345 contradictions 0 game 7b
/// evaluator 1f grid 8388607 -1.0 1.0 reuse exact`, by `to_string` and read by `parse`; the two numbers of
/// the game and the evaluator are hexadecimal.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The position and the depth.
    pub key: TaskKey,
    /// What is proven, as the position's player sees it, in steps of the grid. It need not settle the task's
    /// window, as where the worker was stopped.
    pub bounds: Bounds,
    /// How many nodes that took: sizes of later tasks are expected by it.
    pub nodes: u64,
    /// How many incompatible proofs the worker's table was told on the way.
    pub contradictions: u64,
    /// Whose values these are.
    pub identities: Identities,
}

/// What values depend on beside position and depth: answers of anything else are refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identities {
    /// [`Game::identity`]: the game and its rules.
    pub game: u64,
    /// [`EvaluatorFacts::identity`](starsplit::evaluator::EvaluatorFacts::identity).
    pub evaluator: u64,
    /// The game's grid.
    pub grid: Grid,
    /// Which entries of the table are used: a plan takes [`Reuse::Exact`] alone.
    pub reuse: Reuse,
}

impl Identities {
    /// Those of searches of this game with this evaluator, whose options say so of
    /// [`reuse`](starsplit::search::Options::reuse).
    pub fn new<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E, reuse: Reuse) -> Self {
        let (grid, evaluator) = (game.facts().grid, evaluator.facts(game).identity);
        Identities { game: game.identity(), evaluator, grid, reuse }
    }

    /// The first difference: what it is in, what `self` has, what `found` has.
    pub(super) fn difference(&self, found: &Identities) -> Option<(&'static str, String, String)> {
        let pairs = self.texts().into_iter().zip(found.texts());
        let mut told = pairs.map(|((what, own), (_, other))| (what, own, other));
        told.find(|(_, own, other)| own != other)
    }

    fn texts(&self) -> [(&'static str, String); 4] {
        let Identities { game, evaluator, grid, reuse } = self;
        let (low, high) = grid.range();
        [
            ("game", format!("{game:#x}")),
            ("evaluator", format!("{evaluator:#x}")),
            ("grid", format!("{} steps to either side, {low:?} to {high:?}", grid.limit())),
            ("reuse", reuse.name().to_owned()),
        ]
    }
}
