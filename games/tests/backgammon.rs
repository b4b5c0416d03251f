//! Backgammon and hyper-backgammon against OpenSpiel, against GNU Backgammon, and against rules that are
//! written a second time, for clarity only.

use crate::erased::Erased;
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg32;
use serde_json::Value;
use starsplit::Searcher;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, Player, PositionHash, Texts};
use starsplit::score::Score;
use starsplit::search::{Limits, SearchDepth};
use starsplit_games::backgammon::{Backgammon, Move, Position, Roll, Scoring, Variant};
use starsplit_games::perft::perft;
use starsplit_games::{EvaluatorVisitor, KnownGame};
use starsplit_testkit::{Plays, check_game};
use std::collections::{HashMap, HashSet};
use std::fmt::Debug;

const GAMES: [(&str, Variant); 2] =
    [("backgammon", Variant::Backgammon), ("hyper-backgammon", Variant::Hyper)];

fn oracle(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn open_spiel() -> Value {
    oracle(include_str!("../oracles/backgammon.json"))
}

/// The checkers of both players, on the points as each counts them: 25 is the bar, 0 is off the board.
type Board = [[u8; 26]; 2];

fn board(game: &Backgammon, position: &Position) -> Board {
    [Player::Max, Player::Min].map(|player| {
        let mut side = [0; 26];
        for point in 1..=25 {
            side[usize::from(point)] = position.checkers(player, point);
        }
        side[0] = game.variant().checkers() - side.iter().sum::<u8>();
        side
    })
}

/// The board after one checker's step, if that is legal.
fn step(board: &Board, mover: usize, from: usize, die: usize) -> Option<Board> {
    let (own, other) = (&board[mover], &board[1 - mover]);
    if own[from] == 0 || (from != 25 && own[25] > 0) {
        return None;
    }
    let mut after = *board;
    after[mover][from] -= 1;
    if from > die {
        let (to, met) = (from - die, 25 - (from - die));
        if other[met] > 1 {
            return None;
        }
        after[mover][to] += 1;
        after[1 - mover][25] += other[met];
        after[1 - mover][met] = 0;
        return Some(after);
    }
    let all_home = own[7..].iter().all(|&count| count == 0);
    let none_farther = own[from + 1..].iter().all(|&count| count == 0);
    if !all_home || (from < die && !none_farther) {
        return None;
    }
    after[mover][0] += 1;
    Some(after)
}

/// Every way to play `dice` in this order, as far as it goes: the boards, by how many dice were played.
fn play_in_order(
    board: &Board,
    mover: usize,
    dice: &[usize],
    played: usize,
    found: &mut [HashSet<Board>; 5],
) {
    if !found[played].insert(*board) {
        return;
    }
    if let [die, rest @ ..] = dice {
        for after in (1..=25).filter_map(|from| step(board, mover, from, *die)) {
            play_in_order(&after, mover, rest, played + 1, found);
        }
    }
}

/// All boards that whole moves lead to.
fn boards_after(board: &Board, mover: usize, roll: Roll) -> HashSet<Board> {
    let (high, low) = (usize::from(roll.high()), usize::from(roll.low()));
    let orders = if high == low { vec![vec![high; 4]] } else { vec![vec![high, low], vec![low, high]] };
    let (mut best, mut most) = (HashSet::new(), None);
    for order in orders {
        let mut found = Default::default();
        play_in_order(board, mover, &order, 0, &mut found);
        let length = (0..5).rev().find(|&played| !found[played].is_empty());
        // As many dice as can be played; where it is but one, the higher, whose order comes first.
        if length > most {
            (most, best) = (length, HashSet::new());
        }
        if length == most && (length != Some(1) || best.is_empty()) {
            best.extend(length.map(|played| std::mem::take(&mut found[played])).unwrap_or_default());
        }
    }
    best
}

/// What the first player has won, once somebody has.
fn result(board: &Board, scoring: Scoring) -> Option<i32> {
    let winner = board.iter().position(|side| side[1..].iter().all(|&count| count == 0))?;
    let loser = &board[1 - winner];
    let points = match scoring {
        Scoring::WinLoss => 1,
        Scoring::Points if loser[0] > 0 => 1,
        Scoring::Points if loser[19..].iter().all(|&count| count == 0) => 2,
        Scoring::Points => 3,
    };
    Some(if winner == 0 { points } else { -points })
}

/// What an unfinished game is worth to the first player.
type Leaf = fn(&Board, Scoring) -> f64;

/// The first player's value before a roll of `mover`'s, searched to `depth` plies.
fn value_before_roll(board: &Board, mover: usize, depth: u32, of: (Leaf, Scoring)) -> f64 {
    let (leaf, scoring) = of;
    if let Some(points) = result(board, scoring) {
        return points.into();
    }
    if depth == 0 {
        return leaf(board, scoring);
    }
    let rolls = (1..=6).flat_map(|one| (1..=6).filter_map(move |other| Roll::new(one, other)));
    rolls.map(|roll| value_of_roll(board, mover, roll, depth - 1, of)).sum::<f64>() / 36.0
}

fn value_of_roll(board: &Board, mover: usize, roll: Roll, depth: u32, of: (Leaf, Scoring)) -> f64 {
    if depth == 0 {
        return of.0(board, of.1);
    }
    let boards = boards_after(board, mover, roll);
    let values = boards.iter().map(|after| value_before_roll(after, 1 - mover, depth - 1, of));
    values.reduce(if mover == 0 { f64::max } else { f64::min }).unwrap()
}

fn pips_value(board: &Board, scoring: Scoring) -> f64 {
    let [first, second] = board
        .map(|side| -> i32 { (1..).zip(&side[1..]).map(|(point, &count)| point * i32::from(count)).sum() });
    let most = if scoring == Scoring::Points { 3 * 64 - 1 } else { 63 };
    let lead = f64::from((second - first).clamp(-most, most)) / 64.0;
    let [to_win, to_lose] = allowed(board, scoring);
    lead.clamp(-to_lose, to_win)
}

/// What the first player may still win, and lose, in points.
fn allowed(board: &Board, scoring: Scoring) -> [f64; 2] {
    let rearmost = board.map(|side| side.iter().rposition(|&count| count > 0).unwrap());
    let can_hit = rearmost[0] + rearmost[1] > 25;
    [1, 0].map(|loser| match scoring {
        Scoring::WinLoss => 1.0,
        // A checker that is borne off stays off.
        Scoring::Points if board[loser][0] > 0 => 1.0,
        // Checkers come back to the winner's home board by hits alone.
        Scoring::Points if rearmost[loser] < 19 && !can_hit => 2.0,
        Scoring::Points => 3.0,
    })
}

/// GNU Backgammon's ID of a board, by its description.
fn gnu_id(board: &Board, on_roll: usize) -> String {
    let mut bits = Vec::new();
    for side in [&board[1 - on_roll], &board[on_roll]] {
        for &count in &side[1..] {
            bits.extend((0..count).map(|_| true));
            bits.push(false);
        }
    }
    bits.resize(84, false);
    // Base64 takes the highest bit of a byte first, the ID the lowest.
    let bit = |k: usize| bits[if k < 80 { k / 8 * 8 + 7 - k % 8 } else { k }];
    let digit = |k: usize| (0..6).fold(0, |digit, b| 2 * digit + u8::from(bit(6 * k + b)));
    let letter = |digit: u8| match digit {
        0..26 => b'A' + digit,
        26..52 => b'a' + digit - 26,
        52..62 => b'0' + digit - 52,
        62 => b'+',
        _ => b'/',
    };
    (0..14).map(|k| char::from(letter(digit(k)))).collect()
}

/// Random numbers, seeded.
struct Random(Pcg32);

impl Random {
    fn new(seed: u64) -> Self {
        Random(Pcg32::seed_from_u64(seed))
    }

    fn below(&mut self, end: usize) -> usize {
        ((u64::from(self.0.next_u32()) * end as u64) >> 32) as usize
    }
}

fn moves(game: &Backgammon, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(position, |mv| moves.push(mv));
    moves
}

/// Positions with a roll to be played, of plays from the start.
fn visit_plays(game: &Backgammon, plays: u32, seed: u64, mut visit: impl FnMut(&Position)) {
    let mut random = Random::new(seed);
    for _ in 0..plays {
        let mut position = game.initial();
        for _ in 0..400 {
            match game.kind(&position) {
                NodeKind::Terminal => break,
                NodeKind::Chance => {
                    let mut outcomes = Vec::new();
                    game.outcomes(&position, |outcome, _| outcomes.push(outcome));
                    position = game.resolve(&position, outcomes[random.below(outcomes.len())]);
                }
                NodeKind::Decision => {
                    visit(&position);
                    let moves = moves(game, &position);
                    position = game.play(&position, moves[random.below(moves.len())]);
                }
            }
        }
    }
}

/// A position in which everything may happen: some checkers of either side on any points, near home as often
/// as not.
fn scattered(game: &Backgammon, random: &mut Random) -> Position {
    loop {
        let mut board = [[0; 26]; 2];
        for side in &mut board {
            let reach = [3, 6, 8, 25][random.below(4)];
            for _ in 0..1 + random.below(game.variant().checkers().into()) {
                side[1 + random.below(reach)] += 1;
            }
        }
        let text = format!("{} x {}{}", gnu_id(&board, 0), 1 + random.below(6), 1 + random.below(6));
        if let Ok(position) = game.parse(&text) {
            return position;
        }
    }
}

/// Whether the moves are those of the plain rules, none twice, and what they lead to is whole.
fn check_moves(game: &Backgammon, position: &Position) {
    let at = game.notation(position);
    let (mut boards, mut texts) = (HashSet::new(), HashSet::new());
    for mv in moves(game, position) {
        let after = game.play(position, mv);
        assert!(boards.insert(board(game, &after)), "{at}: {mv:?} is there twice");
        assert_eq!(game.hash(&after), game.hash_from_scratch(&after), "{at}: {mv:?}");
        let text = game.move_text(position, mv);
        assert_eq!(game.parse_move(position, &text), Ok(mv), "{at}: {text}");
        assert!(texts.insert(text), "{at}: two moves have one text");
    }
    let expected = boards_after(&board(game, position), position.to_act() as usize, position.roll().unwrap());
    assert_eq!(boards, expected, "{at}");
}

#[test]
fn moves_are_those_of_the_plain_rules() {
    for (_, variant) in GAMES {
        let game = Backgammon::new(variant, Scoring::Points);
        visit_plays(&game, 20, 1, |position| check_moves(&game, position));
        let mut random = Random::new(2);
        for _ in 0..4000 {
            check_moves(&game, &scattered(&game, &mut random));
        }
    }
}

#[test]
fn the_game_keeps_the_contract() {
    for (_, variant) in GAMES {
        for scoring in [Scoring::Points, Scoring::WinLoss] {
            let game = Backgammon::new(variant, scoring);
            check_game(&game, &game.initial(), &Plays { games: 3, max_plies: 400, seed: 3 }).unwrap();
        }
    }
}

#[test]
fn perft_is_open_spiels() {
    let numbers = open_spiel();
    for (name, variant) in GAMES {
        let game = Backgammon::new(variant, Scoring::WinLoss);
        let (mut counts, mut largest) = (0, 0);
        for entry in numbers["perft"][name].as_array().unwrap() {
            let text = entry["position"].as_str().unwrap();
            let position = game.parse(text).unwrap();
            assert_eq!(game.notation(&position), text);
            for (depth, lines) in (1..).zip(entry["lines"].as_array().unwrap()) {
                let lines = lines.as_u64().unwrap();
                assert_eq!(
                    perft(&game, &position, depth, &mut || true),
                    Some(lines),
                    "{text}, {depth} plies"
                );
                (counts, largest) = (counts + 1, largest.max(lines));
            }
        }
        assert!(counts >= 20 && largest > 10_000_000, "{name}: {counts} counts to {largest}");
    }
}

/// The first player's value by a search to a depth.
fn searched(game: &Backgammon, position: Position, evaluator: &str, depth: SearchDepth) -> f64 {
    let evaluator = Erased::named(game, evaluator, 1).unwrap();
    let limits = Limits { depth, ..Limits::unbounded() };
    let searcher = Searcher::builder(game.clone(), evaluator).table_mib(4).limits(limits.clone());
    let searcher = searcher.build().unwrap();
    let score = searcher.search(&position).unwrap().score().unwrap();
    let is_first = game.player(&position) == Player::Max;
    let value = game.facts().grid.value(if is_first { score } else { -score });
    // Shares of wins, gammons and backgammons add up to it, with what open games are worth.
    let write = |leaf: &Position, numbers: &mut [f64]| shares(game, searcher.evaluator(), leaf, numbers);
    let found =
        searcher.request(&position).limits(limits.clone()).expectation(8, write).unwrap().unwrap().payload;
    let points = [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0];
    let mean: f64 = found[7] + found.iter().zip(points).map(|(share, points)| share * points).sum::<f64>();
    assert!((mean - value).abs() < 1e-5, "{found:?} come to {mean}, not {value}");
    assert!((found[..7].iter().sum::<f64>() - 1.0).abs() < 1e-9, "{found:?}");
    value
}

/// One in the place of what has been won, from three points lost to three points won, or of games that are
/// open, and what an open one is worth.
fn shares(
    game: &Backgammon,
    evaluator: &Erased<Backgammon, true, true>,
    leaf: &Position,
    numbers: &mut [f64],
) {
    let for_max = |score: Score| if game.player(leaf) == Player::Max { score } else { -score };
    let grid = game.facts().grid;
    if game.kind(leaf) == NodeKind::Terminal {
        let won = grid.value(for_max(game.terminal_score(leaf))).round() as i32;
        numbers[(if won < 0 { won + 3 } else { won + 2 }) as usize] = 1.0;
    } else {
        let state = evaluator.state(game, leaf, None);
        let limit = grid.limit();
        let score = evaluator.evaluate(game, leaf, &state).clamp(-limit, limit);
        (numbers[6], numbers[7]) = (1.0, grid.value(for_max(score)));
    }
}

#[test]
fn values_are_open_spiels() {
    let game = Backgammon::new(Variant::Backgammon, Scoring::WinLoss);
    let numbers = open_spiel();
    let values = numbers["values"].as_array().unwrap();
    assert!(values.len() >= 40);
    for entry in values {
        let (text, evaluator) = (entry["position"].as_str().unwrap(), entry["evaluator"].as_str().unwrap());
        let (depth, expected) = (entry["depth"].as_u64().unwrap() as u32, entry["value"].as_f64().unwrap());
        let value = searched(&game, game.parse(text).unwrap(), evaluator, depth.into());
        assert!(
            (value - expected).abs() < 1e-6,
            "{text}, {evaluator}, {depth} plies: {value}, not {expected}"
        );
    }
}

#[test]
fn values_are_those_of_a_plain_recursion() {
    let evaluators: [(&str, Leaf); 2] = [("pips", pips_value), ("constant", |_, _| 0.0)];
    let cases = GAMES.into_iter().flat_map(|game| evaluators.map(|evaluator| (game, evaluator)));
    for ((name, variant), (evaluator, leaf)) in cases {
        for scoring in [Scoring::Points, Scoring::WinLoss] {
            let game = Backgammon::new(variant, scoring);
            let mut random = Random::new(5);
            for _ in 0..10 {
                let position = scattered(&game, &mut random);
                let (sides, roll) = (board(&game, &position), position.roll().unwrap());
                let at = format!("{name} {}, {evaluator}", game.notation(&position));
                for depth in 1..=2 {
                    let expected = value_of_roll(&sides, 0, roll, depth, (leaf, scoring));
                    let value = searched(&game, position, evaluator, depth.into());
                    assert!((value - expected).abs() < 1e-6, "{at}, {depth}: {value}, not {expected}");
                }
                let before = game.parse(&format!("{} x -", gnu_id(&sides, 0))).unwrap();
                let expected = value_before_roll(&sides, 0, 2, (leaf, scoring));
                let value = searched(&game, before, evaluator, 2.into());
                assert!((value - expected).abs() < 1e-6, "{at}: {value}, not {expected}");
            }
        }
    }
}

/// What an evaluator says of positions, as the first player sees them.
struct Evaluate<'a>(&'a Backgammon, &'a [Position]);

impl EvaluatorVisitor<Backgammon> for Evaluate<'_> {
    type Output = Vec<f64>;

    fn visit<E: Evaluator<Backgammon> + Clone + Debug + 'static>(self, evaluator: E) -> Vec<f64> {
        let Evaluate(game, positions) = self;
        let states: Vec<_> = positions.iter().map(|position| evaluator.state(game, position, None)).collect();
        let nodes: Vec<_> = positions.iter().zip(&states).collect();
        let mut scores = vec![0; nodes.len()];
        evaluator.evaluate_many(game, &nodes, &mut scores).unwrap();
        let value = |((position, state), score)| {
            assert_eq!(evaluator.evaluate(game, position, state), score, "alone, and among others");
            game.facts().grid.value(if game.player(position) == Player::Max { score } else { -score })
        };
        nodes.into_iter().zip(scores).map(value).collect()
    }
}

#[test]
fn a_gammon_is_told_only_while_it_can_be() {
    let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
    for text in ["mxmAQ4PbAQAAAA x -", "mxmAQ4PbAQAAAA o -", "mxmAQ4PbAQAAAA x 31"] {
        let position = game.parse(text).unwrap();
        assert_eq!(allowed(&board(&game, &position), Scoring::Points), [1.0, 1.0], "{text}");
        for evaluator in ["network", "mlp", "pips"] {
            let value = game.visit_evaluator(evaluator, 1, Evaluate(&game, &[position])).unwrap()[0];
            assert!(value.abs() <= 1.0, "{evaluator} of {text}: {value}");
        }
    }
}

/// Plays at random to the end, and tells what the first player has won.
fn played_out(game: &Backgammon, mut position: Position, random: &mut Random) -> f64 {
    loop {
        let mut outcomes = Vec::new();
        position = match game.kind(&position) {
            NodeKind::Terminal => return result(&board(game, &position), game.scoring()).unwrap().into(),
            NodeKind::Chance => {
                game.outcomes(&position, |outcome, _| outcomes.push(outcome));
                game.resolve(&position, outcomes[random.below(outcomes.len())])
            }
            NodeKind::Decision => {
                let moves = moves(game, &position);
                game.play(&position, moves[random.below(moves.len())])
            }
        }
    }
}

#[test]
fn evaluations_stay_within_what_the_rules_allow() {
    for (name, variant) in GAMES {
        for scoring in [Scoring::Points, Scoring::WinLoss] {
            let game = Backgammon::new(variant, scoring);
            let mut random = Random::new(11);
            let mut positions: Vec<_> = (0..1500).map(|_| scattered(&game, &mut random)).collect();
            visit_plays(&game, 6, 12, |position| positions.push(*position));
            let all: Vec<_> = positions.iter().map(|at| allowed(&board(&game, at), scoring)).collect();

            // What play leads to from there is within the same ends, and comes to either.
            let mut met = HashSet::new();
            for (position, [to_win, to_lose]) in positions.iter().zip(&all).step_by(3) {
                let value = played_out(&game, *position, &mut random);
                assert!((-to_lose..=*to_win).contains(&value), "{name} {}", game.notation(position));
                met.insert((value as i32, [*to_win as i32, *to_lose as i32]));
            }
            let is_reached = |most| {
                met.iter().any(|&(v, [w, _])| (v, w) == (most, most))
                    && met.iter().any(|&(v, [_, l])| (-v, l) == (most, most))
            };
            let most = if scoring == Scoring::Points { 3 } else { 1 };
            assert!((1..=most).all(is_reached), "{name}: {met:?}");

            let mut evaluators = vec!["network", "pips", "constant"];
            if (variant, scoring) == (Variant::Backgammon, Scoring::Points) {
                evaluators.push("mlp");
            }
            for evaluator in evaluators {
                let values = game.visit_evaluator(evaluator, 1, Evaluate(&game, &positions)).unwrap();
                for ((position, [to_win, to_lose]), value) in positions.iter().zip(&all).zip(values) {
                    let at = game.notation(position);
                    assert!((-to_lose..=*to_win).contains(&value), "{name}, {evaluator} of {at}: {value}");
                }
            }
        }
    }
}

/// What the first player's moves are worth when the last checker is borne off by either side, the other's
/// being on these points; searched, so that the players' viewpoints count.
fn value_of_bearing_off(game: &Backgammon, mover: usize, loser: [u8; 26]) -> f64 {
    let mut winner = [0; 26];
    winner[2] = 1;
    let sides = if mover == 0 { [winner, loser] } else { [loser, winner] };
    let position = game.parse(&format!("{} {} 65", gnu_id(&sides, mover), ["x", "o"][mover])).unwrap();
    searched(game, position, "constant", 1.into())
}

#[test]
fn gammons_and_backgammons_count_unless_the_rules_say_otherwise() {
    for (name, variant) in GAMES {
        for (point, points) in [(18, 2.0), (19, 3.0), (24, 3.0), (25, 3.0), (3, 2.0)] {
            for borne_off in 0..2 {
                let mut loser = [0; 26];
                loser[point] = 1;
                loser[7] = variant.checkers() - 1 - borne_off;
                for mover in 0..2 {
                    let value =
                        |scoring| value_of_bearing_off(&Backgammon::new(variant, scoring), mover, loser);
                    let sign = if mover == 0 { 1.0 } else { -1.0 };
                    let expected = if borne_off == 0 { points } else { 1.0 };
                    assert_eq!(value(Scoring::Points), sign * expected, "{name}, a checker on {point}");
                    assert_eq!(value(Scoring::WinLoss), sign, "{name}, a checker on {point}");
                }
            }
        }
    }
}

/// The value in points, for the player on roll, of a position from which play soon ends.
fn value_to_the_end(game: &Backgammon, position: &Position, known: &mut HashMap<PositionHash, f64>) -> f64 {
    if let Some(&value) = known.get(&game.hash(position)) {
        return value;
    }
    let value = match game.kind(position) {
        NodeKind::Terminal => game.facts().grid.value(game.terminal_score(position)),
        NodeKind::Decision => {
            let value = |mv| -value_to_the_end(game, &game.play(position, mv), known);
            moves(game, position).into_iter().map(value).reduce(f64::max).unwrap()
        }
        NodeKind::Chance => {
            let mut sum = 0.0;
            game.outcomes(position, |outcome, weight| {
                let after = game.resolve(position, outcome);
                sum += f64::from(weight) * value_to_the_end(game, &after, known);
            });
            sum / 36.0
        }
    };
    known.insert(game.hash(position), value);
    value
}

#[test]
fn bear_offs_are_worth_what_gnu_backgammon_says() {
    let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
    let numbers = oracle(include_str!("../oracles/gnubg_bearoff.json"));
    let positions = numbers["positions"].as_array().unwrap();
    assert_eq!(positions.len(), 200);
    let mut known = HashMap::new();
    for entry in positions {
        let (id, expected) = (entry["id"].as_str().unwrap(), entry["equity"].as_f64().unwrap());
        let position = game.parse(id).unwrap();
        assert_eq!(game.notation(&position), format!("{id} x -"));
        let value = value_to_the_end(&game, &position, &mut known);
        // Four digits were printed of a file's 16 bits.
        assert!((value - expected).abs() < 1.5e-4, "{id}: {value}, not {expected}");
    }
    for (place, entry) in positions.iter().enumerate() {
        let position = game.parse(entry["id"].as_str().unwrap()).unwrap();
        let expected = value_to_the_end(&game, &position, &mut known);
        let value = |depth| searched(&game, position, "pips", depth);
        assert!((value(SearchDepth::ToTheEnd) - expected).abs() < 1e-5, "to the end: {expected}");
        if place < 5 {
            assert_eq!(value(30.into()), value(SearchDepth::ToTheEnd));
        }
    }
}

#[test]
fn notations_are_read_back() {
    for (_, variant) in GAMES {
        let game = Backgammon::new(variant, Scoring::Points);
        visit_plays(&game, 5, 7, |position| {
            let text = game.notation(position);
            assert_eq!(game.parse(&text).as_ref(), Ok(position), "{text}");
            assert!(text.starts_with(&gnu_id(&board(&game, position), position.to_act() as usize)), "{text}");
        });
        assert_eq!(game.notation(&game.initial()), "start");
        assert_eq!(game.parse("start"), Ok(game.initial()));
    }
}

/// A text with up to three characters changed.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(3) {
        let at = random.below(text.len());
        let new = ['A', 'g', '/', '+', ' ', 'x', 'o', '?', '-', '7', '1', 'é', '\n', '\0'][random.below(14)];
        match random.below(4) {
            0 if text.len() > 1 => drop(text.remove(at)),
            1 => text.insert(at, new),
            2 => text.extend_from_within(at..),
            _ => text[at] = new,
        }
    }
    text.into_iter().collect()
}

#[test]
fn bad_notations_are_told_in_a_line() {
    let mut random = Random::new(8);
    for (_, variant) in GAMES {
        let game = Backgammon::new(variant, Scoring::Points);
        let mut texts = vec!["start".to_owned()];
        visit_plays(&game, 1, 9, |position| texts.push(game.notation(position)));
        let mut refused = 0;
        for _ in 0..10_000 {
            let text = mutated(&texts[random.below(texts.len())], &mut random);
            match game.parse(&text) {
                Ok(position) => {
                    assert_eq!(game.parse(&game.notation(&position)), Ok(position), "{text:?}");
                    assert_eq!(game.draw(&position).lines().count(), 16, "{text:?}");
                }
                Err(error) => {
                    refused += 1;
                    let told = error.to_string();
                    assert!(told.contains("expected") && told.lines().count() == 1, "{text:?}: {told}");
                }
            }
        }
        assert!((5000..10_000).contains(&refused), "{refused}");
    }
}
