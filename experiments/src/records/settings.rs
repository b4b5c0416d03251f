//! What the records say they are of, and whether a run may go on with those of an earlier one.

use crate::cli::BadInput;
use crate::cli::files;
use crate::question::door::weights_file;
use crate::question::suite::Suite;
use crate::records::earlier::Earlier;
use crate::records::machine::{Clock, Machine, Program};
use crate::records::meta::{RunSettings, SCHEMA, Settings};
use crate::records::tuning::Tuning;
use serde_json::{Map, Value};
use starsplit::search::{Algorithm, Options};
use starsplit_games::fingerprint;

/// The setting that says how the players of a match were written.
const WRITTEN: &str = "written";

impl Settings {
    /// The settings of searches through `suite` under `options`.
    pub fn new(
        suite: &Suite,
        depth: u32,
        evaluator: &str,
        (table_mb, seed): (u64, u64),
        options: &Options,
    ) -> Self {
        let weights = weights_file(evaluator);
        let weights = weights.and_then(|file| files::read(&file, files::WEIGHTS).ok());
        Settings {
            suite: suite.name.clone(),
            suite_fnv1a: suite.fingerprint.clone(),
            rules: suite.door.rules(),
            positions: suite.positions.len(),
            depth,
            evaluator: evaluator.to_owned(),
            weights_fnv1a: weights.map(|bytes| fingerprint(&bytes)),
            table_mb,
            seed,
            tuning: Some(Tuning::of(options)),
            explain: Some(options.telemetry.count_duplicates),
            own: Map::new(),
        }
    }

    /// The same of searches that are all of one algorithm.
    #[must_use]
    pub fn of_algorithm(mut self, algorithm: Algorithm) -> Self {
        self.own.insert("algorithm".to_owned(), algorithm.name().into());
        self
    }

    /// The same of searches whose threads were pinned to processors, or were not.
    #[must_use]
    pub fn pinned(mut self, pinned: bool) -> Self {
        self.own.insert("pinned".to_owned(), pinned.into());
        self
    }
}

impl RunSettings {
    /// Whether the earlier records are of the same experiment and settings, so that they can be gone on with;
    /// and, unless builds and machines may be `mixed`, of the same build and machine.
    ///
    /// # Errors
    /// When they are not; names the first thing that differs.
    pub(crate) fn check(
        &self,
        (experiment, game): (&str, &str),
        earlier: &Earlier,
        clock: Clock,
        mixed: bool,
    ) -> anyhow::Result<()> {
        let refuse = |expected: &str, complaint: String| {
            let complaint = format!("expected records of the same {expected} to resume: {complaint}");
            Err(BadInput::new("results folder", earlier.path().to_string_lossy(), complaint).into())
        };
        let meta = &earlier.meta;
        let facts = [
            ("experiment", Value::from(meta.experiment.as_str()), Value::from(experiment)),
            ("game", meta.game.as_str().into(), game.into()),
            ("schema", meta.schema.into(), SCHEMA.into()),
        ];
        for (name, theirs, own) in facts {
            if theirs != own {
                return refuse("experiment", format!("its {name} is {theirs}, not {own}"));
            }
        }
        let (own, theirs) = (serde_json::to_value(self)?, serde_json::to_value(&meta.settings)?);
        // The same suite may go by two names, and the same player be written in two ways.
        let is_meant = |(name, _): &(&String, &Value)| !["suite", WRITTEN].contains(&name.as_str());
        for (name, own) in own.as_object().into_iter().flatten().filter(is_meant) {
            let theirs = match name.as_str() {
                "algorithm" => &algorithm(&theirs[name]).into(),
                // Before there was a choice nothing was pinned.
                "pinned" if theirs[name].is_null() => &false.into(),
                _ => &theirs[name],
            };
            if theirs != own {
                return refuse("settings", format!("its {name} is {theirs}, not {own}"));
            }
        }
        if mixed {
            return Ok(());
        }
        if !Program::here().is_build_of(&meta.program, clock) {
            return refuse("build", format!("another build of {experiment} made it; --mix goes on with it"));
        }
        let (own, theirs) = (serde_json::to_value(Machine::here())?, serde_json::to_value(&meta.machine)?);
        match first_difference(&theirs, &own).filter(|_| clock == Clock::Real) {
            Some((name, theirs, own)) => refuse(
                "machine",
                format!("its machine's {name} is {theirs}, not {own}; --mix goes on with it"),
            ),
            None => Ok(()),
        }
    }
}

/// The algorithm that the setting of this name in a `meta.json` stands for. Before there was a choice there
/// was none.
pub(crate) fn algorithm(setting: &Value) -> &str {
    setting.as_str().unwrap_or(Algorithm::Star2Tt.name())
}

/// The first part in which two objects differ, and both.
fn first_difference<'v>(theirs: &'v Value, own: &'v Value) -> Option<(&'v str, &'v Value, &'v Value)> {
    let parts = own.as_object().into_iter().flatten();
    parts.map(|(name, own)| (name.as_str(), &theirs[name], own)).find(|(_, theirs, own)| theirs != own)
}
