//! What is kept of searches: what a line of the samples says, what `meta.json` says, and how they are written, read and gone
//! on with.

pub mod earlier;
pub mod flags;
pub mod machine;
pub mod measured;
pub(crate) mod recorded;
pub mod samples;
pub mod settings;
pub mod workers;
pub mod writer;
