//! What the page of simulated clusters has.

use crate::report::sections::{Csv, FIGURES, Section, Shown, csv, markdown, number, verdict, words};
use crate::simulate::clusters::{ClusterFigures, ClusterSetting};

/// What a folder shows.
pub(super) fn shown(report: &ClusterFigures) -> anyhow::Result<Shown> {
    let text = format!(
        "SIMULATED: all times are virtual. {} positions count; {}. {} Sums are over the positions. Without \
         a number of machines: one machine, without a planner. Efficiency: speedup / processors of all \
         machines. What else there is of their time: work that the serial search does not do (searched \
         more), processors without work in a machine that has a task (idle inside), machines that wait for \
         messages (in transit), machines for which there is no task. Nodes: over the serial search's, less \
         1. Half of linear: the serial time from which on the efficiency would be a half, by a line through \
         log(lost / used) over log(serial time) of the positions; with ~ it lies beyond them.\n\n{}",
        report.positions,
        report.sizes(),
        verdict(report.values_equal),
        markdown(report.table())
    );
    Ok(Shown {
        sections: vec![Section { heading: "Simulated clusters".to_owned(), text }],
        tables: vec![figures(&report.settings)?],
        ..Shown::default()
    })
}

fn figures(settings: &[ClusterSetting]) -> anyhow::Result<Csv> {
    let mut header =
        words(&["machines", "processors", "latency_us", "shares_bounds", "virtual_ms", "speedup"]);
    header.extend(words(&["efficiency", "searched_more", "inside", "in_transit", "without_task"]));
    header.extend(words(&["more_nodes", "tasks", "planner_busy", "half_ms", "half_extrapolated"]));
    let line = |row: &ClusterSetting| {
        let text = |text: Option<String>| text.unwrap_or_default();
        let lost = row.lost;
        let mut line = vec![
            text(row.machines.map(|machines| machines.to_string())),
            row.processors.to_string(),
            text(row.latency_us.map(number)),
            text(row.shares_bounds.map(|shares| shares.to_string())),
        ];
        line.extend([row.virtual_ms, row.speedup, row.efficiency].map(number));
        line.extend([lost.searched_more, lost.inside, lost.in_transit, lost.without_task].map(number));
        line.extend([number(row.more_nodes), row.tasks.to_string(), number(row.planner_busy)]);
        line.push(text(row.half.map(|half| number(half.serial_ms))));
        line.push(text(row.half.map(|half| half.extrapolated.to_string())));
        line
    };
    csv(FIGURES, std::iter::once(header).chain(settings.iter().map(line)))
}
