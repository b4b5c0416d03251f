//! Hashes that forget something: for every part of a position of every game, what the test kit finds where
//! the hash does without it, beside what that does to values.

use crate::games::dark_chess::DarkChess;
use crate::games::forgetful::{Drawn, Forgetful, Kept, Parts};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::game::{Game, Kind, Player};
use starsplit::search::{Algorithm, Limits, Options, TableUse};
use starsplit::table::LocklessTable;
use starsplit::testkit::{Plays, Report, Violation, check_evaluator, check_game, check_searches};
use starsplit_games::abalone::Abalone;
use starsplit_games::backgammon::{self, Backgammon};
use starsplit_games::dice::Dice;
use starsplit_games::einstein::Einstein;
use starsplit_games::pig::Pig;
use starsplit_games::twenty48::Twenty48;
use starsplit_games::{GameInfo, KnownGame, abalone, dice, einstein, pig, twenty48};
use std::time::Instant;

/// What became of a hash that forgets.
struct Row {
    game: String,
    part: &'static str,
    /// Searches to depth 6, or as deep as could be, and how many of them found wrong values.
    searched: u32,
    wrong: u32,
    /// What `check_game`, `check_evaluator` and `check_searches` found, and after how many seconds.
    found: [(Option<String>, f64); 3],
}

/// A game with all that its positions have in the hash, and where it starts.
struct Subject {
    game: Forgetful,
    start: Kept,
}

/// The deepest search of the comparison, and the nodes that one without a table may take.
const DEPTH: u32 = 6;
const NODES: u64 = 100_000;

impl Subject {
    fn row(&self, name: &str, part: &'static str) -> Row {
        let (searched, wrong) = self.wrong_values(part);
        let game = self.game.forgetting(part);
        let start = game.again(&self.start);
        let (plays, drawn) = (Plays::default(), self.evaluator());
        let timed = |check: &dyn Fn() -> Result<Report, Violation>| {
            let begun = Instant::now();
            let violation = check().err().map(|violation| violation.to_string());
            (violation, begun.elapsed().as_secs_f64())
        };
        let found = [
            timed(&|| check_game(&game, &start, &plays)),
            timed(&|| check_evaluator(&game, &drawn, &start, &plays)),
            timed(&|| check_searches(&game, &drawn, &start, &plays)),
        ];
        Row { game: name.to_owned(), part, searched, wrong, found }
    }

    /// Evaluations drawn at random for whole positions.
    fn evaluator(&self) -> Drawn {
        Drawn(HashRandom::new(1, self.game.grid().limit() / 4))
    }

    /// Searches of positions of plays, one table for all, beside searches without one.
    fn wrong_values(&self, part: &'static str) -> (u32, u32) {
        let game = self.game.forgetting(part);
        let options =
            Options { algorithm: Algorithm::Star2, table_use: TableUse::None, ..Options::default() };
        let searcher = |mib| Searcher::new(game.clone(), self.evaluator(), LocklessTable::new(mib).unwrap());
        let (plain, tabled) = (searcher(1).with_options(options), searcher(16));
        let (mut searched, mut wrong) = (0, 0);
        for position in some_positions(&game, &game.again(&self.start)) {
            let value = plain.search_within(&position, &Limits::depth(DEPTH).with_nodes(NODES)).unwrap();
            if value.depth > 0 {
                let other = tabled.search_within(&position, &Limits::depth(value.depth)).unwrap();
                searched += 1;
                wrong += u32::from(value.bounds != other.bounds);
            }
        }
        (searched, wrong)
    }
}

/// Some positions in a row of each of a few random plays.
fn some_positions(game: &Forgetful, start: &Kept) -> Vec<Kept> {
    let (mut random, mut positions) = (Pcg64::seed_from_u64(5), Vec::new());
    for _ in 0..6 {
        let mut line = vec![start.clone()];
        while line.len() < 100 {
            let position = &line[line.len() - 1];
            let mut after = Vec::new();
            match game.kind(position) {
                Kind::Terminal => break,
                Kind::Decision => game.moves(position, |mv| after.push(game.play(position, mv))),
                Kind::Chance => {
                    game.outcomes(position, |outcome, _| after.push(game.resolve(position, outcome)))
                }
            }
            let chosen = random.next_u64() % after.len() as u64;
            line.push(after.swap_remove(chosen as usize));
        }
        line.pop();
        let from = random.next_u64() as usize % line.len().max(1);
        positions.extend(line.into_iter().skip(from).take(4));
    }
    positions
}

fn known<G: KnownGame>(info: &GameInfo, rules: &str, parts: fn(&G, &G::Position) -> Parts) -> Subject {
    let game = G::open(info, rules).unwrap();
    subject(game.initial(), game, parts)
}

fn subject<G: Game<Position: 'static> + 'static>(
    start: G::Position,
    game: G,
    parts: fn(&G, &G::Position) -> Parts,
) -> Subject {
    let game = Forgetful::new(game, parts);
    Subject { start: game.keep(start), game }
}

/// A board without the signs that are not kept.
fn only(board: &str, is_kept: impl Fn(char) -> bool) -> String {
    board.chars().map(|sign| if is_kept(sign) { sign } else { '.' }).collect()
}

fn pig_parts(game: &Pig, position: &pig::Position) -> Parts {
    let text = game.notation(position);
    let fields: Vec<_> = text.split(' ').map(str::to_owned).collect();
    let field = |i: usize| fields.get(i).cloned().unwrap_or_default();
    vec![
        ("the first player's points", field(0)),
        ("the second player's points", field(1)),
        ("the turn's total", field(2)),
        ("the side to move", field(3)),
        ("whether a roll is pending", field(4)),
    ]
}

fn dice_parts(game: &Dice, position: &dice::Position) -> Parts {
    let text = KnownGame::notation(game, position);
    let mut fields = text.split(' ');
    let mut field = || fields.next().unwrap_or_default().to_owned();
    let board = field();
    let (corner, rest) = board.split_at(1);
    vec![
        ("the first cell", corner.to_owned()),
        ("the first player's checkers elsewhere", only(rest, |sign| sign == 'x')),
        ("the second player's checkers elsewhere", only(rest, |sign| sign == 'o')),
        ("the side to move", field()),
        ("the line rolled", field()),
    ]
}

fn einstein_parts(game: &Einstein, position: &einstein::Position) -> Parts {
    let text = game.notation(position);
    let mut fields = text.split(' ');
    let mut field = || fields.next().unwrap_or_default().to_owned();
    let board = field();
    vec![
        ("the first player's cells", only(&board, |sign| sign == 'x')),
        ("the second player's cells", only(&board, |sign| sign == 'o')),
        ("the stones' numbers", board.chars().filter(char::is_ascii_digit).collect()),
        ("the side to move", field()),
        ("the number rolled", field()),
    ]
}

fn backgammon_parts(game: &Backgammon, position: &backgammon::Position) -> Parts {
    let text = game.notation(position);
    let mut fields = text.split(' ').skip(1);
    let mut field = || fields.next().unwrap_or_default().to_owned();
    let on = |player, points: std::ops::RangeInclusive<u8>| {
        let counts = points.map(|point| position.checkers(player, point).to_string());
        counts.collect::<Vec<_>>().join(" ")
    };
    vec![
        ("the first player's points", on(Player::Max, 1..=24)),
        ("the second player's points", on(Player::Min, 1..=24)),
        ("the first player's bar", on(Player::Max, 25..=25)),
        ("the second player's bar", on(Player::Min, 25..=25)),
        ("the side to move", field()),
        ("the numbers rolled", field()),
    ]
}

fn twenty48_parts(game: &Twenty48, position: &twenty48::Position) -> Parts {
    let text = game.notation(position);
    let (board, next) = text.split_once(' ').unwrap();
    let (corner, rest) = board.split_at(1);
    vec![
        ("the first cell", corner.to_owned()),
        ("the tiles above 4 elsewhere", only(rest, |sign| sign > '2')),
        ("the tiles to 4 elsewhere", only(rest, |sign| sign <= '2')),
        ("what is next", next.to_owned()),
    ]
}

fn abalone_parts(game: &Abalone, position: &abalone::Position) -> Parts {
    let text = game.notation(position);
    let (board, player) = text.split_once(' ').unwrap();
    vec![
        ("the first player's marbles", only(board, |sign| sign == 'b')),
        ("the second player's marbles", only(board, |sign| sign == 'w')),
        ("the side to move", player.to_owned()),
    ]
}

/// The rows of a game, of one part after another.
fn rows(name: &str, subject: &Subject) -> Vec<Row> {
    let parts = subject.game.names(&subject.start).into_iter();
    let rows: Vec<_> = parts.map(|part| subject.row(name, part)).inspect(print).collect();
    rows
}

fn print(row: &Row) {
    let Row { game, part, searched, wrong, found } = row;
    let found = found.each_ref().map(|(found, seconds)| {
        format!("{} in {seconds:.1} s", if found.is_some() { "found" } else { "not found" })
    });
    println!("| {game} | {part} | {wrong} of {searched} | {} |", found.join(" | "));
}

#[test]
#[ignore = "minutes"]
fn what_a_hash_forgets_is_found() {
    let dark_chess = DarkChess { quiet_limit: 8 };
    rows("dark chess", &subject(dark_chess.start(), dark_chess, DarkChess::parts));
    rows("pig", &known(&pig::INFO, "", pig_parts));
    rows("pig target=30", &known(&pig::INFO, "target=30", pig_parts));
    rows("dice", &known(&dice::INFO, "", dice_parts));
    rows("dice size=3,run=3,full-line=pass", &known(&dice::INFO, "size=3,run=3,full-line=pass", dice_parts));
    rows("einstein", &known(&einstein::INFO, "", einstein_parts));
    rows("einstein size=4,stones=3", &known(&einstein::INFO, "size=4,stones=3", einstein_parts));
    rows("backgammon", &known(&backgammon::INFO, "", backgammon_parts));
    rows("hyper-backgammon", &known(&backgammon::HYPER_INFO, "", backgammon_parts));
    rows("2048", &known(&twenty48::INFO, "", twenty48_parts));
    rows("2048 size=2,end=64", &known(&twenty48::INFO, "size=2,end=64", twenty48_parts));
    rows("abalone", &known(&abalone::INFO, "", abalone_parts));
    rows("abalone repetition=draw", &known(&abalone::INFO, "repetition=draw", abalone_parts));
}
