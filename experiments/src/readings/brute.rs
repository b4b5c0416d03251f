//! Expectimax, made once for each position and depth: its value, and how many nodes it visits where nothing
//! is remembered. The count depends on the rules and the position alone.

use crate::readings::form::Counts;
use crate::readings::game::{ReadDice, library_move, moves_of};
use crate::readings::search::Iteration;
use crate::readings::sums::rounded;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, Kind};
use starsplit::score::Score;
use starsplit::search::StopFlag;
use starsplit_games::dice::{Dice, Position};
use std::collections::HashMap;

/// What Expectimax finds and visits below a position before a roll.
type Found = (Score, Counts);

struct Brute<'b, E> {
    game: &'b ReadDice,
    evaluator: &'b E,
    found: HashMap<(u64, u8), Found>,
    stop: &'b StopFlag,
}

/// The value of `position`, before a roll, to every depth from 1 to `depth` in steps of so many, and what
/// Expectimax visits to that depth, shallower iterations included; none where `stop` was raised.
pub(super) fn expectimax<E: Evaluator<Dice>>(
    game: &ReadDice,
    evaluator: &E,
    position: &Position,
    (depth, step): (u8, u8),
    stop: &StopFlag,
) -> Option<Vec<Iteration>> {
    let mut brute = Brute { game, evaluator, found: HashMap::new(), stop };
    let state = evaluator.state(&game.dice, position);
    let mut counts = Counts::default();
    let first = (depth - 1) % step + 1;
    let iteration = |depth| {
        let (score, visited) = brute.unrolled(position, &state, depth);
        counts = counts.plus(visited);
        Iteration { depth, score, counts }
    };
    let iterations = (first..=depth).step_by(usize::from(step)).map(iteration).collect();
    (!stop.is_raised()).then_some(iterations)
}

impl<E: Evaluator<Dice>> Brute<'_, E> {
    fn unrolled(&mut self, position: &Position, state: &E::State, depth: u8) -> Found {
        let dice = &self.game.dice;
        if dice.kind(position) == Kind::Terminal {
            return (dice.terminal_score(position), Counts { terminals: 1, ..Counts::default() });
        }
        if depth == 0 {
            let score = self.evaluator.evaluate(dice, position, state);
            return (score, Counts { leaves: 1, ..Counts::default() });
        }
        if self.stop.is_raised() {
            return (0, Counts::default());
        }
        let key = (self.game.key(position), depth);
        if let Some(&found) = self.found.get(&key) {
            return found;
        }
        let found = self.chance(position, state, depth);
        self.found.insert(key, found);
        found
    }

    fn chance(&mut self, position: &Position, state: &E::State, depth: u8) -> Found {
        let rolls = self.game.rolls(position);
        let mut counts = Counts { chances: 1, ..Counts::default() };
        if depth == 1 {
            // The evaluation does not look at the roll, and the mean of equal scores is that score.
            counts.leaves += rolls.faces().len() as u64;
            return (self.evaluator.evaluate(&self.game.dice, position, state), counts);
        }
        let mut sum = 0;
        for &(_, cells) in rolls.faces() {
            let (score, visited) = self.decision(position, state, cells, depth - 1);
            sum += i64::from(score);
            counts = counts.plus(visited);
        }
        (rounded(sum, rolls.faces().len()), counts)
    }

    fn decision(&mut self, position: &Position, state: &E::State, cells: u64, depth: u8) -> Found {
        let (moves, count) = moves_of(cells);
        let mut best = (Score::MIN, Counts { decisions: 1, ..Counts::default() });
        for &mv in &moves[..count] {
            let dice = &self.game.dice;
            let after = dice.play(position, library_move(mv));
            let next = self.evaluator.after_move(dice, state, position, library_move(mv), &after);
            let (score, visited) = self.unrolled(&after, &next, depth - 1);
            best = (best.0.max(-score), best.1.plus(visited));
        }
        best
    }
}
