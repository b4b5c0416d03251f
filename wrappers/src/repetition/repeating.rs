//! A game in which a position that comes again ends the game.

use crate::repetition::Past;
use starsplit::evaluator::mix64;
use starsplit::game::{Game, GameFacts, GameWrapper, Hash, Kind, Player, StepOf};
use starsplit::score::Score;

/// What is known of how play can come back to a position. All of it must be a function of what is given.
pub trait Returns<G: Game>: Send + Sync {
    /// A number that differs between those that call different moves or outcomes irreversible.
    fn identity(&self) -> u64 {
        0
    }

    /// Whether no position up to and with `before` comes again after this step. Part of the rule: these
    /// positions are forgotten, so a position that comes again all the same is none that does.
    fn is_irreversible(
        &self,
        _game: &G,
        _before: &G::Position,
        _step: StepOf<G>,
        _after: &G::Position,
    ) -> bool {
        false
    }

    /// A depth of which it is certain that no search of `position` to less comes to `earlier`: the least
    /// number of plies from the one to the other in the game without the rule, or less; 255 where none lead
    /// there. In games with [plies](starsplit::game::Steps::plies) of their own the last move or outcome
    /// counts 1, however many it takes, as a position is looked at however little depth is left for it.
    ///
    /// Asked for each earlier position at each look-up. Too large a number makes values wrong, a small one
    /// keeps what paths know apart: with 1, which is always true, paths share what they know only where they
    /// led over the same positions.
    fn depth_back(&self, _game: &G, _position: &G::Position, _earlier: &G::Position) -> u8 {
        1
    }
}

/// Nothing is known: every move may be undone, and at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyReturn;

impl<G: Game> Returns<G> for AnyReturn {}

/// A game with the rule that a position which comes again ends it, with a score that is the same for all.
///
/// Decision nodes and chance nodes alike come again, each by its [`hash`](Game::hash). A position begins
/// with [`begin`](Repeating::begin), without a past; what [`play`](Game::play) and [`resolve`](Game::resolve)
/// make has one, also of the moves that were made before a search.
///
/// A position of it is an allocation. Evaluators of the plain game serve by
/// [`OfInner`](starsplit::evaluator::OfInner). Bounds of what searches find that the plain game or its
/// evaluators prove do not hold with the rule, and are left out; nor can an outcome be promised not to end
/// the game.
#[derive(Clone, Copy, Debug)]
pub struct Repeating<G, R = AnyReturn> {
    plain: G,
    score: Score,
    returns: R,
}

/// A position with those before it.
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

    /// The positions before it since the last irreversible move or outcome.
    pub fn past(&self) -> &Past<P> {
        &self.past
    }

    /// Whether it was there before, which ends the game.
    pub fn is_repeated(&self) -> bool {
        self.is_repeated
    }
}

impl<G: Game> Repeating<G> {
    /// `plain` with the rule that a repetition scores so much for [`Player::Max`], in steps of the grid,
    /// within it; 0 is a draw in most games.
    pub fn new(plain: G, score: Score) -> Self {
        Repeating::knowing(plain, score, AnyReturn)
    }
}

impl<G: Game, R: Returns<G>> Repeating<G, R> {
    /// The same where something is known of how play can come back.
    pub fn knowing(plain: G, score: Score, returns: R) -> Self {
        let limit = plain.facts().grid.limit();
        Repeating { score: score.clamp(-limit, limit), plain, returns }
    }

    /// A position of the plain game that nothing was before.
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
        let is_repeated = plain.kind(&position) != Kind::Terminal && past.has(plain.hash(&position));
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
    fn kind(&self, position: &Self::Position) -> Kind {
        if position.is_repeated { Kind::Terminal } else { self.plain.kind(&position.position) }
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

    fn hash_to_depth(&self, position: &Self::Position, depth: u8) -> Hash {
        let WithPast { position: plain, past, is_repeated } = position;
        if *is_repeated {
            // No search keeps it; apart from the position that goes on, whatever is known of the way back.
            return self.plain.hash(plain) ^ Hash::from(0x7265_7065_6174_u64);
        }
        let is_met = |earlier: &G::Position| self.returns.depth_back(&self.plain, plain, earlier) <= depth;
        self.plain.hash(plain) ^ past.salt(is_met)
    }

    /// That of the plain game: the rule only ends games earlier.
    fn full_depth(&self, position: &Self::Position) -> Option<u32> {
        if position.is_repeated { Some(0) } else { self.plain.full_depth(&position.position) }
    }
}
