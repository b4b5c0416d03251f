//! The page over the runs of a spec.

use crate::report::escaped::{plain, prose};
use crate::report::folder::Folder;
use crate::report::growth;
use crate::report::output::MARK;
use crate::report::tuned;
use crate::spec::Outline;
use crate::tuning::{self, CellFigures};
use std::fmt::Write;

/// The page as Markdown, for a spec called `name`; of each of its runs that has records, what they show, if
/// anything is drawn of them.
pub(super) fn text(name: &str, outline: &Outline, runs: &[(String, Option<Folder>)]) -> String {
    let (question, reading) = (prose(outline.question.trim()), prose(outline.reading.trim()));
    let mut text = format!("# {}\n\n**{question}**\n\n{reading}\n", plain(name));
    let (cells, missing) = cells(outline, runs);
    text += &tuned::over_all(&cells, missing);
    for run in &outline.runs {
        let Some((_, folder)) = runs.iter().find(|(found, _)| *found == run.name) else {
            // Writing to a String does not fail.
            let _ = write!(text, "\n## {}\n\nNot run.\n", run.name);
            continue;
        };
        let _ = write!(
            text,
            "\n## {0}\n\n`{1}`: [records and figures]({0}/README.md)\n",
            run.name, run.experiment
        );
        let Some(folder) = folder else { continue };
        if let Some(lacks) = &folder.lacks {
            let _ = write!(text, "\nINCOMPLETE: {lacks} of the plan are there.\n");
        }
        for panel in &folder.panels {
            let virtual_words =
                if folder.is_simulated { " of virtual processors, in virtual time" } else { "" };
            let costs =
                panel.model.as_ref().map_or_else(String::new, |model| format!(", costs {}", plain(model)));
            let alt = format!("Speedup{virtual_words}{costs}");
            let _ = write!(text, "\n{alt}:\n\n![{alt}]({}/{}.svg)\n", run.name, panel.picture);
        }
        if !folder.shown.growth.is_empty() {
            let _ = write!(text, "\n![Nodes against depth]({}/{}.svg)\n", run.name, growth::NAME);
        }
        // Cells stand in one table.
        if let Some(section) = folder.shown.sections.first().filter(|_| folder.shown.cells.is_empty()) {
            let _ = write!(text, "\n{}", section.text);
        }
    }
    if runs.iter().any(|(_, folder)| folder.as_ref().is_some_and(|folder| !folder.panels.is_empty())) {
        text += "\n[All curves, to pick and compare](index.html), in a browser.\n";
    }
    let _ = write!(text, "\nThe spec is in `spec.toml`.\n\n{MARK}` from the records below it.\n");
    text
}

/// The cells of all runs that set the default beside fixed settings, and how many such runs have none.
pub(super) fn cells(outline: &Outline, runs: &[(String, Option<Folder>)]) -> (Vec<CellFigures>, usize) {
    let of = |name: &str| {
        let found = runs.iter().find(|(found, _)| found == name).and_then(|(_, folder)| folder.as_ref());
        found.map(|folder| folder.shown.cells.clone()).unwrap_or_default()
    };
    let wanted = outline.runs.iter().filter(|run| run.experiment == tuning::EXPERIMENT);
    let cells: Vec<_> = wanted.map(|run| of(&run.name)).collect();
    let missing = cells.iter().filter(|cells| cells.is_empty()).count();
    (cells.into_iter().flatten().collect(), missing)
}
