//! The searchers of the readings beside the library's.

use crate::form::{Counts, DecisionUse, Form, NodeCount};
use crate::game::ReadDice;
use crate::list::{Reading, readings};
use crate::search::{self, Iteration};
use crate::sets;
use crate::table::Table;
use starsplit::Searcher;
use starsplit::evaluator::{Evaluator, HashRandom};
use starsplit::game::{Game, Player};
use starsplit::score::Score;
use starsplit::search::{Algorithm, Limits, Options, StopFlag, TableUse};
use starsplit::table::NoTable;
use starsplit_games::Delay;
use starsplit_games::dice::{Dice, FullLine, INFO, Network, Position, Rules, RunCount};

/// Of the suite `paper`, by their lines: an opening, one from the middle, and two endgames.
const LINES: [usize; 4] = [8, 30, 48, 52];

fn game(form: &Form) -> (ReadDice, Vec<Position>) {
    let game = ReadDice::new(form.is_in_rows, form.passes).unwrap();
    let (_, suite) = INFO.suites.iter().find(|(name, _)| *name == "paper").unwrap();
    let lines: Vec<_> = suite.lines().collect();
    let positions = LINES.map(|line| game.dice.parse(lines[line]).unwrap());
    (game, positions.to_vec())
}

/// As [`search::search_with`], which nobody stops.
fn search<E: Evaluator<Dice>>(
    form: &Form,
    game: &ReadDice,
    evaluator: &E,
    position: (&Position, u8),
    table: &mut Table,
) -> Vec<Iteration> {
    let evaluator = (evaluator, Delay::NONE);
    search::search_with(form, game, evaluator, position, table, &StopFlag::new()).unwrap().iterations
}

/// What Expectimax finds under the same reading.
fn expectimax<E: Evaluator<Dice>>(
    form: &Form,
    game: &ReadDice,
    evaluator: &E,
    position: (&Position, u8),
) -> Vec<Iteration> {
    search(&form.of(Algorithm::Expectimax), game, evaluator, position, &mut Table::default())
}

fn scores(iterations: &[Iteration]) -> Vec<Score> {
    iterations.iter().map(|iteration| iteration.score).collect()
}

#[test]
fn expectimax_is_the_library_s_to_every_depth() {
    for passes in [false, true] {
        let form = Form { passes, ..Form::default() };
        let (game, positions) = game(&form);
        let options =
            Options { leaf_collapse: false, static_bounds: false, ..Options::paper(Algorithm::Expectimax) };
        let searcher = Searcher::new(game.dice.clone(), RunCount, NoTable).with_options(options);
        for position in &positions {
            let by_plies = Form { goes_by_plies: true, ..form };
            let found = expectimax(&by_plies, &game, &RunCount, (position, 5));
            for depth in 1..=5 {
                let library =
                    searcher.request(position).limits(Limits::depth(u32::from(depth))).search().unwrap();
                assert_eq!(found[usize::from(depth) - 1].score, library.bounds.lower, "depth {depth}");
                assert!(library.bounds.is_exact());
                let mine = expectimax(&form, &game, &RunCount, (position, depth));
                let nodes = NodeCount::All.of(mine.last().unwrap().counts, Default::default());
                assert_eq!(nodes, library.stats.nodes.total(), "depth {depth}, {passes}");
            }
        }
    }
}

#[test]
fn every_sound_reading_finds_expectimax_s_value_to_every_depth() {
    let mut table = Table::default();
    for reading in readings().iter().filter(|reading| reading.is_sound()) {
        for form in reading.forms() {
            // Small tables lose more, and take no time to make.
            let small =
                Form { entries_log2: Some(form.entries_log2.map_or(14, |log2| log2.min(14))), ..form };
            let (game, positions) = game(&form);
            for position in &positions {
                let random = HashRandom::new(7, game.dice.facts().grid.limit());
                let plain = Form { has_expectimax_table: false, ..form };
                let expected = expectimax(&plain, &game, &random, (position, 6));
                let found = search(&small, &game, &random, (position, 6), &mut table);
                assert_eq!(scores(&found), scores(&expected), "{}: {small:?}", reading.name);
            }
        }
    }
}

#[test]
fn deeper_entries_change_values_where_a_full_line_passes() {
    let differs = |name| {
        let form = Reading::named(name).unwrap().form.of(Algorithm::Star2Tt);
        let (game, positions) = game(&form);
        let mut table = Table::default();
        let form = Form { entries_log2: Some(14), ..form };
        positions.iter().any(|position| {
            let random = HashRandom::new(7, game.dice.facts().grid.limit());
            let expected = expectimax(&form, &game, &random, (position, 9));
            let found = search(&form, &game, &random, (position, 9), &mut table);
            scores(&found) != scores(&expected)
        })
    };
    assert!(differs("cuts-pass-at-least"));
    assert!(!differs("cuts-pass"));
}

/// So positions of one set of rules are searched under the other.
#[test]
fn positions_are_the_same_whatever_a_full_line_means() {
    let found = sets::positions(2, 50).unwrap();
    let [own, passing] =
        [FullLine::Reroll, FullLine::Pass].map(|full_line| Dice::new(Rules::new(5, 4, full_line).unwrap()));
    for position in &found {
        assert_eq!(passing.parse(&own.notation(position)).unwrap(), *position);
    }
}

/// The searches are the library's own where these have no table and the same order of moves.
#[test]
fn star1_without_a_table_visits_about_what_the_library_visits() {
    let form = Form { decision: DecisionUse::Off, ..Form::default() }.of(Algorithm::Star1);
    let (game, positions) = game(&form);
    let network = Network::trained(&game.dice).unwrap();
    let options = Options {
        table_use: TableUse::None,
        leaf_collapse: false,
        static_bounds: false,
        ..Options::paper(Algorithm::Star1)
    };
    let searcher = Searcher::new(game.dice.clone(), network.clone(), NoTable).with_options(options);
    for position in &positions[1..] {
        let library =
            searcher.request(position).limits(Limits::depth(7)).search().unwrap().stats.nodes.total();
        let found = search(&form, &game, &network, (position, 7), &mut Table::default());
        let nodes = NodeCount::All.of(found.last().unwrap().counts, Default::default());
        let ratio = nodes as f64 / library as f64;
        assert!((0.95..1.05).contains(&ratio), "{nodes} and {library}");
    }
}

#[test]
fn a_search_that_is_stopped_has_no_answer() {
    let (game, positions) = game(&Form::default());
    let stop = StopFlag::new();
    stop.stop();
    let form = Form { has_expectimax_table: true, ..Form::default() };
    let forms = [form, Form::default()].map(|form| form.of(Algorithm::Expectimax));
    for form in [Form::default()].into_iter().chain(forms) {
        let (position, table) = ((&positions[0], 11), &mut Table::default());
        assert!(
            search::search_with(&form, &game, (&RunCount, Delay::NONE), position, table, &stop).is_none()
        );
    }
}

#[test]
fn the_same_search_visits_the_same_nodes_whatever_its_memory_held() {
    let (game, positions) = game(&Form::default());
    let mut table = Table::default();
    let form = Form { entries_log2: Some(12), ..Form::default() };
    let run = |table: &mut Table| search(&form, &game, &RunCount, (&positions[1], 7), table);
    let first = run(&mut table);
    assert_eq!(run(&mut table), first);
    assert_eq!(run(&mut Table::default()), first);
}

#[test]
fn a_search_after_a_roll_has_the_values_of_the_library_s() {
    let form = Form { is_rolled: true, ..Form::default() };
    let (game, positions) = game(&form);
    let options =
        Options { leaf_collapse: false, static_bounds: false, ..Options::paper(Algorithm::Expectimax) };
    let searcher = Searcher::new(game.dice.clone(), RunCount, NoTable).with_options(options);
    for position in &positions {
        let face = usize::from(game.first_roll(position).0);
        let letter = if position.to_act() == Player::Max { 'r' } else { 'c' };
        let text = game.dice.notation(position).replace(" -", &format!(" {letter}{}", face + 1));
        let rolled = game.dice.parse(&text).unwrap();
        let library = searcher.request(&rolled).limits(Limits::depth(5)).search().unwrap();
        let found = expectimax(&form, &game, &RunCount, (position, 5));
        assert_eq!(found.last().unwrap().score, library.bounds.lower);
    }
}

/// From no depth on, it is what a search without windows visits; from beyond the root on, nothing is found.
#[test]
fn expectimax_with_a_table_visits_less() {
    for is_rolled in [false, true] {
        let form = Form { is_rolled, ..Form::default() };
        let (game, positions) = game(&form);
        for position in &positions {
            let counts = |form: Form| -> Vec<Counts> {
                let found = expectimax(&form, &game, &RunCount, (position, 7));
                found.iter().map(|one| one.counts).collect()
            };
            let tabled = |decision_from| Form { has_expectimax_table: true, decision_from, ..form };
            let plain = counts(form);
            assert_eq!(counts(tabled(8)), plain);
            let nodes = |counts: Vec<Counts>| NodeCount::All.of(*counts.last().unwrap(), Counts::default());
            let (all, some, none) = (nodes(counts(tabled(0))), nodes(counts(tabled(4))), nodes(plain));
            assert!(all <= some && some <= none, "{all} {some} {none}");
        }
    }
}
