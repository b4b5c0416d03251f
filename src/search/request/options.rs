//! The options of a search, and checks that they fit together.

use crate::game::{Game, GameFacts};
use crate::search::request::algorithm::Algorithm;
use crate::search::request::choices::{MoveOrdering, RootRanking, TableUse};
use crate::search::request::error::OptionsError;
use crate::search::request::groups::{LaneOptions, Splits, Telemetry};
use crate::search::request::limits::{MAX_BATCH, MAX_THREADS, MAX_WORKERS};
use crate::search::request::method::Method;
use crate::table::Reuse;
use std::borrow::Cow;

/// How to search. The crate `starsplit-options` has the options as data, for programs that read them as
/// words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The algorithm.
    ///
    /// Default: `Algorithm::Star2Tt`.
    pub algorithm: Algorithm,
    /// The kinds of node that use the table. Star2-TT needs `TableUse::All`.
    ///
    /// Default: `TableUse::All`.
    pub table_use: TableUse,
    /// The order in which a decision node tries its moves.
    ///
    /// Default: `MoveOrdering::Chosen`; the paper's: `MoveOrdering::Paper`.
    pub ordering: MoveOrdering,
    /// How many moves of each successor Star2 and Star2-TT probe; 0 leaves the probing phase out.
    ///
    /// `None` lets the search choose: one move, or none where a probe's bound cannot settle the node, and
    /// where [dear successors](crate::game::GameFacts::successor_ns) make it no cheaper than a search.
    ///
    /// Default: `None`; the paper's: `Some(1)`.
    pub probing_factor: Option<u32>,
    /// Whether Star2 and Star2-TT ask each successor of a chance node for its share of beta, in a null
    /// window, before they search it in its own (`search/shares.rs`; Veness and Blair, section VIII.B).
    ///
    /// `None` lets the search choose: where it takes less, as counted so far. That depends on how many moves
    /// successors have.
    ///
    /// Default: `None`; the paper's: `Some(false)`.
    pub window_shares: Option<bool>,
    /// The least depth of a chance node at which Star2-TT probes the table for all successors before it
    /// searches any.
    ///
    /// Near the leaves these probes cost more than they save: see docs/decisions.md, "The defaults".
    ///
    /// Default: `4`; the paper's: `2`.
    pub successor_probing_depth: u8,
    /// The least depth of a node that uses the table.
    ///
    /// Just above the leaves a table probe costs more than the nodes it saves (Schaeffer's lecture, "Other
    /// issues"): see docs/decisions.md, "The defaults". At 1, chance nodes that
    /// [collapse](Options::leaf_collapse) are looked up instead of evaluated again, which pays for
    /// evaluations longer than about a quarter of a microsecond. `None` lets the search choose 1, 2 or 3 for
    /// each kind of node.
    ///
    /// Default: `None`; the paper's: `Some(1)`.
    pub table_depth: Option<u8>,
    /// Whether the table keeps static evaluations.
    ///
    /// A position that is evaluated again, for a leaf or to rank a move, is then looked up. These entries are
    /// worth least in the table. `None` lets the search choose: it keeps evaluations if they recur often
    /// enough and cost enough ([`EvaluatorFacts::cost`](crate::evaluator::EvaluatorFacts::cost)).
    ///
    /// Default: `None`; the paper's: `Some(false)`.
    pub remember_evaluations: Option<bool>,
    /// Whether a chance node whose leaves share an evaluation collapses to one node.
    ///
    /// It then takes one evaluation instead of a node for each outcome. It collapses if the evaluator ignores
    /// its outcomes, and no outcome ends the game, has a reward or takes no ply. This changes no value (the
    /// proof is in `search/collapse.rs`). It is this library's own: it needs a property of evaluators that
    /// the literature on these algorithms does not require.
    ///
    /// Default: `true`; the paper's: `false`.
    pub leaf_collapse: bool,
    /// Whether bounds are used that the game or the evaluator knows without a search.
    ///
    /// Before a chance node searches any outcome, it takes the game's bounds of each
    /// ([`Game::outcome_bounds`]) and the evaluator's ([`Abilities::bounds`]). A decision node takes the
    /// evaluator's bounds of what a move leads to. Expectimax uses none. Star1 (Ballard, "The *-minimax
    /// search procedure for trees containing chance nodes", Artificial Intelligence 21, 1983) begins with the
    /// least and greatest values of the game instead.
    ///
    /// [`Abilities::bounds`]: crate::evaluator::Abilities::bounds
    ///
    /// Default: `true`; the paper's: `false`.
    pub static_bounds: bool,
    /// The least depth of a decision node that probes the table for all its successors before it searches
    /// any; `None` for no node.
    ///
    /// Enhanced transposition cutoffs (Plaat, Schaeffer, Pijls and de Bruin, "Nearly optimal minimax tree
    /// search?", 1994, arXiv:1404.1518, section 4.1); see docs/decisions.md, "The defaults".
    ///
    /// Default: `None`; the paper's is the same.
    pub move_probing_depth: Option<u8>,
    /// Which stored bounds count.
    ///
    /// Default: `Reuse::Exact`.
    pub reuse: Reuse,
    /// Whether shallower iterations come before the one to the requested depth.
    ///
    /// They order its moves, and give a stopped search an answer. To leave them out is for experiments that
    /// know the moves from elsewhere.
    ///
    /// Default: `true`.
    pub deepening: bool,
    /// The number of threads that search.
    ///
    /// Default: `1`.
    pub threads: usize,
    /// Workers that take turns on a thread, so that evaluations are made in batches.
    pub lanes: LaneOptions,
    /// How several threads share the search.
    ///
    /// Default: `Method::Both`; in `Options::paper`, for the paper's future work: `Method::ChanceSplit`.
    pub method: Method,
    /// The nodes that threads split, and the moment when threads are called.
    pub splits: Splits,
    /// Reports of a parallel search besides its result.
    pub telemetry: Telemetry,
    /// Which moves of a decision root get their exact values, and the others bounds
    /// ([`SearchResult::root_moves`](crate::search::SearchResult::root_moves)).
    ///
    /// Default: `RootRanking::None`.
    pub root_ranking: RootRanking,
}

impl Default for Options {
    /// Star2-TT on one thread.
    fn default() -> Self {
        Options {
            algorithm: Algorithm::default(),
            table_use: TableUse::default(),
            ordering: MoveOrdering::default(),
            probing_factor: None,
            window_shares: None,
            successor_probing_depth: 4,
            table_depth: None,
            remember_evaluations: None,
            leaf_collapse: true,
            static_bounds: true,
            move_probing_depth: None,
            reuse: Reuse::default(),
            deepening: true,
            threads: 1,
            lanes: LaneOptions::default(),
            method: Method::default(),
            splits: Splits::default(),
            telemetry: Telemetry::default(),
            root_ranking: RootRanking::default(),
        }
    }
}

impl Options {
    /// The options of the paper's comparison for `algorithm`: Expectimax without a table, Star1 and Star2
    /// with one at decision nodes, Star2-TT with one everywhere and successor probing from depth 2 up (below,
    /// successors are leaves, which have no entries). Those that probe, probe one move of a successor. The
    /// move ordering is the paper's. Everything beyond the paper is off.
    pub fn paper(algorithm: Algorithm) -> Self {
        Options {
            algorithm,
            table_use: algorithm.paper_table_use(),
            ordering: MoveOrdering::Paper,
            probing_factor: Some(1),
            window_shares: Some(false),
            successor_probing_depth: 2,
            table_depth: Some(1),
            remember_evaluations: Some(false),
            leaf_collapse: false,
            static_bounds: false,
            move_probing_depth: None,
            method: Method::ChanceSplit,
            splits: Splits { depth: Some(7), size: Some(400), ..Splits::default() },
            ..Options::default()
        }
    }

    /// These options as a search of such a game takes them: where successors are dear, look-ups are made at
    /// every depth unless the options say otherwise.
    pub(crate) fn for_game(&self, facts: &GameFacts) -> Cow<'_, Options> {
        if self.table_depth.is_some() || !facts.has_dear_successors() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Options { table_depth: Some(1), ..self.clone() })
    }

    /// Whether the search takes the parallel code path.
    pub(crate) fn is_parallel(&self) -> bool {
        self.threads > 1 || self.splits.alone
    }

    /// Whether several workers take turns on a thread.
    pub(crate) fn has_lanes(&self) -> bool {
        self.lanes.count.is_some_and(|lanes| lanes > 1)
    }

    /// Checks that the options fit together.
    ///
    /// # Errors
    /// [`OptionsError`] names what does not fit.
    pub fn check(&self) -> Result<(), OptionsError> {
        check_threads(self.threads)?;
        self.check_lanes()?;
        if self.algorithm.needs_table() && self.table_use != TableUse::All {
            let complaint = format!("{} looks up chance nodes; expected all", self.algorithm);
            return Err(OptionsError::new("table use", self.table_use, complaint));
        }
        Ok(())
    }

    /// Checks that the options fit together and fit this game.
    pub(crate) fn check_for(&self, game: &impl Game) -> Result<(), OptionsError> {
        self.check()?;
        // Entries of greater depths may be of another past.
        if self.reuse == Reuse::AtLeast && game.facts().depends_on_past {
            let complaint = "values of this game depend on the positions before; expected exact";
            return Err(OptionsError::new("reuse", self.reuse, complaint));
        }
        Ok(())
    }

    fn check_lanes(&self) -> Result<(), OptionsError> {
        let refused = |what, found, complaint| Err(OptionsError::new(what, found, complaint));
        let most = MAX_WORKERS / self.threads;
        match (self.lanes.count, self.lanes.batch) {
            (Some(lanes), _) if !(1..=most).contains(&lanes) => {
                refused("lanes", lanes, format_args!("expected 1 to {most} on each thread"))
            }
            (Some(lanes @ 2..), _) if !cfg!(all(feature = "lanes", not(loom))) => {
                refused("lanes", lanes, format_args!("expected 1, or a build with the feature lanes"))
            }
            (_, Some(batch)) if !(1..=MAX_BATCH).contains(&batch) => {
                refused("batch", batch, format_args!("expected 1 to {MAX_BATCH}"))
            }
            _ => Ok(()),
        }
    }
}

/// Checks the number of threads.
pub(crate) fn check_threads(threads: usize) -> Result<(), OptionsError> {
    let is_possible = (1..=MAX_THREADS).contains(&threads);
    let error = || OptionsError::new("threads", threads, format_args!("expected 1 to {MAX_THREADS}"));
    if is_possible { Ok(()) } else { Err(error()) }
}
