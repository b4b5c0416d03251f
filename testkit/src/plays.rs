//! Random plays: what the checks walk along.

use super::report::Report;
use super::unmet;
use super::violation::{Fault, Violation};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use starsplit::game::{Game, NodeKind, Player, PositionHash, Step, StepOf};
use starsplit::score::Score;
use std::collections::HashSet;
use std::fmt::Debug;

/// How much to play, and which plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plays {
    /// How many plays to make.
    pub games: u32,
    /// Plies after which a play that has not ended is left.
    pub max_plies: u32,
    /// Chooses the plays: the same seed makes the same ones.
    pub seed: u64,
}

impl Default for Plays {
    /// A hundred plays of at most 200 plies.
    fn default() -> Self {
        Plays { games: 100, max_plies: 200, seed: 1 }
    }
}

/// The test kit's only source of randomness.
pub(crate) struct Random(Pcg64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(Pcg64::seed_from_u64(seed))
    }

    /// One of the numbers below `end`, each as likely as the others but for one part in 2^32.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        let scaled = u128::from(self.0.next_u64()) * u128::from(end);
        (scaled >> 64) as u32
    }

    /// One of these, each as likely; none of none.
    pub(crate) fn one_of<T>(&mut self, mut choices: Vec<T>) -> Option<T> {
        if choices.is_empty() {
            return None;
        }
        let chosen = self.below(choices.len() as u32);
        Some(choices.swap_remove(chosen as usize))
    }

    /// Any number.
    pub(crate) fn any(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// The depth after the step from `before` to `after`, where `depth` is left before it.
pub(crate) fn depth_after<G: Game>(
    game: &G,
    step: &StepOf<G>,
    depth: u8,
    before: &G::Position,
    after: &G::Position,
) -> u8 {
    depth.saturating_sub(if G::STEPS.plies { game.plies(before, *step, after) } else { 1 })
}

/// What a player is told, as `Max` sees it.
pub(crate) fn for_max(player: Player, score: Score) -> i64 {
    match player {
        Player::Max => i64::from(score),
        Player::Min => -i64::from(score),
    }
}

/// The move or the outcome as its type writes it, wherever it is.
pub(crate) fn written<M: Debug, O: Debug>(step: &Step<M, O>) -> String {
    match step {
        Step::Move(mv) => format!("{mv:?}"),
        Step::Outcome(outcome) => format!("{outcome:?}"),
    }
}

/// The same with what it is.
pub(crate) fn text<M: Debug, O: Debug>(step: &Step<M, O>) -> String {
    let kind = if matches!(step, Step::Move(_)) { "move" } else { "outcome" };
    format!("{kind} {}", written(step))
}

/// Every move or outcome of a position, in the game's order; none at a terminal.
pub(crate) fn steps<G: Game>(game: &G, position: &G::Position) -> Vec<StepOf<G>> {
    let mut steps = Vec::new();
    match game.kind(position) {
        NodeKind::Terminal => {}
        NodeKind::Decision => game.moves(position, |mv| steps.push(Step::Move(mv))),
        NodeKind::Chance => game.outcomes(position, |outcome, _| steps.push(Step::Outcome(outcome))),
    }
    steps
}

/// A fault at the visited position or, where a step is named, at the successor it leads to.
pub(crate) struct Found {
    pub(crate) step: Option<String>,
    pub(crate) fault: Fault,
}

impl From<Fault> for Found {
    fn from(fault: Fault) -> Self {
        Found { step: None, fault }
    }
}

/// A check that is led along random plays.
pub(crate) trait Check<G: Game> {
    /// What the check carries along a play.
    type Carried;

    /// What is carried at the start.
    fn begin(&self, start: &G::Position) -> Self::Carried;

    /// What is carried after a step.
    fn carry(
        &self,
        carried: &Self::Carried,
        before: &G::Position,
        step: &StepOf<G>,
        after: &G::Position,
    ) -> Self::Carried;

    /// Checks a position and its successors.
    fn visit(&mut self, position: &G::Position, carried: &Self::Carried) -> Result<(), Found>;

    fn report(&mut self) -> &mut Report;
}

/// Leads `check` along the plays. Successors are drawn evenly, whatever their weight, so that rare outcomes
/// come up.
pub(crate) fn walk<G: Game>(
    game: &G,
    start: &G::Position,
    plays: &Plays,
    check: &mut impl Check<G>,
) -> Result<Report, Violation> {
    walk_beside(game, start, plays, check, |_| Ok(()))
}

/// As [`walk`]; `beside` is called with the number of each play once it was made.
pub(crate) fn walk_beside<G: Game>(
    game: &G,
    start: &G::Position,
    plays: &Plays,
    check: &mut impl Check<G>,
    mut beside: impl FnMut(u32) -> Result<(), Violation>,
) -> Result<Report, Violation> {
    let max_plies = plays.max_plies;
    let mut walk = Walk { game, check, max_plies, random: Random::new(plays.seed), visited: HashSet::new() };
    for number in 0..plays.games {
        let mut path = Vec::new();
        walk.play(start, &mut path).map_err(|found| {
            path.extend(found.step);
            Violation { game: number, path, fault: found.fault }
        })?;
        beside(number)?;
        walk.check.report().games += 1;
    }
    let mut report = walk.check.report().clone();
    report.warn(unmet::of_plays(&report, G::STEPS.rewards));
    Ok(report)
}

struct Walk<'a, G, C> {
    game: &'a G,
    check: &'a mut C,
    max_plies: u32,
    random: Random,
    visited: HashSet<PositionHash>,
}

impl<G: Game, C: Check<G>> Walk<'_, G, C> {
    /// Makes one play and leaves the steps taken in `path`.
    fn play(&mut self, start: &G::Position, path: &mut Vec<String>) -> Result<(), Found> {
        let mut position = start.clone();
        let mut carried = self.check.begin(start);
        let mut last_to_move = None;
        for ply in 0..=self.max_plies {
            self.check.visit(&position, &carried)?;
            let steps = steps(self.game, &position);
            self.count_visit(&position, steps.len(), last_to_move);
            if self.game.kind(&position) == NodeKind::Decision {
                last_to_move = Some(self.game.player(&position));
            }
            if steps.is_empty() {
                return Ok(());
            }
            if ply < self.max_plies {
                let step = &steps[self.random.below(steps.len() as u32) as usize];
                let after = step.take(self.game, &position);
                path.push(text(step));
                carried = self.check.carry(&carried, &position, step, &after);
                position = after;
            }
        }
        self.check.report().unfinished += 1;
        Ok(())
    }

    /// Counts a position with so many moves or outcomes, before which this player was the last to move.
    fn count_visit(&mut self, position: &G::Position, steps: usize, last_to_move: Option<Player>) {
        let (game, is_new) = (self.game, self.visited.insert(self.game.hash(position)));
        let report = self.check.report();
        report.visited_again += u64::from(!is_new);
        match game.kind(position) {
            NodeKind::Terminal => {
                report.terminals += 1;
                let (score, player) = (game.terminal_score(position), game.player(position));
                report.ends.add(for_max(player, score));
                let sign = score.signum();
                let of_last = last_to_move.map_or(0, |last| if last == player { sign } else { -sign });
                report.won_by_last += u64::from(of_last > 0);
                report.lost_by_last += u64::from(of_last < 0);
            }
            NodeKind::Decision => {
                report.decisions += 1;
                report.decisions_of_min += u64::from(game.player(position) == Player::Min);
                report.moves.add(steps as i64);
            }
            NodeKind::Chance => {
                report.chances += 1;
                report.outcomes.add(steps as i64);
                let mut sum = 0;
                game.outcomes(position, |_, weight| sum += u64::from(weight));
                *report.weight_sums.entry(sum).or_default() += 1;
            }
        }
    }
}
