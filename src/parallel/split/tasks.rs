//! The tasks of a split point: the successors of a chance node in one phase, or the moves of a decision node.

use crate::game::{Game, Step};
use crate::parallel::split::shared_sums::{SharedShares, SharedSums};
use crate::score::{Bounds, Score, Window};
use crate::search::descent;
use crate::search::{
    BestValues, ChanceNode, ChanceSuccessor, ChanceSums, Edge, MoveOf, MoveSuccessorOf, NodeOf, OpenMoves,
    OutcomeOf, Phase, Place, Setup, SplitKind, Worker, bounds_after_move, lack, move_window, next_move,
    note_cutoff, picked_successor, ranked_values, successor_window, sum_changes, tighten_chance,
    tighten_decision,
};
use crate::sync::{Atomic, AtomicI32, CachePadded, Mutex, Relaxed};

/// The tasks of a split point.
pub(crate) enum Tasks<S: Setup> {
    /// One phase of a chance node.
    Chance(ChanceTasks<S>),
    /// The moves of a decision node after the first.
    Decision(DecisionTasks<S>),
}

/// A phase of a chance node.
pub(crate) struct ChanceTasks<S: Setup> {
    pub(crate) phase: Phase,
    outcomes: Box<[OutcomeTask<OutcomeOf<S>>]>,
    sums: SharedSums,
    shares: SharedShares,
}

/// An outcome to search.
struct OutcomeTask<O> {
    outcome: O,
    weight: u32,
    place: Place,
    /// Its index on the owner's stack.
    index: u32,
    edge: Edge,
    bounds: Atomic<Bounds>,
    /// Within which bounds it is searched: in the Shares phase, the null window.
    asked: Atomic<Bounds>,
}

const _: () = assert!(Atomic::<Bounds>::is_lock_free());

/// The moves of a decision node.
pub(crate) struct DecisionTasks<S: Setup> {
    moves: Box<[MoveTask<S>]>,
    /// The score that the next move has to beat: the greatest lower bound of the moves tried, what is below
    /// the best where moves are ranked, or the node's alpha if each is searched in a full window.
    floor: CachePadded<AtomicI32>,
    /// Whether more moves than the best get a value of their own.
    is_full_width: bool,
    /// The best values so far, where the moves are ranked.
    ranked: Option<Mutex<BestValues>>,
}

/// A move to try.
pub(crate) struct MoveTask<S: Setup> {
    pub(crate) mv: MoveOf<S>,
    ordinal: u32,
    pub(crate) successor: MoveSuccessorOf<S>,
    edge: Edge,
    /// The bounds of the move's worth before its search.
    possible: Bounds,
    bounds: Atomic<Bounds>,
}

impl<S: Setup> Tasks<S> {
    /// The number of tasks.
    pub(crate) fn len(&self) -> usize {
        match self {
            Tasks::Chance(tasks) => tasks.outcomes.len(),
            Tasks::Decision(tasks) => tasks.moves.len(),
        }
    }

    /// The phase of the chance node that is split, if it is one.
    pub(crate) fn phase(&self) -> Option<Phase> {
        match self {
            Tasks::Chance(tasks) => Some(tasks.phase),
            Tasks::Decision(_) => None,
        }
    }

    /// What a split into these tasks counts as.
    pub(crate) fn kind(&self) -> SplitKind {
        match self {
            Tasks::Chance(ChanceTasks { phase: Phase::Probing, .. }) => SplitKind::Probing,
            Tasks::Chance(ChanceTasks { phase: Phase::Shares | Phase::Star1, .. }) => SplitKind::Star1,
            Tasks::Decision(_) => SplitKind::Decision,
        }
    }
}

impl<S: Setup> ChanceTasks<S> {
    /// A phase from the stack index `from` on: the successors that are not known exactly.
    pub(crate) fn new(
        worker: &Worker<'_, S>,
        node: NodeOf<'_, S>,
        chance: &ChanceNode,
        phase: Phase,
        from: usize,
    ) -> Self {
        let task = |index: usize| {
            let ChanceSuccessor { outcome, weight, place, bounds } = worker.successors[index];
            let (edge, index) = (descent::outcome_edge(worker, node, outcome), index as u32);
            let (bounds, asked) = (Atomic::new(bounds), Atomic::new(bounds));
            OutcomeTask { outcome, weight, place, index, edge, bounds, asked }
        };
        let is_open = |&index: &usize| !worker.successors[index].bounds.is_exact();
        let outcomes = (from..chance.range().end).filter(is_open).map(task).collect();
        let (sums, shares) = (SharedSums::new(&chance.sums), SharedShares::new(chance.shares));
        ChanceTasks { phase, outcomes, sums, shares }
    }

    /// Merges what the tasks found into the node. For the owner, after all of them have finished.
    pub(crate) fn merge_into(&self, worker: &mut Worker<'_, S>, chance: &mut ChanceNode) {
        for task in &self.outcomes {
            // Relaxed: the latch ordered it.
            tighten_chance(worker, chance, task.index as usize, task.bounds.load(Relaxed));
        }
    }

    /// The current sums; they may be stale.
    pub(crate) fn sums(&self) -> ChanceSums {
        self.sums.load()
    }

    /// A successor with its bounds.
    pub(crate) fn successor(&self, task: usize) -> ChanceSuccessor<OutcomeOf<S>> {
        let &OutcomeTask { outcome, weight, place, ref bounds, .. } = &self.outcomes[task];
        // Relaxed: between publication and the end of the phase only the task's holder writes a successor's
        // bounds, once those who search below it, and read them, have joined.
        ChanceSuccessor { outcome, weight, place, bounds: bounds.load(Relaxed) }
    }

    /// Within which bounds a successor is to be searched by the holder of its task; `None` if it need not be.
    /// A share is taken from what is left when it is claimed, as if it were reached.
    pub(crate) fn ask(&self, task: usize, sums: &ChanceSums) -> Option<Bounds> {
        let ChanceSuccessor { weight, bounds, .. } = self.successor(task);
        if self.phase != Phase::Shares {
            return Some(bounds);
        }
        let asked = self.shares.load().ask(sums, weight, bounds);
        let reached = asked.map_or(bounds, |asked| Bounds::new(asked.upper, bounds.upper));
        self.shares.add(-i64::from(weight), lack(weight, reached));
        // Relaxed: as the bounds.
        self.outcomes[task].asked.store(asked?, Relaxed);
        asked
    }

    /// The window of a successor, for its player; `None` when it is empty.
    pub(super) fn window(&self, task: usize) -> Option<Window> {
        let OutcomeTask { edge, weight, asked, .. } = &self.outcomes[task];
        // Relaxed: as the bounds.
        successor_window(&self.sums(), *weight, asked.load(Relaxed), self.phase, *edge)
    }

    /// Stores the new bounds of a successor; `true` when they cut the node.
    pub(super) fn tighten(&self, task: usize, before: Bounds, after: Bounds) -> bool {
        let task = &self.outcomes[task];
        task.bounds.store(after, Relaxed); // Relaxed: as in `successor`; the latch publishes it.
        if self.phase == Phase::Shares {
            let reached = Bounds::new(task.asked.load(Relaxed).upper, before.upper); // Relaxed: its own.
            self.shares.add(0, lack(task.weight, after) - lack(task.weight, reached));
        }
        let (lower, upper) = sum_changes(task.weight, before, after);
        self.sums.add(lower, upper)
    }

    /// Narrows the node's window; `true` when that cuts the node.
    pub(super) fn narrow(&self, window: Window) -> bool {
        let mut sums = self.sums();
        sums.ask(window);
        self.sums.narrow(sums)
    }
}

impl<S: Setup> DecisionTasks<S> {
    /// The remaining moves.
    pub(crate) fn new(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves) -> Self {
        let (mover, mut moves) = (worker.game.player(node.position), Vec::new());
        while let Some(picked) = next_move(worker, node, open) {
            let successor = picked_successor(worker, node, &picked);
            let below = descent::below(worker, node, picked.mv, &successor);
            let edge = descent::edge(worker, node, Step::Move(picked.mv), below.position);
            let possible = bounds_after_move(worker, edge.reward, mover, below);
            let (mv, ordinal, bounds) = (picked.mv, picked.ordinal, Atomic::new(possible));
            moves.push(MoveTask { mv, ordinal, successor, edge, possible, bounds });
        }
        let ranked = ranked_values(worker, node);
        let floor = open.floor().max(ranked.map_or(Score::MIN, BestValues::floor));
        DecisionTasks {
            moves: moves.into(),
            floor: CachePadded::new(AtomicI32::new(floor)),
            is_full_width: open.is_full_width,
            ranked: ranked.cloned().map(Mutex::new),
        }
    }

    /// Merges what the tasks found into the node; returns whether that cuts it. For the owner, after all of
    /// them have finished.
    pub(crate) fn merge_into(
        &self,
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        open: &mut OpenMoves,
    ) -> bool {
        let mut is_cut = false;
        for task in &self.moves {
            // Relaxed: the latch ordered it. The bounds of an unsearched move say that it may be worth all
            // that is possible.
            let cuts = tighten_decision(worker, node, open, task.mv, task.ordinal, task.bounds.load(Relaxed));
            if cuts && !is_cut {
                is_cut = true;
                note_cutoff(worker, node, task.mv);
            }
        }
        is_cut
    }

    /// The move and its successor.
    pub(crate) fn get(&self, task: usize) -> &MoveTask<S> {
        &self.moves[task]
    }

    /// The score that the next move has to beat.
    pub(super) fn floor(&self) -> Score {
        self.floor.load(Relaxed) // Relaxed: a stale floor is lower, so the window is wider.
    }

    /// The window of a move's successor, for its player, from the window of the move; `None` when nothing is
    /// left open.
    pub(super) fn window_below(&self, task: usize, window: Window) -> Option<Window> {
        let task = &self.moves[task];
        move_window(window, task.possible, task.edge)
    }

    /// Stores a move's bounds. Returns the new floor, unless moves are searched in a full window.
    pub(super) fn tighten(&self, task: usize, found: Bounds) -> Option<Score> {
        self.moves[task].bounds.store(found, Relaxed); // Relaxed: the latch publishes it.
        if let Some(best) = &self.ranked {
            let mut best = best.lock();
            best.add(found.lower);
            self.floor.fetch_max(best.floor(), Relaxed); // Relaxed: as in `floor`.
        }
        // Relaxed: the test for a cutoff uses the returned value.
        (!self.is_full_width).then(|| self.floor.fetch_max(found.lower, Relaxed).max(found.lower))
    }
}
