//! What the readings are searched with: sets of positions, and networks.

use starsplit_games::dice::{Dice, Network, Position, Rules};
use starsplit_training::self_play::{PAPER_CHECKERS, collect};

/// The seeds of the sets of 50 positions from self-play of the library's network; the first makes the suite
/// `paper`.
pub const SEEDS: [u64; 3] = [1, 2, 3];

/// What the library's own network is called.
pub const LIBRARY: &str = "library";

/// The networks by their names, and their weights where they are not the library's. `games/weights/README.md`
/// has the command that made the library's; the others were made by the same, but for the seed.
const WEIGHTS: [(&str, Option<&[u8]>); 3] = [
    (LIBRARY, None),
    ("seed-2", Some(include_bytes!("../../src/readings/networks/seed-2.safetensors"))),
    ("seed-3", Some(include_bytes!("../../src/readings/networks/seed-3.safetensors"))),
];

/// A network with its name.
pub type Named = (&'static str, Network);

/// All of them.
///
/// # Errors
/// Never: they are made for this board.
pub fn networks() -> anyhow::Result<Vec<Named>> {
    let dice = Dice::new(Rules::default());
    let read = |(name, weights): (_, Option<&[u8]>)| {
        Ok((
            name,
            weights.map_or_else(|| Network::trained(&dice), |bytes| Network::from_bytes(&dice, bytes))?,
        ))
    };
    WEIGHTS.into_iter().map(read).collect()
}

/// The first `count` positions of a seed's set, as `positions --seed N` writes them.
///
/// # Errors
/// When self-play does not come to as many.
pub fn positions(seed: u64, count: usize) -> anyhow::Result<Vec<Position>> {
    let dice = Dice::new(Rules::default());
    let mut found = collect(&dice, &Network::trained(&dice)?, &PAPER_CHECKERS, seed)?;
    found.truncate(count);
    Ok(found)
}
