//! Backgammon's perceptron `mlp` as a model in ONNX, run by tract, as an evaluator of starsplit; and whether
//! a model gives a row the same bits whatever else is in the call.

pub mod company;
pub mod evaluator;
pub mod onnx;
pub mod prepared;
pub mod protobuf;
pub mod versions;
