//! The searchers of the readings beside the library's.

use crate::readings::brute;
use crate::readings::form::{BASE, Counts, DecisionUse, Form, NodeCount, Root};
use crate::readings::game::{Die, ReadDice};
use crate::readings::list::READINGS;
use crate::readings::search::{self, Iteration, Memory};
use starsplit::Searcher;
use starsplit::evaluator::{Evaluator, HashRandom};
use starsplit::game::{Game, Player};
use starsplit::score::Score;
use starsplit::search::{Algorithm, Limits, Options, StopFlag, TableUse};
use starsplit::table::NoTable;
use starsplit_games::Delay;
use starsplit_games::dice::{Dice, FullLine, INFO, Network, Position, RunCount};

/// Of the suite `paper`, by their lines: an opening, one from the middle, and two endgames.
const LINES: [usize; 4] = [8, 30, 48, 52];

fn game(die: Die, full_line: FullLine) -> (ReadDice, Vec<Position>) {
    let game = ReadDice::new(die, full_line).unwrap();
    let (_, suite) = INFO.suites.iter().find(|(name, _)| *name == "paper").unwrap();
    let lines: Vec<_> = suite.lines().collect();
    let positions = LINES.map(|line| game.dice.parse(lines[line]).unwrap());
    (game, positions.to_vec())
}

/// As [`brute::expectimax`], which nobody stops.
fn expectimax<E: Evaluator<Dice>>(
    game: &ReadDice,
    evaluator: &E,
    position: &Position,
    (depth, step): (u8, u8),
) -> Vec<Iteration> {
    from(Root::Chance, game, evaluator, position, (depth, step))
}

/// The same from this root.
fn from<E: Evaluator<Dice>>(
    root: Root,
    game: &ReadDice,
    evaluator: &E,
    position: &Position,
    (depth, step): (u8, u8),
) -> Vec<Iteration> {
    brute::expectimax(game, evaluator, position, (depth, step, root), &StopFlag::new()).unwrap()
}

/// As [`search::search`], which nobody stops.
fn search<E: Evaluator<Dice>>(
    form: &Form,
    game: &ReadDice,
    evaluator: &E,
    position: (&Position, u8),
    memory: &mut Memory,
) -> Vec<Iteration> {
    let evaluator = (evaluator, Delay::NONE);
    search::search(form, game, evaluator, position, memory, &StopFlag::new()).unwrap().iterations
}

fn scores(iterations: &[Iteration]) -> Vec<(u8, Score)> {
    iterations.iter().map(|iteration| (iteration.depth, iteration.score)).collect()
}

#[test]
fn expectimax_is_the_library_s_to_every_depth() {
    for full_line in [FullLine::Reroll, FullLine::Pass] {
        let (game, positions) = game(Die::Own, full_line);
        let options =
            Options { leaf_collapse: false, static_bounds: false, ..Options::paper(Algorithm::Expectimax) };
        let searcher = Searcher::new(game.dice.clone(), RunCount, NoTable).with_options(options);
        for position in &positions {
            let found = expectimax(&game, &RunCount, position, (5, 1));
            for depth in 1..=5 {
                let library = searcher.search_within(position, &Limits::depth(u32::from(depth))).unwrap();
                assert_eq!(found[usize::from(depth) - 1].score, library.bounds.lower, "depth {depth}");
                assert!(library.bounds.is_exact());
                let mine = expectimax(&game, &RunCount, position, (depth, 2));
                let nodes = NodeCount::All.of(mine.last().unwrap().counts, Default::default());
                assert_eq!(nodes, library.stats.nodes.total(), "depth {depth}, {full_line:?}");
            }
        }
    }
}

#[test]
fn every_sound_reading_finds_expectimax_s_value_to_every_depth() {
    let mut memory = Memory::default();
    for reading in READINGS.iter().filter(|reading| reading.is_sound()) {
        for form in [reading.star1(), reading.star2(), reading.star2_tt()] {
            // Small tables lose more, and take no time to make.
            let small = Form { entries_log2: form.entries_log2.min(14), ..form };
            let (game, positions) = game(form.die, form.full_line);
            for position in &positions {
                let random = HashRandom::new(7, game.dice.facts().grid.limit());
                let expected = from(form.root, &game, &random, position, (6, form.step));
                let found = search(&small, &game, &random, (position, 6), &mut memory);
                assert_eq!(scores(&found), scores(&expected), "{}: {small:?}", reading.name);
            }
        }
    }
}

#[test]
fn deeper_entries_change_values_where_a_full_line_passes() {
    let named = |name| READINGS.iter().find(|reading| reading.name == name).unwrap();
    let differs = |form: Form| {
        let (game, positions) = game(form.die, form.full_line);
        let mut memory = Memory::default();
        let form = Form { entries_log2: 14, ..form };
        positions.iter().any(|position| {
            let random = HashRandom::new(7, game.dice.facts().grid.limit());
            let expected = expectimax(&game, &random, position, (9, form.step));
            let found = search(&form, &game, &random, (position, 9), &mut memory);
            scores(&found) != scores(&expected)
        })
    };
    assert!(differs(named("cuts-pass-at-least").star2_tt()));
    assert!(!differs(named("cuts-pass").star2_tt()));
}

/// The searches are the library's own where these have no table and the same order of moves.
#[test]
fn star1_without_a_table_visits_about_what_the_library_visits() {
    let (game, positions) = game(Die::Own, FullLine::Reroll);
    let network = Network::trained(&game.dice).unwrap();
    let form = Form { decision: DecisionUse::Off, probing_factor: 0, ..BASE };
    let options = Options {
        table_use: TableUse::None,
        leaf_collapse: false,
        static_bounds: false,
        ..Options::paper(Algorithm::Star1)
    };
    let searcher = Searcher::new(game.dice.clone(), network.clone(), NoTable).with_options(options);
    for position in &positions[1..] {
        let library = searcher.search_within(position, &Limits::depth(7)).unwrap().stats.nodes.total();
        let found = search(&form, &game, &network, (position, 7), &mut Memory::default());
        let nodes = NodeCount::All.of(found.last().unwrap().counts, Default::default());
        let ratio = nodes as f64 / library as f64;
        assert!((0.95..1.05).contains(&ratio), "{nodes} and {library}");
    }
}

#[test]
fn a_search_that_is_stopped_has_no_answer() {
    let (game, positions) = game(Die::Own, FullLine::Reroll);
    let stop = StopFlag::new();
    stop.stop();
    let (form, memory, random) = (READINGS[0].star2_tt(), &mut Memory::default(), (&RunCount, Delay::NONE));
    assert!(search::search(&form, &game, random, (&positions[0], 11), memory, &stop).is_none());
    let depths = (11, 2, Root::Chance);
    assert_eq!(brute::expectimax(&game, &RunCount, &positions[0], depths, &stop), None);
    assert_eq!(brute::with_table(&game, &positions[0], depths, 0, &stop), None);
}

#[test]
fn the_same_search_visits_the_same_nodes_whatever_its_memory_held() {
    let (game, positions) = game(Die::Own, FullLine::Reroll);
    let mut memory = Memory::default();
    let form = Form { entries_log2: 12, ..READINGS[0].star2_tt() };
    let run = |memory: &mut Memory| search(&form, &game, &RunCount, (&positions[1], 7), memory);
    let first = run(&mut memory);
    assert_eq!(run(&mut memory), first);
    assert_eq!(run(&mut Memory::default()), first);
}

#[test]
fn a_search_after_a_roll_has_the_values_of_the_library_s() {
    let (game, positions) = game(Die::Own, FullLine::Reroll);
    let options =
        Options { leaf_collapse: false, static_bounds: false, ..Options::paper(Algorithm::Expectimax) };
    let searcher = Searcher::new(game.dice.clone(), RunCount, NoTable).with_options(options);
    for position in &positions {
        let face = usize::from(game.first_roll(position).0);
        let letter = if position.to_act() == Player::Max { 'r' } else { 'c' };
        let text = game.dice.notation(position).replace(" -", &format!(" {letter}{}", face + 1));
        let rolled = game.dice.parse(&text).unwrap();
        let library = searcher.search_within(&rolled, &Limits::depth(5)).unwrap();
        let found = from(Root::Decision, &game, &RunCount, position, (5, 5));
        assert_eq!(found.last().unwrap().score, library.bounds.lower);
    }
}

/// From no depth on, it is what a search without windows visits; from beyond the root on, nothing is found.
#[test]
fn expectimax_with_a_table_visits_less() {
    let (game, positions) = game(Die::Own, FullLine::Reroll);
    for root in [Root::Chance, Root::Decision] {
        for position in &positions {
            let counts = |from| {
                let found = brute::with_table(&game, position, (7, 2, root), from, &StopFlag::new());
                found.unwrap()
            };
            let plain: Vec<Counts> =
                from(root, &game, &RunCount, position, (7, 2)).iter().map(|one| one.counts).collect();
            assert_eq!(counts(8), plain);
            let nodes = |counts: Vec<Counts>| NodeCount::All.of(*counts.last().unwrap(), Counts::default());
            let (all, some, none) = (nodes(counts(0)), nodes(counts(4)), nodes(plain.clone()));
            assert!(all <= some && some <= none, "{all} {some} {none}");
        }
    }
}
