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
//! Both can be had together: a wrapper is a game. The evaluators of the full game serve by
//! [`OfInner`](starsplit::evaluator::OfInner). What is kept, and the seed or the evaluator that chose it, are
//! part of the game's [`identity`](starsplit::game::Game::identity), so that a table may be shared;
//! [`GameFacts::left_out`] says it in words, and so does
//! [`SearchResult::smaller_game`](starsplit::search::SearchResult::smaller_game).
//!
//! Bounds that the full game or its evaluator knows of what a search finds do not hold for the smaller one,
//! and are left out.

mod sampled;
mod top_moves;

pub use sampled::Sampled;
pub use top_moves::TopMoves;

use starsplit::game::GameFacts;

/// What a game whose positions are those of the `full` one has in common with others of its kind.
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

/// What is told of a game that leaves this out of the one of which `full` is told.
fn also(mut full: GameFacts, here: String) -> GameFacts {
    let there = full.left_out.iter().map(String::as_str);
    full.left_out = Some(there.chain([here.as_str()]).collect::<Vec<_>>().join(", "));
    full
}
