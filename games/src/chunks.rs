//! Slices as arrays of one length, as `as_chunks` gives them since Rust 1.88.

/// Arrays of `N`, and what is left at the end.
#[inline(always)]
pub(crate) fn chunks<const N: usize, T>(slice: &[T]) -> (impl ExactSizeIterator<Item = &[T; N]>, &[T]) {
    let whole = slice.chunks_exact(N);
    let rest = whole.remainder();
    (whole.map(|chunk| chunk.try_into().expect("a whole chunk")), rest)
}

/// The same to be changed.
#[inline(always)]
pub(crate) fn chunks_mut<const N: usize, T>(
    slice: &mut [T],
) -> (impl ExactSizeIterator<Item = &mut [T; N]>, &mut [T]) {
    let (whole, rest) = slice.split_at_mut(slice.len() / N * N);
    (whole.chunks_exact_mut(N).map(|chunk| chunk.try_into().expect("a whole chunk")), rest)
}

/// The array of `N` of this number.
#[inline(always)]
pub(crate) fn chunk<const N: usize, T>(slice: &[T], number: usize) -> &[T; N] {
    chunks(slice).0.nth(number).expect("a number of a whole chunk")
}
