//! What a search can be asked to do, and the checks that the parts of a request fit together.

use crate::game::Game;
use crate::search::request::algorithm::Algorithm;
use crate::search::request::choices::{Company, MoveOrdering, TableUse};
use crate::search::request::declared::{
    DeclaredOption, OptionRole, Recorded, dashed, declare_options, first,
};
use crate::search::request::error::OptionsError;
use crate::search::request::limits::{MAX_BATCH, MAX_DEPTH, MAX_THREADS, MAX_WORKERS};
use crate::search::request::method::Method;
use crate::search::request::option_value::{OptionKind, OptionType};
use crate::table::Reuse;
use std::time::Duration;

declare_options! {
    algorithm: Algorithm = Algorithm::Star2Tt => {
        help: "The algorithm",
        role: Contender, recorded: Elsewhere,
        tried: Algorithm::ALL,
    }

    /// Star2-TT needs it everywhere.
    table_use: TableUse = TableUse::All => {
        help: "Which kinds of node use the table",
        role: Contender, recorded: Elsewhere,
        tried: TableUse::ALL,
    }

    ordering: MoveOrdering = MoveOrdering::Chosen => {
        help: "Order in which the moves of a decision node are tried",
        paper: MoveOrdering::Paper,
        role: Contender, recorded: Elsewhere,
        tried: MoveOrdering::ALL,
    }

    /// Left to the search it is one move, or none at depths at which probes settle too few nodes to be worth
    /// their while.
    probing_factor: Option<u32> = None => {
        help: "How many moves of each successor Star2 and Star2-TT probe; 0 switches the probing phase off",
        paper: Some(1),
        role: Tuning, recorded: Always,
        tried: &[Some(1), None, Some(0), None, Some(2), Some(3)],
    }

    /// Near the leaves the look-ups cost more than they save: see docs/performance.md, "The defaults".
    successor_probing_depth: u8 = 4 => {
        help: "Least depth of a chance node at which Star2-TT looks up all successors before it searches any",
        unit: "DEPTH",
        range: 1..=MAX_DEPTH as u64,
        paper: 2,
        role: Tuning, recorded: Always,
        tried: &[4, 0, 1, 2, 3, 5, 6],
    }

    /// Just above the leaves a look-up costs more than the nodes it saves (Schaeffer's lecture, "Other
    /// issues"): see docs/performance.md, "The defaults". At 1, chance nodes that
    /// [collapse](Options::leaf_collapse) are looked up instead of evaluated anew: for evaluators that take
    /// longer than a quarter of a microsecond or so. Left to the search it is 1, 2 or 3, for nodes of either
    /// kind as it pays there.
    table_depth: Option<u8> = None => {
        help: "Least depth of a node that uses the table",
        unit: "DEPTH|auto",
        range: 1..=MAX_DEPTH as u64,
        paper: Some(1),
        role: Tuning, recorded: Always,
        tried: &[Some(3), None, Some(0), None, Some(1), Some(2)],
    }

    /// Then a position that is evaluated again, for a leaf or to rank a move, is looked up; the entries are
    /// the least that the table keeps. Left to the search it does so where evaluations recur often enough,
    /// and cost enough ([`EvaluatorFacts::cost`](crate::evaluator::EvaluatorFacts::cost)).
    remember_evaluations: Option<bool> = None => {
        help: "Whether the table keeps static evaluations",
        paper: Some(false),
        role: Tuning, recorded: Changed,
        tried: &[None, Some(true), Some(false)],
    }

    /// That is, one evaluation and not one node for each outcome, where the evaluator does not look at the
    /// node's outcomes and none ends the game, carries a reward or takes no ply. Changes no value (the
    /// proof is in `search/collapse.rs`). This library's own: it stands on a property of evaluators that
    /// the literature on these algorithms does not ask for.
    leaf_collapse: bool = true => {
        help: "Whether a chance node whose leaves share an evaluation is one node",
        paper: false,
        role: Tuning, recorded: Always,
        tried: &[true, false],
    }

    /// Chance nodes then take the bounds that the game knows of each outcome ([`Game::outcome_bounds`]), and
    /// those that the evaluator knows ([`Abilities::bounds`]), before they search any; decision nodes
    /// take the evaluator's of what a move leads to. Expectimax does not. Star1 (Ballard, "The *-minimax
    /// search procedure for trees containing chance nodes", Artificial Intelligence 21, 1983) begins with the
    /// least and the greatest value of the game instead.
    ///
    /// [`Game::outcome_bounds`]: crate::game::Game::outcome_bounds
    /// [`Abilities::bounds`]: crate::evaluator::Abilities::bounds
    static_bounds: bool = true => {
        help: "Whether bounds that the game or the evaluator knows without a search are used",
        paper: false,
        role: Tuning, recorded: Always,
        tried: &[true, false],
    }

    /// Enhanced transposition cutoffs (Plaat, Schaeffer, Pijls and de Bruin, "Nearly optimal minimax tree
    /// search?", 1994, arXiv:1404.1518, section 4.1). Beyond [`MAX_DEPTH`] no node does: see
    /// docs/performance.md, "Fewer nodes".
    move_probing_depth: u8 = u8::MAX => {
        help: "Least depth of a decision node that looks up all its successors before it searches any; 255 \
               for none",
        unit: "DEPTH",
        range: 1..=u8::MAX as u64,
        paper: u8::MAX,
        role: Tuning, recorded: Always,
        tried: &[u8::MAX, u8::MAX, u8::MAX, 0, 1, 2, 3, 4, 5],
    }

    reuse: Reuse = Reuse::Exact => {
        help: "Which stored bounds count",
        role: Contender, recorded: Always,
        // The others may change the value.
        tried: &[Reuse::Exact],
    }

    /// They order its moves, and give a search that is stopped an answer: to leave them out is for
    /// experiments that know the moves from elsewhere.
    deepening: bool = true => {
        help: "Whether shallower iterations come before the one to the depth asked for",
        role: Request, recorded: Elsewhere,
        tried: &[true, true, true, false],
    }

    threads: usize = 1 => {
        help: "How many threads search",
        range: 1..=MAX_THREADS as u64,
        role: Contender, recorded: Elsewhere,
        tried: &[1, 2, 3, 4, 8],
    }

    /// Lanes are workers that take turns on a thread: while one waits for an evaluation others search, so
    /// that evaluations are made in batches ([`Evaluator::evaluate_many`]). Worth it where one of a batch
    /// costs much less than one alone; the more lanes, the fuller the batches and the more is searched that a
    /// serial search would not. Left to the search their number follows from what the evaluator's
    /// [`cost`](crate::evaluator::EvaluatorFacts::cost) promises, and is one where that is little.
    ///
    /// Only with evaluators of such an ability ([`batches`]): the search is otherwise that of threads alone.
    /// More than one lane needs the feature `lanes`. A lane begins when every other one of its thread has
    /// work, and other threads are called when the search has lasted eight times
    /// [`helpers_after`](Options::helpers_after); where there are no splits, with a timeline or a device, all
    /// are there from the beginning. A lane that has begun has a stack of 16 MiB, of which it uses what its
    /// depth takes, and a worker's own memory beside it (see
    /// [`MAX_MOVE_SLOTS`](crate::search::MAX_MOVE_SLOTS)): 50 KiB a lane in all in backgammon to 5 plies, 80
    /// in Dice to 9.
    ///
    /// [`Evaluator::evaluate_many`]: crate::evaluator::Evaluator::evaluate_many
    /// [`batches`]: crate::evaluator::Abilities::batches
    lanes: Option<usize> = None => {
        help: "How many workers take turns on each thread, so that evaluations are made in batches",
        range: 1..=MAX_WORKERS as u64,
        role: Contender, recorded: Elsewhere,
        tried: &[None],
    }

    /// A thread that has fewer requests, while every lane waits, evaluates those. Left to the search it is
    /// the number of lanes, 64 at least.
    batch: Option<usize> = None => {
        help: "How many evaluations are made in one call at the most where there are lanes",
        range: 1..=MAX_BATCH as u64,
        role: Contender, recorded: Elsewhere,
        tried: &[None],
    }

    company: Company = Company::Chosen => {
        help: "What a lane asks for beside the evaluation that it needs, so that batches are fuller",
        more: "none: nothing. probes: before a chance node is probed, the first moves of all that its \
               outcomes lead to. rest: the same, and all other moves of a node that its first did not cut. \
               moves: all moves of a node.",
        role: Contender, recorded: Elsewhere,
        tried: &[Company::Chosen],
    }

    /// For an evaluator whose calls leave the processor idle, as those of an accelerator do, or may be made
    /// by one thread at a time, as those of an interpreter. The lanes of all threads hand their requests to
    /// that thread, which takes what has gathered, up to a batch, whenever it is free; where no lane can go
    /// on a thread waits for it busily, unless there are more threads than processors. It counts as none of
    /// [`threads`](Options::threads), and begins and ends with the search. Only with evaluators that say
    /// `Abilities::batches`, as for lanes.
    device: bool = false => {
        help: "Whether evaluations of lanes are made on a thread of their own",
        role: Contender, recorded: Elsewhere,
        tried: &[false],
    }

    method: Method = Method::Both => {
        help: "How several threads share the search",
        paper: Method::ChanceSplit,
        role: Contender, recorded: Elsewhere,
        tried: Method::ALL,
    }

    /// As expected by the iterations before it; the one after it twice as long. One that was not expected
    /// to take long calls them when it has taken so long, and twice as long as expected. To call takes some
    /// 15 microseconds of the calling thread's time, and until they are there some 30 pass. In longer
    /// searches the first short iterations are serial, too. A search waits for its turn on a shared pool
    /// when it may call. At [`Duration::MAX`] others are never called.
    helpers_after: Duration = Duration::from_micros(250) => {
        help: "How many microseconds an iteration has to be expected to take for other threads to be called; \
               0 calls them at once",
        more: "Shorter searches are the serial one. Simulated searches have all their processors from the \
               beginning.",
        name: "helpers_after_us",
        unit: "US",
        range: 0..=3_600_000_000,
        role: Tuning, recorded: Changed,
        // At once, or in the middle of the search, or at its end.
        tried: &[
            Duration::ZERO, Duration::ZERO, Duration::from_micros(3), Duration::from_micros(30),
            Duration::from_micros(300),
        ],
    }

    /// At least 2. Left to the search it is the depth from which on searches take some twenty microseconds,
    /// by the nodes of shallower iterations; 7 before the first. Where more than four threads search
    /// and four or more of them are without work, shallower nodes are split, too: those an eighth as large,
    /// or where the depth is fixed up to four plies below it.
    split_depth: Option<u8> = None => {
        help: "Least depth of a node whose successors are split among threads",
        more: "Smaller gives every thread work sooner, greater costs less bookkeeping.",
        unit: "DEPTH|auto",
        range: 1..=MAX_DEPTH as u64,
        paper: Some(7),
        role: Tuning, recorded: Always,
        tried: &[Some(2), None, Some(1), Some(3), None, Some(4), Some(5), Some(6), Some(7)],
    }

    /// A search ten times as large is split at once, others only while some thread is without work, and
    /// smaller ones, down to an eighth, only while so many are (at least four) that this size is no more than
    /// a search's size times their number. At 0 size does not matter. Left to the search it is what takes
    /// some twenty microseconds, by what nodes and evaluations are declared to cost; 400 at first.
    split_size: Option<u64> = None => {
        help: "Least size of a search that is split among threads, in nodes as searches at that depth have \
               taken so far",
        more: "A search ten times as large is split at once, others only while some thread is without work.",
        unit: "NODES|auto",
        paper: Some(400),
        role: Tuning, recorded: Always,
        // Small trees would not be split at all otherwise.
        tried: &[Some(0), Some(0), Some(0), None],
    }

    /// Such a search finds the same and gains nothing: it is there to measure what the parallel code costs.
    split_alone: bool = false => {
        help: "Whether one thread alone splits as well, as if others might come to help",
        role: Request, recorded: Elsewhere,
        tried: &[false, true],
    }

    /// Threads mark the nodes of [`split_depth`](Options::split_depth) less two and deeper that they are in
    /// (`duplicate_nodes`). Costs a little time, changes nothing else.
    count_duplicates: bool = false => {
        help: "Whether nodes that two threads search at once are counted",
        role: Request, recorded: Elsewhere,
        tried: &[false, false, false, true],
    }

    /// Of [`WorkerStats::timeline`](crate::search::WorkerStats::timeline): so many activities, and so many
    /// tasks. What comes later is dropped and counted. At 0 no timeline is kept, and that costs nothing. A
    /// span takes 48 bytes at most, once it is there; on threads a worker makes some thousands a second.
    timeline: usize = 0 => {
        help: "How many spans each worker of a parallel search keeps at most of its timeline",
        role: Request, recorded: Elsewhere,
        tried: &[0, 0, 0, 100],
    }

    /// So that each has a value of its own
    /// ([`SearchResult::root_moves`](crate::search::SearchResult::root_moves)). The root's value stays what
    /// it is; it takes longer to find, since no move profits from a better one.
    rank_root_moves: bool = false => {
        help: "Whether each move of a decision root is searched in a full window",
        role: Request, recorded: Elsewhere,
        tried: &[false, false, false, true],
    }
}

impl Options {
    /// The options under which the paper's comparison runs `algorithm`: Expectimax without a table, Star1 and
    /// Star2 with one at decision nodes, Star2-TT with one everywhere and successor probing at every chance
    /// node, and the paper's move ordering. Whatever goes beyond the paper is off.
    pub fn paper(algorithm: Algorithm) -> Self {
        let table_use = algorithm.paper_table_use();
        Options { algorithm, table_use, ..Options::of_the_paper() }
    }

    /// Whether the search takes the parallel code path.
    pub(crate) fn splits(&self) -> bool {
        self.threads > 1 || self.split_alone
    }

    /// Whether several workers take turns on a thread.
    pub(crate) fn has_lanes(&self) -> bool {
        self.lanes.is_some_and(|lanes| lanes > 1)
    }

    /// Whether the parts fit together.
    ///
    /// # Errors
    /// [`OptionsError`] names what does not fit.
    pub fn check(&self) -> Result<(), OptionsError> {
        check_threads(self.threads)?;
        self.check_lanes()?;
        if self.algorithm.needs_table() && self.table_use != TableUse::All {
            return Err(OptionsError::NeedsTable { algorithm: self.algorithm, found: self.table_use });
        }
        Ok(())
    }
}

impl Options {
    /// Whether a search of this game is possible.
    pub(crate) fn check_for(&self, game: &impl Game) -> Result<(), OptionsError> {
        self.check()?;
        let mixes_depths = self.reuse == Reuse::AtLeast && game.facts().depends_on_past;
        if mixes_depths { Err(OptionsError::DependsOnPast) } else { Ok(()) }
    }

    fn check_lanes(&self) -> Result<(), OptionsError> {
        if let Some(found) = self.lanes {
            let most = MAX_WORKERS / self.threads;
            if found == 0 || found > most {
                return Err(OptionsError::Lanes { found, most });
            }
            if found > 1 && !cfg!(all(feature = "lanes", not(loom))) {
                return Err(OptionsError::NoLanes { found });
            }
        }
        match self.batch {
            Some(found) if !(1..=MAX_BATCH).contains(&found) => Err(OptionsError::Batch { found }),
            _ => Ok(()),
        }
    }
}

/// Whether a search can have so many threads.
pub(crate) fn check_threads(threads: usize) -> Result<(), OptionsError> {
    if (1..=MAX_THREADS).contains(&threads) { Ok(()) } else { Err(OptionsError::Threads { found: threads }) }
}

/// Gives choices the default of their option.
macro_rules! default_choices {
    ($($choice:ty: $field:ident),+) => {$(
        impl Default for $choice {
            /// The one that searches take unless another is asked for.
            fn default() -> Self {
                Options::default().$field
            }
        }
    )+};
}

default_choices!(
    Algorithm: algorithm,
    TableUse: table_use,
    MoveOrdering: ordering,
    Company: company,
    Method: method,
    Reuse: reuse
);
