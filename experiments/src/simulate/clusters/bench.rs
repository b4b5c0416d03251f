//! A single search, serial, on one machine or on a cluster, and its line.

use crate::question::door::{SearcherMaker, SimulatedAnswer};
use crate::question::suite::Suite;
use crate::records::clusters::{ClusterLine, ClusterPart, MachineKind};
use crate::records::measured::nanoseconds;
use crate::records::meta::SCHEMA;
use crate::runner::verdict::Verdicts;
use crate::simulate::model::Model;
use starsplit::score::Bounds;
use starsplit::search::{Limits, Options, StopFlag};
use starsplit::simulate::Simulation;
use starsplit::table::Table;
use starsplit_planner::cluster::{Cluster, ClusterError, Clustered};
use starsplit_tables::AnyTable;
use std::fmt;
use std::time::Duration;

/// A way to search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    /// Processors of a machine.
    pub(super) processors: usize,
    /// How many machines, and what connects them; none where one searches alone.
    pub(super) cluster: Option<(usize, Cluster)>,
}

/// What tells ways apart: processors; machines, latency, whether bounds are shared.
pub(super) type Key = (usize, Option<(usize, u64, bool)>);

impl Way {
    pub(super) fn key(&self) -> Key {
        let cluster =
            |(machines, cluster): (usize, Cluster)| (machines, cluster.latency_ns, cluster.shares_bounds);
        (self.processors, self.cluster.map(cluster))
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_words(self.key()))
    }
}

/// The key of a line's search.
pub(super) fn key_of(line: &ClusterLine) -> Key {
    let cluster = |part: ClusterPart| (part.machines, part.latency_ns, part.shares_bounds);
    (line.processors, line.cluster.map(cluster))
}

/// Who has searched, in words.
pub(super) fn words(line: &ClusterLine) -> String {
    in_words(key_of(line))
}

fn in_words((processors, cluster): Key) -> String {
    match cluster {
        None => format!("one machine of {processors} processors"),
        Some((machines, latency_ns, shares_bounds)) => {
            let bounds = if shares_bounds { "shared" } else { "kept apart" };
            let latency = latency_ns / 1000;
            format!("{machines} machines of {processors} processors, {latency} us, bounds {bounds}")
        }
    }
}

/// What the searches have in common.
pub(super) struct Bench<'a> {
    pub(super) suite: &'a Suite,
    pub(super) model: &'a Model,
    pub(super) base: &'a Options,
    pub(super) depth: u32,
    pub(super) seed: u64,
    pub(super) maker: &'a dyn SearcherMaker,
    /// One for each machine.
    pub(super) tables: &'a [AnyTable],
    pub(super) stop: &'a StopFlag,
}

/// What a search has come to.
struct Done {
    bounds: Bounds,
    elapsed: Duration,
    work: Duration,
    nodes: u64,
    part: Option<ClusterPart>,
}

impl Bench<'_> {
    /// One search with cleared tables; nothing where it was stopped.
    pub(super) fn run(
        &self,
        place: usize,
        way: &Way,
        verdicts: &mut Verdicts,
    ) -> anyhow::Result<Option<ClusterLine>> {
        let options = Options { threads: way.processors, ..self.base.clone() };
        let machines = way.cluster.map_or(1, |(machines, _)| machines);
        let tables = &self.tables[..machines];
        tables.iter().for_each(|table| table.clear(1));
        let done = match way.cluster {
            None => self.alone(place, &tables[0], options)?,
            Some((_, cluster)) => self.together(place, tables, &options, cluster)?,
        };
        Ok(done.map(|done| self.line(place, way, &done, verdicts)))
    }

    fn alone(&self, place: usize, table: &AnyTable, options: Options) -> anyhow::Result<Option<Done>> {
        let costs = self.model.on(options.threads).into();
        let searcher = self.maker.searcher(table, options, None);
        let limits = Limits::depth(self.depth).with_stop(self.stop.clone());
        let simulation = Simulation { costs, seed: self.seed, device: None };
        let simulated = searcher.simulate(&self.suite.positions[place], &limits, &simulation)?;
        let SimulatedAnswer { answer, work, .. } = simulated;
        let (bounds, elapsed, nodes) = (answer.bounds, answer.elapsed, answer.stats.nodes.total());
        let done = Done { bounds, elapsed, work, nodes, part: None };
        Ok((answer.depth == self.depth).then_some(done))
    }

    fn together(
        &self,
        place: usize,
        tables: &[AnyTable],
        options: &Options,
        cluster: Cluster,
    ) -> anyhow::Result<Option<Done>> {
        let cluster = Cluster { costs: self.model.on(options.threads).into(), ..cluster };
        let limits = Limits::depth(self.depth).with_stop(self.stop.clone());
        let position = &self.suite.positions[place];
        let found = match self.maker.search_on_cluster(tables, options, position, &limits, &cluster) {
            Err(error) if error.downcast_ref() == Some(&ClusterError::Stopped) => return Ok(None),
            found => found?,
        };
        let Clustered { elapsed, work, nodes, .. } = found;
        let part = Some(part(tables.len(), &cluster, &found));
        Ok(Some(Done { bounds: found.plan.bounds, elapsed, work, nodes, part }))
    }

    fn line(&self, place: usize, way: &Way, done: &Done, verdicts: &mut Verdicts) -> ClusterLine {
        let entry = &self.suite.positions[place];
        let Done { bounds, elapsed, work, nodes, part } = *done;
        let score = bounds.is_exact().then_some(bounds.lower);
        let who = || way.to_string();
        let error = match score {
            Some(score) => verdicts.check_recorded(place, who, score),
            None => {
                let error = format!("bounds {} to {}: expected one value", bounds.lower, bounds.upper);
                verdicts.fail(place, who, &error);
                Some(error)
            }
        };
        ClusterLine {
            schema: SCHEMA,
            game: self.suite.door.game().to_owned(),
            index: place + 1,
            position: entry.text.clone(),
            depth: self.depth,
            simulated: MachineKind {
                model: self.model.name.clone(),
                costs: self.model.on(way.processors),
                seed: self.seed,
            },
            processors: way.processors,
            cluster: part,
            virtual_ns: nanoseconds(elapsed),
            work_ns: nanoseconds(work),
            nodes,
            score,
            expected: verdicts.expected(place),
            error,
        }
    }
}

/// What a line says of a cluster.
fn part(machines: usize, cluster: &Cluster, found: &Clustered<String>) -> ClusterPart {
    let Cluster { latency_ns, message_ns, shares_bounds, waiting, planner, .. } = *cluster;
    let Clustered { occupied, idle, in_transit, planning, .. } = *found;
    let Clustered { messages, tasks, stopped, restarted, .. } = *found;
    ClusterPart {
        machines,
        latency_ns,
        message_ns,
        shares_bounds,
        waiting,
        split_above: planner.split_above,
        parts: planner.parts,
        occupied_ns: nanoseconds(occupied),
        idle_ns: nanoseconds(idle),
        in_transit_ns: nanoseconds(in_transit),
        planning_ns: nanoseconds(planning),
        messages,
        tasks,
        stopped,
        restarted,
    }
}
