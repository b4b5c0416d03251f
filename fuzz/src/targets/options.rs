//! Random options on a random graph: every search has the value of plain Expectimax, to the last bit.

use crate::Target;
use crate::bytes::Bytes;
use crate::refusals;
use crate::targets::graph::{AnyGraph, Evaluations, affordable, graph, plain_value, root};
use starsplit::game::NodeKind;
use starsplit::search::{Limits, Options, SearchError, SiblingBatch, TableUse};
use starsplit::{Pool, Searcher};
use starsplit_options::{DECLARED, OptionKind, OptionRole, OptionValue};
use starsplit_tables::{AnyTable, Scheme};
use starsplit_testkit::GraphGame;
use std::sync::LazyLock;

pub(super) const TARGET: Target = Target {
    name: "options",
    about: "numbers that choose a random graph, a position, a tiny table, and options of searches",
    run,
    seeds,
    words: || vec![vec![0; 4], vec![255; 4], (0..16).collect(), vec![200; 8]],
    mutations: 5_000,
    longest: 400,
};

/// The most threads of a search.
const THREADS: usize = 3;

/// The deepest search, where the whole tree is small enough.
const DEEPEST: u32 = 8;

/// The most nodes of a whole tree.
const NODES: u64 = 1_500;

fn run(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let (game, evaluations) = graph(&mut bytes);
    match game {
        AnyGraph::Plain(game) => check(&game, evaluations, &mut bytes),
        AnyGraph::Rich(game) => check(&*game, evaluations, &mut bytes),
    }
}

fn check<G: GraphGame + std::fmt::Debug>(game: &G, evaluations: Evaluations, bytes: &mut Bytes<'_>) {
    static POOL: LazyLock<Pool> = LazyLock::new(|| Pool::new(THREADS).expect("the system starts them"));
    let root = root(game, bytes.u16().into());
    let depth = affordable(game, root, DEEPEST, NODES).saturating_sub(bytes.within(0, 2)).max(1);
    let value = plain_value(game, evaluations, root, depth);
    let table = table(bytes);
    // The later searches find what the earlier ones have left in the table.
    for _ in 0..bytes.within(1, 3) {
        let options = options(bytes);
        if let Err(error) = options.check() {
            refusals::check(&error);
            continue;
        }
        let searcher = Searcher::new(game.clone(), evaluations, &table).with_options(options.clone());
        let searcher = if options.threads > 1 { searcher.with_pool(POOL.clone()) } else { searcher };
        let result = match searcher.request(&root).limits(Limits::depth(depth)).search() {
            Ok(result) => result,
            Err(SearchError::Options(error)) => {
                refusals::check(&error);
                continue;
            }
            Err(error) => panic!("{error} under {options:?}"),
        };
        assert_eq!(result.score(), Some(value), "depth {depth} of {root:?} under {options:?}");
        if let (NodeKind::Decision, Some(mv), true) = (game.kind(&root), result.best_move, is_plain::<G>()) {
            let after = game.play(&root, mv);
            let found = plain_value(game, evaluations, after, depth - 1);
            let found = if game.player(&after) == game.player(&root) { found } else { -found };
            assert_eq!(found, value, "move {mv} at depth {depth} of {root:?} under {options:?}");
        }
    }
}

/// Whether what a move leads to is worth what the move is, a ply less deep.
fn is_plain<G: GraphGame>() -> bool {
    !G::STEPS.rewards && !G::STEPS.plies
}

/// A table so small that entries give way all the time.
fn table(bytes: &mut Bytes<'_>) -> AnyTable {
    let scheme = Scheme::ALL[bytes.below(Scheme::ALL.len())];
    AnyTable::new(scheme, u64::from(bytes.within(1, 128))).expect("a small table")
}

/// Options: each is one of those that trials choose from, or any number that it takes.
fn options(bytes: &mut Bytes<'_>) -> Options {
    let mut options = Options::default();
    for declared in DECLARED {
        let chosen = bytes.byte();
        let number = match declared.kind {
            OptionKind::Number { least, greatest }
            | OptionKind::Threshold { least, greatest }
            | OptionKind::TunedNumber { least, greatest }
                if declared.role == OptionRole::Tuning && chosen >= 200 =>
            {
                // Small numbers as likely as large ones.
                let bits = bytes.u64() >> bytes.below(64);
                Some(least + bits % (greatest - least).saturating_add(1).max(1))
            }
            _ => None,
        };
        match number {
            None => declared.try_nth(&mut options, chosen.into()),
            Some(number) => {
                declared.set(&mut options, OptionValue::Number(number)).expect("one within its range")
            }
        }
    }
    options.threads = 1 + bytes.below(THREADS);
    if bytes.below(4) == 3 {
        options.lanes.count = Some(1 + bytes.below(4));
        options.lanes.batch = Some(1 + bytes.below(6));
        options.lanes.sibling_batch = SiblingBatch::ALL[bytes.below(SiblingBatch::ALL.len())];
        options.lanes.device = bytes.below(3) == 2;
    }
    if options.algorithm.needs_table() {
        options.table_use = TableUse::All;
    }
    options
}

/// Graphs of several kinds, each with searches of several kinds.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let graphs: [(&str, [u8; 20]); 4] = [
        ("small", [0, 1, 7, 40, 10, 2, 0, 0, 1, 9, 8, 7, 6, 0, 0, 0, 0, 5, 0, 0]),
        ("coarse", [1, 0, 60, 30, 5, 3, 4, 1, 3, 1, 2, 3, 4, 1, 3, 0, 1, 40, 1, 2]),
        ("rich", [1, 4, 30, 25, 5, 3, 1, 0, 0, 77, 1, 0, 0, 2, 1, 40, 30, 20, 20, 1]),
        ("fine", [2, 6, 110, 45, 8, 4, 0, 0, 0, 5, 5, 5, 5, 0, 7, 0, 1, 60, 0, 1]),
    ];
    let searches = [("default", 0_u8), ("tried", 7), ("numbers", 211)];
    let both = graphs.iter().flat_map(|graph| searches.iter().map(move |search| (graph, search)));
    let seed = |((graph, head), (search, step)): (&(&str, [u8; 20]), &(&str, u8))| {
        let rest = (0..180_u8).map(|place| step.wrapping_mul(place.wrapping_add(1)).wrapping_add(*step));
        (format!("{graph}-{search}"), head.iter().copied().chain(rest).collect())
    };
    both.map(seed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_choose_every_algorithm_and_number_of_threads() {
        let chosen = |first: u8, threads: u8| {
            let mut bytes = vec![0; DECLARED.len()];
            bytes[0] = first;
            bytes.push(threads);
            options(&mut Bytes::new(&bytes))
        };
        let (one, two) = (chosen(0, 0), chosen(1, 2));
        assert!(one.algorithm != two.algorithm && (one.threads, two.threads) == (1, 3));
    }
}
