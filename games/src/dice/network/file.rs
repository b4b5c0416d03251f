//! Weights as safetensors files.
//!
//! A file holds six F32 tensors and one entry of metadata, `dice-network`, which names the board:
//! `size=5,run=4`. One entry only, because the format does not fix the order of several and the bytes of a
//! saved file must not vary.

use super::NetworkError;
use super::weights::{HIDDEN, RUN_INPUTS, Weights};
use crate::dice::{FullLine, Rules};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};
use std::collections::HashMap;

const METADATA: &str = "dice-network";
const OWN: &str = "own";
const OPPONENT: &str = "opponent";
const RUNS: &str = "runs";
const HIDDEN_BIAS: &str = "hidden_bias";
const OUTPUT: &str = "output";
const OUTPUT_BIAS: &str = "output_bias";

impl Weights {
    /// The weights as a safetensors file: the same bytes for the same weights.
    ///
    /// # Errors
    /// When the number of columns does not fit the size.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NetworkError> {
        self.check()?;
        let size = usize::from(self.size);
        let cells = size * size;
        let bytes = |columns: &[[f32; HIDDEN]]| le_bytes(columns.as_flattened());
        let tensors = [
            (OWN, vec![size, size, HIDDEN], bytes(&self.columns[..cells])),
            (OPPONENT, vec![size, size, HIDDEN], bytes(&self.columns[cells..2 * cells])),
            (RUNS, vec![RUN_INPUTS, HIDDEN], bytes(&self.columns[2 * cells..])),
            (HIDDEN_BIAS, vec![HIDDEN], le_bytes(&self.hidden_bias)),
            (OUTPUT, vec![HIDDEN], le_bytes(&self.output)),
            (OUTPUT_BIAS, vec![1], le_bytes(&[self.output_bias])),
        ];
        let mut views = Vec::with_capacity(tensors.len());
        for (name, shape, bytes) in &tensors {
            views.push((*name, TensorView::new(Dtype::F32, shape.clone(), bytes).map_err(unreadable)?));
        }
        let metadata = (METADATA.to_owned(), format!("size={},run={}", self.size, self.run));
        safetensors::serialize(views, Some(HashMap::from([metadata]))).map_err(unreadable)
    }

    /// Reads what [`to_bytes`](Weights::to_bytes) wrote.
    ///
    /// # Errors
    /// When the bytes are anything else: a damaged file, other tensors, shapes or kinds of number, weights
    /// that are not finite.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let (_, metadata) = SafeTensors::read_metadata(bytes).map_err(unreadable)?;
        let board = metadata.metadata().as_ref().and_then(|entries| entries.get(METADATA));
        let (size, run) = board_of(board.map_or("", String::as_str))?;
        let file = SafeTensors::deserialize(bytes).map_err(unreadable)?;
        let side = usize::from(size);
        let mut columns = columns(&file, OWN, &[side, side, HIDDEN])?;
        columns.extend(self::columns(&file, OPPONENT, &[side, side, HIDDEN])?);
        columns.extend(self::columns(&file, RUNS, &[RUN_INPUTS, HIDDEN])?);
        let weights = Weights {
            size,
            run,
            columns,
            hidden_bias: columns_of_one(&file, HIDDEN_BIAS)?,
            output: columns_of_one(&file, OUTPUT)?,
            output_bias: numbers(&file, OUTPUT_BIAS, &[1])?[0],
        };
        if file.len() != 6 {
            return Err(NetworkError::Tensors { found: file.len(), expected: 6 });
        }
        weights.check()?;
        Ok(weights)
    }

    /// Whether the weights make a network at all.
    pub(super) fn check(&self) -> Result<(), NetworkError> {
        let board = format!("size={},run={}", self.size, self.run);
        board_of(&board)?;
        let cells = usize::from(self.size) * usize::from(self.size);
        if self.columns.len() != 2 * cells + RUN_INPUTS {
            let expected = vec![2 * cells + RUN_INPUTS, HIDDEN];
            return Err(NetworkError::Shape {
                name: "columns",
                found: vec![self.columns.len(), HIDDEN],
                expected,
            });
        }
        let parts = [
            (OWN, self.columns[..cells].as_flattened()),
            (OPPONENT, self.columns[cells..2 * cells].as_flattened()),
            (RUNS, self.columns[2 * cells..].as_flattened()),
            (HIDDEN_BIAS, &self.hidden_bias),
            (OUTPUT, &self.output),
            (OUTPUT_BIAS, &[self.output_bias]),
        ];
        for (name, part) in parts {
            if let Some(&found) = part.iter().find(|weight| !weight.is_finite()) {
                return Err(NetworkError::NotFinite { name, found });
            }
        }
        Ok(())
    }
}

/// Reads `size=5,run=4`, in exactly this form, for a board that Dice can have.
fn board_of(text: &str) -> Result<(u8, u8), NetworkError> {
    let read = || {
        let (size, run) = text.strip_prefix("size=")?.split_once(",run=")?;
        let rules = Rules::new(size.parse().ok()?, run.parse().ok()?, FullLine::default()).ok()?;
        Some((rules.size(), rules.run()))
    };
    read().ok_or_else(|| NetworkError::Metadata { found: text.to_owned() })
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
    let (chunks, _) = tensor.data().as_chunks();
    Ok(chunks.iter().map(|&chunk| f32::from_le_bytes(chunk)).collect())
}

fn columns(
    file: &SafeTensors<'_>,
    name: &'static str,
    shape: &[usize],
) -> Result<Vec<[f32; HIDDEN]>, NetworkError> {
    Ok(numbers(file, name, shape)?.as_chunks().0.to_vec())
}

fn columns_of_one(file: &SafeTensors<'_>, name: &'static str) -> Result<[f32; HIDDEN], NetworkError> {
    Ok(columns(file, name, &[HIDDEN])?[0])
}

fn le_bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn unreadable(error: safetensors::SafeTensorError) -> NetworkError {
    NetworkError::File { reason: error.to_string() }
}
