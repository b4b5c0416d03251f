//! Decision nodes of the pruning algorithms: fail-soft alpha-beta in negamax form with transposition cutoffs.
//! The paper's `negamax-probe` is the same search of the first few moves only.
//!
//! A decision node's lower bound is the maximum of its moves' lower bounds. Its upper bound is the maximum of
//! their upper bounds, but only after every move. A move's worth includes its reward (`reward.rs`).

use crate::evaluator::Evaluator;
use crate::game::{Game, NodeKind, Step};
use crate::score::{Bounds, Score, Window};
use crate::search::live::{Change, Link};
use crate::search::move_probing::{self, Cutoff};
use crate::search::moves::{Breadth, MovePicker, OpenMoves, Picked};
use crate::search::near_leaves::LAST_DECISION;
use crate::search::ordering::{is_order_idle, note_cutoff};
use crate::search::plies::threshold;
use crate::search::ranking::{BestValues, ranks_moves};
use crate::search::reward::Edge;
use crate::search::setup::{MoveOf, MoveSuccessorOf, NodeOf, Peers, Setup};
use crate::search::worker::{Worker, asks_again};
use crate::search::{above_leaves, static_bounds};

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
    worker.samples(node.position, NodeKind::Decision, node.depth)
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
    let known = worker.look_up_node(node.position, NodeKind::Decision, node.depth);
    if worker.is_settled(&known, window, node.ply) {
        worker.stats.table.decision_cutoffs += 1;
        return worker.settle(&known);
    }
    if node.depth >= threshold(worker.options.move_probing_depth) {
        if let Some(Cutoff { bounds, table_move }) = move_probing::look_up_moves(worker, node, window) {
            return worker.conclude(&known, bounds, node.depth, table_move);
        }
    }
    // The root must name a move, so table bounds do not narrow its window.
    let before = if node.ply > 0 { known.bounds } else { static_bounds::bounds_of_root(worker, node) };
    let window = window.narrowed_by(before);
    let asked = Asked { window, known: before, breadth, table_move: known.table_move, is_idle };
    // Only the root's moves may be ranked.
    let tried = if worker.checks_each_move(node) {
        let mut open = OpenMoves::new(worker, node, asked, ranks_moves(worker.options, node.ply));
        open.order_as_ranked(worker, node);
        try_moves_shared(worker, node, open)
    } else {
        try_moves(worker, node, asked)
    };
    let table_move = tried.table_move(worker);
    let is_root_bounded = S::Evaluator::ABILITIES.bounds && node.ply == 0;
    let proven = if is_root_bounded { worker.meet(tried.bounds, before) } else { tried.bounds };
    worker.conclude(&known, proven, node.depth, table_move)
}

/// Whether a node is a root that is searched with some of its moves only.
#[inline]
pub(super) fn is_of_some_moves<S: Setup>(worker: &Worker<'_, S>, node: NodeOf<'_, S>) -> bool {
    node.ply == 0 && !worker.root.asked.is_empty()
}

/// Searches a root with the moves that are asked for. The table knows the position with all its moves: it is
/// neither asked nor told.
#[cold]
#[inline(never)]
pub(super) fn root_of_some_moves<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    window: Window,
) -> Bounds {
    let known = Bounds::unknown(worker.limit);
    let asked = Asked { window, known, breadth: Breadth::All, table_move: None, is_idle: false };
    let mut open = if worker.options.algorithm.prunes() {
        OpenMoves::new(worker, node, asked, ranks_moves(worker.options, node.ply))
    } else {
        OpenMoves::full_width(worker, node)
    };
    open.picker.keep_asked(worker);
    if worker.options.algorithm.prunes() {
        open.order_as_ranked(worker, node);
    }
    try_moves_shared(worker, node, open).bounds
}

/// Tries every move in the game's order, and checks the other workers and the clock before each. Returns the
/// maximum of their bounds and, unless halted, the ordinal of the best move.
pub(super) fn try_all_beside_others<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
) -> (Bounds, Option<u16>) {
    let open = OpenMoves::full_width(worker, node);
    let tried = try_moves_shared(worker, node, open);
    (tried.bounds, tried.table_move(worker))
}

#[inline]
fn try_moves<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, asked: Asked) -> Tried {
    let mut open = OpenMoves::new(worker, node, asked, false);
    while !worker.is_halted() {
        let Some(picked) = open.pick(worker, node) else { break };
        let successor = picked.successor(worker, node);
        if try_move(worker, node, &mut open, &picked, &successor) {
            break;
        }
    }
    open.close(worker)
}

/// The same, with a check of the other workers and the clock before each move. Separate, to keep nodes close
/// to the leaves fast.
#[inline(never)]
fn try_moves_shared<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>, mut open: OpenMoves) -> Tried {
    let mover = worker.game.player(node.position);
    let (follows, mut seen) = (worker.team_link.follows(node.depth), worker.team_link.seen_version);
    let ask = |worker: &Worker<'_, S>| worker.ask_peers(node.depth, |peers| peers.idle_for_moves(node));
    let mut least_idle = ask(worker);
    while worker.goes_on() {
        if follows && open.follow(worker.window_change(&mut seen)) {
            break;
        }
        if asks_again(node.ply) {
            least_idle = ask(worker);
        }
        if open.best.is_some() && worker.has_idle(least_idle) && open.left() >= 2 {
            S::Peers::share_moves(worker, node, &mut open);
            break;
        }
        let Some(picked) = open.pick(worker, node) else { break };
        let successor = picked.successor(worker, node);
        let below = worker.below(node, picked.mv, &successor);
        let reward = worker.reward(node, Step::Move(picked.mv), below.position);
        let possible = static_bounds::bounds_after_move(worker, reward, mover, below);
        // Of ranked moves only the best have values.
        let floor = open.floor().max(ranked_values(worker, node).map_or(Score::MIN, BestValues::floor));
        let found =
            worker.search_move((reward, mover), possible, open.window_above(floor), |worker, window| {
                worker.below_link(
                    follows,
                    |worker| {
                        open.link(floor, possible, worker.edge(node, Step::Move(picked.mv), below.position))
                    },
                    |worker| worker.search_for(mover, below, window),
                )
            });
        if open.tighten(worker, node, picked.mv, picked.ordinal, found) {
            note_cutoff(worker, node, picked.mv);
            break;
        }
    }
    open.close(worker)
}

/// The best values so far at a node whose moves are ranked, by an algorithm that prunes.
pub(crate) fn ranked_values<'w, S: Setup>(
    worker: &'w Worker<'_, S>,
    node: NodeOf<'_, S>,
) -> Option<&'w BestValues> {
    let is_ranked = ranks_moves(worker.options, node.ply) && worker.options.algorithm.prunes();
    is_ranked.then_some(&worker.root.best)
}

/// Tries one move, without a link; `true` when it cuts the node.
#[inline]
pub(crate) fn try_move<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    open: &mut OpenMoves,
    picked: &Picked<MoveOf<S>>,
    successor: &MoveSuccessorOf<S>,
) -> bool {
    let found = search_after_move(worker, node, picked.mv, successor, open.next_window());
    let is_cut = open.tighten(worker, node, picked.mv, picked.ordinal, found);
    if is_cut {
        note_cutoff(worker, node, picked.mv);
    }
    is_cut
}

/// Searches the successor of a move in `window`. Returns the move's worth for the mover.
#[inline]
pub(crate) fn search_after_move<S: Setup>(
    worker: &mut Worker<'_, S>,
    node: NodeOf<'_, S>,
    mv: MoveOf<S>,
    successor: &MoveSuccessorOf<S>,
    window: Window,
) -> Bounds {
    let (mover, below) = (worker.game.player(node.position), worker.below(node, mv, successor));
    let reward = worker.reward(node, Step::Move(mv), below.position);
    let possible = static_bounds::bounds_after_move(worker, reward, mover, below);
    worker.search_move((reward, mover), possible, window, |worker, window| {
        worker.search_for(mover, below, window)
    })
}

impl OpenMoves {
    /// Generates the moves.
    #[inline]
    fn new<S: Setup>(
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        asked: Asked,
        is_full_width: bool,
    ) -> Self {
        let Asked { window, known, breadth, table_move, is_idle } = asked;
        OpenMoves {
            window,
            known,
            greatest: Bounds::exactly(-worker.limit),
            best: None,
            picker: MovePicker::new(worker, node, table_move, is_idle),
            untried: breadth.most(),
            is_full_width,
        }
    }

    /// Generates the moves, to try all of them in the game's order.
    fn full_width<S: Setup>(worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) -> Self {
        OpenMoves {
            window: Window::full(worker.limit),
            known: Bounds::unknown(worker.limit),
            greatest: Bounds::exactly(-worker.limit),
            best: None,
            picker: MovePicker::in_generation_order(worker, node),
            untried: u32::MAX,
            is_full_width: true,
        }
    }

    /// Orders the root's moves as the last iteration ranked them, if it did.
    fn order_as_ranked<S: Setup>(&mut self, worker: &mut Worker<'_, S>, node: NodeOf<'_, S>) {
        if ranks_moves(worker.options, node.ply) && worker.root.has_order() {
            self.picker.order_as_ranked(worker);
        }
    }

    /// The next move to try.
    #[inline(always)] // a call would keep every field in memory
    pub(crate) fn pick<S: Setup>(
        &mut self,
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
    ) -> Option<Picked<MoveOf<S>>> {
        self.untried = self.untried.checked_sub(1)?;
        self.picker.pick(worker, node)
    }

    /// Forgets the best move, for a node that ended before its moves could be compared.
    pub(crate) fn forget_best(&mut self) {
        self.best = None;
    }

    /// The number of moves left to try.
    #[inline]
    fn left(&self) -> usize {
        self.picker.left().min(self.untried as usize)
    }

    /// The score that the next move has to beat.
    #[inline]
    pub(crate) fn floor(&self) -> Score {
        if self.is_full_width { self.window.alpha } else { self.greatest.lower }
    }

    /// The window of the next move, for the mover.
    #[inline]
    pub(crate) fn next_window(&self) -> Window {
        self.window_above(self.floor())
    }

    /// The same for a move that has to beat `floor`.
    #[inline]
    fn window_above(&self, floor: Score) -> Window {
        Window::new(self.window.alpha.max(floor), self.window.beta)
    }

    /// The link to the next move's successor.
    fn link(&self, floor: Score, possible: Bounds, edge: Edge) -> Link {
        Link::Decision { floor, known: self.known, possible, edge }
    }

    /// Adds a move's bounds to the node's; `true` when they cut the node.
    #[inline]
    pub(crate) fn tighten<S: Setup>(
        &mut self,
        worker: &mut Worker<'_, S>,
        node: NodeOf<'_, S>,
        mv: MoveOf<S>,
        ordinal: u32,
        found: Bounds,
    ) -> bool {
        if found.lower > self.greatest.lower || self.best.is_none() {
            self.best = Some(ordinal);
            if node.ply == 0 {
                worker.root.preferred = Some(mv);
            }
        }
        if self.is_full_width && ranks_moves(worker.options, node.ply) {
            worker.root.note(mv, ordinal, found);
        }
        let greatest = self.greatest;
        self.greatest = Bounds::new(greatest.lower.max(found.lower), greatest.upper.max(found.upper));
        self.floor() >= self.window.beta
    }

    /// Notes that this many of the picked moves were not tried.
    pub(crate) fn leave_untried<S: Setup>(&mut self, worker: &Worker<'_, S>, moves: usize) {
        if moves > 0 {
            self.greatest.upper = worker.limit;
        }
    }

    /// Narrows the window as what lies above has changed; `true` when that settles the node.
    fn follow(&mut self, change: Change) -> bool {
        match change {
            Change::None => false,
            Change::Empty => true,
            Change::To(window) => {
                self.window = window.narrowed_by(self.known);
                self.window.is_empty() || self.floor() >= self.window.beta
            }
        }
    }

    #[inline]
    fn close<S: Setup>(mut self, worker: &mut Worker<'_, S>) -> Tried {
        if !self.picker.is_exhausted() || self.best.is_none() {
            self.greatest.upper = worker.limit; // untried moves may be worth anything
        }
        self.picker.finish(worker);
        Tried { bounds: self.greatest, best: self.best }
    }
}
