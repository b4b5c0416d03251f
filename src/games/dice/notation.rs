//! Positions of Dice as text.

/// Why a position could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {}

pub(super) fn cell_name(size: u8, cell: u8) -> String {
    format!("r{}c{}", cell / size + 1, cell % size + 1)
}
