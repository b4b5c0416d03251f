//! Values beyond the range of a game that is made from another: declared as there, and left to the search.

use crate::common::gamble::{Gamble, Paid, Pays, START};
use starsplit::Searcher;
use starsplit::evaluator::{Evaluator, HashRandom};
use starsplit::game::Game;
use starsplit::search::{Limits, SearchError};
use starsplit::table::LocklessTable;
use starsplit_wrappers::repetition::Repeating;
use starsplit_wrappers::smaller::{Sampled, TopMoves};
use starsplit_wrappers::{OfInner, Padded};

/// Wrappers say what the game and the evaluator say that they wrap.
#[test]
fn wrappers_forward_the_declaration() {
    for saturates in [false, true] {
        let (game, evaluator) =
            (Gamble::<true> { saturates, ..Gamble::new(Pays::Evaluations, 10.0) }, Paid { saturates });
        let sampled = Sampled::new(game, Some(2), 7);
        let repeating = Repeating::new(game, 0);
        assert_eq!([sampled.facts().saturates, repeating.facts().saturates], [saturates; 2]);
        assert_eq!(OfInner(evaluator).facts(&sampled).saturates, saturates);
        assert_eq!(OfInner(evaluator).facts(&repeating).saturates, saturates);
        assert_eq!(Padded::new(evaluator, 4).facts(&game).saturates, saturates);
        assert_eq!(Evaluator::facts(&&evaluator, &game).saturates, saturates);
    }
}

/// A game with the best moves leaves out what a broken score seems to say is worst. It must not leave out the
/// breach.
#[test]
fn a_move_whose_rank_breaks_the_contract_is_left_to_the_search() {
    let search = |win, saturates| {
        let gamble = Gamble::<false> { direct: true, saturates, ..Gamble::new(Pays::Terminals, win) };
        let evaluator = HashRandom::new(1, gamble.facts().grid.limit());
        let top = TopMoves::new(gamble, evaluator, Some(1), None);
        let table = LocklessTable::with_buckets(16).expect("a small table");
        Searcher::new(top, evaluator, table).request(&START).limits(Limits::depth(3)).search()
    };
    for win in [-10.0, 10.0, f64::NAN] {
        let error = search(win, false).expect_err("the move is met");
        assert!(matches!(error, SearchError::OffGrid(_)), "{error}");
    }
    let result = search(-10.0, true).expect("the clamped game's value");
    assert!(result.is_exact() && (result.value - 0.5).abs() < 1e-6, "{result}");
    let result = search(10.0, true).expect("the clamped game's value");
    assert!(result.is_exact() && (result.value - 1.0).abs() < 1e-6, "{result}");
}
