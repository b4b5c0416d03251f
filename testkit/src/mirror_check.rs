//! Whether a game, and an evaluator, treat both players alike.

use super::plays::{Check, Found, Plays, for_max, steps, text, walk};
use super::report::Report;
use super::violation::{Fault, Violation};
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, PositionHash, Step, StepOf};
use starsplit::score::Score;
use std::fmt::Debug;

/// Plays at random from `start` and holds every position on the way, and all its successors, against its
/// mirror image: the position that `mirror` gives, with the players exchanged, and the board turned where the
/// game needs that. It is for games of two players whose rules are the same for both.
///
/// What is checked: the mirror image of the mirror image is the position (by its hash), and carries the hash
/// computed from scratch; both are of the same kind and full depth; at decision nodes the other player moves;
/// terminal scores, evaluations and rewards are opposite, as `Max` sees them; and to each move or outcome
/// there is one in the mirror image, of the same weight, that leads to the mirror image of what it leads to.
///
/// This finds what [`check_game`](super::check_game) cannot: a [`player`](Game::player) that is always the
/// same one, so that both would play for `Max`, or scores told for the wrong player. Without a mirror such a
/// game is as sound as any other. An evaluator that favours one player need not be wrong; give
/// [`Constant::default`](starsplit::evaluator::Constant) where yours does.
///
/// # Errors
/// The first fault found, and the play that shows it.
pub fn check_mirror<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    start: &G::Position,
    plays: &Plays,
    mirror: impl Fn(&G::Position) -> G::Position,
) -> Result<Report, Violation> {
    walk(game, start, plays, &mut MirrorCheck { game, evaluator, mirror, report: Report::default() })
}

struct MirrorCheck<'a, G, E, M> {
    game: &'a G,
    evaluator: &'a E,
    mirror: M,
    report: Report,
}

/// Where a move or an outcome leads, how likely an outcome is, and the reward as `Max` sees it.
#[derive(Debug, PartialEq)]
struct Edge {
    leads_to: PositionHash,
    weight: u32,
    reward: i64,
}

impl Edge {
    fn text(&self) -> String {
        let Edge { leads_to, weight, reward } = self;
        format!("to {} with weight {weight} and reward {reward} for Max", hex(*leads_to))
    }
}

impl<G, E, M> Check<G> for MirrorCheck<'_, G, E, M>
where
    G: Game,
    E: Evaluator<G>,
    M: Fn(&G::Position) -> G::Position,
{
    type Carried = ();

    fn begin(&self, _: &G::Position) {}

    fn carry(&self, (): &(), _: &G::Position, _: &StepOf<G>, _: &G::Position) {}

    fn visit(&mut self, position: &G::Position, (): &()) -> Result<(), Found> {
        let mirrored = (self.mirror)(position);
        self.check_position(position, &mirrored)?;
        let steps = steps(self.game, position);
        let mut images = self.edges(&mirrored, |after| self.game.hash(after));
        let edges = self.edges(position, |after| self.game.hash(&(self.mirror)(after)));
        expect("number of moves or outcomes", images.len(), edges.len())?;
        for (step, Edge { leads_to, weight, reward }) in steps.iter().zip(edges) {
            let at_step = |fault| Found { step: Some(text(step)), fault };
            let after = step.take(self.game, position);
            self.report.successors += 1;
            self.check_position(&after, &(self.mirror)(&after)).map_err(at_step)?;
            let expected = Edge { leads_to, weight, reward: -reward };
            match images.iter().position(|image| *image == expected) {
                Some(place) => drop(images.swap_remove(place)),
                None => {
                    let image = images.iter().find(|image| image.leads_to == leads_to);
                    let found = image.map_or_else(|| "none there".to_owned(), Edge::text);
                    let (what, expected) = ("move or outcome", expected.text());
                    return Err(at_step(Fault::NotMirrored { what, found, expected }));
                }
            }
        }
        Ok(())
    }

    fn report(&mut self) -> &mut Report {
        &mut self.report
    }
}

impl<G, E, M> MirrorCheck<'_, G, E, M>
where
    G: Game,
    E: Evaluator<G>,
    M: Fn(&G::Position) -> G::Position,
{
    /// What can be said of a position and its mirror image without their successors.
    fn check_position(&mut self, position: &G::Position, mirrored: &G::Position) -> Result<(), Fault> {
        let game = self.game;
        expect_hash("hash of the mirror image", game.hash(&(self.mirror)(mirrored)), game.hash(position))?;
        let kind = game.kind(position);
        expect("kind", game.kind(mirrored), kind)?;
        expect("full depth", game.full_depth(mirrored), game.full_depth(position))?;
        match kind {
            NodeKind::Decision => expect("player", game.player(mirrored), game.player(position).opponent())?,
            NodeKind::Terminal => {
                let score = |position| for_max(game.player(position), game.terminal_score(position));
                return expect("terminal score for Max", score(mirrored), -score(position));
            }
            NodeKind::Chance => {}
        }
        self.report.evaluations += 1;
        let evaluation = |position| for_max(game.player(position), self.evaluate(position));
        expect("evaluation for Max", evaluation(mirrored), -evaluation(position))
    }

    fn evaluate(&self, position: &G::Position) -> Score {
        self.evaluator.evaluate(self.game, position, &self.evaluator.state(self.game, position, None))
    }

    /// The moves or outcomes of a position.
    fn edges(&self, position: &G::Position, leads_to: impl Fn(&G::Position) -> PositionHash) -> Vec<Edge> {
        let game = self.game;
        let edge = |step: StepOf<G>, weight| {
            let after = step.take(game, position);
            let reward = if G::STEPS.rewards { game.reward(position, step, &after) } else { 0 };
            Edge { leads_to: leads_to(&after), weight, reward: for_max(game.player(position), reward) }
        };
        let mut edges = Vec::new();
        match game.kind(position) {
            NodeKind::Terminal => {}
            NodeKind::Decision => game.moves(position, |mv| edges.push(edge(Step::Move(mv), 1))),
            NodeKind::Chance => {
                game.outcomes(position, |outcome, weight| edges.push(edge(Step::Outcome(outcome), weight)));
            }
        }
        edges
    }
}

fn expect<T: PartialEq + Debug>(what: &'static str, found: T, expected: T) -> Result<(), Fault> {
    if found == expected {
        return Ok(());
    }
    Err(Fault::NotMirrored { what, found: format!("{found:?}"), expected: format!("{expected:?}") })
}

fn expect_hash(what: &'static str, found: PositionHash, expected: PositionHash) -> Result<(), Fault> {
    if found == expected {
        return Ok(());
    }
    Err(Fault::NotMirrored { what, found: hex(found), expected: hex(expected) })
}

fn hex(hash: PositionHash) -> String {
    format!("{hash:x?}")
}
