//! The report of a folder of real searches, from its records alone.

use crate::analysis::conditions::Conditions;
use crate::analysis::reading::Reading;
use crate::records::line::Line;
use crate::records::meta::Meta;
use crate::scaling::report::{ScalingFigures, ScalingFrame};
use starsplit::search::Algorithm;

/// The figures of all searches in the `lines` of a folder, by this algorithm to this depth in a suite of so
/// many `positions`, on a machine with so many processors, and at how many positions anything was searched.
/// Abort latencies are not among them.
///
/// # Errors
/// When a line is not one of a real search, or there is no serial search among them.
pub(crate) fn recorded(
    meta: &Meta,
    lines: impl Iterator<Item = Result<Line, String>>,
    cores: usize,
    ((algorithm, depth), positions): ((Algorithm, u32), usize),
    min_nodes: u64,
) -> Result<(ScalingFigures, usize), String> {
    let pinned = meta.settings.get("pinned").as_bool();
    let mut conditions = Conditions::default();
    let lines = lines.inspect(|line| line.iter().for_each(|line| conditions.note(line)));
    let reading = Reading::new(lines, positions)?;
    let frame = ScalingFrame {
        algorithm: algorithm.name(),
        depth,
        cores,
        min_nodes,
        values_equal: reading.values_equal,
        stopped: false,
        positions: reading.texts.iter().map(String::as_str).collect(),
        pinned,
        conditions: &conditions,
    };
    let recorded = reading.texts.iter().filter(|text| !text.is_empty()).count();
    Ok((ScalingFigures::new(&frame, &reading.contenders, &reading.runs()), recorded))
}
