//! Figures for people.

use crate::analysis::tables::{interval, new_table, ratio};
use crate::tuning::choices::short_name;
use crate::tuning::figures::{Beside, CellFigures, Compared, TuningFigures};
use crate::tuning::verdict;
use comfy_table::Table;

impl TuningFigures {
    /// Everything for people.
    pub(super) fn text(&self) -> String {
        format!("{}\n\n{}", table(&self.cells), verdict::text(&self.cells, 0))
    }
}

/// The cells for people, one a line.
pub(crate) fn table(cells: &[CellFigures]) -> Table {
    let header = [
        "game",
        "evaluator",
        "best setting",
        "depth",
        "threads",
        "settings",
        "default (ms)",
        "best (ms)",
        "default / best [95%]",
        "nodes",
        "evaluations",
    ];
    let mut table = new_table(&header, 3);
    for cell in cells {
        let unknown = || "-".to_owned();
        let known = cell.compared.as_ref();
        let show = |part: fn(&Compared) -> String| known.map_or_else(unknown, part);
        table.add_row([
            cell.game.clone(),
            cell.evaluator.clone(),
            show(|compared| short_name(&compared.best)),
            cell.depth.to_string(),
            cell.threads.to_string(),
            cell.settings.to_string(),
            show(|compared| format!("{:.3}", compared.default_ms)),
            show(|compared| format!("{:.3}", compared.best_ms)),
            show(|compared| {
                let Beside { ratio: found, interval: around } = compared.time;
                format!("{} [{}]", ratio(found), interval(around, ratio))
            }),
            show(|compared| ratio(compared.nodes.ratio)),
            show(|compared| ratio(compared.evaluations.ratio)),
        ]);
    }
    table
}
