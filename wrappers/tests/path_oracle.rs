//! The judge of searches in which positions that come again end the game: plain Expectimax that keeps the
//! whole path and remembers nothing. Of the library's rule it knows what is irreversible and the score.

use crate::common::oracle::nearest;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, Player, PositionHash, Step};
use starsplit_wrappers::repetition::Returns;

/// The rule on top of a game without it.
pub(crate) struct PathOracle<'a, G, E, R> {
    pub(crate) plain: &'a G,
    pub(crate) evaluator: &'a E,
    pub(crate) returns: &'a R,
    /// Of a repetition, for the first player.
    pub(crate) score: i64,
    /// How often a position came again, and how many of these were chance nodes.
    pub(crate) repeated: u64,
    pub(crate) repeated_chances: u64,
}

impl<'a, G: Game, E: Evaluator<G>, R: Returns<G>> PathOracle<'a, G, E, R> {
    pub(crate) fn new(plain: &'a G, evaluator: &'a E, returns: &'a R, score: i64) -> Self {
        PathOracle { plain, evaluator, returns, score, repeated: 0, repeated_chances: 0 }
    }

    /// The value of `position` for its own player, after `path`.
    pub(crate) fn value(&mut self, position: &G::Position, path: &[PositionHash], depth: u32) -> i64 {
        let kind = self.plain.kind(position);
        if kind == NodeKind::Terminal {
            return i64::from(self.plain.terminal_score(position));
        }
        if path.contains(&self.plain.hash(position)) {
            self.repeated += 1;
            self.repeated_chances += u64::from(kind == NodeKind::Chance);
            return if self.plain.player(position) == Player::Max { self.score } else { -self.score };
        }
        if depth == 0 {
            let (limit, state) =
                (self.plain.facts().grid.limit(), self.evaluator.state(self.plain, position, None));
            return self.evaluator.evaluate(self.plain, position, &state).clamp(-limit, limit).into();
        }
        if kind == NodeKind::Decision {
            self.best(position, path, depth)
        } else {
            self.expected(position, path, depth)
        }
    }

    fn best(&mut self, position: &G::Position, path: &[PositionHash], depth: u32) -> i64 {
        let mut moves = Vec::new();
        self.plain.moves(position, |mv| moves.push(mv));
        let values = moves.into_iter().map(|mv| self.worth_of_move(position, path, mv, depth));
        values.max().expect("a decision node has moves")
    }

    /// What a move is worth to its player, where `depth` is left before it.
    pub(crate) fn worth_of_move(
        &mut self,
        position: &G::Position,
        path: &[PositionHash],
        mv: G::Move,
        depth: u32,
    ) -> i64 {
        let after = self.plain.play(position, mv);
        let is_last = self.returns.is_irreversible(self.plain, position, Step::Move(mv), &after);
        let plies = if G::STEPS.plies { self.plain.plies(position, Step::Move(mv), &after) } else { 1 };
        self.below(position, path, is_last, &after, depth.saturating_sub(plies.into()))
    }

    fn expected(&mut self, position: &G::Position, path: &[PositionHash], depth: u32) -> i64 {
        let mut outcomes = Vec::new();
        self.plain.outcomes(position, |outcome, weight| outcomes.push((outcome, weight)));
        let (mut sum, mut weights) = (0i128, 0i128);
        for (outcome, weight) in outcomes {
            let after = self.plain.resolve(position, outcome);
            let is_last = self.returns.is_irreversible(self.plain, position, Step::Outcome(outcome), &after);
            let plies =
                if G::STEPS.plies { self.plain.plies(position, Step::Outcome(outcome), &after) } else { 1 };
            let value = self.below(position, path, is_last, &after, depth.saturating_sub(plies.into()));
            sum += i128::from(weight) * i128::from(value);
            weights += i128::from(weight);
        }
        nearest(sum, weights)
    }

    /// The value of `after` for the player of `before`.
    fn below(
        &mut self,
        before: &G::Position,
        path: &[PositionHash],
        forgets: bool,
        after: &G::Position,
        depth: u32,
    ) -> i64 {
        let longer = if forgets { Vec::new() } else { [path, &[self.plain.hash(before)]].concat() };
        let value = self.value(after, &longer, depth);
        if self.plain.player(before) == self.plain.player(after) { value } else { -value }
    }
}
