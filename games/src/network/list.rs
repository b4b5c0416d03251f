//! The games with a network, by name. A new one is a line here.

use super::NetworkGame;
use crate::{GameInfo, Invalid, KnownGame, backgammon, dice, einstein};

/// What is done with a game that has a network, whatever its type.
pub trait NetworkVisitor {
    /// What comes of it.
    type Output;

    /// Does it, with a game that was opened by the name of `info`.
    fn visit<G: NetworkGame<H, O>, const H: usize, const O: usize>(
        self,
        info: &'static GameInfo,
        game: G,
    ) -> Self::Output;
}

macro_rules! networks {
    ($($info:path: $game:ty, $hidden:path, $outputs:expr;)*) => {
        /// All of them; the first is the one that is meant where none is named.
        pub const ALL: &[&GameInfo] = &[$(&$info),*];

        /// Opens the game called `name` under `rules` (its default ones where there are none) for `visitor`.
        ///
        /// # Errors
        /// When there is no such game, it has no network, or the rules are none of it.
        pub fn open<V: NetworkVisitor>(
            name: &str,
            rules: Option<&str>,
            visitor: V,
        ) -> Result<V::Output, Invalid> {
            $(if name == $info.name {
                let game = <$game>::open(&$info, rules.unwrap_or($info.default_rules))?;
                return Ok(visitor.visit::<$game, { $hidden }, { $outputs }>(&$info, game));
            })*
            let names: Vec<_> = ALL.iter().map(|info| info.name).collect();
            let expected = format!("{}: the games with a network", names.join(" or "));
            Err(Invalid::new("game", name, expected))
        }
    };
}

networks! {
    dice::INFO: dice::Dice, dice::network::HIDDEN, 1;
    backgammon::INFO: backgammon::Backgammon, backgammon::network::HIDDEN, backgammon::network::OUTPUTS;
    backgammon::HYPER_INFO: backgammon::Backgammon, backgammon::network::HIDDEN, backgammon::network::OUTPUTS;
    einstein::INFO: einstein::Einstein, einstein::network::HIDDEN, 1;
}
