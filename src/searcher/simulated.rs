//! Simulated searches.

use super::prove::proven;
use super::{Searcher, verdict};
use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind};
use crate::parallel::catch;
use crate::score::Window;
use crate::search::{
    Control, Depth, Iteration, LaneOptions, Lanes, Limits, Options, OptionsError, Proof, SearchContext,
    SearchError, SearchResult, Stats, StopReason, check_limits,
};
use crate::simulate::{CostModel, Pace, Schedule, Simulated, Simulation, search_virtually};
use crate::table::Table;
use std::time::Duration;

/// Called with every completed iteration.
type Watch<'a, G> = dyn FnMut(&Iteration<<G as Game>::Move, <G as Game>::Outcome>) + 'a;

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
        let watch = &mut |iteration: &Iteration<G::Move, G::Outcome>| self.call_back(iteration);
        self.simulate_under(&control, position, limits, simulation, None, watch)
    }

    /// As [`prove`](Searcher::prove), on virtual processors as in [`simulate`](Searcher::simulate), without a
    /// device. It also returns the [work](Simulated::work) done; the times of the proof are virtual.
    ///
    /// `pace` controls how far virtual time may go. It gets the least clock of the processors and returns a
    /// later time, both in nanoseconds since the beginning, or `None` to end the search.
    ///
    /// # Errors
    /// As [`simulate`](Searcher::simulate), and where the window is empty.
    pub fn simulate_proof(
        &self,
        position: &G::Position,
        depth: u32,
        window: Window,
        simulation: &Simulation,
        pace: &dyn Fn(u64) -> Option<u64>,
    ) -> Result<(Proof, Duration), SearchError> {
        let limits = Limits::depth(depth);
        let (control, possible) = self.asking(&limits, window)?;
        if depth == 0 || catch(|| self.game.kind(position))? == NodeKind::Terminal {
            let CostModel { node, evaluation, .. } = simulation.costs;
            let elapsed = Duration::from_nanos(u64::from(node) + u64::from(evaluation));
            return Ok((Proof { elapsed, ..self.prove_leaf(&control, position)? }, elapsed));
        }
        self.check_simulation(&limits, simulation)?;
        if window.is_settled_by(possible) {
            let (stats, elapsed) = (Stats::default(), Duration::ZERO);
            let proof = Proof { bounds: possible, stats, elapsed, stopped_by: StopReason::Depth };
            return Ok((proof, elapsed));
        }
        let found = self.simulate_under(&control, position, &limits, simulation, Some(pace), &mut |_| {})?;
        let (work, result) = (found.work(), found.result);
        let SearchResult { stats, elapsed, stopped_by, .. } = result;
        Ok((Proof { bounds: proven(&result, depth, possible), stats, elapsed, stopped_by }, work))
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
        pace: Option<Pace<'_>>,
        watch: &mut Watch<'_, G>,
    ) -> Result<Simulated<G::Move, G::Outcome>, SearchError> {
        let Simulation { costs, seed, device } = *simulation;
        let schedule = Schedule::new(costs, seed, device, control);
        let schedule = match pace {
            Some(pace) => schedule.paced(pace),
            None => schedule,
        };
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
