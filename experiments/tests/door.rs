//! A game of its own behind a door of its own: random graphs, which the experiments know nothing of, in a
//! contest.

use crate::common::{Scratch, samples};
use anyhow::Context;
use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::game::{Game, NodeKind, Texts};
use starsplit::search::{Algorithm, Limits, Method, Options, RootRanking, Splits, StopFlag};
use starsplit::table::Table;
use starsplit_experiments::question::algorithm::usual_options;
use starsplit_experiments::question::door::{Door, Entry, SearcherMaker};
use starsplit_experiments::question::suite::Suite;
use starsplit_experiments::question::typed::Typed;
use starsplit_experiments::records::flags::Opened;
use starsplit_experiments::records::meta::{RANDOM_GRAPH, RunSettings, Settings};
use starsplit_experiments::records::writer::Records;
use starsplit_experiments::runner::contender::{AtOnce, Contender, in_parallel};
use starsplit_experiments::runner::contest::Contest;
use starsplit_experiments::runner::pinning::Pinning;
use starsplit_experiments::runner::pools::Pools;
use starsplit_games::perft::perft;
use starsplit_games::{EvaluatorInfo, GameInfo, Invalid};
use starsplit_tables::AnyTable;
use starsplit_testkit::{GraphPosition, GraphShape, RandomGraph};
use std::sync::Arc;

/// A random graph, whose positions are written as their numbers.
#[derive(Clone, Debug)]
struct Graphs(RandomGraph);

const INFO: GameInfo = GameInfo {
    name: RANDOM_GRAPH,
    default_rules: "",
    rules_help: "none",
    notation_help: "the position's number",
    moves_help: "the move's number",
    evaluators: &[EvaluatorInfo {
        name: "hash-random",
        about: "drawn from the position's hash and the seed",
    }],
    suites: &[],
};

fn node(position: &Entry) -> anyhow::Result<&GraphPosition> {
    position.position().context("a position of the graph")
}

impl Graphs {
    fn entry(position: GraphPosition) -> Entry {
        Entry::new(position.index.to_string(), position)
    }
}

impl Door for Graphs {
    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn rules(&self) -> String {
        format!("positions={}", self.0.positions().count())
    }

    fn initial(&self) -> Entry {
        Graphs::entry(self.0.start())
    }

    fn position(&self, text: &str) -> Result<Entry, Invalid> {
        let found = self.0.positions().find(|position| position.index.to_string() == text);
        found.map(Graphs::entry).ok_or_else(|| Invalid::new("position", text, "one of the graph's"))
    }

    fn full_depth(&self, position: &Entry) -> anyhow::Result<Option<u32>> {
        Ok(self.0.full_depth(node(position)?))
    }

    fn perft(
        &self,
        position: &Entry,
        depth: u32,
        mut goes_on: &mut dyn FnMut() -> bool,
    ) -> anyhow::Result<Option<u64>> {
        Ok(perft(&self.0, node(position)?, depth, &mut goes_on))
    }

    fn self_play(&self, _: &str, _: usize, _: u64) -> Result<Vec<Entry>, Invalid> {
        Ok(Vec::new())
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        INFO.evaluators.to_vec()
    }

    fn evaluator(&self, name: &str, seed: u64) -> Result<Box<dyn SearcherMaker>, Invalid> {
        if name != self.default_evaluator() {
            return Err(Invalid::new("evaluator", name, "hash-random"));
        }
        let evaluator = HashRandom::new(seed, self.0.facts().grid.limit());
        Ok(Box::new(Typed::<_, _> { game: self.0.clone(), evaluator, caller_stack: None }))
    }
}

const DEPTH: u32 = 7;

/// Positions of a graph that are worth a search, five of either kind.
fn suite() -> Suite {
    let graph = RandomGraph::new(&GraphShape { positions: 60, ..GraphShape::default() }, 5).unwrap();
    let inner = &graph;
    let five = |kind| inner.positions().filter(move |position| inner.kind(position) == kind).take(5);
    let positions = five(NodeKind::Chance).chain(five(NodeKind::Decision)).map(Graphs::entry).collect();
    let fingerprint = String::from("of a random graph");
    Suite { name: "graph".to_owned(), door: Arc::new(Graphs(graph)), depth: None, positions, fingerprint }
}

#[test]
fn a_contest_runs_through_the_door_of_another_game() {
    let scratch = Scratch::new();
    let suite = suite();
    let maker = suite.door.evaluator(suite.door.default_evaluator(), 3).unwrap();
    let tables = [1, 1].map(|mib| AnyTable::of_mib(mib).unwrap());
    let pools = Pools::new(&[(Method::Both, 2)], &Pinning::off()).unwrap();
    let mut contenders: Vec<_> = Algorithm::ALL
        .iter()
        .map(|&algorithm| {
            Contender::new("serial", maker.searcher(&tables[0], usual_options(algorithm), None))
        })
        .collect();
    let eager = Options {
        splits: Splits { depth: Some(1), size: Some(0), ..Splits::default() },
        ..Options::default()
    };
    let options = in_parallel(eager.clone(), Method::Both, 2);
    let parallel = maker.searcher(&tables[0], options, pools.get(Method::Both, 2));
    contenders.push(Contender::new("both", parallel));
    // Two copies at once, as for a ceiling.
    let [one, other] = tables.each_ref().map(|table| maker.searcher(table, eager.clone(), None));
    contenders.push(Contender { beside: vec![other], ..Contender::new("ceiling", one) });
    // And the same until the first of them ends.
    let [one, other] = tables.each_ref().map(|table| maker.searcher(table, eager.clone(), None));
    let at_once = AtOnce::UntilTheFirst(pools.get(Method::Both, 2).unwrap().clone());
    contenders.push(Contender { beside: vec![other], at_once, ..Contender::new("matched-ceiling", one) });
    let settings = Settings::new(&suite, DEPTH, "hash-random", (1, 3), &eager);
    let out = scratch.path().join("out");
    let settings = RunSettings::from(&settings);
    let records = Records::create(Some(&out), ("door", suite.door.game()), settings, None).unwrap();
    let (stop, pinning) = (StopFlag::new(), &Pinning::off());
    let contest = Contest {
        experiment: "door",
        suite: &suite,
        places: (0..suite.positions.len()).collect(),
        depth: DEPTH,
        repeat: 2,
        expected: &[],
        pinning,
        stop: &stop,
    };
    let found = contest.run(&contenders, Opened::New(records)).unwrap();
    assert!(!found.stopped && found.verdicts.all_equal(), "{:?}", found.verdicts.differences());
    let samples = samples(&out);
    assert_eq!(samples.len(), suite.positions.len() * 2 * (contenders.len() + 2));
    assert!(samples.iter().all(|sample| sample["error"].is_null()));
    assert!(samples.iter().any(|sample| sample["method"] == "both" && sample["nodes"].as_u64() > Some(100)));
}

#[test]
fn what_a_search_says_is_in_the_games_own_words() {
    let suite = suite();
    let graph = RandomGraph::new(&GraphShape { positions: 60, ..GraphShape::default() }, 5).unwrap();
    let maker = suite.door.evaluator("hash-random", 3).unwrap();
    let table = AnyTable::of_mib(1).unwrap();
    let options = Options { root_ranking: RootRanking::All, ..Options::default() };
    let typed = Searcher::new(graph.clone(), HashRandom::new(3, graph.facts().grid.limit()), &table);
    let typed = typed.with_options(options.clone());
    let searcher = maker.searcher(&table, options, None);
    let mut ranked = 0;
    for entry in &suite.positions {
        let root = node(entry).unwrap();
        searcher.table().clear(1);
        let mut depths = Vec::new();
        let found = searcher.search(entry, &Limits::depth(DEPTH), &mut |depth| depths.push(depth)).unwrap();
        table.clear(1);
        let expected = typed.request(root).limits(Limits::depth(DEPTH)).search().unwrap();
        let words = |mv| graph.move_text(root, mv);
        assert_eq!((found.answer.bounds, found.answer.stats), (expected.bounds, expected.stats));
        assert_eq!(found.answer.best_move, expected.best_move.map(words));
        assert_eq!(found.answer.pv.len(), expected.pv.len());
        let moves: Vec<_> = expected.root_moves.iter().map(|ranked| words(ranked.mv)).collect();
        assert_eq!(found.answer.root_moves.iter().map(|ranked| ranked.mv.clone()).collect::<Vec<_>>(), moves);
        assert_eq!(depths.len(), expected.iterations.len());
        ranked += moves.len();
    }
    assert!(ranked > 0, "some roots have moves");
}

#[test]
fn a_position_of_another_game_is_an_error() {
    let suite = suite();
    let table = AnyTable::of_mib(1).unwrap();
    let maker = suite.door.evaluator("hash-random", 3).unwrap();
    let searcher = maker.searcher(&table, Options::default(), None);
    let stranger = Entry::new("e4".to_owned(), "e4");
    let error = searcher.search(&stranger, &Limits::depth(3), &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("\"e4\" is of another game"), "{error}");
}
