//! A search as tasks for workers elsewhere: whatever becomes of tasks and answers on their way, and whatever
//! the workers' tables, options and threads, the plan's value is the oracle's to the last bit, its move is a
//! best one, and it ends if settling answers keep coming; what a search in a window says is proven; lines
//! that are none are errors.

use crate::common::campaign;
use crate::common::carried::Carried;
use crate::common::erased::Seeing;
use crate::common::faulty::{Fault, Faulty};
use crate::common::foresight::{Foreseeing, Telling};
use crate::common::forms::forms;
use crate::common::graphs::{affordable_depth_of, rewards, root_of, shapes};
use crate::common::oracle::Oracle;
use crate::common::quiet::quieten_planned_panics;
use crate::common::splits::eager;
use crate::common::techniques::techniques;
use crate::common::verdict::{Graph, assert_happened, check_best_move};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use starsplit::evaluator::{Evaluator, HashRandom, mix64};
use starsplit::game::{Game, NodeKind};
use starsplit::score::{Bounds, Grid, Score, Window};
use starsplit::search::{
    Limits, Method, Options, Proof, SearchDepth, SearchError, Splits, StopFlag, StopReason,
};
use starsplit::table::{LocklessTable, NoTable, Reuse, Table};
use starsplit::{Pool, Searcher};
use starsplit_planner::{
    Answer, Identities, LineError, PathError, PlanError, Planner, PlannerOptions, Task, TaskKey, WorkError,
    position_at, work,
};
use starsplit_testkit::{
    EdgePlies, GraphPosition, GraphShape, PliedGraph, RandomGraph, RewardedGraph, Rewards,
};
use std::cell::RefCell;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::slice::from_ref;
use std::sync::LazyLock;

/// How many plans are completed each time, and how many where there is time.
const PLANS: u32 = 10_000;
const MANY_PLANS: u32 = 100_000;

/// The deepest plan, where the whole tree is small enough.
const DEEPEST: u32 = 8;

/// The greatest whole tree below a root.
const NODES: u64 = 1_500;

/// A plan that takes more answers than this does not end.
const ENDLESS: u64 = 20_000;

/// How many threads the workers have that do not work alone.
const THREADS: usize = 2;

/// A graph with a plan for it, and who works at it.
#[derive(Clone, Debug)]
struct Case {
    shape: GraphShape,
    /// Rewards and plies; without them each edge takes one ply.
    edges: Option<(Rewards, EdgePlies)>,
    seed: u64,
    root: u32,
    /// How many plies short of the affordable depth.
    shallower: u32,
    options: PlannerOptions,
    workers: Vec<Hand>,
}

/// A worker: its options, and the buckets of its table; without any it keeps nothing.
#[derive(Clone, Debug)]
struct Hand {
    options: Options,
    buckets: u64,
}

fn hands() -> impl Strategy<Value = Vec<Hand>> {
    let threads = prop_oneof![5 => Just(1), 1 => Just(THREADS)];
    let hand = (prop::sample::select(forms()), prop::sample::select(Method::ALL.to_vec()), threads);
    let hand = (hand, techniques(), prop::sample::select(vec![0u64, 1, 4, 64]), 0u8..=3);
    let hand = hand.prop_map(|((form, method, threads), techniques, buckets, table_depth)| {
        let (algorithm, table_use) = form;
        let splits = threads > 1;
        let options = Options {
            algorithm,
            table_use,
            method: if splits { method } else { Method::default() },
            reuse: Reuse::Exact,
            threads,
            splits: Splits { alone: splits, ..eager(Some(2)) },
            table_depth: Some(table_depth),
            ..techniques
        };
        Hand { options, buckets }
    });
    prop::collection::vec(hand, 1..=4)
}

fn cases() -> impl Strategy<Value = Case> {
    let plies = (0u32..50, 0u32..50, 2u8..=5).prop_map(|(none_percent, more_percent, most)| EdgePlies {
        none_percent,
        more_percent,
        most,
    });
    let graphs = shapes().prop_flat_map(move |shape| {
        let limit = shape.limit;
        (Just(shape), prop::option::of((rewards(limit), plies.clone())))
    });
    let split_above = prop_oneof![Just(0u64), 1u64..20, 20u64..500, Just(1_000_000)];
    let options = (split_above, prop_oneof![Just(0u32), Just(4), Just(1_000_000)])
        .prop_map(|(split_above, parts)| PlannerOptions { split_above, parts });
    let root = (any::<u32>(), prop_oneof![2 => Just(0u32), 1 => 1u32..4]);
    (graphs, any::<u64>(), root, options, hands()).prop_map(
        |((shape, edges), seed, (root, shallower), options, workers)| Case {
            shape,
            edges,
            seed,
            root,
            shallower,
            options,
            workers,
        },
    )
}

/// What the plans of a campaign have met.
#[derive(Debug, Default)]
struct Counts {
    plans: u64,
    decision_roots: u64,
    chance_roots: u64,
    answers: u64,
    most_answers: u64,
    /// Tasks two steps or more below the root: the root itself is split to find its best move.
    split: u64,
    /// Tasks of depth 0.
    leaves: u64,
    lost: u64,
    duplicates: u64,
    late: u64,
    /// Answers to tasks that were open no more, and to tasks with another window than they have now.
    out_of_date: u64,
    of_earlier_windows: u64,
    /// Windows that an answer to another task has narrowed, that had become wider, and that a worker
    /// narrowed.
    narrowed: u64,
    widened: u64,
    cut_down: u64,
    /// Answers about positions and depths at random, and about the root at the plan's depth.
    unasked: u64,
    of_root: u64,
    /// Answers that did not settle what was asked.
    unsettling: u64,
    by_threads: u64,
    without_table: u64,
    with_plies: u64,
}

/// Does a task by a worker.
type Work<'a> = Box<dyn Fn(&Task, &Limits) -> Result<Answer, WorkError> + 'a>;

fn worker<'a, G: Game + 'a, E: Evaluator<G> + 'a, T: Table + 'a>(
    searcher: Searcher<G, E, T>,
    root: &'a G::Position,
) -> Work<'a> {
    static POOL: LazyLock<Pool> = LazyLock::new(|| Pool::new(THREADS).expect("the system starts them"));
    let is_team = searcher.options().threads > 1;
    let searcher = if is_team { searcher.with_pool(POOL.clone()) } else { searcher };
    Box::new(move |task, limits| work(&searcher, root, task, limits))
}

/// Numbers drawn one after another.
struct Draws(u64);

impl Draws {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix64(mix64(self.0)) % end
    }

    fn one_in(&mut self, parts: u64) -> bool {
        self.below(parts) == 0
    }

    fn of<T>(&mut self, things: &mut Vec<T>) -> Option<T> {
        if things.is_empty() {
            None
        } else {
            Some(things.swap_remove(self.below(things.len() as u64) as usize))
        }
    }
}

fn try_case(case: &Case, counts: &RefCell<Counts>) -> Result<(), TestCaseError> {
    let graph = RandomGraph::new(&case.shape, case.seed).expect("the shape is within its limits");
    let root = root_of(&graph, case.root);
    let evaluator = Carried::new(case.seed, case.shape.limit, false);
    let tables: Vec<_> = case
        .workers
        .iter()
        .map(|hand| LocklessTable::with_buckets(hand.buckets.max(1)).expect("a small table"))
        .collect();
    let hands = || case.workers.iter().zip(&tables);
    let completed = match case.edges {
        None => {
            let workers = hands().map(|(hand, table)| {
                let (game, options) = (graph.clone(), hand.options.clone());
                if hand.buckets == 0 {
                    worker(Searcher::new(game, Seeing::of(evaluator), NoTable).with_options(options), &root)
                } else {
                    worker(Searcher::new(game, Seeing::of(evaluator), table).with_options(options), &root)
                }
            });
            Completion::new(case, &graph, &evaluator, root, workers.collect()).complete(counts)
        }
        Some((rewards, plies)) => {
            let graph = RewardedGraph::new(graph, rewards).expect("the rewards are within their limits");
            let graph = PliedGraph::new(graph, plies).expect("the plies are within their limits");
            let workers = hands().map(|(hand, table)| {
                let searcher = Searcher::new(graph.clone(), evaluator, table);
                worker(searcher.with_options(hand.options.clone()), &root)
            });
            Completion::new(case, &graph, &evaluator, root, workers.collect()).complete(counts)
        }
    };
    completed.map_err(TestCaseError::fail)
}

/// A plan on its way, with everything that may happen to its tasks.
struct Completion<'a, G: Graph> {
    case: &'a Case,
    game: &'a G,
    oracle: Oracle<'a, G, Carried>,
    root: GraphPosition,
    depth: u32,
    identities: Identities,
    planner: Planner<G>,
    workers: Vec<Work<'a>>,
    draws: Draws,
    /// Tasks that somebody has.
    under_way: Vec<Task>,
    /// Tasks that are lost and that nobody has missed so far.
    missing: Vec<TaskKey>,
    /// Answers on their way, with the number of answers that had come when they were sent.
    sent: Vec<(Answer, u64)>,
    came: u64,
}

impl<'a, G: Graph + Clone> Completion<'a, G> {
    fn new(
        case: &'a Case,
        game: &'a G,
        evaluator: &'a Carried,
        root: GraphPosition,
        workers: Vec<Work<'a>>,
    ) -> Self {
        let affordable = affordable_depth_of(game, root, DEEPEST, NODES);
        let depth = affordable.saturating_sub(case.shallower).max(1);
        let identities = Identities::new(game, evaluator, Reuse::Exact);
        let planner = Planner::new(game.clone(), root, depth, identities, case.options);
        Completion {
            case,
            game,
            oracle: Oracle::new(game, evaluator),
            root,
            depth,
            identities,
            planner: planner.expect("a plan for a game that keeps its contract"),
            workers,
            draws: Draws(case.seed),
            under_way: Vec::new(),
            missing: Vec::new(),
            sent: Vec::new(),
            came: 0,
        }
    }

    /// Until the plan has ended, one thing after another.
    fn complete(mut self, counts: &RefCell<Counts>) -> Result<(), String> {
        let mut counts = counts.borrow_mut();
        while self.planner.plan().is_none() {
            if self.came > ENDLESS {
                return Err(format!("no end after {ENDLESS} answers: {:?}", self.planner));
            }
            self.hand_out(&mut counts);
            match self.draws.below(16) {
                0..4 => self.lose(&mut counts),
                4..8 => self.deliver(&mut counts)?,
                8 => self.volunteer(&mut counts)?,
                _ => self.work(&mut counts)?,
            }
        }
        self.judge(&mut counts)
    }

    fn hand_out(&mut self, counts: &mut Counts) {
        let mut tasks = self.planner.hand_out(self.draws.below(4) as usize);
        if self.draws.one_in(10) {
            // Whether somebody has it or not.
            let open = self.planner.tasks(usize::MAX);
            tasks.extend(open.get(self.draws.below(open.len() as u64) as usize).cloned());
        }
        if tasks.is_empty() && self.under_way.is_empty() && self.sent.is_empty() {
            for key in self.missing.drain(..) {
                self.planner.lost(&key);
            }
        }
        counts.split += tasks.iter().filter(|task| task.key.path.len() > 1).count() as u64;
        counts.leaves += tasks.iter().filter(|task| task.key.depth == 0).count() as u64;
        self.under_way.extend(tasks);
    }

    fn lose(&mut self, counts: &mut Counts) {
        if !self.draws.one_in(3) {
            return;
        }
        if let Some(task) = self.draws.of(&mut self.under_way) {
            counts.lost += 1;
            if self.draws.one_in(2) {
                self.planner.lost(&task.key);
            } else {
                self.missing.push(task.key);
            }
        }
    }

    /// One of the answers that were kept back comes.
    fn deliver(&mut self, counts: &mut Counts) -> Result<(), String> {
        let Some((answer, sent)) = self.draws.of(&mut self.sent) else { return Ok(()) };
        counts.late += u64::from(self.came >= sent + 5);
        self.take(&answer, None, counts)
    }

    /// A worker does one of the tasks under way, or a part of what it asks.
    fn work(&mut self, counts: &mut Counts) -> Result<(), String> {
        let Some(task) = self.draws.of(&mut self.under_way) else { return Ok(()) };
        let task: Task = task.to_string().parse().map_err(|error| format!("{error} in {task}"))?;
        let asked = self.cut_down(&task, counts);
        let limits = match self.draws.one_in(8) {
            true => Limits::unbounded().with_nodes(self.draws.below(400)),
            false => Limits::unbounded(),
        };
        let index = self.draws.below(self.workers.len() as u64) as usize;
        let answer = (self.workers[index])(&asked, &limits).map_err(|error| format!("{error} at {asked}"))?;
        let hand = &self.case.workers[index];
        counts.by_threads += u64::from(hand.options.threads > 1);
        counts.without_table += u64::from(hand.buckets == 0);
        let line = answer.to_string();
        let answer = match line.parse::<Answer>() {
            Ok(read) if read == answer => read,
            other => return Err(format!("{other:?} of {line}")),
        };
        self.check_answer(&asked, &limits, &answer)?;
        counts.unsettling += u64::from(!task.window.is_settled_by(answer.bounds));
        match self.draws.below(6) {
            0 | 1 => self.sent.push((answer, self.came)),
            2 => {
                counts.duplicates += 1;
                self.sent.push((answer.clone(), self.came));
                self.take(&answer, Some(task.window), counts)?;
            }
            _ => self.take(&answer, Some(task.window), counts)?,
        }
        Ok(())
    }

    /// Somebody tells what nobody asked for: of the root itself, or of something below it.
    fn volunteer(&mut self, counts: &mut Counts) -> Result<(), String> {
        let is_root = self.draws.one_in(3);
        let (mut path, mut position) = (Vec::new(), self.root);
        for _ in 0..if is_root { 0 } else { self.draws.below(4) } {
            let mut count = 0;
            match self.game.kind(&position) {
                NodeKind::Decision => self.game.moves(&position, |_| count += 1),
                NodeKind::Chance => self.game.outcomes(&position, |_, _| count += 1),
                NodeKind::Terminal => break,
            }
            path.push(self.draws.below(count) as u32);
            position = position_at(self.game, &self.root, &path).expect("there are so many");
        }
        let depth = if is_root { self.depth } else { self.draws.below(self.depth.into()) as u32 };
        let limit = self.game.facts().grid.limit();
        let key = TaskKey { path, depth: depth as u8 };
        let value = self.oracle.value(&position, depth) as Score;
        let below = self.draws.below((value + limit) as u64 + 1) as Score;
        let above = self.draws.below((limit - value) as u64 + 1) as Score;
        let bounds = match self.draws.below(3) {
            0 => Bounds::exactly(value),
            1 => Bounds::new(value - below, value),
            _ => Bounds::new(value - below, value + above),
        };
        (counts.unasked, counts.of_root) = (counts.unasked + 1, counts.of_root + u64::from(is_root));
        self.take(
            &Answer { key, bounds, nodes: 1, contradictions: 0, identities: self.identities },
            None,
            counts,
        )
    }

    /// The task, or a part of its window.
    fn cut_down(&mut self, task: &Task, counts: &mut Counts) -> Task {
        let Window { alpha, beta } = task.window;
        if !self.draws.one_in(8) {
            return task.clone();
        }
        counts.cut_down += 1;
        let alpha = alpha + self.draws.below((beta - alpha) as u64) as Score;
        let beta = alpha + 1 + self.draws.below((beta - alpha) as u64) as Score;
        Task { window: Window::new(alpha, beta), ..task.clone() }
    }

    /// Whether what a worker says holds, and settles what it was asked if nothing stopped it.
    fn check_answer(&mut self, asked: &Task, limits: &Limits, answer: &Answer) -> Result<(), String> {
        let position = position_at(self.game, &self.root, &answer.key.path).expect("the worker found it");
        let value = self.oracle.value(&position, answer.key.depth.into()) as Score;
        if !(answer.bounds.lower..=answer.bounds.upper).contains(&value) {
            return Err(format!("{answer} for {asked}, expected {value}"));
        }
        if limits.nodes.is_none() && !asked.window.is_settled_by(answer.bounds) {
            return Err(format!("{answer} does not settle {asked}"));
        }
        Ok(())
    }

    /// The planner takes an answer; `asked` is the whole task's window, where it is known.
    fn take(&mut self, answer: &Answer, asked: Option<Window>, counts: &mut Counts) -> Result<(), String> {
        let before = self.planner.tasks(usize::MAX);
        let open = before.iter().find(|task| task.key == answer.key);
        counts.out_of_date += u64::from(open.is_none());
        counts.of_earlier_windows +=
            u64::from(open.is_some_and(|open| asked.is_some_and(|asked| asked != open.window)));
        let progress = self.planner.answer(answer).map_err(|error| error.to_string())?;
        self.came += 1;
        counts.answers += 1;
        counts.narrowed += progress.narrowed.iter().filter(|task| task.key != answer.key).count() as u64;
        let after = self.planner.tasks(usize::MAX);
        if progress.has_ended != after.is_empty() || progress.has_ended != self.planner.plan().is_some() {
            return Err(format!("{} tasks after {progress:?}", after.len()));
        }
        if let Some(empty) = after.iter().find(|task| task.window.is_empty()) {
            return Err(format!("{empty} has an empty window"));
        }
        if let Some(open) = open
            && open.window.is_settled_by(answer.bounds)
            && after.contains(open)
        {
            return Err(format!("{answer} settles {open}, which is as open as before"));
        }
        for old in &before {
            let new = after.iter().find(|task| task.key == old.key);
            let is_closed = progress.closed.contains(&old.key);
            if is_closed != new.is_none() {
                return Err(format!("{old} is {new:?} after {progress:?}"));
            }
            let is_wider =
                |new: &Task| new.window.alpha < old.window.alpha || new.window.beta > old.window.beta;
            counts.widened += u64::from(new.is_some_and(is_wider));
        }
        // A worker hears of narrower windows, or does not.
        for narrower in progress.narrowed {
            let mut same = self.under_way.iter_mut().filter(|task| task.key == narrower.key);
            if let Some(task) = same.next()
                && self.draws.one_in(2)
            {
                *task = narrower;
            }
        }
        self.check_root()
    }

    /// Whether what is proven of the root at each moment holds.
    fn check_root(&mut self) -> Result<(), String> {
        let (depth, bounds) = (self.planner.depth(), self.planner.bounds());
        let value = self.oracle.value(&self.root, depth) as Score;
        let holds = (bounds.lower..=bounds.upper).contains(&value);
        if holds { Ok(()) } else { Err(format!("{bounds:?} of {value} at depth {depth}")) }
    }

    fn judge(&mut self, counts: &mut Counts) -> Result<(), String> {
        let plan = self.planner.plan().expect("it has ended");
        let value = self.oracle.value(&self.root, self.depth) as Score;
        if plan.bounds != Bounds::exactly(value) || plan.depth != self.depth || plan.answers != self.came {
            return Err(format!("{plan:?}, expected {value} at depth {}", self.depth));
        }
        check_best_move(self.game, &mut self.oracle, &self.root, self.depth, plan.best_move, value)?;
        // What comes when all is over changes nothing.
        while let Some((answer, _)) = self.sent.pop() {
            counts.late += 1;
            self.planner.answer(&answer).map_err(|error| error.to_string())?;
        }
        let still = self.planner.plan().map(|plan| plan.bounds);
        if still != Some(plan.bounds) {
            return Err(format!("{still:?} after {plan:?}"));
        }
        let is_decision = self.game.kind(&self.root) == NodeKind::Decision;
        counts.decision_roots += u64::from(is_decision);
        counts.chance_roots += u64::from(!is_decision);
        counts.plans += 1;
        counts.with_plies += u64::from(G::STEPS.plies);
        counts.most_answers = counts.most_answers.max(self.came);
        Ok(())
    }
}

fn campaign(plans: u32) -> Counts {
    let counts = RefCell::default();
    campaign::run(plans, 7, &cases(), |case| try_case(&case, &counts));
    counts.into_inner()
}

fn complete_plans(plans: u32) {
    let counts = campaign(plans);
    let (plans, some) = (u64::from(plans), u64::from(plans) / 10);
    println!("{counts:?}");
    assert_happened(&[
        ("plans", counts.plans, plans),
        ("plans at decision nodes", counts.decision_roots, some),
        ("plans at chance nodes", counts.chance_roots, some),
        ("plans with plies and rewards", counts.with_plies, some),
        ("answers", counts.answers, 10 * plans),
        ("most answers to a plan", counts.most_answers, 100),
        ("tasks below the root's successors", counts.split, 5 * plans),
        ("tasks of one evaluation", counts.leaves, plans),
        ("tasks lost", counts.lost, plans),
        ("answers sent twice", counts.duplicates, plans),
        ("late answers", counts.late, plans),
        ("answers to tasks that were open no more", counts.out_of_date, plans),
        ("answers to tasks whose windows had changed", counts.of_earlier_windows, some),
        ("windows narrowed by other tasks' answers", counts.narrowed, plans),
        ("windows that became wider", counts.widened, plans / 50),
        ("windows narrowed by workers", counts.cut_down, plans),
        ("answers that nobody asked for", counts.unasked, plans),
        ("answers about the root at the plan's depth", counts.of_root, some),
        ("answers that settled nothing", counts.unsettling, some),
        ("answers by several threads", counts.by_threads, some),
        ("answers without a table", counts.without_table, some),
    ]);
}

#[test]
fn ten_thousand_plans_come_to_the_oracles_value_whatever_becomes_of_tasks_and_answers() {
    complete_plans(PLANS);
}

#[test]
#[ignore = "takes half a minute in a release build"]
fn a_hundred_thousand_plans_come_to_the_oracles_value() {
    complete_plans(MANY_PLANS);
}

/// A small game with an evaluator, for what takes no chance.
fn small(seed: u64) -> (RandomGraph, Carried) {
    let shape = GraphShape { limit: [4, 1 << 20][seed as usize % 2], ..GraphShape::default() };
    let graph = RandomGraph::new(&shape, seed).expect("the shape is within its limits");
    (graph, Carried::new(seed, shape.limit, false))
}

/// A plan for it that is split wherever it can be.
fn split_plan(seed: u64, depth: u32) -> (Planner<RandomGraph>, Carried, Identities) {
    let (graph, evaluator) = small(seed);
    let identities = Identities::new(&graph, &evaluator, Reuse::Exact);
    let options = PlannerOptions { split_above: 1, parts: u32::MAX };
    let root = graph.start();
    (Planner::new(graph, root, depth, identities, options).expect("a plan"), evaluator, identities)
}

/// Takes answers of a worker that tells the truth until the plan ends, or refuses one.
fn complete_truly(planner: &mut Planner<RandomGraph>, seed: u64) -> Result<(), PlanError> {
    let (graph, evaluator) = small(seed);
    let root = graph.start();
    let searcher = Searcher::new(graph, Seeing::of(evaluator), NoTable);
    while planner.plan().is_none() {
        for task in planner.tasks(3) {
            let answer = work(&searcher, &root, &task, &Limits::unbounded()).expect("a task");
            planner.answer(&answer)?;
        }
    }
    Ok(())
}

/// Whether the plan has failed for good, and why.
fn assert_failed(planner: &mut Planner<RandomGraph>, error: &PlanError, answer: &Answer) {
    assert!(matches!(error, PlanError::Contradiction { .. }), "{error}");
    assert_eq!(planner.answer(answer), Err(error.clone()));
    assert_eq!((planner.plan(), planner.tasks(9), planner.hand_out(9)), (None, vec![], vec![]));
}

/// Of a decision root a value is told that is too great before anything is known: no move can be worth it. Of
/// any root one is told that is false after all is known.
#[test]
fn a_false_answer_is_a_contradiction_once_the_truth_is_known() {
    let depth = 4;
    let (mut early, mut late) = (0, 0);
    for seed in 0..300 {
        let (mut planner, evaluator, identities) = split_plan(seed, depth);
        let (graph, _) = small(seed);
        let value = Oracle::new(&graph, &evaluator).value(&graph.start(), depth) as Score;
        let is_decision = graph.kind(&graph.start()) == NodeKind::Decision;
        let key = TaskKey { path: Vec::new(), depth: depth as u8 };
        let told = |score| Answer {
            key: key.clone(),
            bounds: Bounds::exactly(score),
            nodes: 1,
            contradictions: 0,
            identities,
        };
        let lie = told(if value < graph.facts().grid.limit() { value + 1 } else { value - 1 });
        if is_decision && lie.bounds.lower > value {
            planner.answer(&lie).expect("nothing else is known");
            let error = complete_truly(&mut planner, seed).expect_err("the truth contradicts it");
            assert_failed(&mut planner, &error, &lie);
            early += 1;
            continue;
        }
        complete_truly(&mut planner, seed).expect("the truth");
        let error = planner.answer(&lie).expect_err("the truth is known");
        let known = Bounds::exactly(value);
        assert_eq!(error, PlanError::Contradiction { key: key.clone(), known, found: lie.bounds });
        assert_failed(&mut planner, &error, &told(value));
        late += 1;
    }
    assert_happened(&[("told before the truth", early, 50), ("told after it", late, 50)]);
}

/// A planner that is lied to may find something false, where nothing contradicts it; but it comes to an end.
#[test]
fn a_plan_ends_whatever_it_is_told() {
    let (mut found, mut failed, mut wrong) = (0, 0, 0);
    for seed in 0..2_000 {
        let (mut planner, evaluator, identities) = split_plan(seed, 4);
        let (graph, mut draws, mut answers) = (small(seed).0, Draws(seed), 0);
        let (root, limit) = (graph.start(), graph.facts().grid.limit());
        let searcher = Searcher::new(graph.clone(), Seeing::of(evaluator), NoTable);
        let error = loop {
            let Some(task) = draws.of(&mut planner.tasks(usize::MAX)) else { break None };
            let mut answer = work(&searcher, &root, &task, &Limits::unbounded()).expect("a task");
            if draws.one_in(10) {
                let (one, other) = (draws.below(2 * limit as u64 + 1), draws.below(2 * limit as u64 + 1));
                let (one, other) = (one as Score - limit, other as Score - limit);
                answer.bounds = Bounds::new(one.min(other), one.max(other));
            }
            if let Err(error) = planner.answer(&answer) {
                let truth = Answer {
                    bounds: Bounds::unknown(limit),
                    nodes: 1,
                    contradictions: 0,
                    identities,
                    ..answer
                };
                assert_failed(&mut planner, &error, &truth);
                break Some(error);
            }
            answers += 1;
            assert!(answers < ENDLESS, "{planner:?}");
        };
        failed += u64::from(error.is_some());
        if error.is_none() {
            found += 1;
            let value = Oracle::new(&graph, &evaluator).value(&root, 4) as Score;
            wrong += u64::from(planner.plan().map(|plan| plan.bounds) != Some(Bounds::exactly(value)));
        }
    }
    assert_happened(&[
        ("plans that failed", failed, 100),
        ("plans that ended", found, 100),
        ("of these with a false value", wrong, 10),
    ]);
}

#[test]
fn answers_of_anything_else_are_refused_and_the_plan_goes_on() {
    let (mut planner, _, identities) = split_plan(1, 4);
    let task = planner.tasks(1).pop().expect("a task");
    let with = |identities| Answer {
        key: task.key.clone(),
        bounds: Bounds::exactly(0),
        nodes: 1,
        contradictions: 0,
        identities,
    };
    let (low, high) = identities.grid.range();
    let limit = identities.grid.limit();
    for (what, other) in [
        ("game", Identities { game: 0xabc, ..identities }),
        ("evaluator", Identities { evaluator: 0xabc, ..identities }),
        ("grid", Identities { grid: Grid::with_limit(low, high, limit - 1).unwrap(), ..identities }),
        ("grid", Identities { grid: Grid::with_limit(low, high * 2.0, limit).unwrap(), ..identities }),
        ("reuse", Identities { reuse: Reuse::AtLeast, ..identities }),
    ] {
        let error = planner.answer(&with(other)).expect_err("other identities");
        let PlanError::Identity { what: found, found: given, expected } = &error else { panic!("{error}") };
        assert_eq!(*found, what);
        assert!(given != expected, "{error}");
        assert_eq!(error.to_string(), format!("{what} {given}: expected {expected}, of which the plan is"));
    }
    let refused = |bounds, path: &[u32]| {
        let key = TaskKey { path: path.to_vec(), ..task.key };
        Answer { key, bounds, ..with(identities) }
    };
    for (answer, message) in [
        (refused(Bounds::new(1, 0), &[]), "bounds 1 to 0: expected two scores"),
        (refused(Bounds::new(0, limit + 1), &[]), "expected two scores from"),
        (refused(Bounds::new(-limit - 1, 0), &[]), "the second no less than the first"),
        (
            refused(Bounds::exactly(0), &[u32::MAX]),
            "step 1 of the path is 4294967295: expected a number below",
        ),
        (
            Answer { key: TaskKey { path: vec![], depth: 255 }, ..with(identities) },
            "depth 255: expected 1 to 254",
        ),
    ] {
        let error = planner.answer(&answer).expect_err("no answer").to_string();
        assert!(error.contains(message) && error.lines().count() == 1, "{error}");
    }
    // The greatest depth is one, and an answer about it may come from anywhere.
    let key = TaskKey { path: vec![], depth: 254 };
    let deepest = Answer { key, bounds: Bounds::unknown(limit), ..with(identities) };
    planner.answer(&deepest).expect("a depth");
    assert!(planner.tasks(9).contains(&task));
    complete_truly(&mut planner, 1).expect("the plan has taken none of these");
}

#[test]
fn plans_that_cannot_be_are_refused() {
    let (graph, evaluator) = small(1);
    let identities = Identities::new(&graph, &evaluator, Reuse::Exact);
    let plan = |depth, identities| {
        let options = PlannerOptions::default();
        Planner::new(graph.clone(), graph.start(), depth, identities, options).err().map(|e| e.to_string())
    };
    assert_eq!(plan(254, identities), None);
    let depth = plan(0, identities).expect("an error");
    assert!(depth.starts_with("depth 0: expected 1 to 254"), "{depth}");
    let depth = plan(255, identities).expect("an error");
    assert!(depth.starts_with("depth 255: expected 1 to 254"), "{depth}");
    let at_least = plan(3, Identities { reuse: Reuse::AtLeast, ..identities }).expect("an error");
    assert!(at_least.starts_with("reuse at-least: expected exact"), "{at_least}");
    let other = plan(3, Identities { game: 7, ..identities }).expect("an error");
    assert!(other.starts_with("game 0x7: expected 0x"), "{other}");
}

/// A search would find it as well; here whoever works has a sound game.
#[test]
fn a_game_that_breaks_its_contract_is_named() {
    for (fault, kind, expected) in [
        (Fault::ZeroWeight, NodeKind::Chance, SearchError::ZeroWeight),
        (Fault::HeavyWeights, NodeKind::Chance, SearchError::TotalWeight { total: 1 << 32 }),
        (Fault::NoOutcomes, NodeKind::Chance, SearchError::TotalWeight { total: 0 }),
        (Fault::NoMoves, NodeKind::Decision, SearchError::NoMoves),
    ] {
        let (graph, evaluator) = small(4);
        let root = graph.positions().find(|position| graph.kind(position) == kind).expect("both kinds");
        let searcher = Searcher::new(graph.clone(), Seeing::of(evaluator), NoTable);
        let identities = Identities::new(&graph, &evaluator, Reuse::Exact);
        let options = PlannerOptions { split_above: 0, ..PlannerOptions::default() };
        let game = Faulty::new(graph, fault);
        let mut planner = Planner::new(game, root, 4, identities, options).expect("nothing was asked yet");
        let error = loop {
            let task = planner.hand_out(1).remove(0);
            let answer = work(&searcher, &root, &task, &Limits::unbounded()).expect("a task");
            if let Err(error) = planner.answer(&answer) {
                break error;
            }
        };
        assert_eq!(error, PlanError::Game(expected));
    }
}

/// Whenever the game panics, also where the next iteration begins, the plan has ended only if it has a value.
#[test]
fn a_plan_whose_game_panics_has_no_value_of_another_depth() {
    quieten_planned_panics();
    let (graph, evaluator) = small(4);
    let (root, depth) = (graph.start(), 5);
    let searcher = Searcher::new(graph.clone(), Seeing::of(evaluator), NoTable);
    let identities = Identities::new(&graph, &evaluator, Reuse::Exact);
    let value = Bounds::exactly(Oracle::new(&graph, &evaluator).value(&root, depth) as Score);
    let mut panics = 0;
    for number in 1..=60 {
        let game = Faulty::new(graph.clone(), Fault::PanicAtKind(number));
        let begin = || Planner::new(game, root, depth, identities, PlannerOptions::default());
        let Ok(planner) = catch_unwind(AssertUnwindSafe(begin)) else { continue };
        let mut planner = planner.expect("a plan");
        while let Some(task) = planner.hand_out(1).pop() {
            let answer = work(&searcher, &root, &task, &Limits::unbounded()).expect("a task");
            if catch_unwind(AssertUnwindSafe(|| planner.answer(&answer))).is_err() {
                panics += 1;
                break;
            }
        }
        assert!(planner.plan().is_none_or(|plan| plan.bounds == value), "panic {number}: {planner:?}");
    }
    assert!(panics >= 5, "{panics} answers whose game panicked");
}

#[test]
fn a_root_that_is_over_is_a_plan_that_has_ended() {
    let (graph, evaluator) = small(2);
    let over =
        graph.positions().find(|position| graph.kind(position) == NodeKind::Terminal).expect("a terminal");
    let identities = Identities::new(&graph, &evaluator, Reuse::Exact);
    let planner =
        Planner::new(graph.clone(), over, 5, identities, PlannerOptions::default()).expect("a plan");
    let plan = planner.plan().expect("there is nothing to do");
    assert_eq!((plan.depth, plan.best_move, plan.answers), (5, None, 0));
    assert_eq!(plan.bounds, Bounds::exactly(graph.terminal_score(&over)));
}

#[test]
fn a_plan_tells_how_many_contradictions_its_workers_have_told() {
    let (mut planner, evaluator, _) = split_plan(3, 5);
    let (graph, _) = small(3);
    let (root, searcher) = (graph.start(), Searcher::new(graph, Seeing::of(evaluator), NoTable));
    while planner.plan().is_none() {
        let task = planner.tasks(1).pop().expect("the plan has not ended");
        let answer = work(&searcher, &root, &task, &Limits::unbounded()).expect("a task");
        assert_eq!(answer.contradictions, 0);
        planner.answer(&Answer { contradictions: 2, ..answer }).expect("an answer");
    }
    let plan = planner.plan().expect("it has ended");
    assert_eq!(plan.contradictions, 2 * plan.answers);
}

/// What is handed out is not handed out again, unless it is lost, or answered and still open, or wider.
#[test]
fn a_task_is_handed_out_again_when_it_is_lost_or_not_settled() {
    let (mut planner, _, identities) = split_plan(3, 5);
    let task = planner.hand_out(9).pop().expect("the first iteration is one task");
    assert_eq!(planner.hand_out(9), []);
    assert_eq!(planner.tasks(9), from_ref(&task));
    planner.lost(&TaskKey { depth: 200, ..task.key.clone() });
    assert_eq!(planner.hand_out(9), []);
    planner.lost(&task.key);
    assert_eq!(planner.hand_out(9), from_ref(&task));
    let Window { alpha, beta } = task.window;
    let nothing = Answer {
        key: task.key.clone(),
        bounds: Bounds::new(alpha, beta),
        nodes: 0,
        contradictions: 0,
        identities,
    };
    let progress = planner.answer(&nothing).expect("an answer that says nothing");
    assert_eq!((progress.closed, progress.narrowed, progress.has_ended), (vec![], vec![], false));
    assert_eq!(planner.hand_out(9), from_ref(&task));
    let narrower = Answer { bounds: Bounds::new(alpha, beta - 1), ..nothing };
    let progress = planner.answer(&narrower).expect("an answer that says little");
    let rest = Task { window: Window::new(alpha, beta - 1), ..task };
    assert_eq!(progress.narrowed, from_ref(&rest));
    assert_eq!(planner.hand_out(9), [rest]);
}

/// Whoever has a task has it in the window that it was handed out with: it is handed out again when it asks
/// for more than that, at either end, and not before.
#[test]
fn a_task_is_handed_out_again_when_its_window_is_wider_at_either_end() {
    let (mut wider_below, mut wider_above, mut as_before) = (0, 0, 0);
    for seed in 0..400 {
        let (mut planner, evaluator, _) = split_plan(seed, 5);
        let (root, mut draws) = (small(seed).0.start(), Draws(seed));
        let searcher = Searcher::new(small(seed).0, Seeing::of(evaluator), NoTable);
        let mut had: HashMap<TaskKey, Window> = HashMap::new();
        while planner.plan().is_none() {
            let open = planner.tasks(usize::MAX);
            had.retain(|key, _| open.iter().any(|task| task.key == *key));
            let mut expected = Vec::new();
            for task in &open {
                let window = had.get(&task.key);
                let below = window.is_some_and(|had| task.window.alpha < had.alpha);
                let above = window.is_some_and(|had| had.beta < task.window.beta);
                if window.is_none() || below || above {
                    expected.push(task.clone());
                }
                wider_below += u64::from(below && !above);
                wider_above += u64::from(above && !below);
                as_before += u64::from(window.is_some() && !below && !above);
            }
            assert_eq!(planner.hand_out(usize::MAX), expected, "seed {seed}");
            had.extend(expected.iter().map(|task| (task.key.clone(), task.window)));
            let task = &open[draws.below(open.len() as u64) as usize];
            let limits = Limits::unbounded().with_nodes(if draws.one_in(3) { 3 } else { u64::MAX });
            let answer = work(&searcher, &root, task, &limits).expect("a task");
            planner.answer(&answer).expect("the truth");
            had.remove(&task.key);
        }
    }
    assert_happened(&[
        ("wider below alone", wider_below, 10),
        ("wider above alone", wider_above, 10),
        ("handed out already", as_before, 1_000),
    ]);
}

/// Every depth, also that of leaves, every position, also ended ones, in windows at random, stopped or not.
#[test]
fn what_a_search_in_a_window_proves_is_so() {
    let (mut exact, mut high, mut low, mut stopped) = (0, 0, 0, 0);
    for seed in 0..60 {
        let (graph, evaluator) = small(seed);
        let limit = graph.facts().grid.limit();
        let mut oracle = Oracle::new(&graph, &evaluator);
        let mut draws = Draws(seed);
        let table = LocklessTable::with_buckets(16).expect("a small table");
        for (algorithm, table_use) in forms() {
            let options = Options { algorithm, table_use, table_depth: Some(1), ..Options::default() };
            let searcher = Searcher::new(graph.clone(), Seeing::of(evaluator), &table).with_options(options);
            for position in graph.positions().step_by(3) {
                let depth = draws.below(5) as u32;
                let alpha = draws.below(2 * limit as u64 + 2) as Score - limit - 1;
                let beta = alpha + 1 + draws.below((limit + 1 - alpha) as u64 + 1) as Score;
                let (window, is_limited) = (Window::new(alpha, beta), draws.one_in(5));
                let nodes = is_limited.then(|| draws.below(30));
                let limits = Limits { nodes, ..Limits::unbounded() };
                let proof = searcher
                    .request(&position)
                    .limits(Limits { depth: SearchDepth::Plies(depth), ..limits.clone() })
                    .prove(window)
                    .expect("a search");
                let Bounds { lower, upper } = proof.bounds;
                let value = oracle.value(&position, depth) as Score;
                let name = format!("{proof:?} of {value} in {window:?}, depth {depth}, {algorithm}, {seed}");
                assert!(lower <= value && value <= upper && -limit <= lower && upper <= limit, "{name}");
                if proof.stopped_by == StopReason::Depth {
                    assert!(window.is_settled_by(proof.bounds), "{name}");
                } else {
                    assert!(is_limited && proof.stopped_by == StopReason::Nodes, "{name}");
                    stopped += 1;
                }
                exact += u64::from(proof.bounds.is_exact());
                high += u64::from(lower >= beta && lower < upper);
                low += u64::from(upper <= alpha && lower < upper);
            }
        }
    }
    assert_happened(&[
        ("exact", exact, 100),
        ("high", high, 100),
        ("low", low, 100),
        ("stopped", stopped, 20),
    ]);
}

/// With an evaluator that knows bounds, which a root's move may not be named without.
#[test]
fn what_is_proven_with_bounds_of_the_evaluator_is_so() {
    let mut settled = 0;
    for seed in 0..100 {
        let (graph, _) = small(seed);
        let limit = graph.facts().grid.limit();
        let inner = HashRandom::new(seed, limit);
        let positions = graph.positions().count() as u32;
        let evaluator = Foreseeing::new(&graph, positions, inner, 4, (Telling::Truth, seed));
        let mut draws = Draws(seed);
        let (algorithm, table_use) = forms()[seed as usize % forms().len()];
        let options = Options { algorithm, table_use, ..Options::default() };
        let table = LocklessTable::with_buckets(16).expect("a small table");
        let searcher = Searcher::new(graph.clone(), &evaluator, table).with_options(options);
        let mut oracle = Oracle::new(&graph, &inner);
        for position in graph.positions() {
            let depth = draws.below(5) as u32;
            let alpha = draws.below(2 * limit as u64) as Score - limit;
            let window = Window::new(alpha, alpha + 1 + draws.below((limit - alpha) as u64) as Score);
            let found = searcher
                .request(&position)
                .limits(Limits::depth(depth))
                .prove(window)
                .expect("a search")
                .bounds;
            let value = oracle.value(&position, depth) as Score;
            let name = format!("{found:?} of {value} in {window:?}, depth {depth}, {algorithm}, {seed}");
            assert!(found.lower <= value && value <= found.upper && window.is_settled_by(found), "{name}");
            settled += u64::from(!found.is_exact());
        }
    }
    assert_happened(&[("settled by bounds", settled, 100)]);
}

#[test]
fn proofs_are_cheap_where_the_table_remembers_and_windows_have_to_be_some() {
    let (graph, evaluator) = small(5);
    let (root, table) = (graph.start(), LocklessTable::with_buckets(1 << 10).expect("a small table"));
    let searcher = Searcher::new(graph, Seeing::of(evaluator), &table);
    let prove = |depth, window, limits: &Limits| {
        searcher
            .request(&root)
            .limits(Limits { depth: SearchDepth::Plies(depth), ..limits.clone() })
            .prove(window)
    };
    let whole = Window::new(Score::MIN, Score::MAX);
    let first = prove(7, whole, &Limits::unbounded()).expect("a search");
    let again = prove(7, Window::new(-1, 1), &Limits::unbounded()).expect("a search");
    assert_eq!(again.bounds, first.bounds);
    assert!(again.stats.nodes.total() < first.stats.nodes.total() / 2, "{first:?}, then {again:?}");
    let stop = StopFlag::new();
    stop.stop();
    let stopped = prove(7, whole, &Limits::unbounded().with_stop(stop)).expect("a search");
    let limit = searcher.game().facts().grid.limit();
    assert_eq!((stopped.bounds, stopped.stopped_by), (Bounds::unknown(limit), StopReason::Flag));
    // A window that no value is in is settled unseen, and one that is empty asks nothing.
    let beyond = prove(7, Window::new(limit, Score::MAX), &Limits::unbounded()).expect("a search");
    assert_eq!((beyond.bounds, beyond.stats.nodes.total()), (Bounds::unknown(limit), 0));
    let window = Window::new(3, 3);
    let error = prove(7, window, &Limits::unbounded()).expect_err("nothing lies in it");
    assert_eq!(error, SearchError::Window { window });
    assert_eq!(error.to_string(), "window 3 to 3: expected its first end below its second");
    let deep: Result<Proof, SearchError> = prove(255, whole, &Limits::unbounded());
    assert_eq!(deep, Err(SearchError::Depth { found: 255 }));
}

#[test]
fn paths_lead_to_positions_or_to_an_error() {
    let (graph, _) = small(4);
    let mut over = 0;
    for bits in 0..500u64 {
        let (mut draws, mut position, mut path) = (Draws(bits), graph.start(), Vec::new());
        for step in 1..=8 {
            let mut count = 0;
            match graph.kind(&position) {
                NodeKind::Decision => graph.moves(&position, |_| count += 1),
                NodeKind::Chance => graph.outcomes(&position, |_, _| count += 1),
                NodeKind::Terminal => {}
            }
            let beyond = [path.as_slice(), &[count as u32]].concat();
            let expected = match count {
                0 => PathError::Over { step },
                count => PathError::Ordinal { step, found: count as u32, count },
            };
            let error = position_at(&graph, &graph.start(), &beyond).expect_err("no such step");
            assert_eq!(error, expected);
            over += u64::from(count == 0);
            if count == 0 {
                break;
            }
            let ordinal = draws.below(count) as u32;
            path.push(ordinal);
            position = graph.play(&position, ordinal); // outcomes are numbered as moves are
            assert_eq!(position_at(&graph, &graph.start(), &path), Ok(position));
        }
    }
    assert_happened(&[("games over on the way", over, 50)]);
}

fn keys() -> impl Strategy<Value = TaskKey> {
    let ordinals = prop_oneof![0u32..30, any::<u32>()];
    let path = prop_oneof![
        8 => prop::collection::vec(ordinals.clone(), 0..6),
        1 => prop::collection::vec(ordinals, 512),
    ];
    (path, 0u8..=254).prop_map(|(path, depth)| TaskKey { path, depth })
}

fn scores() -> impl Strategy<Value = (Score, Score)> {
    let most = starsplit::score::MAX_LIMIT;
    (-most..=most, -most..=most).prop_map(|(one, other)| (one.min(other), one.max(other)))
}

fn answers() -> impl Strategy<Value = Answer> {
    let numbers = (any::<u64>(), any::<u64>(), any::<u64>(), any::<u64>(), any::<bool>());
    let grids = (1..=starsplit::score::MAX_LIMIT, -1e300f64..1e300, 1e-3f64..1e300);
    (keys(), scores(), numbers, grids).prop_map(|(key, (lower, upper), numbers, (limit, low, width))| {
        let (nodes, contradictions, game, evaluator, is_exact) = numbers;
        // The width may be lost in the sum.
        let grid = Grid::with_limit(low, low + width, limit).unwrap_or_default();
        let reuse = if is_exact { Reuse::Exact } else { Reuse::AtLeast };
        let identities = Identities { game, evaluator, grid, reuse };
        Answer { key, bounds: Bounds::new(lower, upper), nodes, contradictions, identities }
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn lines_are_read_as_they_were_written(key in keys(), (alpha, beta) in scores(), answer in answers()) {
        let task = Task { key, window: Window::new(alpha.min(beta - 1), beta) };
        prop_assume!(task.window.alpha >= -starsplit::score::MAX_LIMIT);
        prop_assert_eq!(task.to_string().parse::<Task>(), Ok(task.clone()));
        prop_assert_eq!(answer.to_string().parse::<Answer>(), Ok(answer.clone()));
        prop_assert!(task.to_string().is_ascii() && answer.to_string().is_ascii());
        prop_assert!(answer.to_string().parse::<Task>().is_err());
    }

    /// A line with something changed in it is an error in one line, or says what it now says.
    #[test]
    fn a_changed_line_is_read_as_what_it_is_or_not_at_all(
        answer in answers(),
        cut in any::<prop::sample::Index>(),
        text in "[ 0-9a-z.+\u{e9}-]{0,3}",
        takes in 0usize..3,
    ) {
        let line = answer.to_string();
        let begin = cut.index(line.len());
        let changed = [&line[..begin], &text, &line[(begin + takes).min(line.len())..]].concat();
        match changed.parse::<Answer>() {
            Ok(read) => prop_assert_eq!(&read.to_string(), &changed),
            Err(error) => {
                let text = error.to_string();
                prop_assert!(text.lines().count() == 1 && text.len() < 500);
            }
        }
        let task = changed.replacen("answer", "task", 1);
        prop_assert!(task.parse::<Task>().is_err());
    }
}

#[test]
fn lines_have_the_form_that_is_told() {
    let key = TaskKey { path: vec![3, 0, 5], depth: 4 };
    let task = Task { key: key.clone(), window: Window::new(-12, 40) };
    assert_eq!(task.to_string(), "task 1 path 3.0.5 depth 4 window -12 40");
    let root = Task { key: TaskKey { path: vec![], depth: 0 }, window: Window::new(-8_388_607, 8_388_607) };
    assert_eq!(root.to_string(), "task 1 path - depth 0 window -8388607 8388607");
    let grid = Grid::with_limit(-1.0, 1.0, 8_388_607).expect("the finest grid");
    let identities = Identities { game: 0x7b, evaluator: 0x1f, grid, reuse: Reuse::Exact };
    let answer = Answer { key, bounds: Bounds::new(40, 55), nodes: 12_345, contradictions: 0, identities };
    let line = "answer 2 path 3.0.5 depth 4 bounds 40 55 nodes 12345 contradictions 0 game 7b evaluator 1f \
                grid 8388607 -1.0 1.0 reuse exact";
    assert_eq!(answer.to_string(), line);
}

#[test]
fn what_is_no_line_is_an_error_that_says_where() {
    let task = |line: &str| line.parse::<Task>().expect_err("no task");
    let long = "9".repeat(100_000);
    let path = ["1"; 513].join(".");
    for (line, message) in [
        ("", "word \"\": expected task"),
        ("tusk", "word \"tusk\": expected task"),
        ("task", "form missing: expected 1, the only one that this build knows"),
        ("task 2 path - depth 4 window 0 1", "form \"2\": expected 1, the only one that this build knows"),
        ("task 1 depth 4", "word \"depth\": expected path"),
        ("task 1 path", "path missing: expected - or at most 512 ordinals"),
        ("task 1 path 1..2 depth 4 window 0 1", "path \"1..2\": expected - or"),
        ("task 1 path -1 depth 4 window 0 1", "path \"-1\": expected - or"),
        ("task 1 path 01 depth 4 window 0 1", "path \"01\": expected - or"),
        ("task 1 path 4294967296 depth 4 window 0 1", "path \"4294967296\": expected - or"),
        ("task 1 path 1.\u{e9} depth 4 window 0 1", "path \"1.\\u{e9}\": expected - or"),
        ("task 1 path - depth 255 window 0 1", "depth \"255\": expected a whole number from 0 to 254"),
        ("task 1 path - depth -1 window 0 1", "depth \"-1\": expected a whole number from 0 to 254"),
        ("task 1 path -  depth 1 window 0 1", "word \"\": expected depth"),
        ("task 1 path - depth 1 window 1 1", "window \"1 1\": expected its first end below its second"),
        ("task 1 path - depth 1 window 1", "window's second end missing: expected a whole number from"),
        (
            "task 1 path - depth 1 window 0 8388608",
            "window's second end \"8388608\": expected a whole number",
        ),
        ("task 1 path - depth 1 window +0 1", "window's first end \"+0\": expected a whole number"),
        ("task 1 path - depth 1 window 0 1 ", "word \"\": expected the end of the line"),
        ("task 1 path - depth 1 window 0 1\n", "window's second end \"1\\n\": expected a whole number"),
        (&format!("task 1 path {path} depth 1 window 0 1"), "...\": expected - or at most 512 ordinals"),
        (&format!("task 1 path {long} depth 1 window 0 1"), "9999...\": expected - or at most 512 ordinals"),
        (&format!("task 1 path - depth 1 window 0 {long}"), "9999...\": expected a whole number from"),
        (&long, "9999...\": expected task"),
    ] {
        let error = task(line).to_string();
        assert!(error.contains(message), "{error}, expected {message}");
        assert!(error.len() < 250 && error.lines().count() == 1, "{error}");
    }
    let LineError { thing, found, expected } = task("task 1 path - depth x");
    assert_eq!((thing, found.as_str(), expected), ("depth", "\"x\"", "a whole number from 0 to 254"));
}

#[test]
fn what_is_no_answer_is_an_error_that_says_where() {
    let answer = |line: &str| line.parse::<Answer>().expect_err("no answer").to_string();
    let with = |rest: &str| answer(&format!("answer 2 path - depth 3 {rest}"));
    for (rest, message) in [
        ("bounds 2 1 nodes 3", "bounds \"2 1\": expected the first no greater than the second"),
        ("bounds 1 2 nodes 18446744073709551616", "nodes \"18446744073709551616\": expected a whole number"),
        ("bounds 1 2 nodes 3 game", "word \"game\": expected contradictions"),
        ("bounds 1 2 nodes 3 contradictions -1", "contradictions \"-1\": expected a whole number"),
        ("bounds 1 2 nodes 3 contradictions 0 game 0x1", "game \"0x1\": expected a hexadecimal number"),
        ("bounds 1 2 nodes 3 contradictions 0 game 1F", "game \"1F\": expected a hexadecimal number"),
        (
            "bounds 1 2 nodes 3 contradictions 0 game 1 evaluator 2 grid 0 -1.0 1.0",
            "grid \"0 -1.0 1.0\": expected a limit of 1",
        ),
        (
            "bounds 1 2 nodes 3 contradictions 0 game 1 evaluator 2 grid 5 1.0 -1.0",
            "grid \"5 1.0 -1.0\": expected a limit",
        ),
        (
            "bounds 1 2 nodes 3 contradictions 0 game 1 evaluator 2 grid 5 NaN 1.0",
            "grid \"5 NaN 1.0\": expected a limit",
        ),
        (
            "bounds 1 2 nodes 3 contradictions 0 game 1 evaluator 2 grid 5 -1 1.0",
            "grid's least value \"-1\": expected a number",
        ),
        (
            "bounds 1 2 nodes 3 contradictions 0 game 1 evaluator 2 grid 5 -1.0 1.0 reuse x",
            "reuse \"x\": expected exact or",
        ),
        (
            "bounds 1 2 nodes 3 contradictions 0 game 1 evaluator 2 grid 5 -1.0 1.0 reuse",
            "reuse missing: expected exact or",
        ),
        (
            "bounds 1 2 nodes 3 contradictions 0 game 1 evaluator 2 grid 5 -1.0 1.0 reuse exact .",
            "word \".\": expected the end",
        ),
    ] {
        let error = with(rest);
        assert!(error.contains(message), "{error}, expected {message}");
    }
    assert_eq!(answer("answer 2 path 0 depth"), "depth missing: expected a whole number from 0 to 254");
}
