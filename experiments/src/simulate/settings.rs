//! What the records say a simulation was of, and whether two can share a folder.

use crate::cli::BadInput;
use crate::earlier::Earlier;
use crate::machine::Program;
use crate::records::{self, SCHEMA};
use crate::setup::EvaluatorName;
use crate::suite::fingerprint;
use serde::Serialize;
use serde_json::Value;
use starsplit::search::Options;
use std::env;
use std::fs;

/// Everything but the runs themselves that a line of the samples depends on. Which methods, processors, costs and seeds
/// are simulated is not among it: every line says its own, so that a folder can be gone on with by others.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Settings<'a> {
    #[serde(flatten)]
    common: records::Settings<'a>,
    /// The fingerprint of the evaluator's weights, where they come from a file.
    weights_fnv1a: Option<String>,
    tuning: Tuning,
    /// Whether duplicate nodes are counted.
    explain: bool,
    /// The program's own fingerprint.
    build_fnv1a: Option<String>,
}

/// The parameters of the search, whether the user has set them or the library.
#[derive(Clone, Debug, Serialize)]
struct Tuning {
    probing_factor: u32,
    successor_probing_depth: u8,
    table_depth: u8,
    history: &'static str,
    split_depth: u8,
    split_size: u64,
}

impl<'a> Settings<'a> {
    /// Those of searches under `options` by the program that runs.
    pub(super) fn new(common: records::Settings<'a>, evaluator: &EvaluatorName, options: &Options) -> Self {
        let weights = match evaluator {
            EvaluatorName::NetworkFile(file) => Some(file.clone()),
            _ => None,
        };
        let print = |path| fs::read(path).ok().map(|bytes| fingerprint(&bytes));
        Settings {
            common,
            weights_fnv1a: weights.and_then(print),
            tuning: Tuning {
                probing_factor: options.probing_factor,
                successor_probing_depth: options.successor_probing_depth,
                table_depth: options.table_depth,
                history: options.history.name(),
                split_depth: options.split_depth,
                split_size: options.split_size,
            },
            explain: options.count_duplicates,
            build_fnv1a: env::current_exe().ok().and_then(print),
        }
    }

    /// Whether the earlier records are of the same settings and of the same build, so that they can be gone on with.
    ///
    /// # Errors
    /// When they are not; names the first setting that differs.
    pub(super) fn check(&self, earlier: &Earlier) -> anyhow::Result<()> {
        let refuse = |complaint: String| {
            let complaint = format!("expected records of the same settings and build to resume: {complaint}");
            Err(BadInput::new("results folder", earlier.path().to_string_lossy(), complaint).into())
        };
        let meta = &earlier.meta;
        for (name, own) in [("experiment", Value::from("simulate")), ("schema", SCHEMA.into())] {
            if meta[name] != own {
                return refuse(format!("its {name} is {}, not {own}", meta[name]));
            }
        }
        let (own, theirs) = (serde_json::to_value(self)?, &meta["settings"]);
        let own = own.as_object().into_iter().flatten();
        // The same suite may go by two names, and the same build has two ways to be known.
        for (name, own) in own.filter(|(name, _)| !matches!(name.as_str(), "suite" | "build_fnv1a")) {
            if theirs[name] != *own {
                return refuse(format!("its {name} is {}, not {own}", theirs[name]));
            }
        }
        if self.is_same_build(meta) { Ok(()) } else { refuse("another build of simulate made it".to_owned()) }
    }

    /// Whether the program that wrote `meta` is this very one, or both are of one revision to which nothing was changed.
    fn is_same_build(&self, meta: &Value) -> bool {
        let is_this =
            self.build_fnv1a.as_ref().is_some_and(|own| meta["settings"]["build_fnv1a"] == own.as_str());
        let is_same_revision = || {
            let theirs = &meta["program"]["git"];
            let own = Program::here().git.filter(|git| !git.dirty && theirs["dirty"] == false);
            own.is_some_and(|own| theirs["revision"] == own.revision.as_str())
        };
        is_this || is_same_revision()
    }
}
