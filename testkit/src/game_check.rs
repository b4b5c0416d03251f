//! Whether a game keeps the rules of [`Game`].

use super::bounds_check::check_outcome_bounds;
use super::meetings::Meetings;
use super::plays::{Check, Found, Plays, steps, text, walk_beside};
use super::report::Report;
use super::seen::{Listing, Outline};
use super::unmet;
use super::violation::{Fault, Violation};
use starsplit::game::{Game, NodeKind, PositionHash, Step, StepOf};
use starsplit::score::Score;
use starsplit::search::MAX_PATH_LENGTH;
use starsplit::unstable::NOT_A_NUMBER;
use std::collections::HashMap;
use std::ops::ControlFlow;

/// Plays at random from `start` and checks every position on the way and all its successors.
///
/// What is checked: there are moves at decision nodes and outcomes at chance nodes, the same ones each time,
/// and the same where they are visited ([`Game::visit_moves`], [`Game::visit_outcomes`]); weights are
/// positive and their sum fits 32 bits; positions that share all 128 bits of a hash agree in everything that
/// a search asks, what outcomes of one chance node lead to among them, and so does what the same steps lead
/// to from them ([`check_hash`](super::check_hash) holds a carried hash against one computed anew); terminal
/// scores are numbers, and on the grid unless the game declares that it saturates; rewards are so, too, alone
/// and together with terminal scores; they are the same each time, no more than twice the grid's limit, and 0
/// where the game does not say that it has any; plies are the same each time, and 1 where the game does not
/// say that it has others; no chain of steps that take no ply leads back to one of its positions, or is
/// longer than any search follows; move slots exist; a declared full depth goes down with every step, by its
/// plies, to 0; no outcome ends a game that promises that none does; the bounds that a game offers of
/// outcomes are on the grid, and hold whatever the evaluator says: at depths to 5, of outcomes whose values
/// there are worked out from no more than a thousand positions. The report counts these and the others
/// ([`Report::bounds_checked`], [`Report::bounds_unchecked`]).
///
/// Plays at random hardly meet. So around one position of each play a few moves and outcomes are tried in
/// every order, by which the same positions are reached by several ways, and others that a hash may take for
/// the same ([`Report::compared`]).
///
/// Time and memory grow with the positions visited times their successors. Bounds, where they are offered,
/// take up to some thousand positions more for each outcome and depth, the first time that a chance node is
/// visited.
///
/// # Errors
/// The first fault found, and the play that shows it.
pub fn check_game<G: Game>(game: &G, start: &G::Position, plays: &Plays) -> Result<Report, Violation> {
    let mut check =
        GameCheck { game, limit: game.facts().grid.limit(), report: Report::default(), met: HashMap::new() };
    let mut meetings = Meetings::new(game, start, plays, |first, second| {
        let hash = game.hash(second);
        Outline::of(game, first).compare(&Outline::of(game, second), hash)?;
        Listing::of(game, first).compare(&Listing::of(game, second), hash)
    });
    let report = walk_beside(game, start, plays, &mut check, |number| meetings.go_on(number))?;
    let mut report = Report { compared: meetings.compared, ..report };
    report.warn(unmet::of_comparisons(&report));
    Ok(report)
}

struct GameCheck<'a, G: Game> {
    game: &'a G,
    limit: Score,
    report: Report,
    met: HashMap<PositionHash, Met>,
}

/// What was seen when a hash was first met.
struct Met {
    outline: Outline,
    /// Known once the position was visited.
    listing: Option<Listing>,
}

/// The hashes of the positions since a step took a ply, the present one left out.
type Chain = Vec<PositionHash>;

impl<G: Game> Check<G> for GameCheck<'_, G> {
    type Carried = Chain;

    fn begin(&self, _: &G::Position) -> Chain {
        Chain::new()
    }

    fn carry(&self, chain: &Chain, before: &G::Position, step: &StepOf<G>, after: &G::Position) -> Chain {
        let mut chain = chain.clone();
        chain.push(self.game.hash(before));
        if !G::STEPS.plies || self.game.plies(before, *step, after) > 0 {
            chain.clear();
        }
        chain
    }

    fn visit(&mut self, position: &G::Position, chain: &Chain) -> Result<(), Found> {
        self.check_position(position)?;
        let texts = self.check_listing(position)?;
        let steps = steps(self.game, position);
        let successors: Vec<_> = steps.iter().map(|step| step.take(self.game, position)).collect();
        let hashes: Vec<_> = successors.iter().map(|after| self.game.hash(after)).collect();
        for (step, &hash) in steps.iter().zip(&hashes) {
            self.check_step(position, step, hash)?;
        }
        self.check_visits(position, &texts, &hashes)?;
        let rewards =
            check_each::<G, _>(&steps, &successors, |step, after| self.check_reward(position, step, after))?;
        let plies = check_each::<G, _>(&steps, &successors, |step, after| {
            self.check_plies(position, step, after, chain)
        })?;
        if self.game.kind(position) == NodeKind::Chance && !self.is_known(position) {
            check_outcome_bounds(self.game, position, &mut self.report)?;
        }
        for ((step, after), &plies) in steps.iter().zip(&successors).zip(&plies) {
            self.check_successor(position, after, plies)
                .and_then(|()| self.check_promise(step, after))
                .map_err(|fault| Found { step: Some(text(step)), fault })?;
        }
        self.check_together(position, &steps, &successors)?;
        Ok(self.check_listing_of_hash(position, Listing { texts, hashes, rewards, plies })?)
    }

    fn report(&mut self) -> &mut Report {
        &mut self.report
    }
}

impl<G: Game> GameCheck<'_, G> {
    /// What can be said of a position without its successors.
    fn check_position(&mut self, position: &G::Position) -> Result<(), Fault> {
        let outline = Outline::of(self.game, position);
        if let Some(score) = outline.terminal_score {
            check_score("a terminal score", score, self.limit, self.game.facts().saturates)?
                .map_err(|()| Fault::TerminalScore { score, limit: self.limit })?;
            if let Some(found @ 1..) = outline.full_depth {
                return Err(Fault::FullDepthAtEnd { found });
            }
        }
        self.check_outline_of_hash(self.full_hash(position), outline)
    }

    /// The texts of a position's moves, or of its outcomes with their weights.
    fn check_listing(&self, position: &G::Position) -> Result<Vec<String>, Fault> {
        match self.game.kind(position) {
            NodeKind::Terminal => Ok(Vec::new()),
            NodeKind::Decision => self.check_moves(position),
            NodeKind::Chance => self.check_outcomes(position),
        }
    }

    fn check_moves(&self, position: &G::Position) -> Result<Vec<String>, Fault> {
        let list = || {
            let mut moves = Vec::new();
            self.game.moves(position, |mv| moves.push(mv));
            moves
        };
        let (moves, again) = (list(), list());
        if moves.is_empty() {
            return Err(Fault::NoMoves);
        }
        if moves != again {
            return Err(unsteady("moves", &moves, &again));
        }
        let slots = self.game.facts().move_slots;
        for &mv in &moves {
            let slot = self.game.move_slot(mv);
            if slots > 0 && slot >= slots {
                return Err(Fault::MoveSlot { mv: format!("{mv:?}"), slot, slots });
            }
        }
        Ok(moves.iter().map(|mv| format!("{mv:?}")).collect())
    }

    fn check_outcomes(&self, position: &G::Position) -> Result<Vec<String>, Fault> {
        let list = || {
            let mut outcomes = Vec::new();
            self.game.outcomes(position, |outcome, weight| outcomes.push((format!("{outcome:?}"), weight)));
            outcomes
        };
        let (outcomes, again) = (list(), list());
        if outcomes.is_empty() {
            return Err(Fault::NoOutcomes);
        }
        if outcomes != again {
            return Err(unsteady("outcomes and weights", &outcomes, &again));
        }
        if let Some((outcome, _)) = outcomes.iter().find(|&&(_, weight)| weight == 0) {
            return Err(Fault::ZeroWeight { outcome: outcome.clone() });
        }
        let sum = outcomes.iter().map(|&(_, weight)| u64::from(weight)).sum();
        if sum > u64::from(u32::MAX) {
            return Err(Fault::WeightSum { sum });
        }
        Ok(outcomes.into_iter().map(|(outcome, weight)| format!("{outcome} (weight {weight})")).collect())
    }

    /// Whether visiting the moves or outcomes gives what listing and taking them does.
    fn check_visits(
        &self,
        position: &G::Position,
        texts: &[String],
        hashes: &[PositionHash],
    ) -> Result<(), Fault> {
        let (mut visited, go_on) = (Vec::new(), ControlFlow::Continue(()));
        let what = match self.game.kind(position) {
            NodeKind::Terminal => return Ok(()),
            NodeKind::Decision => {
                self.game.visit_moves(position, |mv, after| {
                    visited.push((format!("{mv:?}"), self.game.hash(&after)));
                    go_on
                });
                "moves"
            }
            NodeKind::Chance => {
                self.game.visit_outcomes(position, |outcome, weight, after| {
                    visited.push((format!("{outcome:?} (weight {weight})"), self.game.hash(&after)));
                    go_on
                });
                "outcomes"
            }
        };
        let listed: Vec<_> = texts.iter().cloned().zip(hashes.iter().copied()).collect();
        if visited == listed {
            return Ok(());
        }
        let (visited, listed) = (format!("{visited:x?}"), format!("{listed:x?}"));
        Err(Fault::Visited { what, visited, listed })
    }

    /// The hash by which positions are told apart: with all of the past on which they may depend.
    fn full_hash(&self, position: &G::Position) -> PositionHash {
        self.game.hash_to_depth(position, u8::MAX)
    }

    /// Whether the position was visited before.
    fn is_known(&self, position: &G::Position) -> bool {
        self.met.get(&self.full_hash(position)).is_some_and(|met| met.listing.is_some())
    }

    /// Whether a step shows in the hash and always leads to the same place.
    fn check_step(&self, before: &G::Position, step: &StepOf<G>, hash: PositionHash) -> Result<(), Fault> {
        let again = self.game.hash(&step.take(self.game, before));
        if hash != again {
            return Err(Fault::UnsteadyStep { step: text(step), first: hash, second: again });
        }
        Ok(())
    }

    /// Whether steps that seem to lead back to their own position do, and outcomes that seem to lead to the
    /// position of an earlier one.
    fn check_together(
        &mut self,
        before: &G::Position,
        steps: &[StepOf<G>],
        successors: &[G::Position],
    ) -> Result<(), Found> {
        let own = self.full_hash(before);
        let mut met: HashMap<PositionHash, &G::Position> = HashMap::new();
        for (step, after) in steps.iter().zip(successors) {
            let hash = self.full_hash(after);
            let other = if hash == own { Some(before) } else { met.get(&hash).copied() };
            let Some(other) = other else {
                // Moves may lead together as they like: plays that are led together compare them.
                if matches!(step, Step::Outcome(_)) {
                    met.insert(hash, after);
                }
                continue;
            };
            let [first, second] = [other, after].map(|position| Listing::of(self.game, position));
            first
                .compare(&second, self.game.hash(after))
                .map_err(|fault| Found { step: Some(text(step)), fault })?;
            let count = if hash == own { &mut self.report.back } else { &mut self.report.merging };
            *count += 1;
        }
        Ok(())
    }

    fn check_reward(
        &self,
        before: &G::Position,
        step: &StepOf<G>,
        after: &G::Position,
    ) -> Result<Score, Fault> {
        let [reward, again] = [(); 2].map(|()| self.game.reward(before, *step, after));
        if reward != again {
            let (first, second) = (reward.to_string(), again.to_string());
            return Err(Fault::Unsteady { what: "rewards", first, second });
        }
        if reward != 0 && !G::STEPS.rewards {
            return Err(Fault::RewardUnsaid { reward });
        }
        check_score("a reward", reward, 2 * self.limit, self.game.facts().saturates)?
            .map_err(|()| Fault::Reward { reward, limit: self.limit })?;
        if self.game.kind(after) == NodeKind::Terminal {
            check_worth(self.game, before, after, reward, self.game.terminal_score(after))?;
        }
        Ok(reward)
    }

    /// The plies of a step, after a chain of those that took none.
    fn check_plies(
        &self,
        before: &G::Position,
        step: &StepOf<G>,
        after: &G::Position,
        chain: &Chain,
    ) -> Result<u8, Fault> {
        let [plies, again] = [(); 2].map(|()| self.game.plies(before, *step, after));
        if plies != again {
            let (first, second) = (plies.to_string(), again.to_string());
            return Err(Fault::Unsteady { what: "plies", first, second });
        }
        if !G::STEPS.plies {
            return if plies == 1 { Ok(plies) } else { Err(Fault::PliesUnsaid { plies }) };
        }
        if plies > 0 {
            return Ok(plies);
        }
        let (own, hash, edges) = (self.game.hash(before), self.game.hash(after), chain.len() + 1);
        if let Some(place) = chain.iter().chain([&own]).position(|&earlier| earlier == hash) {
            return Err(Fault::PliesLoop { edges: edges - place });
        }
        if edges > MAX_PATH_LENGTH as usize { Err(Fault::PliesChain { edges }) } else { Ok(plies) }
    }

    fn check_successor(&mut self, before: &G::Position, after: &G::Position, plies: u8) -> Result<(), Fault> {
        self.report.successors += 1;
        self.check_position(after)?;
        let Some(before) = self.game.full_depth(before) else { return Ok(()) };
        let after = self.game.full_depth(after);
        let needed = after.map(|after| after.saturating_add(u32::from(plies)).max(1));
        if needed.is_some_and(|needed| needed <= before) {
            Ok(())
        } else if G::STEPS.plies {
            Err(Fault::FullDepthPlies { before, plies, after })
        } else {
            Err(Fault::FullDepth { before, after })
        }
    }

    /// Whether the game goes on after an outcome where it promises to.
    fn check_promise(&self, step: &StepOf<G>, after: &G::Position) -> Result<(), Fault> {
        let is_kept = !self.game.facts().outcomes_never_end || self.game.kind(after) != NodeKind::Terminal;
        if is_kept || matches!(step, Step::Move(_)) { Ok(()) } else { Err(Fault::OutcomeEnds) }
    }

    fn check_outline_of_hash(&mut self, hash: PositionHash, outline: Outline) -> Result<(), Fault> {
        let Some(met) = self.met.get(&hash) else {
            self.met.insert(hash, Met { outline, listing: None });
            return Ok(());
        };
        met.outline.compare(&outline, hash)
    }

    fn check_listing_of_hash(&mut self, position: &G::Position, listing: Listing) -> Result<(), Fault> {
        let hash = self.full_hash(position);
        let Some(met) = self.met.get_mut(&hash) else { return Ok(()) };
        met.listing.get_or_insert_with(|| listing.clone()).compare(&listing, hash)
    }
}

/// Whether a score lies within `most` to either side, or may be brought there; an error of its own where it
/// is no number.
pub(crate) fn check_score(
    what: &'static str,
    score: Score,
    most: Score,
    saturates: bool,
) -> Result<Result<(), ()>, Fault> {
    if [NOT_A_NUMBER, -NOT_A_NUMBER].contains(&score) {
        return Err(Fault::NotANumber { what });
    }
    Ok(if saturates || (-most..=most).contains(&score) { Ok(()) } else { Err(()) })
}

/// Whether a step with this reward is worth something on the grid, where what it leads to has this score, as
/// the player there sees it.
pub(crate) fn check_worth<G: Game>(
    game: &G,
    before: &G::Position,
    after: &G::Position,
    reward: Score,
    score: Score,
) -> Result<(), Fault> {
    let limit = game.facts().grid.limit();
    let below = if game.player(before) == game.player(after) { score } else { score.saturating_neg() };
    let worth = i64::from(reward) + i64::from(below);
    let is_known = (-limit..=limit).contains(&score); // what is not is a fault of its own
    let is_off_grid = !(-i64::from(limit)..=i64::from(limit)).contains(&worth);
    if G::STEPS.rewards && is_known && is_off_grid && !game.facts().saturates {
        return Err(Fault::Worth { reward, below, limit });
    }
    Ok(())
}

fn unsteady<T: std::fmt::Debug>(what: &'static str, first: &[T], second: &[T]) -> Fault {
    Fault::Unsteady { what, first: format!("{first:?}"), second: format!("{second:?}") }
}

/// What `check` says of each step of a position.
fn check_each<G: Game, T>(
    steps: &[StepOf<G>],
    successors: &[G::Position],
    check: impl Fn(&StepOf<G>, &G::Position) -> Result<T, Fault>,
) -> Result<Vec<T>, Found> {
    let checked = |(step, after): (&StepOf<G>, &G::Position)| {
        check(step, after).map_err(|fault| Found { step: Some(text(step)), fault })
    };
    steps.iter().zip(successors).map(checked).collect()
}
