//! Counting under valgrind: each case searches fixed positions to two depths, each in a process of its own
//! under callgrind; the difference of the instructions, divided by the difference of the nodes, leaves
//! start-up and table out.

use anyhow::{Context, Result, bail};
use starsplit::Searcher;
use starsplit::search::{Algorithm, Limits, MoveOrdering, Options, Splits, StopFlag};
use starsplit::table::LocklessTable;
use starsplit_experiments::cli::BadInput;
use starsplit_games::dice::{Dice, Network, Rules};
use std::process::Command;

/// Middle games of the paper's Dice.
const POSITIONS: [&str; 2] = ["...../..x../..o../.x.../....o x -", "x.o../..x../.oo../.x..o/...x. x -"];

/// What is counted.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// Its name in the recorded figures.
    pub(super) name: String,
    options: Options,
    depths: [u32; 2],
}

/// All cases: each algorithm as in the paper's comparison, each ordering with the library's defaults, and the
/// parallel search on one thread, where it does the same at the same nodes as the serial one and all else is
/// its cost.
pub(super) fn cases() -> Vec<Case> {
    let paper = Algorithm::ALL.iter().map(|&algorithm| {
        let depths = if !algorithm.prunes() { [5, 7] } else { [7, 9] };
        Case { name: format!("{algorithm}/paper"), options: Options::paper(algorithm), depths }
    });
    let orderings = MoveOrdering::ALL.iter().map(|&ordering| {
        let options = Options { ordering, ..Options::default() };
        let name = format!("star2-tt/default-{ordering}");
        Case { name, options, depths: [7, 9] }
    });
    let parallel = Case {
        name: "star2-tt/default-parallel".to_owned(),
        options: Options { splits: Splits { alone: true, ..Splits::default() }, ..Options::default() },
        depths: [7, 9],
    };
    paper.chain(orderings).chain([parallel]).collect()
}

/// Searches what the case `name` searches, to `depth`, and gives the nodes: the work of the process under
/// valgrind.
///
/// # Errors
/// [`BadInput`] when there is no such case; whatever ends a search with an error.
pub(super) fn search(name: &str, depth: u32, stop: &StopFlag) -> Result<u64> {
    let Some(case) = cases().into_iter().find(|case| case.name == name) else {
        return Err(BadInput::new("case", name, "expected one of those that the program counts").into());
    };
    let dice = Dice::new(Rules::default());
    let searcher = Searcher::new(dice.clone(), Network::trained(&dice)?, LocklessTable::new(16)?)
        .with_options(case.options);
    let limits = Limits::depth(depth).with_stop(stop.clone());
    let mut nodes = 0;
    for text in POSITIONS {
        nodes += searcher.request(&dice.parse(text)?).limits(limits.clone()).search()?.stats.nodes.total();
    }
    Ok(nodes)
}

impl Case {
    /// Instructions a node.
    ///
    /// # Errors
    /// [`BadInput`] when valgrind cannot be run; otherwise when it fails or says what is not understood.
    pub(super) fn count(&self) -> Result<f64> {
        let [shallow, deep] = self.depths;
        let (few, few_nodes) = self.under_valgrind(shallow)?;
        let (many, many_nodes) = self.under_valgrind(deep)?;
        if many <= few || many_nodes <= few_nodes {
            bail!("{}: expected more instructions and nodes to depth {deep} than to {shallow}", self.name);
        }
        Ok((many - few) as f64 / (many_nodes - few_nodes) as f64)
    }

    /// Instructions and nodes of one search.
    fn under_valgrind(&self, depth: u32) -> Result<(u64, u64)> {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(std::env::current_exe()?)
            .args(["--search", &self.name, &depth.to_string()])
            .output()
            .map_err(|error| {
                BadInput::from_error(format_args!(
                    "valgrind: expected to be installed and on the path ({error})"
                ))
            })?;
        let log = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() {
            bail!("valgrind ended with {}: {}", output.status, log.lines().last().unwrap_or_default());
        }
        let instructions = log.lines().find_map(|line| line.split_once("Collected : "));
        let (_, instructions) = instructions.context("valgrind printed no line with 'Collected :'")?;
        let nodes = String::from_utf8(output.stdout)?;
        Ok((instructions.trim().parse()?, nodes.trim().parse()?))
    }
}
