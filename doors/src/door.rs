//! The door to a game: how the experiments reach its searches. It is chosen when the program runs, so that a
//! search is compiled once for each evaluator of each game, and not again in every binary.

use crate::plans::AnyPlan;
use crate::play::AnyPlay;
use starsplit::score::{Grid, Window};
use starsplit::search::{
    Expectation, Iteration, Limits, Options, PrincipalVariation, Proof, RootOutcome, RootRanking,
    SearchResult, StopFlag,
};
use starsplit::simulate::{Simulated, Simulation};
use starsplit::table::Reuse;
use starsplit::{Handle, Pool};
pub use starsplit_games::Invalid;
use starsplit_games::{EvaluatorInfo, GameInfo};
use starsplit_planner::PlannerOptions;
use starsplit_saved::{TableIdentity, TableNames};
use starsplit_tables::AnyTable;
use std::fmt::Debug;
use std::path::PathBuf;
use std::time::{Duration, Instant};

pub use crate::Entry;

/// A game under its rules.
pub trait Door: Debug + Send + Sync {
    /// What is known of the game whatever its rules.
    fn info(&self) -> &'static GameInfo;

    /// The game's name, as suites and records have it.
    fn game(&self) -> &'static str {
        self.info().name
    }

    /// The rules, as suites and records have them.
    fn rules(&self) -> String;

    /// The position in which the game begins.
    fn initial(&self) -> Entry;

    /// The position that the text describes, with the text as the game itself writes it.
    ///
    /// # Errors
    /// When it is none.
    fn position(&self, text: &str) -> Result<Entry, Invalid>;

    /// What a text of a position says beyond it and the game has no use for, such as a score, in a few words;
    /// `None` where that is nothing.
    fn unused(&self, _text: &str) -> Option<String> {
        None
    }

    /// How deep a search sees every line of play to its end, where the rules bound that.
    ///
    /// # Errors
    /// When the position is of another game.
    fn full_depth(&self, position: &Entry) -> anyhow::Result<Option<u32>>;

    /// How many lines of play of exactly `depth` plies begin at the position; `None` when `goes_on`, which is
    /// asked now and then, says no.
    ///
    /// # Errors
    /// When the position is of another game.
    fn perft(
        &self,
        position: &Entry,
        depth: u32,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> anyhow::Result<Option<u64>>;

    /// The game as it is played, move by move; none behind a door that only searches.
    fn play(&self) -> Option<&dyn AnyPlay> {
        None
    }

    /// `count` different positions from self-play by the evaluator of that name, from openings to ends; fewer
    /// where many games do not have them. A function of the seed.
    ///
    /// # Errors
    /// When there is no such evaluator.
    fn self_play(&self, evaluator: &str, count: usize, seed: u64) -> Result<Vec<Entry>, Invalid>;

    /// The evaluators; the first is the one to use where none is named.
    fn evaluators(&self) -> Vec<EvaluatorInfo>;

    /// The name of the evaluator to use where none is named.
    fn default_evaluator(&self) -> &'static str {
        self.evaluators().first().map_or("constant", |info| info.name)
    }

    /// The evaluator of that name; `seed` is for what it draws at random.
    ///
    /// # Errors
    /// [`Invalid`] when there is none for this game under these rules, or its weights
    /// cannot be read.
    fn evaluator(&self, name: &str, seed: u64) -> Result<Box<dyn SearcherMaker>, Invalid>;

    /// The same for a smaller game: with some of the outcomes, and with the moves that this evaluator ranks
    /// best.
    ///
    /// # Errors
    /// As [`evaluator`](Self::evaluator), and behind a door to the whole game only.
    fn evaluator_of_smaller(
        &self,
        _name: &str,
        _seed: u64,
        _kept: Kept,
    ) -> Result<Box<dyn SearcherMaker>, Invalid> {
        Err(Invalid::new("game", self.game(), "one of which there are smaller ones"))
    }
}

/// What a [smaller game](starsplit_wrappers::smaller) keeps; all of what is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kept {
    /// So many draws of outcomes at each chance node, and the seed that chooses them.
    pub draws: Option<(u32, u64)>,
    /// So many moves of each decision node.
    pub moves: Option<u32>,
    /// Moves so far behind the best, in the game's units.
    pub margin: Option<f64>,
}

/// The file of the weights of the evaluator of that name, where the user has given one.
pub fn weights_file(evaluator: &str) -> Option<PathBuf> {
    let file = evaluator.strip_prefix("network:").or_else(|| evaluator.strip_prefix("mlp:"));
    file.filter(|file| !file.is_empty()).map(PathBuf::from)
}

/// A game with an evaluator: makes searchers, whatever the types of both.
pub trait SearcherMaker: Debug + Send + Sync {
    /// A searcher with an evaluator of its own, on the threads of `pool` if there is one.
    fn searcher<'t>(
        &self,
        table: &'t AnyTable,
        options: Options,
        pool: Option<&Pool>,
    ) -> Box<dyn AnySearcher + 't>;

    /// A plan to search a position to a depth by the work of such searchers, wherever they are.
    ///
    /// # Errors
    /// When the position is of another game, the depth is out of range, or the game breaks its contract.
    fn plan(&self, position: &Entry, depth: u32, options: PlannerOptions)
    -> anyhow::Result<Box<dyn AnyPlan>>;

    /// Whose entries the tables of such searchers hold, under that policy of reuse.
    fn table_identity(&self, names: TableNames, reuse: Reuse) -> TableIdentity;
}

/// A searcher, whatever the types of its game and evaluator.
pub trait AnySearcher: Debug + Send + Sync {
    /// Its options.
    fn options(&self) -> &Options;

    /// Its table. Nothing here clears it.
    fn table(&self) -> &AnyTable;

    /// The grid of the game's scores.
    fn grid(&self) -> Grid;

    /// Stops its searches, and no others, until it is cleared.
    fn stop_handle(&self) -> StopFlag;

    /// Searches the position and takes the time of the search alone; `watch` is told the depth of every
    /// iteration.
    ///
    /// # Errors
    /// Whatever ends the search with an error, and when the position is of another game.
    fn search(&self, position: &Entry, limits: &Limits, watch: &mut dyn FnMut(u32)) -> anyhow::Result<Timed>;

    /// As [`search`](Self::search); `watch` is told every iteration in words.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    fn search_with(
        &self,
        position: &Entry,
        asked: Asked<'_>,
        watch: &mut dyn FnMut(&Iteration<String, String>),
    ) -> anyhow::Result<Timed>;

    /// The outcomes of a chance node with their own values, within these limits: see
    /// [`SearchRequest::outcomes`](starsplit::SearchRequest::outcomes).
    ///
    /// # Errors
    /// As [`search`](Self::search), and when the position is no chance node.
    fn outcomes(&self, position: &Entry, limits: &Limits)
    -> anyhow::Result<Vec<RootOutcome<String, String>>>;

    /// Searches the position within these limits, and then, within them anew, what the best play leads to at
    /// the depth that was reached: the means of so many numbers of each leaf. See
    /// [`SearchRequest::expectation`](starsplit::SearchRequest::expectation). The entries of leaves have no text.
    ///
    /// # Errors
    /// As [`search`](Self::search), where the options reuse greater depths, and where values saturate.
    fn expectation(
        &self,
        position: &Entry,
        limits: &Limits,
        payload: (usize, &mut LeafPayload<'_>),
    ) -> anyhow::Result<(Answer, Option<Expectation>)>;

    /// Does a task of a [plan](SearcherMaker::plan) of `root`, a line, within these limits; the answer is a
    /// line, too.
    ///
    /// # Errors
    /// As [`search`](Self::search), and when it is no task of the root.
    fn work(&self, root: &Entry, task: &str, limits: &Limits) -> anyhow::Result<String>;

    /// Proves what `window` asks of the position's value at `depth`, within these limits, whose own depth
    /// does not count: see [`SearchRequest::prove`](starsplit::SearchRequest::prove). Nothing clears the table before.
    ///
    /// # Errors
    /// As [`search`](Self::search), and where the window is empty.
    fn prove(&self, position: &Entry, depth: u32, window: Window, limits: &Limits) -> anyhow::Result<Proof>;

    /// The whole principal variation of a search of the position that answered so, within these limits, whose
    /// depth does not matter. It has completed an iteration.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    fn pv(
        &self,
        position: &Entry,
        answer: &Answer,
        limits: &Limits,
    ) -> anyhow::Result<PrincipalVariation<String, String>>;

    /// Searches the position on virtual processors.
    ///
    /// # Errors
    /// As [`search`](Self::search), and when the method cannot be simulated.
    fn simulate(
        &self,
        position: &Entry,
        limits: &Limits,
        simulation: &Simulation,
    ) -> anyhow::Result<SimulatedAnswer>;
}

/// Writes the numbers of a leaf.
pub type LeafPayload<'a> = dyn FnMut(Entry, &mut [f64]) + 'a;

/// What a search is asked.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// How far it may go.
    pub limits: &'a Limits,
    /// The moves that are searched, as the game writes them; all where there are none.
    pub root_moves: &'a [String],
    /// What shows the search to other threads.
    pub handle: Option<&'a Handle<String, String>>,
    /// Which moves are ranked; none where the searcher's options say.
    pub root_ranking: Option<RootRanking>,
}

impl<'a> From<&'a Limits> for Asked<'a> {
    /// All moves, within these limits.
    fn from(limits: &'a Limits) -> Self {
        Asked { limits, root_moves: &[], handle: None, root_ranking: None }
    }
}

/// What a search answers, in words. The depth of a search to the end of the game is the plies that are left at
/// most.
pub type Answer = SearchResult<String, String>;

/// What a search on virtual processors answers, in words.
pub type SimulatedAnswer = Simulated<String, String>;

/// What a search answered, and when it ran.
#[derive(Clone, Debug)]
pub struct Timed {
    /// When it was called.
    pub begun: Instant,
    /// When it returned.
    pub ended: Instant,
    /// What it answered.
    pub answer: Answer,
}

impl Timed {
    /// How long it took.
    pub fn wall(&self) -> Duration {
        self.ended.duration_since(self.begun)
    }
}
