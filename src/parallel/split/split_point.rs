//! A split point: one phase of one chance node, or the moves of one decision node, shared by the workers.
//!
//! Who takes which successor, and when all are done, is the ledger's business (`ledger.rs`). Here is what they share
//! beside it: the node, what is known of its successors, and its window.
//!
//! # Why this is sound
//!
//! A successor's bounds are read and written by its claimant alone, so the window made from them is never stale. The
//! sums and the window may be: they only ever tighten, so a stale one is merely wider. (Where two proofs contradict each
//! other, which under `Reuse::Exact` takes a false hit, a sum may widen again; bounds are proven all the same.) The
//! test for a cut uses the sum that the atomic addition returned (`shared_sums.rs`).

use crate::parallel::methods::chance_split::kind_of;
use crate::parallel::split::join_latch::Ledger;
use crate::parallel::split::shared_sums::SharedSums;
use crate::processor::Processor;
use crate::score::{Bounds, Score, Window};
use crate::search::{
    ChanceSums, Link, MoveOf, NodeOf, OutcomeOf, Phase, PositionOf, Setup, SplitKind, StateOf, Successor,
    SuccessorOf, successor_window,
};
use crate::sync::{Acquire, Atomic, AtomicI32, AtomicU64, CachePadded, Mutex, Relaxed, fence};
use std::sync::{Arc, Weak};

/// A node whose successors are shared.
pub(crate) struct SplitPoint<S: Setup> {
    /// Which worker made it.
    pub(crate) owner: usize,
    /// Where the owner was working when it split.
    pub(crate) above: Option<Above<S>>,
    position: PositionOf<S>,
    state: StateOf<S>,
    depth: u8,
    ply: u8,
    /// What the table knew of the node; its window lies within.
    known: Bounds,
    alpha: AtomicI32,
    beta: AtomicI32,
    pub(crate) ledger: Ledger,
    pub(crate) work: Work<S>,
    /// The longest chain of work up to here, where such are clocked.
    pub(crate) chain: <S::Processor as Processor>::Chain,
    /// When it was cut, in nanoseconds since the search began; 0 when it was not, or by its window alone.
    cut_at: AtomicU64,
    /// Split points published by workers below this one, for its owner to follow when it waits. Weak, because they
    /// hold this one: a panic may keep them from being removed.
    below: Mutex<Vec<Weak<SplitPoint<S>>>>,
}

/// A place below a split point.
pub(crate) struct Above<S: Setup> {
    /// The split point.
    pub(crate) split: Arc<SplitPoint<S>>,
    /// Which of its successors.
    pub(crate) share: usize,
    /// The links from that successor down to the place; `None` where they were not all noted, so that the window
    /// stays as it is.
    pub(crate) links: Option<Box<[Link]>>,
}

/// What there is to do at a split point.
pub(crate) enum Work<S: Setup> {
    /// One phase of a chance node.
    Chance(ChanceWork<S>),
    /// The moves of a decision node that are left after the first.
    Decision(DecisionWork<S>),
}

/// A phase of a chance node.
pub(crate) struct ChanceWork<S: Setup> {
    pub(crate) phase: Phase,
    shares: Box<[OutcomeShare<OutcomeOf<S>>]>,
    sums: SharedSums,
}

/// An outcome to be searched.
struct OutcomeShare<O> {
    outcome: O,
    weight: u32,
    /// Where it lies on the owner's stack.
    index: u32,
    /// Whether the successor belongs to the other player.
    flips: bool,
    bounds: Atomic<Bounds>,
}

const _: () = assert!(Atomic::<Bounds>::is_lock_free());

/// The moves of a decision node.
pub(crate) struct DecisionWork<S: Setup> {
    shares: Box<[MoveShare<S>]>,
    /// What the next move has to beat: the greatest lower bound of the moves tried, unless they are ranked.
    floor: CachePadded<AtomicI32>,
    /// Whether each move's own value is wanted, which no other move's value may cut short.
    is_ranking: bool,
}

/// A move to be tried.
pub(crate) struct MoveShare<S: Setup> {
    pub(crate) mv: MoveOf<S>,
    pub(crate) ordinal: u32,
    pub(crate) successor: SuccessorOf<S>,
    /// Whether the successor belongs to the other player.
    pub(crate) flips: bool,
    bounds: Atomic<Bounds>,
}

/// The node of a new split point.
pub(crate) struct NewSplit<'n, S: Setup> {
    pub(crate) owner: usize,
    pub(crate) above: Option<Above<S>>,
    pub(crate) node: NodeOf<'n, S>,
    pub(crate) window: Window,
    pub(crate) known: Bounds,
    pub(crate) chain: <S::Processor as Processor>::Chain,
}

impl<S: Setup> ChanceWork<S> {
    /// A phase over `successors`, each with its place on the owner's stack and whether it belongs to the other player.
    pub(crate) fn new(
        phase: Phase,
        sums: &ChanceSums,
        successors: impl Iterator<Item = (usize, Successor<OutcomeOf<S>>, bool)>,
    ) -> Self {
        let share = |(index, successor, flips): (usize, Successor<OutcomeOf<S>>, bool)| OutcomeShare {
            outcome: successor.outcome,
            weight: successor.weight,
            index: index as u32,
            flips,
            bounds: Atomic::new(successor.bounds),
        };
        ChanceWork { phase, shares: successors.map(share).collect(), sums: SharedSums::new(sums) }
    }

    /// The sums as they are now, or as they were a moment ago.
    pub(crate) fn sums(&self) -> ChanceSums {
        self.sums.load()
    }

    /// A successor with what is known of it.
    pub(crate) fn successor(&self, share: usize) -> Successor<OutcomeOf<S>> {
        let share = &self.shares[share];
        // Relaxed: only its holder touches a successor's bounds between publication and the end of the phase.
        Successor { outcome: share.outcome, weight: share.weight, bounds: share.bounds.load(Relaxed) }
    }

    /// What is known of each successor, with its place on the owner's stack. For the owner, when all have finished.
    pub(crate) fn learnt(&self) -> impl Iterator<Item = (usize, Bounds)> {
        // Relaxed: the ledger ordered it.
        self.shares.iter().map(|share| (share.index as usize, share.bounds.load(Relaxed)))
    }

    /// Takes note of what is now known of a successor; `true` when that cuts the node.
    fn learn(&self, share: usize, before: Bounds, after: Bounds) -> bool {
        let share = &self.shares[share];
        share.bounds.store(after, Relaxed); // Relaxed: as in `successor`; the ledger publishes it.
        let (lower, upper) = crate::search::sum_changes(share.weight, before, after);
        self.sums.add(lower, upper)
    }

    /// Asks no more than a narrower window does; `true` when that cuts the node.
    fn narrow(&self, window: Window) -> bool {
        let mut sums = self.sums();
        sums.ask(window);
        self.sums.narrow(sums)
    }
}

impl<S: Setup> DecisionWork<S> {
    /// The moves that are left, which have to beat `floor`, or are ranked.
    pub(crate) fn new(floor: Score, is_ranking: bool, shares: Box<[MoveShare<S>]>) -> Self {
        DecisionWork { shares, floor: CachePadded::new(AtomicI32::new(floor)), is_ranking }
    }

    /// The move and what it leads to.
    pub(crate) fn share(&self, share: usize) -> &MoveShare<S> {
        &self.shares[share]
    }

    /// What was found of each move, in the order in which they were to be tried. For the owner, when all have
    /// finished.
    pub(crate) fn learnt(&self) -> impl Iterator<Item = (&MoveShare<S>, Bounds)> {
        self.shares.iter().map(|share| (share, share.bounds.load(Relaxed))) // Relaxed: the ledger ordered it.
    }
}

impl<S: Setup> MoveShare<S> {
    /// A move of which nothing is known.
    pub(crate) fn new(
        (mv, ordinal): (MoveOf<S>, u32),
        successor: SuccessorOf<S>,
        flips: bool,
        limit: Score,
    ) -> Self {
        MoveShare { mv, ordinal, successor, flips, bounds: Atomic::new(Bounds::unknown(limit)) }
    }
}

impl<S: Setup> SplitPoint<S> {
    /// Publishes nothing yet: the caller does.
    pub(crate) fn new(new: NewSplit<'_, S>, work: Work<S>) -> Arc<Self> {
        let shares = match &work {
            Work::Chance(work) => work.shares.len(),
            Work::Decision(work) => work.shares.len(),
        };
        Arc::new(SplitPoint {
            owner: new.owner,
            above: new.above,
            position: new.node.position.clone(),
            state: new.node.state.clone(),
            depth: new.node.depth,
            ply: new.node.ply,
            known: new.known,
            alpha: AtomicI32::new(new.window.alpha),
            beta: AtomicI32::new(new.window.beta),
            ledger: Ledger::new(shares as u32),
            work,
            chain: new.chain,
            cut_at: AtomicU64::new(0),
            below: Mutex::new(Vec::new()),
        })
    }

    /// The node.
    pub(crate) fn node(&self) -> NodeOf<'_, S> {
        NodeOf::<S> {
            position: &self.position,
            state: &self.state,
            depth: self.depth,
            ply: self.ply,
            evaluation: None,
        }
    }

    /// What the node is split in.
    pub(crate) fn kind(&self) -> SplitKind {
        match &self.work {
            Work::Chance(work) => kind_of(work.phase),
            Work::Decision(_) => SplitKind::Decision,
        }
    }

    /// A number that grows whenever a window below this split point may have changed.
    pub(crate) fn version(&self) -> u64 {
        let above = self.above.as_ref().map_or(0, |above| above.split.version());
        above + u64::from(self.ledger.finished())
    }

    /// The node's window as it was when somebody last looked.
    pub(crate) fn window(&self) -> Window {
        // Relaxed, both: what is stale is wider.
        Window::new(self.alpha.load(Relaxed), self.beta.load(Relaxed))
    }

    /// The window of a decision node's next move, as the mover sees it; `None` when it is empty.
    pub(crate) fn move_window(&self, work: &DecisionWork<S>) -> Option<Window> {
        let Window { alpha, beta } = self.window();
        let window = Window::new(alpha.max(work.floor.load(Relaxed)), beta); // Relaxed: as in `window`.
        (!window.is_empty()).then_some(window)
    }

    /// The window of a successor as the split points above leave it now, seen by the successor's player; `None` when
    /// it is empty.
    pub(crate) fn successor_window(&self, share: usize) -> Option<Window> {
        self.follow();
        match &self.work {
            Work::Chance(work) => {
                let successor = work.successor(share);
                let flips = work.shares[share].flips;
                successor_window(&work.sums(), successor.weight, successor.bounds, work.phase, flips)
            }
            Work::Decision(work) => {
                let window = self.move_window(work)?;
                Some(if work.shares[share].flips { window.flipped() } else { window })
            }
        }
    }

    /// Derives the node's window anew from those above it; cuts the node when that settles it.
    pub(crate) fn follow(&self) {
        let Some(Above { split, share, links: Some(links) }) = &self.above else { return };
        let found = split.successor_window(*share);
        let window = found.and_then(|above| links.iter().try_fold(above, |window, link| link.follow(window)));
        match window.map(|window| window.narrowed_by(self.known)) {
            Some(window) if !window.is_empty() => self.narrow(window),
            _ => self.ledger.cut(),
        }
    }

    fn narrow(&self, window: Window) {
        let before = self.window();
        if window.alpha <= before.alpha && window.beta >= before.beta {
            return;
        }
        self.alpha.fetch_max(window.alpha, Relaxed); // Relaxed, both: as in `window`.
        self.beta.fetch_min(window.beta, Relaxed);
        let is_cut = match &self.work {
            Work::Chance(work) => work.narrow(window),
            Work::Decision(work) => work.floor.load(Relaxed) >= window.beta, // Relaxed: as in `window`.
        };
        if is_cut {
            self.ledger.cut();
        }
    }

    /// Takes note of what is now known of a successor, as the node's player sees it; at time `now`.
    pub(crate) fn learn(&self, share: usize, before: Bounds, after: Bounds, now: impl FnOnce() -> u64) {
        let is_cut = match &self.work {
            Work::Chance(work) => work.learn(share, before, after),
            Work::Decision(work) => {
                work.shares[share].bounds.store(after, Relaxed); // Relaxed: the ledger publishes it.
                // Relaxed, both: the test uses the value returned, and what is stale is wider.
                !work.is_ranking && {
                    let floor = work.floor.fetch_max(after.lower, Relaxed).max(after.lower);
                    floor >= self.beta.load(Relaxed)
                }
            }
        };
        if is_cut && !self.ledger.is_cut() {
            self.cut_at.store(now(), Relaxed); // Relaxed: the flag publishes it.
            self.ledger.cut();
        }
    }

    /// When a successor's result cut the node; `None` if none did.
    pub(crate) fn cut_at(&self) -> Option<u64> {
        fence(Acquire); // Pairs with the release of the flag, which was seen before.
        Some(self.cut_at.load(Relaxed)).filter(|&at| at > 0)
    }

    /// Whether this split point or one above it is cut.
    #[inline]
    pub(crate) fn is_cut_or_below_cut(&self) -> bool {
        let mut split = self;
        loop {
            if split.ledger.is_cut() {
                return true;
            }
            match &split.above {
                Some(above) => split = &above.split,
                None => return false,
            }
        }
    }

    /// Registers a split point published below this one, and tells the owners above that wait. An owner that has looked
    /// for one and is about to sleep may miss it, for as long as it sleeps at most.
    pub(crate) fn add_below(&self, split: &Arc<Self>) {
        self.below.lock().push(Arc::downgrade(split));
        let mut waiting = self;
        loop {
            waiting.ledger.call();
            match &waiting.above {
                Some(above) => waiting = &above.split,
                None => return,
            }
        }
    }

    /// Forgets a split point below this one that is over.
    pub(crate) fn remove_below(&self, split: &Arc<Self>) {
        let mut below = self.below.lock();
        if let Some(place) = below.iter().position(|other| Weak::as_ptr(other) == Arc::as_ptr(split)) {
            below.swap_remove(place);
        }
    }

    /// Whether there is something to claim that matters to those above.
    pub(crate) fn wants_help(&self) -> bool {
        self.ledger.is_open() && !self.is_cut_or_below_cut()
    }

    /// A split point below this one, at any distance, that has something to claim.
    pub(crate) fn open_below(&self) -> Option<Arc<Self>> {
        let below = self.below.lock();
        if let Some(open) = below.iter().filter_map(Weak::upgrade).find(|split| split.wants_help()) {
            return Some(open);
        }
        // Locks are taken from a split point downwards only, so that no two workers wait for each other.
        below.iter().filter_map(Weak::upgrade).find_map(|split| split.open_below())
    }

    /// Takes the next successor; `None` when there is none left, or no need.
    pub(crate) fn claim(&self) -> Option<Claim<'_, S>> {
        // Built lazily: a claim that is made and dropped counts as finished.
        self.ledger.claim().map(|share| Claim { split: self, share: share as usize })
    }
}

/// One successor, held by one worker. Dropping it counts the successor as finished, also when the search of it
/// panicked, so that the owner never waits in vain.
pub(crate) struct Claim<'s, S: Setup> {
    split: &'s SplitPoint<S>,
    pub(crate) share: usize,
}

impl<S: Setup> Drop for Claim<'_, S> {
    fn drop(&mut self) {
        self.split.ledger.finish();
    }
}
