//! Positions that come again: a rule of many games without which play may go round for ever.
//!
//! Under the rule a position that was there before ends the game, with a score that the rule names. What was
//! there before is looked for back to the last irreversible move or outcome only, since nothing before that
//! can come again.
//!
//! Values then depend on the path, and a table that knows positions only would answer with values of other
//! paths (the graph-history interaction: Campbell 1985, Kishimoto and Müller 2004). Not to store what rests
//! on a repetition is not enough: a value in which no repetition was met is wrong for a path on which one
//! would have been.
//!
//! So a position carries its past, and an entry's key is made of the position and of that part of the past
//! which a search of it to its depth may meet ([`Game::hash_to_depth`]). Below a node a position ends the
//! game where it is in that part or was met below the node itself, so positions with equal keys have equal
//! values at that depth: the table is as exact as without the rule. Where no earlier position is so near, the
//! key is the plain one, and what is known is shared by all paths. The better the game knows how many plies
//! lead back ([`Returns::depth_back`]), the more is.
//!
//! | part | what for |
//! |---|---|
//! | [`Repeating`] | adds the rule to any game |
//! | [`OfInner`] | an evaluator of the game without the rule, for the game with it |
//! | [`Returns`] | what is known of how play can come back |
//! | [`Past`] | for a game that has the rule itself |
//!
//! [`Game::hash_to_depth`]: starsplit::game::Game::hash_to_depth
//! [`OfInner`]: starsplit::evaluator::OfInner

mod past;
mod repeating;

pub use past::Past;
pub use repeating::{AnyReturn, Repeating, Returns, WithPast};
