//! A small net as a file in ONNX, which stands for an engine's: two layers, any number of rows in a call.
//! Its weights are made here; they play a race sensibly, and nothing else.

use crate::evaluator::{INPUTS, OUTPUTS};
use prost::Message;
use starsplit::evaluator::mix64;
use tract_onnx::pb::tensor_shape_proto::{Dimension, dimension};
use tract_onnx::pb::{self, type_proto};

/// The units between inputs and outputs.
const HIDDEN: usize = 16;

/// The file's bytes.
pub fn file() -> Vec<u8> {
    let weights = |layer: u64, at: usize| (mix64(layer << 32 | at as u64) % 17) as f32 / 256.0 - 1.0 / 32.0;
    // The first unit sees the lead in pips, and the first outputs are made of it.
    let lead = |at: usize| {
        let (input, unit) = (at / HIDDEN, at % HIDDEN);
        let pips = (input % (INPUTS / 2) + 1) as f32 / 64.0;
        let for_whom = if input < INPUTS / 2 { -pips } else { pips };
        if unit == 0 { for_whom } else { weights(1, at) }
    };
    let share = |at: usize| if at < OUTPUTS { [4.0, 2.0, 0.5, -2.0, -0.5][at] } else { weights(2, at) / 8.0 };
    let usual = |at: usize| [0.0, -3.0, -40.0, -3.0, -40.0][at];
    let nodes = [
        node("MatMul", &["rows", "weights_1"], "sums_1"),
        node("Softsign", &["sums_1"], "hidden"),
        node("MatMul", &["hidden", "weights_2"], "sums_2"),
        node("Add", &["sums_2", "usual"], "shifted"),
        node("Softsign", &["shifted"], "shares"),
    ];
    let graph = pb::GraphProto {
        name: "net".to_owned(),
        node: nodes.to_vec(),
        initializer: vec![
            tensor("weights_1", [INPUTS, HIDDEN], lead),
            tensor("weights_2", [HIDDEN, OUTPUTS], share),
            tensor("usual", [1, OUTPUTS], usual),
        ],
        input: vec![rows_of("rows", INPUTS)],
        output: vec![rows_of("shares", OUTPUTS)],
        ..Default::default()
    };
    let operators = pb::OperatorSetIdProto { version: 13, ..Default::default() };
    let model = pb::ModelProto {
        ir_version: 8,
        opset_import: vec![operators],
        graph: Some(graph),
        ..Default::default()
    };
    model.encode_to_vec()
}

fn node(kind: &str, inputs: &[&str], output: &str) -> pb::NodeProto {
    pb::NodeProto {
        op_type: kind.to_owned(),
        name: output.to_owned(),
        input: inputs.iter().map(|&input| input.to_owned()).collect(),
        output: vec![output.to_owned()],
        ..Default::default()
    }
}

fn tensor(name: &str, sides: [usize; 2], weight: impl Fn(usize) -> f32) -> pb::TensorProto {
    pb::TensorProto {
        name: name.to_owned(),
        dims: sides.map(|side| side as i64).to_vec(),
        data_type: pb::tensor_proto::DataType::Float as i32,
        float_data: (0..sides[0] * sides[1]).map(weight).collect(),
        ..Default::default()
    }
}

/// Any number of rows of so many numbers.
fn rows_of(name: &str, width: usize) -> pb::ValueInfoProto {
    let sides = [dimension::Value::DimParam("N".to_owned()), dimension::Value::DimValue(width as i64)];
    let dim = sides.map(|value| Dimension { value: Some(value), ..Default::default() }).to_vec();
    let elem_type = pb::tensor_proto::DataType::Float as i32;
    let tensor = type_proto::Tensor { elem_type, shape: Some(pb::TensorShapeProto { dim }) };
    let kind = pb::TypeProto { value: Some(type_proto::Value::TensorType(tensor)), ..Default::default() };
    pb::ValueInfoProto { name: name.to_owned(), r#type: Some(kind), ..Default::default() }
}
