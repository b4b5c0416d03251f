//! One entry with a bit that says whether it was found by a look-up since it was stored (Papadopoulos,
//! Toumpas, Chrysopoulos and Mitkas, "Exploring optimization strategies in board game Abalone for alpha-beta
//! search", IEEE CIG 2012, as Deshpande, Peshave and Prakash describe it).
//!
//! What becomes of the bit at a collision they do not say. Here an entry that was used survives one
//! collision, which takes its bit: a second chance, as in the clock algorithm of paging.

use super::group::{Place, Rule};
use crate::table::entry::Entry;
use crate::table::slot::Read;

#[derive(Debug)]
pub(super) struct ReferenceBit;

const USED: u8 = 1;

impl Rule for ReferenceBit {
    fn used(_note: u8) -> u8 {
        USED
    }

    fn place(held: &[Read], _new: &Entry) -> Place {
        if held[0].generation() == USED { Place::Noted(0) } else { Place::Slot(0) }
    }
}
