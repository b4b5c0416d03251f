//! Every game through its door: suites that are read and made again, and one value by every algorithm and
//! method, with every table use and number of threads.

use starsplit::Pool;
use starsplit::score::Bounds;
use starsplit::search::{Algorithm, Limits, Method, Options, Splits, Stats, TableUse};
use starsplit::table::{LocklessTable, Table};
use starsplit_experiments::question::door::SearcherMaker;
use starsplit_experiments::question::doors;
use starsplit_experiments::question::suite::Suite;
use starsplit_games::EvaluatorInfo;
use starsplit_tables::AnyTable;
use std::collections::HashSet;
use std::time::Instant;

/// The numbers of threads.
const THREADS: [usize; 4] = [1, 2, 3, 8];

/// The suite of a game's own.
fn suite(name: &str) -> Suite {
    let name = if name == "dice" { "paper" } else { name };
    Suite::load(name, None).expect("every game has a suite of its name")
}

#[test]
fn every_game_has_a_suite_of_fifty_positions_that_are_written_as_they_are_read() {
    for info in doors::games().infos() {
        let suite = suite(info.name);
        let texts: HashSet<_> = suite.positions.iter().map(|entry| entry.text.clone()).collect();
        assert_eq!((suite.door.game(), suite.positions.len(), texts.len()), (info.name, 50, 50));
        assert_eq!(suite.door.rules(), info.default_rules);
        let names = |of: &[EvaluatorInfo]| of.iter().map(|info| info.name).collect::<Vec<_>>();
        assert_eq!(names(&suite.door.evaluators()), names(info.evaluators));
        for entry in &suite.positions {
            assert_eq!(suite.door.position(&entry.text).expect("a position").text, entry.text);
        }
        let initial = suite.door.initial();
        assert_eq!(suite.door.position(&initial.text).expect("the start").text, initial.text);
    }
}

#[test]
fn suites_are_made_again_by_their_commands() {
    for info in doors::games().infos().filter(|info| info.name != "dice") {
        let (_, text) = info.suites[0];
        let flag = |name: &str| {
            let mut words = text.split_whitespace().skip_while(|word| *word != name);
            words.nth(1).unwrap_or_else(|| panic!("{name} in the command of {}", info.name)).to_owned()
        };
        let door = doors::games().open(info, None).expect("default rules");
        let seed = flag("--seed").parse().expect("a seed");
        let made = door.self_play(&flag("--evaluator"), 50, seed).expect("an evaluator of the game");
        let made: Vec<_> = made.into_iter().map(|entry| entry.text).collect();
        let listed: Vec<_> = suite(info.name).positions.into_iter().map(|entry| entry.text).collect();
        assert_eq!(made, listed, "{}", info.name);
    }
}

#[test]
fn a_suite_of_self_play_follows_from_the_game() {
    let door =
        doors::games().open(doors::games().named("pig").expect("a game"), Some("target=20")).expect("rules");
    let [suite, again] = [(); 2].map(|()| Suite::self_played(&door).expect("a suite"));
    let texts: HashSet<_> = suite.positions.iter().map(|entry| &entry.text).collect();
    assert_eq!((suite.positions.len(), texts.len()), (20, 20));
    assert_eq!((suite.depth, &suite.fingerprint), (again.depth, &again.fingerprint));
    let depth = suite.depth.expect("a depth");
    let searcher = |table| {
        suite.door.evaluator(suite.door.default_evaluator(), 1).expect("its own").searcher(
            table,
            Options::default(),
            None,
        )
    };
    let table = AnyTable::of_mib(16).expect("a small table");
    let sizes = suite.positions.iter().map(|position| {
        table.clear(1);
        let found = searcher(&table).search(position, &Limits::depth(depth), &mut |_| {}).expect("a search");
        found.answer.stats.nodes.total()
    });
    let largest = sizes.max().expect("positions");
    // A limit of nodes ends a search at about so many.
    assert!((1_000..=600_000).contains(&largest), "to depth {depth}: {largest} nodes");
}

/// Searches of some positions of a game's suite to a depth, in many ways.
struct Ways {
    suite: Suite,
    maker: Box<dyn SearcherMaker>,
    depth: u32,
    /// The serial default's nodes.
    nodes: u64,
    searches: u64,
    split: u64,
}

/// Options of a search, and whether its table is the small one.
type Way = (Options, bool);

impl Ways {
    /// Every so-many-th position of the suite from the middle of the first so many on, so many plies less
    /// deep than the suite says.
    fn new(game: &str, step: usize, shallower: u32) -> Self {
        let mut suite = suite(game);
        suite.positions = suite.positions.into_iter().skip(step / 2).step_by(step).collect();
        let depth = suite.depth_or(None, 11) - shallower;
        let maker = suite.door.evaluator(suite.door.default_evaluator(), 1).expect("the default evaluator");
        Ways { suite, maker, depth, nodes: 0, searches: 0, split: 0 }
    }

    /// Asserts that every one of the ways for a position finds what the serial default finds.
    fn check(&mut self, pool: &Pool, ways: impl Fn(usize) -> Vec<Way>) {
        let (small, large) = (LocklessTable::with_buckets(7).map(AnyTable::from), AnyTable::of_mib(16));
        let (small, large) = (small.expect("a tiny table"), large.expect("a table"));
        for index in 0..self.suite.positions.len() {
            large.clear(1);
            let serial = self.search(index, Options::default(), &large, None);
            self.nodes += serial.1.nodes.total();
            for (options, is_small) in ways(index) {
                let table = if is_small { &small } else { &large };
                table.clear(1);
                let what = format!("{options:?}");
                let (bounds, stats) = self.search(index, options, table, Some(pool));
                let text = &self.suite.positions[index].text;
                assert_eq!(bounds, serial.0, "{text} to depth {} by {what}", self.depth);
                assert_eq!(stats.table.contradictions, 0, "{text} by {what}");
                self.split += stats.split.tasks;
                self.searches += 1;
            }
        }
    }

    fn search(
        &self,
        index: usize,
        options: Options,
        table: &AnyTable,
        pool: Option<&Pool>,
    ) -> (Bounds, Stats) {
        let searcher = self.maker.searcher(table, options, pool);
        let limits = Limits::depth(self.depth);
        let answer =
            searcher.search(&self.suite.positions[index], &limits, &mut |_| {}).expect("a search").answer;
        assert!(answer.bounds.is_exact() && answer.depth == self.depth);
        (answer.bounds, answer.stats)
    }
}

/// An algorithm with every table use, and by every method on every number of threads, each with both tables.
fn all_ways(algorithm: Algorithm) -> Vec<Way> {
    let of_threads = |method| THREADS.map(|threads| parallel(algorithm, method, (threads, 2)));
    let methods = Method::ALL.iter().flat_map(|&method| of_threads(method));
    let both = |options: Options| [(options.clone(), false), (options, true)];
    table_uses(algorithm).chain(methods).flat_map(both).collect()
}

/// An algorithm with every table use and by every method, threads and tables taken in turn: of eight
/// positions one after the other every method has each number of threads with each table once.
fn some_ways(algorithm: Algorithm, index: usize) -> Vec<Way> {
    let in_turn = |(number, &method): (usize, &Method)| {
        let threads = THREADS[(index + number) % THREADS.len()];
        (parallel(algorithm, method, (threads, 5)), (index / THREADS.len() + number) % 2 == 1)
    };
    let uses = table_uses(algorithm).enumerate();
    let uses = uses.map(|(number, options)| (options, (index + number) % 2 == 1));
    uses.chain(Method::ALL.iter().enumerate().map(in_turn)).collect()
}

/// The algorithm on one thread with every table use that it knows.
fn table_uses(algorithm: Algorithm) -> impl Iterator<Item = Options> {
    let uses =
        TableUse::ALL.iter().map(move |&table_use| Options { algorithm, table_use, ..Options::default() });
    uses.filter(|options| options.check().is_ok())
}

/// The algorithm by a method on so many threads that splits whatever is at least so deep.
fn parallel(algorithm: Algorithm, method: Method, (threads, split_depth): (usize, u8)) -> Options {
    let table_use = Options::paper(algorithm).table_use;
    let eager = Options {
        splits: Splits { alone: true, depth: Some(split_depth), size: Some(0), ..Splits::default() },
        ..Options::default()
    };
    Options { algorithm, table_use, method, threads, ..eager }
}

#[test]
fn every_way_finds_one_value_in_every_game() {
    let pool = Pool::new(8).expect("eight threads");
    for info in doors::games().infos() {
        let mut ways = Ways::new(info.name, 50, 2);
        ways.check(&pool, |_| Algorithm::ALL.iter().flat_map(|&algorithm| all_ways(algorithm)).collect());
        assert!(ways.searches > 200 && ways.split > 50, "{}: {} tasks", info.name, ways.split);
    }
}

/// What takes too long for every day: a whole suite at its own depth, by hand or by `.ci/long`.
fn check_whole_suite(game: &str) {
    let pool = Pool::new(8).expect("eight threads");
    for &algorithm in Algorithm::ALL {
        // Without chance Expectimax is minimax, which prunes nothing: 60 moves, five plies deep.
        let is_minimax = game == "abalone" && algorithm == Algorithm::Expectimax;
        let began = Instant::now();
        let mut ways = Ways::new(game, 1, u32::from(is_minimax));
        ways.check(&pool, |index| some_ways(algorithm, index));
        let mean = ways.nodes / ways.suite.positions.len() as u64;
        println!(
            "{game}: {} searches by {algorithm} to depth {}, where the serial default takes {mean} nodes: \
             one value; {} s",
            ways.searches,
            ways.depth,
            began.elapsed().as_secs()
        );
        assert!(is_minimax || mean > 100_000, "{game}: {mean} nodes a position");
    }
}

/// A test of its own for each game's whole suite.
macro_rules! whole_suites {
    ($($test:ident $game:literal),*) => {
        /// The games that have such a test.
        const WHOLE_SUITES: &[&str] = &[$($game),*];
        $(
            #[test]
            #[ignore = "takes minutes to a quarter of an hour"]
            fn $test() {
                check_whole_suite($game);
            }
        )*
    };
}

whole_suites! {
    one_value_on_the_whole_suite_of_dice "dice",
    one_value_on_the_whole_suite_of_pig "pig",
    one_value_on_the_whole_suite_of_einstein "einstein",
    one_value_on_the_whole_suite_of_2048 "2048",
    one_value_on_the_whole_suite_of_abalone "abalone",
    one_value_on_the_whole_suite_of_backgammon "backgammon",
    one_value_on_the_whole_suite_of_hyper_backgammon "hyper-backgammon"
}

#[test]
fn every_game_has_a_test_of_its_whole_suite() {
    let mut names: Vec<_> = doors::games().infos().map(|info| info.name).collect();
    names.sort_unstable();
    let mut tested = WHOLE_SUITES.to_vec();
    tested.sort_unstable();
    assert_eq!(tested, names);
}
