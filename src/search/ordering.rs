//! Which move next: the orderings `paper`, `static` and `hybrid`, chosen lazily.
//!
//! The table move comes first and costs nothing to find. Only when it did not cut are the others ranked, and then one
//! is selected at a time, so that a cutoff leaves the rest unsorted (Eppstein's lecture, "hashing and move ordering").

use crate::evaluator::Evaluator;
use crate::game::{Game, Kind};
use crate::score::Score;
use crate::search::worker::{NodeOf, Worker};
use crate::table::Table;

/// The rank of a move that wins at once; above every evaluation.
const WINS: i64 = i64::MAX;

/// The moves of the decision nodes on the path, the root's first, and the successors prepared for them.
#[derive(Debug)]
pub(super) struct MoveStack<G: Game, E: Evaluator<G>> {
    moves: Vec<RankedMove<G::Move>>,
    prepared: Vec<Prepared<G::Position, E::State>>,
}

#[derive(Clone, Copy, Debug)]
struct RankedMove<M> {
    mv: M,
    /// Its place in generation order.
    ordinal: u16,
    /// Where its successor waits in `prepared`, if it was made for ranking.
    prepared: Option<u32>,
    rank: i64,
}

/// A successor with all that was computed of it.
#[derive(Clone, Debug)]
pub(super) struct Prepared<P, S> {
    pub(super) position: P,
    pub(super) state: S,
    /// The evaluation as the successor's player sees it, if it was made.
    pub(super) evaluation: Option<Score>,
}

/// The moves of one decision node, given out one at a time. What it holds lies on the worker's move stack, from
/// `begin` to `end`.
#[derive(Debug)]
pub(super) struct MovePicker {
    begin: usize,
    next: usize,
    end: usize,
    first_prepared: usize,
    hint: Option<u16>,
    is_ranked: bool,
}

/// A move given out.
#[derive(Debug)]
pub(super) struct Picked<M, P, S> {
    pub(super) mv: M,
    pub(super) ordinal: u16,
    pub(super) successor: Prepared<P, S>,
}

type PickedOf<G, E> = Picked<<G as Game>::Move, <G as Game>::Position, <E as Evaluator<G>>::State>;

impl<G: Game, E: Evaluator<G>> MoveStack<G, E> {
    pub(super) fn new() -> Self {
        MoveStack { moves: Vec::with_capacity(1024), prepared: Vec::with_capacity(256) }
    }
}

impl MovePicker {
    /// Generates the moves of `node` on the worker's stack.
    pub(super) fn new<G: Game, E: Evaluator<G>, T: Table>(
        worker: &mut Worker<'_, G, E, T>,
        node: NodeOf<'_, G, E>,
        hint: Option<u16>,
    ) -> Self {
        let moves = &mut worker.moves.moves;
        let begin = moves.len();
        let mut ordinal: u16 = 0;
        worker.game.moves(node.position, |mv| {
            moves.push(RankedMove { mv, ordinal, prepared: None, rank: 0 });
            ordinal = ordinal.saturating_add(1);
        });
        let end = moves.len();
        let hint = hint.filter(|&hint| usize::from(hint) < end - begin);
        MovePicker { begin, next: begin, end, first_prepared: worker.moves.prepared.len(), hint, is_ranked: false }
    }

    /// The same, for searches that try every move and so need no order.
    pub(super) fn in_generation_order<G: Game, E: Evaluator<G>, T: Table>(
        worker: &mut Worker<'_, G, E, T>,
        node: NodeOf<'_, G, E>,
    ) -> Self {
        MovePicker { is_ranked: true, ..Self::new(worker, node, None) }
    }

    /// Whether the node has no moves at all.
    pub(super) fn is_empty(&self) -> bool {
        self.begin == self.end
    }

    /// Whether every move was given out.
    #[inline]
    pub(super) fn is_exhausted(&self) -> bool {
        self.next == self.end
    }

    /// The next move with its successor.
    #[inline]
    pub(super) fn pick<G: Game, E: Evaluator<G>, T: Table>(
        &mut self,
        worker: &mut Worker<'_, G, E, T>,
        node: NodeOf<'_, G, E>,
    ) -> Option<PickedOf<G, E>> {
        if self.is_exhausted() {
            return None;
        }
        if let Some(hint) = self.hint.take() {
            worker.moves.moves.swap(self.begin, self.begin + usize::from(hint));
        } else {
            if !self.is_ranked {
                self.is_ranked = true;
                self.rank(worker, node);
            }
            self.select_best(worker);
        }
        let RankedMove { mv, ordinal, prepared, .. } = worker.moves.moves[self.next];
        self.next += 1;
        let successor = match prepared {
            Some(index) => worker.moves.prepared[index as usize].clone(),
            None => prepare(worker, node, mv),
        };
        Some(Picked { mv, ordinal, successor })
    }

    /// Takes the node's moves off the stack.
    #[inline]
    pub(super) fn finish<G: Game, E: Evaluator<G>, T: Table>(self, worker: &mut Worker<'_, G, E, T>) {
        worker.moves.moves.truncate(self.begin);
        worker.moves.prepared.truncate(self.first_prepared);
    }

    /// Brings the move of the highest rank, the first generated among equals, to the front of those that remain.
    #[inline]
    fn select_best<G: Game, E: Evaluator<G>, T: Table>(&self, worker: &mut Worker<'_, G, E, T>) {
        let moves = &mut worker.moves.moves[self.next..self.end];
        let mut best = 0;
        for index in 1..moves.len() {
            let (one, other) = (&moves[index], &moves[best]);
            if one.rank > other.rank || one.rank == other.rank && one.ordinal < other.ordinal {
                best = index;
            }
        }
        moves.swap(0, best);
    }

    /// Ranks the moves that remain.
    fn rank<G: Game, E: Evaluator<G>, T: Table>(&self, worker: &mut Worker<'_, G, E, T>, node: NodeOf<'_, G, E>) {
        if worker.orders_statically(node.depth) {
            self.rank_statically(worker, node);
        } else {
            let player = worker.game.player(node.position);
            for entry in &mut worker.moves.moves[self.next..self.end] {
                let slot = worker.game.move_slot(entry.mv);
                entry.rank = worker.heuristics.rank(player, node.ply, entry.mv, slot);
            }
        }
    }

    /// Ranks by what the position after the move looks like; what is computed of it is kept for the search.
    fn rank_statically<G: Game, E: Evaluator<G>, T: Table>(
        &self,
        worker: &mut Worker<'_, G, E, T>,
        node: NodeOf<'_, G, E>,
    ) {
        let mover = worker.game.player(node.position);
        for index in self.next..self.end {
            let mut successor = prepare(worker, node, worker.moves.moves[index].mv);
            let sign = if worker.game.player(&successor.position) == mover { 1 } else { -1 };
            let rank = if worker.game.kind(&successor.position) == Kind::Terminal {
                let score = sign * i64::from(worker.terminal_score(&successor.position));
                if score > 0 { WINS } else { score }
            } else if node.depth >= 2 {
                let evaluation = worker.evaluate(&successor.position, &successor.state);
                successor.evaluation = Some(evaluation);
                sign * i64::from(evaluation)
            } else {
                0
            };
            let entry = &mut worker.moves.moves[index];
            entry.rank = rank;
            entry.prepared = Some(worker.moves.prepared.len() as u32);
            worker.moves.prepared.push(successor);
        }
    }
}

/// Makes the successor of a move.
#[inline]
fn prepare<G: Game, E: Evaluator<G>, T: Table>(
    worker: &Worker<'_, G, E, T>,
    node: NodeOf<'_, G, E>,
    mv: G::Move,
) -> Prepared<G::Position, E::State> {
    let position = worker.game.play(node.position, mv);
    if node.depth > 1 {
        worker.prefetch(&position);
    }
    let state = worker.evaluator.after_move(worker.game, node.state, node.position, mv, &position);
    Prepared { position, state, evaluation: None }
}
