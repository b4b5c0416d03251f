//! Simulated searches.

use super::{Searcher, Watch, verdict};
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::catch;
use crate::search::{
    Control, Depth, Iteration, LaneOptions, Lanes, Limits, Options, OptionsError, SearchContext, SearchError,
    SearchResult, check_limits,
};
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
    /// As [`search`](Searcher::search); when the method cannot be simulated
    /// ([`MethodProperties::can_be_simulated`](crate::search::MethodProperties::can_be_simulated)); and when
    /// there are lanes but no [device](Simulation::device).
    pub fn simulate(
        &self,
        position: &G::Position,
        limits: &Limits,
        simulation: &Simulation,
    ) -> Result<Simulated<G::Move, G::Outcome>, SearchError> {
        self.check_simulation(limits, simulation)?;
        let control = Control::new(limits, &self.stop);
        let watch = Box::new(|iteration: &Iteration<G::Move, G::Outcome>| self.call_back(iteration));
        self.simulate_under(&control, position, limits, simulation, watch)
    }

    fn check_simulation(&self, limits: &Limits, simulation: &Simulation) -> Result<(), SearchError> {
        catch(|| self.options.check_for(&self.game))??;
        check_limits(limits)?;
        let has_team = self.options.splits() || self.options.has_lanes();
        if has_team && !self.options.method.properties().can_be_simulated {
            let complaint = "expected one that can be simulated";
            return Err(OptionsError::new("method", self.options.method, complaint).into());
        }
        if simulation.device.is_none()
            && let Some(found) = self.options.lanes.count.filter(|&lanes| lanes > 1)
        {
            let complaint = "expected 1 in a simulated search without a device";
            return Err(OptionsError::new("lanes", found, complaint).into());
        }
        Ok(())
    }

    fn simulate_under(
        &self,
        control: &Control,
        position: &G::Position,
        limits: &Limits,
        simulation: &Simulation,
        watch: Watch<'_, G>,
    ) -> Result<Simulated<G::Move, G::Outcome>, SearchError> {
        let Simulation { costs, seed, device } = *simulation;
        let schedule = Schedule::new(costs, seed, device, control);
        let lanes = device.map(|device| {
            let count = self.options.lanes.count.or(Some(1));
            let lanes = LaneOptions { count, device: true, ..self.options.lanes };
            Lanes::planned(&Options { lanes, ..self.options.clone() }, device.cost())
        });
        let options = lanes.map(|lanes| lanes.fix(&self.options));
        let search = self.search_context(control);
        let search = SearchContext { options: options.as_ref().unwrap_or(&self.options), ..search };
        let (result, span) = search_virtually(search, &schedule, position, limits.depth as Depth, watch)?;
        let result = SearchResult { lanes: lanes.unwrap_or(Lanes::NONE), ..result };
        let (events, charged) = (schedule.events(), schedule.work());
        Ok(Simulated { result: verdict(control, limits, result)?, events, span, charged })
    }
}
