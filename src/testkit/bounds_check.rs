//! Whether the bounds that a game offers of outcomes ([`Game::outcome_bounds`]) are bounds.
//!
//! The check looks at positions that no other check has seen yet, so it relies on nothing that they promise.

use super::plays::{Step, steps};
use super::report::Report;
use super::violation::Fault;
use crate::game::{Game, Kind};
use crate::score::{Bounds, Score};

/// The greatest depth at which bounds are compared with what the outcome can be worth.
const DEEPEST_COMPARED: u8 = 5;

/// Greater depths, at which it is only seen that they are on the grid and not crossed.
const DEEPER: [u8; 8] = [6, 7, 8, 9, 16, 33, 100, 254];

/// So many positions below one outcome are looked at for one depth, at most.
const MOST: u32 = 1_000;

/// Compares the bounds of each outcome of a chance node with the values that the position after it can have,
/// at every depth at which these can be worked out in a moment.
pub(super) fn check_outcome_bounds<G: Game>(
    game: &G,
    position: &G::Position,
    report: &mut Report,
) -> Result<(), Fault> {
    let outcomes = steps(game, position);
    // What is too much to work out at one depth is so at every greater one.
    let mut is_within_reach = vec![true; outcomes.len()];
    for depth in (2..=DEEPEST_COMPARED).chain(DEEPER) {
        let mut offered = Vec::new();
        game.outcome_bounds(position, depth, |bounds| offered.push(bounds));
        if offered.len() > outcomes.len() {
            return Err(Fault::TooManyBounds { found: offered.len(), outcomes: outcomes.len() });
        }
        for ((outcome, offered), is_within_reach) in outcomes.iter().zip(offered).zip(&mut is_within_reach) {
            check_form(game, position, outcome, depth, offered)?;
            // Such bounds say nothing.
            if depth > DEEPEST_COMPARED || offered == Bounds::unknown(game.grid().limit()) {
                continue;
            }
            *is_within_reach = *is_within_reach && compare(game, position, outcome, depth, offered)?;
            report.bounds_checked += u64::from(*is_within_reach);
            report.bounds_unchecked += u64::from(!*is_within_reach);
        }
    }
    Ok(())
}

/// Whether the bounds are on the grid and not crossed.
fn check_form<G: Game>(
    game: &G,
    position: &G::Position,
    outcome: &Step<G>,
    depth: u8,
    offered: Bounds,
) -> Result<(), Fault> {
    let limit = game.grid().limit();
    if -limit <= offered.lower && offered.lower <= offered.upper && offered.upper <= limit {
        return Ok(());
    }
    Err(Fault::OutcomeBoundsForm { outcome: outcome.text(game, position), depth, offered, limit })
}

/// Whether the bounds hold; `false` where that would take too long, or the game goes wrong further down.
fn compare<G: Game>(
    game: &G,
    position: &G::Position,
    outcome: &Step<G>,
    depth: u8,
    offered: Bounds,
) -> Result<bool, Fault> {
    let (after, mut left) = (outcome.take(game, position), MOST);
    let Some(possible) = seen_from(game, position, &after, depth - 1, &mut left) else { return Ok(false) };
    if offered.lower <= possible.lower && possible.upper <= offered.upper {
        return Ok(true);
    }
    Err(Fault::OutcomeBounds { outcome: outcome.text(game, position), depth, offered, possible })
}

/// The values of `after`, as the player of `before` sees it.
fn seen_from<G: Game>(
    game: &G,
    before: &G::Position,
    after: &G::Position,
    depth: u8,
    left: &mut u32,
) -> Option<Bounds> {
    let values = values(game, after, depth, left)?;
    Some(if game.player(before) == game.player(after) { values } else { values.flipped() })
}

/// The least and the greatest value that a search to `depth` can find for its player, over all evaluators:
/// values rise with every evaluation, so these are found where every unfinished game is worth as little, or
/// as much, as can be.
///
/// `None` when it takes more than `left` positions; and where the game breaks its contract, which is for the
/// check of the position where it does to tell.
fn values<G: Game>(game: &G, position: &G::Position, depth: u8, left: &mut u32) -> Option<Bounds> {
    *left = left.checked_sub(1)?;
    let limit = game.grid().limit();
    match game.kind(position) {
        Kind::Terminal => Some(Bounds::exactly(game.terminal_score(position).clamp(-limit, limit))),
        _ if depth == 0 => Some(Bounds::unknown(limit)),
        Kind::Decision => greatest(game, position, depth, left),
        Kind::Chance => mean(game, position, depth, left),
    }
}

/// The values of a decision node.
fn greatest<G: Game>(game: &G, position: &G::Position, depth: u8, left: &mut u32) -> Option<Bounds> {
    let mut greatest: Option<Bounds> = None;
    for step in steps(game, position) {
        let after = step.take(game, position);
        let found = seen_from(game, position, &after, depth - 1, left)?;
        let found = worth(game, &step, position, &after, found);
        greatest = Some(greatest.map_or(found, |greatest| {
            Bounds::new(greatest.lower.max(found.lower), greatest.upper.max(found.upper))
        }));
    }
    greatest
}

/// The values of a chance node.
fn mean<G: Game>(game: &G, position: &G::Position, depth: u8, left: &mut u32) -> Option<Bounds> {
    let mut outcomes = Vec::new();
    game.outcomes(position, |outcome, weight| outcomes.push((outcome, i64::from(weight))));
    let total: i64 = outcomes.iter().map(|&(_, weight)| weight).sum();
    if outcomes.iter().any(|&(_, weight)| weight == 0) || !(1..=i64::from(u32::MAX)).contains(&total) {
        return None;
    }
    let (mut lower, mut upper) = (0, 0);
    for (outcome, weight) in outcomes {
        let after = game.resolve(position, outcome);
        let found = seen_from(game, position, &after, depth - 1, left)?;
        let found = worth(game, &Step::Outcome(outcome), position, &after, found);
        lower += weight * i64::from(found.lower);
        upper += weight * i64::from(found.upper);
    }
    Some(Bounds::new(rounded(lower, total), rounded(upper, total)))
}

/// What a step is worth that leads to these values: the reward is added, and the sum stays on the grid.
fn worth<G: Game>(
    game: &G,
    step: &Step<G>,
    before: &G::Position,
    after: &G::Position,
    below: Bounds,
) -> Bounds {
    if !G::HAS_REWARDS {
        return below;
    }
    let (limit, reward) = (game.grid().limit(), step.reward(game, before, after));
    let clamped = |value: Score| value.saturating_add(reward).clamp(-limit, limit);
    Bounds::new(clamped(below.lower), clamped(below.upper))
}

/// `sum / total` rounded to the nearest integer, halves away from zero.
fn rounded(sum: i64, total: i64) -> Score {
    let magnitude = (2 * sum.abs() + total) / (2 * total);
    (magnitude * sum.signum()) as Score
}
