//! What a game says of itself as a whole.

use crate::score::Grid;

/// What is the same at all positions of a game: [`Game::facts`](crate::game::Game::facts). A function of the
/// rules.
///
/// [`new`](GameFacts::new) makes what holds of a game that declares nothing; methods and fields change one
/// thing each. A search asks once, where it begins.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GameFacts {
    /// The range of the game's values and how finely they are told apart.
    pub grid: Grid,

    /// Declares that values saturate: that evaluations, terminal scores and rewards beyond the grid are
    /// meant, and so is what a move or an outcome is worth together with its reward. Each counts as the
    /// grid's nearest end (a reward as the most by which values differ), and what a search finds is the exact
    /// value of that clamped game.
    ///
    /// Without this declaration all of them have to lie on the grid, and a search that meets one which does
    /// not ends with [`SearchError::OffGrid`](crate::search::SearchError::OffGrid): were it clamped, the
    /// value found would be no game's. What is not a number ([`NOT_A_NUMBER`](crate::score::NOT_A_NUMBER)) is
    /// an error in either case. A search that prunes need not meet what is off the grid. To find it is the
    /// test kit's part.
    pub saturates: bool,

    /// Promises that no chance outcome ends the game: what comes after a chance node is never a terminal. The
    /// search then need not look, where it has no other reason to ([`Options::leaf_collapse`]), as it has
    /// where outcomes may carry rewards or take another number of plies than 1.
    ///
    /// Nor does the search then ask for the outcomes and weights of a chance node that it does not look into:
    /// it finds a value where a chance node at depth 1 has no outcomes, or impossible weights, and no error.
    /// The test kit finds these, and a false promise.
    ///
    /// [`Options::leaf_collapse`]: crate::search::Options::leaf_collapse
    pub outcomes_never_end: bool,

    /// Whether [`hash_to_depth`](crate::game::Game::hash_to_depth) depends on the depth. Entries of one depth
    /// then say nothing of another, and searches under
    /// [`Reuse::AtLeast`](crate::search::Reuse::AtLeast) are refused.
    pub depends_on_past: bool,

    /// By how much iterative deepening deepens: 2 for games where chance and decisions alternate strictly, so
    /// that every iteration ends on the same kind of node as the last one.
    pub depth_step: u8,

    /// How many different [`move_slot`](crate::game::Game::move_slot)s there are, at most
    /// [`MAX_MOVE_SLOTS`](crate::search::MAX_MOVE_SLOTS); 0 switches the history heuristic off.
    pub move_slots: usize,

    /// What this game leaves out of another one, in words, where it is a [smaller](crate::smaller) game; a
    /// search's result says so.
    pub left_out: Option<String>,
}

impl GameFacts {
    /// The grid, and nothing declared.
    pub const fn new(grid: Grid) -> Self {
        GameFacts {
            grid,
            saturates: false,
            outcomes_never_end: false,
            depends_on_past: false,
            depth_step: 1,
            move_slots: 0,
            left_out: None,
        }
    }

    /// With [`saturates`](GameFacts::saturates) as told.
    #[must_use]
    pub const fn saturating(mut self, saturates: bool) -> Self {
        self.saturates = saturates;
        self
    }

    /// With [`outcomes_never_end`](GameFacts::outcomes_never_end) as told.
    #[must_use]
    pub const fn with_outcomes_never_end(mut self, never: bool) -> Self {
        self.outcomes_never_end = never;
        self
    }

    /// With this [`depth_step`](GameFacts::depth_step).
    #[must_use]
    pub const fn with_depth_step(mut self, step: u8) -> Self {
        self.depth_step = step;
        self
    }

    /// With so many [`move_slots`](GameFacts::move_slots).
    #[must_use]
    pub const fn with_move_slots(mut self, slots: usize) -> Self {
        self.move_slots = slots;
        self
    }
}

impl Default for GameFacts {
    /// The default grid, and nothing declared.
    fn default() -> Self {
        GameFacts::new(Grid::default())
    }
}
