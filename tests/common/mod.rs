//! What several test programs need.

pub mod oracle;
