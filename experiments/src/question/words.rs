//! Flags written as words in one text, `key=value,key,...`, as where one flag describes a whole search.

use crate::cli::BadInput;
use clap::Parser;
use std::error::Error;

/// Reads the keys of `text`, parted by commas, as flags of `P` without their dashes; `whole` is what a
/// complaint names beside the `thing`.
///
/// # Errors
/// When a key is unknown, there twice, or has no such value.
pub fn read<P: Parser>(thing: &str, whole: &str, text: &str) -> Result<P, BadInput> {
    let keys = text.split(',').map(str::trim).filter(|key| !key.is_empty());
    P::try_parse_from(keys.map(|key| format!("--{key}"))).map_err(|error| {
        let refused = crate::cli::retired(&error).map(|refused| refused.to_string());
        let own = refused.or_else(|| error.source().map(ToString::to_string));
        let first = || error.to_string().lines().next().unwrap_or_default().replace("error: ", "");
        let complaint = own.unwrap_or_else(first);
        BadInput::new(thing, whole, format_args!("expected options of a search ({complaint})"))
    })
}
