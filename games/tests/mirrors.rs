//! The games of two players treat both alike, and so do their evaluators: the test kit holds every position
//! against the one with the players exchanged.

use starsplit::evaluator::Evaluator;
use starsplit::game::Game;
use starsplit_games::abalone::{self, Abalone};
use starsplit_games::backgammon::{self, Backgammon};
use starsplit_games::dice::{self, Dice};
use starsplit_games::einstein::{self, Einstein};
use starsplit_games::pig::{self, Pig};
use starsplit_games::{EvaluatorVisitor, GameInfo, KnownGame};
use starsplit_testkit::{Plays, Report, check_mirror};
use std::fmt::Debug;

/// Checks a game under rules.
type Checks = fn(&'static GameInfo, &str) -> Vec<Report>;

/// Each game of two players, with rules beside the default ones.
const GAMES: [(&GameInfo, Checks, &[&str]); 6] = [
    (&dice::INFO, checked::<Dice>, &["", "size=3,run=2", "size=4,run=3,full-line=pass"]),
    (&pig::INFO, checked::<Pig>, &["target=20", "target=30,die=4"]),
    (&einstein::INFO, checked::<Einstein>, &["", "size=3", "size=7,stones=3"]),
    (&backgammon::INFO, checked::<Backgammon>, &["", "scoring=winloss"]),
    (&backgammon::HYPER_INFO, checked::<Backgammon>, &["", "scoring=winloss"]),
    (&abalone::INFO, checked::<Abalone>, &["", "repetition=draw"]),
];

/// Evaluators that favour a player, and why that is no fault.
const FAVOURING: [(&str, &str); 2] = [
    ("dice", "hash-random"), // drawn for each position apart
    ("einstein", "network"), // even until the first player has moved, since the set-up is an outcome
];

/// Checks a game under its rules with each evaluator that does not only take longer than another.
fn checked<G: KnownGame>(info: &'static GameInfo, rules: &str) -> Vec<Report> {
    let game = G::open(info, rules).unwrap();
    let start = first_mirrored(&game);
    let evaluators = game.evaluators().into_iter().map(|evaluator| evaluator.name);
    let checked =
        evaluators.filter(|name| !FAVOURING.contains(&(info.name, *name)) && !name.starts_with("slow"));
    checked.map(|name| game.visit_evaluator(name, 1, Check { game: &game, start: &start }).unwrap()).collect()
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
    for (info, checked, rules) in GAMES {
        for rules in rules {
            let (name, reports) = (info.name, checked(info, rules));
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
