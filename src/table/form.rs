//! How much an entry tells: both bounds with a depth each, as here, or one value with its type, as most
//! programs have it (Schaeffer's lecture, "Saving in the TT"; Eppstein's, the entry's type).

use super::entry::{Entry, NewEntry};
use std::fmt;

/// What of a search's answer an entry keeps, and what becomes of an older entry for the same depth.
pub(super) trait Form: fmt::Debug + Send + Sync + 'static {
    /// The entry to be kept, or `None` where it would say nothing.
    fn entry(new: &NewEntry, note: u8) -> Option<Entry>;

    /// `old` brought up to date for the same position and depth, and whether the two contradict each other.
    fn updated(old: &Entry, new: &Entry) -> (Entry, bool);
}

/// Both bounds, each with its depth; what is known from before is kept where it says more.
#[derive(Debug)]
pub(super) struct TwoSided;

impl Form for TwoSided {
    #[inline]
    fn entry(new: &NewEntry, note: u8) -> Option<Entry> {
        Entry::new(new, note)
    }

    #[inline]
    fn updated(old: &Entry, new: &Entry) -> (Entry, bool) {
        old.updated_by(new)
    }
}

/// One value: exact, a lower or an upper bound, by the side of its window on which the search ended. The
/// latest stands alone.
#[cfg(feature = "schemes")]
#[derive(Debug)]
pub(super) struct ThreeTypes;

#[cfg(feature = "schemes")]
impl Form for ThreeTypes {
    fn entry(new: &NewEntry, note: u8) -> Option<Entry> {
        use crate::score::Bounds;
        let Bounds { lower, upper } = new.bounds;
        // A chance node's search may end within its window and still not know the value (stopped, say, or
        // cut by what was proven elsewhere): then it is a lower bound, if it is any.
        let is_upper = lower < upper && upper <= new.window.alpha && lower < new.window.beta;
        let is_lower = lower < upper && !is_upper && lower > -new.limit;
        let bounds = Bounds {
            lower: if is_upper { -new.limit } else { lower },
            upper: if is_lower { new.limit } else { upper },
        };
        Entry::new(&NewEntry { bounds, ..*new }, note)
    }

    fn updated(old: &Entry, new: &Entry) -> (Entry, bool) {
        let contradicts = old.lower_depth == new.upper_depth && old.lower > new.upper
            || old.upper_depth == new.lower_depth && old.upper < new.lower;
        (Entry { hint: new.hint.or(old.hint), ..*new }, contradicts)
    }
}
