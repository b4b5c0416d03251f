//! Whether the default comes near the best fixed settings, over many cells.

use crate::tuning::figures::{CellFigures, Compared};
use serde::Serialize;
use starsplit_statistics::summary::median;

/// At most so many times as long as the best setting the default shall take, in the median over the cells.
const MEDIAN_AIM: f64 = 1.10;

/// At most so many times as long it shall take in the worst cell.
const WORST_AIM: f64 = 1.25;

/// What cells come to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Summary<'a> {
    /// How many cells there are.
    pub(crate) cells: usize,
    /// How many runs of the spec have none yet.
    pub(crate) missing_runs: usize,
    /// How many cells have been compared.
    pub(crate) compared: usize,
    /// The median over these of the default's time over the best setting's.
    pub(crate) median_ratio: f64,
    /// What it shall be at most.
    pub(crate) median_aim: f64,
    /// The lower end of the ratio's interval where that is greatest; the ratio, where there is no interval.
    pub(crate) worst_low: f64,
    /// What it shall be at most.
    pub(crate) worst_aim: f64,
    /// Which cell that is.
    pub(crate) worst: &'a CellFigures,
    /// The cells whose ratio is above the aim of the median, and what it is.
    pub(crate) above: Vec<String>,
    /// Whether all cells of all runs were compared and both aims are met.
    pub(crate) is_met: bool,
}

impl<'a> Summary<'a> {
    /// What the cells come to, where so many runs are missing; none where no cell was compared.
    pub(crate) fn of(cells: &'a [CellFigures], missing_runs: usize) -> Option<Self> {
        let compared: Vec<_> =
            cells.iter().filter_map(|cell| Some((cell, cell.compared.as_ref()?))).collect();
        let ratios: Vec<f64> = compared.iter().map(|(_, found)| found.time.ratio).collect();
        let (worst, found) = *compared.iter().max_by(|one, other| low(one.1).total_cmp(&low(other.1)))?;
        let (median_ratio, worst_low) = (median(&ratios)?, low(found));
        let above = compared.iter().filter(|(_, found)| found.time.ratio > MEDIAN_AIM);
        let above = above.map(|(cell, found)| format!("{} ({:.2})", name(cell), found.time.ratio)).collect();
        let is_whole = compared.len() == cells.len() && missing_runs == 0;
        let is_met = is_whole && median_ratio <= MEDIAN_AIM && worst_low <= WORST_AIM;
        Some(Summary {
            cells: cells.len(),
            missing_runs,
            compared: compared.len(),
            median_ratio,
            median_aim: MEDIAN_AIM,
            worst_low,
            worst_aim: WORST_AIM,
            worst,
            above,
            is_met,
        })
    }
}

/// The lower end of the interval of the time's ratio. Where there is none the ratio itself, which is more.
fn low(compared: &Compared) -> f64 {
    compared.time.interval.map_or(compared.time.ratio, |interval| interval.low)
}

fn name(cell: &CellFigures) -> String {
    let CellFigures { game, evaluator, depth, threads, .. } = cell;
    let threads = if *threads == 1 { "1 thread".to_owned() } else { format!("{threads} threads") };
    format!("{game} with {evaluator} to depth {depth} on {threads}")
}

/// What the cells come to, in words; so many runs are missing.
pub(crate) fn text(cells: &[CellFigures], missing_runs: usize) -> String {
    let Some(found) = Summary::of(cells, missing_runs) else {
        return "No cell has been compared.\n".to_owned();
    };
    let met = |is_met: bool| if is_met { "met" } else { "MISSED" };
    let mut missing = String::new();
    for (count, what) in [(found.cells - found.compared, "more cells"), (missing_runs, "more runs")] {
        if count > 0 {
            missing += &format!(" {count} {what} are NOT COMPARED.");
        }
    }
    format!(
        "Default over best, wall time, {} cells: {:.3} in the median (aim: at most {:.2}, {}); by the lower \
         end of the interval {:.3} in the worst, {} (aim: at most {:.2}, {}). {} of {} cells are above \
         {:.2}{}.{missing}\n",
        found.compared,
        found.median_ratio,
        MEDIAN_AIM,
        met(found.median_ratio <= MEDIAN_AIM),
        found.worst_low,
        name(found.worst),
        WORST_AIM,
        met(found.worst_low <= WORST_AIM),
        found.above.len(),
        found.compared,
        MEDIAN_AIM,
        if found.above.is_empty() { String::new() } else { format!(": {}", found.above.join(", ")) },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::figures::tests::cell;

    fn is_met(cells: &[CellFigures]) -> bool {
        Summary::of(cells, 0).unwrap().is_met
    }

    #[test]
    fn the_worst_cell_is_the_one_whose_interval_begins_highest() {
        let cells = [cell("a", 1.0, Some(0.9)), cell("b", 1.5, Some(1.2)), cell("c", 1.05, Some(1.04))];
        let found = Summary::of(&cells, 0).unwrap();
        assert_eq!((found.median_ratio, found.worst_low, found.worst.evaluator.as_str()), (1.05, 1.2, "b"));
        assert!(found.is_met);
        let text = text(&cells, 0);
        for words in [
            "3 cells: 1.050 in the median (aim: at most 1.10, met)",
            "1.200 in the worst, pig with b to depth 7 on 1 thread (aim: at most 1.25, met). 1 of 3 cells",
            " cells are above 1.10: pig with b to depth 7 on 1 thread (1.50).",
        ] {
            assert!(text.contains(words), "{words} in {text}");
        }
        // Where there is no interval the ratio counts.
        let found = [cell("a", 1.0, None), cell("b", 1.0, Some(0.99))];
        assert_eq!(Summary::of(&found, 0).unwrap().worst.evaluator, "a");
        assert!(super::text(&found, 0).ends_with("0 of 2 cells are above 1.10.\n"));
    }

    #[test]
    fn each_aim_can_be_missed_alone_and_cells_that_are_missing_meet_none() {
        let good = cell("a", 1.1, Some(1.0));
        assert!(is_met(std::slice::from_ref(&good)));
        assert!(!is_met(&[cell("a", 1.11, Some(1.0))]), "the median");
        assert!(!is_met(&[good.clone(), good.clone(), cell("a", 1.3, Some(1.26))]), "the worst");
        let not_compared = CellFigures { compared: None, ..good.clone() };
        let cells = [good, not_compared];
        assert!(!is_met(&cells) && text(&cells, 0).contains(" 1 more cells are NOT COMPARED."));
        assert!(!Summary::of(&cells[..1], 1).unwrap().is_met);
        assert!(text(&cells[..1], 1).contains(" 1 more runs are NOT COMPARED."));
        assert_eq!(Summary::of(&cells[1..], 0), None);
        assert_eq!(text(&[], 0), "No cell has been compared.\n");
    }
}
