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
#[allow(dead_code, reason = "the tests below need two features")]
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

#[cfg(all(test, feature = "lanes", feature = "simulate", not(loom)))]
mod tests {
    use super::jumping::{Clock, with_clock};
    use crate::Searcher;
    use crate::evaluator::{Evaluator, HashRandom};
    use crate::game::Game;
    use crate::search::{
        Algorithm, Company, Limits, Method, MoveOrdering, OptionRole, Options, SearchResult, TableUse,
    };
    use crate::simulate::{CostModel, Simulation};
    use crate::table::LocklessTable;
    use crate::tests::{Blind, Graph, Shape};

    /// All nodes seem slow, or some.
    const SLOW: [Clock; 4] = [Clock::Slow, Clock::Random(1), Clock::Random(2), Clock::Random(3)];

    /// What searches find and count, a line to each; the tables are so small that some of what is stored
    /// gives way.
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
                searcher.search_within(&root, &limits)
            } else {
                let simulation = Simulation { costs: CostModel::UNIT, seed: 1, device: None };
                searcher.simulate(&root, &limits, &simulation).map(|run| run.result)
            };
            let SearchResult { bounds, stats, chosen, .. } = result.expect("a search");
            format!("{bounds:?} {stats:?} {chosen:?} by {options:?}")
        };
        all.iter().map(count).collect()
    }

    /// Every algorithm with every table use that it takes, every ordering, and every value that an option
    /// names to be tried.
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
        for declared in Options::DECLARED.iter().filter(|declared| declared.role == OptionRole::Tuning) {
            all.extend((0..declared.trials()).map(|trial| {
                let mut options = Options::default();
                declared.try_nth(&mut options, trial);
                options
            }));
        }
        all
    }

    /// In lanes of one thread, and by every method on virtual processors.
    fn of_many_workers() -> Vec<Options> {
        let in_lanes =
            |&company: &Company| Options { lanes: Some(5), batch: Some(3), company, ..Options::default() };
        let methods = Method::ALL.iter().filter(|method| method.properties().can_be_simulated);
        let simulated = methods.flat_map(|&method| {
            [(2, None), (16, Some(0))].map(|(threads, split_size)| {
                let split_depth = split_size.map(|_| 3);
                Options { method, threads, split_size, split_depth, ..Options::default() }
            })
        });
        Company::ALL.iter().map(in_lanes).chain(simulated).collect()
    }

    /// With ties and with hardly any; with rewards and plies; with evaluators that ignore outcomes,
    /// everywhere or at times, or know bounds; where outcomes end the game and where they never do.
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

    /// Searches that last until they choose for themselves, by what evaluations cost.
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
