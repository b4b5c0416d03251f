//! From the recorded searches to the figures of simulated clusters.

use super::bench::{Key, key_of};
use crate::analysis::tables::{new_table, percent, percent_of, ratio};
use crate::records::clusters::{ClusterLine, ClusterPart};
use comfy_table::Table;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The figures, in the form of the JSON object. All are SIMULATED, and all times are virtual.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ClusterFigures {
    /// Whether the times are virtual: always.
    pub simulated: bool,
    /// How many positions count: those that were searched in every way without error.
    pub positions: usize,
    /// Whether every search found its position's value.
    pub values_equal: bool,
    /// The serial searches' time, the sum over the positions that count.
    pub serial_ms: f64,
    /// The least of these times, and the greatest.
    pub serial_range_ms: (f64, f64),
    /// The ways to search, the serial one first. Sums are over the positions that count.
    pub settings: Vec<ClusterSetting>,
    /// Whether Ctrl-C ended it early; in the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

/// A way to search, and what it comes to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClusterSetting {
    /// Machines; none where one searches alone, without a planner.
    pub machines: Option<usize>,
    /// Processors of each.
    pub processors: usize,
    /// How long a message is on its way, in microseconds.
    pub latency_us: Option<f64>,
    /// Whether bounds are shared.
    pub shares_bounds: Option<bool>,
    /// Virtual time.
    pub virtual_ms: f64,
    /// The serial search's time over this.
    pub speedup: f64,
    /// The part of all processors' time that the serial search takes.
    pub efficiency: f64,
    /// The parts that are lost.
    pub lost: Lost,
    /// Nodes over the serial search's, less 1.
    pub more_nodes: f64,
    /// Tasks, all positions together.
    pub tasks: u64,
    /// The part of the time that the planner was busy with messages.
    pub planner_busy: f64,
    /// From which serial time on half of the processors' time would be used.
    pub half: Option<Half>,
}

/// Parts of all processors' time that the serial search would not take. With the efficiency they sum to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Lost {
    /// Work that the serial search does not do.
    pub searched_more: f64,
    /// Processors without work in a machine that has a task.
    pub inside: f64,
    /// Machines that wait for messages.
    pub in_transit: f64,
    /// Machines for which there is no task.
    pub without_task: f64,
}

/// A serial time by a line through the positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Half {
    /// In milliseconds.
    pub serial_ms: f64,
    /// Whether it lies outside of the times of the positions that were searched.
    pub extrapolated: bool,
}

/// The figures of the `lines` of a folder.
///
/// # Errors
/// When a line is not one of these searches, or is there twice.
pub(crate) fn recorded(
    lines: impl Iterator<Item = Result<ClusterLine, String>>,
) -> Result<ClusterFigures, String> {
    let (mut searches, mut ways) = (BTreeMap::new(), BTreeSet::new());
    let mut figures = ClusterFigures { simulated: true, values_equal: true, ..ClusterFigures::default() };
    for (number, line) in (1..).zip(lines) {
        let line = line.map_err(|error| format!("expected a search in line {number} ({error})"))?;
        figures.values_equal &= line.error.is_none();
        let way = key_of(&line);
        ways.insert(order(way));
        if searches.insert((line.index, way), line).is_some() {
            return Err(format!("expected every search once, line {number} has one again"));
        }
    }
    let ways: Vec<Key> = ways.into_iter().map(|(_, way)| way).collect();
    let indices: BTreeSet<usize> = searches.keys().map(|&(index, _)| index).collect();
    let is_sound =
        |index: usize, way: Key| searches.get(&(index, way)).is_some_and(|line| line.error.is_none());
    let complete: Vec<usize> =
        indices.into_iter().filter(|&index| ways.iter().all(|&way| is_sound(index, way))).collect();
    let serial: Vec<&ClusterLine> =
        complete.iter().filter_map(|&index| searches.get(&(index, (1, None)))).collect();
    if serial.is_empty() {
        return Ok(figures);
    }
    figures.positions = complete.len();
    let times = || serial.iter().map(|line| line.virtual_ns as f64 / 1e6);
    figures.serial_ms = times().sum();
    figures.serial_range_ms = (times().fold(f64::INFINITY, f64::min), times().fold(0.0, f64::max));
    figures.settings = ways
        .iter()
        .map(|&way| {
            let lines: Vec<_> = complete.iter().map(|&index| &searches[&(index, way)]).collect();
            setting(way, &lines, &serial)
        })
        .collect();
    Ok(figures)
}

/// Those alone first, then by machines, latency, and whether bounds are shared.
fn order(way: Key) -> ((bool, usize, usize, u64, bool), Key) {
    let (processors, cluster) = way;
    let (machines, latency, shares) = cluster.unwrap_or_default();
    ((cluster.is_some(), machines, processors, latency, !shares), way)
}

/// The figures of one way, by its searches and the serial ones.
fn setting(way: Key, lines: &[&ClusterLine], serial: &[&ClusterLine]) -> ClusterSetting {
    let (processors, cluster) = way;
    let machines = cluster.map_or(1, |(machines, _, _)| machines);
    let sum = |of: fn(&ClusterLine) -> u64, lines: &[&ClusterLine]| {
        lines.iter().map(|line| of(line) as f64).sum::<f64>()
    };
    let part = |of: fn(&ClusterPart) -> u64| {
        lines.iter().filter_map(|line| line.cluster.as_ref()).map(of).sum::<u64>() as f64
    };
    let (time, serial_time) = (sum(|line| line.virtual_ns, lines), sum(|line| line.virtual_ns, serial));
    let work = sum(|line| line.work_ns, lines);
    let of_machines = time * machines as f64;
    let all = of_machines * processors as f64;
    let (idle, in_transit) = (part(|part| part.idle_ns), part(|part| part.in_transit_ns));
    let efficiency = serial_time / all;
    let searched_more = (work - serial_time) / all;
    let (waiting, none) = (in_transit / of_machines, (idle - in_transit) / of_machines);
    let lost = Lost {
        searched_more,
        inside: 1.0 - efficiency - searched_more - waiting - none,
        in_transit: waiting,
        without_task: none,
    };
    ClusterSetting {
        machines: cluster.map(|(machines, _, _)| machines),
        processors,
        latency_us: cluster.map(|(_, latency, _)| latency as f64 / 1e3),
        shares_bounds: cluster.map(|(_, _, shares)| shares),
        virtual_ms: time / 1e6,
        speedup: serial_time / time,
        efficiency,
        lost,
        more_nodes: sum(|line| line.nodes, lines) / sum(|line| line.nodes, serial) - 1.0,
        tasks: part(|part| part.tasks) as u64,
        planner_busy: part(|part| part.planning_ns) / time,
        half: (machines * processors > 1)
            .then(|| half(lines, serial, (machines * processors) as f64))
            .flatten(),
    }
}

/// From which serial time on half of the processors' time is used: least squares of log(lost / used) over
/// log(serial time). None where it does not fall with the time, or there is but one position.
fn half(lines: &[&ClusterLine], serial: &[&ClusterLine], processors: f64) -> Option<Half> {
    let points = lines.iter().zip(serial).map(|(line, serial)| {
        let used = serial.virtual_ns as f64 / (line.virtual_ns as f64 * processors);
        ((serial.virtual_ns as f64).ln(), (1.0 / used - 1.0).max(1e-3).ln())
    });
    let points: Vec<(f64, f64)> = points.collect();
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (mean_x, mean_y) = (mean(|point| point.0), mean(|point| point.1));
    let (mut products, mut squares) = (0.0, 0.0);
    for (x, y) in &points {
        products += (x - mean_x) * (y - mean_y);
        squares += (x - mean_x) * (x - mean_x);
    }
    let slope = products / squares;
    // A line that hardly falls says nothing about where it ends.
    if points.len() < 3 || !slope.is_finite() || slope > -0.05 {
        return None;
    }
    let at = mean_x - mean_y / slope;
    let is_within = points.iter().any(|(x, _)| *x <= at) && points.iter().any(|(x, _)| *x >= at);
    Some(Half { serial_ms: at.exp() / 1e6, extrapolated: !is_within })
}

impl ClusterFigures {
    pub(super) fn text(&self) -> String {
        format!("SIMULATED: {}\n{}\n", self.sizes(), self.table())
    }

    /// How large the searches are, in words.
    pub(crate) fn sizes(&self) -> String {
        let (least, most) = self.serial_range_ms;
        let serial = self.serial_ms;
        format!("the serial searches take {least:.0} to {most:.0} ms each and {serial:.0} ms together")
    }

    /// The figures for people, a row for each way.
    pub(crate) fn table(&self) -> Table {
        let mut table = new_table(
            &[
                "machines",
                "processors",
                "latency, us",
                "bounds",
                "virtual ms",
                "speedup",
                "efficiency",
                "searched more",
                "idle inside",
                "in transit",
                "without a task",
                "nodes",
                "tasks",
                "planner busy",
                "half of linear from, ms",
            ],
            0,
        );
        for row in &self.settings {
            let none = || "-".to_owned();
            let shares = |shares| if shares { "shared" } else { "apart" }.to_owned();
            let half =
                |half: Half| format!("{}{:.0}", if half.extrapolated { "~" } else { "" }, half.serial_ms);
            let Lost { searched_more, inside, in_transit, without_task } = row.lost;
            table.add_row([
                row.machines.map_or_else(none, |machines| machines.to_string()),
                row.processors.to_string(),
                row.latency_us.map_or_else(none, |latency| latency.to_string()),
                row.shares_bounds.map_or_else(none, shares),
                format!("{:.3}", row.virtual_ms),
                ratio(row.speedup),
                percent_of(row.efficiency),
                percent_of(searched_more),
                percent_of(inside),
                percent_of(in_transit),
                percent_of(without_task),
                percent(row.more_nodes),
                row.tasks.to_string(),
                percent_of(row.planner_busy),
                row.half.map_or_else(none, half),
            ]);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::clusters::MachineKind;
    use starsplit::simulate::CostModel;

    fn line(index: usize, processors: usize, machines: usize, virtual_ns: u64, work_ns: u64) -> ClusterLine {
        let part = ClusterPart {
            machines,
            latency_ns: 50_000,
            message_ns: 5_000,
            shares_bounds: true,
            waiting: 1,
            split_above: 1,
            parts: 1,
            occupied_ns: 1,
            idle_ns: virtual_ns / 2,
            in_transit_ns: virtual_ns / 4,
            planning_ns: virtual_ns / 10,
            messages: 2,
            tasks: 3,
            stopped: 0,
            restarted: 0,
        };
        ClusterLine {
            schema: 5,
            game: "dice".to_owned(),
            index,
            position: "x".to_owned(),
            depth: 3,
            simulated: MachineKind { model: "unit".to_owned(), costs: CostModel::UNIT.into(), seed: 1 },
            processors,
            cluster: (machines > 0).then_some(part),
            virtual_ns,
            work_ns,
            nodes: work_ns,
            score: Some(1),
            expected: Some(1),
            error: None,
        }
    }

    #[test]
    fn parts_of_the_processors_time_sum_to_one() {
        let lines = [line(1, 1, 0, 8_000, 8_000), line(1, 2, 4, 2_000, 10_000), line(2, 1, 0, 5, 5)];
        let found = recorded(lines.into_iter().map(Ok)).unwrap();
        assert_eq!((found.positions, found.values_equal, found.settings.len()), (1, true, 2));
        let row = &found.settings[1];
        let Lost { searched_more, inside, in_transit, without_task } = row.lost;
        let figures =
            [row.speedup, row.efficiency, searched_more, in_transit, without_task, inside, row.more_nodes];
        let expected = [4.0, 0.5, 0.125, 0.0625, 0.0625, 0.25, 0.25];
        assert!(
            figures.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-9),
            "{row:?}"
        );
        let serial = &found.settings[0];
        assert_eq!((serial.machines, serial.speedup, serial.half), (None, 1.0, None));
    }

    #[test]
    fn half_of_linear_lies_on_the_line_through_the_positions() {
        // The part that is lost over the part that is used falls as the square root of the time.
        let of = |index: usize, serial: f64, scale: f64| {
            let lost_over_used = scale / serial.sqrt();
            let time = serial * (1.0 + lost_over_used) / 8.0;
            [line(index, 1, 0, serial as u64, 1), line(index, 2, 4, time as u64, 1)]
        };
        let found = |scale| {
            let times = [1e8, 1e9, 1e10];
            let lines = (1..).zip(times).flat_map(|(index, serial)| of(index, serial, scale));
            recorded(lines.map(Ok)).unwrap().settings[1].half.unwrap()
        };
        let within = found(1e9f64.sqrt());
        assert!((within.serial_ms / 1e3 - 1.0).abs() < 1e-3 && !within.extrapolated, "{within:?}");
        let beyond = found(1e12f64.sqrt());
        assert!((beyond.serial_ms / 1e6 - 1.0).abs() < 1e-3 && beyond.extrapolated, "{beyond:?}");
    }

    #[test]
    fn the_same_search_twice_is_refused() {
        let lines = [line(1, 1, 0, 8, 8), line(1, 1, 0, 8, 8)];
        assert!(recorded(lines.into_iter().map(Ok)).unwrap_err().contains("line 2"));
    }
}
