//! Expectimax, made once for each position and depth: its value, and how many nodes it visits where nothing
//! is remembered, or decision nodes alone are. The counts depend on the rules and the position alone.

use crate::readings::form::{self, Counts, Root};
use crate::readings::game::{ReadDice, library_move, moves_of};
use crate::readings::search::Iteration;
use crate::readings::sums::rounded;
use starsplit::evaluator::{Before, Evaluator};
use starsplit::game::{Game, NodeKind, Step};
use starsplit::score::Score;
use starsplit::search::StopFlag;
use starsplit_games::dice::{Dice, Position};
use std::collections::{HashMap, HashSet};

/// What Expectimax finds and visits below a position before a roll.
type Found = (Score, Counts);

struct Brute<'b, E> {
    game: &'b ReadDice,
    evaluator: &'b E,
    found: HashMap<(u64, u8), Found>,
    stop: &'b StopFlag,
}

/// The value of `position`, from its roll or from the move after one, to every depth from 1 to `depth` in
/// steps of so many, and what Expectimax visits to that depth, shallower iterations included; none where
/// `stop` was raised.
pub(super) fn expectimax<E: Evaluator<Dice>>(
    game: &ReadDice,
    evaluator: &E,
    position: &Position,
    (depth, step, root): (u8, u8, Root),
    stop: &StopFlag,
) -> Option<Vec<Iteration>> {
    let mut brute = Brute { game, evaluator, found: HashMap::new(), stop };
    let state = evaluator.state(&game.dice, position, None);
    let mut counts = Counts::default();
    let iteration = |depth| {
        let (score, visited) = match root {
            Root::Chance => brute.unrolled(position, &state, depth),
            Root::Decision => brute.decision(position, &state, game.first_roll(position).1, depth),
        };
        counts = counts.plus(visited);
        Iteration { depth, score, counts }
    };
    let iterations = form::iterations(depth, step).map(iteration).collect();
    (!stop.is_raised()).then_some(iterations)
}

impl<E: Evaluator<Dice>> Brute<'_, E> {
    fn unrolled(&mut self, position: &Position, state: &E::State, depth: u8) -> Found {
        let dice = &self.game.dice;
        if dice.kind(position) == NodeKind::Terminal {
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
            let before = Before { position, state, step: Step::Move(library_move(mv)) };
            let next = self.evaluator.state(dice, &after, Some(before));
            let (score, visited) = self.unrolled(&after, &next, depth - 1);
            best = (best.0.max(-score), best.1.plus(visited));
        }
        best
    }
}

/// What Expectimax visits to each depth where it looks up and stores decision nodes of at least `from` plies,
/// iteration by iteration as [`expectimax`]; none where `stop` was raised. It returns at once from a node
/// that it finds.
pub(super) fn with_table(
    game: &ReadDice,
    position: &Position,
    (depth, step, root): (u8, u8, Root),
    from: u8,
    stop: &StopFlag,
) -> Option<Vec<Counts>> {
    let counts = Counts::default();
    let mut remembering = Remembering { game, from, seen: HashSet::new(), counts, stop };
    let iteration = |depth| {
        match root {
            Root::Chance => remembering.unrolled(position, depth),
            Root::Decision => remembering.decision(position, game.first_roll(position), depth),
        }
        remembering.counts
    };
    let iterations = form::iterations(depth, step).map(iteration).collect();
    (!stop.is_raised()).then_some(iterations)
}

struct Remembering<'r> {
    game: &'r ReadDice,
    from: u8,
    /// Decision nodes that were searched, by their keys and depths.
    seen: HashSet<(u64, u8)>,
    counts: Counts,
    stop: &'r StopFlag,
}

impl Remembering<'_> {
    fn unrolled(&mut self, position: &Position, depth: u8) {
        if self.game.dice.kind(position) == NodeKind::Terminal {
            self.counts.terminals += 1;
            return;
        }
        if depth == 0 {
            self.counts.leaves += 1;
            return;
        }
        self.counts.chances += 1;
        let rolls = self.game.rolls(position);
        if depth == 1 {
            self.counts.leaves += rolls.faces().len() as u64;
        } else if !self.stop.is_raised() {
            rolls.faces().iter().for_each(|&face| self.decision(position, face, depth - 1));
        }
    }

    fn decision(&mut self, position: &Position, (face, cells): (u8, u64), depth: u8) {
        self.counts.decisions += 1;
        let key = (self.game.rolled_key(position, face), depth);
        if depth >= self.from && !self.seen.insert(key) {
            self.counts.settled += 1;
            return;
        }
        let (moves, count) = moves_of(cells);
        for &mv in &moves[..count] {
            self.unrolled(&self.game.dice.play(position, library_move(mv)), depth - 1);
        }
    }
}
