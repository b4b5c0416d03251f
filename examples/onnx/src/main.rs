//! An engine's net in ONNX, run by tract, under the search on two threads: evaluations in batches,
//! the best three moves, what each roll after the best is worth, and what the best play comes to.
//!
//! `cargo run --release [DEPTH] [FILE]`: DEPTH plies, 2 or more, with the net in FILE, or one made here.

mod evaluator;
mod net;

use anyhow::{Context, Result, ensure};
use evaluator::{Net, OUTPUTS, equity};
use starsplit::Searcher;
use starsplit::game::{Game, Texts};
use starsplit::search::{Limits, Options, RootRanking};
use starsplit_games::KnownGame;
use starsplit_games::backgammon::{Backgammon, Scoring, Variant};
use starsplit_testkit::{Plays, check_evaluator};

/// A position of money play, and a roll.
const POSITION: &str = "AgCX1wcHAK9HRA x 31";

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let depth = arguments.next().map_or(Ok(4), |depth| depth.parse()).context("DEPTH: expected plies")?;
    ensure!(depth >= 2, "DEPTH {depth}: expected 2 plies or more");
    let file = arguments.next().map(|path| std::fs::read(&path).context(path)).transpose()?;
    let net = Net::read(&file.unwrap_or_else(net::file))?;

    let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
    // Among other things: does a row give the same bits in any company? If not, wrap the net in `Padded`.
    check_evaluator(&game, &net, &game.initial(), &Plays { games: 2, max_plies: 40, seed: 1 })?;

    let position = game.parse(POSITION)?;
    let limits = Limits::depth(depth);
    let searcher = Searcher::builder(game.clone(), &net).threads(2).limits(limits.clone()).build()?;
    let three = Options { root_ranking: RootRanking::Best(3), ..searcher.options().clone() };
    let result = searcher.request(&position).options(three).search()?;
    println!("{} plies, {} nodes, {:?}", result.depth, result.stats.nodes.total(), result.elapsed);
    println!("{} evaluations, {:?}", result.stats.nodes.evaluations, result.stats.batches);
    for ranked in result.root_moves.iter().take(3) {
        println!("{:<12} {:+.4}", game.move_text(&position, ranked.mv), ranked.value);
    }

    // The net's shares at the end of the best play, on average: consistent with the value.
    let mut failed = None;
    let found = searcher.request(&position).limits(limits.clone()).expectation(OUTPUTS, |leaf, numbers| {
        match net.for_max(&game, leaf) {
            Ok(shares) => numbers.copy_from_slice(&shares),
            Err(error) => failed = Some(error),
        }
    })?;
    failed.map_or(Ok(()), Err)?;
    let found = found.context("nothing limits it")?;
    let shares: [f64; OUTPUTS] = found.payload.as_slice().try_into()?;
    let [win, gammons, backgammons, lost_gammons, lost_backgammons] = shares.map(|share| 100.0 * share);
    println!("wins {win:.1}%, gammons {gammons:.1}%, backgammons {backgammons:.1}%");
    println!("lost gammons {lost_gammons:.1}%, backgammons {lost_backgammons:.1}%");
    println!("{} positions, {} nodes more", found.positions, found.stats.nodes.total());
    ensure!((equity(shares) - result.value).abs() < 1e-5, "shares come to {}", equity(shares));

    let rolled = game.play(&position, result.best_move.context("a decision has a best move")?);
    let mut rolls = searcher.request(&rolled).limits(Limits::depth(depth - 1)).outcomes()?;
    rolls.sort_by(|one, other| other.value.total_cmp(&one.value));
    for roll in [rolls.first(), rolls.last()].into_iter().flatten() {
        println!("after {}: {:+.4}", game.outcome_text(&rolled, roll.outcome), roll.value);
    }
    Ok(())
}
