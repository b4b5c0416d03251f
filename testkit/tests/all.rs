//! The tests of the test kit, in one program: it passes what is right, and finds what is wrong.

mod bounds;
mod contracts;
mod dark_chess;
mod defaults;
#[path = "../../tests/common/erased.rs"]
#[allow(dead_code)] // what ignores outcomes and what carries states serve others
mod erased;
mod games;
mod meetings;
mod mirror;
#[path = "../../tests/common/oracle.rs"]
#[allow(dead_code)] // its tests and its short form serve others
mod oracle;
mod plies;
#[path = "../../tests/common/promising.rs"]
#[allow(dead_code)] // how often it was asked is for others to know
mod promising;
mod report;
mod rewards;
