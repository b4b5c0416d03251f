//! Bytes as words.

/// The whole words of `bytes`, in order.
pub(crate) fn words(bytes: &[u8]) -> impl Iterator<Item = [u8; 8]> {
    bytes.chunks_exact(8).map(|word| word.try_into().expect("a whole word"))
}
