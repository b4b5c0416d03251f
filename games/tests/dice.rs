//! Dice against a second implementation that is written for clarity only, and against values known from
//! elsewhere.

#[path = "../../tests/common/oracle.rs"]
mod oracle;

use crate::erased::Blind;
use oracle::{Oracle, oracle_value};
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use starsplit::Searcher;
use starsplit::evaluator::Constant;
use starsplit::game::{Game, NodeKind, Player, PositionHash};
use starsplit::score::Bounds;
use starsplit::search::{Algorithm, Limits};
use starsplit::table::LocklessTable;
use starsplit_games::KnownGame;
use starsplit_games::dice::{Dice, FullLine, Line, Move, Position, Rules, RunCount};
use starsplit_games::perft::perft;
use std::collections::HashMap;
use std::fmt::Debug;

/// Dice on a list of cells, with nothing carried along.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Naive {
    size: usize,
    run: usize,
    full_line: bool,
    /// Row by row from the top; 0 and 1 are the players, 2 is an empty cell.
    cells: Vec<usize>,
    to_act: usize,
    roll: Option<usize>,
}

impl Naive {
    fn new(rules: &Rules) -> Self {
        let size = usize::from(rules.size());
        Naive {
            size,
            run: usize::from(rules.run()),
            full_line: rules.full_line() == FullLine::Pass,
            cells: vec![2; size * size],
            to_act: 0,
            roll: None,
        }
    }

    /// The position that the notation means.
    fn read(rules: &Rules, text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let cell = |sign| ['x', 'o', '.'].into_iter().position(|known| known == sign);
        let cells: Option<Vec<_>> = fields[0].chars().filter(|&sign| sign != '/').map(cell).collect();
        let roll = fields[2].strip_prefix(['r', 'c']).map(|line| line.parse::<usize>().unwrap() - 1);
        let to_act = usize::from(fields[1] == "o");
        Naive { cells: cells.expect("only such signs"), to_act, roll, ..Naive::new(rules) }
    }

    /// How many straight groups of `length` neighbouring cells `player` holds.
    fn groups(&self, player: usize, length: usize) -> usize {
        let size = self.size as i32;
        // A group of one has no direction; a group of none is no group.
        let steps: &[(i32, i32)] = match length {
            0 => &[],
            1 => &[(0, 1)],
            _ => &[(0, 1), (1, 0), (1, 1), (1, -1)],
        };
        let holds = |row: i32, column: i32| {
            (0..size).contains(&row)
                && (0..size).contains(&column)
                && self.cells[(row * size + column) as usize] == player
        };
        let mut count = 0;
        for (row, column) in (0..size).flat_map(|row| (0..size).map(move |column| (row, column))) {
            for (down, right) in steps {
                let is_group = (0..length as i32).all(|k| holds(row + k * down, column + k * right));
                count += usize::from(is_group);
            }
        }
        count
    }

    /// The first player's result, once there is one.
    fn result(&self) -> Option<i32> {
        if self.groups(0, self.run) > 0 {
            Some(1)
        } else if self.groups(1, self.run) > 0 {
            Some(-1)
        } else if self.cells.contains(&2) {
            None
        } else {
            Some(0)
        }
    }

    fn room(&self, line: usize) -> Vec<usize> {
        let cell = |k| if self.to_act == 0 { line * self.size + k } else { k * self.size + line };
        (0..self.size).map(cell).filter(|&cell| self.cells[cell] == 2).collect()
    }

    fn rolls(&self) -> Vec<usize> {
        (0..self.size).filter(|&line| self.full_line || !self.room(line).is_empty()).collect()
    }

    fn rolled(&self, line: usize) -> Self {
        Naive { roll: Some(line), ..self.clone() }
    }

    /// After placing a checker on a cell, or none where the turn is lost.
    fn placed(&self, cell: Option<usize>) -> Self {
        let mut after = Naive { roll: None, to_act: 1 - self.to_act, ..self.clone() };
        if let Some(cell) = cell {
            after.cells[cell] = self.to_act;
        }
        after
    }

    /// The cells that may be taken with the roll pending; none where the turn is lost.
    fn moves(&self) -> Vec<Option<usize>> {
        let room = self.room(self.roll.expect("a roll is pending"));
        if room.is_empty() { vec![None] } else { room.into_iter().map(Some).collect() }
    }
}

/// A fraction in lowest terms, its denominator positive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fraction(i128, i128);

impl Fraction {
    fn new(above: i128, below: i128) -> Self {
        let (mut a, mut b) = (above.abs(), below);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        Fraction(above / a, below / a)
    }

    fn plus(self, other: Fraction) -> Self {
        Fraction::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    fn is_less_than(self, other: Fraction) -> bool {
        self.0 * other.1 < other.0 * self.1
    }
}

/// The first player's exact value before the roll, with play to the end.
fn exact_value(position: &Naive, known: &mut HashMap<Naive, Fraction>) -> Fraction {
    if let Some(result) = position.result() {
        return Fraction(i128::from(result), 1);
    }
    if let Some(&value) = known.get(position) {
        return value;
    }
    let rolls = position.rolls();
    let mut sum = Fraction(0, 1);
    for &line in &rolls {
        let rolled = position.rolled(line);
        let values = rolled.moves().into_iter().map(|cell| exact_value(&rolled.placed(cell), known));
        let best = values.reduce(|best, value| {
            // The first player wants more, the second less.
            let better =
                if position.to_act == 0 { best.is_less_than(value) } else { value.is_less_than(best) };
            if better { value } else { best }
        });
        sum = sum.plus(best.expect("there is always a move"));
    }
    let value = Fraction::new(sum.0, sum.1 * rolls.len() as i128);
    known.insert(position.clone(), value);
    value
}

fn dice(size: u8, run: u8, full_line: FullLine) -> Dice {
    Dice::new(Rules::new(size, run, full_line).unwrap())
}

/// Values found twice by brute force, independently of this project.
const KNOWN: [(u8, u8, Fraction); 3] =
    [(2, 2, Fraction(1, 1)), (3, 2, Fraction(53, 81)), (3, 3, Fraction(6079, 17496))];

#[test]
fn exact_values_are_the_known_ones() {
    for (size, run, value) in KNOWN {
        let start = Naive::new(&Rules::new(size, run, FullLine::Reroll).unwrap());
        assert_eq!(exact_value(&start, &mut HashMap::new()), value, "{size}x{size}, {run} in a row");
    }
}

#[test]
fn the_oracle_finds_the_known_values_on_the_grid() {
    for (size, run, Fraction(above, below)) in KNOWN {
        let game = dice(size, run, FullLine::Reroll);
        let start = game.initial();
        let depth = game.full_depth(&start).unwrap();
        assert_eq!(depth, 2 * u32::from(size) * u32::from(size));
        let found = oracle_value(&game, &Constant::new(0), &start, depth);
        let found = game.facts().grid.value(found as i32);
        let known = above as f64 / below as f64;
        assert!((found - known).abs() < 1e-6, "{size}x{size}, {run} in a row: {found}, expected {known}");
    }
}

#[test]
fn where_full_lines_pass_deeper_values_approach_the_known_limits() {
    let limits = [(2, 2, 1.0 / 2.0), (3, 2, 151.0 / 243.0), (3, 3, 392_411.0 / 1_469_664.0)];
    for (size, run, known) in limits {
        let game = dice(size, run, FullLine::Pass);
        assert_eq!(game.full_depth(&game.initial()), None);
        let evaluator = Constant::new(0);
        let mut oracle = Oracle::new(&game, &evaluator);
        let found = game.facts().grid.value(oracle.value(&game.initial(), 100) as i32);
        assert!((found - known).abs() < 2e-5, "{size}x{size}, {run} in a row: {found}, expected {known}");
    }
}

/// Both implementations at one position; they must agree in all that can be seen.
fn compare(game: &Dice, position: &Position, naive: &Naive) {
    let text = game.notation(position);
    for (index, player) in [Player::Max, Player::Min].into_iter().enumerate() {
        let own = (0..naive.cells.len()).filter(|&cell| naive.cells[cell] == index);
        assert_eq!(position.stones(player), own.fold(0, |set, cell| set | 1 << cell), "{text}");
        let groups = [naive.run - 2, naive.run - 1].map(|length| naive.groups(index, length));
        assert_eq!(position.runs(player).map(usize::from), groups, "{text}");
    }
    assert_eq!(position.to_act() as usize, naive.to_act, "{text}");
    assert_eq!(position.pending().map(|line| usize::from(line.index())), naive.roll, "{text}");
    assert_eq!(game.hash(position), game.hash_from_scratch(position), "{text}");
    match naive.result() {
        Some(result) => {
            assert_eq!(game.kind(position), NodeKind::Terminal, "{text}");
            let for_first = if position.to_act() == Player::Max { 1 } else { -1 };
            assert_eq!(
                game.terminal_score(position) * for_first,
                result * game.facts().grid.limit(),
                "{text}"
            );
        }
        None if naive.roll.is_some() => assert_eq!(game.kind(position), NodeKind::Decision, "{text}"),
        None => {
            assert_eq!(game.kind(position), NodeKind::Chance, "{text}");
            compare_wins(game, position, naive);
        }
    }
}

/// The rolls that win at once, before the roll: exactly these have bounds that say so, and the others say
/// nothing.
fn compare_wins(game: &Dice, position: &Position, naive: &Naive) {
    let own = if naive.to_act == 0 { 1 } else { -1 };
    let wins = |line| {
        let rolled = naive.rolled(line);
        rolled.moves().into_iter().any(|cell| rolled.placed(cell).result() == Some(own))
    };
    let limit = game.facts().grid.limit();
    let of = |line| if wins(line) { Bounds::exactly(limit) } else { Bounds::unknown(limit) };
    let expected: Vec<_> = naive.rolls().into_iter().map(of).collect();
    for depth in [2, 3, 9] {
        let mut found = Vec::new();
        game.outcome_bounds(position, depth, |bounds| found.push(bounds));
        found.resize(expected.len(), Bounds::unknown(limit));
        assert_eq!(found, expected, "{}", game.notation(position));
    }
}

fn cell_of(mv: Move) -> Option<usize> {
    match mv {
        Move::Place(cell) => Some(usize::from(cell)),
        Move::Pass => None,
    }
}

/// Makes one random step in both implementations, having compared what may be done.
fn step(game: &Dice, position: &Position, naive: &Naive, random: &mut Pcg32) -> (Position, Naive) {
    let mut draw = |count: usize| random.next_u32() as usize % count;
    if game.kind(position) == NodeKind::Decision {
        let mut moves = Vec::new();
        game.moves(position, |mv| moves.push(mv));
        assert_eq!(moves.iter().map(|&mv| cell_of(mv)).collect::<Vec<_>>(), naive.moves());
        let mv = moves[draw(moves.len())];
        (game.play(position, mv), naive.placed(cell_of(mv)))
    } else {
        let mut lines: Vec<Line> = Vec::new();
        game.outcomes(position, |line, weight| {
            assert_eq!(weight, 1);
            lines.push(line);
        });
        assert_eq!(lines.iter().map(|line| usize::from(line.index())).collect::<Vec<_>>(), naive.rolls());
        let line = lines[draw(lines.len())];
        (game.resolve(position, line), naive.rolled(usize::from(line.index())))
    }
}

/// Plays at random in both implementations, and notes which hash stands for which position.
fn play(game: &Dice, random: &mut Pcg32, hashes: &mut HashMap<PositionHash, Naive>) {
    let mut position = game.initial();
    let mut naive = Naive::new(game.rules());
    loop {
        compare(game, &position, &naive);
        let same = hashes.entry(game.hash(&position)).or_insert_with(|| naive.clone());
        assert_eq!(*same, naive);
        if game.kind(&position) == NodeKind::Terminal {
            return;
        }
        (position, naive) = step(game, &position, &naive, random);
    }
}

#[test]
fn random_plays_agree_with_the_naive_implementation() {
    for size in 2..=8 {
        for run in 2..=size {
            for full_line in [FullLine::Reroll, FullLine::Pass] {
                let game = dice(size, run, full_line);
                let mut hashes = HashMap::new();
                for seed in 0..40 {
                    play(&game, &mut Pcg32::seed_from_u64(seed), &mut hashes);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Random play ends early and seldom shows long runs; boards filled at random show all of them.
    #[test]
    fn crowded_boards_agree_with_the_naive_implementation(
        size in 2u8..=8,
        run_seed in any::<u8>(),
        keys in prop::collection::vec(any::<u64>(), 64),
        empty in 1usize..6,
    ) {
        let rules = Rules::new(size, 2 + run_seed % (size - 1), FullLine::Reroll).unwrap();
        let game = Dice::new(rules);
        let mut naive = Naive::new(&rules);
        let mut order: Vec<usize> = (0..naive.cells.len()).collect();
        order.sort_by_key(|&cell| keys[cell]);
        let placed = naive.cells.len().saturating_sub(empty);
        for (turn, &cell) in order[..placed].iter().enumerate() {
            naive.cells[cell] = turn % 2;
        }
        naive.to_act = placed % 2;
        match (game.parse(&text_of(&naive)), naive.result()) {
            (Ok(position), None) => compare(&game, &position, &naive),
            (Err(_), Some(_)) => {}
            (read, result) => {
                let text = text_of(&naive);
                prop_assert!(false, "{text} was read as {read:?}, result {result:?}");
            }
        }
    }
}

/// The notation, written by the naive implementation.
fn text_of(naive: &Naive) -> String {
    let row = |cells: &[usize]| cells.iter().map(|&cell| ["x", "o", "."][cell]).collect::<String>();
    let rows: Vec<String> = naive.cells.chunks(naive.size).map(row).collect();
    format!("{} {} -", rows.join("/"), ["x", "o"][naive.to_act])
}

/// How many lines of exactly `depth` plies there are; `known` keeps what was counted before rolls.
fn lines_of_play(position: &Naive, depth: u32, known: &mut HashMap<(Naive, u32), u64>) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.result().is_some() {
        return 0;
    }
    if position.roll.is_some() {
        let moves = position.moves();
        // The last ply need not be made.
        if depth == 1 {
            return moves.len() as u64;
        }
        let after = moves.into_iter().map(|cell| position.placed(cell));
        return after.map(|after| lines_of_play(&after, depth - 1, known)).sum();
    }
    let key = (position.clone(), depth);
    if let Some(&lines) = known.get(&key) {
        return lines;
    }
    let after = position.rolls().into_iter().map(|line| position.rolled(line));
    let lines = after.map(|after| lines_of_play(&after, depth - 1, known)).sum();
    known.insert(key, lines);
    lines
}

/// Rules, a position, a depth, and the lines of exactly so many plies, a move and an outcome being a ply
/// each.
const PERFT: [(&str, &str, u32, u64); 26] = [
    ("size=2,run=2", "../.. x -", 6, 24),
    ("size=2,run=2,full-line=pass", "../.x o -", 5, 2),
    ("size=3,run=2", ".../.../... x -", 5, 216),
    ("size=3,run=2", ".../.../... x -", 9, 1_584),
    ("size=3,run=3", ".../.../... x -", 7, 1_494),
    ("size=3,run=3", ".../.../... x -", 12, 54_720),
    ("size=3,run=3", ".../.../... x -", 15, 176_256),
    ("size=3,run=3,full-line=pass", ".../.../... x -", 12, 62_208),
    ("size=3,run=3,full-line=pass", "x.x/oxo/... o -", 13, 816),
    ("size=3,run=3", "x.o/.../..x o c2", 9, 180),
    ("size=4,run=3", "..../..../..../.... x -", 11, 2_002_176),
    ("size=4,run=3", "..../.x../..o./.... x r3", 9, 45_260),
    ("size=4,run=4,full-line=pass", "xoxo/..o./x.../ox.x o c1", 12, 15_012),
    ("size=4,run=4", "xoxo/..o./x.../ox.x o -", 12, 2_640),
    ("size=4,run=2", "..../..../..../.... x -", 9, 73_408),
    ("size=5,run=4", "...../...../...../...../..... x -", 4, 600),
    ("size=5,run=4", "...../...../...../...../..... x -", 8, 303_600),
    ("size=5,run=4", ".xoxx/xoo.o/.oxx./o.x../.xo.. o -", 13, 248_976),
    ("size=5,run=4", "x.o.o/..x../..o../..x../..... x -", 12, 19_127_136),
    ("size=5,run=3,full-line=pass", "x...o/xo.../ox..o/o...x/x.x.. o c3", 9, 32_827),
    ("size=5,run=5", "xxxx./oo.oo/..x../.oxo./x.x.o o c1", 13, 33_600),
    ("size=6,run=4", "....../....../....../....../....../...... x -", 7, 257_040),
    ("size=6,run=3", "....../..x.../.o..../....../...x../...... o c4", 7, 147_870),
    (
        "size=7,run=6,full-line=pass",
        "......./......./......./......./......./......./....... x -",
        6,
        110_544,
    ),
    (
        "size=8,run=5",
        "......../.x....o./..x..o../...xo.../......../...o.x../......../........ x r5",
        6,
        163_296,
    ),
    (
        "size=8,run=5",
        "......../......../......../......../......../......../......../........ x -",
        6,
        249_984,
    ),
];

#[test]
fn lines_of_play_are_as_many_as_the_naive_implementation_has() {
    for (rules, text, depth, lines) in PERFT {
        let game = Dice::new(rules.parse().unwrap());
        let position = game.parse(text).unwrap();
        let naive = lines_of_play(&Naive::read(game.rules(), text), depth, &mut HashMap::new());
        let found = perft(&game, &position, depth, &mut || true);
        assert_eq!((naive, found), (lines, Some(lines)), "{rules}: {text}, {depth} plies");
    }
    let most = PERFT.map(|(.., lines)| lines).into_iter().max();
    assert!(most > Some(10_000_000), "{most:?}");
}

/// What an unfinished position is worth: always the same for the first player, or by the runs.
#[derive(Clone, Copy, Debug)]
enum Evaluation {
    Constant(i32),
    Runs,
}

/// The scores from even to a certain win.
const STEPS: i64 = (1 << 23) - 1;

impl Evaluation {
    /// For the player who is to act.
    fn of(self, position: &Naive) -> i64 {
        let weight = |player| {
            let count = |short| position.groups(player, position.run - short) as i64;
            count(2) + 4 * count(1)
        };
        match self {
            Evaluation::Constant(score) if position.to_act == 0 => i64::from(score),
            Evaluation::Constant(score) => -i64::from(score),
            Evaluation::Runs => {
                let lead = weight(position.to_act) - weight(1 - position.to_act);
                lead.clamp(-63, 63) * (STEPS / 64)
            }
        }
    }
}

/// The score for the player who is to act, each mean being rounded to the nearest, halves away from zero.
fn naive_score(position: &Naive, depth: u32, evaluation: Evaluation) -> i64 {
    if let Some(result) = position.result() {
        return i64::from(result) * if position.to_act == 0 { STEPS } else { -STEPS };
    }
    if depth == 0 {
        return evaluation.of(position);
    }
    if position.roll.is_some() {
        let after = position.moves().into_iter().map(|cell| position.placed(cell));
        return after.map(|after| -naive_score(&after, depth - 1, evaluation)).max().expect("a move");
    }
    let rolls = position.rolls();
    let scores = rolls.iter().map(|&line| naive_score(&position.rolled(line), depth - 1, evaluation));
    let (sum, count) = (scores.sum::<i64>(), rolls.len() as i64);
    sum.signum() * ((2 * sum.abs() + count) / (2 * count))
}

/// What every algorithm finds.
fn found_scores(game: &Dice, position: &Position, depth: u32, evaluator: &Blind<Dice>) -> Vec<Bounds> {
    let all = [Algorithm::Expectimax, Algorithm::Star1, Algorithm::Star2, Algorithm::Star2Tt];
    let search = |algorithm| {
        let table = LocklessTable::new(1).unwrap();
        let builder = Searcher::builder(game.clone(), evaluator.clone()).table(&table);
        let searcher = builder.algorithm(algorithm).limits(Limits::depth(depth)).build().unwrap();
        searcher.search(position).unwrap().bounds
    };
    all.map(search).to_vec()
}

#[test]
fn scores_are_those_of_the_naive_implementation() {
    for (rules, text, depth) in [
        ("size=2,run=2", "../.. x -", 8),
        ("size=2,run=2,full-line=pass", "../.x o c2", 9),
        ("size=3,run=2", ".../.../... x -", 6),
        ("size=3,run=3", "x.o/.../..x o -", 8),
        ("size=3,run=3,full-line=pass", "x.x/oxo/... o -", 7),
        ("size=4,run=3", "..../.x../..o./.... x r3", 5),
        ("size=4,run=4,full-line=pass", "xoxo/..o./x.../ox.x o c1", 7),
        ("size=5,run=4", ".xoxx/xoo.o/.oxx./o.x../.xo.. o -", 6),
        ("size=5,run=4", "x.o.o/..x../..o../..x../..... x -", 4),
        ("size=6,run=3", "....../..x.../.o..../....../...x../...... o c4", 3),
        ("size=8,run=5", "......../.x....o./..x..o../...xo.../......../...o.x../......../........ x r5", 3),
    ] {
        let game = Dice::new(rules.parse().unwrap());
        let (position, naive) = (game.parse(text).unwrap(), Naive::read(game.rules(), text));
        for evaluation in [Evaluation::Constant(0), Evaluation::Constant(-1_234_567), Evaluation::Runs] {
            let score = naive_score(&naive, depth, evaluation) as i32;
            let evaluator = match evaluation {
                Evaluation::Constant(score) => Blind::of(Constant::new(score)),
                Evaluation::Runs => Blind::of(RunCount),
            };
            let found = found_scores(&game, &position, depth, &evaluator);
            let told = format!("{rules}: {text}, {depth} plies, {evaluation:?}: {found:?}, expected {score}");
            assert!(found.into_iter().all(|bounds| bounds == Bounds::exactly(score)), "{told}");
        }
    }
}
