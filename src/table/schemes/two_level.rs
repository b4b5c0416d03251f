//! Two levels: the first entry of a pair is the deepest or the biggest, the second whatever came last
//! (Breuker, Uiterwijk and van den Herik, "Replacement schemes and two-level tables", ICCA Journal 19(3),
//! 1996; the two-level table of Schaeffer's lecture). A new entry that is as deep or as big as the first
//! takes its place, and the first goes down to the second; any other takes the second.

use super::group::{Place, Rule};
use crate::table::Weighs;
use crate::table::entry::Entry;
use crate::table::slot::Read;

#[derive(Debug)]
pub(super) struct TwoDeep;

impl Rule for TwoDeep {
    fn place(held: &[Read], new: &Entry) -> Place {
        if new.depth() >= held[0].depth() { Place::Down } else { Place::Slot(1) }
    }
}

#[derive(Debug)]
pub(super) struct TwoBig1;

impl Rule for TwoBig1 {
    const WEIGHS: Weighs = Weighs::Nodes;

    fn place(held: &[Read], new: &Entry) -> Place {
        if new.generation >= held[0].generation() { Place::Down } else { Place::Slot(1) }
    }
}
