//! Simulated searches.

use super::{SearchRequest, verdict};
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::search::{Logs, OptionsError, SearchContext, SearchError, catch, root_depth};
use crate::simulate::{Schedule, Simulated, Simulation, search_virtually};
use crate::table::Table;

impl<G: Game, E: Evaluator<G>, T: Table, W> SearchRequest<'_, G, E, T, W> {
    /// Searches in virtual time, on as many virtual processors as the options have threads; see
    /// [`simulate`](crate::simulate). One processor without
    /// [`Splits::alone`](crate::search::Splits::alone) runs the serial search.
    ///
    /// The simulation runs on the calling thread. Node limits, depth limits and stop flags apply as always; a
    /// time limit is one of real time. No iteration is told.
    ///
    /// # Errors
    /// As [`search`](SearchRequest::search); when the method
    /// [uses the whole pool](crate::search::Method::uses_whole_pool); and when there are several lanes.
    pub fn simulate(self, simulation: &Simulation) -> Result<Simulated<G::Move, G::Outcome>, SearchError> {
        catch(move || self.simulated(simulation))?
    }

    fn simulated(self, simulation: &Simulation) -> Result<Simulated<G::Move, G::Outcome>, SearchError> {
        self.check()?;
        self.check_simulation()?;
        let (searcher, position) = (self.searcher, self.position);
        let control = self.begin()?;
        let schedule = Schedule::new(simulation.costs, simulation.seed, &control);
        let options = self.options.for_game(&searcher.game.facts());
        let root_moves = self.asked_moves();
        let logs = Logs::new(options.telemetry.tree);
        let search =
            SearchContext { root_moves, logs: logs.as_ref(), ..searcher.search_context(&control, &options) };
        let depth = root_depth(&searcher.game, position, &self.limits)?;
        let (mut result, span) = search_virtually(search, &schedule, position, depth, Box::new(|_| {}))?;
        result.tree = logs.map(|logs| logs.into_tree(searcher.game(), control.is_to_the_end()));
        Ok(Simulated { result: verdict(&control, &self.limits, result)?, events: schedule.events(), span })
    }

    fn check_simulation(&self) -> Result<(), SearchError> {
        let options = &self.options;
        if options.is_parallel() && options.method.uses_whole_pool() {
            let complaint = "expected one that can be simulated";
            return Err(OptionsError::new("method", options.method, complaint).into());
        }
        if let Some(found) = options.lanes.count.filter(|&lanes| lanes > 1) {
            return Err(OptionsError::new("lanes", found, "expected 1 in a simulated search").into());
        }
        Ok(())
    }
}
