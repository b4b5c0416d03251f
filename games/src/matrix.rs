//! Products of matrices, by a library that knows the machine's wide registers.
//!
//! The library is `gemm`, on one thread, by its part for such numbers alone: the others are most of its build.
//! Where the rows of the product and of the right factor lie together
//! ([`Matrix::rows`]) and a sum has no more than [`MOST_TERMS`] terms, each element is one chain of fused
//! multiplications and additions in the order of the terms, on x86-64 with AVX2 and FMA: the bits of a row do
//! not depend on what else is in the matrix. `backgammon::mlp` rests on that, and looks whether it holds.
//! (With the weights by output a row alone has other bits.)
//!
//! For 256 by 256 weights it took 6.0, 2.9, 1.6, 1.5 and 1.4 microseconds a row in products of 1, 4, 16, 64
//! and 256 rows on an AMD EPYC; `matrixmultiply` 0.3.11, with the same bits, took 34, 10, 2.8, 2.0 and 2.6.

#![allow(unsafe_code, reason = "the library takes pointers and strides")]

use gemm_common::Parallelism;
use gemm_f32::gemm::f32::get_gemm_fn;

/// The most terms of a sum that is made in one piece.
pub const MOST_TERMS: usize = 256;

/// Numbers seen as a matrix.
#[derive(Clone, Copy, Debug)]
pub struct Matrix<'a> {
    numbers: &'a [f32],
    rows: usize,
    columns: usize,
    row_stride: usize,
    column_stride: usize,
}

impl<'a> Matrix<'a> {
    /// The matrix with these rows of so many numbers each, one after another; what is left over at the end is
    /// no part of it.
    pub fn rows(numbers: &'a [f32], columns: usize) -> Self {
        let rows = numbers.len().checked_div(columns).unwrap_or(0);
        Matrix { numbers, rows, columns, row_stride: columns, column_stride: 1 }
    }

    /// The same with rows and columns exchanged.
    pub fn transposed(self) -> Self {
        Matrix {
            numbers: self.numbers,
            rows: self.columns,
            columns: self.rows,
            row_stride: self.column_stride,
            column_stride: self.row_stride,
        }
    }
}

/// Writes the product of `left` and `right` into `product`, row by row, or adds it to what is there.
///
/// # Panics
/// When the sizes do not fit each other.
pub fn multiply(product: &mut [f32], left: Matrix<'_>, right: Matrix<'_>, adds: bool) {
    let (rows, terms, columns) = (left.rows, left.columns, right.columns);
    assert_eq!(terms, right.rows, "the rows of the one are as long as the columns of the other");
    assert_eq!(product.len(), rows * columns, "the product has room");
    if product.is_empty() || terms == 0 {
        if !adds {
            product.fill(0.0);
        }
        return;
    }
    // The kernel writes columns together, so what it makes is the product transposed. A single column is both.
    let (first, second) = if columns == 1 { (left, right) } else { (right.transposed(), left.transposed()) };
    let strides = [first.column_stride, first.row_stride, second.column_stride, second.row_stride];
    let [first_column, first_row, second_column, second_row] = strides.map(|stride| stride as isize);
    // SAFETY: the library reads `first` at r * row_stride + c * column_stride for each row r and column c, and
    // `second` alike, and writes what is at row r and column c of their product at c * columns + r: where
    // there are several columns, `first` has as many rows, and `second` as many columns as the product has
    // rows; where there is one, r is a row of the product and c is 0. A `Matrix` is made by `rows`, where rows
    // times columns is at most the length of its numbers and the strides are (columns, 1), and changed by
    // `transposed` only, which exchanges both pairs: the last place is inside. That of `product` is, as
    // asserted above. All three live and are borrowed as long as the call, `product` alone to be written;
    // lengths of slices fit an `isize`, and so do the strides.
    unsafe {
        get_gemm_fn()(
            first.rows,
            second.columns,
            terms,
            product.as_mut_ptr(),
            columns as isize,
            1,
            adds,
            first.numbers.as_ptr(),
            first_column,
            first_row,
            second.numbers.as_ptr(),
            second_column,
            second_row,
            1.0,
            1.0,
            false,
            false,
            false,
            Parallelism::None,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 37 + seed * 11) % 101) as f32 / 64.0 - 0.75).collect()
    }

    /// The element at this row and column, by its definition.
    fn element(left: Matrix<'_>, right: Matrix<'_>, row: usize, column: usize) -> f32 {
        let at = |matrix: &Matrix<'_>, row, column| {
            matrix.numbers[row * matrix.row_stride + column * matrix.column_stride]
        };
        (0..left.columns).map(|term| at(&left, row, term) * at(&right, term, column)).sum()
    }

    #[test]
    fn products_are_those_of_the_definition_in_any_orientation() {
        for (rows, terms, columns) in [(1, 1, 1), (1, 5, 3), (4, 8, 16), (7, 33, 2), (20, 256, 64)] {
            let (a, b) = (numbers(rows * terms, 1), numbers(terms * columns, 2));
            let lefts = [Matrix::rows(&a, terms), Matrix::rows(&a, rows).transposed()];
            let rights = [Matrix::rows(&b, columns), Matrix::rows(&b, terms).transposed()];
            for (left, right) in [(lefts[0], rights[0]), (lefts[1], rights[0]), (lefts[0], rights[1])] {
                for adds in [false, true] {
                    let mut product = vec![3.0; rows * columns];
                    multiply(&mut product, left, right, adds);
                    for (place, &found) in product.iter().enumerate() {
                        let sum = element(left, right, place / columns, place % columns);
                        let expected = if adds { sum + 3.0 } else { sum };
                        assert!(
                            (found - expected).abs() < 1e-3,
                            "{rows} {terms} {columns}: {found} {expected}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_times_nothing_is_nothing() {
        let mut product = [1.0; 4];
        multiply(&mut product, Matrix::rows(&[], 2).transposed(), Matrix::rows(&[], 2), false);
        assert_eq!(product, [0.0; 4]);
        multiply(&mut [], Matrix::rows(&[], 3), Matrix::rows(&[1.0; 6], 2), true);
    }

    #[test]
    #[should_panic(expected = "as long as")]
    fn sizes_that_do_not_fit_are_refused() {
        multiply(&mut [0.0; 4], Matrix::rows(&[1.0; 6], 3), Matrix::rows(&[1.0; 4], 2), false);
    }
}
