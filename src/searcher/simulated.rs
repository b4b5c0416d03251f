//! The door to simulated searches.

use super::{Searcher, verdict};
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::catch;
use crate::search::{
    Control, Iteration, Lanes, Limits, Options, OptionsError, SearchContext, SearchError, SearchResult,
};
use crate::simulate::{Schedule, Simulated, Simulation, search_virtually};
use crate::table::Table;

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// Searches `position` on as many virtual processors as the options have threads, in virtual time; see
    /// [`simulate`](crate::simulate). With one of them, and without
    /// [`Options::split_alone`](crate::search::Options::split_alone), that is the serial search.
    ///
    /// The whole of it runs on the calling thread. Limits of nodes and depth and stop flags count as always;
    /// a limit of time is one of real time.
    ///
    /// # Errors
    /// As [`search`](Searcher::search), and when the method cannot be simulated
    /// ([`MethodProperties::can_be_simulated`](crate::search::MethodProperties::can_be_simulated)), or there
    /// are lanes and no [device](Simulation::device).
    pub fn simulate(
        &self,
        position: &G::Position,
        limits: &Limits,
        simulation: &Simulation,
    ) -> Result<Simulated<G::Move, G::Outcome>, SearchError> {
        catch(|| self.options.check_for(&self.game))??;
        limits.check()?;
        let has_team = self.options.splits() || self.options.has_lanes();
        if has_team && !self.options.method.properties().can_be_simulated {
            return Err(OptionsError::NotSimulated { method: self.options.method }.into());
        }
        if simulation.device.is_none()
            && let Some(found) = self.options.lanes.filter(|&lanes| lanes > 1)
        {
            return Err(OptionsError::LanesNotSimulated { found }.into());
        }
        let control = Control::new(limits, &self.stop);
        let Simulation { costs, seed, device } = *simulation;
        let schedule = Schedule::new(costs, seed, device, &control);
        let lanes = device.map(|device| {
            let lanes = self.options.lanes.or(Some(1));
            let options = Options { lanes, device: true, ..self.options.clone() };
            Lanes::planned(&options, device.cost())
        });
        let options = lanes.map(|lanes| lanes.fix(&self.options));
        let search = self.search_context(&control);
        let search = SearchContext { options: options.as_ref().unwrap_or(&self.options), ..search };
        let watch = |iteration: &Iteration<G::Move, G::Outcome>| self.call_back(iteration);
        let (result, span) = search_virtually(search, &schedule, position, limits.depth as u8, watch)?;
        let result = SearchResult { lanes: lanes.unwrap_or(Lanes::NONE), ..result };
        let (events, charged) = (schedule.events(), schedule.work());
        Ok(Simulated { result: verdict(&control, limits, result)?, events, span, charged })
    }
}
