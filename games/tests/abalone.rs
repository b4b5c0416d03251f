//! Abalone against abalone-boai and against a board of cube coordinates.

use crate::erased::Seeing;
use crate::known_game::searcher_by;
use crate::mutations::Random;
use crate::readers::check_reader;
use serde_json::Value;
use starsplit::evaluator::Evaluator;
use starsplit::game::{Game, NodeKind, Player, Texts};
use starsplit::score::Score;
use starsplit::search::Algorithm;
use starsplit_games::abalone::{Abalone, INFO, Move, Position};
use starsplit_games::{EvaluatorVisitor, KnownGame, perft};
use starsplit_testkit::{Plays, check_evaluator, check_game};
use std::collections::HashMap;

const STARTS: [&str; 3] = ["start=standard", "start=belgian", "start=german"];

fn open(rules: &str) -> Abalone {
    Abalone::open(&INFO, rules).unwrap()
}

fn oracle() -> Vec<Value> {
    let oracle: Value = serde_json::from_str(include_str!("../oracles/abalone.json")).unwrap();
    oracle["perft"].as_array().unwrap().clone()
}

fn moves(game: &Abalone, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    game.moves(position, |mv| moves.push(mv));
    moves
}

#[test]
fn lines_of_play_are_as_many_as_abalone_boai_counts() {
    let game = open("");
    let (mut compared, mut most) = (0, 0);
    for entry in oracle() {
        let position = game.parse(entry["position"].as_str().unwrap()).unwrap();
        for (depth, count) in (1..).zip(entry["counts"].as_array().unwrap()) {
            let lines = perft::perft(&game, &position, depth, &mut || true);
            assert_eq!(lines, count.as_u64(), "{} depth {depth}", entry["position"]);
            (compared, most) = (compared + 1, most.max(count.as_u64().unwrap()));
        }
    }
    assert!(compared >= 20 && most > 10_000_000, "{compared} counts, the largest {most}");
}

#[test]
fn the_starts_are_those_that_the_counts_are_of() {
    for entry in oracle().iter().take(3) {
        let game = open(&format!("start={}", entry["start"].as_str().unwrap()));
        assert_eq!(Some(&*game.notation(&game.initial())), entry["position"].as_str());
    }
    let lines = |start, depth| {
        let game = open(start);
        perft::perft(&game, &game.initial(), depth, &mut || true)
    };
    assert_eq!(STARTS.map(|start| lines(start, 2)), [Some(1_936), Some(2_692), Some(6_244)]);
}

/// Cube coordinates of a field; they add up to 0, and none is beyond 4 on the board.
type Cube = [i32; 3];

const STEPS: [Cube; 6] = [[1, -1, 0], [1, 0, -1], [0, 1, -1], [-1, 1, 0], [-1, 0, 1], [0, -1, 1]];

fn moved(at: Cube, step: Cube, times: i32) -> Cube {
    std::array::from_fn(|i| at[i] + step[i] * times)
}

fn distance(at: Cube) -> i32 {
    at.map(i32::abs).into_iter().max().unwrap()
}

/// The rules once more: a map from fields to owners, and every group of marbles tried in every direction.
#[derive(Clone, Debug, PartialEq)]
struct Cubes {
    owners: HashMap<Cube, char>,
    to_move: char,
}

impl Cubes {
    /// Reads the rows from the top: the i-th row from the top has third coordinate i - 4.
    fn read(text: &str) -> Cubes {
        let (board, to_move) = text.split_once(' ').unwrap();
        let mut owners = HashMap::new();
        for (row, signs) in (-4..).zip(board.split('/')) {
            let first = (-4).max(-4 - row);
            for (x, sign) in (first..).zip(signs.chars()) {
                owners.insert([x, -x - row, row], sign);
            }
        }
        assert_eq!(owners.len(), 61);
        Cubes { owners, to_move: to_move.chars().next().unwrap() }
    }

    fn write(&self) -> String {
        let row =
            |row: i32| -> String { (-4..=4).filter_map(|x| self.owners.get(&[x, -x - row, row])).collect() };
        format!("{} {}", (-4..=4).map(row).collect::<Vec<_>>().join("/"), self.to_move)
    }

    fn other(&self) -> char {
        if self.to_move == 'b' { 'w' } else { 'b' }
    }

    fn marbles(&self, owner: char) -> Vec<Cube> {
        self.owners.iter().filter(|(_, sign)| **sign == owner).map(|(at, _)| *at).collect()
    }

    /// The board with these marbles moved, if they may go there.
    fn try_move(&self, group: &[Cube], step: Cube) -> Option<Cubes> {
        let mut after = self.clone();
        after.owners.extend(group.iter().map(|at| (*at, '.')));
        for at in group {
            let mut to = moved(*at, step, 1);
            // Only a group in line with the step leaves other marbles in a row before it.
            let mut pushed = 0;
            while after.owners.get(&to) == Some(&self.other()) && !group.contains(&to) {
                pushed += 1;
                to = moved(to, step, 1);
            }
            let along = group.len() > 1 && moved(group[0], step, 1) == group[1];
            let is_front = group.last() == Some(at);
            let may_push = along && is_front && pushed < group.len();
            match after.owners.get(&to) {
                _ if pushed > 0 && !may_push => return None,
                None if pushed == 0 => return None,
                Some('.') if pushed > 0 => {
                    after.owners.insert(to, self.other());
                }
                Some('.') | None => {}
                Some(_) => return None,
            }
        }
        after.owners.extend(group.iter().map(|at| (moved(*at, step, 1), self.to_move)));
        after.to_move = self.other();
        Some(after)
    }

    /// Every position that a move leads to. A group is told once along its line, from back to front, and once
    /// for every direction across.
    fn successors(&self) -> Vec<Cubes> {
        let mut after = Vec::new();
        for back in self.marbles(self.to_move) {
            for (direction, line) in STEPS.into_iter().enumerate() {
                let own = |i: i32| self.owners.get(&moved(back, line, i)) == Some(&self.to_move);
                for length in (1..=3).take_while(|&length| (0..length).all(own)) {
                    let group: Vec<_> = (0..length).map(|i| moved(back, line, i)).collect();
                    // Along the line the whole row in front moves, so it must end where the group does.
                    if !own(length) {
                        after.extend(self.try_move(&group, line));
                    }
                    let across =
                        STEPS.into_iter().filter(|&step| step != line && step != moved([0; 3], line, -1));
                    if length > 1 && direction < 3 {
                        after.extend(across.filter_map(|step| self.try_move(&group, step)));
                    }
                }
            }
        }
        after
    }

    /// The lead of the player to move in shares of 640, by an evaluator's name.
    fn lead(&self, name: &str) -> i32 {
        let (mut marbles, mut near, mut ordered_pairs) = (0, 0, 0);
        for (&at, &owner) in self.owners.iter().filter(|(_, owner)| **owner != '.') {
            let side = if owner == self.to_move { 1 } else { -1 };
            let is_same = |step: &&Cube| self.owners.get(&moved(at, **step, 1)) == Some(&owner);
            marbles += side;
            near += side * (4 - distance(at));
            ordered_pairs += side * STEPS.iter().filter(is_same).count() as i32;
        }
        match name {
            "cohesion" => 64 * marbles + 4 * near + ordered_pairs,
            "centre" => 64 * marbles + 4 * near,
            "marbles" => 64 * marbles,
            _ => 0,
        }
    }

    /// Negamax, in shares.
    fn value(&self, depth: u32, name: &str) -> i32 {
        let own = self.marbles(self.to_move);
        let is_free =
            |at: &Cube| STEPS.iter().any(|step| self.owners.get(&moved(*at, *step, 1)) == Some(&'.'));
        if own.len() <= 8 || (!own.iter().any(is_free) && self.successors().is_empty()) {
            return -LIMIT;
        }
        if depth == 0 {
            return self.lead(name) * (LIMIT / 640);
        }
        self.successors().iter().map(|after| -after.value(depth - 1, name)).max().unwrap()
    }
}

const LIMIT: Score = starsplit::score::MAX_LIMIT;

/// The positions of random plays, in which marbles are taken where they can be.
fn positions(start: &str, games: u64, plies: usize) -> Vec<Position> {
    let game = open(start);
    let mut met = Vec::new();
    for seed in 0..games {
        let (mut random, mut position) = (Random::new(seed), game.initial());
        met.push(position.clone());
        for _ in 0..plies {
            if game.kind(&position) == NodeKind::Terminal {
                break;
            }
            let moves = moves(&game, &position);
            // Those that take come first.
            let among = if random.below(3) > 0 { moves.len().min(4) } else { moves.len() };
            position = game.play(&position, moves[random.below(among)]);
            met.push(position.clone());
        }
    }
    met
}

#[test]
fn moves_lead_where_the_cubes_say() {
    let game = open("");
    let mut compared = 0;
    for start in STARTS {
        for position in positions(start, 3, 120).iter().step_by(5) {
            let text = game.notation(position);
            let cubes = Cubes::read(&text);
            assert_eq!(cubes.write(), text);
            if game.kind(position) == NodeKind::Terminal {
                continue;
            }
            let mut expected: Vec<_> = cubes.successors().iter().map(Cubes::write).collect();
            let after = |mv| game.notation(&game.play(position, mv));
            let mut found: Vec<_> = moves(&game, position).into_iter().map(after).collect();
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{text}");
            compared += found.len();
        }
    }
    assert!(compared > 2_000, "{compared}");
}

fn searched(
    game: &Abalone,
    evaluator: Seeing<Abalone>,
    position: &Position,
    depth: u32,
    algorithm: Algorithm,
) -> Score {
    let searcher = searcher_by(game, evaluator, depth, algorithm);
    let found = searcher.search(position).unwrap().bounds;
    assert!(found.is_exact());
    found.lower
}

#[test]
fn values_are_those_of_the_cubes() {
    let game = open("");
    let (mut compared, mut ended) = (0, 0);
    for (i, start) in STARTS.into_iter().enumerate() {
        let all = positions(start, 4, 400);
        let end = all.iter().position(|at| game.kind(at) == NodeKind::Terminal).unwrap();
        let chosen = [0, end / 2, end - 1].map(|i| all[i].clone());
        for (j, position) in chosen.into_iter().enumerate() {
            let cubes = Cubes::read(&game.notation(&position));
            for name in ["cohesion", "centre", "marbles", "constant"] {
                let depth = if name == "cohesion" && i + j == 0 { 3 } else { 2 };
                let expected = cubes.value(depth, name);
                for algorithm in [Algorithm::Expectimax, Algorithm::Star2Tt] {
                    let evaluator = Seeing::named(&game, name, 0).unwrap();
                    let found = searched(&game, evaluator, &position, depth, algorithm);
                    assert_eq!(found, expected, "{} {name} {depth}", game.notation(&position));
                }
                compared += 1;
                ended += u32::from(expected.abs() == LIMIT);
            }
        }
    }
    assert!(compared >= 20 && ended > 0, "{compared} values, {ended} of them won or lost");
}

#[test]
fn the_contracts_are_kept() {
    struct Check<'a>(&'a Abalone, Plays);
    impl EvaluatorVisitor<Abalone> for Check<'_> {
        type Output = u64;

        fn visit<E: Evaluator<Abalone>>(self, evaluator: E) -> u64 {
            check_evaluator(self.0, &evaluator, &self.0.initial(), &self.1).unwrap().evaluations
        }
    }
    for start in STARTS {
        let game = open(start);
        let plays = Plays { games: 4, max_plies: 400, seed: 1 };
        let report = check_game(&game, &game.initial(), &plays).unwrap();
        assert!(report.decisions > 1_000 && report.chances == 0, "{start}: {report}");
        let plays = Plays { games: 2, max_plies: 200, seed: 2 };
        for name in ["cohesion", "centre", "marbles", "constant"] {
            let evaluations = game.visit_evaluator(name, 0, Check(&game, plays)).unwrap();
            assert!(evaluations > 1_000, "{start}: {evaluations}");
        }
    }
    // Near the end of a game, where plays reach terminals.
    let near = positions("", 20, 400);
    let late = near.iter().find(|at| game_is_late(at)).unwrap();
    let game = open("");
    let report = check_game(&game, late, &Plays { games: 20, max_plies: 200, seed: 5 }).unwrap();
    assert!(report.terminals > 0, "{report}");
}

/// Whether the player to move has lost five marbles.
fn game_is_late(position: &Position) -> bool {
    let text = open("").notation(position);
    let (board, to_move) = text.split_once(' ').unwrap();
    board.matches(to_move).count() == 9
}

#[test]
fn the_sixth_marble_taken_ends_the_game() {
    let game = open("");
    // White has nine marbles left, one of them at the corner a1 beside three black ones.
    let position =
        game.parse("...../wwwwww/ww...../......../........./......../......./bbbbbb/wbbb. b").unwrap();
    let mv = game.parse_move(&position, "a3a2").unwrap();
    let after = game.play(&position, mv);
    assert_eq!((game.kind(&after), game.player(&after)), (NodeKind::Terminal, Player::Min));
    assert_eq!(game.terminal_score(&after), -LIMIT);
    assert!(game.draw(&after).contains("b has won; b has lost 5 marbles, w 6"));
    assert_eq!(game.parse(&game.notation(&after)), Ok(after));
}

#[test]
fn who_cannot_move_has_lost() {
    let game = open("");
    let text = "bbbbb/wwwwww/......./......../........./......../......./wwwwww/bbbbb b";
    let position = game.parse(text).unwrap();
    assert_eq!((game.kind(&position), Cubes::read(text).successors().len()), (NodeKind::Terminal, 0));
    assert_eq!(game.terminal_score(&position), -LIMIT);
}

#[test]
fn a_push_may_be_all_that_is_left() {
    let game = open("");
    for (text, legal) in [
        ("bbbbb/wwwwww/......./......../........./......../ww...../bwwwww/bbbbb b", &["a1b1"][..]),
        ("bbbbb/wwwwww/......./......../........./......../......./wwwwww/bbbbw b", &["a2a3", "a3a4"]),
    ] {
        let position = game.parse(text).unwrap();
        let mut texts: Vec<_> =
            moves(&game, &position).into_iter().map(|mv| game.move_text(&position, mv)).collect();
        texts.sort();
        assert_eq!(game.kind(&position), NodeKind::Decision);
        assert_eq!(texts, legal);
        assert_eq!(Cubes::read(text).successors().len(), legal.len());
    }
}

#[test]
fn what_no_play_leads_to_is_refused() {
    let game = open("");
    for bad in [
        "...../wwwwww/w....../......../........./......../......./bbbbbb/wbbb. b",
        "...../wwwwww/ww...../......../........./......../......./bbbb../wbbb. b",
        "wwwww/wwwwww/wwww.../......../........./......../..bbb../bbbbbb/bbbbb b",
        "wwwww/wwwwww/..www../......../........./......../..bbb../bbbbbb/bbbbb",
        "wwwww/wwwwww/..www../......../........./......../..bbb../bbbbbb/bbbb b",
        "wwwww/wwwwww/..www../......../........./......../..bbb../bbbbbb b",
        "wwwww/wwwwww/..www../......../........./......../..bbb../bbbbbb/bbbbb/ b",
        "wwwww/wwwwww/..www../......../........./......../..bbb../bbbbbb/bbbbb b b",
        "",
    ] {
        assert!(game.parse(bad).is_err(), "{bad}");
    }
    for bad in ["start", "start=french", "start=german,start=german", "size=5"] {
        assert!(Abalone::open(&INFO, bad).is_err(), "{bad}");
    }
}

#[test]
fn texts_are_read_as_they_were_written() {
    for start in STARTS {
        let game = open(start);
        assert_eq!(game.rules(), start);
        for position in positions(start, 4, 200) {
            let text = game.notation(&position);
            assert_eq!(game.parse(&text), Ok(position.clone()), "{text}");
            for mv in moves(&game, &position) {
                assert_eq!(game.parse_move(&position, &game.move_text(&position, mv)), Ok(mv), "{text}");
            }
        }
    }
    assert_eq!(open("").rules(), INFO.default_rules);
}

#[test]
fn moves_are_written_by_their_fields() {
    let game = open("");
    let position = game.initial();
    let same = [("a1b2", "A1-B2"), ("c3c4d3", "c4c3d4"), ("c3c5d4", "c5-c3-d6")];
    for (text, other) in same {
        let mv = game.parse_move(&position, text).unwrap();
        assert_eq!(game.parse_move(&position, other), Ok(mv), "{other}");
    }
    let error = game.parse_move(&position, "a1a2").unwrap_err().to_string();
    assert!(error.starts_with("move a1a2: expected one of 44 legal moves, such as "), "{error}");
}

#[test]
fn nearly_right_texts_are_refused_in_one_line() {
    let game = open("");
    let rules = STARTS.map(|start| [start.to_owned(), format!("{start},repetition=draw")]).concat();
    check_reader(&rules, |text| Abalone::open(&INFO, text).map(|game| game.rules()));
    let notations: Vec<_> = positions("", 2, 200).iter().map(|at| game.notation(at)).collect();
    check_reader(&notations, |text| game.parse(text).map(|position| game.notation(&position)));
    let position = game.initial();
    let names: Vec<_> = moves(&game, &position).iter().map(|&mv| game.move_text(&position, mv)).collect();
    check_reader(&names, |text| game.parse_move(&position, text).map(|mv| game.move_text(&position, mv)));
}

#[test]
fn the_board_is_drawn_as_a_hexagon() {
    let game = open("start=belgian");
    let expected = "    i w w . b b
   h w w w b b b
  g . w w . b b .
 f . . . . . . . .
e . . . . . . . . .
 d . . . . . . . . 9
  c . b b . w w . 8
   b b b b w w w 7
    a b b . w w 6
       1 2 3 4 5
b moves; b has lost 0 marbles, w 0
";
    assert_eq!(game.draw(&game.initial()), expected);
}

#[test]
fn evaluators_tell_themselves_apart() {
    struct Identity<'a>(&'a Abalone);
    impl EvaluatorVisitor<Abalone> for Identity<'_> {
        type Output = u64;

        fn visit<E: Evaluator<Abalone>>(self, evaluator: E) -> u64 {
            evaluator.facts(self.0).identity
        }
    }
    let game = open("");
    let named: Vec<_> = game.evaluators().iter().map(|info| info.name).collect();
    assert_eq!(named, ["cohesion", "centre", "marbles", "constant", "slow"]);
    let mut identities: Vec<_> =
        named.iter().map(|name| game.visit_evaluator(name, 0, Identity(&game)).unwrap()).collect();
    assert_eq!(identities[0], identities[4]);
    identities.sort_unstable();
    identities.dedup();
    assert_eq!(identities.len(), 4);
    assert!(game.visit_evaluator("none", 0, Identity(&game)).is_err());
}
