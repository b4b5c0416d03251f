//! Positions that a user gives.

use crate::cli::note;
use crate::question::door::{Door, Entry, Invalid};

/// The position that the text describes. What the text says beyond it and the game does not use goes to
/// standard error: whoever gives a score would take the values for those at that score.
///
/// # Errors
/// When it describes none.
pub fn position(door: &dyn Door, text: &str) -> Result<Entry, Invalid> {
    let entry = door.position(text)?;
    if let Some(unused) = door.unused(text) {
        note(format_args!("position: not used: {unused}"));
    }
    Ok(entry)
}
