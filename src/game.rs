//! The `Game` trait: everything a search asks of a game.

use crate::score::{Bounds, Grid, Score};
use std::fmt::Debug;
use std::ops::{BitXor, BitXorAssign, ControlFlow};

/// Who a node belongs to: whose value it is, and at a decision node who moves.
///
/// The games are zero-sum: what `Max` gains, `Min` loses. A one-player game is `Max` everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// The first player; values in the game's units are this player's.
    Max,
    /// The second player.
    Min,
}

impl Player {
    /// The other player.
    #[inline]
    #[must_use]
    pub fn opponent(self) -> Self {
        match self {
            Player::Max => Player::Min,
            Player::Min => Player::Max,
        }
    }
}

/// What happens next at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The game is over.
    Terminal,
    /// The position's player chooses a move.
    Decision,
    /// Chance chooses an outcome.
    Chance,
}

/// A 128-bit hash of a position, kept up move by move by the game.
///
/// The table takes its bucket from one half and verifies with the other. Quality matters only in that
/// different positions must differ: the library finalises the bits and salts them with everything else that
/// an entry's meaning depends on (node kind, rules, evaluator, reuse policy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Hash {
    /// One half; chooses the bucket.
    pub high: u64,
    /// The other half; verifies the entry.
    pub low: u64,
}

impl From<u128> for Hash {
    fn from(bits: u128) -> Self {
        Hash { high: (bits >> 64) as u64, low: bits as u64 }
    }
}

impl From<u64> for Hash {
    /// For games that keep 64 bits only. Two positions that share the 64 bits share a table entry, so a
    /// campaign of 10^12 probes should expect a few false hits; prefer 128 bits where "one value" must hold
    /// that long.
    fn from(bits: u64) -> Self {
        Hash { high: bits, low: bits }
    }
}

impl BitXor for Hash {
    type Output = Hash;
    #[inline]
    fn bitxor(self, other: Hash) -> Hash {
        Hash { high: self.high ^ other.high, low: self.low ^ other.low }
    }
}

impl BitXorAssign for Hash {
    #[inline]
    fn bitxor_assign(&mut self, other: Hash) {
        *self = *self ^ other;
    }
}

/// A perfect-information game, with or without chance, for one player or for two with opposed interests.
///
/// The value of the trait is the game with its rule parameters; positions are plain values, made new by each
/// move and never unmade. Decisions may follow decisions and chance may follow chance; there is no fixed
/// pattern of turns.
///
/// Everything must depend on the position alone, never on the path to it: positions that are reached by
/// several paths share their table entries. (A game whose rules look at the path carries what they look at
/// in its positions, and keeps these apart by [`hash_to_depth`](Game::hash_to_depth).) The test kit
/// (`starsplit-testkit`) checks an implementation against these rules.
///
/// A panic in any of it, also when a position is dropped, is the search's error: see
/// [`Searcher`](crate::Searcher#panics-in-a-game-an-evaluator-or-a-callback).
///
/// Limits: at most 2^32 - 1 in the sum of one chance node's weights (a search that meets more ends with an
/// error), and moves whose ordinal is above 1,022 are searched but not remembered by the table.
pub trait Game: Send + Sync {
    /// A position. It is copied at every node: keep it small and free of heap data.
    type Position: Clone + Send + Sync;
    /// A move of a decision node.
    type Move: Copy + PartialEq + Debug + Send + Sync;
    /// One result of a chance event.
    type Outcome: Copy + Debug + Send + Sync;

    /// Whether moves or outcomes may carry rewards, such as points that are scored along the way
    /// ([`move_reward`](Game::move_reward), [`outcome_reward`](Game::outcome_reward)). Where this is false
    /// no search asks for them, and nothing is slower.
    ///
    /// What a move or an outcome leads to is then worth its reward and its own value together; an evaluation
    /// stands for what is still to come. The grid needs room for both: its limit should be at least the
    /// greatest evaluation or terminal score plus the greatest sum of rewards along a line of play, on the
    /// grid of the scores: a reward is in steps of it, not in the game's units. A search that finds a sum
    /// beyond the grid ends with an error, unless the game [`saturates`](Game::saturates).
    const HAS_REWARDS: bool = false;

    /// Whether outcomes may carry rewards, where moves or outcomes may. Where this is false no search asks
    /// for an outcome's reward, which spares it to make the position after every outcome beforehand.
    const HAS_OUTCOME_REWARDS: bool = Self::HAS_REWARDS;

    /// Whether moves or outcomes may take another number of plies than 1 ([`move_plies`](Game::move_plies),
    /// [`outcome_plies`](Game::outcome_plies)): none where a move is made in two halves or no chance is in a
    /// step, two and more where what is unlikely is to be searched less deep. Where this is false no search
    /// asks for them, and nothing is slower.
    ///
    /// The position after a move or an outcome is searched to the depth that is left before it less its
    /// plies, and to depth 0 where that is less than nothing. At depth 0 a position is evaluated, even if its
    /// own moves or outcomes take no ply. So its value is a function of itself and the depth as in any game.
    ///
    /// With this the game promises that no chain of moves and outcomes which take no ply goes on for ever. A
    /// search along which there are more than [`MAX_PATH_LENGTH`](crate::search::MAX_PATH_LENGTH) moves and
    /// outcomes, of whatever plies, ends with
    /// [`SearchError::PathLength`](crate::search::SearchError::PathLength).
    ///
    /// Searches then do without what they have for nodes right above the leaves: an evaluation that ignores
    /// outcomes serves several leaves only where a chance node collapses, for which all its outcomes are
    /// looked at ([`Options::leaf_collapse`](crate::search::Options::leaf_collapse)).
    const HAS_PLIES: bool = false;

    /// The range of the game's values and how finely they are told apart.
    fn grid(&self) -> Grid {
        Grid::default()
    }

    /// A number that differs between rules under which the same position has a different value; whether
    /// values saturate is one of these.
    fn identity(&self) -> u64;

    /// Declares that values saturate: that evaluations, terminal scores and rewards beyond the grid are
    /// meant, and so is what a move or an outcome is worth together with its reward. Each counts as the
    /// grid's nearest end (a reward as the most by which values differ), and what a search finds is the exact
    /// value of that clamped game. A function of the rules.
    ///
    /// Without this declaration all of them have to lie on the grid, and a search that meets one which does
    /// not ends with [`SearchError::OffGrid`](crate::search::SearchError::OffGrid): were it clamped, the
    /// value found would be no game's. What is not a number ([`NOT_A_NUMBER`](crate::score::NOT_A_NUMBER)) is
    /// an error in either case. A search that prunes need not meet what is off the grid. To find it is the
    /// test kit's part.
    fn saturates(&self) -> bool {
        false
    }

    /// Promises that no chance outcome ends the game: what comes after a chance node is never a terminal. The
    /// search then need not look, where it has no other reason to ([`Options::leaf_collapse`]), as it has
    /// where outcomes may carry rewards or take another number of plies than 1. A function of the rules: it
    /// is asked where a search begins, not at its nodes.
    ///
    /// Nor does the search then ask for the outcomes and weights of a chance node that it does not look into:
    /// it finds a value where a chance node at depth 1 has no outcomes, or impossible weights, and no error.
    /// The test kit finds these, and a false promise.
    ///
    /// [`Options::leaf_collapse`]: crate::search::Options::leaf_collapse
    fn outcomes_never_end(&self) -> bool {
        false
    }

    /// What this game leaves out of another one, in words, where it is a [smaller](crate::smaller) game; a
    /// search's result says so.
    fn smaller(&self) -> Option<String> {
        None
    }

    /// What happens next at `position`.
    fn kind(&self, position: &Self::Position) -> Kind;

    /// Whose value `position` is: the player who moves at a decision node; the player for whom chance nodes
    /// and terminals are told. A viewpoint that changes as seldom as possible makes the search cheapest.
    fn player(&self, position: &Self::Position) -> Player;

    /// The value of a terminal position for its [`player`](Game::player), on the grid unless the game
    /// [`saturates`](Game::saturates). Called for terminals only.
    fn terminal_score(&self, position: &Self::Position) -> Score;

    /// The hash carried by `position`: it covers the position, the player to move and the pending outcome.
    /// Where it is kept up move by move, the test kit's `check_hash` compares it with the one computed
    /// anew.
    fn hash(&self, position: &Self::Position) -> Hash;

    /// The hash under which the table keeps what a search of `position` to `depth` finds; `depth` is at least
    /// 1 wherever a search asks.
    ///
    /// That is the [`hash`](Game::hash), as it is here, unless the game's values depend on more of the past
    /// than the hash covers ([`depends_on_past`](Game::depends_on_past)): then it covers all of that past on
    /// which a search to this depth may depend, so that two positions with the same hash to a depth have the
    /// same value at it. [`repetition`](crate::repetition) has such a game. Evaluations are kept under the
    /// plain hash, and so must not depend on the past.
    #[inline]
    fn hash_to_depth(&self, position: &Self::Position, _depth: u8) -> Hash {
        self.hash(position)
    }

    /// Whether [`hash_to_depth`](Game::hash_to_depth) depends on the depth. Entries of one depth then say
    /// nothing of another, and searches under [`Reuse::AtLeast`](crate::search::Reuse::AtLeast) are refused.
    /// A function of the rules.
    fn depends_on_past(&self) -> bool {
        false
    }

    /// Gives every move of a decision node to `push`, at least one, in an order that depends on the position
    /// alone.
    fn moves(&self, position: &Self::Position, push: impl FnMut(Self::Move));

    /// The position after a move.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Gives every move of a decision node with the position after it to `visit`, in the order of
    /// [`moves`](Game::moves) and as [`play`](Game::play) has it, until `visit` breaks. A search asks for
    /// this where it looks at every position once and ranks none.
    ///
    /// What is here does it by the other two. A game does it itself where its generator has the positions at
    /// hand, or saves much by stopping early.
    #[inline]
    fn visit_moves(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(Self::Move, Self::Position) -> ControlFlow<()>,
    ) {
        let mut flow = ControlFlow::Continue(());
        self.moves(position, |mv| {
            if flow.is_continue() {
                flow = visit(mv, self.play(position, mv));
            }
        });
    }

    /// The reward of a move, in steps of the grid, as the player who moves sees it; `after` is the position
    /// that it leads to. A function of the position and the move alone, from -2 to 2 of the grid's limits
    /// unless the game [`saturates`](Game::saturates). A search asks for it only where
    /// [`HAS_REWARDS`](Game::HAS_REWARDS), and then more than once for one move, so it should cost little.
    fn move_reward(&self, _position: &Self::Position, _mv: Self::Move, _after: &Self::Position) -> Score {
        0
    }

    /// The reward of a chance outcome, in steps of the grid, as `position`'s player sees it; `after` is the
    /// position that it leads to. A function of the position and the outcome alone, with the same range and
    /// the same cost as [`move_reward`](Game::move_reward).
    fn outcome_reward(
        &self,
        _position: &Self::Position,
        _outcome: Self::Outcome,
        _after: &Self::Position,
    ) -> Score {
        0
    }

    /// How many plies a move takes; `after` is the position that it leads to. A function of the position and
    /// the move alone. A search asks for it only where [`HAS_PLIES`](Game::HAS_PLIES), and then more than
    /// once for one move, so it should cost little.
    fn move_plies(&self, _position: &Self::Position, _mv: Self::Move, _after: &Self::Position) -> u8 {
        1
    }

    /// How many plies a chance outcome takes; `after` is the position that it leads to. A function of the
    /// position and the outcome alone, with the same cost as [`move_plies`](Game::move_plies).
    fn outcome_plies(
        &self,
        _position: &Self::Position,
        _outcome: Self::Outcome,
        _after: &Self::Position,
    ) -> u8 {
        1
    }

    /// Gives every outcome of a chance node with its weight (at least 1) to `push`, at least one outcome, in
    /// an order that depends on the position alone. An outcome's probability is its weight divided by the sum
    /// of the weights.
    ///
    /// Outcomes are searched in this order, so the likeliest should come first, and among equally likely ones
    /// those whose values tell most: what is known of the first ones narrows the windows of the others by
    /// their weights.
    fn outcomes(&self, position: &Self::Position, push: impl FnMut(Self::Outcome, u32));

    /// The position after a chance outcome.
    fn resolve(&self, position: &Self::Position, outcome: Self::Outcome) -> Self::Position;

    /// Gives every outcome of a chance node with its weight and the position after it to `visit`, in the
    /// order of [`outcomes`](Game::outcomes) and as [`resolve`](Game::resolve) has it, until `visit` breaks.
    ///
    /// What is here does it by the other two; as with [`visit_moves`](Game::visit_moves), a game may do it
    /// itself.
    #[inline]
    fn visit_outcomes(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(Self::Outcome, u32, Self::Position) -> ControlFlow<()>,
    ) {
        let mut flow = ControlFlow::Continue(());
        self.outcomes(position, |outcome, weight| {
            if flow.is_continue() {
                flow = visit(outcome, weight, self.resolve(position, outcome));
            }
        });
    }

    /// Gives `push`, for each outcome of a chance node in the order of [`outcomes`](Game::outcomes), bounds
    /// of the position after it that the game can prove without a search, such as a win that the outcome
    /// allows at once; for the first few outcomes, or for none, where the game knows no more.
    ///
    /// A bound is one of the value that a search of the position after the outcome to `depth` - 1 plies
    /// finds, whatever the evaluator says of unfinished games, as `position`'s player sees it. The outcome's
    /// own reward is not in it; rewards that come after are. `depth` is at least 2. To be worth its while
    /// this has to cost less than the nodes that it saves.
    ///
    /// Where the game [`HAS_PLIES`](Game::HAS_PLIES) that search is one to `depth` less the plies of the
    /// outcome. Nothing is taken of an outcome that leaves depth 0, where the position is evaluated, unless
    /// it ends the game.
    ///
    /// Both bounds lie on the grid, the lower no higher than the upper. The search brings those beyond the
    /// grid onto it; crossed ones, and such as are no number, it leaves out, and counts a contradiction
    /// ([`TableCounts::contradictions`](crate::search::TableCounts::contradictions)). Bounds that are merely
    /// false it cannot tell from true ones, and the value is then wrong.
    fn outcome_bounds(&self, _position: &Self::Position, _depth: u8, _push: impl FnMut(Bounds)) {}

    /// How many different [`move_slot`](Game::move_slot)s there are, at most
    /// [`MAX_MOVE_SLOTS`](crate::search::MAX_MOVE_SLOTS); 0 switches the history heuristic off.
    fn move_slots(&self) -> usize {
        0
    }

    /// A number below [`move_slots`](Game::move_slots) that is the same for "the same" move in different
    /// positions.
    fn move_slot(&self, _mv: Self::Move) -> usize {
        0
    }

    /// The greatest depth that can remain below `position`, where the game bounds it; `None` where play may
    /// go on for ever or nobody knows.
    ///
    /// That is 0 at terminals, and at other positions at least 1 and at least the plies of each move or
    /// outcome and the full depth after it together: a search to it sees every end.
    fn full_depth(&self, _position: &Self::Position) -> Option<u32> {
        None
    }

    /// By how much iterative deepening deepens: 2 for games where chance and decisions alternate strictly, so
    /// that every iteration ends on the same kind of node as the last one.
    fn depth_step(&self) -> u8 {
        1
    }

    /// How a person would write the move.
    fn move_text(&self, _position: &Self::Position, mv: Self::Move) -> String {
        format!("{mv:?}")
    }

    /// How a person would write the outcome of a chance node, such as the numbers rolled.
    fn outcome_text(&self, _position: &Self::Position, outcome: Self::Outcome) -> String {
        format!("{outcome:?}")
    }
}
