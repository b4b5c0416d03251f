//! What the page of an experiment has that sets the default beside the best of fixed settings, and the pages
//! over several of them.

use crate::records::meta::Meta;
use crate::report::sections::{Csv, FIGURES, Section, Shown, csv, markdown, number, verdict, words};
use crate::tuning::verdict::{self as aims, Summary};
use crate::tuning::{Beside, CellFigures, TuningFigures, short_name, table};
use serde::Serialize;
use serde_json::Value;

/// What the cells of all runs of a spec come to.
pub(super) const SUMMARY: &str = "summary.json";

/// What one experiment shows.
pub(super) fn shown(report: TuningFigures, meta: &Meta) -> anyhow::Result<Shown> {
    let beside = format!(
        "{} {}\n{}",
        verdict(report.values_equal),
        aims::text(&report.cells, 0),
        cells(&report.cells)
    );
    let searched = report.cells.iter().map(|cell| {
        let (threads, settings, searches) = (cell.threads, cell.settings, cell.searches);
        format!("* {threads} threads: {settings} settings, {searches} searches\n")
    });
    let list = |name: &str| choices(&meta.settings.get(name));
    let choices = format!(
        "The best was searched for, for about {} seconds on each number of threads, on every other position \
         of the suite, and compared on the others.\n\n{}\nA setting has one of each line:\n\n{}\nOn several \
         threads, if one was searched for on one thread before, the settings are the best of those, each \
         with one of each line here:\n\n{}",
        meta.settings.get("seconds"),
        searched.collect::<String>(),
        list("choices"),
        list("parallel_choices"),
    );
    Ok(Shown {
        sections: vec![
            Section { heading: "The default beside the best fixed setting".to_owned(), text: beside },
            Section { heading: "The search for the best".to_owned(), text: choices },
        ],
        tables: vec![figures(&report.cells)?],
        cells: report.cells,
        ..Shown::default()
    })
}

/// The table of the cells, and what the settings in it are.
fn cells(cells: &[CellFigures]) -> String {
    let mut best: Vec<&str> =
        cells.iter().filter_map(|cell| Some(cell.compared.as_ref()?.best.as_str())).collect();
    best.sort_unstable();
    best.dedup();
    let options = best.iter().map(|words| format!("* {}: `{words}`\n", short_name(words)));
    format!(
        "Default / best: above 1 the default is worse. Of the sums over the positions, each taken within a \
         round, the median over the rounds, with its 95% bootstrap interval over the positions. Milliseconds \
         are those at a position, medians over the rounds and the positions.\n\n{}\n{}",
        markdown(table(cells)),
        options.collect::<String>(),
    )
}

/// A list of choices, one a line.
fn choices(list: &Value) -> String {
    let line = |choice: &Value| {
        let alternatives = choice.as_array().into_iter().flatten().filter_map(Value::as_str);
        let alternatives: Vec<_> = alternatives.map(|words| format!("`{words}`")).collect();
        format!("* {}\n", alternatives.join(", "))
    };
    list.as_array().into_iter().flatten().map(line).collect()
}

/// What all runs of a spec come to, of which so many are not there; nothing where none is of such settings.
pub(super) fn over_all(all: &[CellFigures], missing: usize) -> String {
    if all.is_empty() { String::new() } else { format!("\n{}\n{}", aims::text(all, missing), cells(all)) }
}

/// The same for other programs.
///
/// # Errors
/// When it has no form in JSON.
pub(super) fn summary(all: &[CellFigures], missing: usize) -> anyhow::Result<Vec<u8>> {
    #[derive(Serialize)]
    struct Printed<'a> {
        summary: Option<Summary<'a>>,
        cells: &'a [CellFigures],
    }
    let printed = Printed { summary: Summary::of(all, missing), cells: all };
    Ok((serde_json::to_string_pretty(&printed)? + "\n").into_bytes())
}

/// Every figure of a cell in its line.
fn figures(cells: &[CellFigures]) -> anyhow::Result<Csv> {
    let mut header = words(&["game", "evaluator", "depth", "threads", "settings", "searches"]);
    header.extend(words(&["best", "positions", "rounds", "default_ms", "best_ms"]));
    for cost in ["time", "nodes", "evaluations"] {
        header.extend(["ratio", "low", "high"].map(|part| format!("{cost}_{part}")));
    }
    let parts = |beside: &Beside| {
        let ends = beside.interval.map_or([f64::NAN; 2], |interval| [interval.low, interval.high]);
        [beside.ratio, ends[0], ends[1]].map(number)
    };
    let columns = header.len();
    let line = |cell: &CellFigures| {
        let mut line = vec![cell.game.clone(), cell.evaluator.clone()];
        line.extend([cell.depth as usize, cell.threads, cell.settings, cell.searches].map(|n| n.to_string()));
        if let Some(found) = &cell.compared {
            line.extend([found.best.clone(), found.positions.to_string(), found.rounds.to_string()]);
            line.extend([found.default_ms, found.best_ms].map(number));
            line.extend([&found.time, &found.nodes, &found.evaluations].into_iter().flat_map(parts));
        }
        line.resize(columns, String::new());
        line
    };
    csv(FIGURES, std::iter::once(header).chain(cells.iter().map(line)))
}
