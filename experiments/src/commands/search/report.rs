//! What the command `search` answers.

use crate::commands::search::table_file::TableFileReport;
use crate::commands::search::tree::TreeReport;
use crate::question::door::Answer;
use crate::question::line::words_of;
use crate::question::ranked::Ranked;
use crate::question::tables::{BUCKETS_A_MIB, TWO_SIDED};
use crate::records::chosen::Chosen;
use crate::records::measured::{Measured, chains};
use serde::Serialize;
use serde_json::{Value, json};
use starsplit::game::Step;
use starsplit::score::{Bounds, Grid};
use starsplit::search::{
    Interrupted, LaneOptions, Options, PrincipalVariation, RootRanking, StopReason, TableUse,
};
use starsplit::table::Table;
use starsplit_tables::{AnyTable, Retention};
use std::path::PathBuf;

/// What the search answers.
#[derive(Clone, Debug)]
pub(super) struct SearchReport<'a> {
    pub(super) game: &'a str,
    pub(super) position: &'a str,
    pub(super) options: &'a Options,
    /// The name of what evaluates leaves.
    pub(super) evaluator: &'a str,
    /// That of the game's scores.
    pub(super) grid: Grid,
    pub(super) answer: Answer,
    pub(super) measured: Measured,
    /// As [`table`] describes it.
    pub(super) table: Value,
    pub(super) table_file: Option<TableFileReport>,
    /// None where no iteration was completed.
    pub(super) line: Option<PrincipalVariation<String, String>>,
    pub(super) simulated: Option<SimulatedReport>,
    pub(super) trace: Option<TraceReport>,
    pub(super) tree: Option<TreeReport>,
    /// What --top asks for.
    pub(super) ranked: Option<Ranked>,
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
    pub(super) iterations: usize,
    /// Tasks, waits and looks for work of all workers.
    pub(super) spans: usize,
    pub(super) dropped_spans: u64,
}

impl TraceReport {
    /// What is said of it, of a search on so many threads.
    fn text(&self, threads: usize) -> String {
        let TraceReport { file, iterations, spans, dropped_spans } = self;
        let iterations = if *iterations > 0 { format!("{iterations} iterations, ") } else { String::new() };
        let found = format!("{}: {iterations}{spans} spans, {dropped_spans} dropped", file.display());
        match (spans, threads) {
            (0, 1) => format!("{found}; one thread has iterations alone"),
            (0, _) => format!("{found}; nothing was shared: the search was over too soon. {SHARE_ALL}"),
            _ => found,
        }
    }
}

/// How a search that is over too soon for helpers is shared all the same.
const SHARE_ALL: &str = "--helpers-after-us 0 --split-depth 1 --split-size 0 share all there is";

impl SearchReport<'_> {
    /// The JSON object.
    pub(super) fn json(&self) -> Value {
        let SearchReport { answer, measured, .. } = self;
        let step = |step: &Step<String, String>| match step {
            Step::Move(text) => json!({ "move": text }),
            Step::Outcome(text) => json!({ "outcome": text }),
        };
        let interrupted = |Interrupted { depth, bounds, .. }| {
            let Bounds { lower, upper } = bounds;
            json!({ "depth": depth, "lower": lower, "upper": upper })
        };
        let mut object = json!({
            "game": self.game,
            "position": self.position,
            "depth": answer.depth,
            "algorithm": self.options.algorithm.name(),
            "evaluator": self.evaluator,
            "value": measured.value,
            "score": measured.score,
            "lower": measured.lower,
            "upper": measured.upper,
            "exact": answer.score().is_some(),
            "contradictions": answer.contradictions(),
            "best_move": answer.best_move,
            "line": self.line_steps().iter().map(step).collect::<Vec<_>>(),
            "line_stopped": self.line_stopped(),
            "nodes": measured.nodes,
            "decision_nodes": measured.decision_nodes,
            "chance_nodes": measured.chance_nodes,
            "leaves": measured.leaves,
            "seconds": measured.seconds(),
            "table": self.table,
            "table_file": self.table_file,
            "evaluations": measured.evaluations,
            "successor_probes": measured.successor_probes,
            "stopped": self.stopped(),
            "interrupted": answer.interrupted.map(interrupted),
            "simulated": self.simulated,
            "trace": self.trace,
            "tree": self.tree,
            "ranked": self.ranked.as_ref().map(Ranked::json),
            "chosen": Chosen::from(&answer.chosen),
            "batches": {
                "calls": answer.stats.batches.calls,
                "evaluations": answer.stats.batches.evaluations,
                "fill": answer.stats.batches.fill(answer.lanes.batch),
                "lanes": answer.lanes.lanes,
                "cap": answer.lanes.batch,
            },
            "smaller_game": answer.smaller_game,
        });
        if let Some(warning) = self.warning() {
            object["warning"] = warning.into();
        }
        object
    }

    /// What is to be known where proofs contradicted others.
    fn warning(&self) -> Option<String> {
        (self.answer.contradictions() > 0).then(|| self.answer.stats.table.contradictions_text())
    }

    /// What ended the search before its depth.
    fn stopped(&self) -> Option<&'static str> {
        self.answer.was_stopped().then_some(reason(self.answer.stopped_by))
    }

    fn line_steps(&self) -> &[Step<String, String>] {
        self.line.as_ref().map_or(&[], |line| &line.steps)
    }

    /// What ended the line before the depth or the end of the game.
    fn line_stopped(&self) -> Option<&'static str> {
        let stopped_by = self.line.as_ref().map_or(self.answer.stopped_by, |line| line.stopped_by);
        (stopped_by != StopReason::Depth).then_some(reason(stopped_by))
    }

    /// Whether somebody stopped the search, or that for its line.
    pub(super) fn was_interrupted(&self) -> bool {
        [self.stopped(), self.line_stopped()].contains(&Some(reason(StopReason::Flag)))
    }

    /// The answer for people.
    pub(super) fn text(&self) -> String {
        let line = |name: &str, value: String| format!("{name:<12} {value}\n");
        let lines = self.asked_lines().into_iter().chain(self.found_lines()).chain(self.side_lines());
        let ranked = self.ranked.iter().flat_map(Ranked::lines).map(|(name, value)| line(&name, value));
        lines.map(|(name, value)| line(name, value)).chain(ranked).collect()
    }

    /// What was searched.
    fn asked_lines(&self) -> Vec<Named> {
        let mut lines = vec![("game", self.game.to_owned())];
        lines.extend(self.answer.smaller_game.clone().map(|kept| ("smaller game", kept)));
        lines.push(("position", self.position.to_owned()));
        lines.push(("algorithm", self.options.algorithm.to_string()));
        lines.push(("evaluator", self.evaluator.to_owned()));
        lines.push(("depth", self.answer.depth.to_string()));
        lines
    }

    /// What was found, and what it cost.
    fn found_lines(&self) -> Vec<Named> {
        let contradictions = self.answer.contradictions();
        let Measured { value, lower, upper, nodes, leaves, .. } = self.measured;
        let Measured { decision_nodes, chance_nodes, evaluations, .. } = self.measured;
        let mut lines = vec![match value {
            Some(value) => {
                let exactly = format!("score {lower}, exact, {contradictions} contradictions");
                ("value", format!("{value:.7} for the player to roll or move ({exactly})"))
            }
            None => {
                let between = self.between(Bounds { lower, upper });
                (
                    "value",
                    format!("{between} for the player to roll or move ({contradictions} contradictions)"),
                )
            }
        }];
        lines.extend(self.warning().map(|warning| ("WARNING", warning)));
        lines.push(("best move", self.best_move_text()));
        if self.answer.depth > 0 {
            lines.push(("line", self.line_text()));
        }
        let kinds = format!("{decision_nodes} decision, {chance_nodes} chance, {leaves} leaves");
        lines.push(("nodes", format!("{nodes} ({kinds})")));
        lines.push(("evaluations", evaluations.to_string()));
        lines.extend(self.batches_text().map(|text| ("batches", text)));
        lines.push(("seconds", format!("{:.6}", self.measured.seconds())));
        lines.push(("chosen", Chosen::from(&self.answer.chosen).text()));
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
        lines.extend(self.stopped().map(|reason| ("stopped by", self.stopped_text(reason))));
        lines.extend(self.answer.interrupted.map(|Interrupted { depth, bounds, .. }| {
            ("interrupted", format!("at depth {depth}, value proven {}", self.between(bounds)))
        }));
        lines.extend(self.retention_text().map(|text| ("table", text)));
        lines.extend(self.table_file.iter().flat_map(|done| done.lines.clone()));
        lines.extend(self.trace.as_ref().map(|trace| ("trace", trace.text(self.options.threads))));
        lines.extend(self.tree.as_ref().map(|tree| ("tree", tree.text())));
        lines
    }

    fn best_move_text(&self) -> String {
        match &self.answer.best_move {
            Some(best) if self.answer.depth == 0 => {
                format!("{best} so far: no iteration was completed, so it need not be the best")
            }
            Some(best) => best.clone(),
            None => "none: chance is next".to_owned(),
        }
    }

    /// What the table kept of what was stored, where that was counted.
    fn retention_text(&self) -> Option<String> {
        let kept = self.table.get("retention")?;
        let [asked, found] =
            ["asked_again", "found_again"].map(|name| kept[name].as_u64().unwrap_or_default());
        let probes = self.table["probes"].as_u64().unwrap_or_default();
        Some(format!(
            "{probes} look-ups; {asked} were of what was stored before, and {found} of these found it"
        ))
    }

    /// What ended the search, and what was to be had instead.
    fn stopped_text(&self, reason: &str) -> String {
        match self.options.root_ranking {
            _ if self.answer.depth > 0 => reason.to_owned(),
            RootRanking::None => format!("{reason}; a search to a depth has an answer at each depth before"),
            _ => format!("{reason}, so nothing is ranked; a search to a depth has an answer at each before"),
        }
    }

    /// Bounds in the game's units.
    fn between(&self, Bounds { lower, upper }: Bounds) -> String {
        format!("between {:+.4} and {:+.4}", self.grid.value(lower), self.grid.value(upper))
    }

    /// What became of lanes, batches and the device, where they were asked for or chosen.
    fn batches_text(&self) -> Option<String> {
        let (asked, batches, lanes) = (self.options.lanes, self.answer.stats.batches, self.answer.lanes);
        if batches.calls == 0 {
            let why =
                "none: this evaluator makes its evaluations one by one, without lanes, batches or a device";
            return (asked != LaneOptions::default()).then(|| why.to_owned());
        }
        let full = 100.0 * batches.fill(lanes.batch);
        let device = if asked.device { ", on a thread of their own" } else { "" };
        let calls = format!("{} calls for {} evaluations{device}", batches.calls, batches.evaluations);
        let (count, siblings) = (lanes.lanes, lanes.sibling_batch.name());
        Some(format!(
            "{count} lanes a thread, siblings {siblings}: {calls}, {full:.0}% of {} each",
            lanes.batch
        ))
    }

    /// The line for people: moves, and outcomes in brackets.
    fn line_text(&self) -> String {
        let words = Some(words_of(self.line_steps())).filter(|words| !words.is_empty());
        let stopped = self.line_stopped().map(|reason| format!("stopped by {reason}"));
        let parts: Vec<_> = words.into_iter().chain(stopped).collect();
        if parts.is_empty() { "none: the game is over".to_owned() } else { parts.join(", ") }
    }
}

/// A line for people: its name, and what it says.
type Named = (&'static str, String);

/// What is told of a search's table, for which `mib` MiB were asked.
pub(super) fn table(options: &Options, table: &AnyTable, mib: u64, measured: &Measured) -> Value {
    let mib = match table.as_lockless() {
        _ if options.table_use == TableUse::None => 0,
        Some(table) => table.buckets() / BUCKETS_A_MIB,
        None => mib,
    };
    let mut object = json!({
        "use": options.table_use.name(),
        "scheme": table.scheme().name(),
        "entries": TWO_SIDED,
        "mb": mib,
        // Thousandths of the slots in use.
        "hashfull": table.hashfull(),
    });
    // What it kept of what was stored, where that was counted.
    if let Some(Retention { asked_again, found_again }) = table.retention() {
        object["retention"] = json!({ "asked_again": asked_again, "found_again": found_again });
    }
    if let Some(table) = table.as_chains() {
        object["chains"] = json!(chains(table));
    }
    for (name, &count) in &measured.table {
        object[name.as_str()] = count.into();
    }
    object
}

/// What ended a search, as the JSON object says it.
fn reason(reason: StopReason) -> &'static str {
    match reason {
        StopReason::Depth => "depth",
        StopReason::Nodes => "nodes",
        StopReason::Time => "time",
        _ => "interrupt",
    }
}
