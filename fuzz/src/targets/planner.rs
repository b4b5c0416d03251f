//! Messages of a plan: tasks and answers that were lost, doubled, changed on their way, or never sent.
//!
//! What is refused is refused in a short line, and the plan goes on without it. What is taken is true, as far
//! as an oracle tells, and then the plan's value is right; or it is a false answer under the plan's own name,
//! which nobody can tell from a true one, and then nothing is promised but that nothing panics.

use crate::Target;
use crate::bytes::{Bytes, text};
use crate::refusals::check_short;
use crate::targets::graph::{AnyGraph, Evaluations, affordable, graph, plain_value, root};
use starsplit::Searcher;
use starsplit::game::NodeKind;
use starsplit::score::Bounds;
use starsplit::search::Limits;
use starsplit::table::Reuse;
use starsplit_planner::{Answer, Identities, PlanError, Planner, PlannerOptions, Task, position_at, work};
use starsplit_tables::{AnyTable, Scheme};
use starsplit_testkit::{GraphGame, GraphPosition};
use std::fmt::Display;
use std::str::FromStr;

pub(super) const TARGET: Target = Target {
    name: "planner",
    about: "numbers that choose a random graph and a plan for it, then bytes for events; after some of them \
            stands a line, or a change of a line",
    run,
    seeds,
    words: || {
        let lines = [
            "\u{8}task 1 path - depth 3 window -1 1\n",
            "\u{8}answer 2 path 0 depth 2 bounds 0 0 nodes 1 contradictions 0 game 1 ",
            "evaluator 1f ",
            "grid 4 -1.0 1.0 ",
            "reuse exact\n",
            "reuse at-least\n",
            "path 0.1.2",
            "4294967296",
            "-8388608",
            " bounds -4 4",
            "\u{e9}",
            "NaN",
        ];
        lines.iter().map(|line| line.as_bytes().to_vec()).chain([vec![7, 20, 1], vec![3; 6]]).collect()
    },
    mutations: 2_000,
    longest: 500,
};

/// The deepest plan, where the whole tree is small enough.
const DEEPEST: u32 = 6;

/// The most nodes of a whole tree.
const NODES: u64 = 300;

/// More answers than any plan takes that ends.
const ENDLESS: u32 = 5_000;

fn run(bytes: &[u8]) {
    read::<Task>(&text(bytes));
    read::<Answer>(&text(bytes));
    let mut bytes = Bytes::new(bytes);
    let (game, evaluations) = graph(&mut bytes);
    match game {
        AnyGraph::Plain(game) => play(&game, evaluations, &mut bytes),
        AnyGraph::Rich(game) => play(&*game, evaluations, &mut bytes),
    }
}

/// A message, if the line is one: then it is written as it was read.
fn read<M: FromStr<Err: Display> + Display>(line: &str) -> Option<M> {
    match line.parse::<M>() {
        Ok(message) => {
            assert_eq!(message.to_string(), line);
            Some(message)
        }
        Err(error) => {
            check_short(&error);
            None
        }
    }
}

struct Play<'g, G: GraphGame> {
    game: &'g G,
    evaluations: Evaluations,
    root: GraphPosition,
    depth: u32,
    planner: Planner<G>,
    identities: Identities,
    searcher: Searcher<G, Evaluations, AnyTable>,
    under_way: Vec<Task>,
    kept: Vec<Answer>,
    /// Whether the plan was told something false under its own name.
    is_misled: bool,
}

fn play<G: GraphGame + std::fmt::Debug>(game: &G, evaluations: Evaluations, bytes: &mut Bytes<'_>) {
    let root = root(game, bytes.u16().into());
    let depth = affordable(game, root, DEEPEST, NODES).saturating_sub(bytes.within(0, 1)).max(1);
    let identities = Identities::new(game, &evaluations, Reuse::Exact);
    let split_above = [0, 5, 50, 1_000_000][bytes.below(4)];
    let options = PlannerOptions { split_above, parts: [0, 4, 1_000_000][bytes.below(3)] };
    let planner = Planner::new(game.clone(), root, depth, identities, options).expect("a plan");
    let table = AnyTable::new(Scheme::Buckets, 64).expect("a small table");
    let searcher = Searcher::new(game.clone(), evaluations, table);
    let mut play = Play {
        game,
        evaluations,
        root,
        depth,
        planner,
        identities,
        searcher,
        under_way: Vec::new(),
        kept: Vec::new(),
        is_misled: false,
    };
    while !bytes.is_empty() && play.planner.plan().is_none() && !play.has_failed() {
        play.event(bytes);
    }
    play.end();
}

impl<G: GraphGame> Play<'_, G> {
    fn event(&mut self, bytes: &mut Bytes<'_>) {
        match bytes.below(10) {
            0 | 1 => self.hand_out(1 + bytes.below(4)),
            2 | 3 => {
                let answer = self.done(bytes);
                answer.iter().for_each(|answer| self.take(answer));
            }
            4 => {
                let answer = self.done(bytes);
                self.kept.extend(answer);
            }
            5 => {
                let place = bytes.below(self.kept.len());
                let answer = self.kept.get(place).cloned();
                answer.iter().for_each(|answer| self.take(answer));
            }
            6 => {
                if let Some(task) = self.under_way.pop() {
                    self.planner.lost(&task.key);
                }
            }
            7 => {
                // A true answer, changed on its way.
                let Some(answer) = self.done(bytes) else { return };
                let mut line = answer.to_string().into_bytes();
                for _ in 0..=bytes.below(3) {
                    let place = bytes.below(line.len());
                    match bytes.below(3) {
                        0 => line[place] = bytes.byte(),
                        1 => line.insert(place, bytes.byte()),
                        _ => drop(line.remove(place)),
                    }
                }
                self.take_line(&text(&line));
            }
            8 => {
                let line = text(bytes.until(b'\n'));
                if let Some(task) = read::<Task>(&line) {
                    self.try_task(&task);
                }
                self.take_line(&line);
            }
            _ => self.planner.tasks(3).iter().for_each(|task| drop(read::<Task>(&task.to_string()))),
        }
    }

    fn hand_out(&mut self, count: usize) {
        let tasks = self.planner.hand_out(count);
        self.under_way.extend(tasks);
    }

    /// A worker does one of the tasks under way.
    fn done(&mut self, bytes: &mut Bytes<'_>) -> Option<Answer> {
        if self.under_way.is_empty() {
            self.hand_out(1);
        }
        let place = bytes.below(self.under_way.len());
        let task = (place < self.under_way.len()).then(|| self.under_way.swap_remove(place))?;
        Some(self.work(&task, &Limits::unbounded()))
    }

    fn work(&self, task: &Task, limits: &Limits) -> Answer {
        let task = read::<Task>(&task.to_string()).expect("a task that was written");
        let answer = work(&self.searcher, &self.root, &task, limits).expect("a task that was handed out");
        read::<Answer>(&answer.to_string()).expect("an answer that was written")
    }

    /// Somebody's task, which need not be one of the plan's.
    fn try_task(&self, task: &Task) {
        match work(&self.searcher, &self.root, task, &Limits::unbounded().with_nodes(200)) {
            Ok(answer) => drop(read::<Answer>(&answer.to_string()).expect("an answer that was written")),
            Err(error) => check_short(&error),
        }
    }

    fn take_line(&mut self, line: &str) {
        if let Some(answer) = read::<Answer>(line) {
            self.take(&answer);
        }
    }

    fn take(&mut self, answer: &Answer) {
        let is_true = self.is_true(answer);
        match self.planner.answer(answer) {
            Ok(progress) => {
                self.is_misled |= !is_true;
                assert_eq!(progress.has_ended, self.planner.plan().is_some());
            }
            Err(error) => {
                check_short(&error);
                if let PlanError::Contradiction { .. } = error {
                    assert!(self.is_misled || !is_true, "true answers do not contradict each other: {error}");
                    self.is_misled = true;
                }
            }
        }
    }

    /// Whether the answer holds, as far as that is known; if not, it may be refused or believed.
    fn is_true(&self, Answer { key, bounds, identities, .. }: &Answer) -> bool {
        let depth = u32::from(key.depth);
        let Ok(position) = position_at(self.game, &self.root, &key.path) else { return false };
        if *identities != self.identities || depth > affordable(self.game, position, DEEPEST, 4 * NODES) {
            return false;
        }
        let value = plain_value(self.game, self.evaluations, position, depth);
        bounds.lower <= value && value <= bounds.upper
    }

    fn has_failed(&self) -> bool {
        self.is_misled && self.planner.plan().is_none() && self.planner.tasks(1).is_empty()
    }

    /// Goes on with true answers until the plan ends.
    fn end(mut self) {
        for _ in 0..ENDLESS {
            if self.planner.plan().is_some() || self.has_failed() {
                break;
            }
            // Whoever has it, and whether or not it was lost.
            let task = self.planner.tasks(1).pop().expect("an open plan has a task");
            let answer = self.work(&task, &Limits::unbounded());
            self.take(&answer);
        }
        let Some(plan) = self.planner.plan() else {
            return assert!(self.is_misled, "no end: {:?}", self.planner);
        };
        if self.is_misled {
            return;
        }
        let value = plain_value(self.game, self.evaluations, self.root, self.depth);
        assert_eq!(plan.bounds, Bounds::exactly(value), "{:?}", self.planner);
        assert_eq!(plan.best_move.is_some(), self.game.kind(&self.root) == NodeKind::Decision);
    }
}

/// Plans of some graphs, with events of every kind.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let graphs: [(&str, [u8; 17]); 3] = [
        ("plain", [1, 1, 40, 40, 10, 2, 0, 0, 1, 9, 8, 7, 6, 0, 0, 0, 0]),
        ("coarse", [1, 0, 60, 30, 5, 3, 4, 1, 3, 1, 2, 3, 4, 0, 3, 0, 0]),
        ("rich", [1, 4, 30, 25, 5, 3, 1, 0, 0, 77, 1, 0, 0, 2, 1, 40, 30]),
    ];
    let events: [(&str, &[u8]); 4] = [
        ("in-order", &[0, 0, 2, 0, 2, 0, 2, 0, 2, 0, 2, 0]),
        ("late", &[1, 3, 4, 1, 4, 0, 5, 0, 5, 0, 6, 2, 0, 6]),
        ("changed", &[7, 0, 1, 30, 0, 57, 7, 0, 0, 40, 2, 7, 0, 0, 12, 1, 48]),
        (
            "lines",
            b"\x08task 1 path 0 depth 2 window -3 3\n\x08answer 2 path 0 depth 1 bounds 0 0 nodes 1 \
              contradictions 0 game 1 evaluator 2 grid 4 -1.0 1.0 reuse exact\n\x08answer 2\n",
        ),
    ];
    let mut found = Vec::new();
    for (graph, head) in graphs {
        let plan: &[u8] = if graph == "rich" { &[30, 20, 20, 1, 3, 0, 0, 0, 1] } else { &[3, 0, 0, 0, 1] };
        for (name, events) in events {
            found.push((format!("{graph}-{name}"), [&head[..], plan, events].concat()));
        }
    }
    found
}
