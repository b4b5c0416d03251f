//! One thread's part of a search: its stacks, its counts, what it has learnt about moves, and when it halts.

use crate::game::{Game, Kind, Player};
use crate::processor::{Evaluates, Event, Processor};
use crate::score::{Bounds, Score, Window};
use crate::search::answer::{Given, NodeCounts, Stats};
use crate::search::chance::Successor;
use crate::search::control::Control;
use crate::search::heuristics::Heuristics;
use crate::search::live::Link;
use crate::search::ordering::MoveStack;
use crate::search::ordering::company::Together;
use crate::search::pace::{Moment, Pace};
use crate::search::peers::{NEVER, News, Outlook, Peers, Reserve};
use crate::search::plies::longest_path;
use crate::search::ranking::TriedMove;
use crate::search::request::Options;
use crate::search::setup::{MoveOf, NodeOf, OutcomeOf, PositionOf, Setup, StateOf};
use crate::search::transposition::{self, Keys};
use crate::search::tuning::{Plan, Tuner};
use crate::search::{algorithm, clock, collapse, frontier, last_decision, static_bounds};
use std::time::Instant;

/// How many nodes a worker visits between two looks at all limits; at the clock it looks more often, see
/// `pace.rs`.
const NODES_BETWEEN_CHECKS: u64 = 1024;

/// The least depth of a node at which a worker beside others looks whether its work still matters.
const POLLING_DEPTH: u8 = 3;

/// Nodes of so many plies from the root on may be open when others come, with much left to do: they ask again
/// and again whether anybody has.
const PLIES_OPEN_TO_OTHERS: u16 = 2;

/// A node as it is entered: the position with its evaluator state, the depth that remains and the ply from
/// the root.
#[derive(Debug)]
pub(crate) struct Node<'n, P, S> {
    pub(crate) position: &'n P,
    pub(crate) state: &'n S,
    pub(crate) depth: u8,
    pub(crate) ply: u16,
    /// The position's evaluation as its player sees it, where one was already made for ordering.
    pub(crate) evaluation: Option<Score>,
}

impl<P, S> Clone for Node<'_, P, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, S> Copy for Node<'_, P, S> {}

/// What all workers of a search are given alike.
pub(crate) struct SearchContext<'a, S: Setup> {
    pub(crate) game: &'a S::Game,
    pub(crate) evaluator: &'a S::Evaluator,
    pub(crate) table: &'a S::Table,
    pub(crate) options: &'a Options,
    pub(crate) control: &'a Control,
}

impl<S: Setup> Clone for SearchContext<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Setup> Copy for SearchContext<'_, S> {}

/// One thread's part of a search.
pub(crate) struct Worker<'a, S: Setup> {
    pub(crate) game: &'a S::Game,
    pub(crate) evaluator: &'a S::Evaluator,
    pub(crate) table: &'a S::Table,
    pub(crate) options: &'a Options,
    pub(crate) control: &'a Control,
    pub(crate) processor: S::Processor,
    pub(crate) limit: Score,
    /// What is done at present where the options leave it to the search.
    pub(super) plan: Plan,
    /// Whether evaluations are asked of the table: all, or a sample of them.
    asks_memory: bool,
    /// The greatest depth of nodes of which a sample is looked up; 0 where none is.
    pub(super) sampled_depth: u8,
    /// The greatest depth of nodes of which a sample is searched to choose an ordering; 0 where none is.
    pub(super) order_sampled_depth: u8,
    /// What was counted to choose from.
    pub(super) tuner: Tuner,
    pub(crate) keys: Keys,
    pub(crate) stats: Stats,
    /// The successors of the chance nodes on the path, the root's first.
    pub(crate) successors: Vec<Successor<OutcomeOf<S>>>,
    /// The moves of the decision nodes on the path, the root's first.
    pub(super) moves: MoveStack<S>,
    pub(super) heuristics: Heuristics<MoveOf<S>>,
    /// At a decision root, the move that the present iteration prefers.
    pub(super) root_move: Option<MoveOf<S>>,
    /// The root's moves that the present iteration has tried, where they are to be ranked.
    pub(super) root_moves: Vec<TriedMove<MoveOf<S>>>,
    /// Whether the beta of the decision node that is entered next is the upper bound that is known of it, so
    /// that none of its moves is expected to cut.
    pub(super) is_beta_idle: bool,
    /// Whether what is being searched has to end: the whole search, or the split point that this worker is
    /// under.
    pub(crate) halted: bool,
    /// Whether it has met a breach of the contract that makes what it finds from then on worth nothing; see
    /// `breach.rs`.
    pub(super) is_void: bool,
    /// Whether it has to, or the clock is to be looked at more often than nodes are reported.
    is_alert: bool,
    /// The tie to the other workers when there are some.
    pub(crate) peers: Option<S::Peers>,
    /// Those who may yet come.
    reserve: Option<&'a mut dyn Reserve<S>>,
    /// The links from the split point that this worker is under, or from the root, to the present node; see
    /// `live.rs`.
    pub(crate) links: Vec<Link>,
    /// The first of them that lies below that split point.
    pub(crate) first_link: usize,
    /// The version of the windows above from which a window was derived last; see `live.rs`.
    pub(crate) seen_version: u64,
    /// The least depth of nodes whose entries and exits are noted, to find those that two workers search at
    /// once.
    pub(super) watched_depth: u8,
    /// The least depth of nodes that are marked as being searched; no less than that of watched ones.
    pub(crate) marking_depth: u8,
    /// The least depth of nodes that may be shared with other workers.
    pub(super) shared_depth: u8,
    /// The least depth of nodes that follow the split points above them.
    pub(super) following_depth: u8,
    /// The depth of chance nodes that may collapse; 0 where none does.
    pub(super) collapsing_depth: u8,
    /// What is evaluated together, where evaluations are made in batches; see `company.rs`.
    pub(super) together: Together,
    /// Whether the game promises that they need no look at their outcomes; see `collapse.rs`.
    pub(super) leaves_are_promised: bool,
    /// The least depth of chance nodes that take static bounds.
    pub(super) static_bounds_depth: u8,
    /// The depths at which decision nodes have a loop of their own, a bit each: 1 for `last_decision.rs`, 2
    /// for `frontier.rs`.
    pub(super) own_loops: u8,
    /// The least depth of decision nodes that look about before each move: at the other workers, or at the
    /// clock.
    careful_depth: u8,
    /// The least depth of nodes that look whether they still matter.
    polling_depth: u8,
    reported_nodes: u64,
    /// The number of nodes at which it looks at the limits.
    next_look: u64,
    /// When it looks at the clock.
    pace: Pace,
}

/// What a worker keeps between two pieces of work that it does for the same search.
pub(crate) struct Stacks<S: Setup> {
    pub(crate) stats: Stats,
    pub(crate) peers: Option<S::Peers>,
    successors: Vec<Successor<OutcomeOf<S>>>,
    moves: MoveStack<S>,
    heuristics: Heuristics<MoveOf<S>>,
    links: Vec<Link>,
    plan: Plan,
    tuner: Tuner,
    reported_nodes: u64,
    pace: Pace,
}

impl<S: Setup> Stacks<S> {
    /// Empty ones.
    pub(crate) fn new(
        search: SearchContext<'_, S>,
        processor: &S::Processor,
        peers: Option<S::Peers>,
    ) -> Self {
        let tuner = Tuner::new::<S>(processor.cost(search.evaluator), search.options);
        Stacks {
            plan: search.control.plan().unwrap_or_else(|| tuner.first_plan::<S>(search.options)),
            tuner,
            stats: Stats::default(),
            peers,
            successors: Vec::with_capacity(1024),
            moves: MoveStack::new(),
            heuristics: Heuristics::new(
                longest_path::<S::Game>() as usize + 1,
                search.game.move_slots(),
                search.control,
            ),
            links: Vec::new(),
            reported_nodes: 0,
            pace: Pace::new(Moment { time: clock::now(), nodes: 0, evaluations: 0 }),
        }
    }
}

impl<'a, S: Setup> Worker<'a, S> {
    pub(crate) fn new(
        search: SearchContext<'a, S>,
        processor: S::Processor,
        peers: Option<S::Peers>,
    ) -> Self {
        let stacks = Stacks::new(search, &processor, peers);
        Worker::resume(search, processor, stacks)
    }

    /// A worker that goes on with what another has left.
    pub(crate) fn resume(search: SearchContext<'a, S>, processor: S::Processor, stacks: Stacks<S>) -> Self {
        let SearchContext { game, evaluator, table, options, control } = search;
        let Stacks { stats, peers, successors, moves, heuristics, links, plan, tuner, reported_nodes, pace } =
            stacks;
        let mut worker = Worker {
            game,
            evaluator,
            table,
            options,
            control,
            limit: game.grid().limit(),
            plan,
            asks_memory: false,
            sampled_depth: 0,
            order_sampled_depth: 0,
            tuner,
            keys: Keys::new(game, evaluator, options),
            watched_depth: u8::MAX,
            marking_depth: u8::MAX,
            shared_depth: u8::MAX,
            following_depth: u8::MAX,
            collapsing_depth: collapse::depth::<S>(options),
            together: Together::new::<S>(&processor, options),
            processor,
            leaves_are_promised: collapse::is_promised(game),
            static_bounds_depth: static_bounds::least_depth(options),
            own_loops: 0,
            careful_depth: 0,
            polling_depth: u8::MAX,
            stats,
            successors,
            moves,
            heuristics,
            root_move: None,
            root_moves: Vec::new(),
            is_beta_idle: false,
            halted: false,
            is_void: false,
            is_alert: true,
            peers,
            reserve: None,
            links,
            first_link: 0,
            seen_version: 0,
            reported_nodes,
            next_look: 0,
            pace,
        };
        worker.mind_others();
        worker.begin_to_measure();
        worker
    }

    /// The same worker, which calls these when its search has lasted long enough.
    pub(crate) fn with_reserve(mut self, reserve: &'a mut dyn Reserve<S>) -> Self {
        self.pace.is_expecting = true;
        self.reserve = Some(reserve);
        self
    }

    /// Ties the worker to others.
    pub(crate) fn join_peers(&mut self, peers: S::Peers) {
        self.peers = Some(peers);
        self.adopt_granularity();
        self.mind_others();
    }

    /// Sets the depths at which the others matter, if there are others.
    pub(super) fn mind_others(&mut self) {
        let options = self.options;
        if let Some(peers) = &self.peers {
            (self.shared_depth, self.following_depth) = (peers.least_depth(), peers.following_depth());
            self.marking_depth = peers.marking_depth();
            self.watched_depth = options.watched_depth().min(self.marking_depth);
            self.polling_depth = POLLING_DEPTH;
        }
        self.asks_memory = self.looks_up_evaluations();
        let is_usual_at =
            |depth| self.shared_depth.min(self.following_depth).min(options.move_probing_depth) <= depth;
        // What waits for an evaluation must not be within a call of the game's.
        let is_in_batches = self.processor.in_batches();
        let is_usual_at = |depth| is_in_batches || is_usual_at(depth);
        let has_frontier = frontier::is_simple::<S>(options, &self.plan) && !is_usual_at(frontier::DEPTH);
        // Evaluations that are looked up, if only to see whether that pays, are not made in that loop.
        let has_last = last_decision::is_simple::<S>(options, &self.plan)
            && !self.asks_memory
            && !is_usual_at(last_decision::DEPTH);
        self.own_loops =
            u8::from(has_frontier) << frontier::DEPTH | u8::from(has_last) << last_decision::DEPTH;
        self.sampled_depth = self.deepest_sampled();
        self.order_sampled_depth = self.deepest_order_sampled();
        self.set_halted(self.halted);
    }

    /// Looks whether others are to come, or have. Nodes that are open when they are called stay this worker's
    /// own, but for those near the root; what it enters from then on can be shared.
    pub(super) fn look_for_others(&mut self, now: Instant, outlook: Option<Outlook>) {
        let Some(reserve) = &mut self.reserve else { return };
        let elapsed = now.saturating_duration_since(self.control.started);
        match reserve.look(elapsed, outlook) {
            News::None => {}
            News::Called(peers) => self.join_peers(peers),
            News::Settled => {
                self.reserve = None;
                self.pace.is_expecting = false;
            }
        }
    }

    /// What is left when the work is done.
    pub(crate) fn into_stacks(self) -> Stacks<S> {
        let Worker {
            stats,
            peers,
            successors,
            moves,
            heuristics,
            links,
            plan,
            tuner,
            reported_nodes,
            pace,
            ..
        } = self;
        Stacks { stats, peers, successors, moves, heuristics, links, plan, tuner, reported_nodes, pace }
    }

    /// What all workers of this search are given alike.
    pub(crate) fn search_context(&self) -> SearchContext<'a, S> {
        let Worker { game, evaluator, table, options, control, .. } = *self;
        SearchContext { game, evaluator, table, options, control }
    }

    /// Searches a node: proven bounds that settle `window`, unless the search is halted.
    pub(crate) fn search(&mut self, node: NodeOf<'_, S>, window: Window) -> Bounds {
        let kind = self.game.kind(node.position);
        if kind == Kind::Terminal || node.depth == 0 {
            return Bounds::exactly(self.leaf(kind, node));
        }
        if node.depth == self.collapsing_depth
            && kind == Kind::Chance
            && let Some(score) = collapse::chance_apart(self, node)
        {
            return Bounds::exactly(score);
        }
        self.search_open(kind, node, window)
    }

    /// The same for an interior node that does not collapse.
    #[inline]
    pub(super) fn search_open(&mut self, kind: Kind, node: NodeOf<'_, S>, window: Window) -> Bounds {
        if self.ends_path(node) {
            return Bounds::unknown(self.limit);
        }
        let is_watched = node.depth >= self.watched_depth;
        let noted = if is_watched { S::Peers::enter(self, kind, node) } else { None };
        let found = algorithm::search(self, kind, node, window);
        if is_watched {
            S::Peers::leave(self, kind, node, noted);
        }
        found
    }

    /// Searches a node and tells what was found as `viewer` sees it; `window` is `viewer`'s too.
    #[inline(always)] // a call of its own for every node takes a hundredth of Expectimax's instructions
    pub(crate) fn search_for(&mut self, viewer: Player, node: NodeOf<'_, S>, window: Window) -> Bounds {
        if self.game.player(node.position) == viewer {
            self.search(node, window)
        } else {
            self.search(node, window.flipped()).flipped()
        }
    }

    /// Counts a leaf and gives its score as its player sees it.
    #[inline]
    pub(super) fn leaf(&mut self, kind: Kind, node: NodeOf<'_, S>) -> Score {
        if kind == Kind::Terminal {
            return self.terminal(node.position);
        }
        self.stats.nodes.leaf += 1;
        self.processor.charge(Event::Node);
        node.evaluation.unwrap_or_else(|| self.evaluate(node.position, node.state))
    }

    /// Counts a terminal and gives its score as its player sees it.
    #[inline]
    pub(super) fn terminal(&mut self, position: &PositionOf<S>) -> Score {
        self.stats.nodes.leaf += 1;
        self.processor.charge(Event::Node);
        self.terminal_score(position)
    }

    /// A terminal's score as its player sees it.
    #[inline]
    pub(super) fn terminal_score(&mut self, position: &PositionOf<S>) -> Score {
        let score = self.game.terminal_score(position);
        self.take(Given::TerminalScore, score, |game| game.player(position))
    }

    /// A static evaluation, remembered or made.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &PositionOf<S>, state: &StateOf<S>) -> Score {
        if self.asks_memory {
            return transposition::evaluation(self, position, |worker| worker.evaluate_anew(position, state));
        }
        self.evaluate_anew(position, state)
    }

    /// The same of the position after a move, whose state nobody needs.
    #[inline]
    pub(super) fn evaluate_after_move(
        &mut self,
        node: NodeOf<'_, S>,
        mv: MoveOf<S>,
        after: &PositionOf<S>,
    ) -> Score {
        let evaluate = |worker: &mut Self| {
            worker.count_evaluation();
            let (evaluator, game) = (worker.evaluator, worker.game);
            let before = (node.position, node.state);
            let score = worker.processor.evaluate_after_move(evaluator, game, before, mv, after);
            worker.take(Given::Evaluation, score, |game| game.player(after))
        };
        if self.asks_memory { transposition::evaluation(self, after, evaluate) } else { evaluate(self) }
    }

    /// A static evaluation, counted.
    #[inline]
    fn evaluate_anew(&mut self, position: &PositionOf<S>, state: &StateOf<S>) -> Score {
        self.count_evaluation();
        let score = self.processor.evaluate(self.evaluator, self.game, position, state);
        self.take(Given::Evaluation, score, |game| game.player(position))
    }

    #[inline]
    fn count_evaluation(&mut self) {
        self.stats.nodes.evaluations += 1;
        self.processor.charge(Event::Evaluation);
    }

    /// Whether a loop that may evaluate goes on: asked before each turn, so that no evaluation is made after
    /// the end. A watchful worker looks at the clock if it is time to.
    #[inline]
    pub(super) fn goes_on(&mut self) -> bool {
        !self.is_alert || self.look_about()
    }

    /// The same for a worker that has to end, or is watchful.
    #[cold]
    #[inline(never)]
    fn look_about(&mut self) -> bool {
        if !self.halted && self.pace.is_watchful && self.pace.is_due(self.stats.nodes.evaluations) {
            self.look_at_clock(Pace::note_look);
        }
        !self.halted
    }

    /// Learns whether time is up or somebody wants the search to stop.
    fn look_at_clock(&mut self, note: impl FnOnce(&mut Pace, Moment)) {
        let now = self.moment();
        note(&mut self.pace, now);
        let is_over = self.control.check_at(now.time);
        self.set_halted(self.halted || is_over);
        self.look_for_others(now.time, None);
    }

    fn moment(&self) -> Moment {
        let NodeCounts { evaluations, .. } = self.stats.nodes;
        Moment { time: clock::now(), nodes: self.stats.nodes.total(), evaluations }
    }

    /// What time has passed up to now was not spent on nodes: the worker waited, or a callback ran.
    pub(crate) fn begin_to_measure(&mut self) -> Instant {
        let now = self.moment();
        self.pace.begin_anew(now);
        self.set_halted(self.halted);
        now.time
    }

    /// Whether the clock is to be looked at more often than nodes are counted; see `pace.rs`.
    #[inline]
    pub(super) fn is_watchful(&self) -> bool {
        self.pace.is_watchful
    }

    /// Sets whether what is being searched has to end.
    #[inline(never)]
    pub(crate) fn set_halted(&mut self, halted: bool) {
        self.halted = halted;
        let is_watchful = self.pace.is_watchful;
        self.is_alert = halted || is_watchful;
        self.careful_depth = if is_watchful { 0 } else { self.shared_depth.min(self.following_depth) };
        let report = self.reported_nodes + NODES_BETWEEN_CHECKS;
        self.next_look = if is_watchful { 0 } else { self.pace.next().min(report) };
    }

    /// Called at every interior node: learns whether the search has to end here, and sets `halted` if so.
    /// Small nodes look only when it is time to look at every limit.
    #[inline]
    pub(super) fn poll(&mut self, depth: u8) {
        self.processor.charge(Event::Node);
        self.report_nodes_when_due();
        if depth >= self.polling_depth {
            self.look_above();
        }
    }

    /// Looks at every limit if it is time to.
    #[inline]
    pub(super) fn report_nodes_when_due(&mut self) {
        if self.stats.nodes.total() >= self.next_look {
            self.look_at_limits();
        }
    }

    /// Looks at every limit, or at the clock alone.
    #[cold]
    #[inline(never)]
    fn look_at_limits(&mut self) {
        let total = self.stats.nodes.total();
        if total - self.reported_nodes >= NODES_BETWEEN_CHECKS {
            self.report_nodes();
        }
        if self.pace.is_watchful {
            self.look_about();
        } else {
            self.look_at_clock(Pace::note_nodes);
        }
    }

    /// Looks whether what is being searched has to end for a reason that lies above it.
    fn look_above(&mut self) {
        self.processor.charge(Event::Poll);
        if let Some(peers) = &self.peers
            && (peers.is_cut_above() || self.control.is_halted())
        {
            self.set_halted(true);
        }
    }

    /// How many nodes this worker's searches have taken, those among them that others visited for it; to be
    /// compared with an earlier number, and wraps.
    pub(crate) fn visited(&self) -> u64 {
        let elsewhere = self.peers.as_ref().map_or(0, S::Peers::visited_elsewhere);
        self.stats.nodes.total().wrapping_add(elsewhere)
    }

    /// Counts the nodes since the last report with those of all workers: where it runs out of work, or most
    /// nodes of a large team's short iterations would not be known.
    pub(crate) fn hand_in_nodes(&mut self) {
        let new = self.take_unreported();
        self.control.count(new);
    }

    /// How many nodes are new since the last report, which they are no more.
    fn take_unreported(&mut self) -> u64 {
        let total = self.stats.nodes.total();
        total - std::mem::replace(&mut self.reported_nodes, total)
    }

    /// Reports the nodes since the last report and looks at every limit.
    #[cold]
    pub(crate) fn report_nodes(&mut self) {
        self.report_nodes_at(clock::now());
    }

    /// The same when the clock shows `now`.
    pub(super) fn report_nodes_at(&mut self, now: Instant) {
        let new = self.take_unreported();
        let is_over = self.control.check(new, now);
        self.set_halted(self.halted || is_over);
        self.look_above();
        self.tune();
    }

    /// Whether a node minds the other workers: it may be shared with them, now or once they have come, or
    /// follows the split points above it.
    #[inline]
    pub(super) fn minds_others(&self, node: NodeOf<'_, S>) -> bool {
        node.depth >= self.shared_depth.min(self.following_depth) || asks_again(node)
    }

    /// Whether a decision node looks about before each move: at the other workers, or at the clock.
    #[inline]
    pub(super) fn is_careful(&self, node: NodeOf<'_, S>) -> bool {
        node.depth >= self.careful_depth || asks_again(node)
    }

    /// What the tie to the other workers tells, where a node at this depth may be shared with them; else
    /// [`NEVER`].
    #[inline]
    pub(super) fn ask_peers(&self, depth: u8, idle_for: impl FnOnce(&S::Peers) -> usize) -> usize {
        if depth < self.shared_depth { NEVER } else { self.peers.as_ref().map_or(NEVER, idle_for) }
    }

    /// Whether so many workers are without work.
    #[inline]
    pub(super) fn has_idle(&self, least: usize) -> bool {
        if least == 0 || least == NEVER {
            return least == 0;
        }
        self.processor.charge(Event::Poll);
        self.peers.as_ref().is_some_and(|peers| peers.idle() >= least)
    }

    /// Whether decision nodes at this depth have a loop of their own.
    #[inline]
    pub(super) fn has_own_loop(&self, depth: u8) -> bool {
        depth <= frontier::DEPTH && self.own_loops >> depth & 1 != 0
    }

    /// From where on no value is expected: the end of the grid, or near it where rewards are taken off
    /// windows that reach to the end.
    #[inline]
    pub(super) fn far(&self) -> Score {
        if <S::Game as Game>::HAS_REWARDS { self.limit - self.limit / 16 } else { self.limit }
    }

    /// Whether the ordering at this depth is by static evaluation.
    #[inline]
    pub(super) fn orders_statically(&self, depth: u8) -> bool {
        self.plan.orders_statically(self.options, depth)
    }
}

/// Whether a node asks for other workers before each of its successors, and not only as it is entered: it may
/// be open, with much of the search to come, when they are called. What such a node is split into needs no
/// link to what lies above, which nobody has split.
#[inline]
pub(super) fn asks_again<P, T>(node: Node<'_, P, T>) -> bool {
    node.ply < PLIES_OPEN_TO_OTHERS
}
