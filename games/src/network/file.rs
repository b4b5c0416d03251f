//! Weights as safetensors files.
//!
//! A file holds F32 tensors and one entry of metadata, such as `dice-network`, which names the rules:
//! `size=5,run=4`. One entry only, because the format does not fix the order of several and the bytes of a
//! saved file must not vary.

use super::NetworkError;
use super::weights::{Shape, Weights};
use crate::chunks::chunks;
use crate::one_line;
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use std::collections::HashMap;

const HIDDEN_BIAS: &str = "hidden_bias";
const OUTPUT: &str = "output";
const OUTPUT_BIAS: &str = "output_bias";

/// A tensor of a file: its name, its shape, its numbers.
pub(crate) type Tensor<'a> = (&'static str, Vec<usize>, &'a [f32]);

impl<const H: usize, const O: usize> Weights<H, O> {
    /// The weights as a safetensors file: the same bytes for the same weights.
    ///
    /// # Errors
    /// When the number of columns does not fit the shape, or a weight is not finite.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NetworkError> {
        self.check()?;
        let tensors: Vec<_> = self.tensors().collect();
        write_tensors(entry(&self.shape), &tensors)
    }

    /// Reads what [`to_bytes`](Weights::to_bytes) wrote, if it is for `shape`.
    ///
    /// # Errors
    /// When the bytes are anything else: a damaged file, other rules, other tensors, shapes or kinds of
    /// number, weights that are not finite.
    pub fn from_bytes(shape: Shape, bytes: &[u8]) -> Result<Self, NetworkError> {
        let mut weights = Weights::zero(shape);
        let expected: Vec<_> = weights.tensors().map(|(name, shape, _)| (name, shape)).collect();
        let found = read_tensors(entry(&weights.shape), bytes, &expected)?;
        let mut found = found.into_iter();
        for part in weights.parts_mut() {
            part.iter_mut().zip(&mut found).for_each(|(weight, number)| *weight = number);
        }
        weights.check()?;
        Ok(weights)
    }

    /// Whether the weights make a network at all.
    pub(crate) fn check(&self) -> Result<(), NetworkError> {
        let inputs = self.shape.inputs();
        if self.columns.len() != inputs {
            let found = vec![self.columns.len(), H];
            return Err(NetworkError::Shape { name: "columns", found, expected: vec![inputs, H] });
        }
        for (name, _, part) in self.tensors() {
            if let Some(&found) = part.iter().find(|weight| !weight.is_finite()) {
                return Err(NetworkError::NotFinite { name, found });
            }
        }
        Ok(())
    }

    /// The tensors in the order of [`parts`](Weights::parts): names, shapes, numbers.
    fn tensors(&self) -> impl Iterator<Item = Tensor<'_>> {
        let mut first = 0;
        let groups = self.shape.groups.iter().map(move |group| {
            let columns = &self.columns[first..first + group.count()];
            first += group.count();
            let shape = group.shape.iter().copied().chain([H]).collect();
            (group.name, shape, columns.as_flattened())
        });
        let output = if O == 1 { vec![H] } else { vec![O, H] };
        let others = [
            (HIDDEN_BIAS, vec![H], self.hidden_bias.as_slice()),
            (OUTPUT, output, self.output.as_flattened()),
            (OUTPUT_BIAS, vec![O], &self.output_bias),
        ];
        groups.chain(others)
    }
}

/// The entry of a file's metadata.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MetadataEntry<'a> {
    /// What its name is made of: the game, and the kind of weights.
    pub(crate) game: &'static str,
    pub(crate) kind: &'static str,
    /// What it says.
    pub(crate) rules: &'a str,
}

impl MetadataEntry<'_> {
    fn name(&self) -> String {
        format!("{}-{}", self.game, self.kind)
    }
}

fn entry(shape: &Shape) -> MetadataEntry<'_> {
    MetadataEntry { game: shape.game, kind: "network", rules: &shape.rules }
}

/// The bytes of a file of these tensors, with one entry of metadata.
pub(crate) fn write_tensors(
    entry: MetadataEntry<'_>,
    tensors: &[Tensor<'_>],
) -> Result<Vec<u8>, NetworkError> {
    let bytes: Vec<_> = tensors.iter().map(|(_, _, numbers)| le_bytes(numbers)).collect();
    let mut views = Vec::with_capacity(tensors.len());
    for ((name, shape, _), bytes) in tensors.iter().zip(&bytes) {
        views.push((*name, TensorView::new(Dtype::F32, shape.clone(), bytes).map_err(unreadable)?));
    }
    let metadata = HashMap::from([(entry.name(), entry.rules.to_owned())]);
    safetensors::serialize(views, Some(metadata)).map_err(unreadable)
}

/// The numbers of all `expected` tensors, one after another, of a file that has this entry of metadata, these
/// tensors and no others.
pub(crate) fn read_tensors(
    entry: MetadataEntry<'_>,
    bytes: &[u8],
    expected: &[(&'static str, Vec<usize>)],
) -> Result<Vec<f32>, NetworkError> {
    let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(unreadable)?;
    let found = metadata.metadata().as_ref().and_then(|entries| entries.get(&entry.name()));
    if found.map(String::as_str) != Some(entry.rules) {
        let found = found.cloned().unwrap_or_default();
        return Err(NetworkError::Rules { found, game: entry.game, expected: entry.rules.to_owned() });
    }
    let file = SafeTensors::deserialize(bytes).map_err(unreadable)?;
    let mut found = Vec::new();
    for (name, shape) in expected {
        found.extend(numbers(&file, name, shape)?);
    }
    if file.len() != expected.len() {
        return Err(NetworkError::Tensors { found: file.len(), expected: expected.len() });
    }
    Ok(found)
}

fn numbers(file: &SafeTensors<'_>, name: &'static str, expected: &[usize]) -> Result<Vec<f32>, NetworkError> {
    let tensor = file.tensor(name).map_err(|_| NetworkError::Missing { name })?;
    if tensor.dtype() != Dtype::F32 {
        return Err(NetworkError::Numbers { name, found: format!("{:?}", tensor.dtype()) });
    }
    if tensor.shape() != expected {
        return Err(NetworkError::Shape {
            name,
            found: tensor.shape().to_vec(),
            expected: expected.to_vec(),
        });
    }
    let (numbers, _) = chunks(tensor.data());
    Ok(numbers.map(|&bytes| f32::from_le_bytes(bytes)).collect())
}

fn le_bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn unreadable(error: safetensors::SafeTensorError) -> NetworkError {
    NetworkError::File { reason: one_line(&error.to_string().chars().take(160).collect::<String>()) }
}
