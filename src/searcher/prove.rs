//! Searches in a window.

use super::SearchRequest;
use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind};
use crate::score::{Bounds, Window};
use crate::search::catch;
use crate::search::{
    Proof, SearchDepth, SearchError, SearchResult, Stats, StopReason, reported_depth, root_depth, search_leaf,
};
use crate::table::Table;
use crate::time::Instant;

impl<G: Game, E: Evaluator<G>, T: Table, W> SearchRequest<'_, G, E, T, W> {
    /// Searches the position in `window`. The bounds of the proof are exact, or the lower is at least beta,
    /// or the upper at most alpha. The position may be any node, as where machines share a search (see
    /// [`unstable`](crate::unstable)): also a terminal, or one at depth 0, which is evaluated. Window and
    /// bounds are for the position's player. The window is clipped to the grid.
    ///
    /// Otherwise it is a [search](SearchRequest::search). Its shallower iterations use the same window. It
    /// names no move, ranks none, and calls no callback. With
    /// [`Method::RootSplit`](crate::search::Method::RootSplit), which splits only the root of a whole search,
    /// one thread does all the work.
    ///
    /// The bounds of a stopped search are proven, too; they may say nothing. The next search of the same
    /// position and depth, in another window, profits from the table.
    ///
    /// # Errors
    /// As [`search`](SearchRequest::search), and where the window is empty.
    ///
    /// # Examples
    /// ```
    /// # #[path = "../../examples/pig.rs"]
    /// # mod pig;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use starsplit::Searcher;
    /// # use starsplit::evaluator::Constant;
    /// # use starsplit::score::Window;
    /// # use starsplit::search::Limits;
    /// # use pig::under_way;
    /// # let (game, position) = under_way();
    /// let searcher = Searcher::builder(game, Constant::default()).build()?;
    /// let window = Window::new(-100, 100);
    /// let proof = searcher.request(&position).limits(Limits::depth(6)).prove(window)?;
    /// assert!(window.is_settled_by(proof.bounds));
    /// # Ok(())
    /// # }
    /// ```
    pub fn prove(self, window: Window) -> Result<Proof, SearchError> {
        catch(move || self.proof_in(window))?
    }

    fn proof_in(self, window: Window) -> Result<Proof, SearchError> {
        if window.is_empty() {
            return Err(SearchError::Window { window });
        }
        let (started, game) = (Instant::now(), &self.searcher.game);
        let possible = Bounds::unknown(game.facts().grid.limit());
        let asked = window.narrowed_by(possible);
        if self.limits.depth == SearchDepth::Plies(0) || game.kind(self.position) == NodeKind::Terminal {
            return self.in_window(asked).proof_of_leaf();
        }
        if window.is_settled_by(possible) {
            self.begin()?;
            return Ok(proof(started, possible, Stats::default(), StopReason::Depth));
        }
        self.check()?;
        let to_the_end = self.limits.depth == SearchDepth::ToTheEnd;
        let depth = reported_depth(root_depth(game, self.position, &self.limits)?, to_the_end);
        let found = self.in_window(asked).search_unwatched()?;
        Ok(proof(started, proven(&found, depth, possible), found.stats, found.stopped_by))
    }

    /// Proves the value of a position without a search below it.
    fn proof_of_leaf(self) -> Result<Proof, SearchError> {
        let control = self.begin()?;
        self.searcher.by_one_worker((&control, &self.options, 0), &[], &mut |()| {}, |worker, _| {
            let bounds = search_leaf(worker, self.position);
            Ok(proof(control.started, bounds, worker.stats, StopReason::Depth))
        })
    }
}

/// The bounds that a search has proven for this depth, completed or not.
fn proven<M, O>(found: &SearchResult<M, O>, depth: u32, possible: Bounds) -> Bounds {
    // An earlier iteration's bounds are for another depth.
    match found.interrupted.filter(|proven| proven.depth == depth) {
        _ if found.depth == depth => found.bounds,
        Some(proven) => proven.bounds,
        None => possible,
    }
}

fn proof(started: Instant, bounds: Bounds, stats: Stats, stopped_by: StopReason) -> Proof {
    Proof { bounds, stats, elapsed: started.elapsed(), stopped_by }
}
