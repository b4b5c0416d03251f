//! The workers' clock: the machine's, or in tests an artificial one.

/// The current time.
#[cfg(not(test))]
pub(super) fn now() -> crate::time::Instant {
    crate::time::Instant::now()
}

#[cfg(test)]
pub(super) use jumping::now;

/// A test thread's artificial clock. It moves only when it is read.
#[cfg(test)]
#[allow(dead_code, reason = "the tests below need two features")]
mod jumping {
    use crate::evaluator::mix64;
    use crate::time::Instant;
    use std::cell::Cell;
    use std::time::Duration;

    /// How far it jumps: enough to make any number of nodes look slow.
    const JUMP: Duration = Duration::from_millis(10);

    #[derive(Clone, Copy, Debug)]
    pub(super) enum Clock {
        /// Never jumps.
        Still,
        /// Jumps at every read.
        Slow,
        /// Jumps at half of the reads, at random.
        Random(u64),
    }

    thread_local! {
        /// The clock, its time and the number of reads; `None` for the machine's clock.
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

    /// Runs `act` with this clock. Returns its result and the number of reads.
    pub(super) fn with_clock<R>(clock: Clock, act: impl FnOnce() -> R) -> (R, u64) {
        SHOWN.set(Some((clock, Instant::now(), 0)));
        let given = act();
        let (_, _, looks) = SHOWN.take().expect("it was set");
        (given, looks)
    }
}

#[cfg(all(test, feature = "lanes", feature = "simulate", not(loom)))]
mod tests {
    use super::jumping::{Clock, with_clock};
    use crate::Searcher;
    use crate::evaluator::{Evaluator, HashRandom};
    use crate::game::Game;
    use crate::search::{
        Algorithm, LaneOptions, Limits, Method, MoveOrdering, Options, SearchResult, SiblingBatch, Splits,
        TableUse,
    };
    use crate::simulate::{CostModel, Simulation};
    use crate::table::LocklessTable;
    use crate::tests::{Blind, Graph, Shape};

    /// All nodes seem slow, or some.
    const SLOW: [Clock; 4] = [Clock::Slow, Clock::Random(1), Clock::Random(2), Clock::Random(3)];

    /// Values and counts of searches, one line each. The tables are so small that entries are replaced.
    fn counts<G, E>(game: &G, evaluator: E, depth: u32, all: &[Options]) -> Vec<String>
    where
        G: Game<Position = u32> + Clone,
        E: Evaluator<G> + Copy,
    {
        let count = |options: &Options| {
            let table = LocklessTable::with_buckets(256).expect("a small table");
            let searcher = Searcher::new(game.clone(), evaluator, table).with_options(options.clone());
            let (root, limits) = (0, Limits::depth(depth));
            let result = if options.threads == 1 {
                searcher.request(&root).limits(limits.clone()).search()
            } else {
                let simulation = Simulation { costs: CostModel::UNIT, seed: 1 };
                searcher.request(&root).limits(limits.clone()).simulate(&simulation).map(|run| run.result)
            };
            let SearchResult { bounds, stats, chosen, .. } = result.expect("a search");
            format!("{bounds:?} {stats:?} {chosen:?} by {options:?}")
        };
        all.iter().map(count).collect()
    }

    /// Every algorithm with every table use and ordering that it allows, and values of every other option
    /// that a serial search reads.
    fn serial() -> Vec<Options> {
        let mut all = Vec::new();
        for &algorithm in Algorithm::ALL {
            let takes = |table_use| table_use == TableUse::All || !algorithm.needs_table();
            for &table_use in TableUse::ALL.iter().filter(|&&table_use| takes(table_use)) {
                all.push(Options { algorithm, table_use, ..Options::default() });
                all.push(Options { table_use, ..Options::paper(algorithm) });
                all.push(Options { leaf_collapse: false, ..all[all.len() - 2].clone() });
            }
        }
        let ordered = |&ordering: &MoveOrdering| Options { ordering, ..Options::default() };
        all.extend(MoveOrdering::ALL.iter().map(ordered));
        all.extend((0..=6).flat_map(|depth| {
            let successors = Options { successor_probing_depth: depth, ..Options::default() };
            [successors, Options { move_probing_depth: Some(depth), ..Options::default() }]
        }));
        all.extend((0..=3).flat_map(|number: u8| {
            let probes = Options { probing_factor: Some(number.into()), ..Options::default() };
            [probes, Options { table_depth: Some(number), ..Options::default() }]
        }));
        let remembers = |it| Options { remember_evaluations: Some(it), ..Options::default() };
        all.extend([true, false].map(remembers));
        all.push(Options { static_bounds: false, ..Options::default() });
        all
    }

    /// In lanes of one thread, and with every method on virtual processors.
    fn of_many_workers() -> Vec<Options> {
        let in_lanes = |&sibling_batch: &SiblingBatch| Options {
            lanes: LaneOptions { count: Some(5), batch: Some(3), sibling_batch, ..LaneOptions::default() },
            ..Options::default()
        };
        let methods = Method::ALL.iter().filter(|method| !method.uses_whole_pool());
        let simulated = methods.flat_map(|&method| {
            [(2, None), (16, Some(0))].map(|(threads, split_size)| {
                let split_depth = split_size.map(|_| 3);
                Options {
                    method,
                    threads,
                    splits: Splits { size: split_size, depth: split_depth, ..Splits::default() },
                    ..Options::default()
                }
            })
        });
        SiblingBatch::ALL.iter().map(in_lanes).chain(simulated).collect()
    }

    /// With many ties and few; with rewards and plies; with evaluators that ignore outcomes always, sometimes
    /// or never, or have bounds; with outcomes that may end the game or never do.
    fn all_counts() -> Vec<String> {
        let mut lines = Vec::new();
        for limit in [4, 1 << 20] {
            let shape = Shape { groups: 200, limit, reward: limit, ..Shape::default() };
            let endless = Graph::<false>(Shape { terminal_percent: 0, ..shape.clone() });
            let (graph, plied) = (Graph::<false>(shape.clone()), Graph::<true, true>(shape));
            let (random, blind) = (HashRandom::new(1, limit), Blind::<false> { seed: 2, limit, cost: 30 });
            let sometimes = Blind::<true> { seed: 3, limit, cost: 30 };
            let telling = Blind::<false, true> { seed: 4, limit, cost: 30 };
            lines.extend(counts(&graph, random, 9, &serial()));
            lines.extend(counts(&graph, blind, 9, &serial()));
            lines.extend(counts(&graph, sometimes, 9, &serial()));
            lines.extend(counts(&endless, sometimes, 9, &serial()));
            lines.extend(counts(&plied, random, 8, &serial()));
            lines.extend(counts(&plied, telling, 8, &serial()));
            lines.extend(counts(&graph, blind, 9, &of_many_workers()));
        }
        lines
    }

    #[test]
    fn searches_count_the_same_however_slow_nodes_seem() {
        let (expected, looks) = with_clock(Clock::Still, all_counts);
        for clock in SLOW {
            let (found, slow_looks) = with_clock(clock, all_counts);
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found, expected, "{clock:?}");
            }
            assert!(slow_looks > 4 * looks, "{slow_looks} and {looks} looks: nothing seemed slow, {clock:?}");
        }
    }

    /// Searches long enough to tune themselves, with several costs of evaluations.
    #[test]
    fn searches_choose_the_same_however_slow_nodes_seem() {
        let graph = Graph::<false>(Shape { groups: 75, terminal_percent: 2, ..Shape::default() });
        let all = [1, 3].map(|threads| Options { threads, ..Options::default() });
        for cost in [1, 3_000] {
            let evaluator = Blind::<true> { seed: 1, limit: 1 << 20, cost };
            let search = || counts(&graph, evaluator, 10, &all);
            let (expected, _) = with_clock(Clock::Still, search);
            let begins = "split_depth: Some(7), split_size: Some(400)";
            let chose = |line: &String| line.contains("split_size: Some(") && !line.contains(begins);
            assert!(expected.iter().any(chose), "nothing was chosen: {expected:?}");
            for clock in SLOW {
                assert_eq!(with_clock(clock, search).0, expected, "{clock:?}");
            }
        }
    }
}
