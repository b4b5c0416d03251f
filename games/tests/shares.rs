//! Null windows that ask successors for their shares of beta: they save where successors have many moves, and
//! cost next to nothing where they have two.

use crate::erased::Blind;
use starsplit::Searcher;
use starsplit::search::{Limits, Options, Stats};
use starsplit::table::LocklessTable;
use starsplit_games::KnownGame;
use starsplit_games::{backgammon, pig};

/// What searches of these positions to a depth count, and whether any asked for shares of its own accord. All
/// have one value.
fn searched<G: KnownGame>(
    game: &G,
    evaluator: &str,
    (positions, depth): (&[&str], u32),
    window_shares: [Option<bool>; 2],
) -> [(Stats, bool); 2] {
    let mut found = [(Stats::default(), false); 2];
    for text in positions {
        let position = game.parse(text).unwrap();
        let results = window_shares.map(|window_shares| {
            let evaluator = Blind::named(game, evaluator, 0).unwrap();
            let options = Options { window_shares, ..Options::default() };
            let table = LocklessTable::new(16).unwrap();
            let searcher = Searcher::new(game.clone(), evaluator, table).with_options(options);
            searcher.request(&position).limits(Limits::depth(depth)).search().unwrap()
        });
        assert_eq!(results[0].bounds, results[1].bounds, "{text}");
        for ((sum, asks), result) in found.iter_mut().zip(&results) {
            *sum += result.stats;
            *asks |= !result.chosen.shares_asked.is_empty();
        }
    }
    found
}

#[test]
fn they_save_a_fifth_of_backgammons_evaluations() {
    let game = backgammon::Backgammon::open(&backgammon::INFO, "").unwrap();
    let positions = ["AQjkPxYAgKtdTg o -", "AGA1/wIAINzvQg o -", "AASe/QxAEOT/QA o -"];
    let [(without, never_asks), (with, asks)] =
        searched(&game, "network", (&positions, 5), [Some(false), None]);
    assert!(!never_asks && asks);
    assert!(5 * with.nodes.evaluations < 4 * without.nodes.evaluations, "{with:?}, {without:?}");
    assert_eq!(without.ends.by_shares, 0);
    assert!(with.ends.by_shares > 20 && with.ends.by_star1 < without.ends.by_star1, "{with:?}, {without:?}");
    let paper = Options::paper(starsplit::search::Algorithm::Star2Tt);
    assert_eq!(paper.window_shares, Some(false));
}

#[test]
fn they_cost_pig_next_to_nothing() {
    let game = pig::Pig::open(&pig::INFO, "").unwrap();
    let positions = ["11 5 0 o roll", "29 39 0 x roll", "44 44 5 o roll", "51 40 0 x roll"];
    let [(without, _), (with, _)] = searched(&game, "banked", (&positions, 16), [Some(false), None]);
    let ratio = with.nodes.total() as f64 / without.nodes.total() as f64;
    assert!(ratio < 1.02, "{ratio}: {with:?}, {without:?}");
    let [(_, _), (always, _)] = searched(&game, "banked", (&positions, 12), [Some(false), Some(true)]);
    assert!(always.ends.by_shares > 0, "{always:?}");
}
