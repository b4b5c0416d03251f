//! From the recorded searches to the figures of a simulated device.

use crate::analysis::tables::{new_table, percent, percent_of, ratio};
use crate::records::devices::DeviceLine;
use comfy_table::Table;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The figures, in the form of the JSON object. All are SIMULATED, and all times are virtual.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DeviceFigures {
    /// Whether the times are virtual: always.
    pub simulated: bool,
    /// How many positions count: those that were searched in every way without error.
    pub positions: usize,
    /// Whether every search found its position's value.
    pub values_equal: bool,
    /// What a call of the device takes, in nanoseconds.
    pub call_ns: u32,
    /// What an evaluation takes beside that.
    pub each_ns: u32,
    /// The ways to search, the serial one first. Sums are over the positions that count.
    pub settings: Vec<DeviceSetting>,
    /// Whether Ctrl-C ended it early; in the object only then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

/// Threads, lanes on each, and what that comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct DeviceSetting {
    /// Virtual threads.
    pub threads: usize,
    /// Lanes on each.
    pub lanes: usize,
    /// The most evaluations of a call.
    pub batch: usize,
    /// Virtual time.
    pub virtual_ms: f64,
    /// The serial search's time over this.
    pub speedup: f64,
    /// Evaluations.
    pub evaluations: u64,
    /// Nodes.
    pub nodes: u64,
    /// Calls of the device.
    pub calls: u64,
    /// How full they are.
    pub fill: f64,
    /// Evaluations over the serial search's, less 1.
    pub waste: f64,
    /// The part of the time that the device was busy.
    pub device_busy: f64,
    /// The time that the device would take for these evaluations in full calls.
    pub limit_ms: f64,
    /// The threads' work over their number.
    pub ideal_ms: f64,
}

/// Threads, lanes and the batch of a way.
type Way = (usize, usize, usize);

/// The figures of the `lines` of a folder.
///
/// # Errors
/// When a line is not one of these searches, or they are not all of one device.
pub(crate) fn recorded(
    lines: impl Iterator<Item = Result<DeviceLine, String>>,
) -> Result<DeviceFigures, String> {
    let (mut searches, mut ways) = (BTreeMap::new(), BTreeSet::new());
    let mut figures = DeviceFigures { simulated: true, values_equal: true, ..DeviceFigures::default() };
    for (number, line) in (1..).zip(lines) {
        let line = line.map_err(|error| format!("expected a search in line {number} ({error})"))?;
        let device = (line.simulated.call_ns, line.simulated.each_ns);
        if searches.is_empty() {
            (figures.call_ns, figures.each_ns) = device;
        } else if device != (figures.call_ns, figures.each_ns) {
            return Err(format!("expected one device, another is in line {number}"));
        }
        figures.values_equal &= line.error.is_none();
        let way = (line.threads, line.lanes, line.batch);
        ways.insert(way);
        if searches.insert((line.index, way), line).is_some() {
            return Err(format!("expected every search once, line {number} has one again"));
        }
    }
    let indices: BTreeSet<usize> = searches.keys().map(|&(index, _)| index).collect();
    let is_sound =
        |index: usize, way: Way| searches.get(&(index, way)).is_some_and(|line| line.error.is_none());
    let complete: Vec<usize> =
        indices.into_iter().filter(|&index| ways.iter().all(|&way| is_sound(index, way))).collect();
    figures.positions = complete.len();
    let sums = ways.iter().map(|&way| Sums::of(way, complete.iter().map(|&index| &searches[&(index, way)])));
    let sums: Vec<Sums> = sums.collect();
    // The least way is one thread with one lane.
    let serial = sums.first().copied().unwrap_or_default();
    let mut settings: Vec<_> = sums.iter().map(|sums| sums.setting(&serial, &figures)).collect();
    settings.sort_by_key(|setting| (setting.batch, setting.threads, setting.lanes));
    Ok(DeviceFigures { settings, ..figures })
}

/// What the searches of one way come to.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    way: Way,
    virtual_ns: u64,
    work_ns: u64,
    nodes: u64,
    evaluations: u64,
    calls: u64,
}

impl Sums {
    fn of<'l>(way: Way, lines: impl Iterator<Item = &'l DeviceLine>) -> Self {
        lines.fold(Sums { way, ..Sums::default() }, |sums, line| Sums {
            way,
            virtual_ns: sums.virtual_ns + line.virtual_ns,
            work_ns: sums.work_ns + line.work_ns,
            nodes: sums.nodes + line.nodes,
            evaluations: sums.evaluations + line.evaluations,
            calls: sums.calls + line.calls,
        })
    }

    fn setting(&self, serial: &Sums, device: &DeviceFigures) -> DeviceSetting {
        let (threads, lanes, batch) = self.way;
        let [call, each] = [device.call_ns, device.each_ns].map(f64::from);
        let [time, calls, evaluations] = [self.virtual_ns, self.calls, self.evaluations].map(|n| n as f64);
        DeviceSetting {
            threads,
            lanes,
            batch,
            virtual_ms: time / 1e6,
            speedup: serial.virtual_ns as f64 / time,
            evaluations: self.evaluations,
            nodes: self.nodes,
            calls: self.calls,
            fill: evaluations / (calls * batch as f64),
            waste: evaluations / serial.evaluations as f64 - 1.0,
            device_busy: (calls * call + evaluations * each) / time,
            limit_ms: evaluations * (call / batch as f64 + each) / 1e6,
            ideal_ms: self.work_ns as f64 / threads as f64 / 1e6,
        }
    }
}

impl DeviceFigures {
    /// The device, in words.
    pub(crate) fn device(&self) -> String {
        let [call, each] = [self.call_ns, self.each_ns].map(|ns| f64::from(ns) / 1e3);
        format!("a call of the device takes {call} us and {each} us for each evaluation")
    }

    pub(super) fn text(&self) -> String {
        format!("SIMULATED: {}\n{}\n", self.device(), self.table())
    }

    /// The figures for people, a row for each way.
    pub(crate) fn table(&self) -> Table {
        let mut table = new_table(
            &[
                "batch",
                "threads",
                "lanes",
                "virtual ms",
                "speedup",
                "evaluations",
                "waste",
                "nodes",
                "calls",
                "fill",
                "device busy",
                "device limit, ms",
                "ideal, ms",
            ],
            0,
        );
        for row in &self.settings {
            let milliseconds = |ms: f64| format!("{ms:.3}");
            table.add_row([
                row.batch.to_string(),
                row.threads.to_string(),
                row.lanes.to_string(),
                milliseconds(row.virtual_ms),
                ratio(row.speedup),
                row.evaluations.to_string(),
                percent(row.waste),
                row.nodes.to_string(),
                row.calls.to_string(),
                percent_of(row.fill),
                percent_of(row.device_busy),
                milliseconds(row.limit_ms),
                milliseconds(row.ideal_ms),
            ]);
        }
        table
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::devices::DeviceMachine;
    use starsplit::simulate::CostModel;

    fn line(index: usize, (threads, lanes, batch): Way, virtual_ns: u64, evaluations: u64) -> DeviceLine {
        let costs = CostModel::UNIT.into();
        let (model, seed) = ("unit".to_owned(), 1);
        DeviceLine {
            schema: 5,
            game: "dice".to_owned(),
            index,
            position: "x".to_owned(),
            depth: 3,
            simulated: DeviceMachine { model, costs, call_ns: 50_000, each_ns: 100, seed },
            threads,
            lanes,
            batch,
            virtual_ns,
            work_ns: 8_000_000,
            nodes: 5,
            evaluations,
            calls: evaluations / 10,
            steals: 0,
            score: Some(1),
            expected: Some(1),
            error: None,
        }
    }

    #[test]
    fn figures_are_of_the_positions_that_every_way_has_searched() {
        let (serial, lanes) = ((1, 1, 100), (2, 64, 100));
        let lines = [line(1, serial, 40_000_000, 1_000), line(1, lanes, 10_000_000, 1_200)];
        let alone = line(2, serial, 1, 1);
        let found = recorded(lines.into_iter().chain([alone]).map(Ok)).unwrap();
        assert_eq!((found.positions, found.values_equal, found.settings.len()), (1, true, 2));
        let row = &found.settings[1];
        assert_eq!((row.threads, row.lanes, row.calls), (2, 64, 120));
        let figures = [row.virtual_ms, row.speedup, row.fill, row.waste, row.limit_ms, row.ideal_ms];
        let expected = [10.0, 4.0, 0.1, 0.2, 0.72, 4.0];
        assert!(figures.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-9));
        assert!((row.device_busy - 0.612).abs() < 1e-9, "{}", row.device_busy);
    }

    #[test]
    fn lines_of_several_devices_are_refused() {
        let mut other = line(2, (1, 1, 100), 1, 10);
        other.simulated.call_ns = 7;
        let lines = [line(1, (1, 1, 100), 1, 10), other];
        assert!(recorded(lines.into_iter().map(Ok)).unwrap_err().contains("line 2"));
        let twice = [line(1, (1, 1, 100), 1, 10), line(1, (1, 1, 100), 1, 10)];
        assert!(recorded(twice.into_iter().map(Ok)).unwrap_err().contains("once"));
    }
}
