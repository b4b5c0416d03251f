//! Searches in a window.

use super::Searcher;
use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind};
use crate::score::{Bounds, Window};
use crate::search::catch;
use crate::search::{Control, Limits, Proof, SearchError, SearchResult, Stats, StopReason, search_leaf};
use crate::table::Table;

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// Searches `position` to `depth` in `window`, within these limits (their own depth is ignored). The
    /// bounds of the proof are exact, or the lower is at least beta, or the upper at most alpha. `position`
    /// may be any node, as where machines share a search (see [`sharing`](crate::sharing)): also a terminal,
    /// or one at depth 0, which is evaluated. Window and bounds are for the position's player. The window is
    /// clipped to the grid.
    ///
    /// Otherwise it is a [search](Searcher::search_within), with the searcher's options, table and threads.
    /// Its shallower iterations use the same window. It names no move, ranks none, and calls no callback.
    /// With [`Method::RootSplit`](crate::search::Method::RootSplit), which splits only the root of a whole
    /// search, one thread does all the work.
    ///
    /// The bounds of a stopped search are proven, too; they may say nothing. The next search of the same
    /// position and depth, in another window, profits from the table.
    ///
    /// # Errors
    /// As [`search`](Searcher::search), and where the window is empty.
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
    /// let proof = searcher.prove(&position, 6, window, &Limits::unbounded())?;
    /// assert!(window.is_settled_by(proof.bounds));
    /// # Ok(())
    /// # }
    /// ```
    pub fn prove(
        &self,
        position: &G::Position,
        depth: u32,
        window: Window,
        limits: &Limits,
    ) -> Result<Proof, SearchError> {
        catch(|| self.prove_within(position, window, &Limits { depth, ..limits.clone() }))?
    }

    fn prove_within(
        &self,
        position: &G::Position,
        window: Window,
        limits: &Limits,
    ) -> Result<Proof, SearchError> {
        let depth = limits.depth;
        if window.is_empty() {
            return Err(SearchError::Window { window });
        }
        let possible = Bounds::unknown(self.game.facts().grid.limit());
        self.check(&self.options, &Limits { depth: depth.max(1), ..limits.clone() })?;
        let asked = window.narrowed_by(possible);
        let control = Control::new(limits, &self.stop).asking(Some(asked));
        if depth == 0 || self.game.kind(position) == NodeKind::Terminal {
            return self.prove_leaf(&control, position);
        }
        if window.is_settled_by(possible) {
            return Ok(proof(&control, possible, Stats::default(), StopReason::Depth));
        }
        let found = self.ask(position).limits(limits.clone()).in_window(asked).search()?;
        Ok(proof(&control, proven(&found, depth, possible), found.stats, found.stopped_by))
    }

    /// Proves the value of a position without a search below it.
    fn prove_leaf(&self, control: &Control, position: &G::Position) -> Result<Proof, SearchError> {
        self.by_one_worker((control, &self.options, 0), &mut |()| {}, |worker, _| {
            let bounds = search_leaf(worker, position);
            Ok(proof(control, bounds, worker.stats, StopReason::Depth))
        })
    }
}

/// What a search has proven for this depth, completed or not.
fn proven<M, O>(found: &SearchResult<M, O>, depth: u32, possible: Bounds) -> Bounds {
    // An earlier iteration's bounds are for another depth.
    match found.interrupted.filter(|proven| proven.depth == depth) {
        _ if found.depth == depth => found.bounds,
        Some(proven) => proven.bounds,
        None => possible,
    }
}

fn proof(control: &Control, bounds: Bounds, stats: Stats, stopped_by: StopReason) -> Proof {
    Proof { bounds, stats, elapsed: control.started.elapsed(), stopped_by }
}
