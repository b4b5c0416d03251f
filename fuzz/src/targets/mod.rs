//! The targets, one to a file.

mod c_api;
mod costs;
mod graph;
mod matches;
mod meta;
mod notation;
mod options;
mod planner;
mod protocol;
mod record_line;
mod saved_table;
mod spec;
mod suite;
mod weights;

use crate::Target;

/// All of them. A new one is its `mod` line above and its line here.
pub const TARGETS: &[Target] = &[
    notation::TARGET,
    matches::TARGET,
    options::TARGET,
    suite::TARGET,
    spec::TARGET,
    costs::TARGET,
    protocol::TARGET,
    record_line::TARGET,
    meta::TARGET,
    saved_table::TARGET,
    planner::TARGET,
    weights::TARGET,
    c_api::TARGET,
];

/// The target of that name.
pub fn named(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
