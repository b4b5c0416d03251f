//! What the page of smaller games beside the full one has.

use crate::analysis::student::Estimate;
use crate::report::escaped::{code, plain};
use crate::report::sections::{Csv, FIGURES, Section, Shown, csv, markdown, number, verdict, words};
use crate::smaller::{SettingFigures, SmallerCosts, SmallerFigures};

/// What the experiment shows.
pub(super) fn shown(report: &SmallerFigures) -> anyhow::Result<Shown> {
    let told = report.settings.iter().filter_map(|setting| {
        let words = setting.smaller_game.as_ref()?;
        Some(format!("* `{}`, {} searches: {}\n", code(&setting.setting), setting.searches, plain(words)))
    });
    let text = format!(
        "{}. {}\n\nError: the smaller game's value less the full one's. Other move: how often another one is \
         chosen than in the full game; worse: how often that loses something. Regret: by how much, as the \
         search of the full game values both. In the game's units; intervals are Student's t over the \
         positions. Nodes, evaluations and time are over those of the full game's search; evaluations by \
         which moves are ranked are in the time alone. `all` is the whole game, searched as the smaller ones \
         are: its time tells what is lost to an evaluator that keeps no state.\n\n{}\n{}",
        report.heading(),
        verdict(report.values_equal),
        markdown(report.table()),
        told.collect::<String>()
    );
    Ok(Shown {
        sections: vec![Section { heading: "Smaller games beside the full one".to_owned(), text }],
        tables: vec![figures(&report.settings)?],
        ..Shown::default()
    })
}

/// Every figure of a setting in its line.
fn figures(settings: &[SettingFigures]) -> anyhow::Result<Csv> {
    let mut header = words(&["setting", "searches", "error", "error_low", "error_high", "error_rms"]);
    header.extend(words(&["error_largest", "other_moves", "worse_moves", "regret", "regret_low"]));
    header.extend(words(&["regret_high", "regret_largest", "nodes", "evaluations", "seconds"]));
    header.extend(words(&["nodes_ratio", "evaluations_ratio", "seconds_ratio"]));
    let estimate = |found: &Estimate| [Some(found.mean), found.low, found.high].map(shown_number);
    let costs = |costs: &SmallerCosts| [costs.nodes, costs.evaluations, costs.seconds].map(number);
    let line = |setting: &SettingFigures| {
        let mut line = vec![setting.setting.clone(), setting.searches.to_string()];
        line.extend(estimate(&setting.error.mean));
        let shares = [setting.error.rms, setting.error.largest, setting.other_moves, setting.worse_moves];
        line.extend(shares.map(number));
        line.extend(estimate(&setting.regret));
        line.push(number(setting.largest_regret));
        line.extend([&setting.costs, &setting.ratios].into_iter().flat_map(costs));
        line
    };
    csv(FIGURES, std::iter::once(header).chain(settings.iter().map(line)))
}

/// A number, or nothing.
fn shown_number(found: Option<f64>) -> String {
    number(found.unwrap_or(f64::NAN))
}
