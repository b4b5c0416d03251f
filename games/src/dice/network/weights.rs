//! Dice's inputs, and what the generic network needs to know of the game.

use super::quantised::Network;
use super::reach;
use crate::dice::{Dice, Position, bits};
use crate::network::{self, Group, NetworkError, NetworkGame, Shape};
use starsplit::game::{Game, Player};

/// How many hidden units a network has.
pub const HIDDEN: usize = 10;

/// How many inputs count runs; they come after the inputs for the checkers.
pub const RUN_INPUTS: usize = 4;

/// The weights of a network for Dice.
pub type Weights = network::Weights<HIDDEN, 1>;

/// The weights that come with the library.
const TRAINED_5_4: &[u8] = include_bytes!("../../../weights/dice-5x5-4.safetensors");

impl NetworkGame<HIDDEN, 1> for Dice {
    type Network = Network;
    const START: f32 = 0.2;

    /// How full lines are treated is no part of the shape: a network serves both.
    fn shape(&self) -> Shape {
        let (size, run) = (self.rules().size(), self.rules().run());
        let side = usize::from(size);
        let group = |name, shape| Group { name, shape };
        Shape {
            game: "dice",
            rules: format!("size={size},run={run}"),
            groups: vec![
                group("own", vec![side, side]),
                group("opponent", vec![side, side]),
                group("runs", vec![RUN_INPUTS]),
            ],
        }
    }

    fn trained(&self) -> Option<&'static [u8]> {
        ((self.rules().size(), self.rules().run()) == (5, 4)).then_some(TRAINED_5_4)
    }

    /// The inputs are: own checkers, one for each cell, row by row; the opponent's checkers; own runs of
    /// length `run - 2` and `run - 1`; the opponent's. Rows are the lines that `player` rolls.
    #[inline]
    fn inputs(&self, position: &Position, player: Player, mut push: impl FnMut(usize, i16)) {
        let size = self.rules().size();
        let cells = usize::from(size) * usize::from(size);
        for (side, owner) in [player, player.opponent()].into_iter().enumerate() {
            for cell in bits(position.stones(owner)) {
                push(side * cells + usize::from(seen_cell(size, player, cell)), 1);
            }
            for (k, count) in position.runs(owner).into_iter().enumerate() {
                if count > 0 {
                    push(2 * cells + 2 * side + k, i16::from(count));
                }
            }
        }
    }

    fn worth(&self) -> [i32; 1] {
        [self.grid.limit()]
    }

    fn result(&self, position: &Position) -> [f32; 1] {
        [self.terminal_score(position).signum() as f32]
    }

    fn flipped([output]: [f32; 1]) -> [f32; 1] {
        [-output]
    }

    fn network(&self, weights: &Weights) -> Result<Network, NetworkError> {
        Network::new(self, weights)
    }

    fn confine(&self, weights: &mut Weights) {
        reach::confine(self.rules(), weights);
    }
}

/// The number of `cell` on the board that `player` sees: as it is for the first player, transposed for the
/// second.
#[inline]
pub(super) fn seen_cell(size: u8, player: Player, cell: u8) -> u8 {
    match player {
        Player::Max => cell,
        Player::Min => cell % size * size + cell / size,
    }
}
