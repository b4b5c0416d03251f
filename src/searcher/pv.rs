//! Whole principal variations.

use super::SearchRequest;
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::search::catch;
use crate::search::{
    Options, PrincipalVariation, RootRanking, SearchError, StopReason, root_depth, searched_pv,
};
use crate::table::Table;

impl<G: Game, E: Evaluator<G>, T: Table, W> SearchRequest<'_, G, E, T, W> {
    /// The principal variation, from the root to the depth of the limits or the end of the game. Every
    /// decision node has a best move for its remaining depth; every chance node has its likeliest outcome,
    /// the first of equals.
    ///
    /// [`SearchResult::pv`](crate::search::SearchResult::pv) is nearly free, but ends where the table has no
    /// entry. This line is searched: the calling thread searches each decision node on it again, exactly, to
    /// its remaining depth. After a search to the same depth, while the table has its entries, that takes few
    /// nodes. Without a table it took a sixth of the search's nodes, on Dice to depth 11. A single
    /// [root move](SearchRequest::root_moves) is not searched for.
    ///
    /// A stopped line is shorter but as proven ([`PrincipalVariation::stopped_by`]). Any of several equally
    /// good moves may be on the line. With [`Reuse::AtLeast`](crate::table::Reuse::AtLeast) neither values
    /// nor lines are guaranteed.
    ///
    /// # Errors
    /// As [`search`](SearchRequest::search).
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
    /// let pv = searcher.request(&position).following(&result).pv()?;
    /// assert!(pv.is_whole());
    /// assert_eq!(pv.steps.len(), 6); // no game ends on the way
    /// # Ok(())
    /// # }
    /// ```
    pub fn pv(self) -> Result<PrincipalVariation<G::Move, G::Outcome>, SearchError> {
        catch(move || self.line())?
    }

    fn line(self) -> Result<PrincipalVariation<G::Move, G::Outcome>, SearchError> {
        let (searcher, position) = (self.searcher, self.position);
        let control = self.begin()?;
        let options = self.options.for_game(&searcher.game.facts()).into_owned();
        let options = Options { root_ranking: RootRanking::None, ..options };
        let depth = root_depth(&searcher.game, position, &self.limits)?;
        let moves = self.asked_moves();
        let found = searcher.by_one_worker((&control, &options, depth), moves, &mut |()| {}, |worker, _| {
            let (steps, is_whole) = searched_pv(worker, position, depth);
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
