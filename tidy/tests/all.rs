//! What is true of the whole tree, in one program.

mod documents;
mod layers;
mod lints;
mod words;
