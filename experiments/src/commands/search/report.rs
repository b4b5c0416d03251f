//! What the command `search` answers.

use crate::commands::search::table_file::TableFileReport;
use crate::question::door::Answer;
use crate::question::tables::TWO_SIDED;
use crate::records::chosen::Chosen;
use crate::records::measured::Measured;
use serde::Serialize;
use starsplit::game::Step;
use starsplit::score::Score;
use starsplit::search::{Interrupted, Options, PrincipalVariation, StopReason};
use starsplit_tables::{AnyTable, Retention};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

/// What the search answers, in the form of the JSON object.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SearchReport {
    game: String,
    position: String,
    depth: u32,
    algorithm: &'static str,
    value: Option<f64>,
    score: Option<Score>,
    lower: Score,
    upper: Score,
    exact: bool,
    /// How many proofs contradicted others; and where any did, what that says.
    contradictions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
    best_move: Option<String>,
    /// The principal line, and what ended it before the depth or the end of the game.
    line: Vec<LineStep>,
    line_stopped: Option<&'static str>,
    nodes: u64,
    decision_nodes: u64,
    chance_nodes: u64,
    leaves: u64,
    seconds: f64,
    table: TableReport,
    table_file: Option<TableFileReport>,
    evaluations: u64,
    successor_probes: u64,
    stopped: Option<&'static str>,
    interrupted: Option<InterruptedReport>,
    simulated: Option<SimulatedReport>,
    trace: Option<TraceReport>,
    chosen: Chosen,
    batches: BatchReport,
    /// What was left out of the game.
    smaller_game: Option<String>,
}

/// The calls in which evaluations were made together.
#[derive(Clone, Debug, Serialize)]
struct BatchReport {
    calls: u64,
    evaluations: u64,
    /// How full they were in the mean, of what a call may have.
    fill: f64,
    /// How many lanes a thread had.
    lanes: usize,
    /// How many a call may have.
    cap: usize,
}

/// A step of the line.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
enum LineStep {
    Move(String),
    Outcome(String),
}

#[derive(Clone, Debug, Serialize)]
struct TableReport {
    #[serde(rename = "use")]
    table_use: &'static str,
    scheme: &'static str,
    entries: &'static str,
    /// What the table kept of what was stored, where that was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    retention: Option<Kept>,
    mb: u64,
    /// Thousandths of the slots in use.
    hashfull: u32,
    #[serde(flatten)]
    counts: BTreeMap<String, u64>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Kept {
    asked_again: u64,
    found_again: u64,
}

impl From<Retention> for Kept {
    fn from(Retention { asked_again, found_again }: Retention) -> Self {
        Kept { asked_again, found_again }
    }
}

#[derive(Clone, Debug, Serialize)]
struct InterruptedReport {
    depth: u32,
    lower: Score,
    upper: Score,
}

/// A search on virtual processors.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SimulatedReport {
    pub(super) costs: String,
    pub(super) seed: u64,
    pub(super) processors: usize,
    /// The search's virtual time, in units of the costs.
    pub(super) virtual_time: u64,
    /// How many events were charged.
    pub(super) events: u64,
}

/// The trace that was written.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TraceReport {
    pub(super) file: PathBuf,
    pub(super) spans: usize,
    pub(super) dropped_spans: u64,
}

/// What a report is made from.
pub(super) struct Found<'a> {
    pub(super) game: &'a str,
    pub(super) position: &'a str,
    pub(super) options: &'a Options,
    pub(super) answer: &'a Answer,
    pub(super) measured: Measured,
    pub(super) table_mb: u64,
    pub(super) table: &'a AnyTable,
    pub(super) hashfull: u32,
    pub(super) table_file: Option<TableFileReport>,
    pub(super) line: PrincipalVariation<String, String>,
    pub(super) simulated: Option<SimulatedReport>,
    pub(super) trace: Option<TraceReport>,
}

impl SearchReport {
    pub(super) fn new(found: Found<'_>) -> Self {
        let Found { game, position, options, answer, measured, table_mb, table, hashfull, .. } = found;
        let Found { table_file, line, simulated, trace, .. } = found;
        let step = |step| match step {
            Step::Move(text) => LineStep::Move(text),
            Step::Outcome(text) => LineStep::Outcome(text),
        };
        SearchReport {
            game: game.to_owned(),
            position: position.to_owned(),
            depth: answer.depth,
            algorithm: options.algorithm.name(),
            value: measured.value,
            score: measured.score,
            lower: measured.lower,
            upper: measured.upper,
            exact: answer.score().is_some(),
            contradictions: answer.contradictions(),
            warning: (answer.contradictions() > 0).then(|| answer.contradictions_text()),
            best_move: answer.best_move.clone(),
            line_stopped: (!line.is_whole()).then_some(reason(line.stopped_by)),
            line: line.steps.into_iter().map(step).collect(),
            nodes: measured.nodes,
            decision_nodes: measured.decision_nodes,
            chance_nodes: measured.chance_nodes,
            leaves: measured.leaves,
            seconds: measured.seconds(),
            table: TableReport {
                table_use: options.table_use.name(),
                scheme: table.scheme().name(),
                entries: TWO_SIDED,
                retention: table.retention().map(Kept::from),
                mb: table_mb,
                hashfull,
                counts: measured.table,
            },
            table_file,
            evaluations: measured.evaluations,
            successor_probes: measured.successor_probes,
            stopped: answer.was_stopped().then_some(reason(answer.stopped_by)),
            interrupted: answer.interrupted.map(|Interrupted { depth, bounds }| InterruptedReport {
                depth,
                lower: bounds.lower,
                upper: bounds.upper,
            }),
            simulated,
            trace,
            chosen: Chosen::from(&answer.chosen),
            batches: BatchReport {
                calls: answer.batches.calls,
                evaluations: answer.batches.evaluations,
                fill: answer.batches.fill(answer.lanes.batch),
                lanes: answer.lanes.lanes,
                cap: answer.lanes.batch,
            },
            smaller_game: answer.smaller_game.clone(),
        }
    }

    /// Whether somebody stopped the search, or that for its line.
    pub(super) fn was_interrupted(&self) -> bool {
        [self.stopped, self.line_stopped].contains(&Some(reason(StopReason::Flag)))
    }

    /// The line for people: moves, and outcomes in brackets.
    fn line_text(&self) -> String {
        let in_words = |step: &LineStep| match step {
            LineStep::Move(text) => text.clone(),
            LineStep::Outcome(text) => format!("[{text}]"),
        };
        let mut steps: Vec<_> = self.line.iter().map(in_words).collect();
        steps.extend(self.line_stopped.map(|reason| format!("stopped by {reason}")));
        if steps.is_empty() { "none: the game is over".to_owned() } else { steps.join(", ") }
    }

    /// The answer for people.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut line = |name: &str, value: &str| {
            // Writing to a String does not fail.
            let _ = writeln!(text, "{name:<12} {value}");
        };
        line("game", &self.game);
        if let Some(kept) = &self.smaller_game {
            line("smaller game", kept);
        }
        line("position", &self.position);
        line("algorithm", self.algorithm);
        line("depth", &self.depth.to_string());
        match self.value {
            Some(value) => line(
                "value",
                &format!(
                    "{value:.7} for the player to roll or move (score {}, exact, {} contradictions)",
                    self.lower, self.contradictions
                ),
            ),
            None => {
                let (lower, upper, count) = (self.lower, self.upper, self.contradictions);
                line("score", &format!("between {lower} and {upper} ({count} contradictions)"));
            }
        }
        if let Some(warning) = &self.warning {
            line("WARNING", warning);
        }
        let best_move = self.best_move.as_deref().unwrap_or("none: the die is next");
        match self.depth {
            0 if self.best_move.is_some() => {
                line(
                    "best move",
                    &format!("{best_move}, of which nothing is proven: no iteration was completed"),
                );
            }
            _ => line("best move", best_move),
        }
        line("line", &self.line_text());
        let (decision, chance) = (self.decision_nodes, self.chance_nodes);
        line(
            "nodes",
            &format!("{} ({decision} decision, {chance} chance, {} leaves)", self.nodes, self.leaves),
        );
        line("evaluations", &self.evaluations.to_string());
        if self.batches.calls > 0 {
            let BatchReport { calls, evaluations, fill, lanes, .. } = &self.batches;
            let of = 100.0 * fill;
            let text = format!("{lanes} lanes: {calls} calls for {evaluations} evaluations, {of:.0}% full");
            line("batches", &text);
        }
        line("seconds", &format!("{:.6}", self.seconds));
        line("chosen", &self.chosen.text());
        self.write_simulated(&mut line);
        if let Some(reason) = self.stopped {
            line("stopped by", reason);
        }
        if let Some(InterruptedReport { depth, lower, upper }) = &self.interrupted {
            line("interrupted", &format!("at depth {depth}, score proven between {lower} and {upper}"));
        }
        for (name, words) in self.table_file.iter().flat_map(TableFileReport::lines) {
            line(name, &words);
        }
        if let Some(TraceReport { file, spans, dropped_spans }) = &self.trace {
            line("trace", &format!("{} ({spans} spans, {dropped_spans} dropped)", file.display()));
        }
        text
    }

    fn write_simulated(&self, line: &mut impl FnMut(&str, &str)) {
        let Some(SimulatedReport { costs, seed, processors, virtual_time, events }) = &self.simulated else {
            return;
        };
        line("simulated", &format!("{processors} virtual processors, costs {costs}, seed {seed}"));
        line(
            "virtual time",
            &format!("{virtual_time} units, {events} events; the seconds are those of simulating"),
        );
    }
}

/// What ended a search, as the JSON object says it.
fn reason(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Depth => "depth",
        StopReason::Nodes => "nodes",
        StopReason::Time => "time",
        StopReason::Flag => "interrupt",
    }
}
