//! Whole principal variations.

use super::Searcher;
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::search::catch;
use crate::search::{
    Control, Limits, Options, PrincipalVariation, SearchError, SearchResult, Stats, StopReason, root_depth,
    searched_pv,
};
use crate::table::Table;

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// The principal variation of `result`, from the root to the result's depth or the end of the game. At a
    /// decision root it begins with the result's best move. Every other decision node has a best move for its
    /// remaining depth; every chance node has its likeliest outcome, the first of equals.
    ///
    /// [`SearchResult::pv`] is nearly free, but ends where the table has no entry. This line is searched:
    /// the calling thread searches each decision node on it again, exactly, to its remaining depth, with the
    /// searcher's options and table. While the table still has the search's entries, that takes few nodes.
    /// Without a table it took a sixth of the search's nodes, on Dice to depth 11.
    ///
    /// The searcher's node and time limits, counted from zero, and its stop handle apply. A stopped line is
    /// shorter but as proven ([`PrincipalVariation::stopped_by`]). Where `result` has no completed iteration,
    /// the line is empty. The search adds to the table, but not to `result` or its counts. Any of several
    /// equally good moves may be on the line. With [`Reuse::AtLeast`](crate::table::Reuse::AtLeast) neither
    /// values nor lines are guaranteed.
    ///
    /// # Errors
    /// As [`search`](Searcher::search).
    ///
    /// # Examples
    /// ```
    /// # #[path = "../../examples/pig.rs"]
    /// # mod pig;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use starsplit::Searcher;
    /// # use starsplit::evaluator::Constant;
    /// # use starsplit::search::Limits;
    /// # use pig::under_way;
    /// # let (game, position) = under_way();
    /// let searcher = Searcher::builder(game, Constant::default()).limits(Limits::depth(6)).build()?;
    /// let result = searcher.search(&position)?;
    /// let pv = searcher.pv(&position, &result)?;
    /// assert!(pv.is_whole());
    /// assert_eq!(pv.steps.len(), 6); // no game ends on the way
    /// # Ok(())
    /// # }
    /// ```
    pub fn pv(
        &self,
        position: &G::Position,
        result: &SearchResult<G::Move, G::Outcome>,
    ) -> Result<PrincipalVariation<G::Move, G::Outcome>, SearchError> {
        if result.depth == 0 {
            let stopped_by = result.stopped_by;
            return Ok(PrincipalVariation { steps: Vec::new(), stopped_by, stats: Stats::default() });
        }
        let limits = Limits { depth: result.depth, ..self.limits.clone() };
        self.pv_within(position, result.best_move, &limits)
    }

    /// As [`pv`](Searcher::pv) without a result: to the depth of these limits, and within them.
    /// `best_move` is a known best move of a decision root, such as that of an
    /// [`Iteration`](crate::search::Iteration) to that depth. Without one it is searched for.
    ///
    /// # Errors
    /// As [`search`](Searcher::search).
    pub fn pv_within(
        &self,
        position: &G::Position,
        best_move: Option<G::Move>,
        limits: &Limits,
    ) -> Result<PrincipalVariation<G::Move, G::Outcome>, SearchError> {
        catch(|| self.searched_pv(position, best_move, limits))?
    }

    fn searched_pv(
        &self,
        position: &G::Position,
        best_move: Option<G::Move>,
        limits: &Limits,
    ) -> Result<PrincipalVariation<G::Move, G::Outcome>, SearchError> {
        self.check(&self.options, limits)?;
        let options = self.options.for_game(&self.game.facts()).into_owned();
        let options = Options { rank_root_moves: 0, ..options };
        let control = Control::new(limits, &self.stop);
        let depth = root_depth(&self.game, position, limits)?;
        let found = self.by_one_worker((&control, &options, depth), &mut |()| {}, |worker, _| {
            let (steps, is_whole) = searched_pv(worker, position, best_move, depth);
            Ok((steps, is_whole, worker.stats))
        });
        let (steps, is_whole, stats) = found?;
        let stopped_by = match control.verdict() {
            Some(Ok(reason)) if !is_whole => reason,
            _ => StopReason::Depth,
        };
        Ok(PrincipalVariation { steps, stopped_by, stats })
    }
}
