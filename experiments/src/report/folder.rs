//! A folder of records, read for its report.

use crate::analysis::conditions::{Conditions, Disturbance, in_headline};
use crate::analysis::order::Order;
use crate::analysis::reading::OLDEST;
use crate::cli::BadInput;
use crate::matches::recorded::{MatchSettings, recorded};
use crate::paper_tables;
use crate::records::earlier::Earlier;
use crate::records::line::Line;
use crate::records::machine::{Machine, Program};
use crate::records::meta::{Meta, Resumption, SCHEMA};
use crate::records::runs;
use crate::records::samples::PLAIN;
use crate::records::settings;
use crate::report::curves::{self, Panel};
use crate::report::played;
use crate::report::sections::{self, Shown};
use crate::report::tuned;
use crate::scaling;
use crate::simulate;
use crate::spec::no_experiment;
use crate::study;
use crate::tuning;
use serde::Deserialize;
use serde_json::Value;
use starsplit::score::Score;
use starsplit::search::{Algorithm, MAX_DEPTH};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// More positions than any suite has.
const MOST_POSITIONS: usize = 100_000;

/// What a folder shows.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    /// Its name.
    pub(crate) name: String,
    /// Its `meta.json`.
    pub(crate) meta: Meta,
    /// What it was to find out, where a spec or the manifest says so.
    pub(crate) question: Option<String>,
    /// What of the planned searches is missing, such as `5 of 50 positions`; none where nothing is known to
    /// be.
    pub(crate) lacks: Option<String>,
    /// Whether all times are virtual.
    pub(crate) is_simulated: bool,
    /// How deep the searches went; none where whole games were played.
    pub(crate) depth: Option<u32>,
    /// The score of each position that was searched without error, by the position. None of studies, whose
    /// variants may be free to find others.
    pub(crate) scores: BTreeMap<String, Score>,
    /// Real time, or each cost model.
    pub(crate) panels: Vec<Panel>,
    /// What it shows beside curves.
    pub(crate) shown: Shown,
    /// In which order the contenders came, where times are the machine's and several took turns.
    pub(crate) order: Option<Order>,
    /// When the machine was disturbed; none where nobody looked.
    pub(crate) disturbance: Option<Disturbance>,
    /// Whether it is a current record, or a run of one: then its name begins with the question's and the
    /// machine's.
    pub(crate) is_current: bool,
    /// Where the documents lie, seen from it, if they do: `../../`, for instance.
    pub(crate) documents: Option<String>,
}

impl Folder {
    /// Reads the folder `path`. None where its records are not of the kind that is reported on, or older; an
    /// error, if the folder `is_named`.
    ///
    /// # Errors
    /// When there are no records, or some that cannot be read.
    pub(crate) fn read(path: &Path, min_nodes: u64, is_named: bool) -> Result<Option<Self>, BadInput> {
        let refuse = |complaint: String| BadInput::new("folder", path.to_string_lossy(), complaint);
        let earlier = Earlier::read(path).map_err(BadInput::from_error)?;
        let earlier =
            earlier.ok_or_else(|| refuse(format!("expected one with {PLAIN}{}", runs::told(path))))?;
        let schema = earlier.meta.schema;
        if schema > SCHEMA {
            return Err(refuse(format!("expected records of a schema up to {SCHEMA}, not {schema}")));
        }
        let kind = RecordsKind::of(&earlier.meta).filter(|_| schema >= OLDEST);
        let Some(kind) = kind else {
            let experiment = &earlier.meta.experiment;
            let found = format!("{} of schema {schema}", Value::from(experiment.as_str()));
            let expected = format!("records of {KINDS}, of schema {OLDEST} to {SCHEMA}, not {found}");
            let complaint = no_experiment(experiment, &expected);
            return if is_named { Err(refuse(complaint)) } else { Ok(None) };
        };
        Folder::new(path, earlier, kind, min_nodes).map(Some).map_err(refuse)
    }

    fn new(path: &Path, earlier: Earlier, kind: RecordsKind, min_nodes: u64) -> Result<Self, String> {
        let read = match kind {
            RecordsKind::Match => Read::played(&earlier),
            RecordsKind::Tuning => Read::tuned(&earlier),
            kind => Read::searched(&earlier, kind, min_nodes),
        };
        let Read { depth, scores, panels, shown, order, disturbance } = read?;
        if panels.iter().any(|panel| panel.positions == 0) {
            return Err("expected a position that every contender has searched, under every model".to_owned());
        }
        let lacks = earlier.lacks()?;
        let meta = earlier.meta;
        let below = usize::from(meta.spec.is_some());
        let (name, documents) = (name(path, below), documents(path));
        let is_current = real(path).is_some_and(|path| current_above(&path, below).is_some());
        let question = meta.spec.as_ref().map(|spec| spec.question.clone()).or_else(|| asked(path));
        let is_simulated = kind == RecordsKind::Virtual;
        Ok(Folder {
            name,
            meta,
            question,
            lacks,
            is_simulated,
            depth,
            scores,
            panels,
            shown,
            order,
            disturbance,
            is_current,
            documents,
        })
    }

    /// What stands behind its name in a headline where the machine was disturbed.
    pub(crate) fn in_headline(&self) -> String {
        in_headline(self.disturbance.as_ref())
    }

    /// The machine that began the recording: by the name that a current record has of it, else by its
    /// processor's.
    pub(crate) fn machine(&self) -> String {
        let named = self.name.split('/').nth(1).filter(|_| self.is_current);
        named.map_or_else(|| machine(&self.meta.machine), str::to_owned)
    }

    /// What tells the folder from others of the same question and machine; nothing where none need be.
    pub(crate) fn part(&self) -> &str {
        if self.is_current { self.name.splitn(3, '/').nth(2).unwrap_or_default() } else { &self.name }
    }

    /// The command that began the recording.
    pub(crate) fn command(&self) -> String {
        self.meta.program.command.join(" ")
    }

    /// What was searched, by which build, on which machine: each with its name.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let program = &self.meta.program;
        let mut facts = self.depth.map_or_else(|| self.shown.asked.clone(), |depth| self.searched(depth));
        facts.extend([
            ("revision", revision(program)),
            ("compiler", known(program.rustc.as_deref())),
            ("machine", machine(&self.meta.machine)),
            ("started", known(Some(&self.meta.started))),
        ]);
        let others = self.others();
        if !others.is_empty() {
            facts.push(("MIXED", others.join("; ")));
        }
        facts.extend(self.lacks.iter().map(|lacks| ("INCOMPLETE", lacks.clone())));
        facts
    }

    /// Which searches were asked for.
    fn searched(&self, depth: u32) -> Vec<(&'static str, String)> {
        let setting = |name: &str| known(self.meta.settings.get(name).as_str());
        let mut facts = vec![
            ("suite", format!("{}, {}", setting("suite"), setting("rules"))),
            ("depth", depth.to_string()),
            ("evaluator", setting("evaluator")),
            ("table", format!("{} MiB", self.meta.settings.get("table_mb"))),
        ];
        // Records that are older than the choice do not say, here and below.
        facts.extend(self.meta.settings.get("pinned").as_bool().map(|pinned| {
            ("threads", if pinned { "pinned to processors" } else { "not pinned to processors" }.to_owned())
        }));
        if let Some(algorithm) = self.meta.settings.get("algorithm").as_str() {
            facts.insert(1, ("algorithm", algorithm.to_owned()));
        }
        facts
    }

    /// The other builds and machines that have gone on with the records, in words. Where times are virtual,
    /// one build is as good as another of the same sources, and one machine as another.
    pub(crate) fn others(&self) -> Vec<String> {
        let build = |program: &Program| {
            if self.is_simulated { program.sources_fnv1a.clone() } else { program.build_fnv1a.clone() }
        };
        let other = |here: &Resumption| {
            let is_rebuilt = build(&here.program) != build(&self.meta.program);
            let is_moved = !self.is_simulated && here.machine != self.meta.machine;
            let mut words = vec![format!("from {} on", known(Some(&here.started)))];
            words.extend(is_rebuilt.then(|| format!("another build, revision {}", revision(&here.program))));
            words.extend(is_moved.then(|| format!("another machine, {}", machine(&here.machine))));
            (words.len() > 1).then(|| words.join(", "))
        };
        self.meta.resumed.iter().filter_map(other).collect()
    }
}

/// What the lines of a folder show.
#[derive(Default)]
struct Read {
    depth: Option<u32>,
    scores: BTreeMap<String, Score>,
    panels: Vec<Panel>,
    shown: Shown,
    order: Option<Order>,
    disturbance: Option<Disturbance>,
}

impl Read {
    /// Of searches of a suite's positions.
    fn searched(earlier: &Earlier, kind: RecordsKind, min_nodes: u64) -> Result<Self, String> {
        let meta = &earlier.meta;
        let within = |name: &str, found: Option<u64>, most: usize| {
            let found = found.map(|number| number as usize).filter(|number| (1..=most).contains(number));
            found.ok_or_else(|| format!("expected {name} in its meta.json, a whole number from 1 to {most}"))
        };
        let setting =
            |name: &str, most| within(&format!("settings.{name}"), meta.settings.get(name).as_u64(), most);
        let depth = setting("depth", MAX_DEPTH as usize)? as u32;
        let positions = setting("positions", MOST_POSITIONS)?;
        let algorithm = settings::algorithm(&meta.settings.get("algorithm")).parse::<Algorithm>();
        let of = (algorithm.map_err(|error| error.to_string())?, depth);
        let mut scores = BTreeMap::new();
        let mut conditions = Conditions::on(meta.machine.cores);
        let lines = earlier.lines().inspect(|line| {
            note_score(&mut scores, line);
            if kind != RecordsKind::Virtual {
                line.iter().for_each(|line| conditions.note(line));
            }
        });
        let (mut panels, mut shown) = (Vec::new(), Ok(Shown::default()));
        match kind {
            RecordsKind::Virtual => {
                let (report, recorded) = simulate::recorded(lines, of, positions, min_nodes)?;
                panels = curves::simulated(&report, recorded);
            }
            RecordsKind::Real => {
                let cores = Some(meta.machine.cores as u64);
                let cores = within("machine.cores", cores, usize::from(u16::MAX))?;
                let (report, recorded) =
                    scaling::recorded(meta.clone(), lines, cores, (of, positions), min_nodes)?;
                panels = vec![curves::real(&report, recorded)];
            }
            RecordsKind::Study => {
                let (cores, variants) = (meta.machine.cores, study::variants(meta));
                shown = sections::study(&study::recorded(lines, cores, (depth, positions), &variants)?);
            }
            RecordsKind::PaperTables => {
                let rules = meta.settings.get("rules");
                let is_the_paper_s =
                    paper_tables::is_the_paper_s(&meta.game, rules.as_str().unwrap_or_default());
                let report = paper_tables::recorded(lines, (depth, positions), is_the_paper_s)?;
                shown = sections::paper_tables(&report);
            }
            RecordsKind::Tuning | RecordsKind::Match => {
                return Err("expected searches of a suite".to_owned());
            }
        }
        let shown = shown.map_err(|error| error.to_string())?;
        let order = Some(conditions.order()).filter(|order| order.contenders > 1);
        Ok(Read { depth: Some(depth), scores, panels, shown, order, disturbance: conditions.disturbance() })
    }

    /// Of fixed settings, the best of which was searched for.
    fn tuned(earlier: &Earlier) -> Result<Self, String> {
        let report = tuning::recorded(earlier.lines(), &earlier.meta)?;
        let depth = report.cells.first().map(|cell| cell.depth);
        let shown = tuned::shown(report, &earlier.meta).map_err(|error| error.to_string())?;
        Ok(Read { depth, shown, ..Read::default() })
    }

    /// Of the games of a match.
    fn played(earlier: &Earlier) -> Result<Self, String> {
        let settings = MatchSettings::of(&earlier.meta)?;
        let report = recorded(earlier.lines(), &earlier.meta)?;
        let shown = played::shown(&report, &settings).map_err(|error| error.to_string())?;
        Ok(Read { shown, ..Read::default() })
    }
}

/// Records the score that a line tells of its position.
fn note_score(scores: &mut BTreeMap<String, Score>, line: &Result<Line, String>) {
    let Ok(line) = line else { return };
    let is_sound = line.error.is_none() && line.contender.variant.is_none() && !line.search.stopped;
    match (line.search.score.filter(|_| is_sound), scores.get_mut(&line.position)) {
        (Some(score), Some(known)) => *known = score,
        (Some(score), None) => drop(scores.insert(line.position.clone(), score)),
        (None, _) => {}
    }
}

/// A text that may be missing, which in a file is an empty one, too.
fn known(text: Option<&str>) -> String {
    text.filter(|text| !text.is_empty()).unwrap_or("unknown").to_owned()
}

fn revision(program: &Program) -> String {
    let Some(git) = program.revision() else { return "unknown".to_owned() };
    let changed = if git.dirty { ", changed" } else { "" };
    // Records that do not tell what the program was built from tell no second one either.
    let elsewhere = program.git.as_ref().filter(|there| there.revision != git.revision);
    let elsewhere =
        elsewhere.map_or_else(String::new, |there| format!(" (run in a checkout of {})", there.revision));
    format!("{}{changed}{elsewhere}", known(Some(&git.revision)))
}

fn machine(machine: &Machine) -> String {
    let name = machine.cpu.as_ref().and_then(|cpu| cpu.name.as_deref());
    format!("{}, {} processors", known(name), machine.cores)
}

/// What the records of a folder are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RecordsKind {
    /// Curves in real time.
    Real,
    /// Curves in virtual time.
    Virtual,
    Study,
    PaperTables,
    Tuning,
    /// Whole games.
    Match,
}

/// The experiments that are reported on, in words.
pub(super) const KINDS: &str = "scaling, compare, simulate, study, paper_tables, tuning or match";

impl RecordsKind {
    fn of(meta: &Meta) -> Option<Self> {
        match meta.experiment.as_str() {
            "scaling" | "compare" => Some(RecordsKind::Real),
            "simulate" => Some(RecordsKind::Virtual),
            "study" => Some(RecordsKind::Study),
            "paper_tables" => Some(RecordsKind::PaperTables),
            "tuning" => Some(RecordsKind::Tuning),
            "match" => Some(RecordsKind::Match),
            _ => None,
        }
    }
}

/// The folder of the records that answer a question today, by question and machine.
const CURRENT: &str = "current";

/// The file beside it that says what is asked.
const MANIFEST: &str = "manifest.toml";

/// The name of a folder that lies so many folders `below` its record's, from what tells the record from
/// others on: of a current one its question.
pub(super) fn name(path: &Path, below: usize) -> String {
    let Some(path) = real(path) else { return String::new() };
    let count = below + if current_above(&path, below).is_some() { 2 } else { 1 };
    let names: Vec<_> = path.iter().rev().take(count).map(|name| name.to_string_lossy()).collect();
    names.into_iter().rev().collect::<Vec<_>>().join("/")
}

/// The folder of the current records, if what lies so many folders above the path is one of them.
fn current_above(path: &Path, below: usize) -> Option<&Path> {
    path.ancestors().nth(below + 2).filter(|folder| folder.ends_with(CURRENT))
}

/// The question of a current record, as the manifest beside the current ones has it.
fn asked(path: &Path) -> Option<String> {
    #[derive(Deserialize)]
    struct Manifest {
        question: Vec<Question>,
    }
    #[derive(Deserialize)]
    struct Question {
        name: String,
        asks: String,
    }
    let path = real(path)?;
    let current = current_above(&path, 0)?;
    let name = path.parent()?.file_name()?.to_str()?;
    let text = fs::read_to_string(current.with_file_name(MANIFEST)).ok()?;
    let manifest: Manifest = toml::from_str(&text).ok()?;
    manifest.question.into_iter().find(|question| question.name == name).map(|question| question.asks)
}

/// The path of a folder from the root, which need not be there where its records are in an archive.
fn real(path: &Path) -> Option<PathBuf> {
    let above = || Path::new(".").join(path.parent()?).canonicalize().ok();
    path.canonicalize().ok().or_else(|| Some(above()?.join(path.file_name()?)))
}

/// Where the documents lie, seen from the folder.
fn documents(path: &Path) -> Option<String> {
    /// The document that the pages refer to.
    const DOCUMENT: &str = "METHODOLOGY.md";
    /// How many folders there are at most from a run of a current record to the documents.
    const FAR: usize = 5;
    let path = real(path)?;
    let above = path.ancestors().skip(1).take(FAR).position(|above| above.join(DOCUMENT).is_file());
    above.map(|steps| "../".repeat(steps + 1))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use serde_json::json;

    /// A folder of simulated searches to depth 9 with these panels.
    pub(crate) fn with_panels(meta: Value, panels: Vec<Panel>) -> Folder {
        let (name, documents) = ("folder".to_owned(), Some("../../".to_owned()));
        let (scores, shown) = (BTreeMap::new(), Shown::default());
        let meta = serde_json::from_value(meta).unwrap();
        Folder {
            name,
            meta,
            question: None,
            lacks: None,
            is_simulated: true,
            depth: Some(9),
            scores,
            panels,
            shown,
            order: None,
            disturbance: None,
            is_current: false,
            documents,
        }
    }

    #[test]
    fn current_records_without_a_spec_have_the_question_of_the_manifest() {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results");
        let question = |folder: &str| asked(&results.join(folder));
        assert!(question("current/compare/epyc-m2-2").is_some_and(|text| text.ends_with('?')));
        assert_eq!([question("quotes"), question("current/compare")], [None, None]);
    }

    #[test]
    fn current_records_have_the_machine_and_the_part_in_their_names() {
        let meta = json!({"machine": {"cores": 2, "cpu": {"name": "Some"}}});
        let of = |name: &str, is_current| {
            let name = name.to_owned();
            let folder = Folder { name, is_current, ..with_panels(meta.clone(), Vec::new()) };
            (folder.machine(), folder.part().to_owned())
        };
        let own = |machine: &str, part: &str| (machine.to_owned(), part.to_owned());
        assert_eq!(of("quick/some-2", true), own("some-2", ""));
        assert_eq!(of("quick/some-2/real", true), own("some-2", "real"));
        assert_eq!(of("out/real", false), own("Some, 2 processors", "out/real"));
    }

    #[test]
    fn other_builds_and_machines_that_have_gone_on_with_records_are_named() {
        let own = json!({"program": {"build_fnv1a": "1", "sources_fnv1a": "7"}, "machine": {"cores": 2}});
        let rebuilt = json!({"started": "then", "program": {"build_fnv1a": "2", "sources_fnv1a": "7"},
            "machine": {"cores": 16, "cpu": {"name": "Big"}}});
        let folder = |is_simulated, resumed: Value| {
            let mut meta = own.clone();
            meta["resumed"] = resumed;
            Folder { is_simulated, ..with_panels(meta, Vec::new()) }
        };
        assert_eq!(folder(false, json!([own])).others(), Vec::<String>::new());
        assert_eq!(folder(true, json!([own, rebuilt])).others(), Vec::<String>::new());
        let mixed = folder(false, json!([own, rebuilt]));
        let words = "from then on, another build, revision unknown, another machine, Big, 16 processors";
        assert_eq!(mixed.others(), [words]);
        assert_eq!(mixed.facts().last(), Some(&("MIXED", words.to_owned())));
    }
}
