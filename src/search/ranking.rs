//! The root's moves with a value each, for as many of the best as the options ask for.
//!
//! A move is searched in a window that begins right below the least value that is among the best so far. So
//! all of these values are exact, equal ones too, and which moves are the best depends on no order of search.
//! A move that fails low has an upper bound, and the next iteration tries the moves in the order of this one.

use crate::game::{Game, Player};
use crate::score::{Bounds, Score};
use crate::search::answer::RootMove;
use crate::search::request::Options;
use std::cmp::Reverse;

/// A root move that was searched.
#[derive(Clone, Copy, Debug)]
struct TriedMove<M> {
    mv: M,
    /// Its place in generation order.
    ordinal: u32,
    /// Its bounds for the root's player.
    bounds: Bounds,
}

/// Whether moves of a node at this ply are ranked.
#[inline]
pub(super) fn ranks_moves(options: &Options, ply: u16) -> bool {
    ply == 0 && options.root_ranking.count() > 0
}

/// The greatest values found, as many as are asked for.
#[derive(Clone, Debug)]
pub(crate) struct BestValues {
    count: usize,
    /// The greatest first.
    values: Vec<Score>,
}

impl BestValues {
    /// None yet, of so many.
    fn new(count: usize) -> Self {
        BestValues { count, values: Vec::new() }
    }

    /// Adds the lower bound of a move, which is its value where it is among the greatest.
    pub(crate) fn add(&mut self, lower: Score) {
        if self.values.len() < self.count || self.values.last().is_some_and(|&least| lower > least) {
            self.values.truncate(self.count - 1);
            self.values.insert(self.values.partition_point(|&value| value >= lower), lower);
        }
    }

    /// The score that a move has to beat to be among them, or equal the last of them.
    pub(crate) fn floor(&self) -> Score {
        let least = if self.values.len() < self.count { None } else { self.values.last() };
        least.map_or(Score::MIN, |least| least - 1)
    }
}

/// The root's moves in the current iteration.
#[derive(Debug)]
pub(crate) struct RootMoves<'a, M> {
    /// The moves that are searched; all where none is named.
    pub(super) asked: &'a [M],
    /// The iteration's best move so far, at a decision root.
    pub(super) preferred: Option<M>,
    /// The moves tried, if they are ranked.
    tried: Vec<TriedMove<M>>,
    /// The greatest of their values.
    pub(super) best: BestValues,
    /// The ordinals of the moves as the last iteration ranked them.
    order: Vec<u32>,
}

impl<'a, M: Copy> RootMoves<'a, M> {
    /// No moves yet.
    pub(super) fn new(options: &Options, asked: &'a [M]) -> Self {
        let best = BestValues::new(options.root_ranking.count());
        RootMoves { asked, preferred: None, tried: Vec::new(), best, order: Vec::new() }
    }

    /// Forgets the last iteration but for its order.
    pub(super) fn clear(&mut self) {
        self.preferred = None;
        self.best.values.clear();
        self.order = self.sorted().iter().map(|tried| tried.ordinal).collect();
        self.tried.clear();
    }

    /// Records a move's bounds.
    #[cold]
    pub(super) fn note(&mut self, mv: M, ordinal: u32, bounds: Bounds) {
        self.tried.push(TriedMove { mv, ordinal, bounds });
        self.best.add(bounds.lower);
    }

    /// The rank of a move by the last iteration; the same for all where there was none.
    pub(super) fn rank(&self, ordinal: u32) -> i64 {
        self.order.iter().position(|&own| own == ordinal).map_or(i64::MIN, |place| -(place as i64))
    }

    /// Whether an iteration has ranked the moves.
    pub(super) fn has_order(&self) -> bool {
        !self.order.is_empty()
    }

    /// The tried moves, best first, equals in generation order.
    fn sorted(&self) -> Vec<TriedMove<M>> {
        let mut tried = self.tried.clone();
        tried.sort_unstable_by_key(|&TriedMove { bounds, ordinal, .. }| {
            (Reverse((bounds.lower, bounds.upper)), ordinal)
        });
        tried
    }

    /// The first of the best, if the moves are ranked.
    pub(super) fn best_move(&self) -> Option<M> {
        self.sorted().first().map(|best| best.mv)
    }

    /// The same as results have them. `value` converts bounds to a value for `Max`.
    pub(super) fn ranked(&self, value: impl Fn(Bounds) -> f64) -> Vec<RootMove<M>> {
        let ranked = |TriedMove { mv, bounds, .. }| RootMove { mv, bounds, value: value(bounds) };
        self.sorted().into_iter().map(ranked).collect()
    }
}

/// A position's value for `Max` in the game's units: the exact value, or the middle of the bounds. The bounds
/// are for the position's player.
pub(crate) fn value_for_max<G: Game>(game: &G, position: &G::Position, bounds: Bounds) -> f64 {
    let grid = game.facts().grid;
    let for_max = if game.player(position) == Player::Max { bounds } else { bounds.flipped() };
    if for_max.is_exact() {
        grid.value(for_max.lower)
    } else {
        grid.value(for_max.lower) / 2.0 + grid.value(for_max.upper) / 2.0
    }
}

#[cfg(test)]
mod tests {
    use super::BestValues;
    use crate::score::Score;

    #[test]
    fn the_floor_is_right_below_the_least_of_the_best() {
        let mut best = BestValues::new(2);
        let floors = [3, 7, 5, 5, 1, 9, 7].map(|value| {
            best.add(value);
            best.floor()
        });
        assert_eq!(floors, [Score::MIN, 2, 4, 4, 4, 6, 6]);
        assert_eq!(best.values, [9, 7]);
        let mut all = BestValues::new(usize::MAX);
        (0..100).for_each(|value| all.add(value));
        assert_eq!(all.floor(), Score::MIN);
    }
}
