//! A game whose hash leaves out something that its positions have.
//!
//! One type does it for every game, since to compile searches for each of them would take minutes.

use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, HashRandom, mix64};
use starsplit::game::{Game, GameFacts, NodeKind, Player, PositionHash, Step, StepOf, Steps};
use starsplit::score::Score;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// What a position consists of, each part under its name.
pub(crate) type Parts = Vec<(&'static str, String)>;

/// What [`Game::hash_to_depth`] adds to the hash, as if it were one of the parts.
pub(crate) const PAST: &str = "the past";

/// A game with a hash made of its positions' parts, but for the one that is forgotten.
///
/// Moves and outcomes have the order of the game's own, and nothing is said of plies and of moves' slots: it
/// is for games that have neither.
#[derive(Clone)]
pub(crate) struct Forgetful {
    game: Arc<dyn Whole>,
    forgotten: Option<&'static str>,
    /// What becomes of the hash of the parts.
    form: fn(PositionHash) -> PositionHash,
}

/// A position with its hash.
#[derive(Clone)]
pub(crate) struct Kept {
    inner: Inner,
    hash: PositionHash,
}

type Inner = Arc<dyn Any + Send + Sync>;

/// A move or an outcome: its place in the list of its position, and how it is written, by which it is known.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    place: u32,
    written: u64,
}

impl PartialEq for Choice {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

impl fmt::Debug for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}", self.written)
    }
}

fn choice(place: usize, written: &dyn fmt::Debug) -> Choice {
    let written = format!("{written:?}").bytes().fold(0, |sum, byte| mix64(sum ^ u64::from(byte)));
    Choice { place: place as u32, written }
}

impl Forgetful {
    /// `game` with positions of these parts; none is forgotten.
    pub(crate) fn new<G: Game<Position: 'static> + 'static>(
        game: G,
        parts: fn(&G, &G::Position) -> Parts,
    ) -> Self {
        Forgetful { game: Arc::new(Known { game, parts }), forgotten: None, form: |hash| hash }
    }

    pub(crate) fn forgetting(&self, part: &'static str) -> Self {
        Forgetful { forgotten: Some(part), ..self.clone() }
    }

    /// The same game with hashes of another form.
    pub(crate) fn with_hashes(self, form: fn(PositionHash) -> PositionHash) -> Self {
        Forgetful { form, ..self }
    }

    pub(crate) fn keep(&self, inner: impl Any + Send + Sync) -> Kept {
        self.kept(Arc::new(inner))
    }

    /// A position of this game with another hash.
    pub(crate) fn again(&self, position: &Kept) -> Kept {
        self.kept(position.inner.clone())
    }

    /// The names of the parts, and the past where values depend on it.
    pub(crate) fn names(&self, position: &Kept) -> Vec<&'static str> {
        let parts = self.game.parts(&position.inner).into_iter().map(|(name, _)| name);
        parts.chain(self.game.facts().depends_on_past.then_some(PAST)).collect()
    }

    fn kept(&self, inner: Inner) -> Kept {
        let hash = self.hash_of(&inner);
        Kept { inner, hash }
    }

    fn hash_of(&self, position: &Inner) -> PositionHash {
        let parts = self.game.parts(position);
        let remembered = parts.iter().filter(|(name, _)| Some(*name) != self.forgotten);
        let mut hash = PositionHash { high: 1, low: 2 };
        // A sign between the parts, so that nothing moves from one into the next.
        for byte in remembered.flat_map(|(_, text)| text.bytes().chain([0])) {
            hash = PositionHash {
                high: mix64(hash.high ^ u64::from(byte)),
                low: mix64(hash.low ^ u64::from(byte)),
            };
        }
        (self.form)(hash)
    }
}

/// What is asked of a game whatever its type.
trait Whole: Send + Sync {
    fn parts(&self, position: &Inner) -> Parts;
    fn facts(&self) -> GameFacts;
    fn identity(&self) -> u64;
    fn kind(&self, position: &Inner) -> NodeKind;
    fn player(&self, position: &Inner) -> Player;
    fn terminal_score(&self, position: &Inner) -> Score;
    fn hash(&self, position: &Inner) -> PositionHash;
    fn hash_to_depth(&self, position: &Inner, depth: u8) -> PositionHash;
    fn full_depth(&self, position: &Inner) -> Option<u32>;
    fn moves(&self, position: &Inner) -> Vec<Choice>;
    fn outcomes(&self, position: &Inner) -> Vec<(Choice, u32)>;
    /// What the move or the outcome at this place leads to.
    fn after(&self, position: &Inner, place: u32) -> Inner;
    fn reward(&self, position: &Inner, place: u32, after: &Inner) -> Score;
}

struct Known<G: Game> {
    game: G,
    parts: fn(&G, &G::Position) -> Parts,
}

impl<G: Game<Position: 'static> + 'static> Known<G> {
    fn at(&self, position: &G::Position, place: u32) -> StepOf<G> {
        let (mut next, mut found) = (0, None);
        let mut is_it = || {
            next += 1;
            next - 1 == place
        };
        match self.game.kind(position) {
            NodeKind::Decision => self.game.moves(position, |mv| {
                if is_it() {
                    found = Some(Step::Move(mv));
                }
            }),
            NodeKind::Chance => self.game.outcomes(position, |outcome, _| {
                if is_it() {
                    found = Some(Step::Outcome(outcome));
                }
            }),
            NodeKind::Terminal => {}
        }
        found.expect("a move or an outcome of this position")
    }
}

fn own<G: Game<Position: 'static>>(position: &Inner) -> &G::Position {
    position.downcast_ref().expect("a position of this game")
}

impl<G: Game<Position: 'static> + 'static> Whole for Known<G> {
    fn parts(&self, position: &Inner) -> Parts {
        (self.parts)(&self.game, own::<G>(position))
    }

    fn facts(&self) -> GameFacts {
        self.game.facts()
    }

    fn identity(&self) -> u64 {
        self.game.identity()
    }

    fn kind(&self, position: &Inner) -> NodeKind {
        self.game.kind(own::<G>(position))
    }

    fn player(&self, position: &Inner) -> Player {
        self.game.player(own::<G>(position))
    }

    fn terminal_score(&self, position: &Inner) -> Score {
        self.game.terminal_score(own::<G>(position))
    }

    fn hash(&self, position: &Inner) -> PositionHash {
        self.game.hash(own::<G>(position))
    }

    fn hash_to_depth(&self, position: &Inner, depth: u8) -> PositionHash {
        self.game.hash_to_depth(own::<G>(position), depth)
    }

    fn full_depth(&self, position: &Inner) -> Option<u32> {
        self.game.full_depth(own::<G>(position))
    }

    fn moves(&self, position: &Inner) -> Vec<Choice> {
        let mut moves = Vec::new();
        self.game.moves(own::<G>(position), |mv| moves.push(choice(moves.len(), &mv)));
        moves
    }

    fn outcomes(&self, position: &Inner) -> Vec<(Choice, u32)> {
        let mut outcomes = Vec::new();
        self.game.outcomes(own::<G>(position), |outcome, weight| {
            outcomes.push((choice(outcomes.len(), &outcome), weight));
        });
        outcomes
    }

    fn after(&self, position: &Inner, place: u32) -> Inner {
        let position = own::<G>(position);
        Arc::new(self.at(position, place).take(&self.game, position))
    }

    fn reward(&self, position: &Inner, place: u32, after: &Inner) -> Score {
        let (position, after) = (own::<G>(position), own::<G>(after));
        self.game.reward(position, self.at(position, place), after)
    }
}

impl Game for Forgetful {
    type Position = Kept;
    type Move = Choice;
    type Outcome = Choice;
    const STEPS: Steps = Steps::PLAIN.with_rewards(true);

    fn identity(&self) -> u64 {
        self.game.identity()
    }

    fn facts(&self) -> GameFacts {
        let of_game = self.game.facts();
        let mut facts = GameFacts::new(of_game.grid);
        facts.depends_on_past = of_game.depends_on_past;
        facts
    }

    fn kind(&self, position: &Kept) -> NodeKind {
        self.game.kind(&position.inner)
    }

    fn player(&self, position: &Kept) -> Player {
        self.game.player(&position.inner)
    }

    fn terminal_score(&self, position: &Kept) -> Score {
        self.game.terminal_score(&position.inner)
    }

    fn hash(&self, position: &Kept) -> PositionHash {
        position.hash
    }

    fn hash_to_depth(&self, position: &Kept, depth: u8) -> PositionHash {
        if self.forgotten == Some(PAST) {
            return position.hash;
        }
        position.hash ^ self.game.hash_to_depth(&position.inner, depth) ^ self.game.hash(&position.inner)
    }

    fn moves(&self, position: &Kept, push: impl FnMut(Choice)) {
        self.game.moves(&position.inner).into_iter().for_each(push);
    }

    fn play(&self, position: &Kept, mv: Choice) -> Kept {
        self.kept(self.game.after(&position.inner, mv.place))
    }

    fn reward(&self, before: &Kept, step: Step<Choice, Choice>, after: &Kept) -> Score {
        let (Step::Move(choice) | Step::Outcome(choice)) = step;
        self.game.reward(&before.inner, choice.place, &after.inner)
    }

    fn outcomes(&self, position: &Kept, mut push: impl FnMut(Choice, u32)) {
        let outcomes = self.game.outcomes(&position.inner).into_iter();
        outcomes.for_each(|(outcome, weight)| push(outcome, weight));
    }

    fn resolve(&self, position: &Kept, outcome: Choice) -> Kept {
        self.kept(self.game.after(&position.inner, outcome.place))
    }

    fn full_depth(&self, position: &Kept) -> Option<u32> {
        self.game.full_depth(&position.inner)
    }
}

/// Evaluations drawn at random for positions with all their parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drawn(pub(crate) HashRandom);

impl Evaluator<Forgetful> for Drawn {
    type State = ();

    fn facts(&self, game: &Forgetful) -> EvaluatorFacts {
        self.0.facts(game)
    }

    fn state(&self, _: &Forgetful, _: &Kept, _: Option<Before<'_, Forgetful, ()>>) {}

    fn evaluate(&self, game: &Forgetful, position: &Kept, (): &()) -> Score {
        let all = Forgetful { forgotten: None, ..game.clone() };
        let whole = all.kept(position.inner.clone());
        self.0.evaluate(&all, &whole, &())
    }
}
