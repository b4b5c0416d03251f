//! What players count on the board: shots, escapes, primes.

use super::checkers::{BAR, Checkers, POINTS, flipped};

/// How many of 36 rolls hit a blot of `other`'s, one that enters from the bar included where it must. What a
/// roll must be played for besides is not looked at.
#[inline]
pub(super) fn shots(own: &Checkers, other: &Checkers) -> u32 {
    let blots = flipped(other.single()) & POINTS;
    let occupied = own.occupied();
    // Nearer than the rearmost checker.
    if blots == 0 || (blots & blots.wrapping_neg()) > occupied {
        return 0;
    }
    let open = !flipped(other.several()) & POINTS;
    if occupied & BAR == 0 {
        shots_from_board(occupied, open, blots)
    } else {
        shots_from_bar(own, open, blots)
    }
}

#[inline]
fn shots_from_board(occupied: u32, open: u32, blots: u32) -> u32 {
    let by_die: [u32; 7] = std::array::from_fn(|die| occupied >> die & open);
    let mut rolls = 0;
    for a in 1..7 {
        let double = by_die[a] >> a & open;
        let third = double >> a & open;
        rolls += u32::from((by_die[a] | double | third | third >> a) & blots != 0);
        for b in a + 1..7 {
            let reached = by_die[a] | by_die[b] | by_die[a] >> b | by_die[b] >> a;
            rolls += 2 * u32::from(reached & blots != 0);
        }
    }
    rolls
}

/// With one checker on the bar the other number is free once it has entered; with several none is.
#[inline]
fn shots_from_bar(own: &Checkers, open: u32, blots: u32) -> u32 {
    let others = if own.single() & BAR == 0 { 0 } else { own.occupied() & !BAR };
    let is_free = own.single() & BAR != 0;
    let mut rolls = 0;
    for a in 1..7 {
        for b in 1..7 {
            let (by_a, by_b) = (BAR >> a & open, BAR >> b & open);
            let then =
                |entered: u32, die: u32| entered != 0 && is_free && (others | entered) >> die & blots != 0;
            rolls += u32::from((by_a | by_b) & blots != 0 || then(by_a, b) || then(by_b, a));
        }
    }
    rolls
}

/// How many of 36 rolls the rearmost of `own` checkers can move with in full, alone; and how many of these
/// take it past all points that `other` holds within twelve.
#[inline]
pub(super) fn freedom(own: &Checkers, other: &Checkers) -> (u8, u8) {
    let rearmost = own.highest();
    let held = flipped(other.several()) & POINTS;
    // The twelve points ahead, the farthest in the lowest bit; the table counts from the nearest.
    let ahead = if rearmost >= 12 { held >> (rearmost - 12) } else { held << (12 - rearmost) };
    FREEDOM[((ahead & 0xfff).reverse_bits() >> 20) as usize]
}

/// By the points held ahead.
static FREEDOM: [(u8, u8); 4096] = {
    let mut table = [(0, 0); 4096];
    let mut held = 0;
    while held < 4096 {
        table[held] = freedom_behind(held as u32);
        held += 1;
    }
    table
};

const fn freedom_behind(held: u32) -> (u8, u8) {
    let (mut moves, mut escapes) = (0, 0);
    let mut a = 1;
    while a <= 6 {
        let mut b = 1;
        while b <= 6 {
            let first = held >> (a - 1) & 1 == 0 || held >> (b - 1) & 1 == 0;
            if first && held >> (a + b - 1) & 1 == 0 {
                moves += 1;
                if held >> (a + b - 1) == 0 {
                    escapes += 1;
                }
            }
            b += 1;
        }
        a += 1;
    }
    (moves, escapes)
}

/// The length of the longest row of points that `own` holds in front of `other`'s rearmost checker; 6 where
/// it is longer.
#[inline]
pub(super) fn longest_prime(own: &Checkers, other: &Checkers) -> u32 {
    // The other's checkers move up as this player counts.
    let rearmost = 25 - other.highest();
    let mut starts = own.several() & POINTS & !((1 << rearmost) - 1);
    let held = starts;
    let mut length = 0;
    while starts != 0 && length < 6 {
        length += 1;
        starts &= held >> length;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(points: &[u32]) -> Checkers {
        let mut side = Checkers::default();
        points.iter().for_each(|point| side.add(1 << point));
        side
    }

    #[test]
    fn shots_at_a_lone_blot_are_those_of_the_known_table() {
        let table = [11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3, 0, 0, 1, 1, 0, 1, 0, 1];
        for (distance, expected) in (1..).zip(table) {
            let blot = side(&[25 - (24 - distance)]);
            assert_eq!(shots(&side(&[24]), &blot), expected, "{distance}");
            assert_eq!(shots(&side(&[24, 24, 3]), &blot), expected, "nearer checkers are past it");
        }
        assert_eq!(shots(&side(&[24]), &side(&[2, 2])), 0, "a point is no blot");
    }

    #[test]
    fn points_block_shots_and_the_bar_comes_first() {
        // Seven away, with the ways by 6-1 and 4-3 blocked halfway.
        assert_eq!(shots(&side(&[24]), &side(&[8, 7, 7, 2, 2, 5, 5])), 4, "5-2 and 4-3 by the three");
        assert_eq!(shots(&side(&[24]), &side(&[8, 7, 7, 2, 2, 5, 5, 4, 4])), 2, "5-2");
        // From the bar a blot on the opponent's 3 point takes a 3; one outside needs a number to enter first.
        assert_eq!(shots(&side(&[25, 25, 10]), &side(&[3, 16])), 11);
        let with_one = shots(&side(&[25, 10]), &side(&[3, 16]));
        assert_eq!(with_one, 11 + 9, "a 1 and any number that enters but 3");
    }

    #[test]
    fn primes_hold_the_rearmost_checker() {
        let prime = side(&[3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8]);
        assert_eq!(longest_prime(&prime, &side(&[24])), 6);
        assert_eq!(longest_prime(&prime, &side(&[19])), 3, "points behind it hold nothing");
        assert_eq!(longest_prime(&prime, &side(&[10])), 0);
        assert_eq!(freedom(&side(&[23]), &prime), (0, 0));
        assert_eq!(freedom(&side(&[24]), &side(&[24])), (36, 36));
        // Six away a point is held: no 6-6, and none whose sum is 6; the others from 7 on get past it.
        assert_eq!(freedom(&side(&[24]), &side(&[7, 7])), (30, 20));
    }
}
