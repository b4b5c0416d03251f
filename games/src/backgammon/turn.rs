//! What the best move of a turn gains in pips, without making moves: bounds from bit sets, which meet for
//! most rolls.
//!
//! A move gains what its steps move the player's checkers, and what checkers that it hits lose: a blot that
//! is hit on the point p, as the player counts, loses p pips. The other's checkers change by being hit alone,
//! so which points are open does not change during a move, and a blot is hit once.
//!
//! A step that bears no checker off takes as many pips as the die shows, and one that bears one off no more.
//! So no move gains more than the dice show and the blots that it can hit lose. A move that uses all dice is
//! legal; whatever such a move gains, the best one gains at least.

use super::checkers::{BAR, POINTS, flipped};
use super::{Position, Roll};
use starsplit::score::Score;

/// Bounds of the most pips that a move gains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gain {
    /// Some move gains as much.
    pub(super) least: Score,
    /// None gains more.
    pub(super) most: Score,
}

impl Gain {
    fn exactly(pips: Score) -> Self {
        Gain { least: pips, most: pips }
    }
}

/// The player who moves, as the sets that steps are found with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// Where the player has checkers, and where two or more.
    occupied: u32,
    several: u32,
    /// Where the other has one checker at most, and where one, as the player counts.
    open: u32,
    blots: u32,
    /// How many checkers are on the bar, and how many there or not in the home board.
    on_bar: u32,
    outside: u32,
}

impl Turn {
    /// The turn of the player to act.
    pub(super) fn new(position: &Position) -> Self {
        let own = &position.checkers[position.to_act as usize];
        let other = &position.checkers[position.to_act.opponent() as usize];
        Turn {
            occupied: own.occupied(),
            several: own.several(),
            open: !flipped(other.several()) & POINTS,
            blots: flipped(other.single()) & POINTS,
            on_bar: if own.occupied() & BAR == 0 { 0 } else { own.on(25).into() },
            outside: own.outside(),
        }
    }

    /// What is gained by the best move with this roll.
    pub(super) fn gain(&self, roll: Roll) -> Gain {
        let (high, low) = (roll.high(), roll.low());
        match self.on_bar {
            _ if high == low => self.gain_of_double(high),
            0 => self.gain_of_pair(high, low),
            1 => Gain::exactly(self.gain_from_bar(high, low)),
            _ => Gain::exactly(self.entered_by(high) + self.entered_by(low)),
        }
    }

    /// The most that this many blots lose that a checker ahead of them may hit one day.
    pub(super) fn most_hit(&self, blots: u32) -> Score {
        let ahead = (1 << self.occupied.checked_ilog2().unwrap_or(0)) - 1;
        sum_of_highest(self.blots & ahead, blots)
    }

    /// From where a checker can step on the board by a die.
    #[inline]
    fn steps(&self, occupied: u32, die: u8) -> u32 {
        occupied & self.open << die
    }

    /// Two different numbers with no checker on the bar.
    #[inline]
    fn gain_of_pair(&self, high: u8, low: u8) -> Gain {
        let (by_high, by_low) = (self.steps(self.occupied, high), self.steps(self.occupied, low));
        // Where a checker ends a step by one number, and can go on by the other.
        let (on_by_low, on_by_high) = (self.steps(by_high >> high, low), self.steps(by_low >> low, high));
        let dice = Score::from(high + low);
        let (hit_by_high, hit_by_low) = (by_high >> high & self.blots, by_low >> low & self.blots);
        let by_one_checker = self.hit_on_the_way(on_by_low, low).max(self.hit_on_the_way(on_by_high, high));
        let most = dice + by_one_checker.max(sum_of_two(hit_by_high, hit_by_low));
        let partner = by_high != 0 && by_low != 0 && self.are_two(by_high | by_low);
        if on_by_low | on_by_high == 0 && !partner {
            return match self.outside {
                0 | 1 => Gain { least: 0, most }, // a checker may be borne off
                _ if by_high != 0 => Gain::exactly(Score::from(high) + highest(hit_by_high)),
                _ if by_low != 0 => Gain::exactly(Score::from(low) + highest(hit_by_low)),
                _ => Gain::exactly(0),
            };
        }
        let first = self.hit_with_another(hit_by_high, high, by_low, on_by_low);
        let second = self.hit_with_another(hit_by_low, low, by_high, on_by_high);
        let both = self.hit_by_two((hit_by_high, high), (hit_by_low, low));
        Gain { least: dice + by_one_checker.max(first).max(second).max(both), most }
    }

    /// The most that blots lose to a checker that steps to one of these points, and goes on from there.
    #[inline]
    fn hit_on_the_way(&self, between: u32, die: u8) -> Score {
        let at_end = between >> die & self.blots;
        let both = at_end << die & self.blots;
        let twice = if both == 0 { 0 } else { 2 * highest(both) - Score::from(die) };
        highest(between & self.blots).max(highest(at_end)).max(twice)
    }

    /// What the highest of these blots loses, which the die hits, if another checker, or the same one farther
    /// on, can step by the other number; else nothing.
    #[inline]
    fn hit_with_another(&self, blots: u32, die: u8, by_other: u32, going_on: u32) -> Score {
        let hit = highest(blots);
        let from = 1 << hit << die;
        let others = by_other & !(from & !self.several);
        if others | going_on & 1 << hit == 0 { 0 } else { hit }
    }

    /// What the highest of the blots that either die hits lose, if two checkers can hit them.
    #[inline]
    fn hit_by_two(&self, (blots, die): (u32, u8), (other_blots, other_die): (u32, u8)) -> Score {
        let (hit, other_hit) = (highest(blots), highest(other_blots));
        let (from, other_from) = (1 << hit << die, 1 << other_hit << other_die);
        let can = blots != 0
            && other_blots != 0
            && hit != other_hit
            && (from != other_from || from & self.several != 0);
        if can { hit + other_hit } else { 0 }
    }

    /// Whether there are two checkers on these points.
    #[inline]
    fn are_two(&self, points: u32) -> bool {
        points & (points - 1) != 0 || points & self.several != 0
    }

    /// What is gained by a checker that enters by a die, if it can.
    #[inline]
    fn entered_by(&self, die: u8) -> Score {
        let point = BAR >> die;
        let hit = if self.blots & point == 0 { 0 } else { highest(point) };
        if self.open & point == 0 { 0 } else { Score::from(die) + hit }
    }

    /// Two different numbers with one checker on the bar, which enters by one of them. No checker is borne
    /// off after that, so the best move is known: one with both numbers, in the better order, if there is
    /// one; else one with the higher number, if that enters.
    #[inline]
    fn gain_from_bar(&self, high: u8, low: u8) -> Score {
        let in_order = |first: u8, second: u8| {
            let entered = BAR >> first;
            let ends = self.steps(self.occupied & POINTS | entered, second) >> second;
            let has_both = self.open & entered != 0 && ends != 0;
            let gained =
                || self.entered_by(first) + Score::from(second) + highest(ends & self.blots & !entered);
            if has_both { gained() } else { 0 }
        };
        let with_both = in_order(high, low).max(in_order(low, high));
        let with_one = || match self.entered_by(high) {
            0 => self.entered_by(low),
            by_high => by_high,
        };
        if with_both > 0 { with_both } else { with_one() }
    }

    /// Four times the same number. A step on the board never takes another's way, so that where there are
    /// four of them any can be completed to a move.
    #[inline]
    fn gain_of_double(&self, die: u8) -> Gain {
        let (entered, pips) = (BAR >> die, Score::from(die));
        if self.on_bar > 0 && self.open & entered == 0 {
            return Gain::exactly(0);
        }
        let left = 4u32.saturating_sub(self.on_bar);
        let entering = self.on_bar.min(4) as Score * pips
            + if self.on_bar > 0 && self.blots & entered != 0 { highest(entered) } else { 0 };
        let (mut occupied, mut several, mut blots) = (self.occupied & POINTS, self.several, self.blots);
        if self.on_bar > 0 {
            let is_joined = occupied & entered != 0 || self.on_bar > 1;
            several |= if is_joined { entered } else { 0 };
            occupied |= entered;
            blots &= !entered;
        }
        let (mut begins, mut steps, mut hit) = (occupied, 0, [0; 4]);
        for (n, hit) in (0..left).zip(&mut hit) {
            // The checkers that can make one step more.
            begins &= self.open << (u32::from(die) * (n + 1));
            steps += begins.count_ones() + (begins & several).count_ones();
            *hit = begins >> (u32::from(die) * (n + 1)) & blots;
        }
        let reached = hit[0] | hit[1] | hit[2] | hit[3];
        let most = entering + left as Score * pips + sum_of_highest(reached, left);
        let least = if steps >= left {
            left as Score * pips + highest(reached).max(sum_of_highest(hit[0], left))
        } else if self.outside >= 4 {
            steps as Score * pips
        } else {
            0 // a checker may be borne off
        };
        Gain { least: entering + least, most }
    }
}

/// The highest point of a set; 0 of the empty one.
#[inline]
fn highest(set: u32) -> Score {
    set.checked_ilog2().unwrap_or(0) as Score
}

/// The highest of one set and the highest of another that is not the same point.
#[inline]
fn sum_of_two(one: u32, other: u32) -> Score {
    let (first, second) = (highest(one), highest(other));
    if first != second {
        return first + second;
    }
    let same = 1 << first;
    first + highest(one & !same).max(highest(other & !same))
}

/// The sum of so many of the highest points of a set.
#[inline]
fn sum_of_highest(mut set: u32, count: u32) -> Score {
    let mut sum = 0;
    for _ in 0..count {
        sum += highest(set);
        set &= !(1u32 << highest(set));
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backgammon::checkers::Checkers;
    use crate::backgammon::{Backgammon, Phase, Scoring, Variant};
    use rand_core::{Rng, SeedableRng};
    use rand_pcg::Pcg32;
    use starsplit::game::{Game, Player};

    /// Checkers of either side, near home as often as not, some on the bar.
    fn scattered(random: &mut impl FnMut(u32) -> u32) -> [Checkers; 2] {
        let (mut sides, mut taken) = ([Checkers::default(); 2], 0);
        for side in &mut sides {
            let reach = [3, 7, 12, 25][random(4) as usize];
            for _ in 0..1 + random(15) {
                let point = 1 << (1 + random(reach));
                side.add(if taken & point == 0 { point } else { BAR });
            }
            taken = flipped(side.occupied() & POINTS);
        }
        sides
    }

    /// What the best move gains, all moves tried.
    fn best(game: &Backgammon, position: &Position) -> Score {
        let needed = |position: &Position, player| Score::from(position.pips(player));
        let mut best = 0;
        game.moves(position, |mv| {
            let after = game.play(position, mv);
            let moved = needed(position, Player::Max) - needed(&after, Player::Max);
            best = best.max(moved + needed(&after, Player::Min) - needed(position, Player::Min));
        });
        best
    }

    #[test]
    fn gains_are_those_of_the_best_moves() {
        let game = Backgammon::new(Variant::Backgammon, Scoring::Points);
        let mut random = Pcg32::seed_from_u64(1);
        let mut below = |end: u32| ((u64::from(random.next_u32()) * u64::from(end)) >> 32) as u32;
        // Whether it is a double, and is the gain exact.
        let mut counts = [[0u32; 2]; 2];
        for _ in 0..20_000 {
            let sides = scattered(&mut below);
            for roll in Roll::all() {
                let position = game.position(sides, Player::Max, Phase::Moving(roll));
                let (gain, best) = (Turn::new(&position).gain(roll), best(&game, &position));
                assert!(gain.least <= best && best <= gain.most, "{gain:?} of {best}, {roll:?}: {sides:?}");
                counts[usize::from(roll.high == roll.low)][usize::from(gain.least == gain.most)] += 1;
            }
        }
        let [[some, exact], [some_of_double, exact_of_double]] = counts;
        assert!(exact > some && exact_of_double > some_of_double, "{counts:?}");
    }
}
