//! A game as it is played: its moves and rolls one after another, as texts, whatever its types.

use crate::Entry;
use starsplit::game::{NodeKind, Player};
use starsplit::score::{Grid, Score};
use starsplit_games::Invalid;
use std::fmt::Debug;

/// A game under its rules, to be played. Positions are entries of its door; every function fails with one of
/// another game.
#[allow(clippy::missing_errors_doc)] // said above
pub trait AnyPlay: Debug + Send + Sync {
    /// The grid of its scores and rewards.
    fn grid(&self) -> Grid;

    /// Whether values depend on the positions before, which a position's text does not tell.
    fn depends_on_past(&self) -> bool;

    /// What happens next.
    fn kind(&self, position: &Entry) -> anyhow::Result<NodeKind>;

    /// Whose position it is: at a decision node who moves.
    fn player(&self, position: &Entry) -> anyhow::Result<Player>;

    /// The moves of a decision node.
    fn moves(&self, position: &Entry) -> anyhow::Result<Vec<String>>;

    /// Makes the move that somebody means by a text; [`Invalid`] where it is no legal one.
    fn move_by_text(&self, position: &Entry, text: &str) -> anyhow::Result<Turn>;

    /// The outcomes of a chance node with their weights, in the game's order.
    fn outcomes(&self, position: &Entry) -> anyhow::Result<Vec<(String, u32)>>;

    /// The place among them of the one that somebody means by a text; [`Invalid`] where it is none.
    fn outcome_by_text(&self, position: &Entry, text: &str) -> anyhow::Result<usize>;

    /// Lets chance have the outcome of this place among them.
    fn resolve(&self, position: &Entry, place: usize) -> anyhow::Result<Turn>;

    /// The score of a terminal position, in steps of the grid, as the first player sees it.
    fn terminal_score(&self, position: &Entry) -> anyhow::Result<Score>;

    /// The same position as the game writes it, without what led to it.
    fn written(&self, position: &Entry) -> anyhow::Result<Entry>;

    /// The position as other programs write it, each form with its name.
    fn formats(&self, position: &Entry) -> anyhow::Result<Vec<(&'static str, String)>>;

    /// The positions of a match in which a player was to move; the text is as other programs write it.
    fn match_positions(&self, text: &str) -> Result<Vec<Entry>, Invalid>;

    /// The position as a person wants to see it.
    fn draw(&self, position: &Entry) -> anyhow::Result<String>;

    /// What there is to say of a finished game beyond its value; may be empty.
    fn result_text(&self, position: &Entry) -> anyhow::Result<String>;
}

/// A move or an outcome, made.
#[derive(Clone, Debug)]
pub struct Turn {
    /// As the game writes it.
    pub text: String,
    /// What it led to.
    pub after: Entry,
    /// Its reward, in steps of the grid, as the first player sees it.
    pub reward: Score,
}
