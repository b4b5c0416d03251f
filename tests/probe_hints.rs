//! What the table keeps of Star2's probes: every rule stores what it says, and none changes the value.

use crate::common::alternating::{Alternating, Held};
use starsplit::Searcher;
use starsplit::game::{Game, Hash, Kind};
use starsplit::search::{Algorithm, Limits, MoveOrdering, Options, ProbeHints, Reuse, TableUse};
use starsplit::table::{Found, LocklessTable, NewEntry, Stored, Table};
use std::sync::Mutex;

/// A table that remembers what it was given, in order.
struct Recording {
    inner: LocklessTable,
    stores: Mutex<Vec<NewEntry>>,
}

impl Recording {
    fn new() -> Self {
        Recording { inner: LocklessTable::new(1).expect("memory"), stores: Mutex::new(Vec::new()) }
    }
}

impl Table for Recording {
    fn probe(&self, key: Hash, depth: u8, reuse: Reuse) -> Option<Found> {
        self.inner.probe(key, depth, reuse)
    }

    fn store(&self, key: Hash, entry: NewEntry, reuse: Reuse) -> Stored {
        self.stores.lock().expect("no test panics here").push(entry);
        self.inner.store(key, entry, reuse)
    }

    fn prefetch(&self, key: Hash) {
        self.inner.prefetch(key);
    }

    fn new_generation(&self) {
        self.inner.new_generation();
    }

    fn clear(&self, threads: usize) {
        self.inner.clear(threads);
    }

    fn hashfull(&self) -> u32 {
        self.inner.hashfull()
    }
}

fn options(ordering: MoveOrdering, probe_hints: ProbeHints) -> Options {
    let star2 = Options { algorithm: Algorithm::Star2, table_use: TableUse::Decision, ..Options::default() };
    let plain = Options {
        table_depth: Some(1),
        probing_factor: Some(1),
        leaf_collapse: false,
        static_bounds: false,
        deepening: false,
        ..star2
    };
    Options { ordering, probe_hints, ..plain }
}

/// How many outcomes the root has.
const OUTCOMES: usize = 4;

/// A game and a chance node of it, each of whose outcomes leads to a choice between moves.
fn root() -> (Alternating, u32) {
    let game = Alternating::new(1 << 10, 1);
    let has_choice = |&(after, _): &(u32, u32)| game.node(after).edges.len() > 1;
    let is_wide = |&chance: &u32| {
        let edges = &game.node(chance).edges;
        edges.len() == OUTCOMES && edges.iter().all(has_choice)
    };
    let root = game.chance_nodes().find(is_wide).expect("one of many");
    assert_eq!(game.kind(&root), Kind::Chance);
    (game, root)
}

/// The moves kept of the probes of the root's outcomes, none of which can cut: all that is asked of the
/// root is its value, whatever it is. They are the first entries of their depth; those of the Star1 phase
/// come later.
fn hints_of_probes(ordering: MoveOrdering, rule: ProbeHints, depth: u32) -> Vec<Option<u16>> {
    let (game, root) = root();
    let searcher = Searcher::new(game, Held, Recording::new()).with_options(options(ordering, rule));
    searcher.search_within(&root, &Limits::depth(depth)).expect("a sound game");
    let stores = searcher.table().stores.lock().expect("no test panics here").clone();
    let of_depth = |entry: &&NewEntry| u32::from(entry.depth) == depth - 1;
    stores.iter().filter(of_depth).take(OUTCOMES).map(|entry| entry.hint).collect()
}

#[test]
fn a_probe_that_does_not_cut_leaves_its_move_where_the_rule_says_so() {
    for ordering in [MoveOrdering::Paper, MoveOrdering::Static] {
        assert_eq!(hints_of_probes(ordering, ProbeHints::Cuts, 4), [None; OUTCOMES], "{ordering}");
        let always = hints_of_probes(ordering, ProbeHints::Always, 4);
        assert!(always.len() == OUTCOMES && always.iter().all(Option::is_some), "{ordering}: {always:?}");
        let ranked = hints_of_probes(ordering, ProbeHints::Ranked, 4);
        let expected = if ordering == MoveOrdering::Static { always } else { vec![None; OUTCOMES] };
        assert_eq!(ranked, expected, "{ordering}");
    }
}

#[test]
fn moves_close_to_the_leaves_are_ranked_by_no_evaluation() {
    assert_eq!(hints_of_probes(MoveOrdering::Static, ProbeHints::Ranked, 2), [None; OUTCOMES]);
    assert!(hints_of_probes(MoveOrdering::Static, ProbeHints::Always, 2).iter().all(Option::is_some));
}

/// A probe that has tried all moves knows the best of them, whatever the rule.
#[test]
fn a_probe_of_every_move_keeps_the_best() {
    let kept = |rule, probing_factor| {
        let (game, root) = root();
        let options = Options { probing_factor: Some(probing_factor), ..options(MoveOrdering::Paper, rule) };
        let searcher = Searcher::new(game, Held, Recording::new()).with_options(options);
        let value = searcher.search_within(&root, &Limits::depth(4)).expect("a sound game").score();
        let stores = searcher.table().stores.lock().expect("no test panics here").clone();
        (value, stores)
    };
    assert_eq!(kept(ProbeHints::Cuts, 5), kept(ProbeHints::Always, 5));
    let (one, other) = (kept(ProbeHints::Cuts, 1), kept(ProbeHints::Always, 1));
    assert_eq!(one.0, other.0);
    assert_ne!(one.1, other.1);
}

#[test]
fn the_paper_keeps_every_move() {
    for &algorithm in Algorithm::ALL {
        assert_eq!(Options::paper(algorithm).probe_hints, ProbeHints::Always);
    }
}
