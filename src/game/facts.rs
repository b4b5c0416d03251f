//! Facts about a game as a whole.

use crate::score::Grid;

/// Successors that cost as much are dear: ten look-ups.
pub(crate) const DEAR_SUCCESSOR_NS: u32 = 500;

/// Facts that hold at all positions of a game: [`Game::facts`](crate::game::Game::facts). A function of the
/// rules. A search asks once, at its beginning.
///
/// [`new`](GameFacts::new) declares nothing but the grid; methods and fields change one fact each.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GameFacts {
    /// The range of the game's values, and how finely values differ.
    pub grid: Grid,

    /// Declares that values saturate: evaluations, terminal scores, rewards, and a reward plus the value
    /// after it, may lie beyond the grid. Each then counts as the nearest end of the grid (a reward as at
    /// most twice the grid's limit). The search finds the exact value of that clamped game.
    ///
    /// Without this declaration a search that meets a value off the grid ends with
    /// [`SearchError::OffGrid`](crate::search::SearchError::OffGrid): a clamped value would be that of
    /// another game. A value that is not a number is always an error. A search that prunes may
    /// miss values off the grid; the test kit looks for them.
    pub saturates: bool,

    /// Promises that no outcome of a chance node leads to a terminal. The search then need not look at the
    /// outcomes above the leaves ([`Options::leaf_collapse`]), unless outcomes may have rewards or plies of
    /// their own.
    ///
    /// Where the search does not look, it does not ask for outcomes and weights either. So a chance node at
    /// depth 1 with no outcomes, or with impossible weights, goes unnoticed. The test kit finds such nodes,
    /// and a false promise.
    ///
    /// [`Options::leaf_collapse`]: crate::search::Options::leaf_collapse
    pub outcomes_never_end: bool,

    /// Whether [`hash_to_depth`](crate::game::Game::hash_to_depth) depends on the depth. An entry of one
    /// depth then says nothing about another, and the options refuse
    /// [`Reuse::AtLeast`](crate::table::Reuse::AtLeast).
    pub depends_on_past: bool,

    /// The depth step of iterative deepening. Use 2 where chance and decision nodes alternate strictly: every
    /// iteration then ends on the same kind of node.
    pub depth_step: u8,

    /// The number of [`move_slot`](crate::game::Game::move_slot)s, at most
    /// [`MAX_MOVE_SLOTS`](crate::search::MAX_MOVE_SLOTS). 0 turns the history heuristic off.
    pub move_slots: usize,

    /// The time to make a successor, with its share of generating the moves or outcomes, in nanoseconds;
    /// 0 where undeclared. `starsplit_testkit::check_cost` measures it.
    ///
    /// Only the time of a search depends on it. It is part of the prices by which the search chooses what the
    /// options leave to it: look-ups, orderings, lanes. From 500 on, it also looks up at every depth, and
    /// Star2 probes no decisions right above leaves unless evaluations cost as much. Iterations that hardly
    /// grow are left out then, whatever the options say.
    ///
    /// Where it is undeclared, a search avoids what would cost most by either price: Star2 probes as if it
    /// were 500, and decisions are looked up at every depth in iterations before the last, so that the next
    /// one has a first move to try. A result says so
    /// ([`TunedSettings::successors_assumed`](crate::search::TunedSettings::successors_assumed)).
    pub successor_ns: u32,

    /// Of a smaller game: what it leaves out of the whole game, in words for the search's
    /// result.
    pub left_out: Option<String>,
}

impl GameFacts {
    /// This grid, and no declarations.
    pub const fn new(grid: Grid) -> Self {
        GameFacts {
            grid,
            saturates: false,
            outcomes_never_end: false,
            depends_on_past: false,
            depth_step: 1,
            move_slots: 0,
            successor_ns: 0,
            left_out: None,
        }
    }

    /// Sets [`saturates`](GameFacts::saturates).
    #[must_use]
    pub const fn saturating(mut self, saturates: bool) -> Self {
        self.saturates = saturates;
        self
    }

    /// Sets [`outcomes_never_end`](GameFacts::outcomes_never_end).
    #[must_use]
    pub const fn with_outcomes_never_end(mut self, never: bool) -> Self {
        self.outcomes_never_end = never;
        self
    }

    /// Sets [`depth_step`](GameFacts::depth_step).
    #[must_use]
    pub const fn with_depth_step(mut self, step: u8) -> Self {
        self.depth_step = step;
        self
    }

    /// Sets [`move_slots`](GameFacts::move_slots).
    #[must_use]
    pub const fn with_move_slots(mut self, slots: usize) -> Self {
        self.move_slots = slots;
        self
    }

    /// Sets [`successor_ns`](GameFacts::successor_ns).
    #[must_use]
    pub const fn with_successor_ns(mut self, ns: u32) -> Self {
        self.successor_ns = ns;
        self
    }

    /// Whether nobody has declared what successors cost.
    pub(crate) const fn has_undeclared_successors(&self) -> bool {
        self.successor_ns == 0
    }

    /// The assumed cost of a successor where all moves would be generated to evaluate one.
    pub(crate) const fn successor_ns_of_probes(&self) -> u32 {
        if self.has_undeclared_successors() { DEAR_SUCCESSOR_NS } else { self.successor_ns }
    }

    /// Whether a look-up costs less than the successors that it may spare, however few.
    pub(crate) const fn has_dear_successors(&self) -> bool {
        self.successor_ns >= DEAR_SUCCESSOR_NS
    }
}

impl Default for GameFacts {
    /// The default grid, and no declarations.
    fn default() -> Self {
        GameFacts::new(Grid::default())
    }
}
