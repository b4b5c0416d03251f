//! Repetition: the rule of many games without which play may go on for ever.
//!
//! Under the rule a repeated position ends the game, with a score that the rule gives. Only positions since
//! the last irreversible move or outcome count, since no earlier one can recur.
//!
//! Values then depend on the path, and a table keyed by positions alone would answer with values of other
//! paths (the graph-history interaction: Campbell 1985, Kishimoto and Müller 2004). It is not enough to leave
//! out values that rest on a repetition: a value found without one is wrong for a path on which there would
//! be one.
//!
//! So a position carries its past. A table key is made from the position and that part of its past which a
//! search to its depth may meet ([`Game::hash_to_depth`]). Below a node a position ends the game if it is in
//! that part, or occurred below the node itself. So positions with equal keys have equal values at that
//! depth, and the table is as exact as without the rule. If no earlier position is so near, the key is the
//! plain one, and all paths share the entry. They share more if the game knows better how many plies lead
//! back ([`Returns::depth_back`]).
//!
//! | part | purpose |
//! |---|---|
//! | [`Repeating`] | adds the rule to any game |
//! | [`OfInner`] | an evaluator of the game without the rule, for the game with it |
//! | [`Returns`] | what is known of how play can come back |
//! | [`Past`] | for a game that has the rule itself |
//!
//! [`Game::hash_to_depth`]: starsplit::game::Game::hash_to_depth
//! [`OfInner`]: crate::OfInner

mod past;
mod repeating;

pub use past::Past;
pub use repeating::{AnyReturn, Repeating, Returns, WithPast};
