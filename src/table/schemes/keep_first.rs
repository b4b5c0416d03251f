//! Keep the first: what is in a slot stays there until the table is cleared; only the position itself brings
//! it up to date. Breuker, Uiterwijk and van den Herik's scheme "old" (ICCA Journal 17(4), 1994).

use super::group::{Place, Rule};
use crate::table::entry::Entry;
use crate::table::slot::Read;

#[derive(Debug)]
pub(super) struct KeepFirst;

impl Rule for KeepFirst {
    fn place(_held: &[Read], _new: &Entry) -> Place {
        Place::Nowhere
    }
}
