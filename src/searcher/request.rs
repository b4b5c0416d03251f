//! Requests: questions about one position, with options, limits and root moves of their own.

use super::{Searcher, Watch, verdict};
use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind};
use crate::parallel::{OnThreads, search_on_threads};
use crate::processor::Thread;
use crate::score::Window;
use crate::search::{
    Control, Depth, Handle, Iteration, Lanes, Limits, Options, OptionsError, ResultOf, Running,
    SearchContext, SearchDepth, SearchError, SearchResult, WatchOf, Worker, root_depth, run,
};
use crate::search::{Logs, catch};
use crate::table::Table;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// A question about a position. Options and limits are the searcher's unless it has its own.
/// [`Searcher::request`] makes one.
///
/// | method | its answer |
/// |---|---|
/// | [`search`](SearchRequest::search) | value, best move, ranked moves |
/// | [`prove`](SearchRequest::prove) | bounds in a window |
/// | [`outcomes`](SearchRequest::outcomes) | a value for each outcome of a chance node |
/// | [`pv`](SearchRequest::pv) | a whole principal variation |
/// | [`expectation`](SearchRequest::expectation) | means over the leaves of the tree of best play |
/// | `simulate` | a search on virtual processors; with the feature `simulate` |
///
/// All of them keep to the request's options, limits, handle and root moves. A request can be sent to another
/// thread, unless it has a watch that cannot.
///
/// # Examples
/// ```
/// # #[path = "../../examples/pig.rs"]
/// # mod pig;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use starsplit::Searcher;
/// # use starsplit::evaluator::Constant;
/// # use starsplit::search::{Limits, Options, RootRanking};
/// # use pig::under_way;
/// # let (game, position) = under_way();
/// let searcher = Searcher::builder(game, Constant::default()).threads(2).build()?;
/// let best = searcher.request(&position).limits(Limits::depth(6)).search()?;
///
/// // The same on one thread, with a value for each move, and told as it goes on.
/// let ranked = searcher
///     .request(&position)
///     .limits(Limits::depth(6))
///     .options(Options { threads: 1, root_ranking: RootRanking::All, ..searcher.options().clone() })
///     .on_iteration(|iteration| println!("depth {}: {:?}", iteration.depth, iteration.pv))
///     .search()?;
/// assert_eq!(ranked.bounds, best.bounds);
///
/// // How good is the second best move?
/// let second = ranked.root_moves[1].mv;
/// let alone = searcher.request(&position).limits(Limits::depth(6)).root_moves([second]).search()?;
/// assert_eq!(alone.best_move, Some(second));
/// assert_eq!(alone.bounds, ranked.root_moves[1].bounds);
/// # Ok(())
/// # }
/// ```
#[must_use = "a request does nothing until one of its methods asks for an answer"]
pub struct SearchRequest<'a, G: Game, E, T, W = WatchFn<G>> {
    pub(super) searcher: &'a Searcher<G, E, T>,
    pub(super) position: &'a G::Position,
    pub(super) options: Cow<'a, Options>,
    pub(super) limits: Cow<'a, Limits>,
    root_moves: Option<Vec<G::Move>>,
    /// The depth of the result that it follows.
    followed_depth: Option<u32>,
    /// The window of the root, on the grid; the whole grid by default.
    window: Option<Window>,
    handle: Option<Handle<G::Move, G::Outcome>>,
    watch: Option<W>,
    /// The state of the whole request that this is a part of.
    running: Option<Arc<Running>>,
}

/// The watch of a request that has none.
type WatchFn<G> = fn(&Iteration<<G as Game>::Move, <G as Game>::Outcome>);

impl<G: Game, E: Evaluator<G>, T: Table> Searcher<G, E, T> {
    /// Begins a request about `position`, with options, limits or root moves of its own. Threads that share
    /// the searcher may make requests at the same time: see [`Searcher`].
    pub fn request<'a>(&'a self, position: &'a G::Position) -> SearchRequest<'a, G, E, T> {
        SearchRequest {
            searcher: self,
            position,
            options: Cow::Borrowed(self.options()),
            limits: Cow::Borrowed(self.limits()),
            root_moves: None,
            followed_depth: None,
            window: None,
            handle: None,
            watch: None,
            running: None,
        }
    }
}

impl<'a, G: Game, E: Evaluator<G>, T: Table, W> SearchRequest<'a, G, E, T, W> {
    /// Uses these options. Where they ask for more threads than the searcher's pool has, the
    /// searcher starts a larger pool and keeps it.
    pub fn options(self, options: Options) -> Self {
        SearchRequest { options: Cow::Owned(options), ..self }
    }

    /// Keeps to these limits.
    pub fn limits(self, limits: Limits) -> Self {
        let limits = match (self.followed_depth, limits.depth) {
            (Some(depth), SearchDepth::Plies(_)) => Limits { depth: depth.into(), ..limits },
            _ => limits,
        };
        SearchRequest { limits: Cow::Owned(limits), ..self }
    }

    /// Searches only these moves of the position, which must be a decision: value, best move and ranks are
    /// those of a node with no others. The table keeps what is found below them, and nothing of the position
    /// itself. With a single one, a principal variation begins with it unsearched.
    pub fn root_moves(self, moves: impl IntoIterator<Item = G::Move>) -> Self {
        SearchRequest { root_moves: Some(moves.into_iter().collect()), ..self }
    }

    /// Takes the result's depth, and its best move as the only root move: for the
    /// [principal variation](SearchRequest::pv) of a result. Other limits may be set before or after it. A
    /// request to the end stays one.
    pub fn following(self, result: &SearchResult<G::Move, G::Outcome>) -> Self {
        let limits = self.limits.as_ref().clone();
        let root_moves = result.best_move.map(|best| vec![best]);
        SearchRequest { root_moves, followed_depth: Some(result.depth), ..self }.limits(limits)
    }

    /// Searches in this window, which must lie on the grid. The search then ranks no moves.
    pub(super) fn in_window(self, window: Window) -> Self {
        SearchRequest { window: Some(window), ..self }
    }

    /// Shows the search to whoever holds the handle, who may also end it. It is for one request.
    pub fn handle(self, handle: &Handle<G::Move, G::Outcome>) -> Self {
        SearchRequest { handle: Some(handle.clone()), ..self }
    }

    /// Calls `watch` with every completed iteration of [`search`](SearchRequest::search), on the calling
    /// thread. The iteration's statistics are those of that thread alone while the search runs. A panic in it
    /// ends the search with an error, as a panic of the game does.
    pub fn on_iteration<V>(self, watch: V) -> SearchRequest<'a, G, E, T, V>
    where
        V: FnMut(&Iteration<G::Move, G::Outcome>),
    {
        let SearchRequest {
            searcher,
            position,
            options,
            limits,
            root_moves,
            followed_depth,
            window,
            handle,
            running,
            ..
        } = self;
        let watch = Some(watch);
        SearchRequest {
            searcher,
            position,
            options,
            limits,
            root_moves,
            followed_depth,
            window,
            handle,
            running,
            watch,
        }
    }

    /// Searches; see [`Searcher::search`].
    ///
    /// # Errors
    /// As [`Searcher::search`]; where the position has not the moves that are asked for; and where the handle
    /// is that of another search.
    pub fn search(mut self) -> Result<SearchResult<G::Move, G::Outcome>, SearchError>
    where
        W: FnMut(&Iteration<G::Move, G::Outcome>),
    {
        // All of it, so that nothing that is called or dropped panics beyond this.
        catch(move || {
            let watch = self.watch.take();
            self.watched_by(watch)
        })?
    }

    /// Searches without a word to the request's own watch.
    pub(super) fn search_unwatched(self) -> Result<SearchResult<G::Move, G::Outcome>, SearchError> {
        self.watched_by(None::<WatchFn<G>>)
    }

    /// Searches, and shows the iterations to the handle and to `watch`.
    fn watched_by(
        self,
        mut watch: Option<impl FnMut(&Iteration<G::Move, G::Outcome>)>,
    ) -> Result<SearchResult<G::Move, G::Outcome>, SearchError> {
        let handle = self.handle.clone();
        self.answer(&mut |iteration| {
            if let Some(handle) = &handle {
                handle.note(iteration.clone());
            }
            if let Some(watch) = &mut watch {
                watch(iteration);
            }
        })
    }

    fn answer(self, watch: &mut Watch<'_, G>) -> Result<SearchResult<G::Move, G::Outcome>, SearchError> {
        let control = &self.begin()?;
        // Neither a proof nor a part of another answer shows a tree.
        let shows_tree = self.window.is_none() && self.running.is_none();
        let SearchRequest { searcher, position, options, limits, root_moves, .. } = self;
        let (options, lanes) = searcher.fitted(&options)?;
        let depth = root_depth(searcher.game(), position, &limits)?;
        let root_moves = &root_moves.unwrap_or_default();
        let logs = Logs::new(options.telemetry.tree).filter(|_| shows_tree);
        let search =
            SearchContext { root_moves, logs: logs.as_ref(), ..searcher.search_context(control, &options) };
        let mut found = searcher.on_this_stack((control, depth), watch, |watch| {
            searcher.search_by_workers(search, lanes, (position, depth), Box::new(|told| watch(told)))
        })??;
        found.tree = logs.map(|logs| logs.into_tree(searcher.game(), control.is_to_the_end()));
        verdict(control, &limits, found)
    }

    /// Checks the request, and begins what its answer takes: no other may have its handle afterwards.
    pub(super) fn begin(&self) -> Result<Control, SearchError> {
        self.check()?;
        let running = match (&self.running, &self.handle) {
            (Some(running), _) => running.clone(),
            (None, Some(handle)) => handle.begin()?,
            (None, None) => Arc::default(),
        };
        Ok(Control::with_progress(&self.limits, &self.searcher.stop, running).asking(self.window))
    }

    /// Checks that options, limits, root moves and position fit together.
    pub(super) fn check(&self) -> Result<(), SearchError> {
        // A proof may be of a leaf.
        let is_leaf = self.window.is_some() && self.limits.depth == SearchDepth::Plies(0);
        self.searcher.check(&self.options, (!is_leaf).then_some(&*self.limits))?;
        match &self.root_moves {
            Some(moves) => Ok(check_moves(self.searcher.game(), self.position, moves)?),
            None => Ok(()),
        }
    }

    /// The root moves; none where all are searched.
    pub(super) fn asked_moves(&self) -> &[G::Move] {
        self.root_moves.as_deref().unwrap_or_default()
    }

    /// A request about another position as a part of this one: nodes and time of all parts count together,
    /// in `running`.
    pub(super) fn part<'p>(
        &'p self,
        position: &'p G::Position,
        depth: SearchDepth,
        running: Arc<Running>,
    ) -> SearchRequest<'p, G, E, T> {
        SearchRequest {
            options: Cow::Borrowed(&self.options),
            limits: Cow::Owned(Limits { depth, ..self.limits.as_ref().clone() }),
            running: Some(running),
            ..self.searcher.request(position)
        }
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
        if search.options.is_parallel() {
            return search_on_threads(search, pool, position, depth, watch);
        }
        let thread = Thread::new(search.control.started);
        catch(|| run(&mut Worker::new(search, thread, None), position, depth, watch))
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

impl<G: Game, E, T, W> fmt::Debug for SearchRequest<'_, G, E, T, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SearchRequest { options, limits, handle, .. } = self;
        f.debug_struct("SearchRequest")
            .field("options", options)
            .field("limits", limits)
            .field("handle", handle)
            .finish_non_exhaustive()
    }
}
