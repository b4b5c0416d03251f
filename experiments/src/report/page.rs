//! The page of a folder.

use crate::analysis::figure::Figure;
use crate::analysis::fits::{amdahl, work_span};
use crate::analysis::tables::{Part, interval, percent, percent_of, ratio, share_of_one};
use crate::records::meta::{Asked, Meta};
use crate::report::curves::{Curve, Panel, Point};
use crate::report::efficiency;
use crate::report::escaped::{code, code_line, plain, prose};
use crate::report::folder::Folder;
use crate::report::growth;
use crate::report::output::MARK;
use crate::report::sections::Section;
use crate::report::watched;
use crate::simulate::GREEDY_GUARANTEE;
use indicatif::HumanCount;
use starsplit_statistics::bootstrap::median_interval;
use starsplit_statistics::summary::{geometric_mean, mean};
use std::fmt::Write;

/// The page as Markdown.
pub(super) fn text(folder: &Folder, min_nodes: Option<u64>) -> String {
    let mut text = format!("# {}{}\n\n{}", plain(&folder.name), folder.in_headline(), question(&folder.meta));
    let _ = writeln!(text, "{}", introduction(folder));
    let _ = write!(text, "\n    {}\n\n{}", code_line(&folder.command()), settings(folder));
    for panel in &folder.panels {
        text += &section(panel, folder.lacks.as_deref());
    }
    if folder.panels.iter().any(|panel| panel.model.is_some()) {
        let _ =
            write!(text, "\n## Efficiency\n\n![Efficiency against processors]({}.svg)\n", efficiency::NAME);
    }
    if !folder.shown.growth.is_empty() {
        let _ = write!(text, "\n![Nodes against depth]({}.svg)\n", growth::NAME);
    }
    for Section { heading, text: own } in &folder.shown.sections {
        let _ = write!(text, "\n## {heading}\n\n{own}");
    }
    let flag = min_nodes.map_or_else(String::new, |nodes| format!(" --min-nodes {nodes}"));
    let _ = match folder.panels.as_slice() {
        [] => write!(
            text,
            "\n{MARK}{flag}` from the records beside it. The figures are in the tables of CSV, too.\n"
        ),
        _ => write!(
            text,
            "\nIn brackets: the quartiles. Search overhead, idle time and the {GREEDY_GUARANTEE} \
             are of the sums over all positions. \
             Intervals and means are of the large positions (of all where none is large). The intervals over \
             positions tell how far the median depends on which positions these are, not on the run; those \
             of a dozen positions or fewer are rather too narrow.\n\n{MARK}{flag}` from the records beside \
             it. All that the pictures and tables show, but for the laws, is in `figures.csv`.\n"
        ),
    };
    text
}

/// What the spec that asked for the run says of it.
fn question(meta: &Meta) -> String {
    let text = |spec: &Asked| format!("**{}**\n\n{}\n\n", prose(&spec.question), prose(&spec.reading));
    meta.spec.as_ref().map_or_else(String::new, text)
}

fn introduction(folder: &Folder) -> String {
    let link_to = |document: &str, place: &str| match &folder.documents {
        Some(documents) => format!("[{document}]({documents}{document}#{place})"),
        None => document.to_owned(),
    };
    let link = |place| link_to("METHODOLOGY.md", place);
    if folder.depth.is_none() {
        let link = link_to("docs/experiments.md", "matches");
        format!("Whole games, in pairs with the same rolls: {link} says what counts, and how.")
    } else if folder.is_simulated {
        format!(
            "SIMULATED: the same search on virtual processors, in virtual time. What is not modelled (memory \
                bandwidth, \
             caches, distance) makes such curves optimistic: {}.",
            link("virtual-processors")
        )
    } else {
        format!("Real threads, in real time: {} says how it is measured.", link("real-runs"))
    }
}

fn settings(folder: &Folder) -> String {
    let row = |(name, value): (&str, String)| format!("| {name} | {} |\n", plain(&value));
    format!("| | |\n|---|---|\n{}", folder.facts().into_iter().map(row).collect::<String>())
}

fn section(panel: &Panel, lacks: Option<&str>) -> String {
    let heading = match &panel.model {
        Some(model) => format!("Costs `{}`", code(model)),
        None => "Real time".to_owned(),
    };
    let costs = panel
        .costs
        .as_ref()
        .map_or_else(String::new, |costs| format!("An event costs: {}.\n\n", plain(costs)));
    let verdict =
        if panel.values_equal { "All values are equal." } else { "Searches with wrong values are LEFT OUT." };
    let lacks =
        lacks.map_or_else(String::new, |lacks| format!(" INCOMPLETE: {lacks} of the plan are there."));
    format!(
        "\n## {heading}\n\n{costs}{} {} of {} recorded positions count, {} of them are large, {} nodes and \
            more. {verdict}{lacks}\n\n\
         ![Speedup against processors]({}.svg)\n\n{}{}{}{}",
        baseline(panel),
        panel.positions,
        panel.recorded,
        panel.large,
        HumanCount(panel.min_nodes),
        panel.picture,
        legend(panel),
        table(panel),
        watched::text(panel),
        laws(panel)
    )
}

fn baseline(panel: &Panel) -> String {
    let among = match panel.baselines {
        1 => "the only one searched".to_owned(),
        number => format!("the fastest of {number}"),
    };
    let nodes = HumanCount(panel.nodes);
    format!(
        "The baseline is the serial search with ordering `{}`, {among}: {nodes} nodes.",
        code(panel.baseline)
    )
}

/// What the lines of the picture are.
fn legend(panel: &Panel) -> String {
    let guarantee = if panel.has(|point| point.bound.is_some()) {
        format!(
            " Dotted: the {GREEDY_GUARANTEE}, T1 / (work / P + span), what greedy scheduling of the same \
             work gives at least, if stealing takes no time. The search may be faster than that, or slower."
        )
    } else {
        String::new()
    };
    let start = if panel.curves.iter().any(|curve| curve.points.iter().all(|point| point.processors > 1)) {
        " Thin: from the serial search, 1 by definition, where nothing was searched on one processor."
    } else {
        ""
    };
    let ceiling = if panel.has(|point| point.ceiling.is_some()) {
        " Grey, with crosses: the machine's ceiling."
    } else {
        ""
    };
    format!(
        "Medians with the quartiles. Dashed: as many times as fast as there are \
         processors.{start}{ceiling}{guarantee}\n\n"
    )
}

/// Total: of the sums over all positions. Else medians, with the quartiles.
fn table(panel: &Panel) -> String {
    let shares = panel.has(|point| point.ceiling_share.is_some());
    let matched = panel.has(|point| point.matched_share.is_some());
    let bounds = panel.has(|point| point.bound.is_some());
    let mut columns =
        vec!["method", "ordering", "processors", "speedup, total", "median of all", "median of large"];
    let rounds = panel.has(|point| point.two_stage.is_some());
    if rounds {
        columns.push("95% interval over rounds and positions");
    }
    columns.push("95% interval over positions");
    columns.push("geometric, arithmetic mean");
    if panel.model.is_none() {
        columns.push("slower than serial");
    }
    if shares {
        columns.push("share of the ceiling, large");
    }
    if shares && rounds {
        columns.push("95% interval over rounds and positions");
    }
    if matched {
        columns.push("of the matched ceiling, large");
    }
    columns.extend(["search overhead", "idle", "residual"]);
    if bounds {
        columns.push(GREEDY_GUARANTEE);
    }
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let header: Vec<String> = columns.iter().map(|&column| column.to_owned()).collect();
    let mut text = line(&header) + &line(&vec!["---".to_owned(); columns.len()]);
    for curve in &panel.curves {
        for point in &curve.points {
            text += &line(&cells(panel, curve, point, (rounds, shares, matched, bounds)));
        }
    }
    text
}

fn cells(
    panel: &Panel,
    curve: &Curve,
    point: &Point,
    (rounds, shares, matched, bounds): (bool, bool, bool, bool),
) -> Vec<String> {
    let unknown = || "-".to_owned();
    let samples = panel.samples(point);
    let means = geometric_mean(&samples).zip(mean(&samples));
    let mut cells = vec![
        curve.method.to_owned(),
        curve.ordering.to_owned(),
        point.processors.to_string(),
        Part::Total.of(&point.speedup, ratio),
        Part::All.of(&point.speedup, ratio),
        Part::Large.of(&point.speedup, ratio),
    ];
    if rounds {
        cells.push(interval(point.two_stage, ratio));
    }
    cells.push(interval(median_interval(&samples), ratio));
    cells.push(means.map_or_else(unknown, |(one, other)| format!("{}, {}", ratio(one), ratio(other))));
    if panel.model.is_none() {
        cells.push(format!("{} of {}", point.slower(), panel.positions));
    }
    let share = |share: Option<Figure>| {
        share.map_or_else(|| "-".to_owned(), |share| Part::Large.of(&share, share_of_one))
    };
    if shares {
        cells.push(share(point.ceiling_share));
    }
    if shares && rounds {
        cells.push(interval(point.share_two_stage, share_of_one));
    }
    if matched {
        cells.push(share(point.matched_share));
    }
    cells.push(Part::Total.of(&point.search_overhead, percent));
    cells.push(point.factor("idle").map_or_else(unknown, |idle| Part::Total.of(&idle, percent_of)));
    cells.push(point.factor("residual").map_or_else(unknown, |found| Part::Total.of(&found, percent)));
    if bounds {
        cells.push(point.bound.map_or_else(unknown, |bound| Part::Total.of(&bound, ratio)));
    }
    cells
}

/// A law that misses a point by more than this share is no law of the curve.
const WORST: f64 = 0.1;

/// The laws that come closest to the medians that are drawn, for each curve with points enough.
fn laws(panel: &Panel) -> String {
    let line = |curve: &Curve| {
        let point = |point: &Point| Some((point.processors as f64, panel.drawn(&point.speedup)?.median));
        let points: Vec<_> = curve.points.iter().filter_map(point).collect();
        let (two, one) = (work_span(&points)?, amdahl(&points)?);
        let fitted = |time: &dyn Fn(f64) -> f64, text: String| {
            let miss = |(processors, speedup): &(f64, f64)| (speedup * time(*processors) - 1.0).abs();
            let worst = points.iter().map(miss).fold(0.0, f64::max);
            if worst <= WORST { format!("{text} | {}", percent_of(worst)) } else { "none | -".to_owned() }
        };
        let two = fitted(&|p| two.work / p + two.span, format!("{:.3} / P + {:.2e}", two.work, two.span));
        let one = fitted(&|p| one.serial + (1.0 - one.serial) / p, format!("{:.2e}", one.serial));
        Some(format!("| {} | {two} | {one} |\n", plain(&panel.label(curve))))
    };
    let lines: String = panel.curves.iter().filter_map(line).collect();
    if lines.is_empty() {
        return lines;
    }
    format!(
        "\nLaws fitted to those medians (least squares of relative time), where they miss no point by more \
            than {}: time over \
         that of the serial search as work / P + span, and Amdahl's serial share.\n\n| curve | work / P + \
         span | worst miss | \
         serial share | worst miss |\n| --- | --- | --- | --- | --- |\n{lines}",
        percent_of(WORST)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::curves::tests::panel;
    use crate::report::folder::tests::with_panels;
    use serde_json::json;

    #[test]
    fn a_page_says_what_was_run_where_and_what_came_out() {
        let meta = json!({"program": {"command": ["simulate", "--depth", "9"], "rustc": "rustc 1.95.0",
            "git": {"revision": "0123", "dirty": true}}, "machine": {"cores": 2, "cpu": {"name": "Some"}},
            "settings": {"suite": "paper", "rules": "size=5", "evaluator": "network", "table_mb": 64}});
        let panels = vec![panel(&["both"], &[(2, 1.5)])];
        let folder = Folder { name: "some-folder".to_owned(), ..with_panels(meta, panels) };
        let text = text(&folder, Some(7));
        for words in [
            "# some-folder",
            "SIMULATED",
            "    simulate --depth 9\n",
            "| revision | 0123, changed |",
            "| machine | Some, 2 processors |",
            "ordering `hybrid`, the fastest of 2: 123,456,789 nodes. 3 of 4 recorded positions count",
            "![Speedup against processors](speedup-unit.svg)",
            "Made by `report --min-nodes 7` from",
            "| both | hybrid | 2 | 1.50 | 1.50 [1.12 .. 2.25] | 3.00 [3.00 .. 3.00] | - | 3.00, 3.00 | +1.0% \
                | 2.0% | - | 1.65 |",
        ] {
            assert!(text.contains(words), "{words} in {text}");
        }
        assert!(!text.contains("share of the ceiling") && !text.contains("Laws"), "{text}");
        assert!(!text.contains("INCOMPLETE"), "{text}");
    }

    #[test]
    fn a_page_says_what_its_record_lacks() {
        let panels = vec![panel(&["both"], &[(2, 1.5)])];
        let lacks = Some("5 of 50 positions, 20 of 600 lines".to_owned());
        let text = text(&Folder { lacks, ..with_panels(json!({}), panels) }, None);
        for words in [
            "| INCOMPLETE | 5 of 50 positions, 20 of 600 lines |",
            "All values are equal. INCOMPLETE: 5 of 50",
        ] {
            assert!(text.contains(words), "{words} in {text}");
        }
    }

    #[test]
    fn curves_of_three_points_have_laws() {
        // Twice as much over the large positions: time is 0.6 / P + 0.01.
        let points = [1_usize, 4, 64].map(|p| (p, 0.5 / (0.6 / p as f64 + 0.01)));
        let text = laws(&panel(&["both"], &points));
        assert!(text.contains("| both | 0.600 / P + 1.00e-2 | 0.0% | none | - |"), "{text}");
    }
}
