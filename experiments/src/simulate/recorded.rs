//! The report of a folder of simulated searches, from its lines alone.

use crate::records::line::Line;
use crate::simulate::plan::Plan;
use crate::simulate::report::SimulateFigures;
use crate::simulate::sample::Searches;
use starsplit::search::Algorithm;

/// The figures of all searches in the `lines` of a folder, by this algorithm to this depth in a suite of so
/// many `positions`, and at how many positions anything was searched. What was not done at every position by
/// all contenders, under every model with every seed, counts as far as it is paired.
///
/// # Errors
/// When a line is not one of a simulated search, or there is no serial search among them.
pub(crate) fn recorded(
    lines: impl Iterator<Item = Result<Line, String>>,
    (algorithm, depth): (Algorithm, u32),
    positions: usize,
    min_nodes: u64,
) -> Result<(SimulateFigures, usize), String> {
    let searches = Searches::read(lines)?;
    let mut texts = vec![""; positions];
    for (&index, position) in &searches.positions {
        let text = index.checked_sub(1).and_then(|place| texts.get_mut(place));
        *text.ok_or_else(|| format!("expected positions from 1 to {positions}, not {index}"))? = position;
    }
    let plan = Plan::of(&searches)?;
    let figures = SimulateFigures {
        algorithm: algorithm.name(),
        depth,
        min_nodes,
        values_equal: searches.all.values().all(|kept| kept.fault.is_none()),
        ..SimulateFigures::default()
    };
    Ok((figures.of(&plan, &searches, &texts), plan.positions.len()))
}
