//! Which entry of a group gives way, a rule for each scheme.

use crate::entry::Entry;
use crate::group::{Place, Rule};

/// Always replace: what is stored last stands. Breuker, Uiterwijk and van den Herik's scheme "new"
/// ("Replacement schemes for transposition tables", ICCA Journal 17(4), 1994), and what the pseudo-code of
/// Eppstein's lecture on hashing does.
#[derive(Debug)]
pub(crate) struct Always;

impl Rule for Always {
    fn place(_first: &Entry, _new: &Entry) -> Place {
        Place::At(0)
    }
}

/// Keep the first: what is there stays until the table is cleared; only the position itself brings it up to
/// date. Their scheme "old".
#[derive(Debug)]
pub(crate) struct KeepFirst;

impl Rule for KeepFirst {
    fn place(_first: &Entry, _new: &Entry) -> Place {
        Place::Nowhere
    }
}

/// Keep what is there unless the new entry is deeper, one entry a place, as in the table of Eppstein's
/// lecture, which has one entry with one depth and looks for entries of at least the depth in hand.
#[derive(Debug)]
pub(crate) struct Deepest;

impl Rule for Deepest {
    fn place(first: &Entry, new: &Entry) -> Place {
        if new.depth() > first.depth() { Place::At(0) } else { Place::Nowhere }
    }
}

/// The same, but what is there gives way to an entry as deep, too: Breuker, Uiterwijk and van den Herik's
/// scheme "deep". Near the leaves, where most entries are, that is the difference between the last and the
/// first.
#[derive(Debug)]
pub(crate) struct Deep;

impl Rule for Deep {
    fn place(first: &Entry, new: &Entry) -> Place {
        if new.depth() >= first.depth() { Place::At(0) } else { Place::Nowhere }
    }
}

/// One entry with a bit that says whether it was found by a look-up since it was stored (Papadopoulos,
/// Toumpas, Chrysopoulos and Mitkas, "Exploring optimization strategies in board game Abalone for alpha-beta
/// search", IEEE CIG 2012, as Deshpande, Peshave and Prakash describe it).
///
/// What becomes of the bit at a collision they do not say. Here an entry that was used survives one
/// collision, which takes its bit: a second chance, as in the clock algorithm of paging.
#[derive(Debug)]
pub(crate) struct ReferenceBit;

impl Rule for ReferenceBit {
    const USED: u8 = 1;

    fn place(first: &Entry, _new: &Entry) -> Place {
        if first.note == Self::USED { Place::Unmarked } else { Place::At(0) }
    }
}

/// Two levels: the first entry of a pair is the deepest, the second whatever came last (Breuker, Uiterwijk
/// and van den Herik, "Replacement schemes and two-level tables", ICCA Journal 19(3), 1996; the two-level
/// table of Schaeffer's lecture). A new entry that is as deep as the first takes its place, and the first
/// goes down to the second; any other takes the second.
#[derive(Debug)]
pub(crate) struct TwoDeep;

impl Rule for TwoDeep {
    fn place(first: &Entry, new: &Entry) -> Place {
        if new.depth() >= first.depth() { Place::Down } else { Place::At(1) }
    }
}
