//! Positions and evaluator states that panic when they are dropped, where a test tells them to.

use starsplit::evaluator::{Before, Evaluator, EvaluatorFacts, HashRandom};
use starsplit::game::{Game, Step};
use starsplit::score::Score;
use starsplit_testkit::{GraphPosition, RandomGraph};
use starsplit_wrappers::{GameWrapper, forward};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Which drops panic. None does while its thread unwinds: a second panic would end the process, as Rust has
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Breaks {
    Never,
    /// The n-th.
    At(u64),
    /// The n-th and every later one.
    From(u64),
}

/// Counts drops, and says which of them panic.
#[derive(Debug)]
pub(crate) struct Fuse {
    breaks: Breaks,
    drops: AtomicU64,
    is_mended: AtomicBool,
    has_blown: AtomicBool,
}

impl Fuse {
    pub(crate) fn new(breaks: Breaks) -> Arc<Self> {
        let flag = || AtomicBool::new(false);
        Arc::new(Fuse { breaks, drops: AtomicU64::new(0), is_mended: flag(), has_blown: flag() })
    }

    /// From now on nothing panics.
    pub(crate) fn mend(&self) {
        self.is_mended.store(true, Relaxed);
    }

    /// Whether a drop has panicked.
    pub(crate) fn has_blown(&self) -> bool {
        self.has_blown.load(Relaxed)
    }

    fn count_drop(&self) {
        let drops = self.drops.fetch_add(1, Relaxed) + 1;
        let breaks = match self.breaks {
            Breaks::Never => false,
            Breaks::At(number) => drops == number,
            Breaks::From(number) => drops >= number,
        };
        if breaks && !self.is_mended.load(Relaxed) && !std::thread::panicking() {
            self.has_blown.store(true, Relaxed);
            panic!("a value gave up at drop {drops}");
        }
    }
}

/// A value whose drop its fuse hears of.
#[derive(Clone, Debug)]
pub(crate) struct Brittle<T> {
    value: T,
    fuse: Arc<Fuse>,
}

impl<T> Drop for Brittle<T> {
    fn drop(&mut self) {
        self.fuse.count_drop();
    }
}

/// A graph with such positions.
#[derive(Debug)]
pub(crate) struct BrittleGraph {
    pub(crate) graph: RandomGraph,
    pub(crate) fuse: Arc<Fuse>,
}

impl BrittleGraph {
    pub(crate) fn start(&self) -> Brittle<GraphPosition> {
        self.brittle(self.graph.start())
    }

    fn brittle(&self, value: GraphPosition) -> Brittle<GraphPosition> {
        Brittle { value, fuse: self.fuse.clone() }
    }
}

impl GameWrapper for BrittleGraph {
    type Inner = RandomGraph;
    type Position = Brittle<GraphPosition>;

    fn inner(&self) -> &RandomGraph {
        &self.graph
    }

    fn inner_position(position: &Self::Position) -> &GraphPosition {
        &position.value
    }

    fn wrap(&self, _: &Self::Position, _: Step<u32, u32>, after: GraphPosition) -> Self::Position {
        self.brittle(after)
    }

    fn identity(&self) -> u64 {
        self.graph.identity()
    }
}

forward! { impl Game for BrittleGraph }

/// An evaluator with such states.
#[derive(Debug)]
pub(crate) struct BrittleStates {
    pub(crate) inner: HashRandom,
    pub(crate) fuse: Arc<Fuse>,
}

impl BrittleStates {
    fn brittle(&self) -> Brittle<()> {
        Brittle { value: (), fuse: self.fuse.clone() }
    }
}

impl<G: Game> Evaluator<G> for BrittleStates {
    type State = Brittle<()>;

    fn facts(&self, game: &G) -> EvaluatorFacts {
        EvaluatorFacts::new(self.inner.facts(game).identity)
    }

    fn state(&self, _: &G, _: &G::Position, _: Option<Before<'_, G, Brittle<()>>>) -> Brittle<()> {
        self.brittle()
    }

    fn evaluate(&self, game: &G, position: &G::Position, _: &Brittle<()>) -> Score {
        self.inner.evaluate(game, position, &())
    }
}

/// What a panic carries that panics when it is dropped, with another of the kind, so many times or for ever.
#[derive(Debug)]
pub(crate) struct Explosive {
    pub(crate) more: u32,
}

impl Drop for Explosive {
    fn drop(&mut self) {
        if self.more > 0 && !std::thread::panicking() {
            std::panic::panic_any(Explosive { more: self.more.saturating_sub(1) });
        }
    }
}
