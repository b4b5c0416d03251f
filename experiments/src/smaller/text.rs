//! Figures for people.

use crate::analysis::student::Estimate;
use crate::analysis::tables::{new_table, percent_of};
use crate::smaller::figures::{SettingFigures, SmallerFigures};
use comfy_table::Table;

impl SmallerFigures {
    /// What was searched.
    pub(crate) fn heading(&self) -> String {
        let SmallerFigures { game, evaluator, depth, positions, full, .. } = self;
        let count = *positions as f64;
        format!(
            "{game}, {evaluator}, to depth {depth} at {positions} positions; the full game takes {:.0} \
             nodes, {:.0} evaluations and {:.2} ms at one",
            full.nodes / count,
            full.evaluations / count,
            1e3 * full.seconds / count
        )
    }

    /// What smaller games lose and cost, one a line.
    pub(crate) fn table(&self) -> Table {
        let header = [
            "kept",
            "error, mean [95%]",
            "error, rms",
            "error, largest",
            "other move",
            "worse",
            "regret, mean [95%]",
            "regret, largest",
            "nodes",
            "evaluations",
            "time",
        ];
        let mut table = new_table(&header, 1);
        for setting in &self.settings {
            let SettingFigures { error, regret, ratios, .. } = setting;
            table.add_row([
                setting.setting.clone(),
                estimate(&error.mean),
                value(error.rms),
                value(error.largest),
                percent_of(setting.other_moves),
                percent_of(setting.worse_moves),
                estimate(regret),
                value(setting.largest_regret),
                share(ratios.nodes),
                share(ratios.evaluations),
                share(ratios.seconds),
            ]);
        }
        table
    }
}

fn value(value: f64) -> String {
    let text = format!("{value:.4}");
    // No minus before what is as good as nothing.
    if text == "-0.0000" { text[1..].to_owned() } else { text }
}

fn share(ratio: f64) -> String {
    format!("{ratio:.3}")
}

fn estimate(estimate: &Estimate) -> String {
    match (estimate.low, estimate.high) {
        (Some(low), Some(high)) => {
            format!("{} [{} .. {}]", value(estimate.mean), value(low), value(high))
        }
        _ => value(estimate.mean),
    }
}
