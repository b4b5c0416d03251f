//! Always replace: what is stored last stands. Breuker, Uiterwijk and van den Herik's scheme "new"
//! ("Replacement schemes for transposition tables", ICCA Journal 17(4), 1994), and what the pseudo-code of
//! Eppstein's lecture on hashing does.

use super::group::{Place, Rule};
use crate::table::entry::Entry;
use crate::table::slot::Read;

#[derive(Debug)]
pub(super) struct Always;

impl Rule for Always {
    fn place(_held: &[Read], _new: &Entry) -> Place {
        Place::Slot(0)
    }
}
