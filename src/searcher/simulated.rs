//! Simulated searches.

use super::{Searcher, verdict};
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::search::catch;
use crate::search::{Control, Limits, OptionsError, SearchError, root_depth};
use crate::simulate::{Schedule, Simulated, Simulation, search_virtually};
use crate::table::Table;

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// Searches `position` in virtual time, on as many virtual processors as the options have threads; see
    /// [`simulate`](crate::simulate). One processor without
    /// [`Splits::alone`](crate::search::Splits::alone) runs the serial search.
    ///
    /// The simulation runs on the calling thread. Node limits, depth limits and stop flags apply as always; a
    /// time limit is one of real time.
    ///
    /// # Errors
    /// As [`search`](Searcher::search); when the method
    /// [uses the whole pool](crate::search::Method::uses_whole_pool); and when there are several lanes.
    pub fn simulate(
        &self,
        position: &G::Position,
        limits: &Limits,
        simulation: &Simulation,
    ) -> Result<Simulated<G::Move, G::Outcome>, SearchError> {
        catch(|| self.simulated(position, limits, simulation))?
    }

    fn simulated(
        &self,
        position: &G::Position,
        limits: &Limits,
        simulation: &Simulation,
    ) -> Result<Simulated<G::Move, G::Outcome>, SearchError> {
        self.check_simulation(limits)?;
        let control = Control::new(limits, &self.stop);
        let schedule = Schedule::new(simulation.costs, simulation.seed, &control);
        let options = self.options.for_game(&self.game.facts());
        let search = self.search_context(&control, &options);
        let depth = root_depth(&self.game, position, limits)?;
        let (result, span) = search_virtually(search, &schedule, position, depth, Box::new(|_| {}))?;
        Ok(Simulated { result: verdict(&control, limits, result)?, events: schedule.events(), span })
    }

    fn check_simulation(&self, limits: &Limits) -> Result<(), SearchError> {
        self.check(&self.options, limits)?;
        if self.options.splits() && self.options.method.uses_whole_pool() {
            let complaint = "expected one that can be simulated";
            return Err(OptionsError::new("method", self.options.method, complaint).into());
        }
        if let Some(found) = self.options.lanes.count.filter(|&lanes| lanes > 1) {
            return Err(OptionsError::new("lanes", found, "expected 1 in a simulated search").into());
        }
        Ok(())
    }
}
