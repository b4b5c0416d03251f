//! A search's tree as a file: JSON lines, or a page to look at that needs nothing else.

mod page;

use crate::cli::BadInput;
use crate::cli::files;
use crate::cli::outputs::{self, write_piecewise};
use crate::question::door::{Answer, Door, Entry};
use anyhow::Context;
use serde::{Deserialize, Serialize};
use starsplit::game::{NodeKind, Player, Step};
use starsplit::score::{Grid, Window};
use starsplit::search::{Options, SearchTree, TreeNode};
use std::io::{self, Write};
use std::path::Path;

/// With what a file of lines begins, by which it is known.
const HEAD: &str = r#"{"starsplit_tree":1,"#;

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

    fn head(self) -> &'static str {
        match self {
            Form::Page => page::HEAD,
            Form::Lines => HEAD,
        }
    }
}

/// Checks, before the search, that a tree can be written there.
///
/// # Errors
/// When the name has another ending, or something else is there.
pub(super) fn check(path: &Path) -> Result<Form, BadInput> {
    let complaint = "expected a name that ends in .html or .jsonl";
    let form = Form::of(path).ok_or_else(|| BadInput::new("tree", path.to_string_lossy(), complaint))?;
    outputs::check("tree", path, "search --tree", |path| is_own(path, form))?;
    Ok(form)
}

fn is_own(path: &Path, form: Form) -> bool {
    let head = form.head().as_bytes();
    files::read_head(path, head.len() as u64).is_ok_and(|found| found == head)
}

/// The first line: what was searched, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    /// The form of the lines.
    starsplit_tree: u32,
    game: String,
    rules: String,
    position: String,
    /// The position as a person sees it.
    drawn: String,
    algorithm: String,
    method: String,
    threads: usize,
    /// Whether times are those of virtual processors.
    simulated: bool,
    depth: u32,
    /// For the root's player, in the game's units.
    value: Option<f64>,
    best_move: Option<String>,
    /// The values of the least and the greatest score, for Max.
    range: [f64; 2],
    /// The greatest score.
    limit: i32,
    deepest_ply: u32,
    left_out: u64,
}

/// The line of a node. Scores are for the player whose turn it is there.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// The line of the node above, counted from 0; null for a root.
    parent: Option<usize>,
    step: Option<String>,
    /// Of an outcome.
    weight: Option<u32>,
    kind: String,
    player: String,
    depth: u32,
    ply: u32,
    /// Alpha and beta.
    window: [i32; 2],
    /// Lower and upper.
    bounds: [i32; 2],
    phase: Option<String>,
    end: String,
    worker: usize,
    /// Nanoseconds since the search began, or virtual time.
    began: u64,
    ended: u64,
    /// When the window changed by what other workers had proven, and its alpha and beta then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    narrowed: Vec<(u64, [i32; 2])>,
}

/// A tree with what was searched.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TreeData {
    header: Header,
    nodes: Vec<Line>,
}

/// What the search was asked.
pub(super) struct Searched<'a> {
    pub(super) door: &'a dyn Door,
    pub(super) position: &'a Entry,
    pub(super) options: &'a Options,
    pub(super) grid: Grid,
    pub(super) simulated: bool,
}

/// The file that was written.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TreeReport {
    pub(super) file: std::path::PathBuf,
    pub(super) nodes: usize,
    pub(super) left_out: u64,
    pub(super) deepest_ply: u32,
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

impl TreeData {
    pub(super) fn new(
        searched: &Searched<'_>,
        answer: &Answer,
        value: Option<f64>,
        tree: &SearchTree<String, String>,
    ) -> Self {
        let Searched { door, position, options, grid, simulated } = searched;
        let (low, high) = grid.range();
        let header = Header {
            starsplit_tree: 1,
            game: door.game().to_owned(),
            rules: door.rules(),
            position: position.text.clone(),
            drawn: door.play().and_then(|play| play.draw(position).ok()).unwrap_or_default(),
            algorithm: options.algorithm.name().to_owned(),
            method: options.method.name().to_owned(),
            threads: options.threads,
            simulated: *simulated,
            depth: answer.depth,
            value,
            best_move: answer.best_move.clone(),
            range: [low, high],
            limit: tree.limit,
            deepest_ply: tree.deepest_ply,
            left_out: tree.left_out,
        };
        TreeData { header, nodes: tree.nodes.iter().map(line).collect() }
    }

    /// Reads a file of lines.
    ///
    /// # Errors
    /// When it is none, by line.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let refuse = |number: usize, complaint: String| {
            BadInput::new("tree-beside", path.to_string_lossy(), format!("line {}: {complaint}", number + 1))
        };
        let mut lines = text.lines().enumerate();
        let (_, first) = lines.next().filter(|(_, first)| first.starts_with(HEAD)).ok_or_else(|| {
            refuse(0, "expected a tree that search --tree FILE.jsonl has written".to_owned())
        })?;
        let header = serde_json::from_str(first).map_err(|error| refuse(0, error.to_string()))?;
        let mut nodes: Vec<Line> = Vec::new();
        for (number, text) in lines {
            let node: Line = serde_json::from_str(text).map_err(|error| refuse(number, error.to_string()))?;
            if let Some(parent) = node.parent.filter(|&parent| parent >= nodes.len()) {
                let complaint = format!("parent {parent}: expected a node before this one");
                return Err(refuse(number, complaint).into());
            }
            nodes.push(node);
        }
        Ok(TreeData { header, nodes })
    }

    /// Writes the file; a page may have another tree beside.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn write(
        &self,
        path: &Path,
        form: Form,
        beside: Option<&TreeData>,
    ) -> anyhow::Result<TreeReport> {
        write_piecewise(path, |file| match form {
            Form::Lines => self.write_lines(file),
            Form::Page => page::write(file, &std::iter::once(self).chain(beside).collect::<Vec<_>>()),
        })?;
        let Header { left_out, deepest_ply, .. } = self.header;
        Ok(TreeReport { file: path.to_owned(), nodes: self.nodes.len(), left_out, deepest_ply })
    }

    fn write_lines(&self, file: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *file, &self.header)?;
        for node in &self.nodes {
            file.write_all(b"\n")?;
            serde_json::to_writer(&mut *file, node)?;
        }
        file.write_all(b"\n")
    }
}

fn line(node: &TreeNode<String, String>) -> Line {
    let ends = |window: Window| [window.alpha, window.beta];
    Line {
        parent: node.parent,
        step: node.step.as_ref().map(|(Step::Move(text) | Step::Outcome(text))| text.clone()),
        weight: node.weight,
        kind: match node.kind {
            NodeKind::Decision => "decision",
            NodeKind::Chance => "chance",
            NodeKind::Terminal => "terminal",
        }
        .to_owned(),
        player: if node.player == Player::Max { "max" } else { "min" }.to_owned(),
        depth: node.depth,
        ply: node.ply,
        window: ends(node.window),
        bounds: [node.bounds.lower, node.bounds.upper],
        phase: node.phase.map(|phase| phase.name().to_owned()),
        end: node.end.name().to_owned(),
        worker: node.worker,
        began: node.began,
        ended: node.ended,
        narrowed: node.narrowed.iter().map(|&(at, window)| (at, ends(window))).collect(),
    }
}
