//! A worker's part of a search: its stacks, counts and heuristics, and when it halts.

use crate::evaluator::Evaluator;
use crate::game::Game;
use crate::processor::{Event, Processor};
use crate::score::{Bounds, Score};
use crate::search::answer::{SearchError, Stats};
use crate::search::chance_node::ChanceSuccessor;
use crate::search::clock;
use crate::search::control::Control;
use crate::search::heuristics::Heuristics;
use crate::search::keys::Keys;
use crate::search::live::Link;
use crate::search::moves::Moves;
use crate::search::near_leaves::NearLeaves;
use crate::search::pace::{Moment, Pace, Polling};
use crate::search::plies::{Depth, NO_DEPTH, longest_path, threshold};
use crate::search::ranking::RootMoves;
use crate::search::request::Options;
use crate::search::setup::{
    HelperStatus, MoveOf, MovesOf, NodeOf, OutcomeOf, Outlook, Peers, PositionOf, Reserve, Setup,
};
use crate::search::sharing_policy::{NEVER, SharingPolicy};
use crate::search::sibling_batcher::SiblingBatcher;
use crate::search::team_link::TeamLink;
use crate::search::tree_log::{Logs, Recorder};
use crate::search::tuning::{Granularity, Plan, Tuner};
use crate::table::Table;
use crate::time::Instant;

/// The nodes between two polls of all limits. The clock is polled more often; see `pace.rs`.
const NODES_BETWEEN_CHECKS: u64 = 1024;

/// The least depth of a node at which a worker with peers checks whether its task is cancelled.
const CANCELLATION_DEPTH: Depth = 3;

/// Nodes within this many plies of the root ask before each successor how many workers must be idle to share
/// the rest: much of their search may remain when helpers arrive.
const PLIES_OPEN_TO_OTHERS: u16 = 2;

/// The arguments that all workers of a search share.
pub(crate) struct SearchContext<'a, S: Setup> {
    pub(crate) game: &'a S::Game,
    pub(crate) evaluator: &'a S::Evaluator,
    pub(crate) table: &'a S::Table,
    pub(crate) options: &'a Options,
    pub(crate) control: &'a Control,
    /// The root's moves that are searched; all of them where none is named.
    pub(crate) root_moves: &'a [MoveOf<S>],
    /// Where the workers leave their parts of the tree, if it is recorded.
    pub(crate) logs: Option<&'a Logs<PositionOf<S>>>,
}

impl<S: Setup> Clone for SearchContext<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Setup> Copy for SearchContext<'_, S> {}

/// A worker's part of a search.
pub(crate) struct Worker<'a, S: Setup> {
    pub(crate) game: &'a S::Game,
    pub(super) evaluator: &'a S::Evaluator,
    pub(super) table: &'a S::Table,
    pub(crate) options: &'a Options,
    pub(crate) control: &'a Control,
    pub(crate) processor: S::Processor,
    /// The grid's limit.
    pub(super) limit: Score,
    pub(super) keys: Keys,
    pub(crate) stats: Stats,
    /// Chooses what the options leave open.
    pub(super) tuner: Tuner,
    pub(crate) near_leaves: NearLeaves,
    /// The successors of the chance nodes on the path, the root's first.
    pub(crate) successors: Vec<ChanceSuccessor<OutcomeOf<S>>>,
    /// The moves of the decision nodes on the path.
    pub(super) moves: MovesOf<S>,
    pub(super) root: RootMoves<'a, MoveOf<S>>,
    pub(crate) team_link: TeamLink<S::Peers, dyn Reserve<S> + Send + 'a>,
    pub(super) polling: Polling,
    /// Its part of the tree, where that is recorded.
    pub(crate) recorder: Option<Recorder<'a, PositionOf<S>>>,
}

/// A worker's memory between two tasks of one search.
pub(crate) struct Stacks<S: Setup> {
    pub(crate) stats: Stats,
    pub(crate) peers: Option<S::Peers>,
    policy: SharingPolicy,
    successors: Vec<ChanceSuccessor<OutcomeOf<S>>>,
    moves: MovesOf<S>,
    links: Vec<Link>,
    tuner: Tuner,
    near_leaves: NearLeaves,
    polling: Polling,
}

impl<S: Setup> Stacks<S> {
    /// Empty stacks.
    pub(crate) fn new(search: SearchContext<'_, S>, peers: Option<S::Peers>) -> Self {
        let SearchContext { game, evaluator, options, control, .. } = search;
        let to_the_end = control.is_to_the_end();
        let (facts, evaluation) = (game.facts(), evaluator.facts(game).cost);
        let near_leaves = NearLeaves::new::<S::Game, S::Evaluator>(&facts, evaluation, options, to_the_end);
        let plies = longest_path::<S::Game>(to_the_end) as usize + 1;
        let (heuristics, made) = Heuristics::new(plies, facts.move_slots);
        if let Err(error) = made {
            control.fail(error);
        }
        let batcher = SiblingBatcher::new(S::IN_BATCHES, S::WAITS, options, near_leaves.collapsing_depth);
        Stacks {
            tuner: Tuner::new(
                (evaluation, facts.successor_ns),
                options,
                S::Table::IS_PRESENT,
                near_leaves,
                control.plan(),
            ),
            near_leaves,
            stats: Stats::default(),
            policy: peers.as_ref().map_or_else(
                || SharingPolicy::alone(options),
                |peers| SharingPolicy::of_team(options, peers.place()),
            ),
            peers,
            successors: Vec::with_capacity(1024),
            moves: Moves::new(heuristics, batcher),
            links: Vec::new(),
            polling: Polling::new(Moment { time: clock::now(), nodes: 0, evaluations: 0 }),
        }
    }
}

impl<'a, S: Setup> Worker<'a, S> {
    pub(crate) fn new(
        search: SearchContext<'a, S>,
        processor: S::Processor,
        peers: Option<S::Peers>,
    ) -> Self {
        let stacks = Stacks::new(search, peers);
        Worker::resume(search, processor, stacks)
    }

    /// A worker that continues with these stacks.
    pub(crate) fn resume(search: SearchContext<'a, S>, processor: S::Processor, stacks: Stacks<S>) -> Self {
        let SearchContext { game, evaluator, table, options, control, root_moves, logs } = search;
        let Stacks { stats, peers, policy, successors, moves, links, tuner, near_leaves, polling } = stacks;
        let place = peers.as_ref().map_or(0, |peers| peers.place().0);
        let mut worker = Worker {
            game,
            evaluator,
            table,
            options,
            control,
            processor,
            limit: game.facts().grid.limit(),
            keys: Keys::new(game, evaluator, options, near_leaves.to_the_end),
            stats,
            tuner,
            near_leaves,
            successors,
            moves,
            root: RootMoves::new(options, root_moves),
            team_link: TeamLink::new(peers, policy, links),
            polling: polling.resumed(),
            recorder: logs.map(|logs| logs.recorder(place)),
        };
        worker.follow_policy();
        worker.begin_to_measure();
        worker
    }

    /// Adds helpers, which the worker calls once its search lasts long enough.
    pub(crate) fn with_reserve(mut self, reserve: Box<dyn Reserve<S> + Send + 'a>) -> Self {
        self.polling.pace.is_expecting = true;
        self.team_link.reserve = Some(reserve);
        self
    }

    /// Connects the worker to others.
    pub(crate) fn join_peers(&mut self, peers: S::Peers) {
        self.team_link.policy = SharingPolicy::of_team(self.options, peers.place());
        self.team_link.peers = Some(peers);
        self.adopt_granularity();
        self.follow_policy();
    }

    /// Adopts the latest choice of what to split, if the worker is above all split points and links: the way
    /// down depends on it.
    pub(crate) fn adopt_granularity(&mut self) {
        let TeamLink { peers, links, policy, .. } = &mut self.team_link;
        if !links.is_empty() || peers.as_ref().is_none_or(|peers| peers.has_task()) {
            return;
        }
        if self.control.granularity().is_some_and(|granularity| policy.adopt(granularity)) {
            self.follow_policy();
        }
    }

    /// Sets what follows from the policy and the plan: the depths at which the worker asks for others, and
    /// those of the fast loops.
    fn follow_policy(&mut self) {
        let options = self.options;
        if self.team_link.peers.is_some() {
            self.team_link.told_depth = recorded_depth(options).min(self.team_link.policy.marking_depth());
            self.polling.cancellation_depth = CANCELLATION_DEPTH;
        }
        let records_all = self.recorder.is_some();
        self.near_leaves.leaf_depth = if records_all { NO_DEPTH } else { 0 };
        self.team_link.recorded_depth = if records_all { 0 } else { self.team_link.told_depth };
        let others = self.team_link.policy.least_depth();
        // A lane that waits for an evaluation must not do so inside a callback of the game; and the loops
        // evaluate one by one. What they pass through is not recorded.
        let has_no_loops = S::WAITS || S::IN_BATCHES && self.moves.batcher.depth > 0 || records_all;
        let usual_depth = if has_no_loops { 0 } else { others.min(threshold(options.move_probing_depth)) };
        let Tuner { plan, asks_memory, .. } = self.tuner;
        self.near_leaves.choose_loops::<S::Game>(options, &plan, usual_depth, asks_memory);
        self.set_halted(self.polling.halted);
    }

    /// Tunes now and then: the leader considers a new plan, the other workers adopt the leader's.
    fn tune(&mut self) {
        if self.tuner.leads {
            let plan = self.tuner.choose(&self.stats.nodes);
            self.lead_by(plan);
        } else if let Some(plan) = self.control.plan().filter(|plan| *plan != self.tuner.plan) {
            self.follow_plan(plan);
        }
    }

    /// Begins an iteration, by a plan of its own where it is not the last and much is unknown.
    pub(super) fn begin_iteration(&mut self, is_last: bool) {
        let is_left = self.options.table_depth.is_none() && !self.near_leaves.to_the_end;
        self.tuner.is_early = !is_last && is_left && self.game.facts().has_undeclared_successors();
        self.lead_by(self.tuner.plan_now());
    }

    /// Makes this the plan of all workers.
    fn lead_by(&mut self, plan: Plan) {
        if plan != self.tuner.plan {
            self.control.publish_plan(plan);
            self.follow_plan(plan);
        }
    }

    fn follow_plan(&mut self, plan: Plan) {
        self.tuner.adopt(plan);
        self.follow_policy();
    }

    /// Checks whether to call the helpers, or whether they were called. Nodes already open stay this worker's
    /// own, except near the root; nodes entered from now on can be shared.
    pub(super) fn poll_helpers(&mut self, now: Instant, outlook: Option<Outlook>) {
        let Some(reserve) = &mut self.team_link.reserve else { return };
        let elapsed = now.saturating_duration_since(self.control.started);
        match reserve.consider(&self.processor, elapsed, outlook) {
            HelperStatus::None => {}
            HelperStatus::Joined(peers) => self.join_peers(peers),
            HelperStatus::Settled => {
                self.team_link.reserve = None;
                self.polling.pace.is_expecting = false;
            }
        }
    }

    /// The stacks, for a later task.
    pub(crate) fn into_stacks(self) -> Stacks<S> {
        let Worker { stats, successors, moves, tuner, near_leaves, polling, team_link, .. } = self;
        let TeamLink { peers, policy, links, .. } = team_link;
        Stacks { stats, peers, policy, successors, moves, links, tuner, near_leaves, polling }
    }

    /// The arguments that all workers of this search share.
    pub(crate) fn search_context(&self) -> SearchContext<'a, S> {
        let Worker { game, evaluator, table, options, control, .. } = *self;
        let logs = self.recorder.as_ref().map(Recorder::logs);
        SearchContext { game, evaluator, table, options, control, root_moves: self.root.asked, logs }
    }

    /// Whether a loop that may evaluate goes on. Asked before each turn, so that nothing is evaluated after
    /// the end. A watchful worker polls the clock when it is due.
    #[inline]
    pub(super) fn goes_on(&mut self) -> bool {
        !self.polling.polls_each_turn || self.poll_when_due()
    }

    /// The slow path of [`goes_on`](Self::goes_on), for a halted or watchful worker.
    #[cold]
    fn poll_when_due(&mut self) -> bool {
        if !self.polling.halted
            && self.polling.pace.is_watchful
            && self.polling.pace.is_due(self.stats.nodes.evaluations)
        {
            self.poll_clock(Pace::note_poll);
        }
        !self.polling.halted
    }

    /// Polls the clock and the stop flags.
    fn poll_clock(&mut self, note: impl FnOnce(&mut Pace, Moment)) {
        let now = self.moment();
        note(&mut self.polling.pace, now);
        let is_over = self.control.check_at(self.real(now.time));
        self.set_halted(self.polling.halted || is_over);
        self.poll_helpers(now.time, None);
    }

    fn moment(&self) -> Moment {
        let nodes = self.stats.nodes;
        let time = match self.processor.virtual_time() {
            Some(passed) => self.control.started.checked_add(passed).unwrap_or_else(clock::now),
            None => clock::now(),
        };
        Moment { time, nodes: nodes.total(), evaluations: nodes.evaluations }
    }

    /// The real time where `now` may be virtual: the limits are real.
    fn real(&self, now: Instant) -> Instant {
        if self.processor.virtual_time().is_some() { clock::now() } else { now }
    }

    /// Restarts the measurement after time that was not spent on nodes: the worker waited, or a callback ran.
    /// Returns the time.
    pub(crate) fn begin_to_measure(&mut self) -> Instant {
        let now = self.moment();
        self.polling.pace.begin_anew(now);
        self.set_halted(self.polling.halted);
        now.time
    }

    /// Whether the worker polls the clock more often than every so many nodes; see `pace.rs`.
    #[inline]
    pub(super) fn is_watchful(&self) -> bool {
        self.polling.pace.is_watchful
    }

    /// Whether the current search must end: the whole search, or only this worker's task.
    #[inline]
    pub(crate) fn is_halted(&self) -> bool {
        self.polling.halted
    }

    /// Sets whether it has.
    pub(crate) fn set_halted(&mut self, halted: bool) {
        self.polling.halted = halted;
        let is_watchful = self.polling.pace.is_watchful;
        self.polling.polls_each_turn = halted || is_watchful;
        self.polling.checking_depth = if is_watchful { 0 } else { self.team_link.policy.least_depth() };
        let report = self.polling.reported_nodes + NODES_BETWEEN_CHECKS;
        self.polling.next_poll = if is_watchful { 0 } else { self.polling.pace.next().min(report) };
    }

    /// Polls at an interior node, and sets `halted` if the search must end here. At small depths it only
    /// checks whether a poll of the limits is due.
    #[inline]
    pub(super) fn poll(&mut self, depth: Depth) {
        self.processor.charge(Event::Node);
        self.poll_limits_when_due();
        if depth >= self.polling.cancellation_depth {
            self.poll_cancelled();
        }
    }

    /// Polls every limit if that is due.
    #[inline]
    pub(super) fn poll_limits_when_due(&mut self) {
        if self.stats.nodes.total() >= self.polling.next_poll {
            self.poll_limits();
        }
    }

    /// Polls every limit, or the clock alone.
    #[cold]
    fn poll_limits(&mut self) {
        if self.unreported_nodes() >= NODES_BETWEEN_CHECKS {
            self.report_nodes();
        }
        if self.polling.pace.is_watchful {
            self.poll_when_due();
        } else {
            self.poll_clock(Pace::note_nodes);
        }
    }

    /// Checks whether the search was halted or the worker's task cancelled.
    fn poll_cancelled(&mut self) {
        self.processor.charge(Event::Poll);
        if let Some(peers) = &self.team_link.peers {
            if peers.is_cut_above() || self.control.is_halted() {
                self.set_halted(true);
            }
        }
    }

    /// The nodes of this worker's searches, including those that other workers visited for it. Compare it
    /// with an earlier number; it wraps.
    pub(crate) fn visited(&self) -> u64 {
        let helper_nodes = self.team_link.peers.as_ref().map_or(0, S::Peers::helper_nodes);
        self.stats.nodes.total().wrapping_add(helper_nodes)
    }

    /// Adds the unreported nodes to the count of all workers. Called when the worker runs out of work:
    /// otherwise most nodes of a large team's short iterations would go uncounted.
    pub(crate) fn hand_in_nodes(&mut self) {
        self.control.count(self.take_unreported());
    }

    /// The nodes since the last report.
    pub(super) fn unreported_nodes(&self) -> u64 {
        self.stats.nodes.total() - self.polling.reported_nodes
    }

    /// The nodes since the last report, which count as reported from now on.
    fn take_unreported(&mut self) -> u64 {
        let unreported = self.unreported_nodes();
        self.polling.reported_nodes += unreported;
        unreported
    }

    /// Reports nodes and polls every limit.
    #[cold]
    pub(crate) fn report_nodes(&mut self) {
        self.report_nodes_at(clock::now());
    }

    /// The same at the time `now`.
    pub(super) fn report_nodes_at(&mut self, now: Instant) {
        let is_over = self.control.check(self.take_unreported(), self.real(now));
        self.set_halted(self.polling.halted || is_over);
        self.poll_cancelled();
        self.tune();
    }

    /// Whether the worker records the tree that it searches.
    #[inline]
    pub(super) fn records_all(&self) -> bool {
        self.team_link.recorded_depth == 0
    }

    /// Whether other workers matter to a node: it may be shared with them, now or after they arrive, or its
    /// window follows split points above.
    #[inline]
    pub(super) fn may_be_shared(&self, node: NodeOf<'_, S>) -> bool {
        node.depth >= self.team_link.policy.least_depth() || asks_again(node.ply)
    }

    /// Whether a decision node checks other workers or the clock before each move.
    #[inline]
    pub(super) fn checks_each_move(&self, node: NodeOf<'_, S>) -> bool {
        node.depth >= self.polling.checking_depth || asks_again(node.ply)
    }

    /// Whether at least this many workers are idle.
    #[inline]
    pub(super) fn has_idle(&self, least: usize) -> bool {
        if least == 0 || least == NEVER {
            return least == 0;
        }
        self.processor.charge(Event::Poll);
        self.team_link.peers.as_ref().is_some_and(|peers| peers.idle() >= least)
    }

    /// Ends the search with an error, because the contract was broken. The worker's results from now on are
    /// void.
    pub(super) fn become_void(&mut self, error: SearchError) {
        self.control.fail(error);
        self.polling.is_void = true;
        self.set_halted(true);
    }

    /// `found` as other workers may see it: nothing after a breach.
    #[inline]
    pub(crate) fn publishable_bounds(&self, found: Bounds) -> Bounds {
        if self.polling.is_void { Bounds::unknown(self.limit) } else { found }
    }

    /// As [`goes_on`](Self::goes_on), for loops that meet leaves only in games with plies of their own.
    #[inline]
    pub(crate) fn goes_on_among_leaves(&mut self) -> bool {
        !<S::Game as Game>::STEPS.plies || self.goes_on()
    }

    /// The score from which on no value is expected: the grid's limit, or near it in games with rewards,
    /// which are subtracted from windows.
    #[inline]
    pub(super) fn far(&self) -> Score {
        if <S::Game as Game>::STEPS.rewards { self.limit - self.limit / 16 } else { self.limit }
    }
}

/// The least depth of nodes whose entries are recorded to count duplicates.
pub(crate) fn recorded_depth(options: &Options) -> Depth {
    if options.telemetry.count_duplicates {
        Granularity::new(options).depth.saturating_sub(2).max(2)
    } else {
        NO_DEPTH
    }
}

/// Whether a node asks before each successor, not only on entry, how many workers must be idle to share the
/// rest: nodes of the first plies may be open, with much left to search, when helpers arrive.
#[inline]
pub(super) fn asks_again(ply: u16) -> bool {
    ply < PLIES_OPEN_TO_OTHERS
}
