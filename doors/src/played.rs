//! What is played behind the doors of known games.

use crate::Entry;
use crate::play::{AnyPlay, Turn};
use crate::typed::typed;
use anyhow::Context;
use starsplit::game::{NodeKind, Player, Step, StepOf};
use starsplit::score::{Grid, Score};
use starsplit_games::{Invalid, KnownGame};
use std::fmt::Debug;

/// A known game, played.
#[derive(Clone, Debug)]
pub(super) struct Played<G>(pub(super) G);

impl<G: KnownGame> Played<G> {
    /// A position that is met in play. `before` is the entry before it, and the text of the step from there.
    pub(super) fn entry(&self, before: Option<(&Entry, &str)>, position: G::Position) -> Entry {
        let before = before.map(|(entry, step)| (entry.text.as_str(), step));
        Entry::new(self.0.write(before, &position), position)
    }

    /// A step, whose text this is, made.
    fn turn(&self, before: &Entry, step: StepOf<G>, text: String) -> anyhow::Result<Turn> {
        let position = typed(before)?;
        let after = step.take(&self.0, position);
        let reward = if G::STEPS.rewards { self.0.reward(position, step, &after) } else { 0 };
        let reward = self.for_max(position, reward);
        Ok(Turn { after: self.entry(Some((before, &text)), after), text, reward })
    }

    /// A reward or score of `position`'s player as the first player sees it.
    fn for_max(&self, position: &G::Position, score: Score) -> Score {
        match self.0.player(position) {
            Player::Max => score,
            Player::Min => -score,
        }
    }
}

impl<G: KnownGame> AnyPlay for Played<G> {
    fn grid(&self) -> Grid {
        self.0.facts().grid
    }

    fn depends_on_past(&self) -> bool {
        self.0.facts().depends_on_past
    }

    fn kind(&self, position: &Entry) -> anyhow::Result<NodeKind> {
        Ok(self.0.kind(typed(position)?))
    }

    fn player(&self, position: &Entry) -> anyhow::Result<Player> {
        Ok(self.0.player(typed(position)?))
    }

    fn moves(&self, position: &Entry) -> anyhow::Result<Vec<String>> {
        let position = typed(position)?;
        let mut moves = Vec::new();
        self.0.moves(position, |mv| moves.push(self.0.move_text(position, mv)));
        Ok(moves)
    }

    fn move_by_text(&self, before: &Entry, text: &str) -> anyhow::Result<Turn> {
        let position = typed(before)?;
        let mv = self.0.parse_move(position, text)?;
        self.turn(before, Step::Move(mv), self.0.move_text(position, mv))
    }

    fn outcomes(&self, position: &Entry) -> anyhow::Result<Vec<(String, u32)>> {
        let position = typed(position)?;
        let mut outcomes = Vec::new();
        self.0.outcomes(position, |outcome, weight| {
            outcomes.push((self.0.outcome_text(position, outcome), weight));
        });
        Ok(outcomes)
    }

    fn outcome_by_text(&self, position: &Entry, text: &str) -> anyhow::Result<usize> {
        Ok(self.0.parse_outcome(typed(position)?, text)?)
    }

    fn resolve(&self, before: &Entry, place: usize) -> anyhow::Result<Turn> {
        let position = typed(before)?;
        let mut outcomes = Vec::new();
        self.0.outcomes(position, |outcome, _| outcomes.push(outcome));
        let complain = || format!("outcome {place}: expected one of the {} that there are", outcomes.len());
        let &outcome = outcomes.get(place).with_context(complain)?;
        self.turn(before, Step::Outcome(outcome), self.0.outcome_text(position, outcome))
    }

    fn terminal_score(&self, position: &Entry) -> anyhow::Result<Score> {
        let position = typed(position)?;
        Ok(self.for_max(position, self.0.terminal_score(position)))
    }

    fn written(&self, position: &Entry) -> anyhow::Result<Entry> {
        let position = typed::<G::Position>(position)?.clone();
        Ok(Entry::new(self.0.write(None, &position), position))
    }

    fn formats(&self, position: &Entry) -> anyhow::Result<Vec<(&'static str, String)>> {
        Ok(self.0.formats(typed(position)?))
    }

    fn match_positions(&self, text: &str) -> Result<Vec<Entry>, Invalid> {
        let positions = self.0.match_positions(text)?;
        Ok(positions.into_iter().map(|position| self.entry(None, position)).collect())
    }

    fn draw(&self, position: &Entry) -> anyhow::Result<String> {
        Ok(self.0.draw(typed(position)?))
    }

    fn result_text(&self, position: &Entry) -> anyhow::Result<String> {
        Ok(self.0.result_text(typed(position)?))
    }
}
