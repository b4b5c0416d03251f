//! What the page's scripts are given: every figure of every search at each position.

use crate::analysis::conditions::Disturbance;
use crate::report::curves::{At, Curve, Panel, Point};
use crate::report::folder::Folder;
use serde::Serialize;
use starsplit::search::Method;

#[derive(Serialize)]
struct Data<'a> {
    /// Nodes of the baseline from which on a position counts as large.
    min_nodes: u64,
    /// Every method, in the library's order.
    methods: Vec<&'static str>,
    folders: Vec<FolderData<'a>>,
}

#[derive(Serialize)]
struct FolderData<'a> {
    /// No other has the same.
    name: String,
    /// What it was to find out; there only where a spec or the manifest says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    question: Option<&'a str>,
    machine: String,
    /// What tells it from others of the same question and machine.
    part: &'a str,
    game: &'a str,
    simulated: bool,
    command: String,
    facts: Vec<(&'static str, String)>,
    /// What of the planned searches is missing; there only where something is.
    #[serde(skip_serializing_if = "Option::is_none")]
    lacks: Option<&'a str>,
    /// What a headline says of a disturbed machine; there only where one was.
    #[serde(skip_serializing_if = "Option::is_none")]
    disturbed: Option<String>,
    started: &'a str,
    panels: Vec<PanelData<'a>>,
}

#[derive(Serialize)]
struct PanelData<'a> {
    /// The model's name, or `real`.
    costs: &'a str,
    /// What the model charges.
    charges: Option<&'a str>,
    baseline: &'static str,
    baselines: usize,
    /// At how many positions anything was searched.
    recorded: usize,
    values_equal: bool,
    /// Place in the suite, position, the baseline's nodes.
    positions: Vec<(usize, &'a str, u64)>,
    curves: Vec<CurveData>,
}

#[derive(Serialize)]
struct CurveData {
    method: &'static str,
    ordering: &'static str,
    points: Vec<PointData>,
}

/// The figures at each position, in the panel's order.
#[derive(Serialize)]
struct PointData {
    processors: usize,
    speedup: Vec<f64>,
    overhead: Vec<f64>,
    idle: Option<Vec<f64>>,
    bound: Option<Vec<f64>>,
}

/// The data as JSON that may stand in an element of a page.
///
/// # Errors
/// When they cannot be written as JSON, which has no reason that is known.
pub(super) fn text(folders: &[Folder], min_nodes: u64) -> anyhow::Result<String> {
    let methods = Method::ALL.iter().map(|method| method.name()).collect();
    let mut data = Data { min_nodes, methods, folders: Vec::new() };
    for folder in folders.iter().filter(|folder| !folder.panels.is_empty()) {
        let name = free_name(&folder.name, &data.folders);
        data.folders.push(FolderData::new(name, folder));
    }
    // Nothing in a string can end the element then.
    Ok(serde_json::to_string(&data)?.replace('<', "\\u003c"))
}

/// The name, or with a number after it where one of the `others` has it.
fn free_name(name: &str, others: &[FolderData<'_>]) -> String {
    let is_free = |name: &String| others.iter().all(|other| other.name != *name);
    let numbered = (2..).map(|number| format!("{name} ({number})"));
    std::iter::once(name.to_owned()).chain(numbered).find(is_free).unwrap_or_default()
}

impl<'a> FolderData<'a> {
    fn new(name: String, folder: &'a Folder) -> Self {
        FolderData {
            name,
            question: folder.question.as_deref(),
            machine: folder.machine(),
            part: folder.part(),
            game: &folder.meta.game,
            simulated: folder.is_simulated,
            command: folder.command(),
            facts: folder.facts(),
            lacks: folder.lacks.as_deref(),
            disturbed: folder.disturbance.as_ref().and_then(Disturbance::headline),
            started: &folder.meta.started,
            panels: folder.panels.iter().map(PanelData::new).collect(),
        }
    }
}

impl<'a> PanelData<'a> {
    fn new(panel: &'a Panel) -> Self {
        PanelData {
            costs: panel.costs_name(),
            charges: panel.costs.as_deref(),
            baseline: panel.baseline,
            baselines: panel.baselines,
            recorded: panel.recorded,
            values_equal: panel.values_equal,
            positions: panel.serial.iter().map(|s| (s.index, s.position.as_str(), s.nodes)).collect(),
            curves: panel.curves.iter().map(CurveData::new).collect(),
        }
    }
}

impl CurveData {
    fn new(curve: &Curve) -> Self {
        let Curve { method, ordering, points } = curve;
        CurveData { method, ordering, points: points.iter().map(PointData::new).collect() }
    }
}

impl PointData {
    fn new(point: &Point) -> Self {
        let each = |figure: fn(&At) -> Option<f64>| -> Option<Vec<f64>> {
            point.each.iter().map(|at| figure(at).map(rounded)).collect()
        };
        PointData {
            processors: point.processors,
            speedup: each(|at| Some(at.speedup)).unwrap_or_default(),
            overhead: each(|at| Some(at.search_overhead)).unwrap_or_default(),
            idle: each(|at| at.idle),
            bound: each(|at| at.bound),
        }
    }
}

/// To six digits, more than any figure is good for.
fn rounded(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_six_digits() {
        for (number, kept) in
            [(755.123_456, 755.123), (0.001_234_567_8, 0.001_234_57), (-0.5, -0.5), (0.0, 0.0), (1e9, 1e9)]
        {
            assert_eq!(rounded(number).to_bits(), f64::to_bits(kept), "{number}");
        }
        assert!(rounded(f64::NAN).is_nan());
    }
}
