//! How many pieces are left, from the game to a table of [chains](crate::ChainTable), which no trait of the
//! core carries.
//!
//! A search asks the game for a position's hash right before it looks the position up, on the same thread.
//! [`Counting`] notes the counts then, and the table takes the note. Bounds are stored later. The open nodes
//! of a search have different depths, so the counts of the last look-ups at each depth are kept until then,
//! which takes 16 KiB a thread.
//!
//! On virtual processors, and for many lanes of one thread, notes of several workers mix: counts get lost or
//! are another position's. As everything that guides what a table forgets, that costs nodes, never values.

use starsplit::game::{Game, PositionHash, StepOf};
use starsplit_wrappers::{GameWrapper, forward};
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use thread_local::ThreadLocal;

/// The pieces that each player has left; zeros where nobody has counted. Along a game neither ever grows.
pub type Left = [u8; 2];

/// No counts.
pub(crate) const UNCOUNTED: Left = [0; 2];

/// For how many keys of one depth the counts are kept.
const WAYS: usize = 4;

/// What a thread has noted.
#[derive(Debug)]
struct Notes {
    /// Of the position that was hashed last, until the table takes it.
    hashed: Cell<Left>,
    /// Of the keys that were looked up, by depth and by bits of the key.
    asked: [Cell<(u64, Left)>; WAYS << u8::BITS],
}

/// What a [`Counting`] game and a table of chains share: the pieces left at the positions of each thread, and
/// the most that the search in hand has seen, which are its root's.
#[derive(Debug, Default)]
pub struct PiecesLeft {
    threads: ThreadLocal<Notes>,
    most: [AtomicU8; 2],
}

impl PiecesLeft {
    fn notes(&self) -> &Notes {
        let asked = || std::array::from_fn(|_| Cell::default());
        self.threads.get_or(|| Notes { hashed: Cell::default(), asked: asked() })
    }

    /// Notes the counts of the position whose hash is asked for.
    pub(crate) fn note(&self, left: Left) {
        self.notes().hashed.set(left);
    }

    /// The counts of the position of this key, which is looked up now.
    pub(crate) fn asked(&self, key: PositionHash, depth: u8) -> Left {
        let notes = self.notes();
        let left = notes.hashed.take();
        notes.asked[place(key, depth)].set((key.low, left));
        // Relaxed, here and below: it only guides what gives way.
        for (most, left) in self.most.iter().zip(left).filter(|(most, left)| *left > most.load(Relaxed)) {
            most.fetch_max(left, Relaxed);
        }
        left
    }

    /// The counts of the position of this key, which was looked up earlier; none where that was forgotten.
    pub(crate) fn stored(&self, key: PositionHash, depth: u8) -> Left {
        let (low, left) = self.notes().asked[place(key, depth)].get();
        if low == key.low { left } else { UNCOUNTED }
    }

    /// The most of each player that a search has seen since the last [`begin`](Self::begin).
    pub(crate) fn most(&self) -> Left {
        [self.most[0].load(Relaxed), self.most[1].load(Relaxed)]
    }

    /// A search begins, or an iteration of it.
    pub(crate) fn begin(&self) {
        self.most.iter().for_each(|most| most.store(0, Relaxed));
    }
}

fn place(key: PositionHash, depth: u8) -> usize {
    usize::from(depth) * WAYS + (key.low >> 62) as usize
}

/// A game that tells a table how many pieces are left wherever it is asked for a hash. Its positions, values
/// and table entries are those of the game within.
#[derive(Clone)]
pub struct Counting<G: Game> {
    game: G,
    left: fn(&G::Position) -> Left,
    pieces: Arc<PiecesLeft>,
}

impl<G: Game + fmt::Debug> fmt::Debug for Counting<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Counting").field("game", &self.game).finish_non_exhaustive()
    }
}

impl<G: Game> Counting<G> {
    /// The game with what tells the pieces left at a position, for the table that gave `pieces`
    /// ([`AnyTable::pieces_left`](crate::AnyTable::pieces_left)).
    pub fn new(game: G, left: fn(&G::Position) -> Left, pieces: Arc<PiecesLeft>) -> Self {
        Counting { game, left, pieces }
    }
}

impl<G: Game> GameWrapper for Counting<G> {
    type Inner = G;
    type Position = G::Position;

    fn inner(&self) -> &G {
        &self.game
    }

    fn inner_position(position: &G::Position) -> &G::Position {
        position
    }

    #[inline]
    fn wrap(&self, _: &G::Position, _: StepOf<G>, after: G::Position) -> G::Position {
        after
    }

    fn identity(&self) -> u64 {
        self.game.identity()
    }

    #[inline]
    fn hash(&self, position: &G::Position) -> PositionHash {
        self.pieces.note((self.left)(position));
        self.game.hash(position)
    }
}

forward! { impl<G: Game> Game for Counting<G> }
forward! { impl<G: starsplit::game::Texts> Texts for Counting<G> }
