//! Specs: experiments as TOML files say them, each run of which is a call of one of the binaries.

mod retired;

pub(crate) use retired::no_experiment;

use crate::cli::BadInput;
use crate::cli::{files, texts};
use crate::compare::{self, CompareArgs};
use crate::matches::{self, MatchArgs};
use crate::paper_tables::{self, PaperTablesArgs};
use crate::records::flags::RecordsFlags;
use crate::runner::verdict::Finished;
use crate::scaling::{self, ScalingArgs};
use crate::simulate::{self, SimulateArgs};
use crate::study::{self, StudyArgs};
use crate::tuning::{self, TuningArgs};
use clap::Parser;
use serde::Deserialize;
use starsplit::search::StopFlag;
use std::collections::BTreeMap;
use std::path::Path;
use toml::{Table, Value};

/// The copy of the spec beside the records.
pub(crate) const SPEC: &str = "spec.toml";

/// Makes the list of the specs that come with the experiments, with their texts.
macro_rules! named {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../specs/", $name, ".toml")))),*]
    };
}

/// The specs that can be named, with their text.
const NAMED: &[(&str, &str)] = named!(
    "quick" "paper" "scaling" "variance" "simulate" "lanes" "guess" "splits"
    "algorithms" "tables" "chains" "table-size" "probing-factor" "shares" "successor-probing" "reuse"
    "fixed-settings" "tuning" "two-threads-games" "growth" "ablation" "ablation-games" "ablation-scaling"
    "games" "abalone-table" "play" "equal-time" "seconds" "gnubg" "monte-carlo"
);

/// An experiment.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Its name, or its file's without the ending.
    pub name: String,
    /// What it is to find out.
    pub question: String,
    /// How the answer is to be read.
    pub reading: String,
    /// The file's text.
    pub text: String,
    /// What is run, in turn.
    pub runs: Vec<Run>,
}

/// A run of one of the binaries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its name, which no other run of the spec has.
    pub name: String,
    /// The binary.
    pub experiment: String,
    /// What the binary is called with.
    pub flags: Vec<String>,
}

/// What a spec says for people, whether or not its runs could be made today.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Outline {
    pub(crate) question: String,
    pub(crate) reading: String,
    pub(crate) runs: Vec<RunTable>,
}

impl Outline {
    /// Reads the text of a spec.
    ///
    /// # Errors
    /// When it is none.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| error.message().to_owned())
    }
}

/// Whether the spec of this file has runs of an experiment that is no more.
pub(crate) fn is_of_retired(file: &Path) -> bool {
    let outline = texts::read(file, files::TEXT).ok().and_then(|text| Outline::read(&text).ok());
    outline.is_some_and(|spec| spec.runs.iter().any(|run| retired::is_retired(&run.experiment)))
}

/// What a spec's file has.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    question: String,
    reading: String,
    /// Lists of variants that several runs name.
    #[serde(default)]
    sets: BTreeMap<String, Value>,
    runs: Vec<RunTable>,
}

/// What it has of a run.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RunTable {
    pub(crate) name: String,
    pub(crate) experiment: String,
    /// Every other key is a flag.
    #[serde(flatten)]
    flags: Table,
}

/// Flags that `run` sets itself.
const RESERVED: [&str; 5] = ["out", "resume", "mix", "json", "help"];

/// The key of a study's list of variants.
const VARIANTS: &str = "variants";

/// The names of the specs that come with the experiments, with their questions.
pub fn named() -> Vec<(&'static str, String)> {
    let question = |name| Spec::load(name).map_or_else(|error| error.to_string(), |spec| spec.question);
    NAMED.iter().map(|&(name, _)| (name, question(name))).collect()
}

impl Spec {
    /// The spec of that name, or the one in that file.
    ///
    /// # Errors
    /// When there is neither, or the text is not a spec.
    pub fn load(name: &str) -> Result<Self, BadInput> {
        if let Some((_, text)) = NAMED.iter().find(|(known, _)| *known == name) {
            return Spec::parse(name, text);
        }
        let text = texts::read(Path::new(name), files::TEXT).map_err(|error| {
            let known = NAMED.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            let expected = texts::expected(&format!("one of {known}"), &error);
            BadInput::new("spec", name, no_experiment(name, &expected))
        })?;
        let stem = Path::new(name).file_stem().map_or_else(|| name.into(), |stem| stem.to_string_lossy());
        Spec::parse(&stem, &text)
    }

    /// The spec that `text` describes.
    ///
    /// # Errors
    /// When it is not TOML, or something is missing in it or does not belong there, or one of its runs is not
    /// one that its binary would take.
    pub fn parse(name: &str, text: &str) -> Result<Self, BadInput> {
        let refuse = |complaint: String| BadInput::new("spec", name, complaint);
        let file: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| 1 + text[..span.start].matches('\n').count());
            refuse(format!(
                "expected question, reading and [[runs]] in TOML; line {line}: {}",
                error.message()
            ))
        })?;
        let runs = file.runs.into_iter().map(|run| Run::new(run, &file.sets).map_err(&refuse));
        let runs = runs.collect::<Result<Vec<_>, _>>()?;
        if runs.is_empty() {
            return Err(refuse("expected at least one of [[runs]]".to_owned()));
        }
        for (number, run) in runs.iter().enumerate() {
            if runs[..number].iter().any(|other| other.name == run.name) {
                return Err(refuse(format!("expected every run's name once, {} is there twice", run.name)));
            }
            Call::new(run, RecordsFlags::default()).map_err(|error| refuse(error.to_string()))?;
        }
        let (question, reading) = (file.question.trim().to_owned(), file.reading.trim().to_owned());
        Ok(Spec { name: name.to_owned(), question, reading, text: text.to_owned(), runs })
    }
}

impl Run {
    fn new(table: RunTable, sets: &BTreeMap<String, Value>) -> Result<Self, String> {
        let RunTable { name, experiment, flags } = table;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(format!("expected run names of letters, digits, - and _, not {name:?}"));
        }
        let mut words = Vec::new();
        for (key, value) in flags {
            let complain = |complaint: String| format!("run {name}, {key}: {complaint}");
            if RESERVED.contains(&key.as_str()) {
                return Err(complain("expected a flag that says what is run, not where or how".to_owned()));
            }
            let flag = if key == VARIANTS {
                self::variants(&value, sets)
            } else {
                flag(&key, &value).map(|f| vec![f])
            };
            words.extend(flag.map_err(complain)?);
        }
        Ok(Run { name, experiment, flags: words })
    }
}

/// The flag that a key and its value stand for.
fn flag(key: &str, value: &Value) -> Result<String, String> {
    Ok(match value {
        Value::Boolean(true) => format!("--{key}"),
        Value::Array(list) => {
            let items = list.iter().map(scalar).collect::<Result<Vec<_>, _>>()?;
            format!("--{key}={}", items.join(","))
        }
        value => format!("--{key}={}", scalar(value)?),
    })
}

fn scalar(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        other => {
            Err(format!("expected a text, a number, true, or a list of texts or numbers, not {other:?}"))
        }
    }
}

/// The flags of a list of variants, each a table with its name and its options; or of the set of that name.
fn variants(value: &Value, sets: &BTreeMap<String, Value>) -> Result<Vec<String>, String> {
    let refuse =
        || "expected a list of tables, each with a name and options, or the name of a set".to_owned();
    let value = match value {
        Value::String(name) => sets.get(name).ok_or_else(|| format!("no set {name:?} under [sets]"))?,
        value => value,
    };
    let variant = |variant: &Value| {
        let table = variant.as_table().ok_or_else(refuse)?;
        let name = table.get("name").and_then(Value::as_str).ok_or_else(refuse)?;
        let option = |(key, value): (&String, &Value)| match value {
            Value::Boolean(true) => Ok(key.clone()),
            value => Ok(format!("{key}={}", scalar(value)?)),
        };
        let options = table.iter().filter(|(key, _)| *key != "name").map(option);
        let options = options.collect::<Result<Vec<_>, String>>()?;
        Ok(format!("--variant={name}:{}", options.join(",")))
    };
    value.as_array().ok_or_else(refuse)?.iter().map(variant).collect()
}

/// Makes the calls of a list of binaries: of each its name, its arguments' type, where these say where
/// records are, and the module that checks and runs it.
macro_rules! calls {
    ($($call:ident: $name:literal, $args:ident, $($records:ident).+, $module:ident;)*) => {
        /// The arguments of a run.
        #[derive(Debug)]
        pub enum Call {
            $(#[doc = concat!("Of `", $name, "`.")] $call(Box<$args>),)*
        }

        impl Call {
            /// What the run calls, with its records where `records` says.
            ///
            /// # Errors
            /// When there is no such binary, or it would not take the flags.
            pub fn new(run: &Run, records: RecordsFlags) -> Result<Self, BadInput> {
                // Records name the paper's tables with a low line, the command has a hyphen.
                match run.experiment.replace('-', "_").as_str() {
                    $($name => {
                        let mut args: Box<$args> = parse(run)?;
                        args.$($records).+ = records;
                        Ok(Call::$call(args))
                    })*
                    _ => {
                        let (thing, other) = (format!("run {}, experiment", run.name), &run.experiment);
                        Err(BadInput::new(thing, other, no_experiment(other, &[$($name),*].join(", "))))
                    }
                }
            }

            /// Whether it could run: its suite, weights, costs and records, and whether the commands of a
            /// match start. Searches and writes nothing.
            ///
            /// # Errors
            /// [`BadInput`] where it could not.
            pub(crate) fn check(&self) -> anyhow::Result<()> {
                match self {
                    $(Call::$call(args) => $module::check(args),)*
                }
            }

            /// Runs it.
            ///
            /// # Errors
            /// [`BadInput`], or whatever ends a search with an error.
            pub fn run(&self, stop: &StopFlag) -> anyhow::Result<Finished> {
                match self {
                    $(Call::$call(args) => $module::run(args, stop),)*
                }
            }
        }
    };
}

calls! {
    Compare: "compare", CompareArgs, race.records, compare;
    Scaling: "scaling", ScalingArgs, race.records, scaling;
    Simulate: "simulate", SimulateArgs, records, simulate;
    PaperTables: "paper_tables", PaperTablesArgs, records, paper_tables;
    Study: "study", StudyArgs, records, study;
    Tuning: "tuning", TuningArgs, records, tuning;
    Match: "match", MatchArgs, records, matches;
}

/// The arguments of a run's binary.
fn parse<A: Parser>(run: &Run) -> Result<Box<A>, BadInput> {
    let words = std::iter::once(&run.experiment).chain(&run.flags);
    A::try_parse_from(words).map(Box::new).map_err(|error| {
        BadInput::from_error(format!("run {}: {}", run.name, crate::cli::clap_complaint(&error)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use starsplit::search::{Algorithm, Options};
    use starsplit_options::DECLARED;
    use std::collections::BTreeSet;
    use std::fs;

    const HEAD: &str = "question = \"Why?\"\nreading = \"So.\"\n";

    fn complaint(runs: &str) -> String {
        Spec::parse("s", &format!("{HEAD}{runs}")).unwrap_err().to_string()
    }

    #[test]
    fn a_run_is_a_call_of_a_binary() {
        let text = "[[runs]]\nname = \"real\"\nexperiment = \"scaling\"\ndepth = 7\nthreads = [1, \
            2]\nno-ceiling = true\n";
        let spec = Spec::parse("s", &format!("{HEAD}{text}")).unwrap();
        assert_eq!((spec.question.as_str(), spec.reading.as_str()), ("Why?", "So."));
        let mut flags = spec.runs[0].flags.clone();
        flags.sort();
        assert_eq!(flags, ["--depth=7", "--no-ceiling", "--threads=1,2"]);
        let Call::Scaling(args) = Call::new(&spec.runs[0], RecordsFlags::default()).unwrap() else {
            panic!("a call of scaling")
        };
        assert_eq!((args.depth, args.no_ceiling), (Some(7), true));
    }

    #[test]
    fn variants_are_tables() {
        let text = "[[runs]]\nname = \"k\"\nexperiment = \"study\"\nvariants = [{ name = \"none\", \
            probing-factor = 0 }, \
                    { name = \"paper\", paper = true }]\n";
        let spec = Spec::parse("s", &format!("{HEAD}{text}")).unwrap();
        assert_eq!(spec.runs[0].flags, ["--variant=none:probing-factor=0", "--variant=paper:paper"]);
    }

    #[test]
    fn what_is_no_spec_is_named() {
        let run = "[[runs]]\nname = \"a\"\nexperiment = \"scaling\"\n";
        for (runs, words) in [
            ("", "missing field `runs`"),
            ("runs = []\n", "at least one"),
            ("answer = 42\nruns = []\n", "line 3: unknown field `answer`"),
            ("[[runs]]\nname = \"a\"\n", "missing field `experiment`"),
            (&run.replace("scaling", "luck"), "run a, experiment luck: expected compare"),
            (&run.replace("scaling", "limit"), "run a, experiment limit: retired, revision 1875a700 had it"),
            (&run.replace("\"a\"", "\"a b\""), "not \"a b\""),
            (&format!("{run}depth = 0\n"), "run a: depth 0: expected"),
            (&format!("{run}speed = 9\n"), "--speed"),
            (&format!("{run}table-work = 20\n"), "run a: option table-work: retired, revision 21018ab5 had"),
            (&format!("{run}out = \"x\"\n"), "run a, out: expected a flag that says what is run"),
            (&format!("{run}depth = {{ a = 1 }}\n"), "run a, depth: expected a text"),
            (&format!("{run}{run}"), "a is there twice"),
            ("[[runs]\n", "line 3"),
        ] {
            let found = complaint(runs);
            assert!(found.starts_with("spec s: ") && found.contains(words), "{words}: {found}");
        }
    }

    #[test]
    fn an_ablation_has_every_technique_alone_and_among_the_others() {
        let spec = Spec::load("ablation").unwrap();
        let Call::Study(args) = Call::new(&spec.runs[0], RecordsFlags::default()).unwrap() else {
            panic!("a study")
        };
        let of = |name: &str| args.variants.iter().find(|v| v.name == name).unwrap().options.clone();
        let (paper, default) = (of("paper's star2-tt"), of("default"));
        assert_eq!((&paper, &default), (&Options::paper(Algorithm::Star2Tt), &Options::default()));
        let mut all = paper.clone();
        let techniques =
            ["chosen ordering", "chosen table", "chosen probes", "shares", "leaf collapse", "static bounds"];
        for technique in techniques {
            let (with, without) =
                (of(&format!("paper's + {technique}")), of(&format!("default - {technique}")));
            assert!(with != paper && without != default, "{technique}");
            for declared in DECLARED {
                let value = declared.get(&with);
                if value != declared.get(&paper) {
                    declared.set(&mut all, value).unwrap();
                }
            }
        }
        // What is split, a serial search does not ask.
        (all.splits.depth, all.splits.size, all.method) = (None, None, default.method);
        assert_eq!(all, default, "nothing else is beyond the paper");
    }

    #[test]
    fn every_spec_can_be_named_and_every_named_one_is_there() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("specs");
        let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let found: BTreeSet<String> =
            files.map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect();
        assert_eq!(found, NAMED.iter().map(|(name, _)| (*name).to_owned()).collect());
        for (name, _) in NAMED {
            let spec = Spec::load(name).unwrap();
            assert!(spec.question.ends_with('?') && !spec.reading.is_empty(), "{name}");
        }
        let complaint = Spec::load("no/such.toml").unwrap_err().to_string();
        assert!(complaint.starts_with("spec no/such.toml: expected one of quick"), "{complaint}");
    }
}
