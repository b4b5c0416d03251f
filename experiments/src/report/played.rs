//! What the page of a match has.

use crate::matches::recorded::MatchSettings;
use crate::matches::report::{MatchReport, SideReport};
use crate::report::escaped::code;
use crate::report::sections::{Csv, FIGURES, Section, Shown, csv, markdown, number, words};
use serde_json::Value;

/// What a match shows.
pub(super) fn shown(report: &MatchReport, settings: &MatchSettings) -> anyhow::Result<Shown> {
    let ended = report.results_table().map(|(words, table)| Section {
        heading: "How the games ended".to_owned(),
        text: format!("Counted are the {words}.\n\n{}", markdown(table)),
    });
    let points = Section { heading: "Points".to_owned(), text: points(report) };
    Ok(Shown {
        asked: asked(report, settings),
        sections: [points].into_iter().chain(ended).collect(),
        tables: vec![figures(report)?],
        ..Shown::default()
    })
}

/// What was played.
fn asked(report: &MatchReport, settings: &MatchSettings) -> Vec<(&'static str, String)> {
    let player = |side: &SideReport, player: &Value| {
        let evaluator = player.pointer("/search/evaluator").and_then(Value::as_str);
        let evaluator = evaluator.map_or_else(String::new, |name| format!(", evaluator {name}"));
        format!("{}{evaluator}", side.setting)
    };
    vec![
        ("game", format!("{}, {}", report.game, report.rules)),
        ("seed", report.seed.to_string()),
        ("one", player(&report.one, &settings.one)),
        ("two", player(&report.two, &settings.two)),
    ]
}

fn points(report: &MatchReport) -> String {
    let [one, two] = [&report.one, &report.two].map(|side| format!("`{}`", code(&side.setting)));
    let plies = report.plies.map_or_else(String::new, |plies| format!(", of {plies:.1} plies in the mean"));
    let notes = report.notes().map_or_else(String::new, |notes| format!(" {notes}."));
    let mut text = format!("{} games{plies}.{notes} One is {one}, two is {two}.\n\n", report.games);
    text.extend(report.points_lines().iter().map(|line| format!("* {line}\n")));
    text += "\nDepth, nodes and time are means over the moves for which a setting was asked, having more \
             than one; 0 of a player that does not say.\n\n";
    text += &markdown(report.moves_table());
    text.extend(report.scores_table().map(|table| format!("\n{}", markdown(table))));
    text
}

/// Every figure in a line of its own.
fn figures(report: &MatchReport) -> anyhow::Result<Csv> {
    let line = |figure: &str, who: &str, value: f64| words(&[figure, who, "", &number(value), "", ""]);
    let mut lines = vec![words(&["figure", "setting", "result", "value", "low", "high"])];
    for (name, value) in [
        ("games", Some(report.games as f64)),
        ("pairs", Some(report.pairs as f64)),
        ("unfinished", Some(report.unfinished as f64)),
        ("plies", report.plies),
    ] {
        lines.extend(value.map(|value| line(name, "", value)));
    }
    for (name, estimate) in [("points", report.points), ("win_rate", report.win_rate)] {
        let Some(estimate) = estimate else { continue };
        let [low, high] = [estimate.low, estimate.high].map(|end| number(end.unwrap_or(f64::NAN)));
        lines.push(words(&[name, "one", "", &number(estimate.mean), &low, &high]));
    }
    let wins = report.wins.into_iter().flat_map(|wins| ["won", "drawn", "lost"].into_iter().zip(wins));
    lines.extend(wins.map(|(name, games)| line(name, "one", games as f64)));
    for (who, side) in report.sides() {
        lines.extend(side_figures(side).into_iter().map(|(name, value)| line(name, who, value)));
    }
    for result in &report.results {
        let counts = [("one", result.one), ("two", result.two)];
        let line =
            |(who, games): (&str, u64)| words(&["ended", who, &result.text, &number(games as f64), "", ""]);
        lines.extend(counts.map(line));
    }
    csv(FIGURES, lines.into_iter())
}

/// The figures of a setting that it has.
fn side_figures(side: &SideReport) -> Vec<(&'static str, f64)> {
    let mut figures = vec![("moves", side.moves as f64), ("asked", side.asked as f64)];
    let means =
        [("mean_depth", side.mean_depth), ("nodes_a_move", side.nodes_a_move), ("ms_a_move", side.ms_a_move)];
    figures.extend(means.into_iter().filter_map(|(name, mean)| Some((name, mean?))));
    let scores = side.scores.map(|scores| {
        let (mean, median) = (("score_mean", scores.mean), ("score_median", scores.median));
        [mean, median, ("score_least", scores.min), ("score_greatest", scores.max)]
    });
    figures.extend(scores.into_iter().flatten());
    figures
}
