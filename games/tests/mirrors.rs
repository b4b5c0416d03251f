//! The games of two players treat both alike, and so do their evaluators: the test kit holds every position
//! against the one with the players exchanged.

use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit_games::{EvaluatorVisitor, GameInfo, GameVisitor, KnownGame};
use starsplit_testkit::{Plays, Report, check_mirror};
use std::fmt::Debug;

/// Each game of two players, with rules beside the default ones.
const GAMES: [(&str, &[&str]); 6] = [
    ("dice", &["", "size=3,run=2", "size=4,run=3,full-line=pass"]),
    ("pig", &["target=20", "target=30,die=4"]),
    ("einstein", &["", "size=3", "size=7,stones=3"]),
    ("backgammon", &["", "scoring=winloss"]),
    ("hyper-backgammon", &["", "scoring=winloss"]),
    ("abalone", &["", "repetition=draw"]),
];

/// Evaluators that favour a player, and why that is no fault.
const FAVOURING: [(&str, &str); 2] = [
    ("dice", "hash-random"), // drawn for each position apart
    ("einstein", "network"), // even until the first player has moved, since the set-up is an outcome
];

/// Checks a game under its rules with each evaluator that does not only take longer than another.
struct CheckGame;

impl GameVisitor for CheckGame {
    type Output = Vec<Report>;

    fn visit<G: KnownGame>(self, info: &'static GameInfo, game: G) -> Vec<Report> {
        let start = first_mirrored(&game);
        let evaluators = game.evaluators().into_iter().map(|evaluator| evaluator.name);
        let checked =
            evaluators.filter(|name| !FAVOURING.contains(&(info.name, *name)) && !name.starts_with("slow"));
        checked
            .map(|name| game.visit_evaluator(name, 1, Check { game: &game, start: &start }).unwrap())
            .collect()
    }
}

struct Check<'a, G: Game> {
    game: &'a G,
    start: &'a G::Position,
}

impl<G: KnownGame> EvaluatorVisitor<G> for Check<'_, G> {
    type Output = Report;

    fn visit<E: Evaluator<G> + Clone + Debug + 'static>(self, evaluator: E) -> Report {
        let plays = Plays { games: 4, max_plies: 200, seed: 3 };
        let mirror = |position: &G::Position| self.game.mirror(position).expect("a mirror image");
        check_mirror(self.game, &evaluator, self.start, &plays, mirror).unwrap()
    }
}

/// The first position from the beginning that has a mirror image, by the first outcomes.
fn first_mirrored<G: KnownGame>(game: &G) -> G::Position {
    let mut position = game.initial();
    while game.mirror(&position).is_none() {
        let mut first = None;
        game.outcomes(&position, |outcome, _| first = first.or(Some(outcome)));
        position = game.resolve(&position, first.expect("an outcome"));
    }
    position
}

#[test]
fn both_players_are_treated_alike() {
    for (name, rules) in GAMES {
        for rules in rules {
            let reports = starsplit_games::list::open(name, Some(rules), CheckGame).unwrap();
            for report in &reports {
                assert!(report.decisions >= 8 && report.evaluations > 100, "{name} {rules}: {report}");
            }
            assert!(reports.len() >= 2, "{name} {rules}: {} evaluators", reports.len());
            if name != "abalone" {
                assert!(reports.iter().all(|report| report.terminals > 0), "{name} {rules}: {reports:?}");
            }
        }
    }
}
