//! What several test programs need.
#![allow(dead_code, reason = "each test program takes only a part of it")]

pub(crate) mod oracle;
