//! Positions that a user gives.

use crate::cli::{BadInput, note};
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

/// The same of a flag's text; where the flag is not given, the position in which the game begins.
///
/// # Errors
/// When it describes none.
pub fn or_initial(door: &dyn Door, text: Option<&str>) -> Result<Entry, BadInput> {
    let Some(text) = text else { return Ok(door.initial()) };
    position(door, text).map_err(|error| BadInput::named("position", text, error))
}
