//! A game in which a repeated position ends the game.

use crate::repetition::Past;
use crate::{GameWrapper, forward};
use starsplit::evaluator::mix64;
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, StepOf, Texts};
use starsplit::score::Score;

/// What is known of how play can come back to a position. Every answer must be a function of the arguments.
pub trait Returns<G: Game>: Send + Sync {
    /// A number that differs if other moves or outcomes are irreversible.
    fn identity(&self) -> u64 {
        0
    }

    /// Whether no position up to and including `before` can recur after this step. This is part of the rule:
    /// these positions are forgotten, so one that recurs all the same does not count.
    fn is_irreversible(
        &self,
        _game: &G,
        _before: &G::Position,
        _step: StepOf<G>,
        _after: &G::Position,
    ) -> bool {
        false
    }

    /// A depth such that no search of `position` to less depth reaches `earlier`: at most the least number of
    /// plies from the one to the other in the game without the rule; 255 if none lead there. In games with
    /// [plies](starsplit::game::Steps::plies) of their own the last move or outcome counts 1, whatever it
    /// takes, because a position is looked at even if no depth is left for it.
    ///
    /// Called for each earlier position at each table probe. Too great a number makes values wrong; too small
    /// a number lets paths share less. With 1, which is always true, only paths over the same positions share
    /// entries.
    fn depth_back(&self, _game: &G, _position: &G::Position, _earlier: &G::Position) -> u8 {
        1
    }
}

/// Nothing is known: any move may be undone at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyReturn;

impl<G: Game> Returns<G> for AnyReturn {}

/// A game with the rule that a repeated position ends it, with one score for all repetitions.
///
/// Both decision nodes and chance nodes can repeat, each by its [`hash`](Game::hash).
/// [`begin`](Repeating::begin) makes a position without a past. [`play`](Game::play) and
/// [`resolve`](Game::resolve) extend the past, also for moves made before a search.
///
/// Making a position costs an allocation. Evaluators of the plain game serve by
/// [`OfInner`](crate::OfInner). Bounds that the plain game or its evaluators prove do not hold
/// with the rule, and are left out. Nor can the game promise that outcomes never end it.
#[derive(Clone, Copy, Debug)]
pub struct Repeating<G, R = AnyReturn> {
    plain: G,
    score: Score,
    returns: R,
}

/// A position with its past.
#[derive(Clone, Debug)]
pub struct WithPast<P> {
    position: P,
    past: Past<P>,
    is_repeated: bool,
}

impl<P> WithPast<P> {
    /// The position in the game without the rule.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// Its past, since the last irreversible move or outcome.
    pub fn past(&self) -> &Past<P> {
        &self.past
    }

    /// Whether the position is a repetition, which ends the game.
    pub fn is_repeated(&self) -> bool {
        self.is_repeated
    }
}

impl<G: Game> Repeating<G> {
    /// `plain` with the rule. A repetition scores `score` for [`Player::Max`], in steps of the grid and
    /// clamped to it; 0 is a draw in most games.
    pub fn new(plain: G, score: Score) -> Self {
        Repeating::knowing(plain, score, AnyReturn)
    }
}

impl<G: Game, R: Returns<G>> Repeating<G, R> {
    /// The same, with knowledge of how play can come back.
    pub fn knowing(plain: G, score: Score, returns: R) -> Self {
        let limit = plain.facts().grid.limit();
        Repeating { score: score.clamp(-limit, limit), plain, returns }
    }

    /// A position of the plain game without a past.
    pub fn begin(&self, position: G::Position) -> WithPast<G::Position> {
        WithPast { position, past: Past::none(), is_repeated: false }
    }
}

impl<G: Game, R: Returns<G>> GameWrapper for Repeating<G, R> {
    type Inner = G;
    type Position = WithPast<G::Position>;

    #[inline]
    fn inner(&self) -> &G {
        &self.plain
    }

    #[inline]
    fn inner_position(position: &Self::Position) -> &G::Position {
        &position.position
    }

    fn wrap(&self, before: &Self::Position, step: StepOf<G>, position: G::Position) -> Self::Position {
        let plain = &self.plain;
        if self.returns.is_irreversible(plain, &before.position, step, &position) {
            return self.begin(position);
        }
        let past = before.past.with(plain.hash(&before.position), before.position.clone());
        let is_repeated = plain.kind(&position) != NodeKind::Terminal && past.has(plain.hash(&position));
        WithPast { position, past, is_repeated }
    }

    fn identity(&self) -> u64 {
        let own = mix64(self.score as u64) ^ self.returns.identity();
        mix64(mix64(self.plain.identity() ^ 0x7265_7065_6174_6564) ^ own)
    }

    fn facts(&self) -> GameFacts {
        let mut facts = self.plain.facts();
        (facts.outcomes_never_end, facts.depends_on_past) = (false, true);
        facts
    }

    #[inline]
    fn kind(&self, position: &Self::Position) -> NodeKind {
        if position.is_repeated { NodeKind::Terminal } else { self.plain.kind(&position.position) }
    }

    fn terminal_score(&self, position: &Self::Position) -> Score {
        if !position.is_repeated {
            return self.plain.terminal_score(&position.position);
        }
        match self.plain.player(&position.position) {
            Player::Max => self.score,
            Player::Min => -self.score,
        }
    }

    fn hash_to_depth(&self, position: &Self::Position, depth: u8) -> PositionHash {
        let WithPast { position: plain, past, is_repeated } = position;
        if *is_repeated {
            // A repetition is terminal, so no table entry is made. Its hash differs from the same position's
            // without repetition, whatever `depth_back` says.
            return self.plain.hash(plain) ^ PositionHash::from(0x7265_7065_6174_u64);
        }
        let is_met = |earlier: &G::Position| self.returns.depth_back(&self.plain, plain, earlier) <= depth;
        self.plain.hash(plain) ^ past.salt(is_met)
    }

    /// As in the plain game: the rule only ends games earlier.
    fn full_depth(&self, position: &Self::Position) -> Option<u32> {
        if position.is_repeated { Some(0) } else { self.plain.full_depth(&position.position) }
    }
}

forward! { impl<G: Game, R: Returns<G>> Game for Repeating<G, R> }
forward! { impl<G: Texts, R: Returns<G>> Texts for Repeating<G, R> }
