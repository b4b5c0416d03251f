//! What the page of a simulated device has.

use crate::report::sections::{Csv, FIGURES, Section, Shown, csv, markdown, number, verdict, words};
use crate::simulate::devices::{DeviceFigures, DeviceSetting};

/// What a folder shows.
pub(super) fn shown(report: &DeviceFigures) -> anyhow::Result<Shown> {
    let text = format!(
        "SIMULATED: all times are virtual, and {}. {} positions count. {} Sums are over the positions. \
         Waste: evaluations over those of one lane on one thread, less 1. Fill: evaluations / (calls x \
         batch). Device limit: what the search's evaluations would take the device in full calls. Ideal: \
         what the threads did for the search, over their number.\n\n{}",
        report.device(),
        report.positions,
        verdict(report.values_equal),
        markdown(report.table())
    );
    Ok(Shown {
        sections: vec![Section { heading: "A simulated device".to_owned(), text }],
        tables: vec![figures(&report.settings)?],
        ..Shown::default()
    })
}

fn figures(settings: &[DeviceSetting]) -> anyhow::Result<Csv> {
    let mut header = words(&["batch", "threads", "lanes", "virtual_ms", "speedup", "evaluations", "waste"]);
    header.extend(words(&["nodes", "calls", "fill", "device_busy", "limit_ms", "ideal_ms"]));
    let line = |row: &DeviceSetting| {
        let counts = |counts: &[usize]| counts.iter().map(ToString::to_string).collect::<Vec<_>>();
        let mut line = counts(&[row.batch, row.threads, row.lanes]);
        line.extend([row.virtual_ms, row.speedup].map(number));
        line.push(row.evaluations.to_string());
        line.push(number(row.waste));
        line.extend([row.nodes, row.calls].map(|count| count.to_string()));
        line.extend([row.fill, row.device_busy, row.limit_ms, row.ideal_ms].map(number));
        line
    };
    csv(FIGURES, std::iter::once(header).chain(settings.iter().map(line)))
}
