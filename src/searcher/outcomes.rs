//! The outcomes of a chance root, each with its own value.

use super::Searcher;
use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind, Step};
use crate::parallel::catch;
use crate::score::{Bounds, Window};
use crate::search::{Limits, OptionsError, Proof, RootOutcome, SearchError, check_limits, value_for_max};
use crate::sharing::{Successor, successors};
use crate::table::Table;
use std::time::Instant;

/// An outcome of this game.
type OutcomeOf<G> = RootOutcome<<G as Game>::Move, <G as Game>::Outcome>;

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// The outcomes of `position`, a chance node, in the game's order: each with its value and the best play
    /// after it. Their mean, by weight, is the value of the position at this depth.
    ///
    /// Each outcome is a search of its own, to what the position's depth leaves it. After a search of the
    /// position itself that takes few nodes, while the table still has its entries. The limits are those of
    /// all outcomes together; an outcome that they leave out has bounds that say nothing.
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
        check_limits(limits)?;
        let limit = catch(|| self.game.facts().grid.limit())?;
        let (mut left, mut found) = (Some(limits.clone()), Vec::new());
        for (outcome, weight, successor) in catch(|| outcomes(&self.game, position, limits.depth))?? {
            let began = Instant::now();
            let after = match &left {
                Some(left) => self.after(&successor, left)?,
                None => After { bounds: Bounds::unknown(limit), pv: Vec::new(), nodes: 0, is_whole: false },
            };
            left = left.filter(|_| after.is_whole).map(|left| less(left, after.nodes, began));
            let (bounds, value) = catch(|| {
                let bounds = successor.edge.worth(after.bounds, limit);
                (bounds, value_for_max(&self.game, position, bounds))
            })?;
            found.push(RootOutcome { outcome, weight, bounds, value, pv: after.pv });
        }
        Ok(found)
    }

    /// Searches the position after an outcome.
    fn after(
        &self,
        successor: &Successor<G::Position>,
        left: &Limits,
    ) -> Result<After<G::Move, G::Outcome>, SearchError> {
        let Successor { position, depth, .. } = successor;
        let depth = u32::from(*depth);
        if depth == 0 || catch(|| self.game.kind(position))? == NodeKind::Terminal {
            let window = Window::full(catch(|| self.game.facts().grid.limit())?);
            let Proof { bounds, stats, .. } = self.prove(position, 0, window, left)?;
            let (nodes, is_whole) = (stats.nodes.total(), bounds.is_exact());
            return Ok(After { bounds, pv: Vec::new(), nodes, is_whole });
        }
        let found = self.ask(position).limits(Limits { depth, ..left.clone() }).search()?;
        let is_whole = found.depth == depth;
        let bounds = if is_whole { found.bounds } else { Bounds::unknown(self.game.facts().grid.limit()) };
        Ok(After { bounds, pv: found.pv, nodes: found.stats.nodes.total(), is_whole })
    }
}

/// What was found of the position after an outcome.
struct After<M, O> {
    /// For its own player.
    bounds: Bounds,
    pv: Vec<Step<M, O>>,
    nodes: u64,
    /// Whether it was searched to its depth.
    is_whole: bool,
}

/// What these limits leave after so many nodes, and the time since `began`.
fn less(limits: Limits, nodes: u64, began: Instant) -> Limits {
    Limits {
        nodes: limits.nodes.map(|most| most.saturating_sub(nodes)),
        time: limits.time.map(|time| time.saturating_sub(began.elapsed())),
        ..limits
    }
}

/// An outcome, its weight and its position.
type Weighted<G> = (<G as Game>::Outcome, u32, Successor<<G as Game>::Position>);

/// The outcomes of a chance node at this depth, with their weights and positions.
fn outcomes<G: Game>(game: &G, position: &G::Position, depth: u32) -> Result<Vec<Weighted<G>>, SearchError> {
    let kind = game.kind(position);
    if kind != NodeKind::Chance {
        let found = format_args!("of a {kind:?} node");
        return Err(OptionsError::new("outcomes", found, "expected a chance node").into());
    }
    let mut weights = Vec::new();
    game.outcomes(position, |outcome, weight| weights.push((outcome, weight)));
    let all = successors(game, position, depth as u8)?;
    Ok(weights.into_iter().zip(all).map(|((outcome, weight), after)| (outcome, weight, after)).collect())
}
