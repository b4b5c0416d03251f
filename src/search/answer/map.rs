//! Answers of which moves and lines of play are told in other words, such as texts.

use crate::game::Step;
use crate::search::answer::{Iteration, PrincipalVariation, RootMove, RootOutcome, SearchResult};

impl<M> RootMove<M> {
    /// The same of the move that `mv` makes of its own.
    fn map<N>(self, mv: impl FnOnce(M) -> N) -> RootMove<N> {
        RootMove { mv: mv(self.mv), bounds: self.bounds, value: self.value }
    }
}

impl<M, O> RootOutcome<M, O> {
    /// The same in other words: `outcome` makes them of the outcome, `line` of the line of play after it.
    pub fn map<N, P>(
        self,
        outcome: impl FnOnce(O) -> P,
        line: impl FnOnce(Vec<Step<M, O>>) -> Vec<Step<N, P>>,
    ) -> RootOutcome<N, P> {
        RootOutcome {
            outcome: outcome(self.outcome),
            weight: self.weight,
            depth: self.depth,
            bounds: self.bounds,
            value: self.value,
            pv: line(self.pv),
        }
    }
}

impl<M, O> PrincipalVariation<M, O> {
    /// The same in other words, which `line` makes of its steps.
    pub fn map<N, P>(
        self,
        line: impl FnOnce(Vec<Step<M, O>>) -> Vec<Step<N, P>>,
    ) -> PrincipalVariation<N, P> {
        PrincipalVariation { steps: line(self.steps), stopped_by: self.stopped_by, stats: self.stats }
    }
}

impl<M, O> Iteration<M, O> {
    /// The same in other words: `mv` makes them of a root's move, `line` of a line of play from the root.
    pub fn map<N, P>(
        self,
        mv: impl Fn(M) -> N,
        line: impl Fn(Vec<Step<M, O>>) -> Vec<Step<N, P>>,
    ) -> Iteration<N, P> {
        Iteration {
            depth: self.depth,
            bounds: self.bounds,
            value: self.value,
            best_move: self.best_move.map(&mv),
            pv: line(self.pv),
            root_moves: self.root_moves.into_iter().map(|ranked| ranked.map(&mv)).collect(),
            nodes: self.nodes,
            stats: self.stats,
            elapsed: self.elapsed,
        }
    }
}

impl<M: Clone, O: Clone> SearchResult<M, O> {
    /// The same in other words: `mv` makes them of a root's move, `line` of a line of play from the root.
    pub fn map<N, P>(
        self,
        mv: impl Fn(M) -> N,
        line: impl Fn(Vec<Step<M, O>>) -> Vec<Step<N, P>>,
    ) -> SearchResult<N, P> {
        SearchResult {
            depth: self.depth,
            bounds: self.bounds,
            value: self.value,
            best_move: self.best_move.map(&mv),
            pv: line(self.pv),
            root_moves: self.root_moves.into_iter().map(|ranked| ranked.map(&mv)).collect(),
            stats: self.stats,
            chosen: self.chosen,
            lanes: self.lanes,
            smaller_game: self.smaller_game,
            elapsed: self.elapsed,
            had_helpers: self.had_helpers,
            waited: self.waited,
            stopped_by: self.stopped_by,
            interrupted: self.interrupted,
            iterations: self.iterations.into_iter().map(|one| one.map(&mv, &line)).collect(),
            workers: self.workers,
            tree: self.tree.map(|tree| tree.map(&line)),
        }
    }
}
