//! How finely weights are rounded to integers.

use super::NetworkError;
use std::ops::RangeInclusive;

/// The finest and the coarsest scale of sums at hidden units: bits after the binary point.
pub(crate) const HIDDEN_SCALES: RangeInclusive<u32> = 8..=12;

/// The same for output weights.
pub(crate) const OUTPUT_SCALES: RangeInclusive<u32> = 8..=14;

/// What `make` gives on the finest of `scales` where it succeeds, or its refusal on the coarsest.
pub(crate) fn finest<T>(
    scales: RangeInclusive<u32>,
    make: impl Fn(u32) -> Result<T, NetworkError>,
) -> Result<T, NetworkError> {
    let finer = (scales.start() + 1..=*scales.end()).rev();
    finer.map(&make).find(Result::is_ok).unwrap_or_else(|| make(*scales.start()))
}

/// `weight` with `scale` bits after the binary point, rounded to an integer.
pub(crate) fn rounded(weight: f32, scale: u32) -> f64 {
    (f64::from(weight) * f64::from(1u32 << scale)).round()
}

/// `reach` is in integers with `scale` bits after the binary point that have to fit `bits` bits with their
/// sign.
pub(crate) fn too_large(what: String, reach: f64, scale: u32, bits: u32) -> NetworkError {
    let one = f64::from(1u32 << scale);
    NetworkError::TooLarge { what, reach: reach / one, limit: f64::from(1u32 << (bits - 1)) / one }
}
