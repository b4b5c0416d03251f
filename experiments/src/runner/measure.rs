//! One timed search.

use crate::records::measured::Measured;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit::search::{Limits, SearchError};
use starsplit::table::Table;
use std::time::Instant;

/// Clears the table, which touches every page of it, and then searches and takes the time of the search alone.
///
/// # Errors
/// Whatever ends the search with an error.
pub fn measure<G, E, T>(
    searcher: &Searcher<G, E, T>,
    position: &G::Position,
    limits: &Limits,
) -> Result<Measured, SearchError>
where
    G: Game,
    E: Evaluator<G>,
    T: Table,
{
    searcher.table().clear(searcher.options().threads);
    let start = Instant::now();
    let result = searcher.search_within(position, limits)?;
    Ok(Measured::new(searcher.game(), searcher.options(), &result, start.elapsed()))
}
