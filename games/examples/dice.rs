//! The program of README.md: a search of Dice, and the three best moves.
//!
//! `cargo run --release --example dice`

use starsplit::Searcher;
use starsplit::game::Texts;
use starsplit::search::{Limits, Options, RootMove, RootRanking};
use starsplit_games::dice::{Dice, Network, Rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let dice = Dice::new(Rules::default());
    let position = dice.parse("x.o../..x../.oo../.x..o/...x. x r3")?;
    let searcher = Searcher::builder(dice.clone(), Network::trained(&dice)?)
        .threads(2)
        .table_mib(64)
        .limits(Limits::depth(10))
        .build()?;
    let three = Options { root_ranking: RootRanking::Best(3), ..searcher.options().clone() };
    let result = searcher.request(&position).options(three).search()?;
    println!("{} in {} nodes", result.value, result.stats.nodes.total());
    for RootMove { mv, value, .. } in result.root_moves.iter().take(3) {
        println!("{} is worth {value}", dice.move_text(&position, *mv));
    }
    Ok(())
}
