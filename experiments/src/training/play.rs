//! Playing Dice: rolls, players that look one move ahead, whole games.

use rand_core::Rng;
use rand_pcg::Pcg32;
use starsplit::evaluator::{Evaluator, mix64};
use starsplit::game::{Game, Kind};
use starsplit_games::dice::{Dice, Move, Position};

/// The random numbers of game number `game` of the run with `seed`; independent of all other games'.
pub fn stream(seed: u64, game: u64) -> Pcg32 {
    Pcg32::new(mix64(mix64(seed) ^ game), game)
}

/// A number below `limit`, which is at least 1 and small enough for the bias of 1 part in 2^32 / `limit` not
/// to matter.
pub fn below(random: &mut Pcg32, limit: usize) -> usize {
    ((u64::from(random.next_u32()) * limit as u64) >> 32) as usize
}

/// True with the given probability, in steps of 2^-24.
pub fn chance(random: &mut Pcg32, probability: f32) -> bool {
    ((random.next_u32() >> 8) as f32) < probability * (1 << 24) as f32
}

/// Rolls the die. All outcomes of Dice are equally likely.
pub fn roll(dice: &Dice, position: &Position, random: &mut Pcg32) -> Position {
    let mut lines = Vec::with_capacity(8);
    dice.outcomes(position, |line, _| lines.push(line));
    dice.resolve(position, lines[below(random, lines.len())])
}

/// Any move, all equally likely.
pub fn random_move(dice: &Dice, rolled: &Position, random: &mut Pcg32) -> Move {
    let mut moves = Vec::with_capacity(8);
    dice.moves(rolled, |mv| moves.push(mv));
    moves[below(random, moves.len())]
}

/// The first of the moves after which the opponent, whose turn it then is, stands worst. `value` judges
/// unfinished positions as the player to act sees them, between -1 and 1.
pub fn greedy_move(dice: &Dice, rolled: &Position, mut value: impl FnMut(&Position) -> f64) -> Option<Move> {
    let mut best: Option<(f64, Move)> = None;
    dice.moves(rolled, |mv| {
        let after = dice.play(rolled, mv);
        let left = match dice.kind(&after) {
            // A win comes before whatever the evaluation may say.
            Kind::Terminal => 2.0 * f64::from(dice.terminal_score(&after).signum()),
            _ => value(&after),
        };
        if best.is_none_or(|(least, _)| left < least) {
            best = Some((left, mv));
        }
    });
    best.map(|(_, mv)| mv)
}

/// Someone who plays Dice.
pub trait Player: Sync {
    /// A move at a position with a roll pending.
    fn choose(&self, dice: &Dice, rolled: &Position, random: &mut Pcg32) -> Move;
}

/// Plays every move with the same probability.
#[derive(Clone, Copy, Debug)]
pub struct Uniform;

impl Player for Uniform {
    fn choose(&self, dice: &Dice, rolled: &Position, random: &mut Pcg32) -> Move {
        random_move(dice, rolled, random)
    }
}

/// Plays the move after which the evaluator likes the opponent's position least, and a random one now and
/// then.
#[derive(Clone, Copy, Debug)]
pub struct Greedy<E> {
    /// Judges the positions after the move.
    pub evaluator: E,
    /// The share of moves made at random.
    pub explore: f32,
}

impl<E: Evaluator<Dice>> Player for Greedy<E> {
    fn choose(&self, dice: &Dice, rolled: &Position, random: &mut Pcg32) -> Move {
        if self.explore > 0.0 && chance(random, self.explore) {
            return random_move(dice, rolled, random);
        }
        let value = |after: &Position| evaluation(dice, &self.evaluator, after);
        greedy_move(dice, rolled, value).unwrap_or(Move::Pass)
    }
}

/// What `evaluator` says of an unfinished position, from -1 to 1, as the player to act sees it.
pub fn evaluation<E: Evaluator<Dice>>(dice: &Dice, evaluator: &E, position: &Position) -> f64 {
    let score = evaluator.evaluate(dice, position, &evaluator.state(dice, position));
    f64::from(score) / f64::from(dice.grid().limit())
}

/// The positions before the roll of one game, from the empty board, with the finished one last.
pub fn game(dice: &Dice, players: [&dyn Player; 2], random: &mut Pcg32) -> Vec<Position> {
    let mut position = dice.initial();
    let mut positions = vec![position];
    while dice.kind(&position) != Kind::Terminal {
        let rolled = roll(dice, &position, random);
        let mv = players[position.to_act() as usize].choose(dice, &rolled, random);
        position = dice.play(&rolled, mv);
        positions.push(position);
    }
    positions
}
