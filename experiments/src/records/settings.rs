//! What the records say they are of, and whether a run may go on with those of an earlier one.

use crate::cli::BadInput;
use crate::cli::files;
use crate::cli::fingerprint::fingerprint;
use crate::question::suite::Suite;
use crate::records::earlier::Earlier;
use crate::records::machine::{Clock, Machine, Program};
use crate::records::tuning::Tuning;
use crate::records::writer::SCHEMA;
use serde::Serialize;
use serde_json::{Map, Value};
use starsplit::search::{Algorithm, Options};

/// Everything but the runs themselves that a line of the samples depends on. Which contenders take part is not among it:
/// every line says its own, so that a folder can be gone on with by others.
#[derive(Clone, Debug, Serialize)]
pub struct Settings<'a> {
    /// The suite's name or file.
    pub suite: &'a str,
    /// The suite's fingerprint.
    pub suite_fnv1a: &'a str,
    /// The rules of the game.
    pub rules: String,
    /// How many positions it has.
    pub positions: usize,
    /// The depth of the searches.
    pub depth: u32,
    /// The evaluator of the leaves.
    pub evaluator: String,
    /// The fingerprint of the evaluator's weights, where they come from a file.
    pub weights_fnv1a: Option<String>,
    /// The size of the table in MiB.
    pub table_mb: u64,
    /// The seed of what is random.
    pub seed: u64,
    /// The parameters of the search, whether the user has set them or the library.
    pub tuning: Tuning,
    /// Whether duplicate nodes are counted.
    pub explain: bool,
    /// What else an experiment is of.
    #[serde(flatten)]
    pub own: Map<String, Value>,
}

impl<'a> Settings<'a> {
    /// The settings of searches through `suite` under `options`.
    pub fn new(
        suite: &'a Suite,
        depth: u32,
        evaluator: &str,
        (table_mb, seed): (u64, u64),
        options: &Options,
    ) -> Self {
        let weights = suite.door.weights_file(evaluator);
        let weights = weights.and_then(|file| files::read(&file, files::WEIGHTS).ok());
        Settings {
            suite: &suite.name,
            suite_fnv1a: &suite.fingerprint,
            rules: suite.door.rules(),
            positions: suite.positions.len(),
            depth,
            evaluator: evaluator.to_owned(),
            weights_fnv1a: weights.map(|bytes| fingerprint(&bytes)),
            table_mb,
            seed,
            tuning: Tuning::of(options),
            explain: options.count_duplicates,
            own: Map::new(),
        }
    }

    /// The same of searches that are all of one algorithm.
    #[must_use]
    pub fn of_algorithm(mut self, algorithm: Algorithm) -> Self {
        self.own.insert("algorithm".to_owned(), algorithm.name().into());
        self
    }

    /// Whether the earlier records are of the same experiment and settings, so that they can be gone on with; and, unless
    /// builds and machines may be `mixed`, of the same build and machine.
    ///
    /// # Errors
    /// When they are not; names the first thing that differs.
    pub(crate) fn check(
        &self,
        experiment: &str,
        earlier: &Earlier,
        clock: Clock,
        mixed: bool,
    ) -> anyhow::Result<()> {
        let refuse = |expected: &str, complaint: String| {
            let complaint = format!("expected records of the same {expected} to resume: {complaint}");
            Err(BadInput::new("results folder", earlier.path().to_string_lossy(), complaint).into())
        };
        let meta = &earlier.meta;
        for (name, own) in [("experiment", Value::from(experiment)), ("schema", SCHEMA.into())] {
            if meta[name] != own {
                return refuse("experiment", format!("its {name} is {}, not {own}", meta[name]));
            }
        }
        let (own, theirs) = (serde_json::to_value(self)?, &meta["settings"]);
        // The same suite may go by two names.
        for (name, own) in own.as_object().into_iter().flatten().filter(|(name, _)| *name != "suite") {
            let theirs = if name == "algorithm" { &algorithm(theirs).into() } else { &theirs[name] };
            if theirs != own {
                return refuse("settings", format!("its {name} is {theirs}, not {own}"));
            }
        }
        if mixed {
            return Ok(());
        }
        if !Program::here().is_build_of(&meta["program"], clock) {
            return refuse("build", format!("another build of {experiment} made it; --mix goes on with it"));
        }
        let machine = serde_json::to_value(Machine::here())?;
        match first_difference(&meta["machine"], &machine).filter(|_| clock == Clock::Real) {
            Some((name, theirs, own)) => refuse(
                "machine",
                format!("its machine's {name} is {theirs}, not {own}; --mix goes on with it"),
            ),
            None => Ok(()),
        }
    }
}

/// The algorithm of which settings in a `meta.json` are. Before there was a choice they did not say.
pub(crate) fn algorithm(settings: &Value) -> &str {
    settings["algorithm"].as_str().unwrap_or(Algorithm::Star2Tt.name())
}

/// The first part in which two objects differ, and both.
fn first_difference<'v>(theirs: &'v Value, own: &'v Value) -> Option<(&'v str, &'v Value, &'v Value)> {
    let parts = own.as_object().into_iter().flatten();
    parts.map(|(name, own)| (name.as_str(), &theirs[name], own)).find(|(_, theirs, own)| theirs != own)
}
