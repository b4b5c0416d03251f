//! 2048 against OpenSpiel and against a board made of plain numbers.

use crate::erased::Foreseeing;
use crate::mutations::Random;
use crate::readers::check_reader;
use serde_json::Value;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, Step, Texts};
use starsplit::score::Score;
use starsplit::search::{Algorithm, Limits, Options};
use starsplit_games::twenty48::{Direction, INFO, Move, Position, Twenty48};
use starsplit_games::{EvaluatorVisitor, KnownGame, perft};
use starsplit_testkit::{Plays, check_evaluator, check_game};
use std::collections::HashMap;

fn open(rules: &str) -> Twenty48 {
    Twenty48::open(&INFO, rules).unwrap()
}

fn oracle() -> Value {
    serde_json::from_str(include_str!("../oracles/2048.json")).unwrap()
}

fn game_of(entry: &Value) -> (Twenty48, Position) {
    let game = open(&format!("end={}", entry["end"]));
    let position = game.parse(entry["position"].as_str().unwrap()).unwrap();
    (game, position)
}

/// What an evaluator says of positions, in steps of the grid.
type Evaluate = Box<dyn Fn(&Position) -> Score>;

struct Boxed(Twenty48);

impl EvaluatorVisitor<Twenty48> for Boxed {
    type Output = Evaluate;

    fn visit<E: Evaluator<Twenty48> + 'static>(self, evaluator: E) -> Evaluate {
        Box::new(move |position| {
            evaluator.evaluate(&self.0, position, &evaluator.state(&self.0, position, None))
        })
    }
}

fn evaluator(game: &Twenty48, name: &str) -> Evaluate {
    game.visit_evaluator(name, 0, Boxed(game.clone())).unwrap()
}

fn moves(game: &Twenty48, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(position, |mv| moves.push(mv));
    moves
}

/// The positions after a chance node, each with its probability.
fn outcomes(game: &Twenty48, position: &Position) -> Vec<(Position, f64)> {
    let (mut outcomes, mut sum) = (Vec::new(), 0.0);
    game.outcomes(position, |outcome, weight| {
        outcomes.push((game.resolve(position, outcome), f64::from(weight)));
        sum += f64::from(weight);
    });
    outcomes.iter().map(|&(after, weight)| (after, weight / sum)).collect()
}

/// The value in steps of the grid, not rounded anywhere.
fn value(
    game: &Twenty48,
    evaluate: &Evaluate,
    position: &Position,
    depth: u32,
    known: &mut HashMap<(String, u32), f64>,
) -> f64 {
    if game.kind(position) == NodeKind::Terminal {
        return f64::from(game.terminal_score(position));
    }
    if depth == 0 {
        return f64::from(evaluate(position));
    }
    let key = (game.notation(position), depth);
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let found = match game.kind(position) {
        NodeKind::Chance => outcomes(game, position)
            .iter()
            .map(|(after, probability)| probability * value(game, evaluate, after, depth - 1, known))
            .sum(),
        _ => moves(game, position)
            .into_iter()
            .map(|mv| {
                let after = game.play(position, mv);
                let reward = f64::from(game.reward(position, Step::Move(mv), &after));
                reward + value(game, evaluate, &after, depth - 1, known)
            })
            .fold(f64::NEG_INFINITY, f64::max),
    };
    known.insert(key, found);
    found
}

/// How many steps of the grid a point has.
fn steps_a_point(game: &Twenty48) -> f64 {
    f64::from(game.facts().grid.limit()) / game.facts().grid.range().1
}

#[test]
fn lines_of_play_are_as_many_as_open_spiel_counts() {
    let (mut compared, mut most) = (0, 0);
    for entry in oracle()["perft"].as_array().unwrap() {
        let (game, position) = game_of(entry);
        for (depth, count) in (1..).zip(entry["counts"].as_array().unwrap()) {
            let lines = perft::perft(&game, &position, depth, &mut || true);
            assert_eq!(lines, count.as_u64(), "{} depth {depth}", entry["position"]);
            (compared, most) = (compared + 1, most.max(count.as_u64().unwrap()));
        }
    }
    assert!(compared >= 20 && most > 10_000_000, "{compared} counts, the largest {most}");
}

#[test]
fn values_are_those_of_open_spiel() {
    let oracle = oracle();
    let values = oracle["values"].as_array().unwrap();
    assert!(values.len() >= 40);
    for entry in values {
        let (game, position) = game_of(entry);
        let (depth, name) = (entry["depth"].as_u64().unwrap() as u32, entry["evaluator"].as_str().unwrap());
        let evaluate = evaluator(&game, name);
        let found = value(&game, &evaluate, &position, depth, &mut HashMap::new()) / steps_a_point(&game);
        let expected = entry["value"].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-9 * expected.max(1.0), "{found} for {entry}");
    }
}

/// The probability of 32 on 2 by 2 as another program has it: the layer tranche builder's test of
/// jdleesmiller/twenty48.
const PROBABILITY_OF_32: f64 = 0.082_887_289_071_554_14;

#[test]
fn the_probability_to_make_32_on_two_by_two_is_known() {
    let game = open("size=2,end=32,score=target");
    let depth = game.full_depth(&game.initial()).unwrap();
    let found = value(&game, &evaluator(&game, "constant"), &game.initial(), depth, &mut HashMap::new());
    let probability = (found / f64::from(game.facts().grid.limit()) + 1.0) / 2.0;
    assert!((probability - PROBABILITY_OF_32).abs() < 1e-14, "{probability}");
}

/// What the start is worth, with a table of so many MiB.
fn worth(game: &Twenty48, algorithm: Algorithm, limits: Limits, mib: u64) -> f64 {
    let evaluator = Foreseeing::named(game, "rows", 0).unwrap();
    let options = Options { algorithm, ..Options::default() };
    let builder = Searcher::builder(game.clone(), evaluator).options(options);
    let searcher = builder.limits(limits).table_mib(mib).build().unwrap();
    searcher.search(&game.initial()).unwrap().value
}

#[test]
fn a_search_finds_the_probability_to_make_32() {
    let game = open("size=2,end=32,score=target");
    let depth = game.full_depth(&game.initial()).unwrap();
    for algorithm in [Algorithm::Expectimax, Algorithm::Star2Tt] {
        let found = worth(&game, algorithm, Limits::depth(depth), 1);
        // Half a step lost at each of the chance nodes of a line, of 2^24 steps.
        assert!((found - PROBABILITY_OF_32).abs() < f64::from(depth) / f64::from(1 << 24), "{found}");
    }
}

/// Searches to the end; a probability is published to so many digits, points to two.
fn assert_worth(published: &[(&str, f64, i32)], mib: u64) {
    for &(rules, expected, digits) in published {
        let game = open(rules);
        let found = worth(&game, Algorithm::Star2Tt, Limits::to_the_end(), mib);
        // Beside half of the last digit, half a step at each of 500 chance nodes.
        let most = 0.5 * 10f64.powi(-digits) + game.facts().grid.difference(250);
        assert!((found - expected).abs() < most, "{rules}: {found}, published {expected}");
    }
}

/// As Dabish has it: "Perfect 2048", 2026, the table of the honest game.
#[test]
fn small_boards_are_worth_what_is_published() {
    let published = [
        ("size=2,end=none", 66.96, 2),
        ("size=2,end=16,score=target", 0.9625, 4),
        ("size=2,end=32,score=target", 0.0829, 4),
        ("size=2x3,end=none", 480.26, 2),
        ("size=2x3,end=64,score=target", 0.9393, 4),
        ("size=2x3,end=128,score=target", 0.0570, 4),
    ];
    assert_worth(&published, 4);
}

/// 3 by 3 as Galebach has it: "Solving the 3x3 variant of 2048", 2014.
#[test]
#[ignore = "minutes, and 14 GiB"]
fn larger_boards_are_worth_what_is_published() {
    let published = [
        ("size=2x4,end=none", 2641.87, 2),
        ("size=2x4,end=256,score=target", 0.8698, 4),
        ("size=2x4,end=512,score=target", 0.0246, 4),
        ("size=3,end=256,score=target", 0.99571, 5),
        ("size=3,end=512,score=target", 0.73677, 5),
        ("size=3,end=1024,score=target", 0.01134, 5),
    ];
    assert_worth(&published, 14_000);
}

/// A board of numbers, and the points of a slide: the rules once more, without tables.
#[derive(Clone, Debug, PartialEq)]
struct Plain(Vec<Vec<u32>>);

impl Plain {
    /// Slides to the left.
    fn slid_left(&self) -> (Plain, u32) {
        let mut points = 0;
        let rows = self.0.iter().map(|row| {
            let mut tiles: Vec<_> = row.iter().copied().filter(|&tile| tile > 0).collect();
            let mut slid = Vec::new();
            while !tiles.is_empty() {
                let tile = tiles.remove(0);
                if tiles.first() == Some(&tile) {
                    tiles.remove(0);
                    points += 2 * tile;
                    slid.push(2 * tile);
                } else {
                    slid.push(tile);
                }
            }
            slid.resize(row.len(), 0);
            slid
        });
        (Plain(rows.collect()), points)
    }

    fn mirrored(&self) -> Plain {
        Plain(self.0.iter().map(|row| row.iter().rev().copied().collect()).collect())
    }

    fn transposed(&self) -> Plain {
        Plain((0..self.0[0].len()).map(|column| self.0.iter().map(|row| row[column]).collect()).collect())
    }

    fn slid(&self, direction: Direction) -> (Plain, u32) {
        match direction {
            Direction::Left => self.slid_left(),
            Direction::Right => {
                let (slid, points) = self.mirrored().slid_left();
                (slid.mirrored(), points)
            }
            Direction::Up | Direction::Down => {
                let along = if direction == Direction::Up { Direction::Left } else { Direction::Right };
                let (slid, points) = self.transposed().slid(along);
                (slid.transposed(), points)
            }
        }
    }

    fn digits(&self) -> String {
        let exponent = |&tile: &u32| if tile == 0 { 0 } else { tile.ilog2() };
        self.0.iter().flatten().map(|tile| format!("{:x}", exponent(tile))).collect()
    }

    fn read(digits: &str, columns: usize) -> Plain {
        let tile = |digit: char| if digit == '0' { 0 } else { 1 << digit.to_digit(16).unwrap() };
        let tiles: Vec<u32> = digits.chars().map(tile).collect();
        Plain(tiles.chunks(columns).map(<[u32]>::to_vec).collect())
    }
}

/// Rules of all shapes, with the columns of the board.
const RULES: [(&str, usize); 9] = [
    ("", 4),
    ("end=none", 4),
    ("end=16,score=target", 4),
    ("size=2,end=32", 2),
    ("size=3,end=64,two=1,four=1", 3),
    ("size=2x4,end=256", 4),
    ("size=4x2,end=none,two=0", 2),
    ("size=3x2,end=8,four=0", 2),
    ("size=2x3,end=1024,score=target", 3),
];

/// The positions of `games` random plays.
fn positions(game: &Twenty48, games: u64) -> Vec<Position> {
    let mut met = Vec::new();
    for seed in 0..games {
        let (mut random, mut position) = (Random::new(seed), game.initial());
        met.push(position);
        while game.kind(&position) != NodeKind::Terminal {
            position = if game.kind(&position) == NodeKind::Chance {
                let outcomes = outcomes(game, &position);
                outcomes[random.below(outcomes.len())].0
            } else {
                let moves = moves(game, &position);
                game.play(&position, moves[random.below(moves.len())])
            };
            met.push(position);
        }
    }
    met
}

#[test]
fn slides_are_those_of_a_plain_board() {
    for (rules, columns) in RULES {
        let game = open(rules);
        let mut compared = 0;
        for position in positions(&game, 20).iter().filter(|at| game.kind(at) == NodeKind::Decision) {
            let digits = game.notation(position).split(' ').next().unwrap().to_owned();
            let plain = Plain::read(&digits, columns);
            let all = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];
            let legal: Vec<_> = all.into_iter().filter(|&side| plain.slid(side).0 != plain).collect();
            let found = moves(&game, position);
            assert!(found.iter().map(|mv| mv.direction()).eq(legal), "{rules} {digits}");
            for mv in found {
                let (slid, points) = plain.slid(mv.direction());
                let after = game.play(position, mv);
                assert_eq!(
                    game.notation(&after).split(' ').next(),
                    Some(&*slid.digits()),
                    "{rules} {digits}"
                );
                let counts = !rules.contains("target");
                let reward = if counts { f64::from(points) * steps_a_point(&game) } else { 0.0 };
                assert_eq!(
                    f64::from(game.reward(position, Step::Move(mv), &after)),
                    reward,
                    "{rules} {digits}"
                );
                compared += 1;
            }
        }
        assert!(compared > 50, "{rules}: {compared}");
    }
}

#[test]
fn the_contracts_are_kept() {
    for (rules, _) in RULES {
        let game = open(rules);
        let plays = Plays { games: 12, max_plies: 250, seed: 3 };
        let report = check_game(&game, &game.initial(), &plays).unwrap();
        assert!(report.terminals > 0 && report.visited_again > 0, "{rules}: {report}");
        struct Check<'a>(&'a Twenty48, Plays);
        impl EvaluatorVisitor<Twenty48> for Check<'_> {
            type Output = u64;

            fn visit<E: Evaluator<Twenty48>>(self, evaluator: E) -> u64 {
                check_evaluator(self.0, &evaluator, &self.0.initial(), &self.1).unwrap().evaluations
            }
        }
        for name in ["rows", "constant"] {
            let evaluations = game.visit_evaluator(name, 0, Check(&game, plays)).unwrap();
            assert!(evaluations > 100, "{rules}: {evaluations}");
        }
    }
}

/// The most that rewards and then an evaluation or a result come to on any line of play.
fn most(game: &Twenty48, evaluate: &Evaluate, position: &Position, known: &mut HashMap<String, i64>) -> i64 {
    let key = game.notation(position);
    if let Some(&found) = known.get(&key) {
        return found;
    }
    let found = match game.kind(position) {
        NodeKind::Terminal => game.terminal_score(position).into(),
        NodeKind::Chance => outcomes(game, position)
            .iter()
            .map(|(after, _)| most(game, evaluate, after, known))
            .fold(evaluate(position).into(), i64::max),
        NodeKind::Decision => moves(game, position)
            .into_iter()
            .map(|mv| {
                let after = game.play(position, mv);
                i64::from(game.reward(position, Step::Move(mv), &after)) + most(game, evaluate, &after, known)
            })
            .fold(evaluate(position).into(), i64::max),
    };
    known.insert(key, found);
    found
}

#[test]
fn no_line_of_play_leaves_the_grid() {
    for rules in
        ["size=2,end=32", "size=2,end=none", "size=2x3,end=16", "size=2,end=8,two=0", "size=2,four=0"]
    {
        let game = open(rules);
        let most = most(&game, &evaluator(&game, "rows"), &game.initial(), &mut HashMap::new());
        assert!(most > 0 && most <= game.facts().grid.limit().into(), "{rules}: {most}");
    }
    assert_eq!((steps_a_point(&open("")), steps_a_point(&open("end=none"))), (64.0, 2.0));
}

/// So many different tiles row by row from the greatest, every second row from the right.
fn snake(tiles: &[u8]) -> Vec<u8> {
    let mut cells = tiles.to_vec();
    cells.resize(16, 0);
    cells[4..8].reverse();
    cells[12..16].reverse();
    cells
}

fn digits(cells: &[u8]) -> String {
    cells.iter().map(|&tile| char::from_digit(tile.into(), 16).unwrap()).collect()
}

/// Whether every row and every column rises, or falls, or neither.
fn is_in_order(cells: &[u8]) -> bool {
    let line = |first: usize, step: usize| -> Vec<u8> { (0..4).map(|i| cells[first + i * step]).collect() };
    let is_sorted = |line: Vec<u8>| line.is_sorted() || line.iter().rev().is_sorted();
    (0..4).all(|i| is_sorted(line(4 * i, 1)) && is_sorted(line(i, 4)))
}

#[test]
fn late_boards_are_told_apart_where_no_tile_ends_the_game() {
    let game = open("end=none");
    let evaluate = evaluator(&game, "rows");
    let value = |text: &str| evaluate(&game.parse(text).unwrap());
    let [greater, lesser, scrambled] =
        ["edcb789a65430000", "dcba678954321000", "d5c3b7a192846000"].map(value);
    assert!(greater > lesser && lesser > scrambled, "{greater}, {lesser}, {scrambled}");

    // Boards of the greatest tiles that play leads to, and of lesser ones, each in order and scrambled.
    let mut random = Random::new(1);
    let end = game.facts().grid.limit() / 2;
    let mut compared = 0;
    for _ in 0..3000 {
        let mut tiles: Vec<u8> = (1..=15).collect();
        for _ in 0..random.below(9) {
            tiles.remove(random.below(tiles.len()));
        }
        tiles.reverse();
        let ordered = snake(&tiles);
        assert!(is_in_order(&ordered), "{ordered:?}");
        let mut cells = ordered.clone();
        (1..16).for_each(|last| cells.swap(last, random.below(last + 1)));
        let [ordered, scrambled] = [&ordered, &cells].map(|cells| value(&(digits(cells) + " tile")));
        assert!(0 < scrambled && ordered < end, "{cells:?}: {scrambled} and {ordered}, {end}");
        assert_eq!(ordered > scrambled, !is_in_order(&cells), "{cells:?}: {scrambled} and {ordered}");
        compared += u32::from(ordered > scrambled);
    }
    assert!(compared > 2900, "{compared}");
}

#[test]
fn no_evaluation_comes_to_an_end_of_its_scale_where_no_tile_ends_the_game() {
    for (rows, columns) in (2..=4).flat_map(|rows| (2..=4).map(move |columns| (rows, columns))) {
        for weights in ["", ",two=0", ",four=0"] {
            let game = open(&format!("size={rows}x{columns},end=none{weights}"));
            let evaluate = evaluator(&game, "rows");
            let (cells, end) = (rows * columns, game.facts().grid.limit() / 2);
            let new = if weights == ",four=0" { 1 } else { 2 };
            // All but one cell filled with the greatest tiles, or half of them: in any order.
            let mut random = Random::new(cells as u64);
            let mut met = HashMap::new();
            for filled in [cells - 1, cells / 2].repeat(200) {
                let mut tiles: Vec<u8> = (1..=filled).map(|i| (cells - i + new).min(15) as u8).collect();
                tiles.resize(cells, 0);
                (1..cells).for_each(|last| tiles.swap(last, random.below(last + 1)));
                let score = evaluate(&game.parse(&(digits(&tiles) + " tile")).unwrap());
                assert!(0 < score && score < end, "{} {tiles:?}: {score}, {end}", game.rules());
                *met.entry(score).or_insert(0) += 1;
            }
            assert!(met.len() > 1, "{}: {met:?}", game.rules());
        }
    }
}

#[test]
fn the_most_points_are_those_of_the_tiles_less_the_fours() {
    // Only fours, on a board that 64 is too much for: every tile of 32, 16, 8 and 4 but the last was merged.
    let game = open("size=2,end=64,two=0");
    let nothing: Evaluate = Box::new(|_| 0);
    let steps = most(&game, &nothing, &game.initial(), &mut HashMap::new());
    let points = steps as f64 / steps_a_point(&game);
    // (k - 1) 2^k over 32, 16, 8 and 4, less 4 for each of the 15 fours that came.
    assert_eq!(points, 128.0 + 48.0 + 16.0 + 4.0 - 60.0);
}

#[test]
fn two_tiles_come_first_and_fours_come_as_the_weights_say() {
    let game = open("");
    let first = outcomes(&game, &game.initial());
    assert_eq!(first.len(), 32);
    assert!((first[0].1 - 0.9 / 16.0).abs() < 1e-15 && (first[31].1 - 0.1 / 16.0).abs() < 1e-15);
    assert_eq!(game.kind(&first[0].0), NodeKind::Chance);
    let second = outcomes(&game, &first[0].0);
    assert_eq!((second.len(), game.kind(&second[0].0)), (30, NodeKind::Decision));
    assert_eq!(outcomes(&open("four=0"), &game.initial()).len(), 16);
}

#[test]
fn texts_are_read_as_they_were_written() {
    for (rules, _) in RULES {
        let game = open(rules);
        assert_eq!(open(&game.rules()).rules(), game.rules());
        let positions = positions(&game, 10);
        for position in &positions {
            let text = game.notation(position);
            assert_eq!(game.parse(&text), Ok(*position), "{rules} {text}");
            assert!(game.draw(position).lines().count() >= 3);
        }
    }
    let game = open("");
    assert_eq!(game.parse("0000001000000200"), game.parse("0000001000000200 move"));
    assert_eq!(game.rules(), INFO.default_rules);
    assert_eq!(open("size=2x3").rules(), "size=2x3,two=9,four=1,end=2048,score=points");
}

#[test]
fn nearly_right_texts_are_refused_in_one_line() {
    let game = open("");
    let rules = RULES.map(|(rules, _)| open(rules).rules());
    check_reader(&rules, |text| Twenty48::open(&INFO, text).map(|game| game.rules()));
    let positions = positions(&game, 5);
    let notations: Vec<_> = positions.iter().map(|position| game.notation(position)).collect();
    check_reader(&notations, |text| game.parse(text).map(|position| game.notation(&position)));
    let position = game.parse("0000001000000200").unwrap();
    let names = ["up", "down", "left", "right", "u", "L"].map(str::to_owned);
    check_reader(&names, |text| game.parse_move(&position, text).map(|mv| game.move_text(&position, mv)));
}

#[test]
fn what_no_play_leads_to_is_refused() {
    let game = open("");
    for bad in [
        "0000001000000200 over",
        "0000001000000000 move",
        "1212212112122121 move",
        "1212212112122121 tile",
        "000000100000020b move",
        "000000100000020c tile",
        "1333434343343443 over",
        "3434434334344343 over",
        "000000100000020",
        "0000001000000200 move tile",
        "0000000000000000",
    ] {
        assert!(game.parse(bad).is_err(), "{bad}");
    }
    for good in ["1212212112122121 over", "000000100000020b over", "0000000000000000 tile"] {
        assert!(game.parse(good).is_ok(), "{good}");
    }
    for bad in
        ["size=5", "size=1", "end=4", "end=65536", "two=0,four=0", "end=none,score=target", "two=2,two=2"]
    {
        assert!(Twenty48::open(&INFO, bad).is_err(), "{bad}");
    }
}

#[test]
fn moves_are_named_in_full_or_by_a_letter() {
    let game = open("");
    let position = game.parse("1000000000000001").unwrap();
    assert_eq!(game.parse_move(&position, " U "), game.parse_move(&position, "up"));
    assert!(game.parse_move(&position, "upward").is_err());
    let still = game.parse("1000200000000000").unwrap();
    let error = game.parse_move(&still, "left").unwrap_err().to_string();
    assert_eq!(error, "move left: expected down or right");
}

#[test]
fn evaluators_tell_themselves_apart() {
    let game = open("");
    struct Identity<'a>(&'a Twenty48);
    impl EvaluatorVisitor<Twenty48> for Identity<'_> {
        type Output = u64;

        fn visit<E: Evaluator<Twenty48>>(self, evaluator: E) -> u64 {
            evaluator.facts(self.0).identity
        }
    }
    let identity = |game: &Twenty48, name| game.visit_evaluator(name, 0, Identity(game)).unwrap();
    let endless = identity(&open("end=none"), "rows");
    let identity = |name| identity(&game, name);
    assert!(endless != identity("rows") && endless != identity("constant"));
    assert_eq!(identity("rows"), identity("slow"));
    assert_ne!(identity("rows"), identity("constant"));
    let named: Vec<_> = game.evaluators().iter().map(|info| info.name).collect();
    assert_eq!(named, ["rows", "constant", "slow"]);
    assert!(game.visit_evaluator("none", 0, Identity(&game)).is_err());
    let position = game.parse("0000001000000200").unwrap();
    let score = |name| evaluator(&game, name)(&position);
    assert_eq!(score("slow"), score("rows"));
    assert_eq!(score("constant"), 0);
}
