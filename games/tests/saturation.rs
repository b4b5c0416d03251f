//! Which evaluators declare that they saturate: those whose own scale has ends that a position may go beyond.

use crate::known_game::saturating;
use starsplit_games::abalone::{self, Abalone};
use starsplit_games::backgammon::{self, Backgammon};
use starsplit_games::dice::{self, Dice};
use starsplit_games::einstein::{self, Einstein};
use starsplit_games::pig::{self, Pig};
use starsplit_games::twenty48::{self, Twenty48};
use starsplit_games::{GameInfo, KnownGame};

/// The evaluators of a game that do. No game of ours does itself.
fn names<G: KnownGame>(info: &'static GameInfo) -> Vec<&'static str> {
    let game = G::open(info, info.default_rules).unwrap();
    assert!(!game.facts().saturates, "{}", info.name);
    saturating(&game)
}

#[test]
fn evaluators_with_a_scale_of_their_own_declare_it_and_no_others() {
    assert_eq!(names::<Dice>(&dice::INFO), ["runs", "slow"]);
    assert_eq!(names::<Pig>(&pig::INFO), [""; 0]);
    assert_eq!(names::<Einstein>(&einstein::INFO), ["network", "material", "slow"]);
    let of_backgammon = ["network", "pips", "slow", "slowest", "mlp"];
    assert_eq!(names::<Backgammon>(&backgammon::INFO), of_backgammon);
    assert_eq!(names::<Backgammon>(&backgammon::HYPER_INFO), of_backgammon[..4]);
    assert_eq!(names::<Twenty48>(&twenty48::INFO), ["rows", "slow"]);
    assert_eq!(names::<Abalone>(&abalone::INFO), [""; 0]);
}
