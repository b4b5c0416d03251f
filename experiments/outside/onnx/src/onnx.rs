//! Models in ONNX: layers whose every input goes to every output, one after another.
//!
//! The numbers of the fields are those of `onnx.proto`.

use crate::protobuf::Message;
use starsplit_games::backgammon::mlp::{FIRST, WIDTHS, Weights};

/// A layer: a product, a bias unless that is empty, and softsign where it is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Dense<'a> {
    /// What each input adds to each output, input by input.
    pub weights: &'a [f32],
    /// What each output starts from.
    pub bias: &'a [f32],
    /// How many outputs it has.
    pub outputs: usize,
    /// Whether the outputs go through softsign.
    pub is_activated: bool,
}

/// The perceptron's layers. The first takes the whole net's inputs, as floats.
pub fn layers(weights: &Weights) -> Vec<Dense<'_>> {
    let columns = weights.columns.as_flattened();
    let first = Dense { weights: columns, bias: &weights.bias, outputs: FIRST, is_activated: true };
    let last = weights.layers.len() - 1;
    let others = weights.layers.iter().zip(&WIDTHS[1..]).enumerate();
    let others = others.map(|(number, (layer, &outputs))| Dense {
        weights: &layer.weights,
        bias: &layer.bias,
        outputs,
        is_activated: number < last,
    });
    [first].into_iter().chain(others).collect()
}

/// The model with these layers: rows in, rows out; so many in a call, or any number where none is given.
pub fn model(layers: &[Dense<'_>], rows: Option<usize>) -> Vec<u8> {
    let mut graph = Message::new().text(2, "layers");
    let mut values = "inputs".to_owned();
    for (number, layer) in layers.iter().enumerate() {
        let mut add = |kind: &str, others: &[&str]| {
            let output = format!("{kind}_{number}");
            let node = others.iter().fold(Message::new().text(1, &values), |node, other| node.text(1, other));
            let node = node.text(2, &output).text(3, &output).text(4, kind);
            graph = std::mem::take(&mut graph).message(1, node);
            values = output;
        };
        let (weights, bias) = (format!("weights_{number}"), format!("bias_{number}"));
        add("MatMul", &[&weights]);
        if !layer.bias.is_empty() {
            add("Add", &[&bias]);
        }
        if layer.is_activated {
            add("Softsign", &[]);
        }
        let inputs = layer.weights.len() / layer.outputs.max(1);
        graph = graph.message(5, tensor(&weights, &[inputs, layer.outputs], layer.weights));
        if !layer.bias.is_empty() {
            graph = graph.message(5, tensor(&bias, &[layer.outputs], layer.bias));
        }
    }
    let inputs = layers.first().map_or(0, |layer| layer.weights.len() / layer.outputs.max(1));
    let outputs = layers.last().map_or(0, |layer| layer.outputs);
    let graph = graph.message(11, value("inputs", rows, inputs)).message(12, value(&values, rows, outputs));
    let operators = Message::new().text(1, "").number(2, 13);
    let model = Message::new().number(1, 8).text(2, "starsplit").message(7, graph).message(8, operators);
    model.into_bytes()
}

/// The type of numbers that `onnx.proto` calls FLOAT.
const FLOAT: u64 = 1;

/// Numbers that come with the model.
fn tensor(name: &str, shape: &[usize], numbers: &[f32]) -> Message {
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let shaped = shape.iter().fold(Message::new(), |tensor, &side| tensor.number(1, side as u64));
    shaped.number(2, FLOAT).text(8, name).bytes(9, &bytes)
}

/// What goes in or comes out: so many rows of so many numbers.
fn value(name: &str, rows: Option<usize>, width: usize) -> Message {
    let rows = match rows {
        Some(rows) => Message::new().number(1, rows as u64),
        None => Message::new().text(2, "rows"),
    };
    let shape = Message::new().message(1, rows).message(1, Message::new().number(1, width as u64));
    let tensor = Message::new().number(1, FLOAT).message(2, shape);
    Message::new().text(1, name).message(2, Message::new().message(1, tensor))
}
