//! Games written for the tests.
#![allow(dead_code, reason = "each test program takes only a part of it")]

#[path = "../../../examples/dark-chess/src/dark_chess.rs"]
pub(crate) mod dark_chess;
pub(crate) mod forgetful;
pub(crate) mod ur;
