//! Models that tract has read and prepared.

use anyhow::Context;
use tract_onnx::prelude::*;

/// A model of rows in and rows out, ready to run.
#[derive(Clone, Debug)]
pub struct Prepared {
    plan: Arc<TypedRunnableModel>,
    /// How many numbers a row of inputs has.
    width: usize,
}

impl Prepared {
    /// Reads a model in ONNX whose rows of inputs have so many numbers.
    ///
    /// # Errors
    /// When tract cannot read or prepare it.
    pub fn read(mut onnx: &[u8], width: usize) -> TractResult<Self> {
        let plan = tract_onnx::onnx().model_for_read(&mut onnx)?.into_optimized()?.into_runnable()?;
        Ok(Prepared { plan, width })
    }

    /// The outputs of these rows, one after another.
    ///
    /// # Errors
    /// Those of tract, as when the rows are none of the model's.
    pub fn run(&self, rows: &[f32]) -> TractResult<Vec<f32>> {
        let count = rows.len().checked_div(self.width).unwrap_or(0);
        let input = Tensor::from_shape(&[count, self.width], rows)?;
        let outputs = self.plan.run(tvec!(input.into()))?;
        let output = outputs.first().context("the model has no output")?;
        Ok(output.try_as_plain_ram()?.as_slice::<f32>()?.to_vec())
    }
}
