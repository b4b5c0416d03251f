//! Smaller games: pruning that is part of the game, not of the search.
//!
//! To leave out moves or outcomes in the search, by what the search has come to know, makes the value depend
//! on the order of the search, on the table and on the number of threads. To leave them out of the game, by a
//! function of the position, gives another game, with fewer moves or outcomes. A search of that one is exact,
//! parallel and reproducible to the last bit like any other; how far its value is from the full game's is a
//! question to be measured.
//!
//! | wrapper | what it keeps |
//! |---|---|
//! | [`Sampled`] | some outcomes of each chance node, drawn by a hash of the position |
//! | [`TopMoves`] | the best moves of each decision node by a static evaluation |
//!
//! Both can be had together: a wrapper is a game. The evaluators of the full game serve by [`OfFull`]. What
//! is kept, and the seed or the evaluator that chose it, are part of the game's [`identity`](Game::identity),
//! so that a table may be shared; [`Game::smaller`] says it in words, and so does
//! [`SearchResult::smaller_game`](crate::search::SearchResult::smaller_game).
//!
//! Bounds that the full game or its evaluator knows of what a search finds do not hold for the smaller one,
//! and are left out.

mod of_full;
mod sampled;
mod top_moves;

pub use of_full::OfFull;
pub use sampled::Sampled;
pub use top_moves::TopMoves;

use crate::game::Game;

/// A game that is another one with fewer moves or outcomes: same positions, same moves, same outcomes.
pub trait Smaller:
    Game<
        Position = <Self::Full as Game>::Position,
        Move = <Self::Full as Game>::Move,
        Outcome = <Self::Full as Game>::Outcome,
    >
{
    /// The other one.
    type Full: Game;

    /// The game with all its moves and outcomes.
    fn full(&self) -> &Self::Full;
}

/// What a [`Smaller`] game takes from the full one, which is its field `full`: every constant and method of
/// [`Game`] but for its identity and what has to do with which moves and outcomes there are. In the
/// implementation, `as_in_full_game!(G)`, where `G` is the type of the full game.
#[macro_export]
macro_rules! as_in_full_game {
    ($full:ident) => {
        const HAS_REWARDS: bool = $full::HAS_REWARDS;
        const HAS_OUTCOME_REWARDS: bool = $full::HAS_OUTCOME_REWARDS;
        const HAS_PLIES: bool = $full::HAS_PLIES;

        fn grid(&self) -> $crate::score::Grid {
            self.full.grid()
        }

        fn outcomes_never_end(&self) -> bool {
            self.full.outcomes_never_end()
        }

        fn saturates(&self) -> bool {
            self.full.saturates()
        }

        #[inline]
        fn kind(&self, position: &Self::Position) -> $crate::game::Kind {
            self.full.kind(position)
        }

        #[inline]
        fn player(&self, position: &Self::Position) -> $crate::game::Player {
            self.full.player(position)
        }

        #[inline]
        fn terminal_score(&self, position: &Self::Position) -> $crate::score::Score {
            self.full.terminal_score(position)
        }

        #[inline]
        fn hash(&self, position: &Self::Position) -> $crate::game::Hash {
            self.full.hash(position)
        }

        #[inline]
        fn hash_to_depth(&self, position: &Self::Position, depth: u8) -> $crate::game::Hash {
            self.full.hash_to_depth(position, depth)
        }

        fn depends_on_past(&self) -> bool {
            self.full.depends_on_past()
        }

        #[inline]
        fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position {
            self.full.play(position, mv)
        }

        #[inline]
        fn resolve(&self, position: &Self::Position, outcome: Self::Outcome) -> Self::Position {
            self.full.resolve(position, outcome)
        }

        #[inline]
        fn move_reward(
            &self,
            position: &Self::Position,
            mv: Self::Move,
            after: &Self::Position,
        ) -> $crate::score::Score {
            self.full.move_reward(position, mv, after)
        }

        #[inline]
        fn outcome_reward(
            &self,
            position: &Self::Position,
            outcome: Self::Outcome,
            after: &Self::Position,
        ) -> $crate::score::Score {
            self.full.outcome_reward(position, outcome, after)
        }

        #[inline]
        fn move_plies(&self, position: &Self::Position, mv: Self::Move, after: &Self::Position) -> u8 {
            self.full.move_plies(position, mv, after)
        }

        #[inline]
        fn outcome_plies(
            &self,
            position: &Self::Position,
            outcome: Self::Outcome,
            after: &Self::Position,
        ) -> u8 {
            self.full.outcome_plies(position, outcome, after)
        }

        fn move_slots(&self) -> usize {
            self.full.move_slots()
        }

        #[inline]
        fn move_slot(&self, mv: Self::Move) -> usize {
            self.full.move_slot(mv)
        }

        fn full_depth(&self, position: &Self::Position) -> Option<u32> {
            self.full.full_depth(position)
        }

        fn depth_step(&self) -> u8 {
            self.full.depth_step()
        }

        fn move_text(&self, position: &Self::Position, mv: Self::Move) -> String {
            self.full.move_text(position, mv)
        }

        fn outcome_text(&self, position: &Self::Position, outcome: Self::Outcome) -> String {
            self.full.outcome_text(position, outcome)
        }
    };
}

/// What is left out here, after what the full game leaves out already.
fn also(full: &impl Game, here: String) -> Option<String> {
    Some(match full.smaller() {
        Some(there) => format!("{there}, {here}"),
        None => here,
    })
}
