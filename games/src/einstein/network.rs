//! The network for EinStein würfelt nicht: its inputs.

use super::{Einstein, GONE, Move, Position, Stage};
use crate::network::{self, CarriedInputs, Group, NetworkError, NetworkGame, Shape};
use starsplit::game::{Game, Player};

/// How many hidden units the network has.
pub const HIDDEN: usize = 32;

/// The evaluator.
pub type Network = network::Network<HIDDEN, 1>;

/// Its weights in floats.
pub type Weights = network::Weights<HIDDEN, 1>;

/// The weights that come with the library.
const TRAINED_5_6: &[u8] = include_bytes!("../../weights/einstein-5x5-6.safetensors");

impl NetworkGame<HIDDEN, 1> for Einstein {
    type Network = Network;
    const START: f32 = 0.2;

    fn shape(&self) -> Shape {
        let places = self.places();
        Shape {
            game: "einstein",
            rules: format!("size={},stones={}", self.size, self.stones),
            groups: vec![Group { name: "stones", shape: vec![2, usize::from(self.stones), places] }],
        }
    }

    fn trained(&self) -> Option<&'static [u8]> {
        ((self.size, self.stones) == (5, 6)).then_some(TRAINED_5_6)
    }

    #[inline]
    fn inputs(&self, position: &Position, player: Player, push: impl FnMut(usize, i16)) {
        self.carried(position, player, push);
    }

    /// Until the first player has moved: the order in which stones are set up is an outcome.
    #[inline]
    fn is_even(&self, position: &Position) -> bool {
        let cells = position.stones[Player::Max as usize].iter().filter(|&&cell| cell != GONE);
        let first = cells.fold(0, |cells, cell| cells | 1 << cell);
        position.stage == Stage::SetUp || first == self.first_corner
    }

    fn worth(&self) -> [i32; 1] {
        [self.facts().grid.limit()]
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
        Network::confine(self, weights);
    }
}

/// Every stone of either side is an input by its cell, or by being gone: the cells counted from the corner
/// that its side came from, so that both players see themselves as the first.
impl CarriedInputs<HIDDEN, 1> for Einstein {
    #[inline]
    fn carried(&self, position: &Position, player: Player, mut push: impl FnMut(usize, i16)) {
        for (side, owner) in [player, player.opponent()].into_iter().enumerate() {
            for (number, &cell) in
                position.stones[owner as usize][..usize::from(self.stones)].iter().enumerate()
            {
                push(self.input(side, number, player, cell), 1);
            }
        }
    }

    #[inline]
    fn changes(
        &self,
        before: &Position,
        _mv: Move,
        after: &Position,
        mut push: impl FnMut(Player, usize, i16),
    ) {
        for owner in [Player::Max, Player::Min] {
            let stones = before.stones[owner as usize].iter().zip(&after.stones[owner as usize]);
            for (number, (&old, &new)) in stones.enumerate() {
                if old != new {
                    for (side, player) in [owner, owner.opponent()].into_iter().enumerate() {
                        push(player, self.input(side, number, player, old), -1);
                        push(player, self.input(side, number, player, new), 1);
                    }
                }
            }
        }
    }

    fn extremes(&self, weight: impl Fn(usize) -> f64) -> (f64, f64) {
        let places = self.places();
        let (mut low, mut high) = (0.0, 0.0);
        for stone in 0..2 * usize::from(self.stones) {
            let weights = (stone * places..(stone + 1) * places).map(&weight);
            low += weights.clone().fold(f64::INFINITY, f64::min);
            high += weights.fold(f64::NEG_INFINITY, f64::max);
        }
        (low, high)
    }
}

impl Einstein {
    /// The cells, and one place for stones that are gone.
    fn places(&self) -> usize {
        usize::from(self.size) * usize::from(self.size) + 1
    }

    /// The input of a stone of the player's own (0) or the opponent's (1), by its number counted from 0.
    #[inline]
    fn input(&self, side: usize, number: usize, player: Player, cell: u8) -> usize {
        let places = self.places();
        let place = match (usize::from(cell), player) {
            (cell, _) if cell == usize::from(GONE) => places - 1,
            (cell, Player::Max) => cell,
            (cell, Player::Min) => places - 2 - cell,
        };
        (side * usize::from(self.stones) + number) * places + place
    }
}
