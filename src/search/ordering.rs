//! Which move next: the orderings `paper`, `static` and `hybrid`, chosen lazily.
//!
//! The table move comes first and costs nothing to find. Only when it did not cut are the others ranked, and
//! then one is selected at a time, so that a cutoff leaves the rest unsorted (Eppstein's lecture on hashing
//! and move ordering).

pub(super) mod company;

use crate::game::{Game, Kind, Step};
use crate::processor::Evaluates;
use crate::score::Window;
use crate::search::answer::SearchError;
use crate::search::moves::{GeneratedMoves, MovePicker, MoveSuccessor, Picked, RankedMove};
use crate::search::near_leaves::LAST_DECISION;
use crate::search::request::MoveOrdering;
use crate::search::setup::{MoveOf, NodeOf, Setup, SuccessorOf};
use crate::search::worker::Worker;
use std::cmp::Reverse;
use std::ops::Range;

/// The rank of a move that wins at once; above every evaluation.
pub(super) const WINS: i64 = i64::MAX;

/// Makes the successor of a move, and has its table entry fetched meanwhile.
#[inline(always)] // a fortieth of all instructions, where moves are ranked by evaluation
pub(super) fn make_successor<S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
) -> SuccessorOf<S> {
    let position = worker.game.play(node.position, mv);
    worker.prefetch(&position, worker.depth_after_move(node, mv, &position));
    let state = worker.state_after(node, Step::Move(mv), &position);
    MoveSuccessor { position, state, evaluation: None }
}

/// The same. Not inlined, for the loops over moves, which have most nodes, would carry it.
#[inline(never)]
fn make_successor_apart<S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
) -> SuccessorOf<S> {
    make_successor(worker, node, mv)
}

impl GeneratedMoves {
    /// Generates the moves of `node`. Where there are none the game has broken its contract, and the search
    /// is halted with an error.
    #[inline]
    pub(super) fn new<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Self {
        let moves = &mut worker.moves.stack;
        let begin = moves.len();
        let mut ordinal: u32 = 0;
        worker.game.moves(node.position, |mv| {
            moves.push(RankedMove { mv, ordinal, successor: None, rank: 0 });
            ordinal += 1;
        });
        let end = moves.len();
        if begin == end {
            worker.control.fail(SearchError::NoMoves);
            worker.set_halted(true);
        }
        GeneratedMoves { begin, end, first_successor: worker.moves.successors.len() }
    }

    /// Ranks all moves by killers and history, as a [`MovePicker`] does that has no table move.
    #[inline]
    pub(super) fn rank_by_heuristics<S: Setup>(&self, worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) {
        rank_by_heuristics(worker, node, self.range());
    }

    /// Brings the best of the moves from this place of the stack on to it, and gives it.
    #[inline]
    pub(super) fn bring_best_to<S: Setup>(&self, worker: &mut Worker<'_, S>, place: usize) -> MoveOf<S> {
        let rest = &mut worker.moves.stack[place..self.end];
        select_best(rest);
        rest[0].mv
    }

    /// The same, but that where there are very many, all are sorted once the first have been selected.
    #[inline]
    pub(super) fn select<S: Setup>(&self, worker: &mut Worker<'_, S>, place: usize) -> MoveOf<S> {
        if self.end - self.begin > MOST_SELECTED && place >= self.begin + usize::from(SELECTIONS) {
            return self.select_sorted(worker, place);
        }
        self.bring_best_to(worker, place)
    }

    /// The move at a place beyond the first, which sorts them all when it is asked for the first of these.
    /// With a look at the limits: among very many moves that lead to leaves nobody else takes one.
    #[cold]
    #[inline(never)]
    fn select_sorted<S: Setup>(&self, worker: &mut Worker<'_, S>, place: usize) -> MoveOf<S> {
        worker.report_nodes_when_due();
        if place == self.begin + usize::from(SELECTIONS) {
            sort(&mut worker.moves.stack[place..self.end]);
        }
        worker.moves.at(place)
    }

    /// The move that is tried first, by the table's `hint` or by killers and history, with its ordinal;
    /// `None` where there is none.
    fn first<S: Setup>(
        &self,
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        hint: Option<u16>,
    ) -> Option<(MoveOf<S>, u32)> {
        let hint = hint.map(usize::from).filter(|hint| self.range().contains(&(self.begin + hint)));
        let place = self.begin + hint.unwrap_or(0);
        if hint.is_none() && !self.range().is_empty() {
            self.rank_by_heuristics(worker, node);
            self.bring_best_to(worker, place);
        }
        worker.moves.stack[self.range()].get(place - self.begin).map(|entry| (entry.mv, entry.ordinal))
    }

    /// Takes the moves off the stack.
    #[inline]
    pub(super) fn finish<S: Setup>(self, worker: &mut Worker<'_, S>) {
        worker.moves.stack.truncate(self.begin);
        worker.moves.successors.truncate(self.first_successor);
    }
}

/// Brings the move of the highest rank, the first generated among equals, to the front.
#[inline(always)]
fn select_best<M>(moves: &mut [RankedMove<M>]) {
    let mut best = 0;
    for index in 1..moves.len() {
        let (one, other) = (&moves[index], &moves[best]);
        if one.rank > other.rank || one.rank == other.rank && one.ordinal < other.ordinal {
            best = index;
        }
    }
    moves.swap(0, best);
}

/// Sorts moves, the highest rank first, equals as they were generated.
fn sort<M>(moves: &mut [RankedMove<M>]) {
    moves.sort_unstable_by_key(|entry| (Reverse(entry.rank), entry.ordinal));
}

/// Ranks the moves at these places of the stack by killers and history.
#[inline(always)]
fn rank_by_heuristics<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, places: Range<usize>) {
    let player = worker.game.player(node.position);
    let ranking = worker.moves.heuristics.ranking(player, node.ply);
    for entry in &mut worker.moves.stack[places] {
        entry.rank = ranking.rank(entry.mv, worker.game.move_slot(entry.mv));
    }
}

/// Of no more moves than these each is selected, where no ranking by evaluation keeps what it has made.
const MOST_SELECTED: usize = 64;

/// So many moves are selected one by one. Where none of them has cut, hardly any will, and sorting the rest
/// at once is cheaper than to look through it again and again.
const SELECTIONS: u8 = 8;

/// The same above the leaves where the ordering is left to the search: what a move leads to costs no more
/// there than to sort it, so the rest is left as it is.
pub(super) const SELECTIONS_ABOVE_LEAVES: u8 = 2;

/// Whether the order of a node's moves, which lead to leaves, does not matter: all will be tried, since beta
/// is beyond what its value is expected to reach, or is the upper bound that is known of it. They are then
/// not ranked, where the ordering is left to the search. (Deeper down their order still tells the table and
/// the nodes below which are good.)
#[inline]
pub(super) fn is_order_idle<S: Setup>(worker: &Worker<'_, S>, node: NodeOf<'_, S>, window: Window) -> bool {
    (node.is_all_node || window.beta >= worker.limit) && worker.options.ordering == MoveOrdering::Chosen
}

impl<M: Copy> Picked<M> {
    /// The successor: the one made for ranking, or a new one.
    #[inline]
    pub(crate) fn successor<S: Setup<Game: Game<Move = M>>>(
        &self,
        worker: &Worker<'_, S>,
        node: NodeOf<'_, S>,
    ) -> SuccessorOf<S> {
        match self.successor {
            Some(index) => worker.moves.successors[index as usize].clone(),
            None => make_successor_apart(worker, node, self.mv),
        }
    }
}

impl MovePicker {
    /// Generates the moves of `node`. `hint` is the ordinal of the table move. With `is_idle` the others are
    /// given out as they were generated ([`is_order_idle`]).
    #[inline]
    pub(super) fn new<S: Setup>(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        hint: Option<u16>,
        is_idle: bool,
    ) -> Self {
        let moves = GeneratedMoves::new(worker, node);
        let hint = hint.filter(|&hint| usize::from(hint) < moves.range().len());
        let hash = || worker.game.hash(node.position);
        let trial = match moves.range().len() {
            0 | 1 => None,
            _ => worker.tuner.begin_trial(node.depth, hash, &worker.stats.nodes),
        };
        let is_static = match trial {
            Some(trial) => trial.is_static,
            None => worker.tuner.plan.orders_statically(worker.options, node.depth),
        } || company::may_batch::<S>() && worker.moves.together.ranks(node.depth);
        let is_low = node.depth == LAST_DECISION && worker.options.ordering == MoveOrdering::Chosen;
        let is_idle = is_idle && is_low && !is_static;
        let selections = match is_low {
            _ if is_idle => 0,
            true => SELECTIONS_ABOVE_LEAVES,
            false => SELECTIONS,
        };
        MovePicker {
            next: moves.begin,
            moves,
            hint,
            is_ranked: is_idle,
            selections,
            sorts: !is_low,
            is_static,
            trial,
        }
    }

    /// Generates the moves of `node`, to give them out in the order in which the game does.
    pub(super) fn in_generation_order<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Self {
        let moves = GeneratedMoves::new(worker, node);
        MovePicker {
            next: moves.begin,
            moves,
            hint: None,
            is_ranked: true,
            selections: 0,
            sorts: false,
            is_static: false,
            trial: None,
        }
    }

    /// Whether every move was given out.
    #[inline]
    pub(super) fn is_exhausted(&self) -> bool {
        self.next == self.moves.end
    }

    /// How many moves were not given out yet.
    #[inline]
    pub(super) fn left(&self) -> usize {
        self.moves.end - self.next
    }

    /// The next move.
    #[inline(always)]
    pub(super) fn pick<S: Setup>(
        &mut self,
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
    ) -> Option<Picked<MoveOf<S>>> {
        if self.is_exhausted() {
            return None;
        }
        if let Some(hint) = self.hint.take() {
            worker.moves.stack.swap(self.next, self.next + usize::from(hint));
        } else if self.next + 1 < self.moves.end {
            let is_second = company::may_batch::<S>() && self.next == self.moves.begin + 1;
            if is_second && worker.moves.together.ranks_rest(node.depth) {
                self.begin_ranked_rest(worker, node);
            } else if !self.is_ranked {
                self.is_ranked = true;
                self.rank(worker, node);
                if worker.is_halted() {
                    return None; // the search ended among the evaluations
                }
            }
            self.order_next(worker);
        }
        let RankedMove { mv, ordinal, mut successor, .. } = worker.moves.stack[self.next];
        self.next += 1;
        let is_first = company::may_batch::<S>() && self.next == self.moves.begin + 1;
        if is_first {
            let hash = || worker.game.hash(node.position);
            successor = worker.moves.together.first_move(hash, ordinal).or(successor);
        }
        Some(Picked { mv, ordinal, successor })
    }

    /// Ranks what the first move has left by static evaluation, all evaluated together.
    #[cold]
    #[inline(never)]
    fn begin_ranked_rest<S: Setup>(&mut self, worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) {
        (self.is_ranked, self.selections, self.sorts) = (true, SELECTIONS, true);
        company::rank_together(worker, node, self.next..self.moves.end);
    }

    /// Takes the moves off the stack.
    #[inline]
    pub(super) fn finish<S: Setup>(self, worker: &mut Worker<'_, S>) {
        self.moves.finish(worker);
        if let Some(trial) = self.trial
            && !worker.is_halted()
        {
            worker.tuner.end_trial(trial, &worker.stats.nodes);
        }
    }

    /// Brings the move of the highest rank, the first generated among equals, to the front of those that
    /// remain.
    #[inline(always)]
    fn order_next<S: Setup>(&mut self, worker: &mut Worker<'_, S>) {
        if self.selections == 0 {
            return; // sorted already, or not to be
        }
        self.selections -= 1;
        if self.selections > 0 || !self.sorts {
            select_best(&mut worker.moves.stack[self.next..self.moves.end]);
        } else {
            let rest = &mut worker.moves.stack[self.next..self.moves.end];
            sort(rest);
        }
    }

    /// Ranks the moves that remain.
    #[inline(always)]
    fn rank<S: Setup>(&self, worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) {
        if self.is_static {
            return self.rank_statically(worker, node);
        }
        rank_by_heuristics(worker, node, self.next..self.moves.end);
    }

    /// Ranks by what the position after the move looks like; what is computed of it is kept for the search.
    #[inline(always)]
    fn rank_statically<S: Setup>(&self, worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) {
        if worker.is_watchful() && !worker.processor.in_batches() {
            return self.rank_watchfully(worker, node);
        }
        rank_statically(worker, node, self.next..self.moves.end);
    }

    /// The same for a watchful worker, for which an evaluation may take long: it looks whether the search is
    /// over before each.
    #[cold]
    #[inline(never)]
    fn rank_watchfully<S: Setup>(&self, worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) {
        let mut left = self.next..self.moves.end;
        while worker.goes_on()
            && let Some(index) = left.next()
        {
            rank_statically(worker, node, index..index + 1);
        }
    }
}

/// The same for the moves at these places of the stack.
#[inline(never)] // the evaluator's code is long, and stands here once
fn rank_statically<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, places: Range<usize>) {
    if company::may_batch::<S>() && worker.processor.in_batches() {
        return company::rank_together(worker, node, places);
    }
    let mover = worker.game.player(node.position);
    worker.tuner.note_made(places.len());
    for index in places {
        let mv = worker.moves.stack[index].mv;
        let mut successor = make_successor(worker, node, mv);
        let reward = i64::from(worker.move_reward(node, mv, &successor.position).steps());
        let sign = if worker.game.player(&successor.position) == mover { 1 } else { -1 };
        let rank = if worker.game.kind(&successor.position) == Kind::Terminal {
            let score = sign * i64::from(worker.terminal_score(&successor.position));
            if score > 0 { WINS } else { reward + score }
        } else if node.depth >= 2 || worker.takes_no_ply(node, mv, &successor.position) {
            let evaluation = worker.evaluate(&successor.position, &successor.state);
            successor.evaluation = Some(evaluation);
            reward + sign * i64::from(evaluation)
        } else {
            reward
        };
        let entry = &mut worker.moves.stack[index];
        entry.rank = rank;
        entry.successor = Some(worker.moves.successors.len() as u32);
        worker.moves.successors.push(successor);
    }
}

/// Records, for the ordering of moves elsewhere, that a move cut the node.
pub(crate) fn note_cutoff<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, mv: MoveOf<S>) {
    let mover = worker.game.player(node.position);
    let slot = worker.game.move_slot(mv);
    worker.moves.heuristics.record_cutoff(mover, node.ply, node.depth, mv, slot);
}
