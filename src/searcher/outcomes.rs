//! The outcomes of a chance root, each with its own value.

use super::SearchRequest;
use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind, StepOf};
use crate::score::{Bounds, Window};
use crate::search::catch;
use crate::search::{
    Control, MAX_DEPTH, OptionsError, RootOutcome, SearchDepth, SearchError, StopReason, reported_depth,
    root_depth, value_for_max,
};
use crate::sharing::{Successor, successors};
use crate::table::Table;
use crate::time::Instant;

/// An outcome of this game.
type RootOutcomeOf<G> = RootOutcome<<G as Game>::Move, <G as Game>::Outcome>;

impl<G: Game, E: Evaluator<G>, T: Table, W> SearchRequest<'_, G, E, T, W> {
    /// The outcomes of the position, a chance node, in the game's order: each with its value and the best
    /// play after it. Their mean, by weight, is the value of the position at this depth.
    ///
    /// Each outcome is a search of its own, to what the position's depth leaves it, and all of them are
    /// searched to one depth after another, like a position. After a search of the position itself that takes
    /// few nodes, while the table still has its entries. The limits are those of all searches together; the
    /// last depth that all outcomes were searched to is told.
    ///
    /// # Errors
    /// As [`search`](SearchRequest::search), and where the position is no chance node.
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
    /// let outcomes = searcher.request(&rolled).outcomes()?;
    /// let total: f64 = outcomes.iter().map(|one| f64::from(one.weight)).sum();
    /// let mean: f64 = outcomes.iter().map(|one| f64::from(one.weight) / total * one.value).sum();
    /// assert!((mean - result.value).abs() < 1e-6);
    /// # Ok(())
    /// # }
    /// ```
    pub fn outcomes(self) -> Result<Vec<RootOutcomeOf<G>>, SearchError> {
        catch(move || self.outcome_values())?
    }

    fn outcome_values(self) -> Result<Vec<RootOutcomeOf<G>>, SearchError> {
        let (game, position) = (&self.searcher.game, self.position);
        self.check()?;
        // Nothing is known of their values.
        let unknown = Bounds::unknown(game.facts().grid.limit());
        let not_searched = |(outcome, weight, _)| {
            let value = f64::NAN;
            RootOutcome { outcome, weight, depth: 0, bounds: unknown, value, pv: Vec::new() }
        };
        let mut values: Vec<_> = outcomes(game, position, 1)?.into_iter().map(not_searched).collect();
        let control = self.begin()?;
        // Depth by depth, as iterations are: the last is the one that is asked for.
        for depth in self.rounds() {
            match self.outcomes_to(depth, &control)? {
                Some(round) => values = round,
                None => break,
            }
        }
        Ok(values)
    }

    /// The depths of the position to which all outcomes are searched, one after another.
    fn rounds(&self) -> Vec<SearchDepth> {
        let SearchDepth::Plies(last) = self.limits.depth else { return vec![SearchDepth::ToTheEnd] };
        let step = u32::from(self.searcher.game.facts().depth_step.max(1));
        ((last - 1) % step + 1..=last).step_by(step as usize).map(SearchDepth::Plies).collect()
    }

    /// The outcomes with their values at this depth of the position; `None` where a limit ends the search.
    fn outcomes_to(
        &self,
        asked: SearchDepth,
        control: &Control,
    ) -> Result<Option<Vec<RootOutcomeOf<G>>>, SearchError> {
        let (game, position, mut round) = (&self.searcher.game, self.position, Vec::new());
        let limit = game.facts().grid.limit();
        let depth = match asked {
            SearchDepth::Plies(plies) => plies,
            SearchDepth::ToTheEnd => reported_depth(root_depth(game, position, &self.limits)?, true),
        };
        for (outcome, weight, successor) in outcomes(game, position, depth)? {
            let plies = match asked {
                SearchDepth::Plies(_) => SearchDepth::Plies(successor.depth.into()),
                SearchDepth::ToTheEnd => asked,
            };
            let Some((below, pv)) = self.after(&successor, plies, control)? else { return Ok(None) };
            let bounds = successor.edge.worth(below, limit);
            let value = value_for_max(game, position, bounds);
            round.push(RootOutcome { outcome, weight, depth, bounds, value, pv });
        }
        Ok(Some(round))
    }

    /// Searches the position after an outcome to its depth. Its bounds for its own player, and its principal
    /// variation; `None` where a limit ended the search.
    fn after(
        &self,
        successor: &Successor<G::Position>,
        depth: SearchDepth,
        control: &Control,
    ) -> Result<Option<SearchedOutcome<G>>, SearchError> {
        if control.check(0, Instant::now()) {
            return Ok(None);
        }
        let (game, position) = (&self.searcher.game, &successor.position);
        let is_leaf = depth == SearchDepth::Plies(0) || game.kind(position) == NodeKind::Terminal;
        let depth = if is_leaf { SearchDepth::Plies(0) } else { depth };
        let part = self.part(position, depth, control.running.clone());
        if is_leaf {
            let proof = part.prove(Window::full(game.facts().grid.limit()))?;
            return Ok(proof.bounds.is_exact().then(|| (proof.bounds, Vec::new())));
        }
        let found = part.search()?;
        Ok((found.stopped_by == StopReason::Depth).then_some((found.bounds, found.pv)))
    }
}

/// A position's bounds for its own player, and its principal variation.
type SearchedOutcome<G> = (Bounds, Vec<StepOf<G>>);

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
