//! The notations of all games: rules, positions and moves.

use crate::Target;
use crate::bytes::{text, unescaped};
use crate::refusals::{check_short, one_line};
use crate::target::words;
use starsplit::game::NodeKind;
use starsplit::search::{Limits, Options};
use starsplit_doors::Entry;
use starsplit_doors::door::Door;
use starsplit_doors::play::{AnyPlay, Turn};
use starsplit_doors_all::GAMES;
use starsplit_tables::{AnyTable, Scheme};
use std::collections::HashSet;
use std::sync::LazyLock;

pub(super) const TARGET: Target = Target {
    name: "notation",
    about: "lines: a game, its rules, a position, and then moves and the places of outcomes",
    run,
    seeds,
    words: || {
        let games = GAMES.infos().flat_map(|game| [game.name, game.default_rules]);
        let own = [
            "size=",
            "run=",
            "stones=",
            "score=",
            "=",
            ",",
            "/",
            " x",
            " o",
            " r3",
            "bar/",
            "/off",
            "-",
            "(",
            ")",
            "*",
            "1-a1",
            "0",
            "99999999999",
            "\u{e9}",
            "\\n",
            "\\0",
            "\u{202e}",
        ];
        words(games.chain(own))
    },
    mutations: 12_000,
    longest: 600,
};

/// Of how many moves of a position the texts are read again.
const MOVES: usize = 12;

fn run(bytes: &[u8]) {
    let text = text(bytes);
    let mut lines = text.split('\n').map(unescaped);
    let mut next = || lines.next().unwrap_or_default();
    let info = match GAMES.named(&next()) {
        Ok(info) => info,
        Err(error) => return check_short(&error),
    };
    let door = match GAMES.open(info, Some(&next())) {
        Ok(door) => door,
        Err(error) => return check_short(&error),
    };
    let rules = one_line(&door.rules());
    let again =
        GAMES.open(info, Some(&rules)).unwrap_or_else(|error| panic!("its own rules {rules}: {error}"));
    assert_eq!(again.rules(), rules, "rules of {}", info.name);
    let mut position = match door.position(&next()) {
        Ok(position) => position,
        Err(error) => return check_short(&error),
    };
    let play = door.play().expect("a game of the list");
    for step in lines.map(Some).chain([None]) {
        let kind = check_position(&*door, play, &position);
        let Some(step) = step else { return search(&*door, &position) };
        let turn = match kind {
            NodeKind::Terminal => return,
            NodeKind::Decision => play.move_by_text(&position, &step),
            NodeKind::Chance => play.resolve(&position, step.trim().parse().unwrap_or(usize::MAX)),
        };
        match turn {
            Ok(Turn { text, after, .. }) => {
                one_line(&text);
                position = after;
            }
            Err(error) => return check_short(&error),
        }
    }
}

/// Whether what is written of a position is understood again, and what else is said of it makes sense.
fn check_position(door: &dyn Door, play: &dyn AnyPlay, position: &Entry) -> NodeKind {
    let text = one_line(&position.text);
    let kind = play.kind(position).expect("its own position");
    assert!(play.draw(position).expect("its own position").ends_with('\n'), "{text}");
    door.full_depth(position).expect("its own position");
    match kind {
        NodeKind::Terminal => {
            let (limit, score) =
                (play.grid().limit(), play.terminal_score(position).expect("its own position"));
            assert!((-limit..=limit).contains(&score), "{score} for {text}");
            one_line(&play.result_text(position).expect("its own position"));
        }
        NodeKind::Decision => check_moves(play, position),
        NodeKind::Chance => {
            let outcomes = play.outcomes(position).expect("its own position");
            let sum: u64 = outcomes.iter().map(|&(_, weight)| u64::from(weight)).sum();
            assert!(sum < 1 << 32 && !outcomes.is_empty(), "{sum} of {} for {text}", outcomes.len());
            assert!(outcomes.iter().all(|&(_, weight)| weight > 0), "{text}");
            outcomes.iter().for_each(|(outcome, _)| drop(one_line(outcome)));
        }
    }
    if kind != NodeKind::Terminal {
        let again = door.position(&text).unwrap_or_else(|error| panic!("its own {text}: {error}"));
        assert_eq!(again.text, text, "{}", door.game());
    }
    kind
}

fn check_moves(play: &dyn AnyPlay, position: &Entry) {
    let moves = play.moves(position).expect("its own position");
    assert!(!moves.is_empty(), "no move at {}", position.text);
    let different: HashSet<_> = moves.iter().collect();
    assert_eq!(different.len(), moves.len(), "moves that are written alike at {}", position.text);
    let step = moves.len().div_ceil(MOVES);
    for text in moves.iter().step_by(step) {
        let made = play.move_by_text(position, &format!(" {} ", text.to_uppercase()));
        let made = made.unwrap_or_else(|error| panic!("its own {text} at {}: {error}", position.text));
        assert_eq!(made.text, one_line(text), "{}", position.text);
    }
}

/// What was read can be searched.
fn search(door: &dyn Door, position: &Entry) {
    static TABLE: LazyLock<AnyTable> =
        LazyLock::new(|| AnyTable::new(Scheme::Buckets, 256).expect("a small table"));
    let maker = door.evaluator("constant", 1).expect("every game has it");
    let searcher = maker.searcher(&TABLE, Options::default(), None);
    let found = searcher.search(position, &Limits::depth(2).with_nodes(300), &mut |_| {});
    let answer = found.unwrap_or_else(|error| panic!("a search of {}: {error:#}", position.text)).answer;
    let (limit, bounds) = (searcher.grid().limit(), answer.bounds);
    assert!(-limit <= bounds.lower && bounds.lower <= bounds.upper && bounds.upper <= limit, "{bounds:?}");
}

/// Of each game the start, some positions of its suites, and a few steps from one of them.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for info in GAMES.infos() {
        let mut add = |name: String, rules: &str, lines: &str| {
            found.push((name, format!("{}\n{rules}\n{lines}", info.name).into_bytes()));
        };
        let door = GAMES.open(info, None).expect("its default rules");
        add(format!("{}-start", info.name), "", &walk(&*door, door.initial(), 6));
        for (suite, text) in info.suites.iter().take(2) {
            let rules = text.lines().find_map(|line| line.strip_prefix("rules ")).unwrap_or_default();
            let door = GAMES.open(info, Some(rules)).expect("rules of a suite");
            let positions: Vec<_> = text.lines().filter_map(|line| door.position(line.trim()).ok()).collect();
            for (place, position) in positions.iter().enumerate().step_by(positions.len().div_ceil(2).max(1))
            {
                add(format!("{suite}-{place}"), rules, &walk(&*door, position.clone(), 4));
            }
        }
    }
    found
}

/// A position, and what happens in so many steps from it on: the last move, and the last outcome but one.
fn walk(door: &dyn Door, mut position: Entry, steps: usize) -> String {
    let play = door.play().expect("a game of the list");
    let mut lines = vec![position.text.clone()];
    for _ in 0..steps {
        let turn = match play.kind(&position).expect("its own position") {
            NodeKind::Terminal => break,
            NodeKind::Decision => {
                let moves = play.moves(&position).expect("its own position");
                let text = moves.last().expect("a move");
                lines.push(text.clone());
                play.move_by_text(&position, text)
            }
            NodeKind::Chance => {
                let place = play.outcomes(&position).expect("its own position").len().saturating_sub(2);
                lines.push(place.to_string());
                play.resolve(&position, place)
            }
        };
        position = turn.expect("a step that there is").after;
    }
    lines.join("\n")
}
