//! One timed search.

use crate::question::door::{AnySearcher, Entry};
use crate::records::measured::Measured;
use starsplit::search::Limits;
use starsplit::table::Table;

/// Clears the table, which touches every page of it, and then searches and takes the time of the search
/// alone.
///
/// # Errors
/// Whatever ends the search with an error.
pub fn measure(searcher: &dyn AnySearcher, position: &Entry, limits: &Limits) -> anyhow::Result<Measured> {
    searcher.table().clear(searcher.options().threads);
    let timed = searcher.search(position, limits, &mut |_| {})?;
    let measured = Measured::new(searcher.grid(), searcher.options(), &timed.answer, timed.wall());
    Ok(measured.with_table(searcher.table()))
}
