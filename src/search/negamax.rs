//! Decision nodes of the pruning algorithms: fail-soft alpha-beta in negamax form with transposition cutoffs.
//! The paper's `negamax-probe` is the same search of the first few moves only.
//!
//! A decision node's lower bound is the maximum of its moves' lower bounds. Its upper bound is the maximum of
//! their upper bounds, but only after every move. A move's worth includes its reward (`reward.rs`).

use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind, Player, Step};
use crate::score::{Bounds, Score, Window};
use crate::search::deferral::{Then, let_go, search_busy_last, take_up};
use crate::search::move_probing::{self, Cutoff};
use crate::search::moves::{Breadth, OpenMoves, Picked};
use crate::search::near_leaves::LAST_DECISION;
use crate::search::ordering::{
    finish_picking, is_order_idle, keep_asked, new_picker, note_cutoff, order_as_ranked, pick,
    picked_successor, picker_in_generation_order,
};
use crate::search::plies::threshold;
use crate::search::ranking::{BestValues, ranks_moves};
use crate::search::request::Helping;
use crate::search::setup::{MoveOf, MoveSuccessorOf, NodeOf, Peers, Setup};
use crate::search::worker::{Worker, asks_again};
use crate::search::{above_leaves, descent, static_bounds, transposition};

/// How a node's moves are to be searched.
struct Asked {
    window: Window,
    /// The table's bounds of the node; the window lies within.
    known: Bounds,
    breadth: Breadth,
    /// The ordinal of the table move.
    table_move: Option<u16>,
    /// Whether the order of the other moves does not matter ([`is_order_idle`]).
    is_idle: bool,
}

/// The result of trying a node's moves.
struct Tried {
    bounds: Bounds,
    /// The ordinal of the best move.
    best: Option<u32>,
}

impl Tried {
    /// The best move for the table. `None` if the search was halted, since the best of a few moves says
    /// little.
    #[inline]
    fn table_move<S: Setup>(&self, worker: &Worker<'_, S>) -> Option<u16> {
        self.best.filter(|_| !worker.is_halted()).and_then(|ordinal| u16::try_from(ordinal).ok())
    }
}

/// Searches a decision node. With [`Breadth::First`] the bounds are proven but may not settle the window.
pub(super) fn decision<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
    breadth: Breadth,
) -> Bounds {
    worker.stats.nodes.decision += 1;
    worker.poll(node.depth);
    let is_idle =
        node.depth == LAST_DECISION && breadth == Breadth::All && is_order_idle(worker, node, window);
    if worker.near_leaves.has_own_loop(node.depth) && node.ply > 0 && !is_sampled(worker, node) {
        return if node.depth == LAST_DECISION {
            above_leaves::last_decision(worker, node, window, breadth, is_idle)
        } else {
            above_leaves::frontier(worker, node, window, breadth)
        };
    }
    usual_decision(worker, node, window, breadth, is_idle)
}

/// Whether a node with a fast loop of its own is searched the usual way, as a sample for the tuner.
#[inline]
pub(super) fn is_sampled<S: Setup>(worker: &Worker<'_, S>, node: NodeOf<'_, S>) -> bool {
    transposition::samples(worker, node.position, NodeKind::Decision, node.depth)
        || worker.tuner.is_order_sampled(node.depth, || worker.game.hash(node.position))
}

/// Searches a decision node the usual way. The caller has counted it.
#[inline(never)] // keeps its code out of the fast loops, which most nodes use
fn usual_decision<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
    breadth: Breadth,
    is_idle: bool,
) -> Bounds {
    if is_of_some_moves(worker, node) {
        return root_of_some_moves(worker, node, window);
    }
    let known = transposition::look_up_node(worker, node.position, NodeKind::Decision, node.depth);
    if known.settles(window, node.ply) {
        worker.stats.table.decision_cutoffs += 1;
        return transposition::settle(worker, &known);
    }
    if node.depth >= threshold(worker.options.move_probing_depth) {
        if let Some(Cutoff { bounds, table_move }) = move_probing::look_up_moves(worker, node, window) {
            return transposition::conclude(worker, &known, bounds, node.depth, table_move);
        }
    }
    // The root must name a move, so table bounds do not narrow its window.
    let before = if node.ply > 0 { known.bounds } else { static_bounds::bounds_of_root(worker, node) };
    let window = window.narrowed_by(before);
    let asked = Asked { window, known: before, breadth, table_move: known.table_move, is_idle };
    // Only the root's moves may be ranked.
    let tried = if worker.checks_each_move(node) {
        let mut open = open_moves(worker, node, asked, ranks_moves(worker.options, node.ply));
        order_as_last_ranked(worker, node, &mut open);
        try_moves_shared(worker, node, open)
    } else {
        try_moves(worker, node, asked)
    };
    let table_move = tried.table_move(worker);
    let is_root_bounded = S::Evaluator::ABILITIES.bounds && node.ply == 0;
    let proven =
        if is_root_bounded { transposition::meet(worker, tried.bounds, before) } else { tried.bounds };
    transposition::conclude(worker, &known, proven, node.depth, table_move)
}

/// Whether a node is a root that is searched with some of its moves only.
#[inline]
pub(super) fn is_of_some_moves<S: Setup>(worker: &Worker<'_, S>, node: NodeOf<'_, S>) -> bool {
    node.ply == 0 && !worker.root.asked.is_empty()
}

/// Searches a root with the moves that are asked for. The table knows the position with all its moves: it is
/// neither asked nor told.
#[cold]
pub(super) fn root_of_some_moves<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    let known = Bounds::unknown(worker.limit);
    let asked = Asked { window, known, breadth: Breadth::All, table_move: None, is_idle: false };
    let mut open = if worker.options.algorithm.prunes() {
        open_moves(worker, node, asked, ranks_moves(worker.options, node.ply))
    } else {
        open_all_moves(worker, node)
    };
    keep_asked(worker, &mut open.picker);
    if worker.options.algorithm.prunes() {
        order_as_last_ranked(worker, node, &mut open);
    }
    try_moves_shared(worker, node, open).bounds
}

/// Tries every move in the game's order, and checks the other workers and the clock before each. Returns the
/// maximum of their bounds and, unless halted, the ordinal of the best move.
pub(super) fn try_all_beside_others<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
) -> (Bounds, Option<u16>) {
    let open = open_all_moves(worker, node);
    let tried = try_moves_shared(worker, node, open);
    (tried.bounds, tried.table_move(worker))
}

#[inline]
fn try_moves<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, asked: Asked) -> Tried {
    let mut open = open_moves(worker, node, asked, false);
    while !worker.is_halted() {
        let Some(picked) = next_move(worker, node, &mut open) else { break };
        let successor = picked_successor(worker, node, &picked);
        if try_move(worker, node, &mut open, &picked, &successor) {
            break;
        }
    }
    close_moves(worker, open)
}

/// Searches the successor of a move in the window that is left to it; `true` when that cuts the node.
#[inline(always)] // as `search_after_move`
fn try_move<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    open: &mut OpenMoves,
    picked: &Picked<MoveOf<S>>,
    successor: &MoveSuccessorOf<S>,
) -> bool {
    let window = open.next_window();
    let found =
        search_after_move(worker, node, picked.mv, successor, window, |worker, mover, below, _, window| {
            descent::search_for(worker, mover, *below, window)
        });
    take_found(worker, node, open, picked, found)
}

/// The same, with a check of the other workers and the clock before each move. Separate, to keep nodes close
/// to the leaves fast.
fn try_moves_shared<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, mut open: OpenMoves) -> Tried {
    let (follows, mut seen) = (worker.team_link.policy.follows(node.depth), worker.team_link.seen_version);
    let mut least_idle = worker.team_link.policy.idle_for_moves(node);
    while worker.goes_on() {
        if follows && open.follow(descent::window_change(worker, &mut seen)) {
            break;
        }
        if asks_again(node.ply) {
            least_idle = worker.team_link.policy.idle_for_moves(node);
        }
        if open.best.is_some() && worker.has_idle(least_idle) && open.left() >= 2 {
            match worker.team_link.policy.helpers() {
                Helping::SearchInOwnOrder | Helping::SearchBusyLast => {
                    try_beside_others(worker, node, &mut open)
                }
                _ => S::Peers::split_moves(worker, node, &mut open),
            }
            break;
        }
        let Some(picked) = next_move(worker, node, &mut open) else { break };
        let successor = picked_successor(worker, node, &picked);
        // Of ranked moves only the best have values.
        let floor = open.floor().max(ranked_values(worker, node).map_or(Score::MIN, BestValues::floor));
        let window = open.window_above(floor);
        let found = search_after_move(
            worker,
            node,
            picked.mv,
            &successor,
            window,
            |worker, mover, below, possible, window| {
                let link = |worker: &Worker<'_, S>| {
                    let edge = descent::edge(worker, node, Step::Move(picked.mv), below.position);
                    open.link(floor, possible, edge)
                };
                descent::below_link(worker, follows, link, |worker| {
                    descent::search_for(worker, mover, *below, window)
                })
            },
        );
        if take_found(worker, node, &mut open, &picked, found) {
            break;
        }
    }
    close_moves(worker, open)
}

/// Tries the remaining moves beside workers that try the same, those that are not taken up last. The first
/// move, tried before, is never put off.
fn try_beside_others<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves) {
    let left = search_busy_last(
        worker,
        open,
        |worker, open: &mut OpenMoves| {
            let goes_on = !worker.is_halted() && worker.goes_on_among_leaves();
            let picked = if goes_on { next_move(worker, node, open) } else { None }?;
            let successor = picked_successor(worker, node, &picked);
            let depth = descent::depth_after(worker, node, Step::Move(picked.mv), &successor.position);
            Some((picked, successor, depth))
        },
        |worker, (_, successor, depth)| !take_up(worker, &successor.position, *depth),
        |worker, open, (picked, successor, depth), was_put_off| {
            let is_cut = try_move(worker, node, open, &picked, &successor);
            if !was_put_off {
                let_go(worker, &successor.position, depth);
            }
            if is_cut { Then::End } else { Then::Next }
        },
    );
    leave_untried(worker, open, left);
}

/// The best values so far at a node whose moves are ranked, by an algorithm that prunes.
pub(crate) fn ranked_values<'w, S: Setup>(
    worker: &'w Worker<'_, S>,
    node: NodeOf<'_, S>,
) -> Option<&'w BestValues> {
    let is_ranked = ranks_moves(worker.options, node.ply) && worker.options.algorithm.prunes();
    is_ranked.then_some(&worker.root.best)
}

/// Adds what was found of a move to the node's bounds; `true` when that cuts the node.
#[inline]
fn take_found<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    open: &mut OpenMoves,
    picked: &Picked<MoveOf<S>>,
    found: Bounds,
) -> bool {
    let is_cut = tighten_decision(worker, node, open, picked.mv, picked.ordinal, found);
    if is_cut {
        note_cutoff(worker, node, picked.mv);
    }
    is_cut
}

/// Searches the successor of a move in `window`, if its reward and static bounds do not settle it. `search`
/// gets the mover, the successor, the bounds of the move's worth, and the window for the mover. Returns the
/// move's worth for the mover.
#[inline(always)] // for each caller anew: a call costs 3 % of Star1's instructions
pub(crate) fn search_after_move<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
    successor: &MoveSuccessorOf<S>,
    window: Window,
    search: impl FnOnce(&mut Worker<'_, S>, Player, &NodeOf<'_, S>, Bounds, Window) -> Bounds,
) -> Bounds {
    let (mover, below) = (worker.game.player(node.position), descent::below(worker, node, mv, successor));
    let reward = descent::reward(worker, node, Step::Move(mv), below.position);
    let possible = static_bounds::bounds_after_move(worker, reward, mover, below);
    descent::search_move(worker, (reward, mover), possible, window, |worker, window| {
        search(worker, mover, &below, possible, window)
    })
}

/// Generates the moves.
#[inline]
fn open_moves<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    asked: Asked,
    is_full_width: bool,
) -> OpenMoves {
    let Asked { window, known, breadth, table_move, is_idle } = asked;
    OpenMoves {
        window,
        known,
        greatest: Bounds::exactly(-worker.limit),
        best: None,
        picker: new_picker(worker, node, table_move, is_idle),
        untried: breadth.most(),
        is_full_width,
    }
}

/// Generates the moves, to try all of them in the game's order.
fn open_all_moves<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> OpenMoves {
    OpenMoves {
        window: Window::full(worker.limit),
        known: Bounds::unknown(worker.limit),
        greatest: Bounds::exactly(-worker.limit),
        best: None,
        picker: picker_in_generation_order(worker, node),
        untried: u32::MAX,
        is_full_width: true,
    }
}

/// Orders the root's moves as the last iteration ranked them, if it did.
fn order_as_last_ranked<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, open: &mut OpenMoves) {
    if ranks_moves(worker.options, node.ply) && worker.root.has_order() {
        order_as_ranked(worker, &mut open.picker);
    }
}

/// The next move to try.
#[inline(always)] // a call would keep every field in memory
pub(crate) fn next_move<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    open: &mut OpenMoves,
) -> Option<Picked<MoveOf<S>>> {
    open.untried = open.untried.checked_sub(1)?;
    pick(worker, node, &mut open.picker)
}

/// Adds a move's bounds to the node's; `true` when they cut the node.
#[inline]
pub(crate) fn tighten_decision<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    open: &mut OpenMoves,
    mv: MoveOf<S>,
    ordinal: u32,
    found: Bounds,
) -> bool {
    if found.lower > open.greatest.lower || open.best.is_none() {
        open.best = Some(ordinal);
        if node.ply == 0 {
            worker.root.preferred = Some(mv);
        }
    }
    if open.is_full_width && ranks_moves(worker.options, node.ply) {
        worker.root.note(mv, ordinal, found);
    }
    let greatest = open.greatest;
    open.greatest = Bounds::new(greatest.lower.max(found.lower), greatest.upper.max(found.upper));
    open.floor() >= open.window.beta
}

/// Notes that this many of the picked moves were not tried.
fn leave_untried<S: Setup>(worker: &Worker<'_, S>, open: &mut OpenMoves, moves: usize) {
    if moves > 0 {
        open.greatest.upper = worker.limit;
    }
}

#[inline]
fn close_moves<S: Setup>(worker: &mut Worker<'_, S>, mut open: OpenMoves) -> Tried {
    if !open.picker.is_exhausted() || open.best.is_none() {
        open.greatest.upper = worker.limit; // untried moves may be worth anything
    }
    finish_picking(worker, open.picker);
    Tried { bounds: open.greatest, best: open.best }
}
