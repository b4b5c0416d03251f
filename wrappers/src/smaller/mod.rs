//! Smaller games: pruning that is part of the game, not of the search.
//!
//! If a search leaves out moves or outcomes by what it has found, its value depends on the order of the
//! search, the table and the number of threads. If a function of the position leaves them out, this gives
//! another game, with fewer moves or outcomes. A search of that game is exact, parallel and reproducible to
//! the last bit like any other. How far its value is from the full game's must be measured.
//!
//! | wrapper | what it keeps |
//! |---|---|
//! | [`Sampled`] | some outcomes of each chance node, drawn by a hash of the position |
//! | [`TopMoves`] | the best moves of each decision node by a static evaluation |
//!
//! A wrapper is a game, so both can be combined. Evaluators of the full game serve by
//! [`OfInner`](crate::OfInner). The game's [`identity`](starsplit::game::Game::identity)
//! covers what is kept and the seed or evaluator that chose it, so games may share a table.
//! [`GameFacts::left_out`] and [`SearchResult::smaller_game`](starsplit::search::SearchResult::smaller_game)
//! say it in words.
//!
//! Bounds of values that the full game or its evaluators know do not hold for the smaller game, and are left
//! out.

mod sampled;
mod top_moves;

pub use sampled::Sampled;
pub use top_moves::TopMoves;

use starsplit::game::GameFacts;

/// The part of a [`GameWrapper`](crate::GameWrapper) that keeps the positions of the `full` game.
macro_rules! positions_are_the_full_games {
    () => {
        type Inner = G;
        type Position = G::Position;

        #[inline]
        fn inner(&self) -> &G {
            &self.full
        }

        #[inline]
        fn inner_position(position: &G::Position) -> &G::Position {
            position
        }

        #[inline]
        fn wrap(&self, _: &G::Position, _: starsplit::game::StepOf<G>, after: G::Position) -> G::Position {
            after
        }
    };
}
use positions_are_the_full_games;

/// The facts of a game that leaves `here` out of the game with facts `full`.
fn also(mut full: GameFacts, here: String) -> GameFacts {
    let there = full.left_out.iter().map(String::as_str);
    full.left_out = Some(there.chain([here.as_str()]).collect::<Vec<_>>().join(", "));
    full
}
