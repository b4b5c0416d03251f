//! Whether a hash that is kept up move by move is the one that is computed anew.

use super::plays::{Check, Found, Plays, steps, text, walk};
use super::report::Report;
use super::violation::{Fault, Violation};
use starsplit::game::{Game, PositionHash, StepOf};

/// Plays at random from `start` and holds the hash that every position met carries, and every successor,
/// against what `from_scratch` computes of it without looking at the one carried.
///
/// [`check_game`](super::check_game) finds hashes that positions share. This finds those that depend on the
/// path: one position then has several, whose searches do not find each other's entries in the table.
///
/// # Errors
/// The first fault found, [`Fault::HashNotKept`], and the play that shows it.
pub fn check_hash<G: Game>(
    game: &G,
    start: &G::Position,
    plays: &Plays,
    from_scratch: impl Fn(&G::Position) -> PositionHash,
) -> Result<Report, Violation> {
    walk(game, start, plays, &mut HashCheck { game, from_scratch, report: Report::default() })
}

struct HashCheck<'a, G, F> {
    game: &'a G,
    from_scratch: F,
    report: Report,
}

impl<G: Game, F: Fn(&G::Position) -> PositionHash> HashCheck<'_, G, F> {
    fn check(&self, position: &G::Position) -> Result<(), Fault> {
        let (carried, computed) = (self.game.hash(position), (self.from_scratch)(position));
        if carried == computed { Ok(()) } else { Err(Fault::HashNotKept { carried, computed }) }
    }
}

impl<G: Game, F: Fn(&G::Position) -> PositionHash> Check<G> for HashCheck<'_, G, F> {
    type Carried = ();

    fn begin(&self, _: &G::Position) {}

    fn carry(&self, (): &(), _: &G::Position, _: &StepOf<G>, _: &G::Position) {}

    fn visit(&mut self, position: &G::Position, (): &()) -> Result<(), Found> {
        self.check(position)?;
        for step in steps(self.game, position) {
            self.check(&step.take(self.game, position))
                .map_err(|fault| Found { step: Some(text(&step)), fault })?;
            self.report.successors += 1;
        }
        Ok(())
    }

    fn report(&mut self) -> &mut Report {
        &mut self.report
    }
}
