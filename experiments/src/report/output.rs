//! What every page is made with: who makes it, what counts unless told otherwise, and how its file is
//! written.

use crate::cli::BadInput;
use crate::cli::outputs;
use std::io::Write;
use std::path::Path;

/// The value of `--min-nodes` that goes without saying.
pub(super) const MIN_NODES: u64 = 1_000_000;

/// The page's file.
pub(super) const PAGE: &str = "README.md";

/// Who makes pages, as complaints say it.
pub(super) const MAKER: &str = "report";

/// What the last paragraph of every page begins with, by which a page is known for one of these.
pub(super) const MARK: &str = "Made by `report";

/// Writes a file so that whoever looks finds the old one or the new one, and never a part.
pub(super) fn write_file(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    outputs::replace(file, |out| out.write_all(bytes)).map_err(|error| {
        let complaint = format!("expected one that can be written ({error})");
        BadInput::new("file", file.to_string_lossy(), complaint).into()
    })
}
