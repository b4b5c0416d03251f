//! A search's tree as data: JSON lines, or a page to look at that needs nothing else.

mod page;

pub use page::{HEAD as PAGE_HEAD, write as write_page};

use crate::door::Answer;
use anyhow::Context;
use serde::{Deserialize, Serialize};
use starsplit::game::{NodeKind, Player, Step};
use starsplit::score::{Grid, Window};
use starsplit::search::{Options, SearchTree, TreeNode};
use std::io::{self, Write};

/// With what a file of lines begins, by which it is known.
pub const LINES_HEAD: &str = r#"{"starsplit_tree":1,"#;

/// The first line: what was searched, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
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
pub struct TreeData {
    header: Header,
    nodes: Vec<Line>,
}

/// What the search was asked.
#[derive(Debug)]
pub struct Searched<'a> {
    /// The game's name.
    pub game: &'a str,
    /// Its rules.
    pub rules: String,
    /// The root.
    pub position: &'a str,
    /// The same as a person sees it.
    pub drawn: String,
    /// How it was searched.
    pub options: &'a Options,
    /// The grid of the scores.
    pub grid: Grid,
    /// Whether times are those of virtual processors.
    pub simulated: bool,
}

impl TreeData {
    /// The tree that a search answered with. `value` is for the root's player.
    pub fn new(
        searched: &Searched<'_>,
        answer: &Answer,
        value: Option<f64>,
        tree: &SearchTree<String, String>,
    ) -> Self {
        let Searched { options, grid, .. } = searched;
        let (low, high) = grid.range();
        let header = Header {
            starsplit_tree: 1,
            game: searched.game.to_owned(),
            rules: searched.rules.clone(),
            position: searched.position.to_owned(),
            drawn: searched.drawn.clone(),
            algorithm: options.algorithm.name().to_owned(),
            method: options.method.name().to_owned(),
            threads: options.threads,
            simulated: searched.simulated,
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

    /// Reads lines.
    ///
    /// # Errors
    /// When they are no tree, by line.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let mut lines = text.lines().enumerate();
        let (_, first) = lines
            .next()
            .filter(|(_, first)| first.starts_with(LINES_HEAD))
            .context("line 1: expected a tree that search --tree FILE.jsonl has written")?;
        let header = serde_json::from_str(first).context("line 1")?;
        let mut nodes: Vec<Line> = Vec::new();
        for (number, text) in lines {
            let named = || format!("line {}", number + 1);
            let node: Line = serde_json::from_str(text).with_context(named)?;
            let is_above = node.parent.is_none_or(|parent| parent < nodes.len());
            anyhow::ensure!(is_above, "{}: parent: expected a node before this one", named());
            nodes.push(node);
        }
        Ok(TreeData { header, nodes })
    }

    /// How many nodes it has.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Writes it as lines: the search in the first, a node in each other.
    ///
    /// # Errors
    /// When `file` has one.
    pub fn write_lines(&self, file: &mut impl Write) -> io::Result<()> {
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
