//! Move ordering: the orderings `paper`, `static` and `hybrid`, applied lazily.
//!
//! The table move comes first and needs no ranking. Only if it causes no cutoff are the others ranked, and
//! then selected one at a time, so that a cutoff leaves the rest unsorted (Eppstein's lecture on hashing and
//! move ordering).

pub(super) mod sibling_batch;

use crate::game::{Game, NodeKind, Step};
use crate::score::Window;
use crate::search::answer::SearchError;
use crate::search::chance_node::Place;
use crate::search::moves::{GeneratedMoves, MovePicker, MoveSuccessor, Picked, RankedMove};
use crate::search::near_leaves::LAST_DECISION;
use crate::search::request::MoveOrdering;
use crate::search::setup::{MoveOf, MoveSuccessorOf, NodeOf, Setup};
use crate::search::worker::Worker;
use std::cmp::Reverse;
use std::ops::Range;

/// The rank of a move that wins at once, above every evaluation.
pub(super) const WINS: i64 = i64::MAX;

/// The rank of a reply, below the killers'.
const REPLY: i64 = i64::MAX - 2;

/// Makes the successor of a move, and prefetches its table entry.
#[inline(always)] // a call costs 2.5 % of all instructions, where moves are ranked by evaluation
pub(super) fn make_successor<S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
) -> MoveSuccessorOf<S> {
    let position = worker.game.play(node.position, mv);
    worker.prefetch(&position, worker.depth_after(node, Step::Move(mv), &position));
    let state = worker.state_after(node, Step::Move(mv), &position);
    MoveSuccessor { position, state, evaluation: None }
}

/// The same. Not inlined, to keep the loops over moves small.
#[inline(never)]
fn make_successor_apart<S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
) -> MoveSuccessorOf<S> {
    make_successor(worker, node, mv)
}

impl GeneratedMoves {
    /// Generates the moves of `node`, or takes those kept with an evaluated first move. A node without moves
    /// breaks the game's contract: the search is halted with an error.
    #[inline]
    pub(super) fn new<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Self {
        let key = || worker.node_key(node.position, NodeKind::Decision, node.depth);
        let kept = if S::IN_BATCHES { worker.moves.batcher.pregenerated(key) } else { None };
        let moves = &mut worker.moves.stack;
        let begin = moves.len();
        if let Some(kept) = kept {
            moves.extend_from_within(kept);
        } else {
            let mut ordinal: u32 = 0;
            worker.game.moves(node.position, |mv| {
                moves.push(RankedMove { mv, ordinal, successor: None, rank: 0 });
                ordinal += 1;
            });
        }
        let end = moves.len();
        if begin == end {
            worker.control.fail(SearchError::NoMoves);
            worker.set_halted(true);
        }
        GeneratedMoves { begin, end, first_successor: worker.moves.successors.len() }
    }

    /// Removes the moves that the root is not asked for.
    #[cold]
    fn keep_asked<S: Setup>(&mut self, worker: &mut Worker<'_, S>) {
        let (asked, mut kept) = (worker.root.asked, self.begin);
        for place in self.range() {
            if asked.contains(&worker.moves.at(place)) {
                worker.moves.stack.swap(kept, place);
                kept += 1;
            }
        }
        worker.moves.stack.truncate(kept);
        self.end = kept;
    }

    /// Moves the best of the moves from this stack index on to it, and returns it.
    #[inline]
    pub(super) fn bring_best_to<S: Setup>(&self, worker: &mut Worker<'_, S>, place: usize) -> MoveOf<S> {
        let rest = &mut worker.moves.stack[place..self.end];
        select_best(rest);
        rest[0].mv
    }

    /// The same, except that a long list is sorted after the first selections.
    #[inline]
    pub(super) fn select<S: Setup>(&self, worker: &mut Worker<'_, S>, place: usize) -> MoveOf<S> {
        if self.end - self.begin > MOST_SELECTED && place >= self.begin + usize::from(SELECTIONS) {
            return self.select_sorted(worker, place);
        }
        self.bring_best_to(worker, place)
    }

    /// The move at an index behind the first selections; the first call sorts the rest. It also looks at the
    /// limits: among a great many leaves nothing else would.
    #[cold]
    #[inline(never)]
    fn select_sorted<S: Setup>(&self, worker: &mut Worker<'_, S>, place: usize) -> MoveOf<S> {
        worker.poll_limits_when_due();
        if place == self.begin + usize::from(SELECTIONS) {
            sort(&mut worker.moves.stack[place..self.end]);
        }
        worker.moves.at(place)
    }

    /// Removes the moves from the stack.
    #[inline]
    pub(super) fn finish<S: Setup>(self, worker: &mut Worker<'_, S>) {
        worker.moves.stack.truncate(self.begin);
        worker.moves.successors.truncate(self.first_successor);
    }
}

/// Swaps the best move to the front.
#[inline(always)]
fn select_best<M>(moves: &mut [RankedMove<M>]) {
    moves.swap(0, best_of(moves));
}

/// The place of the move of the highest rank, the first generated among equals.
#[inline(always)]
fn best_of<M>(moves: &[RankedMove<M>]) -> usize {
    let mut best = 0;
    for index in 1..moves.len() {
        let (one, other) = (&moves[index], &moves[best]);
        if one.rank > other.rank || one.rank == other.rank && one.ordinal < other.ordinal {
            best = index;
        }
    }
    best
}

/// Sorts moves by rank, highest first, equals in generation order.
fn sort<M>(moves: &mut [RankedMove<M>]) {
    moves.sort_unstable_by_key(|entry| (Reverse(entry.rank), entry.ordinal));
}

/// Ranks the moves in this range of the stack by killers, replies and history.
#[inline(always)]
pub(super) fn rank_by_heuristics<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    places: Range<usize>,
) {
    let player = worker.game.player(node.position);
    let ranking = worker.moves.heuristics.ranking(player, node.ply);
    for entry in &mut worker.moves.stack[places.clone()] {
        entry.rank = ranking.rank(entry.mv, worker.game.move_slot(entry.mv));
    }
    let place = replying_to(worker, node);
    if let Some(reply) = place.and_then(|place| worker.moves.heuristics.reply(node.ply, place)) {
        if let Some(entry) = worker.moves.stack[places].iter_mut().find(|entry| entry.mv == reply) {
            entry.rank = entry.rank.max(REPLY);
        }
    }
}

/// The ordinal of the move tried first of those in this range: the table move, or the best by killers and
/// history; 0 without moves.
fn first_ordinal<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    range: Range<usize>,
    table_move: Option<u16>,
) -> usize {
    table_move.map(usize::from).filter(|&ordinal| ordinal < range.len()).unwrap_or_else(|| {
        rank_by_heuristics(worker, node, range.clone());
        best_of(&worker.moves.stack[range])
    })
}

/// Lists up to this length are selected one by one to the end, in fast loops that keep no ranked successors.
const MOST_SELECTED: usize = 64;

/// This many moves are selected one by one. If none of them causes a cutoff, hardly any other will, and
/// sorting the rest is cheaper than selecting it.
const SELECTIONS: u8 = 8;

/// The same for nodes above leaves, if the ordering is left to the search. There a move's search costs no
/// more than sorting it, so the rest stays unsorted.
pub(super) const SELECTIONS_ABOVE_LEAVES: u8 = 2;

/// Whether the order of moves that lead to leaves does not matter: no cutoff is expected, because beta is
/// above any expected value or is the node's known upper bound. Such moves are not ranked, if the ordering is
/// left to the search. (At greater depths the order still tells the table and later nodes which moves are
/// good.)
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
    ) -> MoveSuccessorOf<S> {
        match self.successor {
            Some(index) => worker.moves.successors[index as usize].clone(),
            None => make_successor_apart(worker, node, self.mv),
        }
    }
}

impl MovePicker {
    /// Generates the moves of `node`. `table_move` is the ordinal of the table move. With `is_idle` the
    /// others stay in generation order ([`is_order_idle`]).
    #[inline]
    pub(super) fn new<S: Setup>(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        table_move: Option<u16>,
        is_idle: bool,
    ) -> Self {
        let moves = GeneratedMoves::new(worker, node);
        let table_move = table_move.filter(|&table_move| usize::from(table_move) < moves.range().len());
        let hash = || worker.game.hash(node.position);
        let trial = match moves.range().len() {
            0 | 1 => None,
            _ => worker.tuner.begin_trial(node.depth, hash, &worker.stats.nodes),
        };
        let batcher = &worker.moves.batcher;
        let is_static = match trial {
            Some(trial) => trial.is_static,
            None => worker.tuner.plan.orders_statically(worker.options, node.depth),
        } || S::IN_BATCHES
            // Where the first move hardly ever cuts, it need not be evaluated before the rest.
            && (batcher.ranks(node.depth) || is_idle && batcher.ranks_rest(node.depth));
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
            table_move,
            is_ranked: is_idle,
            selections,
            sorts: !is_low,
            is_static,
            trial,
        }
    }

    /// Generates the moves of `node`, to yield them in generation order.
    pub(super) fn in_generation_order<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Self {
        let moves = GeneratedMoves::new(worker, node);
        MovePicker {
            next: moves.begin,
            moves,
            table_move: None,
            is_ranked: true,
            selections: 0,
            sorts: false,
            is_static: false,
            trial: None,
        }
    }

    /// Leaves the root's moves that are asked for.
    pub(super) fn keep_asked<S: Setup>(&mut self, worker: &mut Worker<'_, S>) {
        self.moves.keep_asked(worker);
    }

    /// Yields the root's moves in the order in which the last iteration ranked them.
    #[cold]
    pub(super) fn order_as_ranked<S: Setup>(&mut self, worker: &mut Worker<'_, S>) {
        let Worker { moves, root, .. } = worker;
        let all = &mut moves.stack[self.moves.range()];
        all.iter_mut().for_each(|entry| entry.rank = root.rank(entry.ordinal));
        sort(all);
        (self.table_move, self.is_ranked, self.selections) = (None, true, 0);
    }

    /// Whether all moves were yielded.
    #[inline]
    pub(super) fn is_exhausted(&self) -> bool {
        self.next == self.moves.end
    }

    /// The number of moves not yet yielded.
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
        if let Some(table_move) = self.table_move.take() {
            worker.moves.stack.swap(self.next, self.next + usize::from(table_move));
        } else if self.next + 1 < self.moves.end {
            let is_second = S::IN_BATCHES && self.next == self.moves.begin + 1;
            if is_second && worker.moves.batcher.ranks_rest(node.depth) && !(self.is_static && self.is_ranked)
            {
                self.begin_ranked_rest(worker, node);
                if worker.is_halted() {
                    return None; // as below
                }
            } else if !self.is_ranked {
                self.is_ranked = true;
                self.rank(worker, node);
                if worker.is_halted() {
                    return None; // the search ended among the evaluations
                }
            }
            self.order_next(worker);
        }
        let RankedMove { mv, ordinal, successor, .. } = worker.moves.stack[self.next];
        self.next += 1;
        Some(Picked { mv, ordinal, successor })
    }

    /// Ranks the moves after the first by static evaluation, in one batch.
    #[cold]
    #[inline(never)]
    fn begin_ranked_rest<S: Setup>(&mut self, worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) {
        (self.is_ranked, self.selections, self.sorts) = (true, SELECTIONS, true);
        sibling_batch::rank_together(worker, node, self.next..self.moves.end);
    }

    /// Removes the moves from the stack.
    #[inline]
    pub(super) fn finish<S: Setup>(self, worker: &mut Worker<'_, S>) {
        self.moves.finish(worker);
        if let Some(trial) = self.trial.filter(|_| !worker.is_halted()) {
            worker.tuner.end_trial(trial, &worker.stats.nodes);
        }
    }

    /// Brings the best remaining move to the front of the rest.
    #[inline(always)]
    fn order_next<S: Setup>(&mut self, worker: &mut Worker<'_, S>) {
        if self.selections == 0 {
            return; // sorted already, or to stay unsorted
        }
        self.selections -= 1;
        if self.selections > 0 || !self.sorts {
            select_best(&mut worker.moves.stack[self.next..self.moves.end]);
        } else {
            let rest = &mut worker.moves.stack[self.next..self.moves.end];
            sort(rest);
        }
    }

    /// Ranks the remaining moves.
    #[inline(always)]
    fn rank<S: Setup>(&self, worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) {
        if self.is_static {
            return self.rank_statically(worker, node);
        }
        rank_by_heuristics(worker, node, self.next..self.moves.end);
    }

    /// Ranks by the evaluation after each move; its successor is kept for the search.
    #[inline(always)]
    fn rank_statically<S: Setup>(&self, worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) {
        if worker.is_watchful() && !(S::IN_BATCHES && worker.moves.batcher.is_on) {
            return self.rank_watchfully(worker, node);
        }
        rank_statically(worker, node, self.next..self.moves.end);
    }

    /// The same for a watchful worker, whose evaluations may be slow: it checks before each whether the
    /// search is over.
    #[cold]
    #[inline(never)]
    fn rank_watchfully<S: Setup>(&self, worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) {
        let mut left = self.next..self.moves.end;
        while worker.goes_on() {
            let Some(index) = left.next() else { break };
            rank_statically(worker, node, index..index + 1);
        }
    }
}

/// The same for the moves in this range of the stack.
#[inline(never)] // keeps one copy of the evaluator's long code
fn rank_statically<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, places: Range<usize>) {
    if S::IN_BATCHES && worker.moves.batcher.is_on {
        return sibling_batch::rank_together(worker, node, places);
    }
    let mover = worker.game.player(node.position);
    worker.tuner.note_made(places.len());
    for index in places {
        let mv = worker.moves.stack[index].mv;
        let mut successor = make_successor(worker, node, mv);
        let reward = i64::from(worker.reward(node, Step::Move(mv), &successor.position).0);
        let sign = if worker.game.player(&successor.position) == mover { 1 } else { -1 };
        let rank = if worker.game.kind(&successor.position) == NodeKind::Terminal {
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

/// Records for move ordering that a move caused a cutoff.
pub(crate) fn note_cutoff<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, mv: MoveOf<S>) {
    let mover = worker.game.player(node.position);
    let slot = worker.game.move_slot(mv);
    worker.moves.heuristics.record_cutoff(mover, node.ply, node.depth, mv, slot);
    if let Some(place) = replying_to(worker, node) {
        worker.moves.heuristics.record_reply(node.ply, place, mv);
    }
}

/// The place of the outcome to which a node's moves are replies, if replies are remembered: not in the
/// paper's order, nor at last decisions, where killers are as good and cheaper.
#[inline]
fn replying_to<S: Setup>(worker: &Worker<'_, S>, node: NodeOf<'_, S>) -> Option<Place> {
    node.place.filter(|_| node.depth > LAST_DECISION && worker.options.ordering == MoveOrdering::Chosen)
}
