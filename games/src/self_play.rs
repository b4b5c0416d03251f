//! Positions of play for suites: seeded games between two copies of a player that looks one move ahead.

use crate::KnownGame;
use starsplit::evaluator::{Evaluator, mix64};
use starsplit::game::{Game, NodeKind, Step, StepOf};
use std::collections::HashSet;

/// Of so many moves one is made at random, so that games differ.
const RANDOM_MOVES: u64 = 5;

/// The plies after which a game that goes on and on is given up.
const LONGEST: usize = 10_000;

/// Random numbers of one game, a function of the seed and the game's number alone.
#[derive(Clone, Debug)]
pub struct Draws {
    key: u64,
    next: u64,
}

impl Draws {
    /// The numbers of game `game` under `seed`.
    pub fn new(seed: u64, game: u64) -> Self {
        Draws { key: mix64(mix64(seed).wrapping_add(game)), next: 0 }
    }

    /// A number below `limit`, which is at least 1 and less than 2^32, so that none is favoured noticeably.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next += 1;
        let bits = mix64(self.key.wrapping_add(self.next.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        ((u128::from(bits) * u128::from(limit)) >> 64) as u64
    }
}

/// One of the outcomes of a chance node, drawn by their weights.
pub fn roll<G: Game>(game: &G, position: &G::Position, draws: &mut Draws) -> Option<G::Outcome> {
    let (mut outcomes, mut total) = (Vec::new(), 0);
    game.outcomes(position, |outcome, weight| {
        total += u64::from(weight);
        outcomes.push((outcome, total));
    });
    let drawn = draws.below(total.max(1));
    outcomes.into_iter().find(|&(_, reached)| drawn < reached).map(|(outcome, _)| outcome)
}

/// The first of the moves that `evaluator` likes best one move ahead, rewards counted, or now and then any.
fn chosen_move<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    position: &G::Position,
    draws: &mut Draws,
) -> Option<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, |mv| moves.push(mv));
    if draws.below(RANDOM_MOVES) == 0 {
        let drawn = draws.below(moves.len() as u64) as usize;
        return moves.get(drawn).copied();
    }
    let mut best = None;
    for mv in moves {
        let after = game.play(position, mv);
        let reward = if G::STEPS.rewards { game.reward(position, Step::Move(mv), &after) } else { 0 };
        let score = match game.kind(&after) {
            NodeKind::Terminal => game.terminal_score(&after),
            _ => evaluator.evaluate(game, &after, &evaluator.state(game, &after, None)),
        };
        let seen = if game.player(&after) == game.player(position) { score } else { -score };
        let worth = i64::from(seen) + i64::from(reward);
        if best.as_ref().is_none_or(|&(greatest, _)| worth > greatest) {
            best = Some((worth, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

/// A game that was played.
struct Played<G: Game> {
    steps: Vec<StepOf<G>>,
    /// The positions from which a search would begin, each after so many steps.
    positions: Vec<(usize, G::Position)>,
}

/// Plays a game. The positions are in their order: those before a roll, or before a move where the game has
/// no chance. Those of the set-up, before the first move, are not among them.
fn game_of<G: KnownGame, E: Evaluator<G>>(game: &G, evaluator: &E, draws: &mut Draws) -> Played<G> {
    let (mut position, mut steps) = (game.initial(), Vec::new());
    let (mut rolled, mut moved) = (Vec::new(), Vec::new());
    for ply in 0..LONGEST {
        let step = match game.kind(&position) {
            NodeKind::Terminal => break,
            NodeKind::Chance => {
                if !moved.is_empty() {
                    rolled.push((ply, position.clone()));
                }
                roll(game, &position, draws).map(Step::Outcome)
            }
            NodeKind::Decision => {
                moved.push((ply, position.clone()));
                chosen_move(game, evaluator, &position, draws).map(Step::Move)
            }
        };
        let Some(step) = step else { break };
        position = step.take(game, &position);
        steps.push(step);
    }
    Played { steps, positions: if rolled.is_empty() { moved } else { rolled } }
}

/// How the position after these steps from the beginning is written.
fn text_after<G: KnownGame>(game: &G, steps: &[StepOf<G>]) -> String {
    let mut position = game.initial();
    let mut text = game.write(None, &position);
    for &step in steps {
        let name = match step {
            Step::Move(mv) => game.move_text(&position, mv),
            Step::Outcome(outcome) => game.outcome_text(&position, outcome),
        };
        position = step.take(game, &position);
        text = game.write(Some((&text, &name)), &position);
    }
    text
}

/// `count` different positions from as many games or more, each with its text, spread evenly from their
/// openings to their ends. A function of the seed; fewer where a hundred games for each position do not have
/// them.
pub fn positions<G: KnownGame, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    count: usize,
    seed: u64,
) -> Vec<(String, G::Position)> {
    let (mut found, mut known) = (Vec::with_capacity(count), HashSet::new());
    let mut number = 0;
    for place in 0..count {
        for _ in 0..100 {
            let played = game_of(game, evaluator, &mut Draws::new(seed, number));
            number += 1;
            let index = (2 * place + 1) * played.positions.len() / (2 * count);
            let Some((ply, position)) = played.positions.into_iter().nth(index) else { continue };
            if known.insert(game.notation(&position)) {
                found.push((text_after(game, &played.steps[..ply]), position));
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{Dice, Rules, RunCount};
    use starsplit::game::Player;

    #[test]
    fn positions_are_spread_over_games_and_a_function_of_the_seed() {
        let dice = Dice::new(Rules::default());
        let found = positions(&dice, &RunCount, 20, 1);
        assert_eq!((found.len(), &found), (20, &positions(&dice, &RunCount, 20, 1)));
        assert_ne!(found, positions(&dice, &RunCount, 20, 2));
        assert!(found.iter().all(|(_, position)| dice.kind(position) == NodeKind::Chance));
        let checkers = |position: &crate::dice::Position| {
            (position.stones(Player::Max) | position.stones(Player::Min)).count_ones()
        };
        assert!(checkers(&found[0].1) < 3 && checkers(&found[19].1) > 8);
    }

    #[test]
    fn draws_are_even() {
        let mut counts = [0; 6];
        let mut draws = Draws::new(1, 7);
        (0..60_000).for_each(|_| counts[draws.below(6) as usize] += 1);
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }
}
