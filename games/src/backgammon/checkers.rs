//! The checkers of one player as bit sets.

/// The bit of the bar, which counts as the player's own point 25.
pub(super) const BAR: u32 = 1 << 25;
/// The points 1 to 24.
pub(super) const POINTS: u32 = (BAR - 1) & !1;
/// All that is not the player's home board: the points 7 to 24, and the bar.
const OUTSIDE: u32 = (BAR << 1) - (1 << 7);
/// The other player's home board: the points 19 to 24, and the bar.
const BACK: u32 = (BAR << 1) - (1 << 19);

/// Where one player's checkers are: the points are numbered 1 to 24 as the player counts them, 25 is the bar.
///
/// Bit `p` of `digits[k]` is the binary digit `k` of the number of checkers on point `p`: so the sets that
/// moves are found with take three operations each, and a step takes a dozen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Checkers {
    digits: [u32; 4],
}

impl Checkers {
    /// Where there is a checker or more.
    #[inline]
    pub(super) fn occupied(&self) -> u32 {
        self.digits[0] | self.several()
    }

    /// Where there are two checkers or more.
    #[inline]
    pub(super) fn several(&self) -> u32 {
        self.digits[1] | self.digits[2] | self.digits[3]
    }

    /// Where there is one checker.
    #[inline]
    pub(super) fn single(&self) -> u32 {
        self.digits[0] & !self.several()
    }

    /// The point of the rearmost checker, 0 where there is none.
    #[inline]
    pub(super) fn highest(&self) -> u32 {
        self.occupied().checked_ilog2().unwrap_or(0)
    }

    /// Whether no checker has to pass one of the other player's any more: neither side can hit. Either counts
    /// the points from its own end: a point is the same where the numbers add up to 25.
    #[inline]
    pub(super) fn is_past(&self, other: &Self) -> bool {
        self.highest() + other.highest() < 25
    }

    /// The points that do not have as many as in `other`.
    #[inline]
    pub(super) fn differing(&self, other: &Self) -> u32 {
        let digits = self.digits.iter().zip(&other.digits);
        digits.fold(0, |points, (one, other)| points | one ^ other)
    }

    /// How many there are on a point.
    pub(super) fn on(&self, point: u8) -> u8 {
        (0..4).map(|k| ((self.digits[k] >> point & 1) as u8) << k).sum()
    }

    /// How many there are on the board and on the bar.
    #[inline]
    pub(super) fn count(&self) -> u32 {
        (0..4).map(|k| self.digits[k].count_ones() << k).sum()
    }

    /// How many are not in the home board, those on the bar among them.
    #[inline]
    pub(super) fn outside(&self) -> u32 {
        (0..4).map(|k| (self.digits[k] & OUTSIDE).count_ones() << k).sum()
    }

    /// How many are in the other player's home board or on the bar.
    #[inline]
    pub(super) fn back(&self) -> u32 {
        (0..4).map(|k| (self.digits[k] & BACK).count_ones() << k).sum()
    }

    /// How many pips they need to be borne off.
    pub(super) fn pips(&self) -> u16 {
        (1..=25).map(|point| u16::from(point) * u16::from(self.on(point))).sum()
    }

    /// Adds a checker on the point whose bit this is; a point has 15 at most.
    #[inline]
    pub(super) fn add(&mut self, point: u32) {
        let mut carry = point;
        for digit in &mut self.digits {
            let before = *digit;
            *digit ^= carry;
            carry &= before;
        }
    }

    /// Takes a checker from the point whose bit this is; there has to be one.
    #[inline]
    pub(super) fn remove(&mut self, point: u32) {
        let mut borrow = point;
        for digit in &mut self.digits {
            *digit ^= borrow;
            borrow &= *digit;
        }
    }

    /// The same after one checker's step from the point whose bit this is.
    #[inline]
    pub(super) fn after_step(mut self, from: u32, die: u8) -> Self {
        self.remove(from);
        self.add(from >> die & POINTS);
        self
    }
}

/// The same points as the other player counts them.
#[inline]
pub(super) fn flipped(points: u32) -> u32 {
    points.reverse_bits() >> 6
}

/// From where a checker may make a step, given where the player has checkers and which points are open (those
/// on which the other has one checker at most).
#[inline]
pub(super) fn sources(occupied: u32, open: u32, die: u8) -> u32 {
    let mut from = occupied & open << die;
    if occupied & BAR != 0 {
        return from & BAR;
    }
    if occupied & OUTSIDE == 0 {
        from |= occupied & 1 << die;
        if occupied >> die == 0 {
            // Every checker is nearer than the die tells: the farthest may go.
            from |= highest(occupied);
        }
    }
    from
}

/// The highest bit of a set, 0 of the empty one.
#[inline]
fn highest(set: u32) -> u32 {
    if set == 0 { 0 } else { 1 << set.ilog2() }
}

/// The bits of a set one by one, the highest first.
#[inline]
pub(super) fn downwards(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = highest(set);
        set ^= bit;
        (bit != 0).then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_kept_in_binary_digits() {
        let mut checkers = Checkers::default();
        for count in 1..=15 {
            checkers.add(1 << 7);
            assert_eq!((checkers.on(7), checkers.count()), (count, u32::from(count)));
            assert_eq!(checkers.single() != 0, count == 1);
        }
        checkers.add(BAR);
        assert_eq!((checkers.on(7), checkers.on(25), checkers.pips()), (15, 1, 130));
        for count in (0..15).rev() {
            checkers.remove(1 << 7);
            assert_eq!((checkers.on(7), checkers.on(8), checkers.on(25)), (count, 0, 1));
        }
        assert_eq!(checkers.occupied(), BAR);
    }

    #[test]
    fn sources_are_where_a_step_may_begin() {
        let points = |list: &[u32]| list.iter().fold(0, |set, point| set | 1 << point);
        let home = points(&[2, 3]);
        assert_eq!(sources(home, POINTS, 6), points(&[3]), "the farthest, where the die is higher");
        assert_eq!(sources(home, POINTS, 2), home, "off, and on the board");
        assert_eq!(sources(home, POINTS & !points(&[1]), 2), points(&[2]));
        assert_eq!(sources(points(&[2, 7]), POINTS, 3), points(&[7]), "nothing goes off before all are home");
        assert_eq!(sources(BAR | home, POINTS, 4), BAR);
        assert_eq!(sources(BAR | home, POINTS & !points(&[21]), 4), 0);
        assert_eq!(sources(0, POINTS, 4), 0);
    }
}
