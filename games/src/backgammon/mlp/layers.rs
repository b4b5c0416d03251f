//! The layers after the first, in floats: one position alone, or many at once.
//!
//! Each sum is one chain of fused multiplications and additions in the order of the inputs, the bias added at
//! the end: in batches by a library, alone in a loop over registers of outputs, which reads the weights once
//! and packs nothing. Without wide registers the library does both.

use super::wide::Wide;
use super::{FIRST, SECOND, THIRD, Weights, softsign};
use crate::chunks::{chunk, chunks, chunks_mut};
use crate::matrix::{MOST_TERMS, Matrix, multiply};

const _: () = assert!(FIRST <= MOST_TERMS && SECOND <= MOST_TERMS);

/// Outputs whose sums are made at a time, in registers.
const BLOCK: usize = 64;

/// Two hidden layers and the output.
#[derive(Clone, Debug)]
pub(super) struct Layers {
    second: Dense<FIRST, SECOND>,
    third: Dense<SECOND, THIRD>,
    output: [f32; THIRD],
    output_bias: f32,
}

/// A layer from `K` inputs to `M` outputs.
#[derive(Clone, Debug)]
struct Dense<const K: usize, const M: usize> {
    /// By input, then by output.
    weights: Box<[f32]>,
    /// The same by block of outputs, then by input.
    blocks: Box<[[f32; BLOCK]]>,
    bias: [f32; M],
}

impl<const K: usize, const M: usize> Dense<K, M> {
    /// From as many numbers as there are weights and biases.
    fn new(weights: &[f32], bias: &[f32]) -> Self {
        const { assert!(M % BLOCK == 0, "blocks are whole") };
        let block = |number| weights.chunks_exact(M).map(move |row| *chunk(row, number));
        let mut own = [0.0; M];
        own.iter_mut().zip(bias).for_each(|(own, bias)| *own = *bias);
        Dense { weights: weights.into(), blocks: (0..M / BLOCK).flat_map(block).collect(), bias: own }
    }

    /// One position's outputs; meant to be run in wide registers.
    #[inline(always)]
    fn alone(&self, inputs: &[f32; K]) -> [f32; M] {
        let mut outputs = [0.0; M];
        let (parts, _) = chunks_mut::<BLOCK, _>(&mut outputs);
        for (part, block) in parts.zip(self.blocks.chunks_exact(K)) {
            let mut sums = [0.0f32; BLOCK];
            for (&input, weights) in inputs.iter().zip(block) {
                for (sum, &weight) in sums.iter_mut().zip(weights) {
                    *sum = input.mul_add(weight, *sum);
                }
            }
            *part = sums;
        }
        self.activate(&mut outputs);
        outputs
    }

    /// Many positions' outputs, one after another.
    fn many(&self, wide: Wide, inputs: &[[f32; K]], outputs: &mut [[f32; M]]) {
        let inputs = Matrix::rows(inputs.as_flattened(), K);
        multiply(outputs.as_flattened_mut(), inputs, Matrix::rows(&self.weights, M), false);
        wide.run(
            #[inline(always)]
            || outputs.iter_mut().for_each(|outputs| self.activate(outputs)),
        );
    }

    #[inline(always)]
    fn activate(&self, sums: &mut [f32; M]) {
        for (sum, bias) in sums.iter_mut().zip(&self.bias) {
            *sum = softsign(*sum + bias);
        }
    }
}

impl Layers {
    /// The layers with weights that were checked.
    pub(super) fn new(weights: &Weights) -> Self {
        let [second, third, last] = &weights.layers;
        let mut output = [0.0; THIRD];
        output.iter_mut().zip(&last.weights).for_each(|(own, weight)| *own = *weight);
        Layers {
            second: Dense::new(&second.weights, &second.bias),
            third: Dense::new(&third.weights, &third.bias),
            output,
            output_bias: last.bias.first().copied().unwrap_or(0.0),
        }
    }

    /// The value of a position alone, by the loop, where multiplication and addition are one instruction.
    #[inline(always)]
    pub(super) fn alone(&self, active: &[f32; FIRST]) -> f32 {
        self.value(&self.third.alone(&self.second.alone(active)))
    }

    /// The values of as many positions as there is room for, by the library.
    pub(super) fn many(&self, wide: Wide, active: &[[f32; FIRST]], values: &mut [f32]) {
        let mut second = vec![[0.0; SECOND]; active.len()];
        let mut third = vec![[0.0; THIRD]; active.len()];
        self.second.many(wide, active, &mut second);
        self.third.many(wide, &second, &mut third);
        for (value, third) in values.iter_mut().zip(&third) {
            *value = self.value(third);
        }
    }

    /// Products of one position by the library.
    pub(super) fn single(&self, wide: Wide, active: &[f32; FIRST]) -> f32 {
        let mut value = [0.0];
        self.many(wide, std::slice::from_ref(active), &mut value);
        value[0]
    }

    /// Eight chains of sums, added up in pairs: the order in which floats are added is part of the value.
    #[inline(always)]
    fn value(&self, third: &[f32; THIRD]) -> f32 {
        let mut sums = [0.0; 8];
        for (units, weights) in chunks::<8, _>(third).0.zip(chunks::<8, _>(&self.output).0) {
            for ((sum, unit), weight) in sums.iter_mut().zip(units).zip(weights) {
                *sum += unit * weight;
            }
        }
        let [a, b, c, d, e, f, g, h] = sums;
        ((a + b) + (c + d)) + ((e + f) + (g + h)) + self.output_bias
    }
}
