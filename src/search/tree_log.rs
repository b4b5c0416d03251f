//! The logs of a search that is recorded as a tree. Each worker keeps one of the nodes that it enters
//! (`recording.rs`); at the end they are joined ([`SearchTree`]).

use crate::game::{Game, NodeKind, PositionHash, Step, StepOf};
use crate::score::{Bounds, Window};
use crate::search::answer::{SearchTree, TreeEnd, TreeNode, TreePhase};
use crate::search::chance_node::{Phase, Place};
use crate::search::plies::Depth;
use crate::sync::Mutex;
use std::collections::{HashMap, HashSet};

/// A node's name: the log it is in, and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NodeId {
    log: usize,
    number: u32,
}

/// The place of a split point's node: the iteration that entered it, and its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LoggedPlace {
    iteration: Depth,
    id: NodeId,
}

/// The finished logs of a search.
pub(crate) struct Logs<P> {
    /// The most nodes that are kept of each worker, and of all together.
    room: usize,
    /// A place for each log that was begun; the leader's is the first.
    all: Mutex<Vec<TreeLog<P>>>,
}

/// A worker's log. It is handed in where it is dropped.
pub(crate) struct Recorder<'a, P> {
    logs: &'a Logs<P>,
    /// The log's place among all.
    index: usize,
    log: TreeLog<P>,
    path: Vec<OpenNode>,
    /// The number of the next node.
    next: u32,
}

/// The nodes that a worker has entered, as far as there is room.
struct TreeLog<P> {
    worker: usize,
    /// The iteration: nodes of earlier ones are not kept.
    iteration: Depth,
    /// In the order of their numbers.
    nodes: Vec<LoggedNode<P>>,
    /// The greatest ply that is kept.
    deepest: u16,
    left_out: u64,
}

/// A node that was entered.
pub(super) struct LoggedNode<P> {
    pub(super) number: u32,
    pub(super) parent: Option<NodeId>,
    pub(super) position: P,
    pub(super) kind: NodeKind,
    pub(super) depth: Depth,
    pub(super) ply: u16,
    pub(super) place: Option<Place>,
    pub(super) window: Window,
    pub(super) bounds: Bounds,
    pub(super) phase: Option<Phase>,
    pub(super) end: TreeEnd,
    pub(super) began: u64,
    pub(super) ended: u64,
    pub(super) narrowed: Vec<(u64, Window)>,
}

/// A node on the worker's path.
#[derive(Clone, Copy)]
pub(super) struct OpenNode {
    pub(super) id: NodeId,
    /// In which phase its successors are searched, where it is a chance node.
    pub(super) phase: Option<Phase>,
    pub(super) has_children: bool,
    /// What the table had found before.
    pub(super) hits: u64,
}

impl<P> TreeLog<P> {
    fn new(worker: usize) -> Self {
        TreeLog { worker, iteration: 0, nodes: Vec::new(), deepest: u16::MAX, left_out: 0 }
    }

    /// Leaves out the deepest nodes until there is room again.
    fn make_room(&mut self, room: usize) {
        while self.nodes.len() > room {
            let deepest = self.nodes.iter().map(|node| node.ply).max().unwrap_or(0);
            self.keep_to(deepest.saturating_sub(1));
            if deepest == 0 {
                return;
            }
        }
    }

    /// Keeps nodes to this ply, and those above.
    fn keep_to(&mut self, deepest: u16) {
        let before = self.nodes.len();
        self.nodes.retain(|node| node.ply <= deepest);
        self.deepest = self.deepest.min(deepest);
        self.left_out += (before - self.nodes.len()) as u64;
    }

    fn node(&mut self, number: u32) -> Option<&mut LoggedNode<P>> {
        let index = self.nodes.binary_search_by_key(&number, |node| node.number).ok()?;
        self.nodes.get_mut(index)
    }
}

impl<P> Logs<P> {
    /// Logs with room for this many nodes; `None` for 0.
    pub(crate) fn new(room: usize) -> Option<Self> {
        (room > 0).then(|| Logs { room, all: Mutex::new(Vec::new()) })
    }

    /// A log for another worker.
    pub(crate) fn recorder(&self, worker: usize) -> Recorder<'_, P> {
        let mut all = self.all.lock();
        all.push(TreeLog::new(worker));
        Recorder { logs: self, index: all.len() - 1, log: TreeLog::new(worker), path: Vec::new(), next: 0 }
    }
}

impl<P> Drop for Recorder<'_, P> {
    fn drop(&mut self) {
        let log = std::mem::replace(&mut self.log, TreeLog::new(0));
        self.logs.all.lock()[self.index] = log;
    }
}

impl<'a, P> Recorder<'a, P> {
    /// Where it is handed in.
    pub(super) fn logs(&self) -> &'a Logs<P> {
        self.logs
    }

    /// Forgets the nodes of earlier iterations.
    pub(super) fn begin_iteration(&mut self, iteration: Depth) {
        self.log = TreeLog { iteration, ..TreeLog::new(self.log.worker) };
    }

    /// The place of the node that the worker is in.
    pub(crate) fn place(&self) -> Option<LoggedPlace> {
        self.path.last().map(|node| LoggedPlace { iteration: self.log.iteration, id: node.id })
    }

    /// Goes below a split point's node, whose successors are searched in this phase.
    pub(super) fn enter_split(&mut self, place: LoggedPlace, phase: Option<Phase>) {
        if place.iteration != self.log.iteration {
            self.begin_iteration(place.iteration);
        }
        self.path.push(OpenNode { id: place.id, phase, has_children: false, hits: 0 });
    }

    /// Comes back from there.
    pub(super) fn leave_split(&mut self) {
        let below = self.path.pop();
        if let (Some(below), Some(node)) = (below, self.path.last_mut()) {
            // The owner's own node has successors, whoever searched them.
            node.has_children |= below.id == node.id;
        }
    }

    /// The successors of the node that the worker is in are searched in this phase from now on.
    pub(super) fn begin_phase(&mut self, phase: Phase) {
        if let Some(node) = self.path.last_mut() {
            node.phase = Some(phase);
        }
    }

    /// The window of the node that the worker is in is another from now on.
    pub(super) fn narrow(&mut self, now: u64, window: Window) {
        let Some(&OpenNode { id, .. }) = self.path.last() else { return };
        if let Some(node) = self.log.node(id.number).filter(|_| id.log == self.index) {
            let before = node.narrowed.last().map_or(node.window, |(_, window)| *window);
            if window != before {
                node.narrowed.push((now, window));
            }
        }
    }

    /// Notes the entry into a node, which `node` makes of its number and the node above.
    pub(super) fn enter(&mut self, hits: u64, node: impl FnOnce(u32, Option<OpenNode>) -> LoggedNode<P>) {
        let (number, parent) = (self.next, self.path.last().copied());
        self.next += 1;
        if let Some(above) = self.path.last_mut() {
            above.has_children = true;
        }
        let node = node(number, parent);
        if node.ply <= self.log.deepest {
            self.log.nodes.push(node);
            self.log.make_room(self.logs.room);
        } else {
            self.log.left_out += 1;
        }
        let id = NodeId { log: self.index, number };
        self.path.push(OpenNode { id, phase: None, has_children: false, hits });
    }

    /// Notes the exit from the node that was entered last.
    pub(super) fn leave(
        &mut self,
        ended: u64,
        bounds: Bounds,
        end: impl FnOnce(&OpenNode, Window) -> TreeEnd,
    ) {
        let Some(open) = self.path.pop() else { return };
        if let Some(node) = self.log.node(open.id.number) {
            let window = node.narrowed.last().map_or(node.window, |(_, window)| *window);
            (node.bounds, node.ended, node.end) = (bounds, ended, end(&open, window));
        }
    }
}

impl<P: Clone> Logs<P> {
    /// The tree of the last iteration.
    pub(crate) fn into_tree<G: Game<Position = P>>(
        self,
        game: &G,
        to_the_end: bool,
    ) -> SearchTree<G::Move, G::Outcome> {
        let (nodes, deepest, left_out) = join(std::mem::take(&mut *self.all.lock()), self.room);
        let places: HashMap<NodeId, usize> =
            nodes.iter().enumerate().map(|(index, (id, ..))| (*id, index)).collect();
        let root_ply = nodes.iter().map(|(_, _, node)| node.ply).min().unwrap_or(0);
        let mut steps: HashMap<usize, Vec<StepTo<G>>> = HashMap::new();
        let nodes: Vec<_> = nodes
            .iter()
            .map(|(_, worker, node)| {
                let parent = node.parent.and_then(|parent| places.get(&parent).copied());
                let found = parent.and_then(|parent| {
                    let above = &nodes[parent].2;
                    let ways =
                        steps.entry(parent).or_insert_with(|| steps_from(game, &above.position, above.kind));
                    way_to(game, ways, node)
                });
                TreeNode {
                    parent,
                    step: found.map(|way| way.step),
                    weight: found.and_then(|way| way.weight),
                    kind: node.kind,
                    player: game.player(&node.position),
                    depth: u32::from(node.depth).saturating_sub(to_the_end.into()),
                    ply: (node.ply - root_ply).into(),
                    window: node.window,
                    bounds: node.bounds,
                    phase: node.phase.map(phase_of),
                    end: node.end,
                    worker: *worker,
                    began: node.began,
                    ended: node.ended,
                    narrowed: node.narrowed.clone(),
                }
            })
            .collect();
        let deepest_ply = deepest.saturating_sub(root_ply).into();
        SearchTree { nodes, left_out, deepest_ply, limit: game.facts().grid.limit() }
    }
}

/// A node with its name and its worker.
type Joined<P> = (NodeId, usize, LoggedNode<P>);

/// The nodes of the leader's last iteration in the order of their beginnings, the greatest ply among them,
/// and how many are left out.
fn join<P>(mut logs: Vec<TreeLog<P>>, room: usize) -> (Vec<Joined<P>>, u16, u64) {
    let iteration = logs.first().map_or(0, |leader| leader.iteration);
    let deepest = logs.iter().filter(|log| log.iteration == iteration).map(|log| log.deepest).min();
    let mut all = TreeLog::new(0);
    let mut names = Vec::new();
    for (index, log) in logs.iter_mut().enumerate().filter(|(_, log)| log.iteration == iteration) {
        all.left_out += log.left_out;
        for mut node in log.nodes.drain(..) {
            names.push((NodeId { log: index, number: node.number }, log.worker));
            node.number = all.nodes.len() as u32;
            all.nodes.push(node);
        }
    }
    all.keep_to(deepest.unwrap_or(0));
    all.make_room(room);
    // Stable: of one time, a worker's nodes stay in their order.
    all.nodes.sort_by_key(|node| node.began);
    let deepest = all.nodes.iter().map(|node| node.ply).max().unwrap_or(0);
    let named = |node: LoggedNode<P>| {
        let (id, worker) = names[node.number as usize];
        (id, worker, node)
    };
    (parents_first(all.nodes.into_iter().map(named).collect()), deepest, all.left_out)
}

/// The same nodes, where a child that begins at its parent's time comes after it.
fn parents_first<P>(nodes: Vec<Joined<P>>) -> Vec<Joined<P>> {
    let mut missing: HashSet<NodeId> = nodes.iter().map(|(id, ..)| *id).collect();
    let mut waiting: HashMap<NodeId, Vec<Joined<P>>> = HashMap::new();
    let mut placed = Vec::with_capacity(nodes.len());
    for node in nodes {
        if let Some(parent) = node.2.parent.filter(|parent| missing.contains(parent)) {
            waiting.entry(parent).or_default().push(node);
            continue;
        }
        let mut next = vec![node];
        while let Some(node) = next.pop() {
            missing.remove(&node.0);
            next.extend(waiting.remove(&node.0).into_iter().flatten().rev());
            placed.push(node);
        }
    }
    placed
}

/// A step from a node, and the hash of the position after it.
struct StepTo<G: Game> {
    step: StepOf<G>,
    weight: Option<u32>,
    hash: PositionHash,
}

fn steps_from<G: Game>(game: &G, position: &G::Position, kind: NodeKind) -> Vec<StepTo<G>> {
    let mut steps = Vec::new();
    match kind {
        NodeKind::Terminal => {}
        NodeKind::Decision => game.moves(position, |mv| steps.push((Step::Move(mv), None))),
        NodeKind::Chance => {
            game.outcomes(position, |outcome, weight| steps.push((Step::Outcome(outcome), Some(weight))));
        }
    }
    let with_hash =
        |(step, weight): (StepOf<G>, _)| StepTo { step, weight, hash: game.hash(&step.take(game, position)) };
    steps.into_iter().map(with_hash).collect()
}

/// The step that leads to a node: the outcome at its place, or else the first to its position.
fn way_to<'s, G: Game>(
    game: &G,
    ways: &'s [StepTo<G>],
    node: &LoggedNode<G::Position>,
) -> Option<&'s StepTo<G>> {
    let at_place = node.place.and_then(|place| ways.get(place as usize));
    at_place.or_else(|| {
        let hash = game.hash(&node.position);
        ways.iter().find(|way| way.hash == hash)
    })
}

fn phase_of(phase: Phase) -> TreePhase {
    match phase {
        Phase::Probing => TreePhase::Probing,
        Phase::Shares => TreePhase::Shares,
        Phase::Star1 => TreePhase::Star1,
    }
}
