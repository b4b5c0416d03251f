//! SIMULATED: one search on many machines, in virtual time.
//!
//! Each machine is a [`Searcher`](starsplit::Searcher) with a table of its own and as many virtual processors
//! as its options have threads ([`simulate`](starsplit::simulate)); a [`Planner`](crate::Planner), the same
//! that shares a search among real ones, hands out the tasks. Messages take time on the way and cost their
//! sender and their receiver some. What one machine has proven reaches another in two ways only: by the
//! windows of new tasks, and, with [`Cluster::shares_bounds`], by messages about the tasks at work, which end
//! early or begin anew in narrower windows.
//!
//! The machines' clocks are held together to within a message's latency, in which none of them can learn what
//! another has done; so the same searchers, seeds and costs give the same run, node for node. Real threads,
//! one for each machine, do the work.
//!
//! What is not modelled beside what [`simulate`](starsplit::simulate) leaves out: how long the planner thinks
//! (it is busy with messages only), connections that carry several messages at once slower, machines of
//! different speed.
//!
//! ```
//! # #[path = "../../../examples/pig.rs"]
//! # mod pig;
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use starsplit::Searcher;
//! use starsplit::evaluator::HashRandom;
//! use starsplit::search::Limits;
//! use starsplit_planner::PlannerOptions;
//! use starsplit_planner::cluster::{Cluster, search_on_cluster};
//! use pig::under_way;
//!
//! let (game, position) = under_way(); // `examples/pig.rs`
//! let evaluator = HashRandom::new(1, 1000);
//! let machine = || Searcher::builder(game.clone(), evaluator).threads(4).table_mib(1).build();
//! let machines = [machine()?, machine()?];
//! let planner = PlannerOptions { split_above: 1_000, ..PlannerOptions::default() };
//! let cluster = Cluster { latency_ns: 100, message_ns: 10, planner, ..Cluster::default() };
//! let found = search_on_cluster(&machines, &position, &Limits::depth(8), &cluster)?;
//! let alone = machine()?.search_within(&position, &Limits::depth(8))?;
//! assert_eq!(found.plan.bounds, alone.bounds);
//! # Ok(())
//! # }
//! ```
//!
//! | file | subject |
//! |---|---|
//! | `run.rs` | the run: messages, the planner's side, what is counted |
//! | `machine.rs` | a machine: its task, those that wait, its clock |
//! | `link.rs` | the thread that does a machine's work, as far in time as it is granted |

mod link;
mod machine;
mod run;

pub use run::search_on_cluster;

use crate::{Plan, PlanError, PlannerOptions};
use starsplit::search::SearchError;
use starsplit::simulate::CostModel;
use std::time::Duration;

/// What connects the machines, and how work is shared among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// What events cost a machine's processors, in nanoseconds. By default [`CostModel::UNIT`].
    pub costs: CostModel,
    /// The seed of the machines' schedules. By default 1.
    pub seed: u64,
    /// How long a message is on its way, in nanoseconds. By default 50 microseconds. 0 counts as 1; the
    /// shorter it is, the slower is the simulation.
    pub latency_ns: u64,
    /// What a message costs whoever sends it, and whoever receives it, in nanoseconds. By default 5
    /// microseconds.
    pub message_ns: u64,
    /// Whether machines are told when the task that they have matters no more, or its window has become
    /// narrower. By default yes.
    pub shares_bounds: bool,
    /// How many tasks wait at a machine beside the one at work, so that it need not wait for messages. By
    /// default 1.
    pub waiting: usize,
    /// How finely the search is split.
    pub planner: PlannerOptions,
}

impl Default for Cluster {
    fn default() -> Self {
        Cluster {
            costs: CostModel::UNIT,
            seed: 1,
            latency_ns: 50_000,
            message_ns: 5_000,
            shares_bounds: true,
            waiting: 1,
            planner: PlannerOptions::default(),
        }
    }
}

/// What a search on a cluster found, and what it took. All times are virtual.
#[derive(Clone, Debug)]
pub struct Clustered<M> {
    /// What the planner has found.
    pub plan: Plan<M>,
    /// How long it took, from the first message to the last answer.
    pub elapsed: Duration,
    /// Nodes of all machines, what they had begun in vain at the end included.
    pub nodes: u64,
    /// What all processors of all machines did but steal and wait.
    pub work: Duration,
    /// How long machines had a task, added up.
    pub occupied: Duration,
    /// How long machines had none, added up.
    pub idle: Duration,
    /// The part of [`idle`](Clustered::idle) that an answer and the task which followed it were on their way
    /// or being sent and received. The rest is time in which there was no task for the machine.
    pub in_transit: Duration,
    /// How long the planner was busy with messages.
    pub planning: Duration,
    /// Messages.
    pub messages: u64,
    /// Tasks handed out.
    pub tasks: u64,
    /// Tasks that were stopped since they mattered no more.
    pub stopped: u64,
    /// Tasks that were begun anew in a narrower window.
    pub restarted: u64,
}

impl<M> Clustered<M> {
    /// The same with another form of the best move, such as its text.
    pub fn map<N>(self, form: impl FnOnce(M) -> N) -> Clustered<N> {
        let Clustered { plan, elapsed, nodes, work, occupied, idle, in_transit, planning, .. } = self;
        let Clustered { messages, tasks, stopped, restarted, .. } = self;
        let Plan { depth, bounds, best_move, answers, nodes: answered, contradictions } = plan;
        let best_move = best_move.map(form);
        let plan = Plan { depth, bounds, best_move, answers, nodes: answered, contradictions };
        Clustered {
            plan,
            elapsed,
            nodes,
            work,
            occupied,
            idle,
            in_transit,
            planning,
            messages,
            tasks,
            stopped,
            restarted,
        }
    }
}

/// Why a search on a cluster has found nothing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// There was no machine.
    #[error("machines 0: expected at least one")]
    NoMachines,
    /// The machines' searches are not all of one game, evaluator and reuse.
    #[error("machine {machine}: expected the game, the evaluator and the reuse of the first machine")]
    Differs {
        /// Which machine, from 1 on.
        machine: usize,
    },
    /// It was stopped.
    #[error("the search on the cluster was stopped")]
    Stopped,
    /// A machine's search failed.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The planner failed.
    #[error(transparent)]
    Plan(#[from] PlanError),
}
