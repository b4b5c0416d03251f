//! Every option.

use crate::declared::{DeclaredOption, OptionRole, Recorded};
use crate::value::{OptionKind, OptionType, OrOff};
use starsplit::search::{
    Algorithm, MAX_BATCH, MAX_DEPTH, MAX_THREADS, MAX_WORKERS, Method, MoveOrdering, RootRanking,
    SiblingBatch, TableUse,
};
use starsplit::table::Reuse;
use std::time::Duration;

/// Makes [`DECLARED`] from declarations of options. A declaration has, in this order:
///
/// * its name in records, its flag, its field and the field's type, or another type `as` which words have it;
/// * `help`, one line, and `more`, if there is more, for a command line's help;
/// * `unit`, the name of a number in help, and `range`, if not all numbers of the type make sense on a
///   command line, or `kind`, if the type does not tell it;
/// * `role` and `recorded`, an [`OptionRole`] and a [`Recorded`];
/// * `tried`, the values for random trials; tests draw one for each search.
macro_rules! declare_options {
    ($(
        $name:literal $flag:literal = $($field:ident).+: $type:ty $(as $form:ty)? {
            help: $help:literal,
            $(more: $more:literal,)?
            $(unit: $unit:literal,)?
            $(range: $least:literal..=$greatest:expr,)?
            $(kind: $kind:expr,)?
            role: $role:ident, recorded: $recorded:ident,
            tried: $tried:expr,
        }
    )+) => {
        /// Every option, in the order of records.
        pub const DECLARED: &[DeclaredOption] = &[$({
            const KIND: OptionKind =
                first!(
                    $($kind,)?
                    <form!($type $(, $form)?) as OptionType>::KIND$(.within($least, $greatest))?
                );
            const TRIED: &[$type] = $tried;
            const { assert!(!TRIED.is_empty(), "an option of which nothing is tried") };
            DeclaredOption {
                name: $name,
                flag: $flag,
                help: $help,
                more: first!($($more,)? ""),
                unit: first!($($unit,)? KIND.unit()),
                kind: KIND,
                role: OptionRole::$role,
                recorded: Recorded::$recorded,
                get: |options| <form!($type $(, $form)?)>::from(options.$($field).+).value(),
                set: |options, value| {
                    let value = <form!($type $(, $form)?)>::from_value(value);
                    value.map(|value| options.$($field).+ = value.into()).is_some()
                },
                tried: TRIED.len(),
                try_nth: |options, n| options.$($field).+ = TRIED[n],
            }
        }),+];
    };
}

/// The form in which words have a type.
macro_rules! form {
    ($type:ty) => {
        $type
    };
    ($type:ty, $form:ty) => {
        $form
    };
}

/// The first of some expressions.
macro_rules! first {
    ($first:expr $(, $others:expr)*) => {
        $first
    };
}

declare_options! {
    "algorithm" "algorithm" = algorithm: Algorithm {
        help: "The algorithm",
        role: Contender, recorded: Elsewhere,
        tried: Algorithm::ALL,
    }

    "table_use" "table-use" = table_use: TableUse {
        help: "Which kinds of node use the table",
        role: Contender, recorded: Elsewhere,
        tried: TableUse::ALL,
    }

    "ordering" "ordering" = ordering: MoveOrdering {
        help: "Order in which the moves of a decision node are tried",
        role: Contender, recorded: Elsewhere,
        tried: MoveOrdering::ALL,
    }

    "probing_factor" "probing-factor" = probing_factor: Option<u32> {
        help: "How many moves of each successor a probing phase (as of Star2) searches; 0 switches it off",
        role: Tuning, recorded: Always,
        tried: &[Some(1), None, Some(0), None, Some(2), Some(3)],
    }

    "window_shares" "window-shares" = window_shares: Option<bool> {
        help: "Whether successors are asked for their shares of beta in null windows first",
        role: Tuning, recorded: Changed,
        tried: &[None, Some(true), Some(false), Some(true)],
    }

    "successor_probing_depth" "successor-probing-depth" = successor_probing_depth: u8 {
        help: "Least depth of a chance node where all successors are looked up before any is searched",
        unit: "DEPTH",
        range: 1..=MAX_DEPTH as u64,
        role: Tuning, recorded: Always,
        tried: &[4, 0, 1, 2, 3, 5, 6],
    }

    "table_depth" "table-depth" = table_depth: Option<u8> {
        help: "Least depth of a node that uses the table",
        unit: "DEPTH|auto",
        range: 1..=MAX_DEPTH as u64,
        role: Tuning, recorded: Always,
        tried: &[Some(3), None, Some(0), None, Some(1), Some(2)],
    }

    "remember_evaluations" "remember-evaluations" = remember_evaluations: Option<bool> {
        help: "Whether the table keeps static evaluations",
        role: Tuning, recorded: Changed,
        tried: &[None, Some(true), Some(false)],
    }

    "leaf_collapse" "leaf-collapse" = leaf_collapse: bool {
        help: "Whether a chance node whose leaves share an evaluation is one node",
        role: Tuning, recorded: Always,
        tried: &[true, false],
    }

    "static_bounds" "static-bounds" = static_bounds: bool {
        help: "Whether bounds that the game or the evaluator knows without a search are used",
        role: Tuning, recorded: Always,
        tried: &[true, false],
    }

    "move_probing_depth" "move-probing-depth" = move_probing_depth: Option<u8> as OrOff {
        help: "Least depth of a decision node that looks up all its successors before it searches any",
        unit: "DEPTH|off",
        range: 1..=MAX_DEPTH as u64,
        role: Tuning, recorded: Always,
        tried: &[None, None, None, Some(0), Some(1), Some(2), Some(3), Some(4), Some(5)],
    }

    "reuse" "reuse" = reuse: Reuse {
        help: "Which stored bounds count",
        role: Contender, recorded: Always,
        // Others may change the value.
        tried: &[Reuse::Exact],
    }

    "deepening" "deepening" = deepening: bool {
        help: "Whether shallower iterations come before the one to the depth asked for",
        role: Request, recorded: Elsewhere,
        tried: &[true, true, true, false],
    }

    "threads" "threads" = threads: usize {
        help: "How many threads search",
        range: 1..=MAX_THREADS as u64,
        role: Contender, recorded: Elsewhere,
        tried: &[1, 2, 3, 4, 8],
    }

    "lanes" "lanes" = lanes.count: Option<usize> {
        help: "How many workers take turns on each thread, so that evaluations are made in batches",
        range: 1..=MAX_WORKERS as u64,
        role: Contender, recorded: Elsewhere,
        tried: &[None],
    }

    "batch" "batch" = lanes.batch: Option<usize> {
        help: "How many evaluations are made in one call at the most where there are lanes",
        range: 1..=MAX_BATCH as u64,
        role: Contender, recorded: Elsewhere,
        tried: &[None],
    }

    "sibling_batch" "sibling-batch" = lanes.sibling_batch: SiblingBatch {
        help: "What a lane asks for beside the evaluation that it needs, so that batches are fuller",
        more: "none: nothing. probes: before a chance node is probed, the first moves of all that its \
               outcomes lead to. rest: the same, and all other moves of a node that its first did not cut. \
               moves: all moves of a node.",
        role: Contender, recorded: Elsewhere,
        tried: &[SiblingBatch::Chosen],
    }

    "device" "device" = lanes.device: bool {
        help: "Whether evaluations of lanes are made on a thread of their own",
        role: Contender, recorded: Elsewhere,
        tried: &[false],
    }

    "method" "method" = method: Method {
        help: "How several threads share the search",
        role: Contender, recorded: Elsewhere,
        tried: Method::ALL,
    }

    "helpers_after_us" "helpers-after-us" = splits.helpers_after: Duration {
        help: "How many microseconds an iteration has to be expected to take for other threads to be called; \
               0 calls them at once",
        more: "Shorter searches are the serial one. Simulated searches have all their processors from the \
               beginning.",
        unit: "US",
        range: 0..=3_600_000_000,
        role: Tuning, recorded: Changed,
        // Helpers are called at once, in the middle of the search, or at its end.
        tried: &[
            Duration::ZERO, Duration::ZERO, Duration::from_micros(3), Duration::from_micros(30),
            Duration::from_micros(300),
        ],
    }

    "split_depth" "split-depth" = splits.depth: Option<u8> {
        help: "Least depth of a node whose successors are split among threads",
        more: "Smaller gives every thread work sooner, greater costs less bookkeeping.",
        unit: "DEPTH|auto",
        range: 1..=MAX_DEPTH as u64,
        role: Tuning, recorded: Always,
        tried: &[Some(2), None, Some(1), Some(3), None, Some(4), Some(5), Some(6), Some(7)],
    }

    "split_size" "split-size" = splits.size: Option<u64> {
        help: "Least size of a search that is split among threads, in nodes as searches at that depth have \
               taken so far",
        more: "A search ten times as large is split at once, others only while some thread is without work.",
        unit: "NODES|auto",
        role: Tuning, recorded: Always,
        // Small trees would not be split otherwise.
        tried: &[Some(0), Some(0), Some(0), None],
    }

    "split_alone" "split-alone" = splits.alone: bool {
        help: "Whether one thread alone splits as well, as if others might come to help",
        role: Request, recorded: Elsewhere,
        tried: &[false, true],
    }

    "count_duplicates" "count-duplicates" = telemetry.count_duplicates: bool {
        help: "Whether nodes that two threads search at once are counted",
        role: Request, recorded: Elsewhere,
        tried: &[false, false, false, true],
    }

    "timeline" "timeline" = telemetry.timeline: usize {
        help: "How many spans each worker of a parallel search keeps at most of its timeline",
        role: Request, recorded: Elsewhere,
        tried: &[0, 0, 0, 100],
    }

    "tree_nodes" "tree-nodes" = telemetry.tree: usize {
        help: "How many nodes of the last iteration are recorded at most, as a tree",
        role: Request, recorded: Elsewhere,
        tried: &[0, 0, 0, 0, 50],
    }

    "rank_root_moves" "rank-root-moves" = root_ranking: RootRanking {
        help: "How many of the best moves of a decision root get exact values; on for all, off for none",
        role: Request, recorded: Elsewhere,
        tried: &[
            RootRanking::None, RootRanking::None, RootRanking::None, RootRanking::None, RootRanking::Best(2),
            RootRanking::Best(3), RootRanking::All,
        ],
    }
}
