//! What is kept of one search: what it found and what it cost.

use crate::question::door::Answer;
use crate::records::workers::{Crew, clocks_everything};
use serde::{Deserialize, Serialize};
use starsplit::score::{Grid, Score};
use starsplit::search::{Iteration, Options, Stats, Times};
use std::collections::BTreeMap;
use std::time::Duration;

/// What a search found and what it cost, as a record keeps it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Measured {
    /// Wall time of the whole search, threads woken and joined, in nanoseconds.
    pub wall_ns: u64,
    /// Every entry into a node, over all iterations and threads.
    pub nodes: u64,
    /// Entries into decision nodes.
    pub decision_nodes: u64,
    /// Entries into chance nodes.
    pub chance_nodes: u64,
    /// Entries into leaves: depth 0 and terminals.
    pub leaves: u64,
    /// Static evaluations, for leaves and for ordering.
    pub evaluations: u64,
    /// Table look-ups of successors by successor probing.
    pub successor_probes: u64,
    /// Successors probed in the probing phase.
    pub star2_probes: u64,
    /// Chance nodes that stood for all their leaves.
    pub collapsed: u64,
    /// Chance nodes settled by the game's static bounds.
    pub static_cutoffs: u64,
    /// Table look-ups of a decision node's successors.
    pub move_probes: u64,
    /// Searches of decision nodes at less depth, for the move to try first.
    pub internal_iterations: u64,
    /// What happened at the table.
    pub table: BTreeMap<&'static str, u64>,
    /// What happened between threads: splits, steals, aborts. Duplicate nodes are there only where they were counted.
    pub split: BTreeMap<&'static str, u64>,
    /// The time that threads searched, summed over them, in nanoseconds; none for a serial search.
    pub busy_ns: Option<u64>,
    /// The time that they were without work, between two looks for some; this and the next two are none where the
    /// method does not clock them.
    pub idle_ns: Option<u64>,
    /// The time that they looked into the others' queues.
    pub stealing_ns: Option<u64>,
    /// The time that they slept.
    pub parked_ns: Option<u64>,
    /// What each of them did; none for a serial search.
    pub workers: Option<Crew>,
    /// The depth of the last completed iteration.
    pub completed_depth: u32,
    /// The value in the game's units, for the player who is about to roll or move; none unless exact.
    pub value: Option<f64>,
    /// The same as an integer on the grid.
    pub score: Option<Score>,
    /// The root is proven to be at least this.
    pub lower: Score,
    /// The root is proven to be at most this.
    pub upper: Score,
    /// Whether a limit or Ctrl-C ended the search before its depth.
    pub stopped: bool,
    /// The completed iterations, shallowest first.
    pub iterations: Vec<Step>,
}

/// One completed iteration; everything is counted since the search began, by the first of the threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The depth it searched to.
    pub depth: u32,
    /// Nodes.
    pub nodes: u64,
    /// Static evaluations.
    pub evaluations: u64,
    /// Time, in nanoseconds.
    pub wall_ns: u64,
}

impl Measured {
    /// What `answer` says of a search under `options` that took `wall`, of a game with this grid.
    pub fn new(grid: Grid, options: &Options, answer: &Answer, wall: Duration) -> Self {
        let Stats { nodes, table, split } = answer.stats;
        let is_counted = |name: &str| options.count_duplicates || name != "duplicate_nodes";
        let workers = Crew::new(options, &answer.workers, answer.elapsed);
        let times = workers.as_ref().map(|crew| crew.together.times);
        let clocked = |time: fn(Times) -> u64| times.filter(|_| clocks_everything(options.method)).map(time);
        Measured {
            wall_ns: nanoseconds(wall),
            nodes: nodes.total(),
            decision_nodes: nodes.decision,
            chance_nodes: nodes.chance,
            leaves: nodes.leaf,
            evaluations: nodes.evaluations,
            successor_probes: nodes.successor_probes,
            star2_probes: nodes.star2_probes,
            collapsed: nodes.collapsed,
            static_cutoffs: nodes.static_cutoffs,
            move_probes: nodes.move_probes,
            internal_iterations: nodes.internal_iterations,
            table: table.named().collect(),
            split: split.named().filter(|(name, _)| is_counted(name)).collect(),
            busy_ns: times.map(|times| times.busy),
            idle_ns: clocked(|times| times.idle),
            stealing_ns: clocked(|times| times.stealing),
            parked_ns: clocked(|times| times.parked),
            workers,
            completed_depth: answer.depth,
            value: answer.score().map(|score| grid.value(score)),
            score: answer.score(),
            lower: answer.bounds.lower,
            upper: answer.bounds.upper,
            stopped: answer.was_stopped(),
            iterations: steps(answer),
        }
    }

    /// Wall time in seconds.
    pub fn seconds(&self) -> f64 {
        self.wall_ns as f64 / 1e9
    }
}

fn steps(answer: &Answer) -> Vec<Step> {
    let step = |iteration: &Iteration<String, String>| Step {
        depth: iteration.depth,
        nodes: iteration.stats.nodes.total(),
        evaluations: iteration.stats.nodes.evaluations,
        wall_ns: nanoseconds(iteration.elapsed),
    };
    answer.iterations.iter().map(step).collect()
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
