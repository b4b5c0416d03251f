//! The tests of the games, in one program: searches of them are compiled once.

mod abalone;
mod abalone_repetition;
mod backgammon;
mod dice;
mod dice_keeps_the_rules;
mod einstein;
mod erased;
mod evaluator_bounds;
mod examples_of_positions;
mod forgotten;
mod formats;
#[path = "../../testkit/tests/games/mod.rs"]
mod games;
mod known_game;
mod matches;
mod mirrors;
mod mutations;
mod own;
mod pig;
mod readers;
mod recurrence;
mod saturation;
mod shares;
mod signature;
mod twenty48;
mod twenty48_search;
