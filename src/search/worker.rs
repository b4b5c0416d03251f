//! One thread's part of a search: its stacks, its counts, what it has learnt about moves, and when it halts.

use crate::game::Game;
use crate::processor::{Evaluates, Event, Processor};
use crate::score::Score;
use crate::search::answer::{NodeCounts, Stats};
use crate::search::chance_node::Successor;
use crate::search::clock;
use crate::search::control::Control;
use crate::search::heuristics::Heuristics;
use crate::search::keys::Keys;
use crate::search::live::Link;
use crate::search::moves::Moves;
use crate::search::near_leaves::NearLeaves;
use crate::search::pace::{Looks, Moment, Pace};
use crate::search::plies::longest_path;
use crate::search::ranking::RootMoves;
use crate::search::request::Options;
use crate::search::setup::{MoveOf, MovesOf, NEVER, News, NodeOf, OutcomeOf, Outlook, Peers, Reserve, Setup};
use crate::search::ties::Ties;
use crate::search::together::Together;
use crate::search::tuning::{Granularity, Plan, Tuner};
use crate::table::Table;
use std::time::Instant;

/// How many nodes a worker visits between two looks at all limits; at the clock it looks more often, see
/// `pace.rs`.
const NODES_BETWEEN_CHECKS: u64 = 1024;

/// The least depth of a node at which a worker beside others looks whether its work still matters.
const POLLING_DEPTH: u8 = 3;

/// Nodes of so many plies from the root on may be open when others come, with much left to do: they ask again
/// and again whether anybody has.
const PLIES_OPEN_TO_OTHERS: u16 = 2;

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
    /// The end of the grid.
    pub(crate) limit: Score,
    pub(crate) keys: Keys,
    pub(crate) stats: Stats,
    /// What it does where the options leave it the choice.
    pub(super) tuner: Tuner,
    pub(super) near_leaves: NearLeaves,
    /// The successors of the chance nodes on the path, the root's first.
    pub(crate) successors: Vec<Successor<OutcomeOf<S>>>,
    /// The moves of the decision nodes on the path.
    pub(super) moves: MovesOf<S>,
    pub(super) root: RootMoves<MoveOf<S>>,
    pub(crate) ties: Ties<'a, S::Peers, dyn Reserve<S> + 'a>,
    pub(super) looks: Looks,
}

/// What a worker keeps between two pieces of work that it does for the same search.
pub(crate) struct Stacks<S: Setup> {
    pub(crate) stats: Stats,
    pub(crate) peers: Option<S::Peers>,
    successors: Vec<Successor<OutcomeOf<S>>>,
    moves: MovesOf<S>,
    links: Vec<Link>,
    tuner: Tuner,
    near_leaves: NearLeaves,
    looks: Looks,
}

impl<S: Setup> Stacks<S> {
    /// Empty ones.
    pub(crate) fn new(
        search: SearchContext<'_, S>,
        processor: &S::Processor,
        peers: Option<S::Peers>,
    ) -> Self {
        let SearchContext { game, evaluator, options, control, .. } = search;
        let near_leaves = NearLeaves::new::<S::Game, S::Evaluator>(game, options);
        let (heuristics, made) =
            Heuristics::new(longest_path::<S::Game>() as usize + 1, game.facts().move_slots);
        if let Err(error) = made {
            control.fail(error);
        }
        let together = Together::new(processor.in_batches(), options, near_leaves.collapsing_depth);
        let (cost, has_table) = (processor.cost(evaluator, game), S::Table::IS_PRESENT);
        Stacks {
            tuner: Tuner::new(cost, options, has_table, near_leaves, control.plan()),
            near_leaves,
            stats: Stats::default(),
            peers,
            successors: Vec::with_capacity(1024),
            moves: Moves::new(heuristics, together),
            links: Vec::new(),
            looks: Looks::new(Moment { time: clock::now(), nodes: 0, evaluations: 0 }),
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
        let Stacks { stats, peers, successors, moves, links, tuner, near_leaves, looks } = stacks;
        let mut worker = Worker {
            game,
            evaluator,
            table,
            options,
            control,
            processor,
            limit: game.facts().grid.limit(),
            keys: Keys::new(game, evaluator, options),
            stats,
            tuner,
            near_leaves,
            successors,
            moves,
            root: RootMoves::new(),
            ties: Ties::new(peers, links),
            looks: looks.resumed(),
        };
        worker.mind_others();
        worker.begin_to_measure();
        worker
    }

    /// The same worker, which calls these when its search has lasted long enough.
    pub(crate) fn with_reserve(mut self, reserve: &'a mut dyn Reserve<S>) -> Self {
        self.looks.pace.is_expecting = true;
        self.ties.reserve = Some(reserve);
        self
    }

    /// Ties the worker to others.
    pub(crate) fn join_peers(&mut self, peers: S::Peers) {
        self.ties.peers = Some(peers);
        self.adopt_granularity();
        self.mind_others();
    }

    /// Splits as was chosen last. To be called where this worker is above all split points and links, for
    /// what is noted on the way down depends on it.
    pub(crate) fn adopt_granularity(&mut self) {
        if let Some(granularity) = self.control.granularity()
            && let Some(peers) = &mut self.ties.peers
            && peers.granularity() != granularity
        {
            peers.set_granularity(granularity);
            self.mind_others();
        }
    }

    /// Sets the depths at which the others matter, if there are others, and those with loops of their own.
    fn mind_others(&mut self) {
        let options = self.options;
        if let Some(peers) = &self.ties.peers {
            self.ties.depths = peers.depths();
            self.ties.watched_depth = watched_depth(options).min(self.ties.depths.marking);
            self.looks.polling_depth = POLLING_DEPTH;
        }
        let others = self.ties.least_depth();
        // What waits for an evaluation must not be within a call of the game's.
        let usual_depth =
            if self.processor.in_batches() { 0 } else { others.min(options.move_probing_depth) };
        let Tuner { plan, asks_memory, .. } = self.tuner;
        self.near_leaves.choose_loops::<S::Game>(options, &plan, usual_depth, asks_memory);
        self.set_halted(self.looks.halted);
    }

    /// Called once in a while: the worker that leads looks whether it is time to choose anew, the others take
    /// what it has chosen.
    fn tune(&mut self) {
        if self.tuner.leads {
            let plan = self.tuner.choose(&self.stats.nodes);
            if plan != self.tuner.plan {
                self.control.publish_plan(plan);
                self.follow_plan(plan);
            }
        } else if let Some(plan) = self.control.plan()
            && plan != self.tuner.plan
        {
            self.follow_plan(plan);
        }
    }

    fn follow_plan(&mut self, plan: Plan) {
        self.tuner.follow(plan);
        self.mind_others();
    }

    /// Looks whether others are to come, or have. Nodes that are open when they are called stay this worker's
    /// own, but for those near the root; what it enters from then on can be shared.
    pub(super) fn look_for_others(&mut self, now: Instant, outlook: Option<Outlook>) {
        let Some(reserve) = &mut self.ties.reserve else { return };
        let elapsed = now.saturating_duration_since(self.control.started);
        match reserve.look(elapsed, outlook) {
            News::None => {}
            News::Called(peers) => self.join_peers(peers),
            News::Settled => {
                self.ties.reserve = None;
                self.looks.pace.is_expecting = false;
            }
        }
    }

    /// What is left when the work is done.
    pub(crate) fn into_stacks(self) -> Stacks<S> {
        let Worker { stats, successors, moves, tuner, near_leaves, looks, ties, .. } = self;
        let Ties { peers, links, .. } = ties;
        Stacks { stats, peers, successors, moves, links, tuner, near_leaves, looks }
    }

    /// What all workers of this search are given alike.
    pub(crate) fn search_context(&self) -> SearchContext<'a, S> {
        let Worker { game, evaluator, table, options, control, .. } = *self;
        SearchContext { game, evaluator, table, options, control }
    }

    /// Whether a loop that may evaluate goes on: asked before each turn, so that no evaluation is made after
    /// the end. A watchful worker looks at the clock if it is time to.
    #[inline]
    pub(super) fn goes_on(&mut self) -> bool {
        !self.looks.is_alert || self.look_about()
    }

    /// The same for a worker that has to end, or is watchful.
    #[cold]
    #[inline(never)]
    fn look_about(&mut self) -> bool {
        if !self.looks.halted
            && self.looks.pace.is_watchful
            && self.looks.pace.is_due(self.stats.nodes.evaluations)
        {
            self.look_at_clock(Pace::note_look);
        }
        !self.looks.halted
    }

    /// Learns whether time is up or somebody wants the search to stop.
    fn look_at_clock(&mut self, note: impl FnOnce(&mut Pace, Moment)) {
        let now = self.moment();
        note(&mut self.looks.pace, now);
        let is_over = self.control.check_at(now.time);
        self.set_halted(self.looks.halted || is_over);
        self.look_for_others(now.time, None);
    }

    fn moment(&self) -> Moment {
        let NodeCounts { evaluations, .. } = self.stats.nodes;
        Moment { time: clock::now(), nodes: self.stats.nodes.total(), evaluations }
    }

    /// What time has passed up to now was not spent on nodes: the worker waited, or a callback ran.
    pub(crate) fn begin_to_measure(&mut self) -> Instant {
        let now = self.moment();
        self.looks.pace.begin_anew(now);
        self.set_halted(self.looks.halted);
        now.time
    }

    /// Whether the clock is to be looked at more often than nodes are counted; see `pace.rs`.
    #[inline]
    pub(super) fn is_watchful(&self) -> bool {
        self.looks.pace.is_watchful
    }

    /// Whether what is being searched has to end: the whole search, or the split point that this worker is
    /// under.
    #[inline(always)]
    pub(crate) fn is_halted(&self) -> bool {
        self.looks.halted
    }

    /// Sets whether it has.
    #[inline(never)]
    pub(crate) fn set_halted(&mut self, halted: bool) {
        self.looks.halted = halted;
        let is_watchful = self.looks.pace.is_watchful;
        self.looks.is_alert = halted || is_watchful;
        self.looks.careful_depth = if is_watchful { 0 } else { self.ties.least_depth() };
        let report = self.looks.reported_nodes + NODES_BETWEEN_CHECKS;
        self.looks.next_look = if is_watchful { 0 } else { self.looks.pace.next().min(report) };
    }

    /// Called at every interior node: learns whether the search has to end here, and sets `halted` if so.
    /// Small nodes look only when it is time to look at every limit.
    #[inline]
    pub(super) fn poll(&mut self, depth: u8) {
        self.processor.charge(Event::Node);
        self.report_nodes_when_due();
        if depth >= self.looks.polling_depth {
            self.look_above();
        }
    }

    /// Looks at every limit if it is time to.
    #[inline]
    pub(super) fn report_nodes_when_due(&mut self) {
        if self.stats.nodes.total() >= self.looks.next_look {
            self.look_at_limits();
        }
    }

    /// Looks at every limit, or at the clock alone.
    #[cold]
    #[inline(never)]
    fn look_at_limits(&mut self) {
        let total = self.stats.nodes.total();
        if total - self.looks.reported_nodes >= NODES_BETWEEN_CHECKS {
            self.report_nodes();
        }
        if self.looks.pace.is_watchful {
            self.look_about();
        } else {
            self.look_at_clock(Pace::note_nodes);
        }
    }

    /// Looks whether what is being searched has to end for a reason that lies above it.
    fn look_above(&mut self) {
        self.processor.charge(Event::Poll);
        if let Some(peers) = &self.ties.peers
            && (peers.is_cut_above() || self.control.is_halted())
        {
            self.set_halted(true);
        }
    }

    /// How many nodes this worker's searches have taken, those among them that others visited for it; to be
    /// compared with an earlier number, and wraps.
    pub(crate) fn visited(&self) -> u64 {
        let elsewhere = self.ties.peers.as_ref().map_or(0, S::Peers::visited_elsewhere);
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
        total - std::mem::replace(&mut self.looks.reported_nodes, total)
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
        self.set_halted(self.looks.halted || is_over);
        self.look_above();
        self.tune();
    }

    /// Whether a node minds the other workers: it may be shared with them, now or once they have come, or
    /// follows the split points above it.
    #[inline]
    pub(super) fn minds_others(&self, node: NodeOf<'_, S>) -> bool {
        node.depth >= self.ties.least_depth() || asks_again(node.ply)
    }

    /// Whether a decision node looks about before each move: at the other workers, or at the clock.
    #[inline]
    pub(super) fn is_careful(&self, node: NodeOf<'_, S>) -> bool {
        node.depth >= self.looks.careful_depth || asks_again(node.ply)
    }

    /// What the tie to the other workers tells, where a node at this depth may be shared with them; else
    /// [`NEVER`].
    #[inline]
    pub(super) fn ask_peers(&self, depth: u8, idle_for: impl FnOnce(&S::Peers) -> usize) -> usize {
        if depth < self.ties.depths.shared { NEVER } else { self.ties.peers.as_ref().map_or(NEVER, idle_for) }
    }

    /// Whether so many workers are without work.
    #[inline]
    pub(super) fn has_idle(&self, least: usize) -> bool {
        if least == 0 || least == NEVER {
            return least == 0;
        }
        self.processor.charge(Event::Poll);
        self.ties.peers.as_ref().is_some_and(|peers| peers.idle() >= least)
    }

    /// From where on no value is expected: the end of the grid, or near it where rewards are taken off
    /// windows that reach to the end.
    #[inline]
    pub(super) fn far(&self) -> Score {
        if <S::Game as Game>::STEPS.rewards { self.limit - self.limit / 16 } else { self.limit }
    }
}

/// The least depth of nodes whose entries are noted in order to count duplicates.
pub(crate) fn watched_depth(options: &Options) -> u8 {
    if options.count_duplicates { Granularity::new(options).depth.saturating_sub(2).max(2) } else { u8::MAX }
}

/// Whether a node asks for other workers before each of its successors, and not only as it is entered: it may
/// be open, with much of the search to come, when they are called. What such a node is split into needs no
/// link to what lies above, which nobody has split.
#[inline]
pub(super) fn asks_again(ply: u16) -> bool {
    ply < PLIES_OPEN_TO_OTHERS
}
