//! The page: one file with its style, its program and the trees as data.

use super::TreeData;
use std::io::{self, Write};

/// With what every page begins, by which it is known.
pub const HEAD: &str = "<!doctype html>\n<!-- starsplit search --tree -->\n";

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
const PROGRAM: &str = include_str!("page.js");

/// Writes the page over these trees, side by side.
///
/// # Errors
/// When `file` has one.
pub fn write(file: &mut impl Write, trees: &[&TreeData]) -> io::Result<()> {
    // In JSON this sign stands in texts alone; escaped, it begins no tag.
    let data = serde_json::to_string(trees)?.replace('<', "\\u003c");
    let (before, rest) = PAGE.split_once("/* style */").expect("a place for the style");
    let (between, rest) = rest.split_once("/* data */").expect("a place for the data");
    let (last, after) = rest.split_once("/* program */").expect("a place for the program");
    for part in [HEAD, before, STYLE, between, &data, last, PROGRAM, after] {
        file.write_all(part.as_bytes())?;
    }
    Ok(())
}
