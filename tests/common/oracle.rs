//! The judge of every search: plain Expectimax to a fixed depth. It shares no code with the library's
//! searches and does its own rounding, so that a fault in theirs cannot hide in it.

use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, PositionHash, Step};
use starsplit::score::Score;
use std::collections::HashMap;

/// The value of `position` for its own player, searched to `depth`: moves and outcomes take one each, or what
/// the game says.
pub(crate) fn oracle_value<G: Game>(
    game: &G,
    evaluator: &impl Evaluator<G>,
    position: &G::Position,
    depth: u32,
) -> i64 {
    Oracle::new(game, evaluator).value(position, depth)
}

/// An oracle that remembers what it has worked out, for one game and evaluator.
pub(crate) struct Oracle<'a, G, E> {
    pub(crate) game: &'a G,
    evaluator: &'a E,
    known: HashMap<(PositionHash, u32), i64>,
    /// How often a reward led beyond the grid.
    pub(crate) clamped: u64,
    /// How many moves and outcomes took no ply, and how many took more than one.
    pub(crate) plies_none: u64,
    pub(crate) plies_more: u64,
}

impl<'a, G: Game, E: Evaluator<G>> Oracle<'a, G, E> {
    pub(crate) fn new(game: &'a G, evaluator: &'a E) -> Self {
        Oracle { game, evaluator, known: HashMap::new(), clamped: 0, plies_none: 0, plies_more: 0 }
    }

    /// The value of `position` for its own player.
    pub(crate) fn value(&mut self, position: &G::Position, depth: u32) -> i64 {
        let kind = self.game.kind(position);
        if kind == NodeKind::Terminal {
            return i64::from(self.game.terminal_score(position));
        }
        if depth == 0 {
            return self.evaluation(position);
        }
        let key = (self.game.hash(position), depth);
        if let Some(&value) = self.known.get(&key) {
            return value;
        }
        let value = if kind == NodeKind::Decision {
            self.best(position, depth)
        } else {
            self.expected(position, depth)
        };
        self.known.insert(key, value);
        value
    }

    /// The evaluation with a state computed anew, within the grid.
    fn evaluation(&self, position: &G::Position) -> i64 {
        let limit = i64::from(self.game.facts().grid.limit());
        let state = self.evaluator.state(self.game, position, None);
        i64::from(self.evaluator.evaluate(self.game, position, &state)).clamp(-limit, limit)
    }

    fn best(&mut self, position: &G::Position, depth: u32) -> i64 {
        let mut moves = Vec::new();
        self.game.moves(position, |mv| moves.push(mv));
        let values = moves.into_iter().map(|mv| self.worth_of_move(position, mv, depth));
        values.max().expect("a decision node has moves")
    }

    fn expected(&mut self, position: &G::Position, depth: u32) -> i64 {
        let mut outcomes = Vec::new();
        self.game.outcomes(position, |outcome, weight| outcomes.push((outcome, weight)));
        let (mut sum, mut weights) = (0i128, 0i128);
        for (outcome, weight) in outcomes {
            let after = self.game.resolve(position, outcome);
            let plies =
                if G::STEPS.plies { self.game.plies(position, Step::Outcome(outcome), &after) } else { 1 };
            let left = self.left(depth, plies);
            let below = self.seen_from(position, &after, left);
            let reward =
                if G::STEPS.rewards { self.game.reward(position, Step::Outcome(outcome), &after) } else { 0 };
            sum += i128::from(weight) * i128::from(self.together(reward, below));
            weights += i128::from(weight);
        }
        nearest(sum, weights)
    }

    /// What a move is worth to its player, where `depth` is left before it.
    pub(crate) fn worth_of_move(&mut self, position: &G::Position, mv: G::Move, depth: u32) -> i64 {
        let after = self.game.play(position, mv);
        let plies = if G::STEPS.plies { self.game.plies(position, Step::Move(mv), &after) } else { 1 };
        let left = self.left(depth, plies);
        let below = self.seen_from(position, &after, left);
        let reward = if G::STEPS.rewards { self.game.reward(position, Step::Move(mv), &after) } else { 0 };
        self.together(reward, below)
    }

    /// What is left of a depth after so many plies.
    fn left(&mut self, depth: u32, plies: u8) -> u32 {
        self.plies_none += u64::from(plies == 0);
        self.plies_more += u64::from(plies > 1);
        depth.saturating_sub(plies.into())
    }

    /// A reward and the value of what it leads to, no further than the ends of the grid.
    fn together(&mut self, reward: Score, below: i64) -> i64 {
        let (sum, end) = (i64::from(reward) + below, i64::from(self.game.facts().grid.limit()));
        if sum.abs() <= end {
            return sum;
        }
        self.clamped += 1;
        if sum > 0 { end } else { -end }
    }

    /// The value of `after` for the player of `before`.
    fn seen_from(&mut self, before: &G::Position, after: &G::Position, depth: u32) -> i64 {
        let value = self.value(after, depth);
        if self.game.player(before) == self.game.player(after) { value } else { -value }
    }
}

/// The integer nearest to `sum / weights`; of two equally near, the one further from zero.
pub(crate) fn nearest(sum: i128, weights: i128) -> i64 {
    let whole = sum.abs() / weights;
    let rest = sum.abs() % weights;
    let size = if 2 * rest >= weights { whole + 1 } else { whole };
    (size * sum.signum()) as i64
}

#[test]
fn halves_go_away_from_zero() {
    let sums = [-8, -7, -6, -5, -2, -1, 0, 1, 2, 5, 6, 7, 8];
    let quarters = [-2, -2, -2, -1, -1, 0, 0, 0, 1, 1, 2, 2, 2];
    assert_eq!(sums.map(|sum| nearest(sum, 4)), quarters);
    let thirds = [-3, -2, -2, -2, -1, 0, 0, 0, 1, 2, 2, 2, 3];
    assert_eq!(sums.map(|sum| nearest(sum, 3)), thirds);
}
