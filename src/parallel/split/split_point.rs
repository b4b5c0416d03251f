//! A split point: a node split into tasks (`tasks.rs`) that several workers search. The tasks are the
//! successors of a chance node in one phase, or the moves of a decision node.
//!
//! The latch decides which worker has which task, and when all are done (`join_latch.rs`). This file has the
//! node and its window.
//!
//! # Why this is sound
//!
//! Only a task's holder writes its successor's bounds, and only after all below it have joined. So the window
//! made from them is never stale.
//! The sums and the node's window may be stale. They only tighten, so a stale one is wider. (When two proofs
//! contradict each other, which under `Reuse::Exact` takes a false hit, a sum may widen again; bounds are
//! still proven.) The test for a cutoff uses the sum that the atomic addition returned (`shared_sums.rs`).

use crate::parallel::split::join_latch::JoinLatch;
use crate::parallel::split::tasks::{DecisionTasks, Tasks};
use crate::processor::Processor;
use crate::score::{Bounds, Window};
use crate::search::{Depth, Link, LoggedPlace, NodeOf, PositionOf, Setup, SplitKind, StateOf};
use crate::sync::{Acquire, AtomicI32, AtomicU64, Mutex, Relaxed, fence};
use std::sync::{Arc, Weak};

/// A split node.
pub(crate) struct SplitPoint<S: Setup> {
    /// The worker that made it.
    pub(crate) owner: usize,
    /// Where the owner was working when it split.
    pub(crate) above: Option<Above<S>>,
    position: PositionOf<S>,
    state: StateOf<S>,
    depth: Depth,
    ply: u16,
    /// The table's bounds of the node; its window lies within.
    known: Bounds,
    alpha: AtomicI32,
    beta: AtomicI32,
    pub(crate) latch: JoinLatch,
    pub(crate) tasks: Tasks<S>,
    /// The longest chain of work up to here, if the processor records chains.
    pub(crate) chain: <S::Processor as Processor>::Chain,
    /// Where it is in the record of the tree, if there is one.
    pub(crate) logged: Option<LoggedPlace>,
    /// When it was cut, in nanoseconds since the search began; 0 if it was not, or by its window alone.
    cut_at: AtomicU64,
    /// Split points published below this one, where its owner helps while it waits. Weak, because they hold
    /// this one, and a panic may prevent their removal.
    below: Mutex<Vec<Weak<SplitPoint<S>>>>,
}

/// A place below a split point.
pub(crate) struct Above<S: Setup> {
    /// The split point.
    pub(crate) split: Arc<SplitPoint<S>>,
    /// The task at that split point.
    pub(crate) task: usize,
    /// The links from the task's successor down to the place. `None` if not all were recorded: the window
    /// then stays as it is.
    pub(crate) links: Option<Box<[Link]>>,
}

/// The node of a new split point.
pub(crate) struct NewSplit<'n, S: Setup> {
    pub(crate) owner: usize,
    pub(crate) above: Option<Above<S>>,
    pub(crate) node: NodeOf<'n, S>,
    pub(crate) window: Window,
    pub(crate) known: Bounds,
    pub(crate) chain: <S::Processor as Processor>::Chain,
    pub(crate) logged: Option<LoggedPlace>,
}

impl<S: Setup> SplitPoint<S> {
    /// A split point, which the caller publishes.
    pub(crate) fn new(new: NewSplit<'_, S>, tasks: Tasks<S>) -> Arc<Self> {
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
            latch: JoinLatch::new(tasks.len() as u32),
            tasks,
            chain: new.chain,
            logged: new.logged,
            cut_at: AtomicU64::new(0),
            below: Mutex::new(Vec::new()),
        })
    }

    /// The node.
    pub(crate) fn node(&self) -> NodeOf<'_, S> {
        NodeOf::<S>::new(&self.position, &self.state, self.depth, self.ply)
    }

    /// What the node is split into.
    pub(crate) fn kind(&self) -> SplitKind {
        self.tasks.kind()
    }

    /// A number that grows whenever a window below this split point may have changed.
    pub(crate) fn version(&self) -> u64 {
        let above = self.above.as_ref().map_or(0, |above| above.split.version());
        above + u64::from(self.latch.finished())
    }

    /// The node's window; it may be stale.
    pub(crate) fn window(&self) -> Window {
        // Relaxed, both: stale bounds are wider.
        Window::new(self.alpha.load(Relaxed), self.beta.load(Relaxed))
    }

    /// The window of a decision node's next move, for the mover; `None` when it is empty.
    pub(crate) fn move_window(&self, moves: &DecisionTasks<S>) -> Option<Window> {
        let Window { alpha, beta } = self.window();
        let window = Window::new(alpha.max(moves.floor()), beta);
        (!window.is_empty()).then_some(window)
    }

    /// The current window of a successor, for its player; `None` when it is empty.
    pub(crate) fn successor_window(&self, task: usize) -> Option<Window> {
        self.follow();
        match &self.tasks {
            Tasks::Chance(outcomes) => outcomes.window(task),
            Tasks::Decision(moves) => moves.window_below(task, self.move_window(moves)?),
        }
    }

    /// Derives the node's window again from those above. Cuts the node if that settles it.
    pub(crate) fn follow(&self) {
        let Some(Above { split, task, links: Some(links) }) = &self.above else { return };
        let found = split.successor_window(*task);
        let window = found.and_then(|above| links.iter().try_fold(above, |window, link| link.follow(window)));
        match window.map(|window| window.narrowed_by(self.known)) {
            Some(window) if !window.is_empty() => self.narrow(window),
            _ => self.latch.cut(),
        }
    }

    fn narrow(&self, window: Window) {
        let before = self.window();
        if window.alpha <= before.alpha && window.beta >= before.beta {
            return;
        }
        self.alpha.fetch_max(window.alpha, Relaxed); // Relaxed, both: as in `window`.
        self.beta.fetch_min(window.beta, Relaxed);
        let is_cut = match &self.tasks {
            Tasks::Chance(outcomes) => outcomes.narrow(window),
            Tasks::Decision(moves) => moves.floor() >= window.beta,
        };
        if is_cut {
            self.latch.cut();
        }
    }

    /// Stores the new bounds of a task's successor, for the node's player. If they cut the node, it is cut at
    /// time `now`.
    pub(crate) fn tighten(&self, task: usize, before: Bounds, after: Bounds, now: impl FnOnce() -> u64) {
        let is_cut = match &self.tasks {
            Tasks::Chance(outcomes) => outcomes.tighten(task, before, after),
            // Relaxed: a stale bound is wider.
            Tasks::Decision(moves) => {
                moves.tighten(task, after).is_some_and(|floor| floor >= self.beta.load(Relaxed))
            }
        };
        if is_cut && !self.latch.is_cut() {
            self.cut_at.store(now(), Relaxed); // Relaxed: the flag publishes it.
            self.latch.cut();
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
            if split.latch.is_cut() {
                return true;
            }
            match &split.above {
                Some(above) => split = &above.split,
                None => return false,
            }
        }
    }

    /// Registers a split point published below this one, and wakes the owners above that wait. An owner just
    /// about to sleep may miss it until its longest sleep has passed.
    pub(crate) fn add_below(&self, split: &Arc<Self>) {
        self.below.lock().push(Arc::downgrade(split));
        let mut waiting = self;
        loop {
            waiting.latch.wake_owner();
            match &waiting.above {
                Some(above) => waiting = &above.split,
                None => return,
            }
        }
    }

    /// Removes a split point below this one that is over.
    pub(crate) fn remove_below(&self, split: &Arc<Self>) {
        let mut below = self.below.lock();
        if let Some(place) = below.iter().position(|other| Weak::as_ptr(other) == Arc::as_ptr(split)) {
            below.swap_remove(place);
        }
    }

    /// Whether there may be a task to claim, and no split point above is cut.
    pub(crate) fn wants_help(&self) -> bool {
        self.latch.is_open() && !self.is_cut_or_below_cut()
    }

    /// A split point below this one, at any distance, with a task to claim.
    pub(crate) fn open_below(&self) -> Option<Arc<Self>> {
        let below = self.below.lock();
        if let Some(open) = below.iter().filter_map(Weak::upgrade).find(|split| split.wants_help()) {
            return Some(open);
        }
        // Locks are taken downwards only, so workers cannot deadlock.
        below.iter().filter_map(Weak::upgrade).find_map(|split| split.open_below())
    }

    /// Claims the next task; `None` if there is none left, or no need.
    pub(crate) fn claim(&self) -> Option<Claim<'_, S>> {
        // Built lazily: a claim that is made and dropped counts as finished.
        self.latch.claim().map(|task| Claim { split: self, task: task as usize })
    }
}

/// A task, held by one worker. Dropping it counts the task as finished, even after a panic, so that the owner
/// never waits in vain.
pub(crate) struct Claim<'s, S: Setup> {
    split: &'s SplitPoint<S>,
    pub(crate) task: usize,
}

impl<S: Setup> Drop for Claim<'_, S> {
    fn drop(&mut self) {
        self.split.latch.finish();
    }
}
