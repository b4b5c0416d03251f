//! The past of a position: a list that positions share.

use starsplit::evaluator::mix64;
use starsplit::game::PositionHash;
use std::fmt;
use std::sync::Arc;

/// The positions before one, since the last irreversible move or outcome. Each has its hash and what the game
/// keeps of it. An empty past is a null pointer and costs nothing else; a copy costs a reference count.
///
/// No hash occurs twice if a repeated position ends the game.
pub struct Past<T> {
    last: Option<Arc<Earlier<T>>>,
}

struct Earlier<T> {
    hash: PositionHash,
    kept: T,
    before: Past<T>,
}

impl<T> Past<T> {
    /// An empty past.
    #[inline]
    pub const fn none() -> Self {
        Past { last: None }
    }

    /// Whether the past is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// The past with one more position, the latest: its hash and what is kept of it. Costs one allocation.
    #[must_use]
    pub fn with(&self, hash: PositionHash, kept: T) -> Self {
        Past { last: Some(Arc::new(Earlier { hash, kept, before: self.clone() })) }
    }

    /// The positions, the latest first.
    pub fn iter(&self) -> impl Iterator<Item = (PositionHash, &T)> {
        let mut next = &self.last;
        std::iter::from_fn(move || {
            let Earlier { hash, kept, before } = &**next.as_ref()?;
            next = &before.last;
            Some((*hash, kept))
        })
    }

    /// Whether the past has this hash. Takes time in proportion to its length.
    pub fn has(&self, hash: PositionHash) -> bool {
        self.iter().any(|(earlier, _)| earlier == hash)
    }

    /// The salt of a table key, from the positions that a search may meet: those for which `is_met` returns
    /// true. It depends on the set of positions, not on their order. Different sets have different salts,
    /// except for collisions of 128 bits; that of the empty set is 0.
    pub fn salt(&self, is_met: impl Fn(&T) -> bool) -> PositionHash {
        let met = self.iter().filter(|(_, kept)| is_met(kept));
        met.fold(PositionHash::default(), |salt, (hash, _)| PositionHash {
            // A sum of mixed hashes: games make hashes by exclusive or, so a combination of plain ones may
            // cancel out. Either half uses both, because some games have only 64 bits, twice.
            high: salt.high.wrapping_add(mix64(mix64(hash.high) ^ hash.low)),
            low: salt.low.wrapping_add(mix64(mix64(hash.low ^ 0x7061_7374) ^ hash.high)),
        })
    }
}

impl<T> Clone for Past<T> {
    #[inline]
    fn clone(&self) -> Self {
        Past { last: self.last.clone() }
    }
}

impl<T> Default for Past<T> {
    fn default() -> Self {
        Past::none()
    }
}

impl<T> Drop for Past<T> {
    /// Drops one position after another: nested calls, as many as a long game has moves, would overflow the
    /// stack.
    #[inline]
    fn drop(&mut self) {
        if let Some(last) = self.last.take() {
            drop_list(last);
        }
    }
}

#[inline(never)]
fn drop_list<T>(last: Arc<Earlier<T>>) {
    let mut next = Some(last);
    while let Some(mut earlier) = next.take().and_then(Arc::into_inner) {
        next = earlier.before.last.take();
    }
}

impl<T> PartialEq for Past<T> {
    /// Whether both have the same positions in the same order.
    fn eq(&self, other: &Self) -> bool {
        self.iter().map(|(hash, _)| hash).eq(other.iter().map(|(hash, _)| hash))
    }
}

impl<T> Eq for Past<T> {}

impl<T> fmt::Debug for Past<T> {
    /// Prints the number of positions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Past({})", self.iter().count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past(numbers: &[u64]) -> Past<u64> {
        numbers
            .iter()
            .fold(Past::none(), |past, &number| past.with(PositionHash::from(mix64(number)), number))
    }

    #[test]
    fn the_latest_comes_first() {
        let past = past(&[1, 2, 3]);
        assert_eq!(past.iter().map(|(_, &kept)| kept).collect::<Vec<_>>(), [3, 2, 1]);
        assert!(past.has(PositionHash::from(mix64(2))) && !past.has(PositionHash::from(mix64(4))));
        assert!(Past::<u64>::none().is_empty() && !past.is_empty());
    }

    #[test]
    fn a_salt_tells_sets_apart_and_not_their_order() {
        let salt = |numbers: &[u64]| past(numbers).salt(|_| true);
        assert_eq!(salt(&[1, 2, 3]), salt(&[3, 1, 2]));
        assert_eq!(salt(&[]), PositionHash::default());
        let sets: [&[u64]; 8] = [&[], &[1], &[2], &[3], &[1, 2], &[1, 3], &[2, 3], &[1, 2, 3]];
        for (i, one) in sets.iter().enumerate() {
            for other in &sets[..i] {
                let (one, other) = (salt(one), salt(other));
                assert!(one.high != other.high && one.low != other.low);
            }
        }
    }

    #[test]
    fn what_is_not_met_is_not_in_the_salt() {
        let near = past(&[1, 20, 3, 40]).salt(|&kept| kept < 10);
        assert_eq!(near, past(&[3, 1]).salt(|_| true));
        assert_eq!(past(&[20, 40]).salt(|&kept| kept < 10), PositionHash::default());
    }

    #[test]
    fn a_list_as_long_as_no_stack_is_dropped() {
        let mut long = Past::none();
        for number in 0..1_000_000u64 {
            long = long.with(PositionHash::from(number), ());
        }
        let shared = long.clone();
        drop(long);
        assert_eq!(shared.iter().count(), 1_000_000);
    }

    #[test]
    fn an_empty_one_is_one_pointer() {
        assert_eq!(size_of::<Past<[u64; 10]>>(), size_of::<usize>());
    }
}
