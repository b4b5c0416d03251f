//! Whether an evaluator keeps the rules of [`Evaluator`].

use super::bounds_check::check_evaluator_bounds;
use super::company_check::check_company;
use super::game_check::{check_score, check_worth};
use super::meetings::Meetings;
use super::plays::{Check, Found, Plays, for_max, steps, text, walk_beside};
use super::report::Report;
use super::unmet;
use super::violation::{Fault, Violation};
use starsplit::evaluator::{Before, Evaluator};
use starsplit::game::{Game, NodeKind, PositionHash, Step, StepOf};
use starsplit::score::Score;
use std::collections::HashMap;

/// Plays at random from `start` and checks the evaluation of every position on the way and of all its
/// successors, but for terminals, which are never evaluated.
///
/// What is checked: the state carried along the play evaluates as the state computed anew, and so does a
/// position from the state before the move that leads to it; an evaluation is the same alone and in calls
/// with others ([`Evaluator::evaluate_many`]), at one position in eight; evaluations are numbers, and on the
/// grid unless the evaluator or the game declares that it saturates, alone and together with the rewards
/// that lead to them; positions that share a hash have the same evaluation, those of plays that are led
/// together among them ([`Report::compared`]); an evaluator that declares to ignore outcomes, all of them or
/// a position's, does; the bounds that one declares ([`Evaluator::bounds`],
/// [`Evaluator::outcome_bounds`]) hold, by comparison with plain searches to depth 5, or less deep where
/// these would take more than some thousands of positions ([`Report::bounds_checked`],
/// [`Report::bounds_unchecked`]).
///
/// # Errors
/// The first fault found, and the play that shows it.
pub fn check_evaluator<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    start: &G::Position,
    plays: &Plays,
) -> Result<Report, Violation> {
    let limit = game.facts().grid.limit();
    let (report, met) = (Report::default(), HashMap::new());
    let mut check = EvaluatorCheck { game, evaluator, limit, report, met, visited: 0 };
    let mut meetings = Meetings::new(game, start, plays, |first, second| {
        compare_evaluations(game, evaluator, first, second)
    });
    let report = walk_beside(game, start, plays, &mut check, |number| meetings.go_on(number))?;
    let mut report = Report { compared: meetings.compared, ..report };
    report.warn(unmet::of_comparisons(&report));
    report.warn(unmet::of_evaluations(&report));
    Ok(report)
}

/// Whether positions that share a hash evaluate alike.
fn compare_evaluations<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    first: &G::Position,
    second: &G::Position,
) -> Result<(), Fault> {
    if [first, second].iter().any(|position| game.kind(position) == NodeKind::Terminal) {
        return Ok(());
    }
    let hash = game.hash(second);
    let [first, second] = [first, second]
        .map(|position| evaluator.evaluate(game, position, &evaluator.state(game, position, None)));
    if first == second {
        return Ok(());
    }
    Err(Fault::EvaluationChanged { hash, first, second })
}

struct EvaluatorCheck<'a, G: Game, E> {
    game: &'a G,
    evaluator: &'a E,
    limit: Score,
    report: Report,
    met: HashMap<PositionHash, Score>,
    visited: u64,
}

/// One visited position in so many is evaluated together with its successors: that takes a hundred
/// evaluations.
const BETWEEN_COMPANIES: u64 = 8;

impl<G: Game, E: Evaluator<G>> Check<G> for EvaluatorCheck<'_, G, E> {
    type Carried = E::State;

    fn begin(&self, start: &G::Position) -> E::State {
        self.evaluator.state(self.game, start, None)
    }

    fn carry(
        &self,
        state: &E::State,
        before: &G::Position,
        step: &StepOf<G>,
        after: &G::Position,
    ) -> E::State {
        if matches!(step, Step::Outcome(_)) && E::ABILITIES.ignores_outcome {
            return state.clone();
        }
        self.evaluator.state(self.game, after, Some(Before { position: before, state, step: *step }))
    }

    fn visit(&mut self, position: &G::Position, state: &E::State) -> Result<(), Found> {
        self.check_evaluation(position, state)?;
        if E::ABILITIES.bounds && self.game.kind(position) != NodeKind::Terminal {
            check_evaluator_bounds(self.game, self.evaluator, position, &mut self.report)?;
        }
        for step in steps(self.game, position) {
            let after = step.take(self.game, position);
            self.report.successors += 1;
            let at_successor = |fault| Found { step: Some(text(&step)), fault };
            // The declaration comes first: a false one makes the carried state wrong as well.
            self.check_ignored(position, &step, &after).map_err(at_successor)?;
            let carried = self.carry(state, position, &step, &after);
            self.check_evaluation(&after, &carried).map_err(at_successor)?;
            self.check_after_move(state, position, &step, &after).map_err(at_successor)?;
            self.check_reward(position, &step, &after).map_err(at_successor)?;
            self.count_end(position, state, &after);
        }
        self.visited += 1;
        if self.visited % BETWEEN_COMPANIES == 1 {
            check_company(self.game, self.evaluator, &self.company_of(position, state))?;
        }
        Ok(())
    }

    fn report(&mut self) -> &mut Report {
        &mut self.report
    }
}

impl<G: Game, E: Evaluator<G>> EvaluatorCheck<'_, G, E> {
    fn check_evaluation(&mut self, position: &G::Position, state: &E::State) -> Result<(), Fault> {
        if self.game.kind(position) == NodeKind::Terminal {
            return Ok(());
        }
        self.report.evaluations += 1;
        let carried = self.evaluator.evaluate(self.game, position, state);
        let computed = self.evaluate_anew(position);
        if carried != computed {
            return Err(Fault::StateNotKept { carried, computed });
        }
        let saturates = self.game.facts().saturates || self.evaluator.facts(self.game).saturates;
        check_score("an evaluation", carried, self.limit, saturates)?
            .map_err(|()| Fault::Evaluation { score: carried, limit: self.limit })?;
        self.report.scores.add(for_max(self.game.player(position), carried));
        let hash = self.game.hash(position);
        match self.met.insert(hash, carried) {
            Some(first) => {
                let changed = Fault::EvaluationChanged { hash, first, second: carried };
                if first == carried { Ok(()) } else { Err(changed) }
            }
            None => Ok(()),
        }
    }

    /// Counts whether the evaluation of a position foresaw the end to which a step leads.
    fn count_end(&mut self, position: &G::Position, state: &E::State, after: &G::Position) {
        let game = self.game;
        if game.kind(after) != NodeKind::Terminal {
            return;
        }
        let is_same_viewer = game.player(position) == game.player(after);
        let end = if is_same_viewer { 1 } else { -1 } * game.terminal_score(after).signum();
        let foreseen = self.evaluator.evaluate(game, position, state).signum();
        self.report.ends_foreseen += u64::from(foreseen * end > 0);
        self.report.ends_misjudged += u64::from(foreseen * end < 0);
    }

    /// A position and what it leads to, each with its state and its evaluation, but for terminals.
    fn company_of(&self, position: &G::Position, state: &E::State) -> Vec<(G::Position, E::State, Score)> {
        let successors = steps(self.game, position).into_iter().map(|step| {
            let after = step.take(self.game, position);
            let carried = self.carry(state, position, &step, &after);
            (after, carried)
        });
        std::iter::once((position.clone(), state.clone()))
            .chain(successors)
            .filter(|(position, _)| self.game.kind(position) != NodeKind::Terminal)
            .map(|(position, state)| {
                let score = self.evaluator.evaluate(self.game, &position, &state);
                (position, state, score)
            })
            .collect()
    }

    /// Whether the evaluation made from the state before a move is the one made from the state after it.
    fn check_after_move(
        &self,
        state: &E::State,
        before: &G::Position,
        step: &StepOf<G>,
        after: &G::Position,
    ) -> Result<(), Fault> {
        let &Step::Move(mv) = step else { return Ok(()) };
        if self.game.kind(after) == NodeKind::Terminal {
            return Ok(());
        }
        let at_once = self.evaluator.evaluate_after_move(self.game, state, before, mv, after);
        let computed = self.evaluate_anew(after);
        if at_once == computed { Ok(()) } else { Err(Fault::AfterMove { at_once, computed }) }
    }

    /// Whether a reward leaves room for the evaluation of what it leads to.
    fn check_reward(&self, before: &G::Position, step: &StepOf<G>, after: &G::Position) -> Result<(), Fault> {
        if !G::STEPS.rewards || self.game.kind(after) == NodeKind::Terminal {
            return Ok(());
        }
        check_worth(
            self.game,
            before,
            after,
            self.game.reward(before, *step, after),
            self.evaluate_anew(after),
        )
    }

    /// Whether an outcome is ignored where the evaluator says so, everywhere or of this position.
    fn check_ignored(
        &self,
        before: &G::Position,
        step: &StepOf<G>,
        after: &G::Position,
    ) -> Result<(), Fault> {
        let is_ignored = matches!(step, Step::Outcome(_))
            && (E::ABILITIES.ignores_outcome || self.evaluator.ignores_outcome(self.game, before));
        if !is_ignored || self.game.kind(after) == NodeKind::Terminal {
            return Ok(());
        }
        let own = self.evaluate_anew(before);
        let seen = self.evaluate_anew(after);
        let seen =
            if self.game.player(before) == self.game.player(after) { seen } else { seen.saturating_neg() };
        if own == seen {
            return Ok(());
        }
        Err(Fault::OutcomeNotIgnored { outcome: text(step), before: own, after: seen })
    }

    fn evaluate_anew(&self, position: &G::Position) -> Score {
        self.evaluator.evaluate(self.game, position, &self.evaluator.state(self.game, position, None))
    }
}
