//! The parameters of the search, as `meta.json` names them.

use serde::Serialize;
use starsplit::search::{Options, ProbeHints};

/// The parameters of the search.
#[derive(Clone, Debug, Serialize)]
pub struct Tuning {
    probing_factor: u32,
    /// This, and when helpers are called, where it is not the default: records made before there was a choice
    /// say nothing of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    probe_hints: Option<&'static str>,
    successor_probing_depth: u8,
    table_depth: u8,
    leaf_collapse: bool,
    static_bounds: bool,
    move_probing_depth: u8,
    internal_deepening_depth: u8,
    reuse: String,
    history: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    helpers_after_us: Option<u64>,
    split_depth: u8,
    split_size: u64,
}

impl Tuning {
    /// Those of searches under `options`.
    pub fn of(options: &Options) -> Self {
        Tuning {
            probing_factor: options.probing_factor,
            probe_hints: (options.probe_hints != ProbeHints::default()).then(|| options.probe_hints.name()),
            successor_probing_depth: options.successor_probing_depth,
            table_depth: options.table_depth,
            leaf_collapse: options.leaf_collapse,
            static_bounds: options.static_bounds,
            move_probing_depth: options.move_probing_depth,
            internal_deepening_depth: options.internal_deepening_depth,
            reuse: options.reuse.name().to_owned(),
            history: options.history.name(),
            helpers_after_us: (options.helpers_after != Options::default().helpers_after)
                .then_some(options.helpers_after.as_micros() as u64),
            split_depth: options.split_depth,
            split_size: options.split_size,
        }
    }
}
