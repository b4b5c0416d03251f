//! The report of a folder of real searches, from its records alone.

use crate::analysis::reading::Reading;
use crate::records::line::Line;
use crate::records::meta::Meta;
use crate::scaling::report::{Frame, Report};
use std::path::Path;

/// The figures of all searches in the `lines` of a folder, to this depth in a suite of so many `positions`,
/// on a machine with so many processors, and at how many positions anything was searched. Abort latencies are
/// not among them.
///
/// # Errors
/// When a line is not one of a real search, or there is no serial search among them.
pub(crate) fn recorded(
    folder: (&Path, Meta),
    lines: impl Iterator<Item = Result<Line, String>>,
    cores: usize,
    (depth, positions): (u32, usize),
    min_nodes: u64,
) -> Result<(Report, usize), String> {
    let reading = Reading::whole(folder, lines, cores, positions)?;
    let frame = Frame {
        depth,
        cores,
        min_nodes,
        values_equal: reading.values_equal,
        stopped: false,
        positions: reading.texts.iter().map(String::as_str).collect(),
    };
    let recorded = reading.texts.iter().filter(|text| !text.is_empty()).count();
    Ok((Report::new(&frame, &reading.entrants, &reading.runs()), recorded))
}
