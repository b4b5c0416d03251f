//! The `Game` trait: everything a search asks of a game.

mod facts;
mod step;
mod texts;
mod wrapper;

pub use facts::GameFacts;
pub use step::{Step, StepOf, Steps};
pub use texts::Texts;
pub use wrapper::GameWrapper;

use crate::score::{Bounds, Score};
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

    /// What moves and outcomes may have beside what they lead to: rewards, plies of their own.
    const STEPS: Steps = Steps::PLAIN;

    /// A number that differs between rules under which the same position has a different value; whether
    /// values saturate is one of these.
    fn identity(&self) -> u64;

    /// What holds of the game as a whole, such as the range of its values; a function of the rules.
    fn facts(&self) -> GameFacts {
        GameFacts::default()
    }

    /// What happens next at `position`.
    fn kind(&self, position: &Self::Position) -> Kind;

    /// Whose value `position` is: the player who moves at a decision node; the player for whom chance nodes
    /// and terminals are told. A viewpoint that changes as seldom as possible makes the search cheapest.
    fn player(&self, position: &Self::Position) -> Player;

    /// The value of a terminal position for its [`player`](Game::player), on the grid unless the game
    /// [saturates](GameFacts::saturates). Called for terminals only.
    fn terminal_score(&self, position: &Self::Position) -> Score;

    /// The hash carried by `position`: it covers the position, the player to move and the pending outcome.
    /// Where it is kept up move by move, the test kit's `check_hash` compares it with the one computed
    /// anew.
    fn hash(&self, position: &Self::Position) -> Hash;

    /// The hash under which the table keeps what a search of `position` to `depth` finds; `depth` is at least
    /// 1 wherever a search asks.
    ///
    /// That is the [`hash`](Game::hash), as it is here, unless the game's values
    /// [depend on more of the past](GameFacts::depends_on_past) than the hash covers: then it covers all of
    /// that past on which a search to this depth may depend, so that two positions with the same hash to a
    /// depth have the same value at it. [`repetition`](crate::repetition) has such a game. Evaluations are
    /// kept under the plain hash, and so must not depend on the past.
    #[inline]
    fn hash_to_depth(&self, position: &Self::Position, _depth: u8) -> Hash {
        self.hash(position)
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
        self.moves(position, until_break(|mv| visit(mv, self.play(position, mv))));
    }

    /// The reward of a move or an outcome, in steps of the grid, as the player of the position `before` it
    /// sees it; `after` is the position that it leads to. A function of `before` and the step alone, from -2
    /// to 2 of the grid's limits unless the game [saturates](GameFacts::saturates). A search asks for it only
    /// where [`STEPS`](Game::STEPS) say so, and then more than once for one step, so it should cost little.
    fn reward(&self, _before: &Self::Position, _step: StepOf<Self>, _after: &Self::Position) -> Score {
        0
    }

    /// How many plies a move or an outcome takes. What is given, when it is asked for and what it should cost
    /// are as for [`reward`](Game::reward).
    fn plies(&self, _before: &Self::Position, _step: StepOf<Self>, _after: &Self::Position) -> u8 {
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
        let mut each =
            until_break(|(outcome, weight)| visit(outcome, weight, self.resolve(position, outcome)));
        self.outcomes(position, |outcome, weight| each((outcome, weight)));
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
    /// Where the game's [`STEPS`](Game::STEPS) have plies that search is one to `depth` less the plies of the
    /// outcome. Nothing is taken of an outcome that leaves depth 0, where the position is evaluated, unless
    /// it ends the game.
    ///
    /// Both bounds lie on the grid, the lower no higher than the upper. The search brings those beyond the
    /// grid onto it; crossed ones, and such as are no number, it leaves out, and counts a contradiction
    /// ([`TableCounts::contradictions`](crate::search::TableCounts::contradictions)). Bounds that are merely
    /// false it cannot tell from true ones, and the value is then wrong.
    fn outcome_bounds(&self, _position: &Self::Position, _depth: u8, _push: impl FnMut(Bounds)) {}

    /// A number below [`move_slots`](GameFacts::move_slots) that is the same for "the same" move in different
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
}

/// Gives `visit` what it is given, until that breaks.
#[inline]
fn until_break<T>(mut visit: impl FnMut(T) -> ControlFlow<()>) -> impl FnMut(T) {
    let mut flow = ControlFlow::Continue(());
    move |item| {
        if flow.is_continue() {
            flow = visit(item);
        }
    }
}
