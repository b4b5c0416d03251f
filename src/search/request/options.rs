//! What a search can be asked to do, and the checks that the parts of a request fit together.

use crate::search::algorithm::Algorithm;
use crate::search::request::method::Method;
use crate::search::request::named::named;
use crate::table::Reuse;
use std::time::Duration;

/// The greatest depth that can be asked for: a table slot keeps depths in eight bits, and 255 is spare.
pub const MAX_DEPTH: u32 = 254;

/// The greatest number of threads that a search takes.
pub const MAX_THREADS: usize = 1024;

/// The most [`move_slots`](crate::game::Game::move_slots) that a game can have. Each thread of a search keeps
/// four bytes for each and either player, 8 MiB where there are so many, and twice that with
/// [`History::Frozen`].
pub const MAX_MOVE_SLOTS: usize = 1 << 20;

/// Which kinds of node look up and store transpositions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum TableUse {
    /// No node does.
    None,
    /// Decision nodes do.
    Decision,
    /// Decision nodes and chance nodes do.
    #[default]
    All,
}

/// The order in which the moves of a decision node are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum MoveOrdering {
    /// The paper's: the table move, two killers a ply, the history heuristic, generation order.
    Paper,
    /// The table move, moves that end the game in the mover's favour, then by the static evaluation of the
    /// position after the move (from depth 2 up), then generation order.
    Static,
    /// `Static` from depth 4 up, `Paper` below.
    #[default]
    Hybrid,
}

/// From what the history heuristic learns which moves are good.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum History {
    /// From every cutoff, at once: each worker from its own.
    #[default]
    Live,
    /// From the cutoffs of earlier iterations: within an iteration it stands still.
    Frozen,
    /// From the cutoffs below the decision node at depth 4 that is being searched; killers too.
    Subtree,
    /// From the moves that the table knew when their nodes were entered.
    Table,
    /// From nothing: moves are in generation order after the table move and the killers.
    None,
}

/// Which move of a probe ([`Options::probing_factor`]) the table keeps as the one to try first. A probe tries
/// so few moves that the best of them need not be good; one that has tried every move has found the best, and
/// always keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum ProbeHints {
    /// The best of those it tried. What searches the node next begins with it, without a look at the others.
    #[default]
    Always,
    /// The one that cut, if one did. What searches the node next ranks all moves where none did.
    Cuts,
    /// The one that cut; or the best of those tried, where all moves were ranked by static evaluation, so
    /// that ranking them again would bring it first again.
    Ranked,
}

/// How to search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// Which nodes use the table.
    pub table_use: TableUse,
    /// Which stored bounds count.
    pub reuse: Reuse,
    /// The move ordering at decision nodes.
    pub ordering: MoveOrdering,
    /// From what the history heuristic learns, where the ordering uses it.
    pub history: History,
    /// How many moves of each successor Star2 probes; 0 switches the probing phase off.
    pub probing_factor: u32,
    /// Which move of a probe the table keeps as the one to try first.
    pub probe_hints: ProbeHints,
    /// The least depth of a chance node at which Star2-TT looks up all successors first. Near the leaves the
    /// look-ups cost more than they save: see ARCHITECTURE.md, "Decisions and their evidence".
    pub successor_probing_depth: u8,
    /// The least depth of a node that uses the table. Just above the leaves a look-up costs more than the
    /// nodes it saves (Schaeffer's lecture, "Other issues"): see ARCHITECTURE.md, "Decisions and their
    /// evidence". At 1, chance nodes that [collapse](Options::leaf_collapse) are looked up instead of
    /// evaluated anew: for evaluators that take longer than a quarter of a microsecond or so.
    pub table_depth: u8,
    /// Whether a chance node at depth 1 is one evaluation and not one node for each outcome, where the
    /// evaluator does not look at outcomes and no outcome ends the game. Changes no value (the proof is in
    /// `search/collapse.rs`). This library's own: it stands on a property of evaluators that the literature
    /// on these algorithms does not ask for.
    pub leaf_collapse: bool,
    /// Whether chance nodes take the bounds that the game knows of each outcome ([`Game::outcome_bounds`])
    /// before they search any. Expectimax does not. Star1 (Ballard, "The *-minimax search procedure for trees
    /// containing chance nodes", Artificial Intelligence 21, 1983) begins with the least and the greatest
    /// value of the game instead.
    ///
    /// [`Game::outcome_bounds`]: crate::game::Game::outcome_bounds
    pub static_bounds: bool,
    /// The least depth of a decision node that looks up all its successors before it searches any: enhanced
    /// transposition cutoffs (Plaat, Schaeffer, Pijls and de Bruin, "Nearly optimal minimax tree search?",
    /// 1994, arXiv:1404.1518, section 4.1). Beyond [`MAX_DEPTH`], the default, none does: see
    /// ARCHITECTURE.md, "Fewer nodes".
    pub move_probing_depth: u8,
    /// The least depth of a decision node that, where the table has no move for it, is searched two plies
    /// less deep first, to find the move to try first: internal iterative deepening (Anantharaman, "Extension
    /// heuristics", ICCA Journal 14(2), 1991). Beyond [`MAX_DEPTH`], the default, none is: see
    /// ARCHITECTURE.md, "What did not help".
    pub internal_deepening_depth: u8,
    /// Whether shallower iterations come before the one to the depth asked for. They order its moves, and
    /// give a search that is stopped an answer: to leave them out is for experiments that know the moves from
    /// elsewhere.
    pub deepening: bool,
    /// How many threads search.
    pub threads: usize,
    /// How they share the search.
    pub method: Method,
    /// How long the next iteration has to be expected to take, by those before it, for the calling thread to
    /// call the others; the one after it twice as long, and one that was not expected to take long, three
    /// times. To call them takes some 15 microseconds of its time, and until they are there some 30 pass.
    /// Shorter searches are the serial one, and no slower; of longer ones the first short iterations are. A
    /// search waits for its turn on a shared pool when it may call. At 0 they are called at once, at
    /// [`Duration::MAX`] never. Simulated searches have all their processors from the beginning.
    pub helpers_after: Duration,
    /// The least depth of a node whose successors are split among threads, at least 2. Where more than four
    /// threads search and four or more of them are without work, nodes up to four plies below it are split,
    /// too.
    pub split_depth: u8,
    /// The least size of a search that is split among threads, in nodes as searches at that depth have taken
    /// so far. A search ten times as large is split at once, others only while some thread is without work,
    /// and smaller ones, down to an eighth, only while so many are (at least four) that this size is no more
    /// than a search's size times their number. At 0 size does not matter.
    pub split_size: u64,
    /// Whether one thread alone splits as well, as if others might come to help. It finds the same and gains
    /// nothing: it is there to measure what the parallel code costs.
    pub split_alone: bool,
    /// Whether threads mark the nodes of [`split_depth`](Options::split_depth) less two and deeper that they
    /// are in, so that nodes which two search at once are counted (`duplicate_nodes`). Costs a little time,
    /// changes nothing else.
    pub count_duplicates: bool,
    /// How many spans each worker of a parallel search keeps at most of its timeline
    /// ([`WorkerStats::timeline`](crate::search::WorkerStats::timeline)): so many activities, and so many
    /// tasks. What comes later is dropped and counted. At 0, the default, no timeline is kept, and that costs
    /// nothing. A span takes 48 bytes at most, once it is there; on threads a worker makes some thousands a
    /// second.
    pub timeline: usize,
    /// Whether each move of a decision root is searched in a full window, so that each has a value of its own
    /// ([`SearchResult::root_moves`](crate::search::SearchResult::root_moves)). The root's value stays what
    /// it is; it takes longer to find, since no move profits from a better one.
    pub rank_root_moves: bool,
}

impl Default for Options {
    /// Star2-TT on one thread.
    fn default() -> Self {
        Options {
            algorithm: Algorithm::default(),
            table_use: TableUse::default(),
            reuse: Reuse::default(),
            ordering: MoveOrdering::default(),
            history: History::default(),
            probing_factor: 1,
            probe_hints: ProbeHints::default(),
            successor_probing_depth: 4,
            table_depth: 3,
            leaf_collapse: true,
            static_bounds: true,
            move_probing_depth: u8::MAX,
            internal_deepening_depth: u8::MAX,
            deepening: true,
            threads: 1,
            helpers_after: Duration::from_micros(250),
            split_depth: 7,
            split_size: 400,
            method: Method::default(),
            split_alone: false,
            count_duplicates: false,
            timeline: 0,
            rank_root_moves: false,
        }
    }
}

impl Options {
    /// The options under which the paper's comparison runs `algorithm`: Expectimax without a table, Star1 and
    /// Star2 with one at decision nodes, Star2-TT with one everywhere and successor probing at every chance
    /// node, and the paper's move ordering. Whatever goes beyond the paper is off.
    pub fn paper(algorithm: Algorithm) -> Self {
        let whole = Options {
            probe_hints: ProbeHints::Always,
            successor_probing_depth: 2,
            table_depth: 1,
            leaf_collapse: false,
            static_bounds: false,
            move_probing_depth: u8::MAX,
            internal_deepening_depth: u8::MAX,
            ..Options::default()
        };
        let (table_use, ordering) = (algorithm.paper_table_use(), MoveOrdering::Paper);
        Options { algorithm, table_use, ordering, ..whole }
    }

    /// Whether the search takes the parallel code path.
    pub(crate) fn splits(&self) -> bool {
        self.threads > 1 || self.split_alone
    }

    /// The least depth of nodes whose entries are noted in order to count duplicates.
    pub(crate) fn watched_depth(&self) -> u8 {
        if self.count_duplicates { self.split_depth.saturating_sub(2).max(2) } else { u8::MAX }
    }

    /// Whether the parts fit together.
    ///
    /// # Errors
    /// [`OptionsError`] names what does not fit.
    pub fn check(&self) -> Result<(), OptionsError> {
        check_threads(self.threads)?;
        if self.algorithm.needs_table() && self.table_use != TableUse::All {
            return Err(OptionsError::NeedsTable { algorithm: self.algorithm, found: self.table_use });
        }
        Ok(())
    }
}

/// Whether a search can have so many threads.
pub(crate) fn check_threads(threads: usize) -> Result<(), OptionsError> {
    if (1..=MAX_THREADS).contains(&threads) { Ok(()) } else { Err(OptionsError::Threads { found: threads }) }
}

/// Options that do not fit together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// No threads, or more than the library takes.
    #[error("threads {found}: expected 1 to {MAX_THREADS}")]
    Threads {
        /// The number asked for.
        found: usize,
    },
    /// A method was to be simulated that cannot be.
    #[error("method {method}: expected one that is simulated, any but fork-join")]
    NotSimulated {
        /// The method asked for.
        method: Method,
    },
    /// An algorithm that [needs the table](Algorithm::needs_table) without table use at every node.
    #[error("table use {found}: {algorithm} looks up chance nodes; expected all")]
    NeedsTable {
        /// The algorithm asked for.
        algorithm: Algorithm,
        /// The table use asked for.
        found: TableUse,
    },
    /// A name that is not in the list.
    #[error("{what} {found:?}: expected {expected}")]
    Name {
        /// What the name was to choose.
        what: &'static str,
        /// The name given.
        found: String,
        /// The names there are.
        expected: &'static str,
    },
}

named!(TableUse, "table use", None = "none", Decision = "decision", All = "all");
named!(MoveOrdering, "ordering", Paper = "paper", Static = "static", Hybrid = "hybrid");
named!(ProbeHints, "probe hints", Always = "always", Cuts = "cuts", Ranked = "ranked");
named!(
    History,
    "history",
    Live = "live",
    Frozen = "frozen",
    Subtree = "subtree",
    Table = "table",
    None = "none"
);
named!(Reuse, "reuse", Exact = "exact", AtLeast = "at-least");
