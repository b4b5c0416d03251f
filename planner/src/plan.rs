//! The planner.

use crate::asking::{Open, Question};
use crate::error::PlanError;
use crate::task::{Answer, Identities, Task, TaskKey};
use crate::tree::Tree;
use crate::work::position_at;
use starsplit::game::{Game, NodeKind};
use starsplit::score::{Bounds, Window};
use starsplit::search::MAX_DEPTH;
use starsplit::table::Reuse;
use std::collections::{HashMap, HashSet};
use std::fmt;

/// By how much an iteration is expected to be larger than the last where only one was measured.
const FIRST_GROWTH: f64 = 4.0;

/// By how much at the most.
const MAX_GROWTH: f64 = 1000.0;

/// How finely a plan is split into tasks. No option changes its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannerOptions {
    /// A task that is expected to take more nodes than this, and more than its
    /// [part](PlannerOptions::parts) of the iteration, is split into those of its position's successors; so
    /// is one whose answers took more and did not settle it. By default a million, some tenths of a second: a
    /// task costs a message each way and a search that begins anew. 0 counts as 1.
    pub split_above: u64,
    /// Into how many parts of equal size an iteration would have to be split at least. By default 64: a few
    /// for each of a dozen workers. 0 counts as 1.
    pub parts: u32,
}

impl Default for PlannerOptions {
    fn default() -> Self {
        PlannerOptions { split_above: 1_000_000, parts: 64 }
    }
}

/// A search of one position as tasks for workers elsewhere. [The crate](crate) says how it works.
///
/// It goes from depth to depth as a search does, by the game's
/// [`depth_step`](starsplit::game::GameFacts::depth_step), each iteration ended before the next begins. What
/// is small is one task at the root; sizes are expected from the answers one iteration ago. A position once
/// split stays split.
///
/// An answer costs two passes over the positions that the iteration has split, with their moves and outcomes.
/// Memory grows by a position with every successor of what was split, and with every answer about a position
/// that was not known.
///
/// # Panics
/// What the game panics with is the caller's.
///
/// # Examples
/// ```
/// # #[path = "../../examples/pig.rs"]
/// # mod pig;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use starsplit::Searcher;
/// # use starsplit::evaluator::Constant;
/// # use starsplit::search::Limits;
/// # use starsplit::table::Reuse;
/// # use starsplit_planner::{Answer, Identities, Planner, PlannerOptions, Task, work};
/// # use pig::under_way;
/// # let (game, root) = under_way();
/// let searcher = Searcher::builder(game.clone(), Constant::default()).build()?;
/// let identities = Identities::new(&game, searcher.evaluator(), Reuse::Exact);
/// let mut planner = Planner::new(game, root.clone(), 6, identities, PlannerOptions::default())?;
/// while planner.plan().is_none() {
///     for task in planner.hand_out(1) {
///         let line = task.to_string(); // to a worker
///         let task: Task = line.parse()?;
///         let answer = work(&searcher, &root, &task, &Limits::unbounded())?;
///         let line = answer.to_string(); // and back
///         planner.answer(&line.parse::<Answer>()?)?;
///     }
/// }
/// let plan = planner.plan().expect("the plan has ended");
/// let searched = searcher.request(&root).limits(Limits::depth(6)).search()?;
/// assert_eq!(plan.bounds, searched.bounds);
/// # Ok(())
/// # }
/// ```
pub struct Planner<G: Game> {
    tree: Tree<G>,
    root: G::Position,
    identities: Identities,
    options: PlannerOptions,
    /// The depth of the iteration under way.
    depth: u8,
    /// The depth of the last one.
    target: u8,
    question: Question,
    /// The tasks, the most useful first; none once the plan has ended.
    open: Vec<Open>,
    /// With which window a node was handed out, until an answer about it comes or it is lost.
    handed_out: HashMap<usize, Window>,
    /// The sizes of the iterations that have ended.
    sizes: Vec<u64>,
    answers: u64,
    nodes: u64,
    contradictions: u64,
    failed: Option<PlanError>,
}

/// What a plan has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan<M> {
    /// The depth.
    pub depth: u32,
    /// The root's value at that depth, as its player sees it: both bounds are it.
    pub bounds: Bounds,
    /// At a decision root, a move whose own value equals the root's; the first that the game gives of those
    /// that are known to be.
    pub best_move: Option<M>,
    /// How many answers were taken.
    pub answers: u64,
    /// The nodes that they took, as the workers told.
    pub nodes: u64,
    /// How many incompatible proofs the workers' tables were told, as the workers told: unless it is 0, hash,
    /// game or evaluator break the contract, and the value may be wrong.
    pub contradictions: u64,
}

/// What an answer has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Tasks that were open and are not any more, because they are settled, do not matter, or were split into
    /// others: whoever is at work on one may stop. The one that was answered may be among them.
    pub closed: Vec<TaskKey>,
    /// Tasks that are still open, with windows that have become narrower: whoever is at work on one may begin
    /// anew, or go on, at the cost of some nodes.
    pub narrowed: Vec<Task>,
    /// Whether the plan has ended.
    pub has_ended: bool,
}

impl<G: Game> Planner<G> {
    /// A plan to search `root` to `depth`, 1 to [`MAX_DEPTH`], with answers of these identities: those of the
    /// game, of the workers' evaluator, and [`Reuse::Exact`].
    ///
    /// # Errors
    /// When the depth is out of range, the identities are not of the game or not of exact depths, or the game
    /// breaks its contract at the root.
    pub fn new(
        game: G,
        root: G::Position,
        depth: u32,
        identities: Identities,
        options: PlannerOptions,
    ) -> Result<Self, PlanError> {
        if !(1..=MAX_DEPTH).contains(&depth) {
            return Err(PlanError::Depth { found: depth });
        }
        if identities.reuse != Reuse::Exact {
            return Err(PlanError::Reuse { found: identities.reuse });
        }
        let own = Identities { game: game.identity(), grid: game.facts().grid, ..identities };
        check_identities(&own, &identities)?;
        let target = depth as u8;
        let first = (target - 1) % game.facts().depth_step.max(1) + 1;
        let mut planner = Planner {
            tree: Tree::new(game),
            root,
            identities,
            options,
            depth: first,
            target,
            question: Question { root: 0, names_move: false, growth: 1.0 },
            open: Vec::new(),
            handed_out: HashMap::new(),
            sizes: Vec::new(),
            answers: 0,
            nodes: 0,
            contradictions: 0,
            failed: None,
        };
        planner.begin_iteration(first)?;
        planner.plan_anew()?;
        Ok(planner)
    }

    /// The depth of the iteration under way, or of the last one.
    pub fn depth(&self) -> u32 {
        self.depth.into()
    }

    /// What is proven of the root's value at that depth, as its player sees it.
    pub fn bounds(&self) -> Bounds {
        self.tree.node(self.question.root).bounds
    }

    /// The first `limit` of the tasks that are open, the most useful first, whether or not they were handed
    /// out: there is one at least until the plan has ended or failed. Those whose answers count whatever the
    /// other answers are come first, among them the largest.
    pub fn tasks(&self, limit: usize) -> Vec<Task> {
        self.open.iter().take(limit).map(|open| self.task(open)).collect()
    }

    /// The first `limit` of the tasks that nobody has: that were not handed out since the last answer about
    /// them, or with a narrower window than they have now. They count as handed out from now on.
    pub fn hand_out(&mut self, limit: usize) -> Vec<Task> {
        let handed_out = &self.handed_out;
        let has_it = |open: &Open| {
            let had = handed_out.get(&open.number);
            had.is_some_and(|had| had.alpha <= open.window.alpha && open.window.beta <= had.beta)
        };
        let chosen: Vec<Open> = self.open.iter().copied().filter(|open| !has_it(open)).take(limit).collect();
        self.handed_out.extend(chosen.iter().map(|open| (open.number, open.window)));
        chosen.iter().map(|open| self.task(open)).collect()
    }

    /// A task that was handed out is lost: its worker is gone or takes too long. If it is still open it is
    /// handed out again. Its answer counts if it should come all the same. What was not handed out is none.
    pub fn lost(&mut self, key: &TaskKey) {
        let tree = &self.tree;
        self.handed_out.retain(|&number, _| tree.key(number) != *key);
    }

    /// Takes an answer: of any task, also one that is not open any more or never was, however late and
    /// however often it comes. What it proves is kept.
    ///
    /// # Errors
    /// When it is of other identities, its path leads nowhere or its bounds are none, in which case the plan
    /// goes on without it; when it contradicts what is known, or the game breaks its contract, in which case
    /// the plan has failed and says so to every later answer.
    pub fn answer(&mut self, answer: &Answer) -> Result<Progress, PlanError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let Answer { key, bounds, nodes, contradictions, identities } = answer;
        check_identities(&self.identities, identities)?;
        let limit = self.tree.limit;
        if !(-limit <= bounds.lower && bounds.lower <= bounds.upper && bounds.upper <= limit) {
            return Err(PlanError::Bounds { found: *bounds, limit });
        }
        if u32::from(key.depth) > MAX_DEPTH {
            return Err(PlanError::Depth { found: key.depth.into() });
        }
        let position = position_at(&self.tree.game, &self.root, &key.path)?;
        let number = self.tree.enter(position, key.depth, || key.path.clone())?;
        self.answers += 1;
        self.nodes = self.nodes.saturating_add(*nodes);
        self.contradictions = self.contradictions.saturating_add(*contradictions);
        self.handed_out.remove(&number);
        self.tree.count(number, *nodes);
        let before = std::mem::take(&mut self.open);
        let planned = self.tree.learn(number, *bounds).and_then(|()| self.plan_anew());
        if let Err(error) = planned {
            self.failed = Some(error.clone());
            self.open.clear();
            return Err(error);
        }
        Ok(self.progress(&before))
    }

    /// What the plan has found, once it has ended.
    pub fn plan(&self) -> Option<Plan<G::Move>> {
        self.has_ended().then(|| Plan {
            depth: self.depth.into(),
            bounds: self.bounds(),
            best_move: self.best_move(),
            answers: self.answers,
            nodes: self.nodes,
            contradictions: self.contradictions,
        })
    }

    /// Whether the last iteration has ended. (That nothing is open does not say so where the game has
    /// panicked meanwhile.)
    fn has_ended(&self) -> bool {
        self.depth == self.target && self.failed.is_none() && self.tree.is_answered(self.question)
    }

    fn best_move(&self) -> Option<G::Move> {
        let proven = self.question.names_move.then(|| self.tree.proven_move(self.question.root))??;
        let mut moves = Vec::new();
        self.tree.game.moves(&self.root, |mv| moves.push(mv));
        moves.get(proven).copied()
    }

    fn task(&self, open: &Open) -> Task {
        Task { key: self.tree.key(open.number), window: open.window }
    }

    /// Asks for the root at this depth. The last iteration has to name a move, which takes what is known of
    /// the root's moves.
    fn begin_iteration(&mut self, depth: u8) -> Result<(), PlanError> {
        let root = self.tree.enter(self.root.clone(), depth, Vec::new)?;
        let names_move = depth == self.target && self.tree.node(root).kind == NodeKind::Decision;
        let growth = match self.sizes[..] {
            [.., before, last] => (last as f64 / before.max(1) as f64).clamp(1.0, MAX_GROWTH),
            _ => FIRST_GROWTH,
        };
        // Only now: the game may have panicked.
        self.depth = depth;
        self.question = Question { root, names_move, growth };
        Ok(())
    }

    /// Derives bounds from below and windows from above, splits what is too large, and goes on to the next
    /// iteration where this one has ended.
    fn plan_anew(&mut self) -> Result<(), PlanError> {
        loop {
            if self.question.names_move && self.tree.can_expand(self.question.root) {
                self.tree.expand(self.question.root)?;
            }
            let upwards = self.tree.upwards(self.question.root)?;
            self.tree.derive(&upwards)?;
            if self.tree.is_answered(self.question) {
                self.open.clear();
                if self.depth == self.target {
                    return Ok(());
                }
                self.sizes.push(self.tree.node(self.question.root).size);
                self.begin_iteration(self.depth + self.tree.game.facts().depth_step.max(1))?;
                continue;
            }
            self.open = self.tree.open(self.question, &upwards);
            assert!(!self.open.is_empty(), "a root that is open leaves something to ask");
            if !self.split_large()? {
                let open: HashSet<usize> = self.open.iter().map(|open| open.number).collect();
                self.handed_out.retain(|number, _| open.contains(number));
                return Ok(());
            }
        }
    }

    /// Expands the positions of tasks that are too large; whether there were any.
    fn split_large(&mut self) -> Result<bool, PlanError> {
        let PlannerOptions { split_above, parts } = self.options;
        let expected = self.open.iter().fold(0u64, |sum, open| sum.saturating_add(open.expected));
        let most = split_above.max(1).max(expected / u64::from(parts.max(1)));
        let is_large = |open: &&Open| open.expected > most && self.tree.can_expand(open.number);
        let large: Vec<usize> = self.open.iter().filter(is_large).map(|open| open.number).collect();
        large.iter().try_for_each(|&number| self.tree.expand(number))?;
        Ok(!large.is_empty())
    }

    /// What has changed since these tasks were open.
    fn progress(&self, before: &[Open]) -> Progress {
        let now: HashMap<usize, Window> = self.open.iter().map(|open| (open.number, open.window)).collect();
        let mut progress = Progress { has_ended: self.has_ended(), ..Progress::default() };
        for open in before {
            match now.get(&open.number) {
                None => progress.closed.push(self.tree.key(open.number)),
                Some(&window) if window == open.window => {}
                Some(&window) if open.window.alpha <= window.alpha && window.beta <= open.window.beta => {
                    progress.narrowed.push(Task { key: self.tree.key(open.number), window });
                }
                Some(_) => {} // wider: it is handed out anew
            }
        }
        progress
    }
}

fn check_identities(own: &Identities, found: &Identities) -> Result<(), PlanError> {
    match own.difference(found) {
        None => Ok(()),
        Some((what, expected, found)) => Err(PlanError::Identity { what, found, expected }),
    }
}

impl<G: Game> fmt::Debug for Planner<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planner")
            .field("depth", &self.depth)
            .field("bounds", &self.bounds())
            .field("positions", &self.tree.len())
            .field("open", &self.open.len())
            .field("answers", &self.answers)
            .finish_non_exhaustive()
    }
}
