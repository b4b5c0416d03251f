//! The clock that a worker looks at: the machine's, or in tests one that shows what they want.

/// What the clock shows.
#[cfg(not(test))]
pub(super) fn now() -> std::time::Instant {
    std::time::Instant::now()
}

#[cfg(test)]
pub(super) use jumping::now;

/// Clocks of a test's thread, which go on when they are looked at and at no other time.
#[cfg(test)]
#[allow(dead_code, reason = "the tests below need every feature")]
mod jumping {
    use crate::evaluator::mix64;
    use std::cell::Cell;
    use std::time::{Duration, Instant};

    /// By how much they go on, if they do: however few nodes there were since the last look, they seem slow.
    const JUMP: Duration = Duration::from_millis(10);

    #[derive(Clone, Copy, Debug)]
    pub(super) enum Clock {
        /// It shows the same all the time.
        Still,
        /// It goes on at every look.
        Slow,
        /// It goes on at every second look, by chance.
        Random(u64),
    }

    thread_local! {
        /// The clock that is looked at, what it shows, and how many looks there were; if it is not the
        /// machine's.
        static SHOWN: Cell<Option<(Clock, Instant, u64)>> = const { Cell::new(None) };
    }

    pub(in crate::search) fn now() -> Instant {
        let Some((clock, time, looks)) = SHOWN.get() else { return Instant::now() };
        let jumps = match clock {
            Clock::Still => false,
            Clock::Slow => true,
            Clock::Random(seed) => mix64(seed ^ looks).is_multiple_of(2),
        };
        let time = if jumps { time + JUMP } else { time };
        SHOWN.set(Some((clock, time, looks + 1)));
        time
    }

    /// What `act` gives where this clock is looked at, and how many looks there were.
    pub(super) fn with_clock<R>(clock: Clock, act: impl FnOnce() -> R) -> (R, u64) {
        SHOWN.set(Some((clock, Instant::now(), 0)));
        let given = act();
        let (_, _, looks) = SHOWN.take().expect("it was set");
        (given, looks)
    }
}

#[cfg(all(
    test,
    feature = "lanes",
    feature = "schemes",
    feature = "simulate",
    feature = "testkit",
    not(loom)
))]
mod tests {
    use super::jumping::{Clock, with_clock};
    use crate::Searcher;
    use crate::common::forms::forms;
    use crate::common::partly_blind::PartlyBlind;
    use crate::common::promising::Promising;
    use crate::search::{Limits, Options};
    use crate::signature::signature;
    use crate::table::LocklessTable;
    use crate::testkit::{GraphShape, RandomGraph};

    /// All nodes seem slow, or some.
    const SLOW: [Clock; 4] = [Clock::Slow, Clock::Random(1), Clock::Random(2), Clock::Random(3)];

    #[test]
    fn every_signature_is_the_same_however_slow_nodes_seem() {
        let (expected, looks) = with_clock(Clock::Still, signature);
        for clock in SLOW {
            let (found, slow_looks) = with_clock(clock, signature);
            for (found, expected) in found.lines().zip(expected.lines()) {
                assert_eq!(found, expected, "{clock:?}");
            }
            assert!(slow_looks > 4 * looks, "{slow_looks} and {looks} looks: nothing seemed slow, {clock:?}");
        }
    }

    /// The search of `a_promise_that_no_outcome_ends_the_game_is_a_games_own_and_spares_the_outcomes`, of an
    /// evaluator that ignores the outcomes of some nodes, which the signature has none of.
    fn promised(seed: u64, promises: bool, options: &Options) -> String {
        let shape = GraphShape { positions: 200, terminal_percent: 0, ..GraphShape::default() };
        let graph = RandomGraph::new(&shape, seed).expect("a graph");
        let (root, evaluator) = (graph.start(), PartlyBlind::new(&graph, seed, 1_000, 50));
        let (game, table) = (Promising::new(graph, promises), LocklessTable::with_buckets(1 << 14));
        let searcher = Searcher::new(game, &evaluator, table.expect("a small table"));
        let searcher = searcher.with_options(options.clone());
        let result = searcher.search_within(&root, &Limits::depth(6)).expect("a search");
        format!("{:?} {:?} {:?}", result.bounds, result.stats, result.chosen)
    }

    #[test]
    fn nodes_that_ignore_outcomes_count_the_same_however_slow_they_seem() {
        let options = forms().into_iter().flat_map(|(algorithm, table_use)| {
            [true, false].map(|leaf_collapse| Options {
                algorithm,
                table_use,
                leaf_collapse,
                ..Options::default()
            })
        });
        for options in options {
            for seed in 0..20 {
                let search = || [false, true].map(|promises| promised(seed, promises, &options));
                let (expected, _) = with_clock(Clock::Still, search);
                for clock in SLOW {
                    assert_eq!(with_clock(clock, search).0, expected, "seed {seed}, {clock:?}, {options:?}");
                }
            }
        }
    }
}
