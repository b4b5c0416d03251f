//! The door to whole principal lines.

use super::Searcher;
use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::parallel::{TeamSetup, catch};
use crate::processor::Thread;
use crate::search::{
    Control, Limits, Options, PrincipalLine, SearchContext, SearchError, SearchResult, Stats, StopReason,
    Worker, check_limits, searched_line,
};
use crate::table::Table;

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// The principal line of a search of `position` that answered `result`, from the root down to the
    /// result's depth or to the end of the game: the result's best move at a decision root, a best move for
    /// the depth that is left at every other decision node, and at every chance node the likeliest outcome,
    /// of equals the first that the game gives.
    ///
    /// [`SearchResult::line`] costs next to nothing and ends where the table has forgotten; this one is
    /// searched for. Each decision node on the way is searched anew, exactly, to the depth that it has, by
    /// the calling thread alone, with the searcher's options and table. While the table remembers the search
    /// that is a few nodes; without a table it was a sixth of those of the search, on Dice to depth 11.
    ///
    /// It keeps to the searcher's limits of nodes and time, counted anew, and to its stop handle. Stopped, it
    /// is shorter, and what there is of it is as proven: [`PrincipalLine::stopped_by`] says so. Where the
    /// search had completed no iteration, nothing is proven, and the line is empty. The result stays as it
    /// is, and counts none of this; the table learns from it as from any search. Of equally good moves any
    /// may be on the line, and with [`Reuse::AtLeast`](crate::search::Reuse::AtLeast) nothing is promised, as
    /// of values.
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
    /// let line = searcher.line(&position, &result)?;
    /// assert!(line.is_whole());
    /// assert_eq!(line.steps.len(), 6); // no game ends on the way
    /// # Ok(())
    /// # }
    /// ```
    pub fn line(
        &self,
        position: &G::Position,
        result: &SearchResult<G::Move, G::Outcome>,
    ) -> Result<PrincipalLine<G::Move, G::Outcome>, SearchError> {
        if result.depth == 0 {
            let stopped_by = result.stopped_by;
            return Ok(PrincipalLine { steps: Vec::new(), stopped_by, stats: Stats::default() });
        }
        let limits = Limits { depth: result.depth, ..self.limits.clone() };
        self.line_within(position, result.best_move, &limits)
    }

    /// The same without a result: to the depth of these limits, and within them. `best_move` is one that is
    /// known to be best at a decision root, such as that of an
    /// [`Iteration`](crate::search::Iteration) to that depth; without one it is searched for as well.
    ///
    /// # Errors
    /// As [`search`](Searcher::search).
    pub fn line_within(
        &self,
        position: &G::Position,
        best_move: Option<G::Move>,
        limits: &Limits,
    ) -> Result<PrincipalLine<G::Move, G::Outcome>, SearchError> {
        catch(|| self.options.check_for(&self.game))??;
        check_limits(limits)?;
        let options = Options { rank_root_moves: false, ..self.options.clone() };
        let control = Control::new(limits, &self.stop);
        let search: SearchContext<'_, TeamSetup<G, E, T, Thread>> =
            SearchContext { options: &options, ..self.search_context(&control) };
        let (steps, is_whole, stats) = catch(|| {
            let mut worker = Worker::new(search, Thread::new(control.started), None);
            let (steps, is_whole) = searched_line(&mut worker, position, best_move, limits.depth as u8);
            (steps, is_whole, worker.stats)
        })?;
        let stopped_by = match control.verdict() {
            Some(Err(error)) => return Err(error),
            Some(Ok(reason)) if !is_whole => reason,
            _ => StopReason::Depth,
        };
        Ok(PrincipalLine { steps, stopped_by, stats })
    }
}
