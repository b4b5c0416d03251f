//! What is known of a parallel search while it runs. Nothing here changes what is searched, but for ABDADA,
//! which puts off what is in flight.
//!
//! | file | subject |
//! |---|---|
//! | `record.rs` | a worker's clock, counts and histograms |
//! | `log.rs` | a worker's timeline |
//! | `in_flight.rs` | which nodes are being searched at the moment |

pub(super) mod in_flight;
pub(super) mod log;
pub(super) mod record;
