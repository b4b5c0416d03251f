//! Keep the biggest: the entry whose search took most nodes (Breuker, Uiterwijk and van den Herik's schemes
//! "big1" and "bigall", ICCA Journal 17(4), 1994). A subtree that the table settled counts one node for
//! "big1", and for "bigall" as many as its entry says. Sizes are kept in half-octaves, so that "bigger" is by
//! a factor of 1.5; equal ones give way to the new.
//!
//! A worker counts what it has searched itself: what others helped with is missing from sizes, which then
//! only choose another entry to keep.

use super::group::{Place, Rule};
use crate::table::Weighs;
use crate::table::entry::Entry;
use crate::table::slot::Read;

#[derive(Debug)]
pub(super) struct Big1;

impl Rule for Big1 {
    const WEIGHS: Weighs = Weighs::Nodes;

    fn place(held: &[Read], new: &Entry) -> Place {
        by_size(held, new)
    }
}

#[derive(Debug)]
pub(super) struct BigAll;

impl Rule for BigAll {
    const WEIGHS: Weighs = Weighs::NodesAndTransposed;

    fn place(held: &[Read], new: &Entry) -> Place {
        by_size(held, new)
    }
}

fn by_size(held: &[Read], new: &Entry) -> Place {
    if new.generation >= held[0].generation() { Place::Slot(0) } else { Place::Nowhere }
}
