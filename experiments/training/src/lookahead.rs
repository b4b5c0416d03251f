//! One outcome and move ahead: what a position's value should be, by the values after it.

use crate::play;
use rand_pcg::Pcg32;
use starsplit::game::{Game, NodeKind};
use starsplit_games::network::{NetworkGame, Weights, value};

/// What the network says of all outcomes and moves from a position.
#[derive(Clone, Debug)]
pub(super) struct Lookahead<P, M, const O: usize> {
    /// The mean of the outputs after the outcome and a move, as the position's player sees them.
    pub(super) outputs: [f32; O],
    /// For each outcome its weight, the position with it pending, and the best move where one has to be made.
    pub(super) seen: Vec<(u32, P, Option<M>)>,
}

impl<P, M: Copy, const O: usize> Lookahead<P, M, O> {
    /// Looks ahead from `position`, a chance node. A share of `slips` of the moves counts as made at random,
    /// the others as the best by `weights`.
    pub(super) fn new<G, const H: usize>(weights: &Weights<H, O>, game: &G, position: &P, slips: f32) -> Self
    where
        G: NetworkGame<H, O> + Game<Position = P, Move = M>,
    {
        let mut seen = Vec::with_capacity(24);
        let (mut outputs, mut weight_sum) = ([0.0; O], 0.0);
        game.outcomes(position, |outcome, weight| {
            let rolled = game.resolve(position, outcome);
            let (after, best) = after_outcome(weights, game, &rolled, slips);
            let after = seen_from(game, after, &rolled, position);
            let share = weight as f32;
            outputs.iter_mut().zip(after).for_each(|(sum, output)| *sum += share * output);
            weight_sum += share;
            seen.push((weight, rolled, best));
        });
        Lookahead { outputs: outputs.map(|sum| sum / weight_sum), seen }
    }

    /// One of the outcomes, drawn by their weights.
    pub(super) fn draw(self, random: &mut Pcg32) -> (P, Option<M>) {
        let drawn = play::drawn(self.seen.iter().map(|&(weight, ..)| weight), random);
        let (_, rolled, best) = self.seen.into_iter().nth(drawn).expect("the drawn one is among them");
        (rolled, best)
    }
}

/// Outputs told as the player of `position` sees them, as the player of `viewer` does.
pub(super) fn seen_from<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    game: &G,
    outputs: [f32; O],
    position: &G::Position,
    viewer: &G::Position,
) -> [f32; O] {
    if game.player(position) == game.player(viewer) { outputs } else { G::flipped(outputs) }
}

/// The outputs of a position, finished or not, as its player sees them.
pub(super) fn outputs<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    weights: &Weights<H, O>,
    game: &G,
    position: &G::Position,
) -> [f32; O] {
    match game.kind(position) {
        NodeKind::Terminal => game.result(position),
        _ => weights.forward(game, position).outputs,
    }
}

/// The outputs of `rolled` as its player sees them, and the best move where it is a decision.
fn after_outcome<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    weights: &Weights<H, O>,
    game: &G,
    rolled: &G::Position,
    slips: f32,
) -> ([f32; O], Option<G::Move>) {
    if game.kind(rolled) != NodeKind::Decision {
        return (outputs(weights, game, rolled), None);
    }
    let (mut best, mut best_rank) = (([0.0; O], None), f32::NEG_INFINITY);
    let (mut sums, mut moves) = ([0.0; O], 0.0);
    game.moves(rolled, |mv| {
        let after = game.play(rolled, mv);
        let found = seen_from(game, outputs(weights, game, &after), &after, rolled);
        // The network may say 1 as well; a win comes first.
        let worth = value(game, found);
        let rank = if game.kind(&after) == NodeKind::Terminal { 2.0 * worth } else { worth };
        sums.iter_mut().zip(found).for_each(|(sum, output)| *sum += output);
        moves += 1.0;
        if rank > best_rank {
            (best, best_rank) = ((found, Some(mv)), rank);
        }
    });
    let mixed = std::array::from_fn(|k| (1.0 - slips) * best.0[k] + slips * sums[k] / moves);
    (mixed, best.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit_games::dice::{Dice, Move, Position, RulesError, Weights};

    type DiceLookahead = Lookahead<Position, Move, 1>;

    fn dice() -> Result<Dice, RulesError> {
        Ok(Dice::new("size=2,run=2".parse()?))
    }

    #[test]
    fn wins_are_seen_and_their_share_is_counted() {
        let dice = dice().unwrap();
        // One checker of each: any second checker wins.
        let position = dice.parse("x./.o x -").unwrap();
        let zero = Weights::zero(dice.shape());
        for random in [0.0, 0.3, 1.0] {
            let look = DiceLookahead::new(&zero, &dice, &position, random);
            assert_eq!((look.outputs, look.seen.len()), ([1.0], 2));
            for (_, rolled, mv) in look.seen {
                assert_eq!(dice.kind(&dice.play(&rolled, mv.unwrap())), NodeKind::Terminal);
            }
        }
    }

    #[test]
    fn random_moves_pull_the_value_to_the_mean() {
        let dice = dice().unwrap();
        let mut weights = Weights::zero(dice.shape());
        // The opponent's checker on the first cell they see is bad for the player to act after it.
        weights.columns[4] = [-0.5; 10];
        weights.output = [[0.1; 10]];
        let [bad] = weights.forward(&dice, &dice.parse("x./.. o -").unwrap()).outputs;
        assert!(bad < -0.5);
        // Of the two rolls one allows that checker; a random move there finds it half of the time.
        let value = |random| DiceLookahead::new(&weights, &dice, &dice.initial(), random).outputs[0];
        assert!((value(0.0) + bad / 2.0).abs() < 1e-6);
        assert!((value(1.0) + bad / 4.0).abs() < 1e-6);
        assert!((value(0.5) + 0.375 * bad).abs() < 1e-6);
        let look = DiceLookahead::new(&weights, &dice, &dice.initial(), 1.0);
        assert_eq!(look.seen[0].2, Some(Move::Place(0)));
    }
}
