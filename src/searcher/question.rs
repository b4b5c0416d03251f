//! One search with options, limits and root moves of its own.

use super::{Searcher, Watch, verdict};
use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind};
use crate::parallel::{OnThreads, catch, search_on_threads};
use crate::processor::Thread;
use crate::score::Window;
use crate::search::{
    Control, Depth, Handle, Iteration, Lanes, Limits, Options, OptionsError, ResultOf, SearchContext,
    SearchError, SearchResult, WatchOf, Worker, root_depth, run,
};
use crate::table::Table;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A search to come: what is not said is as the searcher has it. [`Searcher::ask`] makes one.
///
/// # Examples
/// ```
/// # #[path = "../../examples/pig.rs"]
/// # mod pig;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use starsplit::Searcher;
/// # use starsplit::evaluator::Constant;
/// # use starsplit::search::{Limits, Options};
/// # use pig::under_way;
/// # let (game, position) = under_way();
/// let searcher = Searcher::builder(game, Constant::default()).threads(2).build()?;
/// let best = searcher.ask(&position).limits(Limits::depth(6)).search()?;
///
/// // The same on one thread, with a value for each move, and told as it goes on.
/// let ranked = searcher
///     .ask(&position)
///     .limits(Limits::depth(6))
///     .options(Options { threads: 1, rank_root_moves: u32::MAX, ..searcher.options().clone() })
///     .on_iteration(|iteration| println!("depth {}: {:?}", iteration.depth, iteration.pv))
///     .search()?;
/// assert_eq!(ranked.bounds, best.bounds);
///
/// // How good is the second best move?
/// let second = ranked.root_moves[1].mv;
/// let alone = searcher.ask(&position).limits(Limits::depth(6)).root_moves([second]).search()?;
/// assert_eq!(alone.best_move, Some(second));
/// assert_eq!(alone.bounds, ranked.root_moves[1].bounds);
/// # Ok(())
/// # }
/// ```
#[must_use = "a question does nothing until `search` is called"]
pub struct Question<'a, G: Game, E, T> {
    searcher: &'a Searcher<G, E, T>,
    position: &'a G::Position,
    options: Cow<'a, Options>,
    limits: Cow<'a, Limits>,
    root_moves: Option<Vec<G::Move>>,
    /// The window of the root, on the grid; the whole grid by default.
    window: Option<Window>,
    handle: Option<Handle<G::Move, G::Outcome>>,
    watch: Option<Watch<'a, G>>,
}

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// Begins a question about `position`: a search with options, limits or root moves of its own. Threads
    /// that share the searcher may ask at the same time: see [`Searcher`].
    pub fn ask<'a>(&'a self, position: &'a G::Position) -> Question<'a, G, E, T> {
        Question {
            searcher: self,
            position,
            options: Cow::Borrowed(self.options()),
            limits: Cow::Borrowed(self.limits()),
            root_moves: None,
            window: None,
            handle: None,
            watch: None,
        }
    }
}

impl<'a, G: Game, E: Evaluator<G>, T: Table> Question<'a, G, E, T> {
    /// Searches with these options. Where they ask for more threads than the searcher's pool has, the
    /// searcher starts a larger pool and keeps it.
    pub fn options(self, options: Options) -> Self {
        Question { options: Cow::Owned(options), ..self }
    }

    /// Searches within these limits.
    pub fn limits(self, limits: Limits) -> Self {
        Question { limits: Cow::Owned(limits), ..self }
    }

    /// Searches only these moves of the position, which must be a decision: value, best move and ranks are
    /// those of a node with no others. The table keeps what is found below them, and nothing of the position
    /// itself.
    pub fn root_moves(self, moves: impl IntoIterator<Item = G::Move>) -> Self {
        Question { root_moves: Some(moves.into_iter().collect()), ..self }
    }

    /// Searches in this window, which must lie on the grid. The search then ranks no moves.
    pub(super) fn in_window(self, window: Window) -> Self {
        Question { window: Some(window), ..self }
    }

    /// Shows the search to whoever holds the handle, who may also end it. It is for one search.
    pub fn handle(self, handle: &Handle<G::Move, G::Outcome>) -> Self {
        Question { handle: Some(handle.clone()), ..self }
    }

    /// Calls `watch` with every completed iteration, on the calling thread. The iteration's statistics are
    /// those of that thread alone while the search runs. A panic in it ends the search with an error, as a
    /// panic of the game does.
    pub fn on_iteration(self, watch: impl FnMut(&Iteration<G::Move, G::Outcome>) + 'a) -> Self {
        Question { watch: Some(Box::new(watch)), ..self }
    }

    /// Searches; see [`Searcher::search`].
    ///
    /// # Errors
    /// As [`Searcher::search`]; where the position has not the moves that are asked for; and where the handle
    /// is that of another search.
    pub fn search(self) -> Result<SearchResult<G::Move, G::Outcome>, SearchError> {
        // All of it, so that nothing that is called or dropped panics beyond this.
        catch(move || self.answer())?
    }

    fn answer(self) -> Result<SearchResult<G::Move, G::Outcome>, SearchError> {
        let Question { searcher, position, options, limits, root_moves, window, handle, watch } = self;
        searcher.check(&options, &limits)?;
        if let Some(moves) = &root_moves {
            check_moves(searcher.game(), position, moves)?;
        }
        let running = handle.as_ref().map_or_else(|| Ok(Arc::default()), Handle::begin)?;
        let control = &Control::with_progress(&limits, &searcher.stop, running).asking(window);
        let mut watch = noted_by::<G>(handle, watch);
        let (options, lanes) = searcher.fitted(&options)?;
        let depth = root_depth(searcher.game(), position, &limits)?;
        let root_moves = &root_moves.unwrap_or_default();
        let search = SearchContext { root_moves, ..searcher.search_context(control, &options) };
        let found = searcher.on_this_stack((control, depth), &mut *watch, |watch| {
            searcher.search_by_workers(search, lanes, (position, depth), Box::new(|told| watch(told)))
        })??;
        verdict(control, &limits, found)
    }
}

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// Searches in lanes, on several threads, or on the calling one alone, as the options say.
    fn search_by_workers(
        &self,
        search: SearchContext<'_, OnThreads<G, E, T>>,
        lanes: Option<Lanes>,
        (position, depth): (&G::Position, Depth),
        watch: WatchOf<'_, OnThreads<G, E, T>>,
    ) -> Result<ResultOf<OnThreads<G, E, T>>, SearchError> {
        let pool = || self.pool(search.options.threads);
        // A constant as it stands: in a branch on its field, lanes would be compiled for every evaluator.
        #[cfg(feature = "lanes")]
        if const { E::ABILITIES.batches } {
            if let Some(lanes) = lanes.filter(|lanes| lanes.take_turns(search.options)) {
                return crate::lanes::search_in_lanes(search, lanes, pool, position, depth, watch);
            }
        }
        #[cfg(not(feature = "lanes"))]
        let _ = lanes;
        if search.options.splits() {
            return search_on_threads(search, pool, position, depth, watch);
        }
        let thread = Thread::new(search.control.started);
        catch(|| run(&mut Worker::new(search, thread, None), position, depth, watch))
    }
}

/// Shows the iterations to the handle and to `watch`.
fn noted_by<'a, G: Game>(
    handle: Option<Handle<G::Move, G::Outcome>>,
    watch: Option<Watch<'a, G>>,
) -> Watch<'a, G>
where
    G::Move: 'a,
    G::Outcome: 'a,
{
    match (handle, watch) {
        (None, None) => Box::new(|_| {}),
        (None, Some(watch)) => watch,
        (Some(handle), mut watch) => Box::new(move |iteration| {
            handle.note(iteration.clone());
            if let Some(watch) = &mut watch {
                watch(iteration);
            }
        }),
    }
}

/// Checks that `moves` are moves of the position, at least one.
fn check_moves<G: Game>(game: &G, position: &G::Position, moves: &[G::Move]) -> Result<(), OptionsError> {
    let refused = |found: &dyn fmt::Debug| {
        OptionsError::new("root moves", format_args!("{found:?}"), "expected moves of the position")
    };
    let mut all = Vec::new();
    if game.kind(position) == NodeKind::Decision {
        game.moves(position, |mv| all.push(mv));
    }
    match moves.iter().find(|mv| !all.contains(mv)) {
        Some(other) => Err(refused(other)),
        None if moves.is_empty() => Err(refused(&moves)),
        None => Ok(()),
    }
}

impl<G: Game, E, T> fmt::Debug for Question<'_, G, E, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Question { options, limits, handle, .. } = self;
        f.debug_struct("Question")
            .field("options", options)
            .field("limits", limits)
            .field("handle", handle)
            .finish_non_exhaustive()
    }
}
