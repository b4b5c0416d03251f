//! The methods of parallel search.

pub(super) mod abdada;
pub(super) mod both;
pub(super) mod chance_split;
pub(super) mod decision_split;
pub(super) mod fork_join;
pub(super) mod root_split;
pub(super) mod shared_table;
