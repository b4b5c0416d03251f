//! The outcomes of a chance root, each with its own value.

use super::Searcher;
use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind, StepOf};
use crate::parallel::catch;
use crate::score::{Bounds, Window};
use crate::search::{
    Limits, MAX_DEPTH, OptionsError, Proof, RootOutcome, SearchError, TO_THE_END, check_limits, value_for_max,
};
use crate::sharing::{Successor, successors};
use crate::table::Table;
use crate::time::Instant;
use std::time::Duration;

/// An outcome of this game.
type OutcomeOf<G> = RootOutcome<<G as Game>::Move, <G as Game>::Outcome>;

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// The outcomes of `position`, a chance node, in the game's order: each with its value and the best play
    /// after it. Their mean, by weight, is the value of the position at this depth.
    ///
    /// Each outcome is a search of its own, to what the position's depth leaves it, and all of them are
    /// searched to one depth after another, like a position. After a search of the position itself that takes
    /// few nodes, while the table still has its entries. The limits are those of all searches together; the
    /// last depth that all outcomes were searched to is told.
    ///
    /// # Errors
    /// As [`search`](Searcher::search), and where the position is no chance node.
    ///
    /// # Examples
    /// ```
    /// # #[path = "../../examples/pig.rs"]
    /// # mod pig;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use starsplit::Searcher;
    /// # use starsplit::evaluator::Constant;
    /// # use starsplit::game::Game;
    /// # use starsplit::search::Limits;
    /// # use pig::under_way;
    /// # let (game, position) = under_way();
    /// let mut moves = Vec::new();
    /// game.moves(&position, |mv| moves.push(mv));
    /// let rolled = game.play(&position, moves[0]); // the die is cast next
    /// let searcher = Searcher::builder(game, Constant::default()).limits(Limits::depth(6)).build()?;
    /// let result = searcher.search(&rolled)?;
    /// let outcomes = searcher.outcomes(&rolled, searcher.limits())?;
    /// let total: f64 = outcomes.iter().map(|one| f64::from(one.weight)).sum();
    /// let mean: f64 = outcomes.iter().map(|one| f64::from(one.weight) / total * one.value).sum();
    /// assert!((mean - result.value).abs() < 1e-6);
    /// # Ok(())
    /// # }
    /// ```
    pub fn outcomes(
        &self,
        position: &G::Position,
        limits: &Limits,
    ) -> Result<Vec<OutcomeOf<G>>, SearchError> {
        catch(|| self.outcomes_within(position, limits))?
    }

    fn outcomes_within(
        &self,
        position: &G::Position,
        limits: &Limits,
    ) -> Result<Vec<OutcomeOf<G>>, SearchError> {
        check_limits(limits)?;
        let facts = self.game.facts();
        let step = match limits.depth {
            TO_THE_END => TO_THE_END,
            _ => u32::from(facts.depth_step.max(1)),
        };
        let mut left = limits.clone();
        // Nothing is known of their values.
        let unknown = Bounds::unknown(facts.grid.limit());
        let told = |(outcome, weight, _)| self.told(position, (outcome, weight), 0, unknown, Vec::new());
        let mut told: Vec<_> = outcomes(&self.game, position, 1)?.into_iter().map(told).collect();
        // Depth by depth, as iterations are: the last is the one that is asked for.
        for depth in ((limits.depth - 1) % step + 1..=limits.depth).step_by(step as usize) {
            match self.outcomes_to(position, depth, &mut left)? {
                Some(round) => told = round,
                None => break,
            }
        }
        Ok(told)
    }

    /// The outcomes with their values at this depth of the position; `None` where a limit ends the search.
    fn outcomes_to(
        &self,
        position: &G::Position,
        depth: u32,
        left: &mut Limits,
    ) -> Result<Option<Vec<OutcomeOf<G>>>, SearchError> {
        let mut round = Vec::new();
        let limit = self.game.facts().grid.limit();
        for (outcome, weight, successor) in outcomes(&self.game, position, depth)? {
            let Some((below, pv)) = self.after(&successor, left)? else { return Ok(None) };
            let bounds = successor.edge.worth(below, limit);
            round.push(self.told(position, (outcome, weight), depth, bounds, pv));
        }
        Ok(Some(round))
    }

    /// An outcome as it is told. The bounds are for the position's player.
    fn told(
        &self,
        position: &G::Position,
        (outcome, weight): (G::Outcome, u32),
        depth: u32,
        bounds: Bounds,
        pv: Vec<StepOf<G>>,
    ) -> OutcomeOf<G> {
        let value = if depth == 0 { f64::NAN } else { value_for_max(&self.game, position, bounds) };
        RootOutcome { outcome, weight, depth, bounds, value, pv }
    }

    /// Searches the position after an outcome to its depth, and takes what it took off the limits. Its bounds
    /// for its own player, and its principal variation; `None` where a limit ended the search.
    fn after(
        &self,
        successor: &Successor<G::Position>,
        left: &mut Limits,
    ) -> Result<Option<Found<G>>, SearchError> {
        let is_stopped = self.stop.is_raised() || left.stop.is_raised();
        if is_stopped || left.nodes == Some(0) || left.time == Some(Duration::ZERO) {
            return Ok(None);
        }
        let (began, position) = (Instant::now(), &successor.position);
        let depth = if left.depth == TO_THE_END { TO_THE_END } else { successor.depth.into() };
        let is_leaf = depth == 0 || self.game.kind(position) == NodeKind::Terminal;
        let (bounds, pv, nodes, is_whole) = if is_leaf {
            let window = Window::full(self.game.facts().grid.limit());
            let Proof { bounds, stats, .. } = self.prove(position, 0, window, left)?;
            (bounds, Vec::new(), stats.nodes.total(), bounds.is_exact())
        } else {
            let found = self.ask(position).limits(Limits { depth, ..left.clone() }).search()?;
            (found.bounds, found.pv, found.stats.nodes.total(), found.depth == depth)
        };
        left.nodes = left.nodes.map(|most| most.saturating_sub(nodes));
        left.time = left.time.map(|time| time.saturating_sub(began.elapsed()));
        Ok(is_whole.then_some((bounds, pv)))
    }
}

/// What was found of a position: bounds for its own player, and its principal variation.
type Found<G> = (Bounds, Vec<StepOf<G>>);

/// An outcome, its weight and its position.
type Weighted<G> = (<G as Game>::Outcome, u32, Successor<<G as Game>::Position>);

/// The outcomes of a chance node at this depth, with their weights and positions.
fn outcomes<G: Game>(game: &G, position: &G::Position, depth: u32) -> Result<Vec<Weighted<G>>, SearchError> {
    let kind = game.kind(position);
    if kind != NodeKind::Chance {
        let found = format!("of a {kind:?} node");
        return Err(OptionsError::new("outcomes", found, "expected a chance node").into());
    }
    let mut weights = Vec::new();
    game.outcomes(position, |outcome, weight| weights.push((outcome, weight)));
    let all = successors(game, position, depth.min(MAX_DEPTH) as u8)?;
    Ok(weights.into_iter().zip(all).map(|((outcome, weight), after)| (outcome, weight, after)).collect())
}
