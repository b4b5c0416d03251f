//! What a search can leave out, look up or learn from beyond the paper's algorithm, drawn at random: each on
//! and off, in every combination.

use proptest::prelude::*;
use starsplit::search::{History, Options, ProbeHints};

/// The techniques of one search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Techniques {
    leaf_collapse: bool,
    static_bounds: bool,
    move_probing_depth: u8,
    internal_deepening_depth: u8,
    history: History,
    probe_hints: ProbeHints,
    deepening: bool,
}

impl Techniques {
    /// `options` with these techniques instead of their own.
    pub(crate) fn applied_to(self, options: Options) -> Options {
        let Techniques { leaf_collapse, static_bounds, move_probing_depth, .. } = self;
        let Techniques { internal_deepening_depth, history, probe_hints, deepening, .. } = self;
        let lessened = Options { leaf_collapse, static_bounds, move_probing_depth, ..options };
        Options { internal_deepening_depth, history, probe_hints, deepening, ..lessened }
    }

    /// The same with shallower iterations.
    pub(crate) fn with_deepening(self) -> Self {
        Techniques { deepening: true, ..self }
    }
}

/// Any combination; one search in four goes to its depth at once.
pub(crate) fn techniques() -> impl Strategy<Value = Techniques> {
    let depths = || prop_oneof![Just(u8::MAX), 0u8..=5];
    let learning =
        (prop::sample::select(History::ALL.to_vec()), prop::sample::select(ProbeHints::ALL.to_vec()));
    let deepening = prop::bool::weighted(0.75);
    (any::<bool>(), any::<bool>(), depths(), depths(), learning, deepening).prop_map(
        |(
            leaf_collapse,
            static_bounds,
            move_probing_depth,
            internal_deepening_depth,
            (history, probe_hints),
            deepening,
        )| {
            Techniques {
                leaf_collapse,
                static_bounds,
                move_probing_depth,
                internal_deepening_depth,
                history,
                probe_hints,
                deepening,
            }
        },
    )
}
