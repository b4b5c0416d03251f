//! Hashes that forget something: for every part of a position of every game, what the test kit finds where
//! the hash does without it, beside what that does to values.

use crate::games::dark_chess::DarkChess;
use crate::games::forgetful::{Drawn, Forgetful, Kept, Parts};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use starsplit::Searcher;
use starsplit::evaluator::HashRandom;
use starsplit::game::{Game, NodeKind, Player};
use starsplit::search::{Algorithm, Limits, Options, TableUse};
use starsplit::table::LocklessTable;
use starsplit_games::abalone::Abalone;
use starsplit_games::backgammon::{self, Backgammon};
use starsplit_games::dice::Dice;
use starsplit_games::einstein::Einstein;
use starsplit_games::pig::Pig;
use starsplit_games::twenty48::Twenty48;
use starsplit_games::{GameInfo, KnownGame, abalone, dice, einstein, pig, twenty48};
use starsplit_testkit::{Fault, Plays, Report, Violation, check_evaluator, check_game, check_searches};
use std::time::Instant;

/// What became of a hash that forgets.
struct Row {
    game: String,
    part: &'static str,
    compared: Compared,
    /// What `check_game`, `check_evaluator` and `check_searches` found, and after how many seconds.
    found: [(Option<String>, f64); 3],
}

/// Searches with a table beside searches without one.
#[derive(Default)]
struct Compared {
    searches: u32,
    /// How many found wrong values.
    wrong: u32,
    /// The least and the greatest depth.
    depths: Option<(u32, u32)>,
}

/// A game with all that its positions have in the hash, and where it starts.
struct Subject {
    game: Forgetful,
    start: Kept,
}

/// The deepest search of the comparison, and the nodes that one without a table may take: it ends with the
/// last depth that they suffice for.
const DEPTH: u32 = 6;
const NODES: u64 = 20_000;

impl Subject {
    fn row(&self, name: &str, part: &'static str) -> Row {
        let compared = self.compare_searches(part);
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
        Row { game: name.to_owned(), part, compared, found }
    }

    /// Evaluations drawn at random for whole positions.
    fn evaluator(&self) -> Drawn {
        Drawn(HashRandom::new(1, self.game.facts().grid.limit() / 4))
    }

    /// Searches of positions of plays, one table for all, beside searches without one.
    fn compare_searches(&self, part: &'static str) -> Compared {
        let game = self.game.forgetting(part);
        let options =
            Options { algorithm: Algorithm::Star2, table_use: TableUse::None, ..Options::default() };
        let searcher = |mib| Searcher::new(game.clone(), self.evaluator(), LocklessTable::new(mib).unwrap());
        let (plain, tabled) = (searcher(1).with_options(options), searcher(16));
        let mut compared = Compared::default();
        for position in some_positions(&game, &game.again(&self.start)) {
            let value =
                plain.request(&position).limits(Limits::depth(DEPTH).with_nodes(NODES)).search().unwrap();
            if value.depth > 0 {
                let other = tabled.request(&position).limits(Limits::depth(value.depth)).search().unwrap();
                compared.searches += 1;
                compared.wrong += u32::from(value.bounds != other.bounds);
                let (least, greatest) = compared.depths.unwrap_or((value.depth, value.depth));
                compared.depths = Some((least.min(value.depth), greatest.max(value.depth)));
            }
        }
        compared
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
                NodeKind::Terminal => break,
                NodeKind::Decision => game.moves(position, |mv| after.push(game.play(position, mv))),
                NodeKind::Chance => {
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

/// The games with their usual rules, and smaller ones.
fn subjects() -> Vec<(&'static str, Subject)> {
    let dark_chess = DarkChess { quiet_limit: 8 };
    let small_dice = "size=3,run=3,full-line=pass";
    vec![
        ("dark chess", subject(dark_chess.start(), dark_chess, DarkChess::parts)),
        ("pig", known(&pig::INFO, "", pig_parts)),
        ("dice", known(&dice::INFO, "", dice_parts)),
        ("dice size=3,run=3,full-line=pass", known(&dice::INFO, small_dice, dice_parts)),
        ("einstein", known(&einstein::INFO, "", einstein_parts)),
        ("einstein size=4,stones=3", known(&einstein::INFO, "size=4,stones=3", einstein_parts)),
        ("backgammon", known(&backgammon::INFO, "", backgammon_parts)),
        ("hyper-backgammon", known(&backgammon::HYPER_INFO, "", backgammon_parts)),
        ("2048", known(&twenty48::INFO, "", twenty48_parts)),
        ("2048 size=2,end=64", known(&twenty48::INFO, "size=2,end=64", twenty48_parts)),
        ("abalone", known(&abalone::INFO, "", abalone_parts)),
        ("abalone repetition=draw", known(&abalone::INFO, "repetition=draw", abalone_parts)),
    ]
}

/// Parts that follow from the others, so that a hash needs none of them: both players have as many checkers
/// as turns, unless a full line costs one.
const FOLLOWS: [(&str, &str); 2] = [("dice", "the first cell"), ("dice", "the side to move")];

/// Parts that differ so seldom where all others are the same that they may be missed: a checker is on the bar
/// in the one position, and borne off in the other.
const SELDOM: [(&str, &str); 2] =
    [("backgammon", "the first player's bar"), ("backgammon", "the second player's bar")];

fn print(row: &Row) {
    let Row { game, part, compared: Compared { searches, wrong, depths }, found } = row;
    let (least, greatest) = depths.unwrap_or_default();
    let found = found
        .each_ref()
        .map(|(found, seconds)| format!("{} {seconds:.1} s", if found.is_some() { "yes," } else { "no," }));
    println!(
        "| {game} | {part} | {wrong} of {searches}, to depth {least} to {greatest} | {} |",
        found.join(" | ")
    );
}

#[test]
fn what_a_hash_forgets_is_found_by_the_defaults_without_an_evaluator() {
    for (name, subject) in subjects() {
        for part in subject.game.names(&subject.start) {
            if SELDOM.contains(&(name, part)) {
                continue;
            }
            let game = subject.game.forgetting(part);
            let found = check_game(&game, &game.again(&subject.start), &Plays::default());
            let is_of_hashes = |violation: &Violation| matches!(violation.fault, Fault::HashShared { .. });
            let is_found = found.as_ref().is_err_and(is_of_hashes);
            assert!(is_found != FOLLOWS.contains(&(name, part)), "{name}: {part}: {found:?}");
        }
    }
}

#[test]
#[ignore = "minutes; prints a table"]
fn what_a_hash_forgets_and_changes_values_is_found_by_the_defaults() {
    println!("| game | what the hash forgets | wrong values | game | evaluator | searches |");
    println!("|---|---|---|---|---|---|");
    for (name, subject) in subjects() {
        for part in subject.game.names(&subject.start) {
            let row = subject.row(name, part);
            print(&row);
            let is_found = row.found.iter().any(|(found, _)| found.is_some());
            assert!(is_found || row.compared.wrong == 0, "{name}: {part}");
            let is_seldom = SELDOM.contains(&(name, part));
            assert!(is_seldom || is_found != FOLLOWS.contains(&(name, part)), "{name}: {part}");
        }
    }
}
