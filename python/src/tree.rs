//! Pages of trees.

use crate::bad;
use pyo3::prelude::*;
use starsplit_doors::tree_file::{TreeData, write_page};

/// The page over trees side by side, each as JSON lines.
#[pyfunction]
pub(crate) fn tree_page(trees: Vec<String>) -> PyResult<String> {
    let read = |text: &String| TreeData::parse(text).map_err(|error| bad(format!("tree: {error:#}")));
    let trees = trees.iter().map(read).collect::<PyResult<Vec<_>>>()?;
    let mut page = Vec::new();
    write_page(&mut page, &trees.iter().collect::<Vec<_>>()).map_err(bad)?;
    String::from_utf8(page).map_err(bad)
}
