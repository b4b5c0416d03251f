//! Whether a row of a call has the same bits whatever else is in the call, and where the row stands.

use anyhow::{Result, ensure};
use std::fmt;

/// Rows in the calls that are compared.
pub const SIZES: [usize; 20] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 17, 31, 32, 33, 64, 100, 128, 255, 256];

/// By how many rows the calls are moved on, so that a row stands at other places, beside others.
const STARTS: [usize; 3] = [0, 1, 37];

/// The bits of every row, in calls of one size.
pub type Bits = Vec<u32>;

/// What was found of a library, or of a model.
#[derive(Clone, Debug)]
pub struct Company {
    /// By size of the call.
    pub bits: Vec<(usize, Bits)>,
    /// The least size at which the bits of a row depend on its place or on the others.
    pub place_matters_from: Option<usize>,
}

impl Company {
    /// Runs all rows, of so many numbers each, in calls of each size.
    ///
    /// # Errors
    /// Those of `run`, which gives as many numbers for each row of the call.
    pub fn of(rows: &[f32], width: usize, mut run: impl FnMut(&[f32]) -> Result<Vec<f32>>) -> Result<Self> {
        let (mut all, mut place_matters_from) = (Vec::new(), None);
        for size in SIZES {
            let first = in_calls(rows, width, size, STARTS[0], &mut run)?;
            for start in &STARTS[1..] {
                if place_matters_from.is_none() && in_calls(rows, width, size, *start, &mut run)? != first {
                    place_matters_from = Some(size);
                }
            }
            all.push((size, first));
        }
        Ok(Company { bits: all, place_matters_from })
    }

    /// Whether a row has the same bits in every call.
    pub fn is_any(&self) -> bool {
        self.place_matters_from.is_none() && self.bits.iter().all(|(_, bits)| *bits == self.bits[0].1)
    }

    /// The bits in calls of this size, one of [`SIZES`].
    pub fn at(&self, size: usize) -> Option<&Bits> {
        self.bits.iter().find(|(own, _)| *own == size).map(|(_, bits)| bits)
    }

    /// The sizes, those together that have the same bits.
    fn classes(&self) -> Vec<Vec<usize>> {
        let mut classes: Vec<(&Bits, Vec<usize>)> = Vec::new();
        for (size, bits) in &self.bits {
            match classes.iter_mut().find(|(own, _)| *own == bits) {
                Some((_, sizes)) => sizes.push(*size),
                None => classes.push((bits, vec![*size])),
            }
        }
        classes.into_iter().map(|(_, sizes)| sizes).collect()
    }
}

/// Whether the bits depend on the company, in words.
impl fmt::Display for Company {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_any() {
            return write!(to, "yes");
        }
        if let Some(size) = self.place_matters_from {
            return write!(to, "no, nor in calls of {size}");
        }
        let classes: Vec<String> = self.classes().iter().map(|sizes| ranges(sizes)).collect();
        write!(to, "by size: {}", classes.join("; "))
    }
}

/// Sizes as ranges of neighbours in [`SIZES`].
fn ranges(sizes: &[usize]) -> String {
    let places = |size: &usize| SIZES.iter().position(|own| own == size);
    let parts = sizes.chunk_by(|one, next| places(one).map(|place| place + 1) == places(next));
    let parts = parts.map(|part| match part {
        [one] => one.to_string(),
        [first, .., last] => format!("{first} to {last}"),
        [] => String::new(),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// The bits of all rows in calls of `size`, the first of which begins at the row `start`; the last call is
/// filled up from the beginning.
fn in_calls(
    rows: &[f32],
    width: usize,
    size: usize,
    start: usize,
    run: &mut impl FnMut(&[f32]) -> Result<Vec<f32>>,
) -> Result<Bits> {
    let rows: Vec<&[f32]> = rows.chunks_exact(width).collect();
    let mut found: Vec<Vec<u32>> = vec![Vec::new(); rows.len()];
    for begin in (0..rows.len()).step_by(size) {
        let members: Vec<usize> = (0..size).map(|place| (start + begin + place) % rows.len()).collect();
        let call: Vec<f32> = members.iter().flat_map(|&row| rows[row]).copied().collect();
        let product = run(&call)?;
        let outputs = product.len() / size;
        ensure!(outputs > 0 && product.len() == outputs * size, "{} numbers of {size} rows", product.len());
        for (&row, values) in members.iter().zip(product.chunks_exact(outputs)) {
            found[row] = values.iter().map(|value| value.to_bits()).collect();
        }
    }
    Ok(found.concat())
}
