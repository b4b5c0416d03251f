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
use crate::search::{descent, evaluation, transposition};
use std::cmp::Reverse;
use std::ops::Range;

/// The rank of a move that wins at once, above every evaluation.
const WINS: i64 = i64::MAX;

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
    transposition::prefetch(worker, &position, descent::depth_after(worker, node, Step::Move(mv), &position));
    let state = descent::state_after(worker, node, Step::Move(mv), &position);
    MoveSuccessor { position, state, evaluation: None }
}

/// The same. Not inlined, to keep the loops over moves small.
#[inline(never)] // inlined, 1.0 % more where moves are ranked by evaluation
fn make_successor_apart<S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
) -> MoveSuccessorOf<S> {
    make_successor(worker, node, mv)
}

/// Generates the moves of `node`, or takes those kept with an evaluated first move. A node without moves
/// breaks the game's contract: the search is halted with an error.
#[inline]
pub(super) fn generate<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> GeneratedMoves {
    let key = || transposition::node_key(worker, node.position, NodeKind::Decision, node.depth);
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
fn keep_asked_of<S: Setup>(worker: &mut Worker<'_, S>, moves: &mut GeneratedMoves) {
    let (asked, mut kept) = (worker.root.asked, moves.begin);
    for place in moves.range() {
        if asked.contains(&worker.moves.at(place)) {
            worker.moves.stack.swap(kept, place);
            kept += 1;
        }
    }
    worker.moves.stack.truncate(kept);
    moves.end = kept;
}

/// Moves the best of the moves from this stack index on to it, and returns it.
#[inline]
pub(super) fn bring_best_to<S: Setup>(
    worker: &mut Worker<'_, S>,
    moves: &GeneratedMoves,
    place: usize,
) -> MoveOf<S> {
    let rest = &mut worker.moves.stack[place..moves.end];
    select_best(rest);
    rest[0].mv
}

/// The same, except that a long list is sorted after the first selections.
#[inline]
pub(super) fn select<S: Setup>(
    worker: &mut Worker<'_, S>,
    moves: &GeneratedMoves,
    place: usize,
) -> MoveOf<S> {
    if moves.end - moves.begin > MOST_SELECTED && place >= moves.begin + usize::from(SELECTIONS) {
        return select_sorted(worker, moves, place);
    }
    bring_best_to(worker, moves, place)
}

/// The move at an index behind the first selections; the first call sorts the rest. It also looks at the
/// limits: among a great many leaves nothing else would.
#[cold]
fn select_sorted<S: Setup>(worker: &mut Worker<'_, S>, moves: &GeneratedMoves, place: usize) -> MoveOf<S> {
    worker.poll_limits_when_due();
    if place == moves.begin + usize::from(SELECTIONS) {
        sort(&mut worker.moves.stack[place..moves.end]);
    }
    worker.moves.at(place)
}

/// Removes the moves from the stack.
#[inline]
pub(super) fn finish<S: Setup>(worker: &mut Worker<'_, S>, moves: GeneratedMoves) {
    worker.moves.stack.truncate(moves.begin);
    worker.moves.successors.truncate(moves.first_successor);
}

/// Swaps the best move to the front.
#[inline]
fn select_best<M>(moves: &mut [RankedMove<M>]) {
    moves.swap(0, best_of(moves));
}

/// The place of the move of the highest rank, the first generated among equals.
#[inline]
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
#[inline(always)] // a call costs 0.8 % of Star2-TT's instructions
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

/// The successor of a picked move: the one made for ranking, or a new one.
#[inline]
pub(crate) fn picked_successor<S: Setup>(
    worker: &Worker<'_, S>,
    node: NodeOf<'_, S>,
    picked: &Picked<MoveOf<S>>,
) -> MoveSuccessorOf<S> {
    match picked.successor {
        Some(index) => worker.moves.successors[index as usize].clone(),
        None => make_successor_apart(worker, node, picked.mv),
    }
}

/// Generates the moves of `node`. `table_move` is the ordinal of the table move. With `is_idle` the
/// others stay in generation order ([`is_order_idle`]).
#[inline]
pub(super) fn new_picker<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    table_move: Option<u16>,
    is_idle: bool,
) -> MovePicker {
    let moves = generate(worker, node);
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
pub(super) fn picker_in_generation_order<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
) -> MovePicker {
    let moves = generate(worker, node);
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
pub(super) fn keep_asked<S: Setup>(worker: &mut Worker<'_, S>, picker: &mut MovePicker) {
    keep_asked_of(worker, &mut picker.moves);
}

/// Yields the root's moves in the order in which the last iteration ranked them.
#[cold]
pub(super) fn order_as_ranked<S: Setup>(worker: &mut Worker<'_, S>, picker: &mut MovePicker) {
    let Worker { moves, root, .. } = worker;
    let all = &mut moves.stack[picker.moves.range()];
    all.iter_mut().for_each(|entry| entry.rank = root.rank(entry.ordinal));
    sort(all);
    (picker.table_move, picker.is_ranked, picker.selections) = (None, true, 0);
}

/// The next move.
#[inline(always)] // a call costs 2.1 % where moves are ranked by evaluation
pub(super) fn pick<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    picker: &mut MovePicker,
) -> Option<Picked<MoveOf<S>>> {
    if picker.is_exhausted() {
        return None;
    }
    if let Some(table_move) = picker.table_move.take() {
        worker.moves.stack.swap(picker.next, picker.next + usize::from(table_move));
    } else if picker.next + 1 < picker.moves.end {
        let is_second = S::IN_BATCHES && picker.next == picker.moves.begin + 1;
        if is_second && worker.moves.batcher.ranks_rest(node.depth) && !(picker.is_static && picker.is_ranked)
        {
            begin_ranked_rest(worker, node, picker);
            if worker.is_halted() {
                return None; // as below
            }
        } else if !picker.is_ranked {
            picker.is_ranked = true;
            rank_rest(worker, node, picker);
            if worker.is_halted() {
                return None; // the search ended among the evaluations
            }
        }
        order_next(worker, picker);
    }
    let RankedMove { mv, ordinal, successor, .. } = worker.moves.stack[picker.next];
    picker.next += 1;
    Some(Picked { mv, ordinal, successor })
}

/// Ranks the moves after the first by static evaluation, in one batch.
#[cold]
fn begin_ranked_rest<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, picker: &mut MovePicker) {
    (picker.is_ranked, picker.selections, picker.sorts) = (true, SELECTIONS, true);
    sibling_batch::rank_together(worker, node, picker.next..picker.moves.end);
}

/// Removes the moves from the stack.
#[inline]
pub(super) fn finish_picking<S: Setup>(worker: &mut Worker<'_, S>, picker: MovePicker) {
    finish(worker, picker.moves);
    if let Some(trial) = picker.trial.filter(|_| !worker.is_halted()) {
        worker.tuner.end_trial(trial, &worker.stats.nodes);
    }
}

/// Brings the best remaining move to the front of the rest.
#[inline(always)] // a call costs 0.5 % of Star1's instructions
fn order_next<S: Setup>(worker: &mut Worker<'_, S>, picker: &mut MovePicker) {
    if picker.selections == 0 {
        return; // sorted already, or to stay unsorted
    }
    picker.selections -= 1;
    if picker.selections > 0 || !picker.sorts {
        select_best(&mut worker.moves.stack[picker.next..picker.moves.end]);
    } else {
        let rest = &mut worker.moves.stack[picker.next..picker.moves.end];
        sort(rest);
    }
}

/// Ranks the remaining moves.
#[inline(always)] // a call costs 0.4 % of Star2's instructions
fn rank_rest<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, picker: &MovePicker) {
    if picker.is_static {
        return rank_rest_statically(worker, node, picker);
    }
    rank_by_heuristics(worker, node, picker.next..picker.moves.end);
}

/// Ranks by the evaluation after each move; its successor is kept for the search.
#[inline]
fn rank_rest_statically<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, picker: &MovePicker) {
    if worker.is_watchful() && !(S::IN_BATCHES && worker.moves.batcher.is_on) {
        return rank_rest_watchfully(worker, node, picker);
    }
    rank_statically(worker, node, picker.next..picker.moves.end);
}

/// The same for a watchful worker, whose evaluations may be slow: it checks before each whether the
/// search is over.
#[cold]
fn rank_rest_watchfully<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, picker: &MovePicker) {
    let mut left = picker.next..picker.moves.end;
    while worker.goes_on() {
        let Some(index) = left.next() else { break };
        rank_statically(worker, node, index..index + 1);
    }
}

/// The same for the moves in this range of the stack.
#[inline(never)] // keeps one copy of the evaluator's long code
fn rank_statically<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, places: Range<usize>) {
    if S::IN_BATCHES && worker.moves.batcher.is_on {
        return sibling_batch::rank_together(worker, node, places);
    }
    rank_each(worker, node, places, |worker, _, sign, successor| {
        let evaluation = evaluation::evaluate(worker, &successor.position, &successor.state);
        successor.evaluation = Some(evaluation);
        sign * i64::from(evaluation)
    });
}

/// Ranks the moves in this range of the stack by reward and terminal score, and by what `evaluate` adds for
/// the others' successors: it gets the move's index, and the sign with which an evaluation counts. The
/// successors are kept for the search.
#[inline(always)] // a loop for each of its callers
fn rank_each<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    places: Range<usize>,
    mut evaluate: impl FnMut(&mut Worker<'_, S>, usize, i64, &mut MoveSuccessorOf<S>) -> i64,
) {
    let mover = worker.game.player(node.position);
    worker.tuner.note_made(places.len());
    for index in places {
        let mv = worker.moves.stack[index].mv;
        let mut successor = make_successor(worker, node, mv);
        let position = &successor.position;
        let reward = i64::from(descent::reward(worker, node, Step::Move(mv), position).0);
        let sign = if worker.game.player(position) == mover { 1 } else { -1 };
        let rank = if worker.game.kind(position) == NodeKind::Terminal {
            let score = sign * i64::from(evaluation::terminal_score(worker, position));
            if score > 0 { WINS } else { reward + score }
        } else if node.depth >= 2
            || S::IN_BATCHES && worker.moves.batcher.evaluates(node.depth)
            || descent::takes_no_ply(worker, node, mv, position)
        {
            reward + evaluate(worker, index, sign, &mut successor)
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
