//! Scores of leaves: terminal scores and static evaluations, counted, and checked for breaches of the
//! contract (`breach.rs`).

use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind, Player};
use crate::processor::{Evaluates, Event, Processor};
use crate::score::{Bounds, Score, is_on_grid};
use crate::search::answer::{Given, SearchError};
use crate::search::breach::{checked_score, most};
use crate::search::setup::{MoveOf, NodeOf, PositionOf, Setup, StateOf};
use crate::search::transposition;
use crate::search::worker::Worker;

impl<S: Setup> Worker<'_, S> {
    /// Counts a leaf and returns its score for its player.
    #[inline]
    pub(super) fn leaf(&mut self, kind: NodeKind, node: NodeOf<'_, S>) -> Score {
        if kind == NodeKind::Terminal {
            return self.terminal(node.position);
        }
        self.stats.nodes.leaf += 1;
        self.processor.charge(Event::Node);
        node.evaluation.unwrap_or_else(|| self.evaluate(node.position, node.state))
    }

    /// Counts a terminal and returns its score for its player.
    #[inline]
    pub(super) fn terminal(&mut self, position: &PositionOf<S>) -> Score {
        self.stats.nodes.leaf += 1;
        self.processor.charge(Event::Node);
        self.terminal_score(position)
    }

    /// A terminal's score for its player.
    #[inline]
    pub(super) fn terminal_score(&mut self, position: &PositionOf<S>) -> Score {
        let score = self.game.terminal_score(position);
        self.checked_score(Given::TerminalScore, score, |game| game.player(position))
    }

    /// A static evaluation, from the table or computed.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &PositionOf<S>, state: &StateOf<S>) -> Score {
        if self.tuner.asks_memory {
            return transposition::evaluation(self, position, |worker| worker.evaluate_anew(position, state));
        }
        self.evaluate_anew(position, state)
    }

    /// The same for the position after a move, whose state is not needed.
    #[inline]
    pub(super) fn evaluate_after_move(
        &mut self,
        node: NodeOf<'_, S>,
        mv: MoveOf<S>,
        after: &PositionOf<S>,
    ) -> Score {
        let evaluate = |worker: &mut Self| {
            worker.count_evaluation();
            let (evaluator, game) = (worker.evaluator, worker.game);
            let before = (node.position, node.state);
            let score = worker.processor.evaluate_after_move(evaluator, game, before, mv, after);
            worker.checked_score(Given::Evaluation, score, |game| game.player(after))
        };
        if self.tuner.asks_memory { transposition::evaluation(self, after, evaluate) } else { evaluate(self) }
    }

    /// A static evaluation, computed and counted.
    #[inline]
    fn evaluate_anew(&mut self, position: &PositionOf<S>, state: &StateOf<S>) -> Score {
        self.count_evaluation();
        let score = self.processor.evaluate(self.evaluator, self.game, position, state);
        self.checked_score(Given::Evaluation, score, |game| game.player(position))
    }

    #[inline]
    fn count_evaluation(&mut self) {
        self.stats.nodes.evaluations += 1;
        self.processor.charge(Event::Evaluation);
    }

    /// Checks a score that `viewer` sees; replaces one off the grid.
    #[inline(always)]
    pub(super) fn checked_score(
        &mut self,
        given: Given,
        score: Score,
        viewer: impl FnOnce(&S::Game) -> Player,
    ) -> Score {
        if is_on_grid(score, self.limit) {
            return score;
        }
        let viewer = viewer(self.game);
        self.take_off_grid(given, score, viewer)
    }

    /// The slow path of [`checked_score`](Self::checked_score), also for rewards beyond twice the limit.
    #[cold]
    #[inline(never)]
    pub(super) fn take_off_grid(&mut self, given: Given, score: Score, viewer: Player) -> Score {
        let (game, evaluator) = (self.game, self.evaluator);
        let saturates =
            game.facts().saturates || given == Given::Evaluation && evaluator.facts(game).saturates;
        checked_score(game, saturates, given, score, viewer).unwrap_or_else(|error| {
            self.become_void(error);
            let most = most(given, self.limit);
            score.clamp(-most, most)
        })
    }

    /// Ends the search with an error, because the contract was broken. The worker's results from now on are
    /// void.
    pub(super) fn become_void(&mut self, error: SearchError) {
        self.control.fail(error);
        self.polling.is_void = true;
        self.set_halted(true);
    }

    /// Ends a search to the end of the game at a node that should have been one.
    #[cold]
    #[inline(never)]
    pub(super) fn is_not_the_end(&mut self) -> Bounds {
        self.become_void(SearchError::NotTheEnd);
        Bounds::unknown(self.limit)
    }

    /// `found` as other workers may see it: nothing after a breach.
    #[inline]
    pub(crate) fn publishable_bounds(&self, found: Bounds) -> Bounds {
        if self.polling.is_void { Bounds::unknown(self.limit) } else { found }
    }
}
