//! Prefetching.

#![allow(unsafe_code, reason = "a prefetch, by an intrinsic")]

/// Prefetches `place`, where the processor has an instruction for it.
#[inline]
pub(super) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place: *const T = place;
        // SAFETY: a prefetch never faults and changes no memory, and the pointer is to a live place. It pays:
        // see docs/decisions.md, "The table".
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
