//! Playing games: chance, moves that look one move ahead, whole games.

use rand_core::Rng;
use rand_pcg::Pcg32;
use starsplit::evaluator::{Evaluator, mix64};
use starsplit::game::{Game, NodeKind};
use starsplit::score::Score;
use starsplit_games::KnownGame;

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
    place(weights, below(random, sum) as u64).expect("a number below the sum of the weights")
}

/// The place of the weight that a number stands for, each for as many numbers as it is large; none where the
/// number is not below the sum of all.
pub fn place(mut weights: impl Iterator<Item = u32>, number: u64) -> Option<usize> {
    let mut left = number;
    weights.position(|weight| match left.checked_sub(u64::from(weight)) {
        Some(less) => {
            left = less;
            false
        }
        None => true,
    })
}

/// Any move, all equally likely.
pub fn random_move<G: Game>(game: &G, rolled: &G::Position, random: &mut Pcg32) -> G::Move {
    let mut moves = Vec::with_capacity(24);
    game.moves(rolled, |mv| moves.push(mv));
    moves[below(random, moves.len())]
}

/// The first of the moves after which `evaluator` likes the position best. A finished game counts twice: it
/// comes before whatever the evaluation may say.
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

/// The positions before a chance event of one game, from the beginning, with the finished one last. `choose`
/// chooses all moves.
pub fn game<G: KnownGame>(
    game: &G,
    mut choose: impl FnMut(&G::Position, &mut Pcg32) -> G::Move,
    random: &mut Pcg32,
) -> Vec<G::Position> {
    let mut position = game.initial();
    let mut positions = Vec::new();
    loop {
        position = match game.kind(&position) {
            NodeKind::Decision => game.play(&position, choose(&position, random)),
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
