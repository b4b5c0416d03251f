//! The names of the folders in the house.

/// The folder of the records that answer a question today, by question and machine.
pub(super) const CURRENT: &str = "current";

/// The folder of what these have superseded.
pub(super) const ARCHIVE: &str = "archive";
