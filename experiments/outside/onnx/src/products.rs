//! One product of matrices by several libraries: rows times weights.

use crate::onnx::{Dense, model};
use crate::prepared::Prepared;
use anyhow::Result;
use candle_core::{Device, Tensor};
use starsplit_games::matrix::{Matrix, multiply};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The right side of the product.
#[derive(Clone, Copy, Debug)]
pub struct Weights<'a> {
    /// By term of a sum, then by output.
    pub numbers: &'a [f32],
    /// How many terms a sum has.
    pub terms: usize,
    /// How many outputs a row has.
    pub outputs: usize,
}

/// A way to multiply: from the rows of a call to their outputs, row by row.
pub type Product<'a> = Box<dyn FnMut(&[f32]) -> Result<Vec<f32>> + 'a>;

/// All ways, by name.
///
/// # Errors
/// When a library cannot take the weights.
pub fn products(weights: Weights<'_>) -> Result<Vec<(&'static str, Product<'_>)>> {
    Ok(vec![
        ("one chain of fused steps", Box::new(move |rows| Ok(chain(weights, rows)))),
        ("matrixmultiply", Box::new(move |rows| Ok(by_matrixmultiply(weights, rows)))),
        ("gemm, by rows", Box::new(move |rows| Ok(by_gemm(weights, rows)))),
        ("gemm, by rows, weights by output", by_gemm_with_weights_by_output(weights)),
        ("gemm, product transposed", Box::new(move |rows| Ok(by_gemm_transposed(weights, rows)))),
        ("gemm, product transposed, weights by output", by_gemm_transposed_with_weights_by_output(weights)),
        ("candle", by_candle(weights)?),
        ("tract, any number of rows", by_tract(weights)?),
        ("tract, prepared for each number", by_tract_for_each(weights)),
    ])
}

/// Each sum by its definition: the terms in their order, each multiplied and added without rounding between.
fn chain(weights: Weights<'_>, rows: &[f32]) -> Vec<f32> {
    let Weights { numbers, terms, outputs } = weights;
    let mut product = vec![0.0f32; rows.len() / terms * outputs];
    for (row, sums) in rows.chunks_exact(terms).zip(product.chunks_exact_mut(outputs)) {
        for (&input, weights) in row.iter().zip(numbers.chunks_exact(outputs)) {
            sums.iter_mut().zip(weights).for_each(|(sum, &weight)| *sum = input.mul_add(weight, *sum));
        }
    }
    product
}

#[allow(unsafe_code, reason = "the library takes pointers and strides")]
fn by_matrixmultiply(weights: Weights<'_>, rows: &[f32]) -> Vec<f32> {
    let Weights { numbers, terms, outputs } = weights;
    let count = rows.len() / terms;
    assert!(numbers.len() >= terms * outputs, "the weights are complete");
    let mut product = vec![0.0; count * outputs];
    let (row, output) = (terms as isize, outputs as isize);
    // SAFETY: the left matrix has `count` rows of `terms` numbers and `rows` has as many, the right one
    // `terms` rows of `outputs` numbers, which was looked at, and the product is as large as was asked for.
    // Each lies row by row, as the strides say. All three live as long as the call, and the product is
    // borrowed by nobody else.
    unsafe {
        matrixmultiply::sgemm(
            count,
            terms,
            outputs,
            1.0,
            rows.as_ptr(),
            row,
            1,
            numbers.as_ptr(),
            output,
            1,
            0.0,
            product.as_mut_ptr(),
            output,
            1,
        );
    }
    product
}

/// As `mlp` calls it.
fn by_gemm(weights: Weights<'_>, rows: &[f32]) -> Vec<f32> {
    let Weights { numbers, terms, outputs } = weights;
    let mut product = vec![0.0; rows.len() / terms * outputs];
    multiply(&mut product, Matrix::rows(rows, terms), Matrix::rows(numbers, outputs), false);
    product
}

/// The weights lie as frameworks keep those of a layer.
fn by_gemm_with_weights_by_output(weights: Weights<'_>) -> Product<'_> {
    let Weights { numbers, terms, outputs } = weights;
    let by_output = turned(numbers, outputs);
    Box::new(move |rows| {
        let mut product = vec![0.0; rows.len() / terms * outputs];
        let right = Matrix::rows(&by_output, terms).transposed();
        multiply(&mut product, Matrix::rows(rows, terms), right, false);
        Ok(product)
    })
}

/// The product is made with its outputs as rows, and turned round afterwards.
fn by_gemm_transposed(weights: Weights<'_>, rows: &[f32]) -> Vec<f32> {
    transposed(Matrix::rows(weights.numbers, weights.outputs).transposed(), weights, rows)
}

/// The same with the weights as frameworks keep them.
fn by_gemm_transposed_with_weights_by_output(weights: Weights<'_>) -> Product<'_> {
    let by_output = turned(weights.numbers, weights.outputs);
    Box::new(move |rows| Ok(transposed(Matrix::rows(&by_output, weights.terms), weights, rows)))
}

/// The product of `left`, which has the weights by output, and the rows as columns.
fn transposed(left: Matrix<'_>, weights: Weights<'_>, rows: &[f32]) -> Vec<f32> {
    let count = rows.len() / weights.terms;
    let mut product = vec![0.0; count * weights.outputs];
    multiply(&mut product, left, Matrix::rows(rows, weights.terms).transposed(), false);
    turned(&product, count)
}

/// The numbers of a matrix with rows of so many, column by column.
fn turned(numbers: &[f32], columns: usize) -> Vec<f32> {
    let rows = numbers.len() / columns;
    (0..numbers.len()).map(|place| numbers[place % rows * columns + place / rows]).collect()
}

fn by_candle(weights: Weights<'_>) -> Result<Product<'_>> {
    let Weights { numbers, terms, outputs } = weights;
    let right = Tensor::from_slice(numbers, (terms, outputs), &Device::Cpu)?;
    Ok(Box::new(move |rows| {
        let left = Tensor::from_slice(rows, (rows.len() / terms, terms), &Device::Cpu)?;
        Ok(left.matmul(&right)?.flatten_all()?.to_vec1()?)
    }))
}

/// The model of this product alone, for so many rows.
fn prepared(weights: Weights<'_>, rows: Option<usize>) -> Result<Prepared> {
    let Weights { numbers, terms, outputs } = weights;
    let layer = Dense { weights: numbers, bias: &[], outputs, is_activated: false };
    Prepared::read(&model(&[layer], rows), terms)
}

fn by_tract(weights: Weights<'_>) -> Result<Product<'_>> {
    let model = prepared(weights, None)?;
    Ok(Box::new(move |rows| model.run(rows)))
}

fn by_tract_for_each(weights: Weights<'_>) -> Product<'_> {
    let mut models: HashMap<usize, Prepared> = HashMap::new();
    Box::new(move |rows| {
        let count = rows.len() / weights.terms;
        let model = match models.entry(count) {
            Entry::Occupied(model) => model.into_mut(),
            Entry::Vacant(place) => place.insert(prepared(weights, Some(count))?),
        };
        model.run(rows)
    })
}
