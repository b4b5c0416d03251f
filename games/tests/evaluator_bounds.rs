//! The bounds that evaluators tell of what searches find with them: against searches that do without, at
//! positions of the suites and of random plays from them, races and bear-offs among them; and what searches
//! with and without them find and visit.

use crate::erased::Erased;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::NodeKind;
use starsplit::score::Bounds;
use starsplit::search::{Limits, Options, SearchResult};
use starsplit_games::backgammon::{self, Backgammon};
use starsplit_games::twenty48::{self, Twenty48};
use starsplit_games::{GameInfo, KnownGame};

/// The outcome of a search, as far as it matters here.
type Found<G> = SearchResult<<G as starsplit::game::Game>::Move, <G as starsplit::game::Game>::Outcome>;

fn search<G: KnownGame, E: Evaluator<G> + Clone>(
    game: &G,
    evaluator: &E,
    position: &G::Position,
    depth: u32,
    options: Options,
) -> Found<G> {
    let builder = Searcher::builder(game.clone(), evaluator.clone()).options(options).table_mib(1);
    let found = builder.limits(Limits::depth(depth)).build().unwrap().search(position).unwrap();
    assert_eq!(found.stats.table.contradictions, 0);
    found
}

/// Positions met in random plays from these, this many plies on.
fn later<G: KnownGame>(game: &G, starts: &[G::Position], plies: u32, seed: u64) -> Vec<G::Position> {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut below = |end: usize| ((u64::from(random.next_u32()) * end as u64) >> 32) as usize;
    let mut met = Vec::new();
    for start in starts {
        let mut position = start.clone();
        for _ in 0..plies {
            let mut next = Vec::new();
            match game.kind(&position) {
                NodeKind::Terminal => break,
                NodeKind::Decision => game.moves(&position, |mv| next.push(game.play(&position, mv))),
                NodeKind::Chance => game.outcomes(&position, |it, _| next.push(game.resolve(&position, it))),
            }
            position = next.swap_remove(below(next.len()));
        }
        if game.kind(&position) != NodeKind::Terminal {
            met.push(position);
        }
    }
    met
}

/// The positions of the game's suite, as far as there are such under the rules.
fn suite<G: KnownGame>(game: &G, info: &GameInfo) -> Vec<G::Position> {
    let lines = info.suites[0].1.lines();
    lines.filter_map(|line| game.parse(line).ok()).collect()
}

/// What a comparison has met.
#[derive(Default, Debug)]
struct Met {
    bounds: u32,
    exact: u32,
    /// Of one side or both.
    telling: u32,
}

/// Compares bounds with what searches find without them, and that with what searches find with them.
fn compare<G: KnownGame, const IS_BLIND: bool>(
    game: &G,
    name: &str,
    positions: &[G::Position],
    deepest: u32,
) -> Met {
    let evaluator = Erased::<G, IS_BLIND, true>::named(game, name, 0).unwrap();
    let (mut met, unknown) = (Met::default(), Bounds::unknown(game.facts().grid.limit()));
    for position in positions {
        for depth in 1..=deepest {
            let with = |static_bounds| {
                let options = Options { static_bounds, ..Options::default() };
                search(game, &evaluator, position, depth, options).bounds
            };
            let (value, at) = (with(false).lower, game.notation(position));
            assert_eq!(with(true), Bounds::exactly(value), "{at} to depth {depth}");
            let told = evaluator.bounds(game, position, depth as u8);
            assert!(told.lower <= value && value <= told.upper, "{at} to depth {depth}: {value}, {told:?}");
            met.bounds += 1;
            met.exact += u32::from(told.is_exact());
            met.telling += u32::from(told != unknown);
        }
    }
    println!("{} {name}: {met:?}", game.rules());
    met
}

const RULES_OF_2048: [&str; 9] = [
    "",
    "end=none",
    "score=target",
    "end=16,score=target",
    "size=2,end=32",
    "size=3,end=64,two=1,four=1",
    "size=4x2,end=none,two=0",
    "size=3x2,end=8,four=0",
    "size=2x3,end=1024,score=target",
];

#[test]
fn bounds_of_2048_hold() {
    for rules in RULES_OF_2048 {
        let game = Twenty48::open(&twenty48::INFO, rules).unwrap();
        let mut starts = suite(&game, &twenty48::INFO);
        starts.truncate(20);
        starts.extend(std::iter::repeat_n(game.initial(), 6));
        let mut positions = Vec::new();
        for plies in [0, 1, 2, 5, 20, 60] {
            positions.extend(later(&game, &starts, plies, 1));
        }
        for evaluator in ["rows", "constant"] {
            let met = compare::<_, false>(&game, evaluator, &positions, 5);
            assert!(met.telling * 2 >= met.bounds && met.exact * 14 >= met.bounds, "{rules}: {met:?}");
        }
    }
}

/// Races and bear-offs, and late contact.
const LATE: [&str; 16] = [
    "wN3dAQCA954DAA x -",
    "8N7OAAB43m0AAA x -",
    "tXsPAADc3RcAAA o -",
    "1AIAQDMDAAAAAA x -",
    "CwAAkAAAAAAAAA x -",
    "sOfgAVBoz4MHAA o -",
    "sOfgAWDYzoMHAA x -",
    "AADgvXd2dwcAAA o -",
    // Far ahead, with what the rules still allow at one, two and three points.
    "mxmAQ4PbAQAAAA x -",
    "mxmAQ4PbAQAAAA o -",
    "APiBH7BtAAAAAA x -",
    "APiBH7BtAAAAAA o -",
    "APgD/wDbAAAAAA x -",
    "APgD/wDbAAAAAA o -",
    "AAD+A3fbAAAAAA x -",
    "AAAAZwAAAAAAAA x -",
];

#[test]
fn bounds_of_backgammon_hold() {
    for info in [&backgammon::INFO, &backgammon::HYPER_INFO] {
        for rules in ["scoring=points", "scoring=winloss"] {
            let game = Backgammon::open(info, rules).unwrap();
            let mut starts = suite(&game, info);
            starts.truncate(16);
            starts.extend(LATE.iter().filter_map(|text| game.parse(text).ok()));
            let mut positions = Vec::new();
            for plies in [0, 1, 2, 9, 60, 150] {
                positions.extend(later(&game, &starts, plies, 2));
            }
            let pips = compare::<_, true>(&game, "pips", &positions, 4);
            assert!(
                pips.telling * 10 >= pips.bounds * 6 && pips.exact * 10 >= pips.bounds,
                "{rules}: {pips:?}"
            );
            let even = compare::<_, true>(&game, "constant", &positions, 4);
            assert!(even.exact * 2 >= even.bounds, "{rules}: {even:?}");
        }
    }
}

/// Counts what searches of positions visit without bounds and with them, on one thread and on two, which find
/// the same.
fn nodes<G: KnownGame, const IS_BLIND: bool>(
    game: &G,
    name: &str,
    positions: &[G::Position],
    depth: u32,
) -> [u64; 2] {
    let evaluator = Erased::<G, IS_BLIND, true>::named(game, name, 0).unwrap();
    let mut nodes = [0; 2];
    for position in positions {
        let with = |static_bounds, threads| {
            // Shares of windows save some of the same nodes.
            let window_shares = Some(false);
            let options = Options { static_bounds, window_shares, threads, ..Options::default() };
            search(game, &evaluator, position, depth, options)
        };
        let [without, with, by_two] = [with(false, 1), with(true, 1), with(true, 2)];
        assert_eq!([with.bounds, by_two.bounds], [without.bounds; 2], "{}", game.notation(position));
        nodes = [nodes[0] + without.stats.nodes.total(), nodes[1] + with.stats.nodes.total()];
    }
    nodes
}

#[test]
fn suites_have_the_same_values_by_fewer_nodes() {
    fn count<G: KnownGame, const IS_BLIND: bool>(
        info: &'static GameInfo,
        evaluator: &str,
        depth: u32,
        most: f64,
    ) {
        let game = G::open(info, info.default_rules).unwrap();
        let positions = suite(&game, info);
        assert_eq!(positions.len(), 50);
        let [without, with] = nodes::<G, IS_BLIND>(&game, evaluator, &positions, depth);
        let share = with as f64 / without as f64;
        println!("{} {evaluator}, {depth} plies: {with} of {without} nodes, {share:.3}", info.name);
        assert!(share <= most, "{}, {evaluator}: {share}", info.name);
    }
    count::<Twenty48, false>(&twenty48::INFO, "rows", 5, 0.06);
    count::<Twenty48, false>(&twenty48::INFO, "rows", 6, 0.66);
    count::<Twenty48, false>(&twenty48::INFO, "constant", 5, 0.06);
    count::<Backgammon, true>(&backgammon::INFO, "pips", 4, 0.07);
    // 0.06 before replies to outcomes were remembered, which save more without bounds.
    count::<Backgammon, true>(&backgammon::INFO, "pips", 5, 0.07);
    count::<Backgammon, true>(&backgammon::HYPER_INFO, "pips", 5, 0.05);
}
