//! What is recorded during a parallel search. It changes nothing that is searched, except that ABDADA defers
//! nodes in flight.
//!
//! | file | subject |
//! |---|---|
//! | `record.rs` | a worker's times, counts and histograms |
//! | `log.rs` | a worker's timeline |
//! | `in_flight.rs` | the nodes being searched |

pub(super) mod in_flight;
pub(super) mod log;
pub(super) mod record;
