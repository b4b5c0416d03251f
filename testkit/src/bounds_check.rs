//! Whether the bounds that a game offers of outcomes ([`Game::outcome_bounds`]) are bounds whatever the
//! evaluator says, and those of an evaluator ([`Evaluator::bounds`], [`Evaluator::outcome_bounds`]) bounds of
//! what searches find with it.
//!
//! The check looks at positions that no other check has seen yet, so it relies on nothing that they promise.

use super::plays::{depth_after, steps, text};
use super::report::Report;
use super::violation::Fault;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, Step, StepOf};
use starsplit::score::{Bounds, Score};

/// The greatest depth at which bounds are compared with what the outcome can be worth, or the position is.
const DEEPEST_COMPARED: u8 = 5;

/// Greater depths, at which it is only seen that they are on the grid and not crossed.
const DEEPER: [u8; 8] = [6, 7, 8, 9, 16, 33, 100, 254];

/// So many positions below one outcome are looked at for one depth, at most.
const MOST: u32 = 1_000;

/// So many for the bounds of an evaluator, which are for one value and not for a range.
const MOST_SEARCHED: u32 = 20_000;

/// A step that takes no ply counts as so many of them, so that a chain of these which never ends does end
/// here.
const STANDING_STILL: u32 = 20;

/// Compares the bounds of each outcome of a chance node with the values that the position after it can have,
/// at every depth at which these can be worked out in a moment.
pub(crate) fn check_outcome_bounds<G: Game>(
    game: &G,
    position: &G::Position,
    report: &mut Report,
) -> Result<(), Fault> {
    let limit = game.facts().grid.limit();
    let check = BoundsCheck { game, most: MOST, leaf: |_: &G::Position| Bounds::unknown(limit) };
    check.outcomes(position, report, |depth, offered| {
        game.outcome_bounds(position, depth, |bounds| offered.push(bounds));
    })
}

/// Compares the bounds that the evaluator offers of a position, and of the outcomes of a chance node, with
/// the values that plain searches find, at every depth at which these can be worked out in a moment.
pub(crate) fn check_evaluator_bounds<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    position: &G::Position,
    report: &mut Report,
) -> Result<(), Fault> {
    let check = BoundsCheck { game, most: MOST_SEARCHED, leaf: leaf(game, evaluator) };
    check.position(position, report, |depth| evaluator.bounds(game, position, depth))?;
    if game.kind(position) == NodeKind::Chance {
        check.outcomes(position, report, |depth, offered| {
            evaluator.outcome_bounds(game, position, depth, |bounds| offered.push(bounds));
        })?;
    }
    Ok(())
}

/// The value of `position` to `depth` by plain recursion, without a table; `None` where that takes more than
/// `left` positions, or the game breaks its contract below.
pub(crate) fn plain_value<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    position: &G::Position,
    depth: u8,
    left: &mut u32,
) -> Option<Score> {
    let leaf = leaf(game, evaluator);
    BoundsCheck { game, most: *left, leaf }.values(position, depth, left).map(|value| value.lower)
}

/// What an unfinished game is worth at depth 0: its evaluation.
fn leaf<'a, G: Game, E: Evaluator<G>>(
    game: &'a G,
    evaluator: &'a E,
) -> impl Fn(&G::Position) -> Bounds + use<'a, G, E> {
    let limit = game.facts().grid.limit();
    move |position| {
        let score = evaluator.evaluate(game, position, &evaluator.state(game, position, None));
        Bounds::exactly(score.clamp(-limit, limit))
    }
}

/// A comparison of bounds with values.
struct BoundsCheck<'a, G, L> {
    game: &'a G,
    /// How many positions are looked at for one bound.
    most: u32,
    /// What an unfinished game is worth at depth 0, for its player.
    leaf: L,
}

impl<G: Game, L: Fn(&G::Position) -> Bounds> BoundsCheck<'_, G, L> {
    /// The bounds of a position that is no terminal.
    fn position(
        &self,
        position: &G::Position,
        report: &mut Report,
        offer: impl Fn(u8) -> Bounds,
    ) -> Result<(), Fault> {
        let limit = self.game.facts().grid.limit();
        let mut is_within_reach = true;
        for depth in (1..=DEEPEST_COMPARED).chain(DEEPER) {
            let offered = offer(depth);
            if !is_sound(offered, limit) {
                return Err(Fault::BoundsForm { depth, offered, limit });
            }
            if depth > DEEPEST_COMPARED || offered == Bounds::unknown(limit) {
                continue;
            }
            let mut left = if is_within_reach { self.most } else { 0 };
            let found = self.values(position, depth, &mut left);
            is_within_reach = found.is_some();
            if let Some(Bounds { lower: value, .. }) = found.filter(|&found| !holds(offered, found)) {
                return Err(Fault::Bounds { depth, offered, value });
            }
            count(report, is_within_reach);
        }
        Ok(())
    }

    /// The bounds of each outcome of a chance node; `offer` gives those there are for a depth.
    fn outcomes(
        &self,
        position: &G::Position,
        report: &mut Report,
        offer: impl Fn(u8, &mut Vec<Bounds>),
    ) -> Result<(), Fault> {
        let (game, limit) = (self.game, self.game.facts().grid.limit());
        let outcomes = steps(game, position);
        // What is too much to work out at one depth is so at every greater one.
        let mut is_within_reach = vec![true; outcomes.len()];
        for depth in (2..=DEEPEST_COMPARED).chain(DEEPER) {
            let mut offered = Vec::new();
            offer(depth, &mut offered);
            if offered.len() > outcomes.len() {
                return Err(Fault::TooManyBounds { found: offered.len(), outcomes: outcomes.len() });
            }
            for ((outcome, offered), is_within_reach) in
                outcomes.iter().zip(offered).zip(&mut is_within_reach)
            {
                if !is_sound(offered, limit) {
                    let outcome = text(outcome);
                    return Err(Fault::OutcomeBoundsForm { outcome, depth, offered, limit });
                }
                // Such bounds say nothing, or no search takes them.
                let is_idle =
                    offered == Bounds::unknown(limit) || leads_to_evaluation(game, position, outcome, depth);
                if depth > DEEPEST_COMPARED || is_idle {
                    continue;
                }
                *is_within_reach = *is_within_reach && self.compare(position, outcome, depth, offered)?;
                count(report, *is_within_reach);
            }
        }
        Ok(())
    }
    /// Whether the bounds hold; `false` where that would take too long, or the game goes wrong further down.
    fn compare(
        &self,
        position: &G::Position,
        outcome: &StepOf<G>,
        depth: u8,
        offered: Bounds,
    ) -> Result<bool, Fault> {
        let (after, mut left) = (outcome.take(self.game, position), self.most);
        let depth_after = depth_after(self.game, outcome, depth, position, &after);
        let Some(possible) = self.seen_from(position, &after, depth_after, &mut left) else {
            return Ok(false);
        };
        if holds(offered, possible) {
            return Ok(true);
        }
        Err(Fault::OutcomeBounds { outcome: text(outcome), depth, offered, possible })
    }

    /// The values of `after`, as the player of `before` sees it.
    fn seen_from(
        &self,
        before: &G::Position,
        after: &G::Position,
        depth: u8,
        left: &mut u32,
    ) -> Option<Bounds> {
        let values = self.values(after, depth, left)?;
        let same_viewer = self.game.player(before) == self.game.player(after);
        Some(if same_viewer { values } else { values.flipped() })
    }

    /// The least and the greatest value that a search to `depth` can find for its player, given those of
    /// leaves: values rise with every evaluation, so these are found where every unfinished game is worth as
    /// little, or as much, as can be.
    ///
    /// `None` when it takes more than `left` positions; and where the game breaks its contract, which is for
    /// the check of the position where it does to tell.
    fn values(&self, position: &G::Position, depth: u8, left: &mut u32) -> Option<Bounds> {
        *left = left.checked_sub(1)?;
        let (game, limit) = (self.game, self.game.facts().grid.limit());
        match game.kind(position) {
            NodeKind::Terminal => Some(Bounds::exactly(game.terminal_score(position).clamp(-limit, limit))),
            _ if depth == 0 => Some((self.leaf)(position)),
            NodeKind::Decision => self.greatest(position, depth, left),
            NodeKind::Chance => self.mean(position, depth, left),
        }
    }

    /// The values of a decision node.
    fn greatest(&self, position: &G::Position, depth: u8, left: &mut u32) -> Option<Bounds> {
        let mut greatest: Option<Bounds> = None;
        for step in steps(self.game, position) {
            let after = step.take(self.game, position);
            let found = self.worth_of(&step, position, &after, depth, left)?;
            greatest = Some(greatest.map_or(found, |greatest| {
                Bounds::new(greatest.lower.max(found.lower), greatest.upper.max(found.upper))
            }));
        }
        greatest
    }

    /// The values of a chance node.
    fn mean(&self, position: &G::Position, depth: u8, left: &mut u32) -> Option<Bounds> {
        let (game, mut outcomes) = (self.game, Vec::new());
        game.outcomes(position, |outcome, weight| outcomes.push((outcome, i64::from(weight))));
        let total: i64 = outcomes.iter().map(|&(_, weight)| weight).sum();
        if outcomes.iter().any(|&(_, weight)| weight == 0) || !(1..=i64::from(u32::MAX)).contains(&total) {
            return None;
        }
        let (mut lower, mut upper) = (0, 0);
        for (outcome, weight) in outcomes {
            let after = game.resolve(position, outcome);
            let found = self.worth_of(&Step::Outcome(outcome), position, &after, depth, left)?;
            lower += weight * i64::from(found.lower);
            upper += weight * i64::from(found.upper);
        }
        Some(Bounds::new(rounded(lower, total), rounded(upper, total)))
    }

    /// What a step from `before` to `after` can be worth, where `depth` is left before it.
    fn worth_of(
        &self,
        step: &StepOf<G>,
        before: &G::Position,
        after: &G::Position,
        depth: u8,
        left: &mut u32,
    ) -> Option<Bounds> {
        let depth_after = depth_after(self.game, step, depth, before, after);
        if depth_after == depth {
            *left = left.checked_sub(STANDING_STILL)?;
        }
        let found = self.seen_from(before, after, depth_after, left)?;
        Some(worth(self.game, step, before, after, found))
    }
}

/// Whether an outcome leaves no depth, so that the position after it is evaluated.
fn leads_to_evaluation<G: Game>(game: &G, position: &G::Position, outcome: &StepOf<G>, depth: u8) -> bool {
    let after = outcome.take(game, position);
    depth_after(game, outcome, depth, position, &after) == 0 && game.kind(&after) != NodeKind::Terminal
}

/// Whether bounds are on the grid and not crossed.
fn is_sound(offered: Bounds, limit: Score) -> bool {
    -limit <= offered.lower && offered.lower <= offered.upper && offered.upper <= limit
}

/// Whether these values lie within bounds.
fn holds(offered: Bounds, possible: Bounds) -> bool {
    offered.lower <= possible.lower && possible.upper <= offered.upper
}

fn count(report: &mut Report, is_checked: bool) {
    report.bounds_checked += u64::from(is_checked);
    report.bounds_unchecked += u64::from(!is_checked);
}

/// What a step is worth that leads to these values: the reward is added, and the sum stays on the grid.
fn worth<G: Game>(
    game: &G,
    step: &StepOf<G>,
    before: &G::Position,
    after: &G::Position,
    below: Bounds,
) -> Bounds {
    if !G::STEPS.rewards {
        return below;
    }
    let (limit, reward) = (game.facts().grid.limit(), game.reward(before, *step, after));
    let clamped = |value: Score| value.saturating_add(reward).clamp(-limit, limit);
    Bounds::new(clamped(below.lower), clamped(below.upper))
}

/// `sum / total` rounded to the nearest integer, halves away from zero.
fn rounded(sum: i64, total: i64) -> Score {
    let magnitude = (2 * sum.abs() + total) / (2 * total);
    (magnitude * sum.signum()) as Score
}
