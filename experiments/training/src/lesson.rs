//! Games of self-play with fixed weights, and what their positions should have said.

use crate::gradient::add_gradient;
use crate::lookahead::{Lookahead, outputs, seen_from};
use crate::options::{Options, Target};
use crate::play;
use serde::{Deserialize, Serialize};
use starsplit::game::NodeKind;
use starsplit_games::network::{Forward, NetworkGame, Weights, value};

/// What some games have to teach.
#[derive(Clone, Debug)]
pub(super) struct Lesson<const H: usize, const O: usize> {
    /// The sum of what positions wish: the gradient of their outputs, each times its surprise.
    pub(super) gradient: Weights<H, O>,
    /// The surprises of their positions about the next step.
    pub(super) loss: Loss,
}

/// Squared surprises, in value, and how many there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Loss {
    pub(super) sum: f64,
    pub(super) count: u64,
}

impl Loss {
    pub(super) fn add(&mut self, surprise: f32) {
        let surprise = f64::from(surprise);
        self.add_all(Loss { sum: surprise * surprise, count: 1 });
    }

    pub(super) fn add_all(&mut self, other: Loss) {
        self.sum += other.sum;
        self.count += other.count;
    }
}

/// A chance node of a game as the weights see it.
struct Recorded<P, const H: usize, const O: usize> {
    position: P,
    forward: Forward<H, O>,
    /// The outputs by which this one should have been known, as its player sees them: those a step later.
    target: [f32; O],
}

impl<const H: usize, const O: usize> Lesson<H, O> {
    /// Plays the games with these numbers and learns from them, in order.
    pub(super) fn new<G: NetworkGame<H, O>>(
        game: &G,
        weights: &Weights<H, O>,
        network: &G::Network,
        options: &Options,
        numbers: std::ops::Range<u64>,
    ) -> Self {
        let mut lesson = Lesson { gradient: Weights::zero(game.shape()), loss: Loss::default() };
        for number in numbers {
            let records = play_game(game, weights, network, options, number);
            lesson.learn(game, weights, options.lambda, &records);
        }
        lesson
    }

    /// Hands the surprises back from the end: each position's is that of its own step, and `lambda` times
    /// that of the next one.
    fn learn<G: NetworkGame<H, O>>(
        &mut self,
        game: &G,
        weights: &Weights<H, O>,
        lambda: f32,
        records: &[Recorded<G::Position, H, O>],
    ) {
        let mut later: Option<([f32; O], &G::Position)> = None;
        for Recorded { position, forward, target } in records.iter().rev() {
            let step: [f32; O] = std::array::from_fn(|k| target[k] - forward.outputs[k]);
            let handed = later.map_or([0.0; O], |(surprise, next)| seen_from(game, surprise, next, position));
            let surprise = std::array::from_fn(|k| step[k] + lambda * handed[k]);
            add_gradient(&mut self.gradient, weights, game, position, forward, surprise);
            self.loss.add(value(game, step));
            later = Some((surprise, position));
        }
    }
}

/// The chance nodes of a game of `network`, which has the integers of `weights`, against itself.
fn play_game<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    game: &G,
    weights: &Weights<H, O>,
    network: &G::Network,
    options: &Options,
    number: u64,
) -> Vec<Recorded<G::Position, H, O>> {
    let mut random = play::stream(options.seed, number);
    let mut records: Vec<Recorded<G::Position, H, O>> = Vec::with_capacity(100);
    let mut position = game.initial();
    // Where a move made at random left the value of the one that seemed best.
    let mut instead = None;
    while game.kind(&position) != NodeKind::Terminal {
        if game.kind(&position) == NodeKind::Decision {
            let best = play::best_move(game, network, &position);
            if options.explore > 0.0 && play::chance(&mut random, options.explore) {
                let after = game.play(&position, best);
                instead = Some((outputs(weights, game, &after), after));
                position = game.play(&position, play::random_move(game, &position, &mut random));
            } else {
                position = game.play(&position, best);
            }
            continue;
        }
        if game.is_even(&position) {
            position = play::roll(game, &position, &mut random);
            continue;
        }
        let forward = weights.forward(game, &position);
        if options.target == Target::Sampled {
            let (found, at) = instead.take().unwrap_or_else(|| (forward.outputs, position.clone()));
            end_step(game, &mut records, found, &at);
        }
        let target = match options.target {
            Target::Sampled => forward.outputs,
            Target::Mean => Lookahead::new(weights, game, &position, options.slips).outputs,
        };
        records.push(Recorded { position: position.clone(), forward, target });
        position = play::roll(game, &position, &mut random);
    }
    if options.target == Target::Sampled {
        let (found, at) = instead.take().unwrap_or_else(|| (game.result(&position), position));
        end_step(game, &mut records, found, &at);
    }
    records
}

/// Tells the last position what came a step later: `found`, as the player of `at` sees it.
fn end_step<G: NetworkGame<H, O>, const H: usize, const O: usize>(
    game: &G,
    records: &mut [Recorded<G::Position, H, O>],
    found: [f32; O],
    at: &G::Position,
) {
    if let Some(last) = records.last_mut() {
        last.target = seen_from(game, found, at, &last.position);
    }
}
