//! Playing games: chance, players that look one move ahead, whole games.

use rand_core::Rng;
use rand_pcg::Pcg32;
use starsplit::evaluator::{Evaluator, mix64};
use starsplit::game::{Game, NodeKind};
use starsplit::score::Score;
use starsplit_games::{EvaluatorVisitor, Invalid, KnownGame};
use std::fmt::Debug;

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

/// The position after a chance outcome, drawn by the weights.
pub fn roll<G: Game>(game: &G, position: &G::Position, random: &mut Pcg32) -> G::Position {
    let mut outcomes = Vec::with_capacity(24);
    game.outcomes(position, |outcome, weight| outcomes.push((outcome, weight)));
    let drawn = drawn(outcomes.iter().map(|&(_, weight)| weight), random);
    game.resolve(position, outcomes[drawn].0)
}

/// The number of one of some weights, drawn by them.
pub(super) fn drawn(weights: impl Iterator<Item = u32> + Clone, random: &mut Pcg32) -> usize {
    let sum: usize = weights.clone().map(|weight| weight as usize).sum();
    let mut left = below(random, sum);
    let is_it = |weight: u32| match left.checked_sub(weight as usize) {
        Some(less) => {
            left = less;
            false
        }
        None => true,
    };
    weights.map(is_it).take_while(|is_it| !is_it).count()
}

/// Any move, all equally likely.
pub fn random_move<G: Game>(game: &G, rolled: &G::Position, random: &mut Pcg32) -> G::Move {
    let mut moves = Vec::with_capacity(24);
    game.moves(rolled, |mv| moves.push(mv));
    moves[below(random, moves.len())]
}

/// Someone who plays.
pub trait Player<G: Game>: Sync {
    /// A move at a decision.
    fn choose(&self, game: &G, position: &G::Position, random: &mut Pcg32) -> G::Move;
}

/// Plays every move with the same probability.
#[derive(Clone, Copy, Debug)]
pub struct Uniform;

impl<G: Game> Player<G> for Uniform {
    fn choose(&self, game: &G, position: &G::Position, random: &mut Pcg32) -> G::Move {
        random_move(game, position, random)
    }
}

/// Plays the first of the moves after which the evaluator likes the position best, and a random one now and
/// then. A finished game counts twice: it comes before whatever the evaluation may say.
#[derive(Clone, Copy, Debug)]
pub struct Greedy<E> {
    /// Judges the positions after the move.
    pub evaluator: E,
    /// The share of moves made at random.
    pub explore: f32,
}

impl<G: Game, E: Evaluator<G>> Player<G> for Greedy<E> {
    fn choose(&self, game: &G, position: &G::Position, random: &mut Pcg32) -> G::Move {
        if self.explore > 0.0 && chance(random, self.explore) {
            return random_move(game, position, random);
        }
        best_move(game, &self.evaluator, position)
    }
}

/// The first of the moves after which `evaluator` likes the position best.
///
/// # Panics
/// Where the game has no move at a decision, which is against its contract.
pub fn best_move<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E, position: &G::Position) -> G::Move {
    let state = evaluator.state(game, position, None);
    let mover = game.player(position);
    let mut best: Option<(Score, G::Move)> = None;
    game.moves(position, |mv| {
        let after = game.play(position, mv);
        let score = match game.kind(&after) {
            NodeKind::Terminal => 2 * game.terminal_score(&after),
            _ => evaluator.evaluate_after_move(game, &state, position, mv, &after),
        };
        let score = if game.player(&after) == mover { score } else { -score };
        if best.is_none_or(|(greatest, _)| score > greatest) {
            best = Some((score, mv));
        }
    });
    best.expect("a decision has a move").1
}

/// What `evaluator` says of an unfinished position, from -1 to 1, as its player sees it.
pub fn evaluation<G: Game, E: Evaluator<G>>(game: &G, evaluator: &E, position: &G::Position) -> f64 {
    let score = evaluator.evaluate(game, position, &evaluator.state(game, position, None));
    f64::from(score) / f64::from(game.facts().grid.limit())
}

/// The positions before a chance event of one game, from the beginning, with the finished one last.
pub fn game<G: KnownGame>(game: &G, players: [&dyn Player<G>; 2], random: &mut Pcg32) -> Vec<G::Position> {
    let mut position = game.initial();
    let mut positions = Vec::new();
    loop {
        position = match game.kind(&position) {
            NodeKind::Decision => {
                let mv = players[game.player(&position) as usize].choose(game, &position, random);
                game.play(&position, mv)
            }
            kind => {
                positions.push(position.clone());
                if kind == NodeKind::Terminal {
                    return positions;
                }
                roll(game, &position, random)
            }
        };
    }
}

/// The player who follows the evaluator of that name.
///
/// # Errors
/// When there is none of that name under these rules, or its weights cannot be read.
pub fn greedy_by_name<G: KnownGame>(game: &G, name: &str) -> Result<Box<dyn Player<G>>, Invalid> {
    struct Follow;

    impl<G: KnownGame> EvaluatorVisitor<G> for Follow {
        type Output = Box<dyn Player<G>>;

        fn visit<E: Evaluator<G> + Clone + Debug + 'static>(self, evaluator: E) -> Self::Output {
            Box::new(Greedy { evaluator, explore: 0.0 })
        }
    }

    game.visit_evaluator(name, 0, Follow)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_drawn_by_their_weights() {
        let mut counts = [0_i32; 3];
        let mut random = stream(1, 2);
        (0..6000).for_each(|_| counts[drawn([1, 2, 3].into_iter(), &mut random)] += 1);
        for (count, expected) in counts.into_iter().zip([1000, 2000, 3000]) {
            assert!((count - expected).abs() < 150, "{counts:?}");
        }
    }
}
