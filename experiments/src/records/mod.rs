//! What is kept of searches: what a line of the samples says, what `meta.json` says, and how they are
//! written, read and gone on with.

pub mod archive;
pub(crate) mod archived;
pub mod checksum;
pub mod chosen;
pub mod earlier;
pub mod flags;
pub(crate) mod json;
pub mod lacking;
pub mod line;
pub mod machine;
pub mod measured;
pub mod meta;
pub mod others;
pub(crate) mod recorded;
pub(crate) mod runs;
pub mod samples;
pub mod schema;
pub mod sealing;
pub mod settings;
pub mod simulated;
pub(crate) mod texts;
pub mod tuning;
pub(crate) mod turns;
pub mod workers;
pub mod writer;
