//! What every table keeps to, through its public interface: it may forget, it never invents.

use starsplit::evaluator::mix64;
use starsplit::game::PositionHash;
use starsplit::score::{Bounds, MAX_LIMIT, Score};
use starsplit::table::Reuse;
use starsplit::table::{Found, LocklessTable, NewEntry, NoTable, Stored, Table, TableError};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Keys as searches make them: the upper bits of both halves are random.
fn key(number: u64) -> PositionHash {
    PositionHash { high: mix64(2 * number), low: mix64(2 * number + 1) }
}

fn entry(depth: u8, lower: Score, upper: Score) -> NewEntry {
    NewEntry::new(depth, Bounds::new(lower, upper), MAX_LIMIT)
}

fn exact(depth: u8, score: Score) -> NewEntry {
    entry(depth, score, score)
}

fn bounds(found: Option<Found>) -> Option<Bounds> {
    found.map(|found| found.bounds)
}

const POLICIES: [Reuse; 2] = [Reuse::Exact, Reuse::AtLeast];

#[test]
fn an_empty_table_finds_nothing() {
    fn check(table: impl Table) {
        let corners = [0, 1, 0xffff, 0x1_0000, u64::MAX];
        let corner_keys = corners.iter().flat_map(|&high| corners.map(|low| PositionHash { high, low }));
        for key in corner_keys.chain((0..1000).map(key)) {
            for depth in [0, 1, 7, 254, 255] {
                for reuse in POLICIES {
                    assert_eq!(table.probe(key, depth, reuse), None, "{key:?} at depth {depth}, {reuse}");
                }
            }
        }
        assert_eq!(table.hashfull(), 0);
    }
    for_each_table!(1, check);
    for_each_table!(64, check);
    check(NoTable);
}

#[test]
fn no_table_keeps_nothing() {
    assert_eq!(NoTable.store(key(1), exact(3, 5), Reuse::Exact), Stored::default());
    assert_eq!(NoTable.probe(key(1), 3, Reuse::Exact), None);
}

#[test]
fn what_is_stored_is_found_with_its_depth_bounds_and_move() {
    fn check(table: impl Table) {
        let entries: Vec<(PositionHash, NewEntry)> = (0..400)
            .map(|number| {
                let lower = (mix64(number) % (MAX_LIMIT as u64)) as Score - MAX_LIMIT / 2;
                let upper = lower + (number % 7) as Score;
                let depth = 1 + (number % 254) as u8;
                let table_move = (number % 3 == 0).then_some(number as u16);
                (key(number), NewEntry { table_move, ..entry(depth, lower, upper) })
            })
            .collect();
        for (key, entry) in &entries {
            let stored = table.store(*key, *entry, Reuse::Exact);
            assert!(stored.written && !stored.contradicted);
        }
        for (key, entry) in &entries {
            let found = table.probe(*key, entry.depth, Reuse::Exact);
            assert_eq!(found, Some(Found { bounds: entry.bounds, table_move: entry.table_move }));
        }
    }
    // Roomy enough that nothing is replaced.
    for_each_table!(1 << 12, check);
}

#[test]
fn the_ends_of_keys_and_scores_survive() {
    fn check(table: impl Table) {
        for (high, low) in [(0, 0), (u64::MAX, u64::MAX), (0, u64::MAX), (u64::MAX, 0)] {
            let key = PositionHash { high, low };
            for score in [1 - MAX_LIMIT, -1, 0, 1, MAX_LIMIT - 1] {
                table.clear(1);
                table.store(key, exact(254, score), Reuse::Exact);
                assert_eq!(bounds(table.probe(key, 254, Reuse::Exact)), Some(Bounds::exactly(score)));
            }
        }
        // A win is known from below only, and that is all there is to know.
        table.store(key(9), exact(3, MAX_LIMIT), Reuse::Exact);
        assert_eq!(bounds(table.probe(key(9), 3, Reuse::Exact)), Some(Bounds::exactly(MAX_LIMIT)));
    }
    for_each_table!(64, check);
}

#[test]
fn under_exact_each_depth_has_its_own_entry() {
    fn check(table: impl Table) {
        let key = key(5);
        for depth in [3, 4, 5] {
            table.store(key, exact(depth, 100 * Score::from(depth)), Reuse::Exact);
        }
        for depth in [3, 4, 5] {
            let found = bounds(table.probe(key, depth, Reuse::Exact));
            assert_eq!(found, Some(Bounds::exactly(100 * Score::from(depth))), "depth {depth}");
        }
        for depth in [1, 2, 6, 254] {
            let found = table.probe(key, depth, Reuse::Exact);
            assert!(found.is_none_or(|found| !found.has_bounds()), "depth {depth}: {found:?}");
        }
    }
    for_each_table!(1, check);
}

#[test]
fn under_exact_a_position_has_as_many_entries_as_depths_where_there_is_room() {
    fn check(table: impl Table) {
        for number in 0..4 {
            table.clear(1);
            for depth in 1..=100 {
                table.store(key(number), exact(depth, Score::from(depth)), Reuse::Exact);
            }
            for depth in 1..=100 {
                let found = bounds(table.probe(key(number), depth, Reuse::Exact));
                assert_eq!(found, Some(Bounds::exactly(Score::from(depth))), "entry {number}, depth {depth}");
            }
        }
    }
    // Roomy enough that no second bucket is full, or the first one.
    for_each_table!(1 << 14, check);
}

#[test]
fn what_is_in_a_second_bucket_is_joined_renewed_and_told_with_its_move() {
    fn check(table: impl Table) {
        let key = key(5);
        for depth in [10, 20, 30, 40] {
            table.store(key, exact(depth, 0), Reuse::Exact);
        }
        table.store(key, NewEntry { table_move: Some(7), ..entry(50, -5, 40) }, Reuse::Exact);
        table.store(key, entry(50, -9, 30), Reuse::Exact);
        let found = Found { bounds: Bounds::new(-5, 30), table_move: Some(7) };
        assert_eq!(table.probe(key, 50, Reuse::Exact), Some(found));
        assert!(table.store(key, exact(50, 31), Reuse::Exact).contradicted, "in the second bucket, too");
        assert_eq!(table.probe(key, 30, Reuse::Exact).and_then(|found| found.table_move), None);
        // What was used in the last four iterations stays; what is older gives way to new depths.
        let is_exact = |depth| bounds(table.probe(key, depth, Reuse::Exact)).is_some_and(Bounds::is_exact);
        table.new_generation();
        table.store(key, exact(60, 1), Reuse::Exact);
        assert!([10, 20, 30, 40, 60].into_iter().all(is_exact));
        (0..2).for_each(|_| table.new_generation());
        table.store(key, exact(65, 1), Reuse::Exact);
        assert!([20, 30, 40, 60, 65].into_iter().all(is_exact));
        (0..4).for_each(|_| table.new_generation());
        assert!(is_exact(10), "a look-up renews it");
        table.store(key, exact(70, 2), Reuse::Exact);
        assert_eq!([10, 20, 30, 40, 60, 70].map(is_exact), [true, false, true, true, true, true]);
    }
    for_each_table!(1 << 12, check);
}

#[test]
fn what_a_crowded_bucket_stores_last_is_there_however_small_the_table() {
    fn check(table: impl Table) {
        for round in 0..2000 {
            if round % 50 == 0 {
                table.new_generation();
            }
            let (number, depth) = (mix64(round) % 3, 1 + (mix64(!round) % 30) as u8);
            let score = 1000 * number as Score + Score::from(depth);
            table.store(key(number), exact(depth, score), Reuse::Exact);
            let found = bounds(table.probe(key(number), depth, Reuse::Exact));
            assert_eq!(found, Some(Bounds::exactly(score)), "round {round}");
        }
    }
    for_each_table!(1, check);
    for_each_table!(2, check);
    for_each_table!(3, check);
}

#[test]
fn under_at_least_each_bound_has_its_own_depth() {
    fn check(table: impl Table) {
        let key = key(6);
        table.store(key, entry(9, -50, MAX_LIMIT), Reuse::AtLeast);
        table.store(key, entry(4, -MAX_LIMIT, 70), Reuse::AtLeast);
        let at =
            |depth| bounds(table.probe(key, depth, Reuse::AtLeast)).unwrap_or(Bounds::unknown(MAX_LIMIT));
        for depth in 1..=4 {
            assert_eq!(at(depth), Bounds::new(-50, 70), "depth {depth}");
        }
        for depth in 5..=9 {
            assert_eq!(at(depth), Bounds::new(-50, MAX_LIMIT), "depth {depth}");
        }
        assert_eq!(at(10), Bounds::unknown(MAX_LIMIT));
        // Weaker knowledge of a shallower search does not displace what is there.
        table.store(key, entry(2, -60, 80), Reuse::AtLeast);
        assert_eq!(at(4), Bounds::new(-50, 70));
    }
    for_each_table!(1, check);
}

#[test]
fn bounds_of_one_depth_are_joined() {
    fn check(table: impl Table) {
        let key = key(7);
        table.store(key, entry(3, -5, 40), Reuse::Exact);
        table.store(key, entry(3, -9, 30), Reuse::Exact);
        assert_eq!(bounds(table.probe(key, 3, Reuse::Exact)), Some(Bounds::new(-5, 30)));
        let repeated = table.store(key, entry(3, -9, 30), Reuse::Exact);
        assert!(!repeated.written, "a store that adds nothing is not one");
    }
    for_each_table!(1, check);
}

#[test]
fn a_contradiction_is_reported() {
    fn check(table: impl Table) {
        for reuse in POLICIES {
            table.clear(1);
            let first = NewEntry { table_move: Some(6), ..entry(3, 5, MAX_LIMIT) };
            assert!(!table.store(key(8), first, reuse).contradicted);
            assert!(table.store(key(8), entry(3, -MAX_LIMIT, 4), reuse).contradicted, "{reuse}");
            assert_eq!(
                table.probe(key(8), 3, reuse).and_then(|found| found.table_move),
                Some(6),
                "its move stays"
            );
            let found = bounds(table.probe(key(8), 3, reuse)).unwrap_or(Bounds::unknown(MAX_LIMIT));
            assert!(found.lower <= found.upper, "{found:?}");
        }
    }
    for_each_table!(1, check);
}

#[test]
fn bounds_that_say_nothing_never_replace_bounds_that_do() {
    fn check(table: impl Table) {
        for (limit, lower, upper) in [(MAX_LIMIT, -7, 11), (4, -2, 3)] {
            for reuse in POLICIES {
                table.clear(1);
                let key = key(10);
                let store = |depth, lower, upper| {
                    let bounds = Bounds::new(lower, upper);
                    table.store(key, NewEntry::new(depth, bounds, limit), reuse)
                };
                assert_eq!(store(5, -limit, limit), Stored::default(), "nothing is said, nothing is kept");
                assert_eq!(table.probe(key, 5, reuse), None);
                store(5, lower, limit);
                store(5, -limit, upper);
                store(5, -limit, limit);
                assert_eq!(bounds(table.probe(key, 5, reuse)), Some(Bounds::new(lower, upper)), "{reuse}");
            }
        }
    }
    for_each_table!(1, check);
}

#[test]
fn bounds_at_the_end_of_a_coarse_grid_are_not_kept_as_knowledge() {
    fn check(table: impl Table) {
        let coarse = NewEntry::new(3, Bounds::new(2, 4), 4);
        table.store(key(11), coarse, Reuse::Exact);
        let found = bounds(table.probe(key(11), 3, Reuse::Exact)).unwrap();
        assert_eq!(found, Bounds::new(2, MAX_LIMIT));
    }
    for_each_table!(1, check);
}

#[test]
fn moves_are_inherited_and_great_ordinals_are_not_stored() {
    fn check(table: impl Table) {
        let hint_at = |key, depth| table.probe(key, depth, Reuse::Exact).and_then(|found| found.table_move);
        for (ordinal, kept) in [(0, Some(0)), (1022, Some(1022)), (1023, None), (u16::MAX, None)] {
            table.clear(1);
            table.store(key(12), NewEntry { table_move: Some(ordinal), ..exact(3, 1) }, Reuse::Exact);
            assert_eq!(hint_at(key(12), 3), kept, "ordinal {ordinal}");
        }
        // By the same depth, by another depth, and by a later generation that takes the slot over.
        table.clear(1);
        table.store(key(13), NewEntry { table_move: Some(17), ..entry(3, -8, 20) }, Reuse::Exact);
        table.store(key(13), entry(3, -8, 19), Reuse::Exact);
        assert_eq!(hint_at(key(13), 3), Some(17));
        assert_eq!(hint_at(key(13), 4), Some(17), "a move of another depth is better than none");
        table.new_generation();
        table.store(key(13), exact(4, 2), Reuse::Exact);
        assert_eq!(hint_at(key(13), 4), Some(17));
    }
    for_each_table!(1, check);
}

#[test]
fn the_move_of_the_nearest_depth_is_found() {
    fn check(table: impl Table) {
        for depth in [2, 6, 9] {
            table.store(
                key(14),
                NewEntry { table_move: Some(u16::from(depth)), ..exact(depth, 0) },
                Reuse::Exact,
            );
        }
        for (depth, nearest) in [(1, 2), (2, 2), (3, 2), (5, 6), (6, 6), (8, 9), (30, 9)] {
            let table_move = table.probe(key(14), depth, Reuse::Exact).and_then(|found| found.table_move);
            assert_eq!(table_move, Some(nearest), "depth {depth}");
        }
    }
    for_each_table!(1, check);
}

#[test]
fn whatever_is_stored_last_is_there_however_full_the_bucket() {
    fn check(table: impl Table) {
        let mut replaced = 0;
        for number in 0..1000 {
            if number % 10 == 0 {
                table.new_generation();
            }
            let depth = 1 + (mix64(number) % 200) as u8;
            let stored = table.store(key(number), exact(depth, number as Score), Reuse::Exact);
            replaced += u32::from(stored.replaced);
            let found = bounds(table.probe(key(number), depth, Reuse::Exact));
            assert_eq!(found, Some(Bounds::exactly(number as Score)), "entry {number}, depth {depth}");
        }
        assert!(replaced >= 900, "one bucket holds a few entries, so most stores replace: {replaced}");
    }
    for_each_table!(1, check);
}

#[test]
fn old_entries_give_way_before_young_ones() {
    fn check(table: impl Table) {
        for number in 0..4 {
            table.store(key(number), exact(5, 0), Reuse::Exact);
        }
        for _ in 0..3 {
            table.new_generation();
        }
        // Looked up again, one of the old ones is young again.
        assert!(table.probe(key(2), 5, Reuse::Exact).is_some());
        for number in 4..7 {
            table.store(key(number), exact(5, 0), Reuse::Exact);
        }
        for (number, there) in
            [(0, false), (1, false), (2, true), (3, false), (4, true), (5, true), (6, true)]
        {
            assert_eq!(table.probe(key(number), 5, Reuse::Exact).is_some(), there, "entry {number}");
        }
    }
    for_each_table!(1, check);
}

#[test]
fn a_look_up_renews_entries_as_deep_as_it_and_deeper_ones() {
    fn check(table: impl Table) {
        for number in 0..4 {
            table.store(key(number), exact(5, 0), Reuse::Exact);
        }
        for _ in 0..3 {
            table.new_generation();
        }
        // For its move alone, which a search to depth 3 begins with; one to depth 7 has no great use for it.
        assert!(table.probe(key(2), 3, Reuse::Exact).is_some_and(|found| !found.has_bounds()));
        assert!(table.probe(key(1), 7, Reuse::Exact).is_some_and(|found| !found.has_bounds()));
        for number in 4..7 {
            table.store(key(number), exact(5, 0), Reuse::Exact);
        }
        for number in 0..7 {
            let there = table.probe(key(number), 5, Reuse::Exact).is_some();
            assert_eq!(there, ![0, 1, 3].contains(&number), "entry {number}");
        }
    }
    for_each_table!(1, check);
}

#[test]
fn clearing_clears_everything_with_any_number_of_threads() {
    fn check(table: impl Table) {
        for threads in [0, 1, 2, 3, 8, 64, 1000] {
            for number in 0..5000 {
                table.store(key(number), exact(3, 1), Reuse::Exact);
            }
            assert!(table.hashfull() > 0);
            table.clear(threads);
            assert_eq!(table.hashfull(), 0);
            for number in 0..5000 {
                assert_eq!(
                    table.probe(key(number), 3, Reuse::Exact),
                    None,
                    "{threads} threads, entry {number}"
                );
            }
        }
    }
    for_each_table!(1, check);
    for_each_table!(1000, check);
    for_each_table!((1 << 16) + 1, check);
}

#[test]
fn hashfull_counts_the_present_generation() {
    fn check(table: impl Table) {
        for number in 0..20_000 {
            table.store(key(number), exact(3, 1), Reuse::Exact);
        }
        assert!((900..=1000).contains(&table.hashfull()), "{}", table.hashfull());
        table.new_generation();
        assert_eq!(table.hashfull(), 0);
    }
    for_each_table!(64, check);
}

#[test]
fn impossible_sizes_are_errors() {
    assert!(matches!(LocklessTable::new(0), Err(TableError::Size { mib: 0 })));
    assert!(matches!(LocklessTable::new(u64::MAX), Err(TableError::Size { mib: u64::MAX })));
    assert!(matches!(LocklessTable::with_buckets(0), Err(TableError::Buckets { buckets: 0 })));
    assert!(matches!(LocklessTable::with_buckets(u64::MAX), Err(TableError::Buckets { buckets: u64::MAX })));
    let error = LocklessTable::new(1_000_000_000).expect_err("no machine has a thousand million MiB");
    assert!(error.to_string().contains("1000000000 MiB"), "{error}");
}

#[test]
fn sizes_are_what_was_asked_for() {
    assert_eq!(LocklessTable::new(1).unwrap().buckets(), (1 << 20) / 64);
    assert_eq!(LocklessTable::with_buckets(37).unwrap().buckets(), 37);
}

/// How many keys the threads of the hammering tests share.
const HAMMERED_KEYS: u64 = 24;

/// The one truth about a key at a depth, from which every store takes what it says.
fn truth(number: u64, depth: u8) -> NewEntry {
    let bits = mix64(number << 8 | u64::from(depth));
    let score = (bits % (2 * MAX_LIMIT as u64 - 1)) as Score - (MAX_LIMIT - 1);
    NewEntry { table_move: Some((bits >> 32 & 511) as u16), ..exact(depth, score) }
}

/// Stores and looks up at random, and asserts that nothing is found but what was stored for the key and
/// depth. `depth_of` gives the depth whose truth is stored for a drawn depth. Gives the number of entries
/// found.
fn hammer<T: Table>(table: &T, thread: u64, rounds: u64, reuse: Reuse, truth_depth: fn(u8) -> u8) -> u64 {
    let mut found_entries = 0;
    for round in 0..rounds {
        let bits = mix64(round << 8 | thread);
        let (number, depth) = (bits % HAMMERED_KEYS, 1 + (bits >> 8 & 3) as u8);
        let truth = NewEntry { depth, ..truth(number, truth_depth(depth)) };
        let score = truth.bounds.lower;
        match bits >> 16 & 7 {
            0 => _ = table.store(key(number), truth, reuse),
            1 => {
                _ = table.store(
                    key(number),
                    NewEntry { bounds: Bounds::new(score, MAX_LIMIT), ..truth },
                    reuse,
                )
            }
            2 => {
                _ = table.store(
                    key(number),
                    NewEntry { bounds: Bounds::new(-MAX_LIMIT, score), ..truth },
                    reuse,
                )
            }
            _ => {
                let Some(found) = table.probe(key(number), depth, reuse) else { continue };
                let Bounds { lower, upper } = found.bounds;
                assert!(lower == score || lower == -MAX_LIMIT, "{found:?} for {truth:?}");
                assert!(upper == score || upper == MAX_LIMIT, "{found:?} for {truth:?}");
                let moves: Vec<_> =
                    (1..=4).map(|depth| self::truth(number, truth_depth(depth)).table_move).collect();
                assert!(moves.contains(&found.table_move), "{found:?}, of {moves:?}");
                found_entries += u64::from(found.has_bounds());
            }
        }
    }
    found_entries
}

fn hammer_with_threads<T: Table>(table: &T, reuse: Reuse, truth_depth: fn(u8) -> u8) {
    const THREADS: u64 = 4;
    let found = AtomicU64::new(0);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..THREADS)
            .map(|thread| {
                let found = &found;
                scope.spawn(move || {
                    found.fetch_add(hammer(table, thread, 300_000, reuse, truth_depth), Ordering::Relaxed);
                })
            })
            .collect();
        let done = &done;
        // Ageing and clearing go on meanwhile.
        scope.spawn(move || {
            for round in 0.. {
                if done.load(Ordering::Relaxed) {
                    return;
                }
                table.new_generation();
                if round % 64 == 0 {
                    table.clear(1);
                }
                std::thread::yield_now();
            }
        });
        for worker in workers {
            let outcome = worker.join();
            done.store(true, Ordering::Relaxed);
            outcome.expect("nothing was found that was never stored");
        }
    });
    let found = found.into_inner();
    assert!(found >= 1000, "entries were found: {found}");
}

/// Many threads, one bucket, many more keys than slots: a word of one entry beside a word of another is seen
/// all the time, and must never be taken for an entry.
#[test]
fn hammering_one_bucket_finds_nothing_that_was_not_stored() {
    fn check(table: impl Table) {
        hammer_with_threads(&table, Reuse::Exact, |depth| depth);
    }
    for_each_table!(1, check);
}

/// The same under the other policy, where one truth holds at every depth.
#[test]
fn hammering_one_bucket_with_mixed_depths_finds_nothing_that_was_not_stored() {
    fn check(table: impl Table) {
        hammer_with_threads(&table, Reuse::AtLeast, |_| 0);
    }
    for_each_table!(1, check);
}
