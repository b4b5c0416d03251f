//! The games that programs can name. A new one is a line here.

use crate::known::{GameInfo, GameVisitor, KnownGame};
use crate::{Invalid, abalone, backgammon, dice, einstein, pig, twenty48};

macro_rules! games {
    ($($info:path: $game:ty,)*) => {
        /// All of them; the first is the one that is meant where none is named.
        pub const ALL: &[&GameInfo] = &[$(&$info),*];

        /// Opens the game called `name` under `rules` (its default ones where there are none) for `visitor`.
        ///
        /// # Errors
        /// When there is no such game, or the rules are none of it.
        pub fn open<V: GameVisitor>(name: &str, rules: Option<&str>, visitor: V) -> Result<V::Output, Invalid> {
            $(if name == $info.name {
                let game = <$game>::open(&$info, rules.unwrap_or($info.default_rules))?;
                return Ok(visitor.visit(&$info, game));
            })*
            Err(unknown(name))
        }
    };
}

games! {
    dice::INFO: dice::Dice,
    pig::INFO: pig::Pig,
    einstein::INFO: einstein::Einstein,
    backgammon::INFO: backgammon::Backgammon,
    backgammon::HYPER_INFO: backgammon::Backgammon,
    twenty48::INFO: twenty48::Twenty48,
    abalone::INFO: abalone::Abalone,
}

/// What is known of the game of that name.
///
/// # Errors
/// When there is none.
pub fn named(name: &str) -> Result<&'static GameInfo, Invalid> {
    ALL.iter().find(|info| info.name == name).copied().ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> Invalid {
    let names: Vec<_> = ALL.iter().map(|info| info.name).collect();
    Invalid::new("game", name, names.join(" or "))
}
