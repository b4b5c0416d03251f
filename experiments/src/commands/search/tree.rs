//! The file that a search's tree is written to.

use crate::cli::BadInput;
use crate::cli::files;
use crate::cli::outputs::{self, write_piecewise};
use serde::Serialize;
use starsplit_doors::tree_file::{LINES_HEAD, PAGE_HEAD, TreeData, write_page};
use std::path::{Path, PathBuf};

/// The form of a file, by the ending of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Page,
    Lines,
}

impl Form {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "html" => Some(Form::Page),
            "jsonl" => Some(Form::Lines),
            _ => None,
        }
    }
}

/// Where a tree goes, and what lies beside it.
#[derive(Debug)]
pub(super) struct TreeFile<'a> {
    path: &'a Path,
    form: Form,
    beside: Option<TreeData>,
}

/// The file that was written.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TreeReport {
    file: PathBuf,
    nodes: usize,
    left_out: u64,
    deepest_ply: u32,
}

impl<'a> TreeFile<'a> {
    /// Checks, before the search, that a tree can be written there, and reads the one beside it.
    ///
    /// # Errors
    /// When the name has another ending, something else is there, or what lies beside is no tree.
    pub(super) fn new(path: &'a Path, beside: Option<&Path>) -> Result<Self, BadInput> {
        let refuse = |complaint| BadInput::new("tree", path.to_string_lossy(), complaint);
        let form = Form::of(path).ok_or_else(|| refuse("expected a name that ends in .html or .jsonl"))?;
        let head = if form == Form::Page { PAGE_HEAD } else { LINES_HEAD };
        let is_own = |path: &Path| {
            files::read_head(path, head.len() as u64).is_ok_and(|found| found == head.as_bytes())
        };
        outputs::check("tree", path, "search --tree", is_own)?;
        if beside.is_some() && form == Form::Lines {
            return Err(refuse("expected a name that ends in .html with --tree-beside"));
        }
        Ok(TreeFile { path, form, beside: beside.map(read).transpose()? })
    }

    /// Writes the tree. `left_out` and `deepest_ply` are told.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write(
        &self,
        tree: &TreeData,
        (left_out, deepest_ply): (u64, u32),
    ) -> anyhow::Result<TreeReport> {
        write_piecewise(self.path, |file| match self.form {
            Form::Lines => tree.write_lines(file),
            Form::Page => write_page(file, &std::iter::once(tree).chain(&self.beside).collect::<Vec<_>>()),
        })?;
        Ok(TreeReport { file: self.path.to_owned(), nodes: tree.nodes(), left_out, deepest_ply })
    }
}

impl TreeReport {
    /// The same for people.
    pub(super) fn text(&self) -> String {
        let TreeReport { file, nodes, left_out, deepest_ply } = self;
        let rest = match left_out {
            0 => String::new(),
            left_out => format!(", {left_out} deeper than ply {deepest_ply} left out"),
        };
        format!("{} ({nodes} nodes{rest})", file.display())
    }
}

fn read(path: &Path) -> Result<TreeData, BadInput> {
    let refuse = |complaint: String| BadInput::new("tree-beside", path.to_string_lossy(), complaint);
    let text = std::fs::read_to_string(path)
        .map_err(|error| refuse(format!("expected a file that can be read ({error})")))?;
    TreeData::parse(&text).map_err(|error| refuse(format!("{error:#}")))
}
