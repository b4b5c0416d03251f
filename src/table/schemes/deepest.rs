//! Keep the deepest, one entry a place, as in the table of Eppstein's lecture, which has one entry with one
//! depth and looks for entries of at least the depth in hand.
//!
//! `Deepest` keeps what is there unless the new entry is deeper. `Deep`, Breuker, Uiterwijk and van den
//! Herik's scheme of that name (ICCA Journal 17(4), 1994), gives way to one as deep, too. That is all the
//! difference, and near the leaves, where most entries are, it is that between the last and the first.

use super::group::{Place, Rule};
use crate::table::entry::Entry;
use crate::table::slot::Read;

#[derive(Debug)]
pub(super) struct Deepest;

impl Rule for Deepest {
    fn place(held: &[Read], new: &Entry) -> Place {
        if new.depth() > held[0].depth() { Place::Slot(0) } else { Place::Nowhere }
    }
}

#[derive(Debug)]
pub(super) struct Deep;

impl Rule for Deep {
    fn place(held: &[Read], new: &Entry) -> Place {
        if new.depth() >= held[0].depth() { Place::Slot(0) } else { Place::Nowhere }
    }
}
