//! What the page of a folder has beside curves; the tables of a study and those of the paper.

use crate::analysis::conditions::words as conditions;
use crate::paper_tables;
use crate::report::escaped::{code, plain};
use crate::report::growth::Growth;
use crate::study::{self, AgainstFirst};
use crate::tuning::CellFigures;
use comfy_table::{Table, presets};
use starsplit_statistics::summary::Summary;

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) heading: String,
    /// Markdown.
    pub(crate) text: String,
}

/// A table of figures, for any program that draws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Csv {
    pub(crate) name: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// What a folder without curves shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Shown {
    /// What was asked for, each with its name, where it is not searches of a suite.
    pub(crate) asked: Vec<(&'static str, String)>,
    pub(crate) sections: Vec<Section>,
    pub(crate) tables: Vec<Csv>,
    /// What the picture of it draws.
    pub(crate) growth: Vec<Growth>,
    /// What the picture says of the figures.
    pub(crate) means: &'static str,
    /// The default beside the best of fixed settings.
    pub(crate) cells: Vec<CellFigures>,
}

/// Every figure.
pub(super) const FIGURES: &str = "figures.csv";

/// How cost grows with depth.
pub(super) const GROWTH: &str = "growth.csv";

/// How many variants may have a curve and lines of their own by depth: of more nobody could tell them apart.
const CURVES: usize = 8;

/// The table as Markdown, in which what its cells say does nothing.
pub(super) fn markdown(mut table: Table) -> String {
    table.load_style(presets::ASCII_MARKDOWN);
    for row in table.row_iter_mut() {
        let cells: Vec<_> = row.cell_iter().map(|cell| plain(&cell.content())).collect();
        *row = cells.into();
    }
    format!("{table}\n")
}

pub(super) fn verdict(values_equal: bool) -> &'static str {
    if values_equal { "All values are equal." } else { "Searches with wrong values are LEFT OUT." }
}

pub(super) fn csv(name: &'static str, lines: impl Iterator<Item = Vec<String>>) -> anyhow::Result<Csv> {
    let mut table = csv::Writer::from_writer(Vec::new());
    lines.into_iter().try_for_each(|line| table.write_record(line))?;
    Ok(Csv { name, bytes: table.into_inner()? })
}

pub(super) fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// Nine digits, as in every table of figures.
pub(super) fn number(number: f64) -> String {
    if number.is_finite() { format!("{number:.9}") } else { String::new() }
}

/// What a study shows.
pub(super) fn study(report: &study::StudyFigures) -> anyhow::Result<Shown> {
    let options = report.variants.iter().map(|variant| match variant.options.as_str() {
        "" => format!("* {}: the library's defaults\n", plain(&variant.name)),
        options => format!("* {}: `{}`\n", plain(&variant.name), code(options)),
    });
    let beside = format!(
        "{} positions count. {} Ratios are to the first variant, each taken within a round, the median over \
            the rounds: of \
         the sums over the positions, and the median over the positions with its 95% bootstrap \
         interval. \"Other values\": at how many positions a variant that may reuse bounds \
         of other depths found another value, or none that is exact.\n\n{}\n{}",
        report.positions,
        verdict(report.values_equal),
        options.collect::<String>(),
        markdown(report.table())
    );
    let beside = match &report.disturbance {
        None => beside,
        found => format!("{beside}\n{}\n", conditions(&report.order, found.as_ref(), None)),
    };
    let spread = format!(
        "What a position took, the median over its rounds: over the positions, as in the paper's Table \
         I.\n\n{}",
        markdown(report.spread())
    );
    Ok(Shown {
        sections: vec![
            Section { heading: "Variants".to_owned(), text: beside },
            Section { heading: "A position".to_owned(), text: spread },
            Section { heading: "By depth".to_owned(), text: by_depth(report) },
        ],
        tables: vec![study_figures(report)?, study_growth(report)?],
        growth: if report.variants.len() <= CURVES { study_curves(report) } else { Vec::new() },
        means: "geometric means over the positions that reached the depth",
        ..Shown::default()
    })
}

fn by_depth(report: &study::StudyFigures) -> String {
    if report.variants.len() > CURVES {
        return format!("Of more than {CURVES} variants it is in [{GROWTH}]({GROWTH}) alone.\n");
    }
    format!(
        "What it took until a depth was complete, shallower iterations included: geometric means over the \
         positions that reached it. The branching factor is how many times as many nodes a ply costs, over \
         the last two plies; the median over the positions. Of searches on several threads only the time is \
         known, since nodes of an iteration are counted by one of them.\n\n{}",
        markdown(report.growth())
    )
}

fn study_curves(report: &study::StudyFigures) -> Vec<Growth> {
    report.variants.iter().map(study_curve).filter(|curve| !curve.points.is_empty()).collect()
}

fn study_curve(variant: &study::VariantFigures) -> Growth {
    let points = variant.by_depth.iter().filter_map(|at| Some((at.depth, at.nodes?))).collect();
    Growth { label: variant.name.clone(), points }
}

fn study_figures(report: &study::StudyFigures) -> anyhow::Result<Csv> {
    let mut header = words(&["variant", "options", "positions", "other_values"]);
    for cost in ["nodes", "evaluations", "seconds"] {
        header.extend(["total", "ratio", "median_ratio", "low", "high"].map(|part| format!("{cost}_{part}")));
    }
    let parts = |against: &AgainstFirst| {
        let ends = against.interval.map_or([f64::NAN; 2], |interval| [interval.low, interval.high]);
        [against.total, against.ratio, against.median_ratio, ends[0], ends[1]].map(number)
    };
    // Records of a machine that nobody has watched have no more.
    let is_watched = report.disturbance.is_some();
    let watched = ["seconds_low_over_rounds", "seconds_high_over_rounds"];
    header.extend(words(&watched).into_iter().filter(|_| is_watched));
    let of_machine = |variant: &study::VariantFigures| {
        let ends = variant.seconds.two_stage.map_or([f64::NAN; 2], |own| [own.low, own.high]);
        ends.map(number).into_iter().filter(move |_| is_watched)
    };
    let line = |variant: &study::VariantFigures| {
        let positions = report.positions.to_string();
        let first =
            [variant.name.clone(), variant.options.clone(), positions, variant.other_values.to_string()];
        let costs = [&variant.nodes, &variant.evaluations, &variant.seconds].map(parts);
        first.into_iter().chain(costs.into_iter().flatten()).chain(of_machine(variant)).collect()
    };
    csv(FIGURES, std::iter::once(header).chain(report.variants.iter().map(line)))
}

fn study_growth(report: &study::StudyFigures) -> anyhow::Result<Csv> {
    let header = words(&["variant", "depth", "positions", "nodes", "seconds", "branching"]);
    let lines = report.variants.iter().flat_map(|variant| {
        variant.by_depth.iter().map(|at| {
            let [nodes, branching] =
                [at.nodes, at.branching].map(|figure| number(figure.unwrap_or(f64::NAN)));
            let counts = [at.depth.to_string(), at.positions.to_string()];
            let [depth, positions] = counts;
            vec![variant.name.clone(), depth, positions, nodes, number(at.seconds), branching]
        })
    });
    csv(GROWTH, std::iter::once(header).chain(lines))
}

/// What the paper's tables show.
pub(super) fn paper_tables(report: &paper_tables::PaperFigures) -> anyhow::Result<Shown> {
    let sections = report.tables().into_iter().map(|(heading, table)| Section {
        heading,
        text: format!("{}\n\n{}", verdict(report.values_equal), markdown(table)),
    });
    Ok(Shown {
        sections: sections.collect(),
        tables: vec![paper_figures(report)?, paper_growth(report)?],
        growth: paper_curves(report),
        means: "arithmetic means over the positions, as in the paper",
        ..Shown::default()
    })
}

/// The paper's Figure 6.3, for each ordering.
fn paper_curves(report: &paper_tables::PaperFigures) -> Vec<Growth> {
    let is_one = report.orderings.len() == 1;
    let curves = report.orderings.iter().flat_map(|ordering| {
        ordering.algorithms.iter().map(move |algorithm| {
            let name = algorithm.algorithm;
            let label = if is_one { name.to_owned() } else { format!("{name}, {}", ordering.ordering) };
            Growth { label, points: algorithm.by_depth.iter().map(|at| (at.depth, at.nodes)).collect() }
        })
    });
    curves.collect()
}

fn paper_figures(report: &paper_tables::PaperFigures) -> anyhow::Result<Csv> {
    let header =
        words(&["ordering", "algorithm", "cost", "positions", "min", "median", "max", "mean", "std"]);
    let mut lines = vec![header];
    for ordering in &report.orderings {
        for algorithm in &ordering.algorithms {
            for (cost, summary) in [
                ("nodes", algorithm.nodes),
                ("seconds", algorithm.seconds),
                ("evaluations", algorithm.evaluations),
            ] {
                let Some(Summary { min, median, max, mean, std }) = summary else { continue };
                let mut line = words(&[ordering.ordering, algorithm.algorithm, cost]);
                line.push(ordering.positions.to_string());
                line.extend([min, median, max, mean, std].map(number));
                lines.push(line);
            }
        }
    }
    csv(FIGURES, lines.into_iter())
}

fn paper_growth(report: &paper_tables::PaperFigures) -> anyhow::Result<Csv> {
    let header = words(&["ordering", "algorithm", "depth", "nodes", "evaluations", "seconds"]);
    let mut lines = vec![header];
    for ordering in &report.orderings {
        for algorithm in &ordering.algorithms {
            for at in &algorithm.by_depth {
                let mut line = words(&[ordering.ordering, algorithm.algorithm]);
                line.push(at.depth.to_string());
                line.extend([at.nodes, at.evaluations, at.seconds].map(number));
                lines.push(line);
            }
        }
    }
    csv(GROWTH, lines.into_iter())
}
