//! The list of all games. A new one is a crate beside this, and its line here.

use starsplit_doors::games::Games;

/// All games, Dice first.
pub const GAMES: Games = Games(&[
    &starsplit_doors_dice::DICE,
    &starsplit_doors_pig::PIG,
    &starsplit_doors_einstein::EINSTEIN,
    &starsplit_doors_backgammon::BACKGAMMON,
    &starsplit_doors_backgammon::HYPER_BACKGAMMON,
    &starsplit_doors_twenty48::TWENTY48,
    &starsplit_doors_abalone::ABALONE,
]);
