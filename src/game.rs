//! The `Game` trait: everything a search asks of a game.

mod facts;
mod pointer;
mod step;
mod texts;

pub(crate) use facts::DEAR_SUCCESSOR_NS;
pub use facts::GameFacts;
pub use step::{Step, StepOf, Steps};
pub use texts::Texts;

use crate::score::{Bounds, Score};
use std::fmt::Debug;
use std::ops::{BitXor, BitXorAssign, ControlFlow};

/// The player of a node: the one to move at a decision node, and the viewpoint of the node's values.
///
/// Games are zero-sum: what `Max` gains, `Min` loses. In a one-player game every node is `Max`'s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// The first player. Values in the game's units are this player's.
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

/// The next event at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NodeKind {
    /// The game is over.
    Terminal,
    /// The position's player chooses a move.
    Decision,
    /// Chance chooses an outcome.
    Chance,
}

/// A 128-bit hash of a position. The game updates it move by move.
///
/// Two positions are one where all 128 bits are equal. Different positions need different hashes; in which
/// bits these differ does not matter. The library mixes all of them before it chooses a bucket and verifies
/// an entry. So a position that packs into 128 bits is its own hash. The library also salts the hash with all
/// that the meaning of an entry depends on (node kind, rules, evaluator, reuse policy).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct PositionHash {
    /// One half.
    pub high: u64,
    /// The other half.
    pub low: u64,
}

impl From<u128> for PositionHash {
    /// The high half first.
    fn from(bits: u128) -> Self {
        PositionHash { high: (bits >> 64) as u64, low: bits as u64 }
    }
}

impl From<u64> for PositionHash {
    /// For a position that packs into 64 bits. Bits that are themselves a hash are the same for some
    /// positions, which then share a table entry: expect a few false hits in 10^12 probes.
    fn from(bits: u64) -> Self {
        PositionHash { high: bits, low: bits }
    }
}

impl BitXor for PositionHash {
    type Output = PositionHash;
    #[inline]
    fn bitxor(self, other: PositionHash) -> PositionHash {
        PositionHash { high: self.high ^ other.high, low: self.low ^ other.low }
    }
}

impl BitXorAssign for PositionHash {
    #[inline]
    fn bitxor_assign(&mut self, other: PositionHash) {
        *self = *self ^ other;
    }
}

/// A perfect-information game, with or without chance, for one player or for two with opposed interests.
///
/// The implementing type holds the rule parameters. Positions are plain values: each move makes a new one,
/// and nothing is undone. Decision nodes may follow decision nodes, and chance nodes chance nodes.
///
/// Every method must depend on the position alone, never on the path to it: transpositions share table
/// entries. (A game whose rules look at the path keeps what they need in its positions, and tells these apart
/// by [`hash_to_depth`](Game::hash_to_depth).) The test kit (`starsplit-testkit`) checks an implementation.
///
/// A panic in any method, or in a position's `Drop`, ends the search with an error: see
/// [`Searcher`](crate::Searcher#panics-in-a-game-an-evaluator-or-a-callback).
///
/// Limits: the weights of one chance node may sum to at most 2^32 - 1, or the search ends with an error.
/// Moves with an ordinal above 1,022 are searched, but the table does not remember them.
pub trait Game: Send + Sync {
    /// A position. The search copies it at every node: keep it small and free of heap data.
    type Position: Clone + Send + Sync;
    /// A move of a decision node.
    type Move: Copy + PartialEq + Debug + Send + Sync;
    /// One result of a chance event.
    type Outcome: Copy + Debug + Send + Sync;

    /// Whether moves and outcomes may have rewards, or take other than one ply.
    const STEPS: Steps = Steps::PLAIN;

    /// A number that differs between rules that give a position different values. Saturation counts as a
    /// rule.
    fn identity(&self) -> u64;

    /// Facts about the game as a whole, such as the range of its values. A function of the rules.
    fn facts(&self) -> GameFacts {
        GameFacts::default()
    }

    /// The next event at `position`.
    fn kind(&self, position: &Self::Position) -> NodeKind;

    /// The player from whose viewpoint the position's value is told: at a decision node, the player to move;
    /// at chance nodes and terminals, either. The search is cheapest where this changes as seldom as
    /// possible.
    fn player(&self, position: &Self::Position) -> Player;

    /// The value of a terminal position for its [`player`](Game::player). It lies on the grid unless the game
    /// [saturates](GameFacts::saturates). Called for terminals only.
    fn terminal_score(&self, position: &Self::Position) -> Score;

    /// The hash of `position`. It covers the position, the player to move and the pending outcome. The test
    /// kit's `check_hash` compares an incremental hash with one computed from scratch.
    fn hash(&self, position: &Self::Position) -> PositionHash;

    /// The hash under which the table stores a search of `position` to `depth`, which is at least 1.
    ///
    /// By default it is [`hash`](Game::hash). A game whose values
    /// [depend on more of the past](GameFacts::depends_on_past) than that covers must hash, here, all of the
    /// past that a search to `depth` may depend on: two positions with the same hash to a depth have the same
    /// value at it. The crate `starsplit-wrappers` has such a game. Evaluations are stored under the plain
    /// hash, so they must not depend on the past.
    #[inline]
    fn hash_to_depth(&self, position: &Self::Position, _depth: u8) -> PositionHash {
        self.hash(position)
    }

    /// Passes every move of a decision node, at least one, to `push`. The order depends on the position
    /// alone.
    fn moves(&self, position: &Self::Position, push: impl FnMut(Self::Move));

    /// The position after a move.
    fn play(&self, position: &Self::Position, mv: Self::Move) -> Self::Position;

    /// Passes every move of a decision node and the position after it to `visit`, until `visit` breaks. Order
    /// and positions are those of [`moves`](Game::moves) and [`play`](Game::play). A search calls this where
    /// it looks at every position once and ranks none.
    ///
    /// Implement it where the move generator has the positions at hand, or where stopping early saves much.
    #[inline]
    fn visit_moves(
        &self,
        position: &Self::Position,
        mut visit: impl FnMut(Self::Move, Self::Position) -> ControlFlow<()>,
    ) {
        self.moves(position, until_break(|mv| visit(mv, self.play(position, mv))));
    }

    /// The reward of a step (a move or an outcome), in steps of the grid, for the player of `before`. `after`
    /// is the position that the step leads to.
    ///
    /// A function of `before` and the step alone. It lies within twice the grid's limits unless the game
    /// [saturates](GameFacts::saturates). A search calls it only where [`STEPS`](Game::STEPS) allow rewards,
    /// and more than once for a step, so it should be cheap.
    fn reward(&self, _before: &Self::Position, _step: StepOf<Self>, _after: &Self::Position) -> Score {
        0
    }

    /// How many plies a move or an outcome takes. Arguments, calls and cost are as for
    /// [`reward`](Game::reward).
    fn plies(&self, _before: &Self::Position, _step: StepOf<Self>, _after: &Self::Position) -> u8 {
        1
    }

    /// Passes every outcome of a chance node, at least one, with its weight (at least 1) to `push`. The order
    /// depends on the position alone. An outcome's probability is its weight divided by the sum of the
    /// weights.
    ///
    /// Outcomes are searched in this order, and each value narrows the windows of the outcomes after it by
    /// its weight. So put the likeliest first; among equally likely ones, those whose values say most about
    /// the node.
    fn outcomes(&self, position: &Self::Position, push: impl FnMut(Self::Outcome, u32));

    /// The position after a chance outcome.
    fn resolve(&self, position: &Self::Position, outcome: Self::Outcome) -> Self::Position;

    /// Passes every outcome of a chance node, its weight and the position after it to `visit`, until `visit`
    /// breaks. Order and positions are those of [`outcomes`](Game::outcomes) and [`resolve`](Game::resolve).
    /// A game may implement it for the same reasons as [`visit_moves`](Game::visit_moves).
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

    /// Passes to `push`, for each outcome of a chance node in the order of [`outcomes`](Game::outcomes),
    /// bounds of the position after it that the game can prove without a search, such as an immediate win. A
    /// game may stop after the first few outcomes, or pass none.
    ///
    /// A bound holds for the value that a search of the position after the outcome finds at `depth` - 1, with
    /// any evaluator, for `position`'s player. The outcome's own reward is not included; later rewards are.
    /// `depth` is at least 2. This pays only where it costs less than the nodes that it saves.
    ///
    /// Where the game's [`STEPS`](Game::STEPS) have plies, the search after an outcome goes to `depth` less
    /// the plies of the outcome. Where that is depth 0 the position is evaluated, and the bounds are ignored
    /// unless the outcome ends the game.
    ///
    /// Both bounds lie on the grid, lower <= upper. The search clamps bounds beyond the grid. It drops
    /// crossed bounds and those that are not a number, and counts a contradiction
    /// ([`TableCounts::contradictions`](crate::search::TableCounts::contradictions)). It cannot detect other
    /// false bounds: the value is then wrong.
    fn outcome_bounds(&self, _position: &Self::Position, _depth: u8, _push: impl FnMut(Bounds)) {}

    /// An index below [`move_slots`](GameFacts::move_slots), the same for "the same" move in different
    /// positions.
    fn move_slot(&self, _mv: Self::Move) -> usize {
        0
    }

    /// The greatest depth that can remain below `position`, or `None` where the game has no bound for it.
    ///
    /// It is 0 at terminals. Elsewhere it is at least 1, and at least the plies of each move or outcome plus
    /// the full depth after it. A search to this depth sees every end of the game.
    fn full_depth(&self, _position: &Self::Position) -> Option<u32> {
        None
    }
}

/// Calls `visit` until it breaks, and ignores the items after that: for games that visit moves or outcomes as
/// they list them.
#[inline]
pub fn until_break<T>(mut visit: impl FnMut(T) -> ControlFlow<()>) -> impl FnMut(T) {
    let mut flow = ControlFlow::Continue(());
    move |item| {
        if flow.is_continue() {
            flow = visit(item);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PositionHash;

    #[test]
    fn keys_go_in_and_out_of_a_hash() {
        let [one, other] = [5u128 << 64 | 3, 6 << 64 | 9].map(PositionHash::from);
        let mut hash = one;
        hash ^= other;
        assert_eq!(hash, PositionHash { high: 3, low: 10 });
        hash ^= one;
        assert_eq!(hash, other);
    }
}
