//! What the command `search` answers.

use crate::commands::search::table_file::TableFileReport;
use crate::question::door::Answer;
use crate::question::tables::{BUCKETS_A_MIB, TWO_SIDED};
use crate::records::chosen::Chosen;
use crate::records::measured::Measured;
use serde::Serialize;
use serde_json::{Value, json};
use starsplit::game::Step;
use starsplit::score::Score;
use starsplit::search::{Interrupted, Options, PrincipalVariation, StopReason, TableUse};
use starsplit::table::Table;
use starsplit_tables::{AnyTable, Retention};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What the search answers, in the form of the JSON object.
#[derive(Clone, Debug, Serialize)]
pub(super) struct SearchReport<'a> {
    game: &'a str,
    position: &'a str,
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
    pub(super) table_file: Option<TableFileReport>,
    evaluations: u64,
    successor_probes: u64,
    stopped: Option<&'static str>,
    interrupted: Option<InterruptedReport>,
    pub(super) simulated: Option<SimulatedReport>,
    pub(super) trace: Option<TraceReport>,
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
pub(super) struct TableReport {
    #[serde(rename = "use")]
    table_use: &'static str,
    scheme: &'static str,
    entries: &'static str,
    /// What the table kept of what was stored, where that was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    retention: Option<Value>,
    mb: u64,
    /// Thousandths of the slots in use.
    hashfull: u32,
    #[serde(flatten)]
    counts: BTreeMap<String, u64>,
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

impl<'a> SearchReport<'a> {
    /// That of an answer, as yet without a line, files and virtual time.
    pub(super) fn new(
        (game, position): (&'a str, &'a str),
        options: &Options,
        answer: &Answer,
        found: Measured,
        table: TableReport,
    ) -> Self {
        let contradictions = answer.contradictions();
        SearchReport {
            game,
            position,
            depth: answer.depth,
            algorithm: options.algorithm.name(),
            value: found.value,
            score: found.score,
            lower: found.lower,
            upper: found.upper,
            exact: answer.score().is_some(),
            contradictions,
            warning: (contradictions > 0).then(|| answer.contradictions_text()),
            best_move: answer.best_move.clone(),
            line: Vec::new(),
            line_stopped: None,
            nodes: found.nodes,
            decision_nodes: found.decision_nodes,
            chance_nodes: found.chance_nodes,
            leaves: found.leaves,
            seconds: found.seconds(),
            table,
            table_file: None,
            evaluations: found.evaluations,
            successor_probes: found.successor_probes,
            stopped: answer.was_stopped().then_some(reason(answer.stopped_by)),
            interrupted: answer.interrupted.map(|Interrupted { depth, bounds }| InterruptedReport {
                depth,
                lower: bounds.lower,
                upper: bounds.upper,
            }),
            simulated: None,
            trace: None,
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

    pub(super) fn set_line(&mut self, line: PrincipalVariation<String, String>) {
        self.line_stopped = (!line.is_whole()).then_some(reason(line.stopped_by));
        let step = |step| match step {
            Step::Move(text) => LineStep::Move(text),
            Step::Outcome(text) => LineStep::Outcome(text),
        };
        self.line = line.steps.into_iter().map(step).collect();
    }

    /// Whether somebody stopped the search, or that for its line.
    pub(super) fn was_interrupted(&self) -> bool {
        [self.stopped, self.line_stopped].contains(&Some(reason(StopReason::Flag)))
    }

    /// The answer for people.
    pub(super) fn text(&self) -> String {
        let lines = self.asked_lines().into_iter().chain(self.found_lines()).chain(self.side_lines());
        lines.map(|(name, value)| format!("{name:<12} {value}\n")).collect()
    }

    /// What was searched.
    fn asked_lines(&self) -> Vec<Named> {
        let mut lines = vec![("game", self.game.to_owned())];
        lines.extend(self.smaller_game.clone().map(|kept| ("smaller game", kept)));
        lines.push(("position", self.position.to_owned()));
        lines.push(("algorithm", self.algorithm.to_owned()));
        lines.push(("depth", self.depth.to_string()));
        lines
    }

    /// What was found, and what it cost.
    fn found_lines(&self) -> Vec<Named> {
        let SearchReport { lower, upper, contradictions, nodes, leaves, .. } = self;
        let (decision, chance) = (self.decision_nodes, self.chance_nodes);
        let mut lines = vec![match self.value {
            Some(value) => {
                let exactly = format!("score {lower}, exact, {contradictions} contradictions");
                ("value", format!("{value:.7} for the player to roll or move ({exactly})"))
            }
            None => ("score", format!("between {lower} and {upper} ({contradictions} contradictions)")),
        }];
        lines.extend(self.warning.clone().map(|warning| ("WARNING", warning)));
        lines.push(("best move", self.best_move_text()));
        lines.push(("line", self.line_text()));
        let kinds = format!("{decision} decision, {chance} chance, {leaves} leaves");
        lines.push(("nodes", format!("{nodes} ({kinds})")));
        lines.push(("evaluations", self.evaluations.to_string()));
        let BatchReport { calls, evaluations, fill, lanes, .. } = self.batches;
        if calls > 0 {
            let full = 100.0 * fill;
            let text = format!("{lanes} lanes: {calls} calls for {evaluations} evaluations, {full:.0}% full");
            lines.push(("batches", text));
        }
        lines.push(("seconds", format!("{:.6}", self.seconds)));
        lines.push(("chosen", self.chosen.text()));
        lines
    }

    /// How the search ran, and what was written beside it.
    fn side_lines(&self) -> Vec<Named> {
        let mut lines = Vec::new();
        if let Some(SimulatedReport { costs, seed, processors, virtual_time, events }) = &self.simulated {
            let how = format!("{processors} virtual processors, costs {costs}, seed {seed}");
            let time = format!("{virtual_time} units, {events} events; the seconds are those of simulating");
            lines.extend([("simulated", how), ("virtual time", time)]);
        }
        lines.extend(self.stopped.map(|reason| ("stopped by", reason.to_owned())));
        lines.extend(self.interrupted.as_ref().map(|InterruptedReport { depth, lower, upper }| {
            ("interrupted", format!("at depth {depth}, score proven between {lower} and {upper}"))
        }));
        lines.extend(self.table_file.iter().flat_map(TableFileReport::lines));
        lines.extend(self.trace.as_ref().map(|TraceReport { file, spans, dropped_spans }| {
            ("trace", format!("{} ({spans} spans, {dropped_spans} dropped)", file.display()))
        }));
        lines
    }

    fn best_move_text(&self) -> String {
        match &self.best_move {
            Some(best) if self.depth == 0 => {
                format!("{best}, of which nothing is proven: no iteration was completed")
            }
            Some(best) => best.clone(),
            None => "none: the die is next".to_owned(),
        }
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
}

/// A line for people: its name, and what it says.
pub(super) type Named = (&'static str, String);

impl TableReport {
    /// That of a table, for which `mib` MiB were asked.
    pub(super) fn new(
        table_use: TableUse,
        table: &AnyTable,
        mib: u64,
        counts: BTreeMap<String, u64>,
    ) -> Self {
        let retention = |Retention { asked_again, found_again }| json!({ "asked_again": asked_again, "found_again": found_again });
        TableReport {
            table_use: table_use.name(),
            scheme: table.scheme().name(),
            entries: TWO_SIDED,
            retention: table.retention().map(retention),
            mb: match table.as_lockless() {
                _ if table_use == TableUse::None => 0,
                Some(table) => table.buckets() / BUCKETS_A_MIB,
                None => mib,
            },
            hashfull: table.hashfull(),
            counts,
        }
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
