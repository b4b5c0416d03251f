//! Counts machine instructions a node with valgrind, which no neighbour on the machine can disturb, and compares them
//! with the recorded ones.
//!
//! Each algorithm searches fixed positions to two depths, each in a process of its own under callgrind; the
//! difference of the instructions, divided by the difference of the nodes, leaves start-up and table out.

use anyhow::{Context, Result, bail};
use clap::Parser;
use starsplit::Searcher;
use starsplit::games::dice::{Dice, Network, Rules};
use starsplit::search::{Algorithm, Limits, MoveOrdering, Options};
use starsplit::table::LocklessTable;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// Middle games of the paper's Dice.
const POSITIONS: [&str; 2] = ["...../..x../..o../.x.../....o x -", "x.o../..x../.oo../.x..o/...x. x -"];

/// Counts instructions a node (needs valgrind) and compares them with a file of recorded figures.
#[derive(Parser, Debug)]
#[command(version)]
struct Arguments {
    /// The recorded figures, JSON: from "algorithm/ordering" to instructions a node.
    #[arg(long, default_value = "benches/instructions.json")]
    recorded: PathBuf,
    /// By how many percent a figure may exceed the recorded one.
    #[arg(long, default_value_t = 3.0)]
    tolerance: f64,
    /// Write the figures to the file instead of comparing.
    #[arg(long)]
    record: bool,
    /// What the process under valgrind is to search; used internally.
    #[arg(long, hide = true, num_args = 3)]
    search: Option<Vec<String>>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &Arguments) -> Result<bool> {
    if let Some([algorithm, ordering, depth]) = arguments.search.as_deref() {
        println!("{}", search(algorithm.parse()?, ordering.parse()?, depth.parse()?)?);
        return Ok(true);
    }
    let mut counted = BTreeMap::new();
    for (algorithm, ordering, depths) in cases() {
        let name = format!("{algorithm}/{ordering}");
        eprintln!("counting {name} ...");
        counted.insert(name, instructions_a_node(algorithm, ordering, depths)?);
    }
    if arguments.record {
        let text = serde_json::to_string_pretty(&counted)? + "\n";
        std::fs::write(&arguments.recorded, text).with_context(|| path(arguments))?;
        return Ok(true);
    }
    let text = std::fs::read_to_string(&arguments.recorded).with_context(|| path(arguments))?;
    let recorded: BTreeMap<String, f64> = serde_json::from_str(&text).with_context(|| path(arguments))?;
    let mut good = true;
    for (name, &now) in &counted {
        let Some(&then) = recorded.get(name) else { bail!("{}: no figure for {name}", path(arguments)) };
        let change = 100.0 * (now / then - 1.0);
        let verdict = if change > arguments.tolerance { "TOO MANY" } else { "ok" };
        good &= change <= arguments.tolerance;
        println!("{name:24} {now:7.1} instructions a node, recorded {then:7.1}, {change:+5.1}%  {verdict}");
    }
    Ok(good)
}

fn path(arguments: &Arguments) -> String {
    format!("recorded figures {}", arguments.recorded.display())
}

fn cases() -> Vec<(Algorithm, MoveOrdering, [u32; 2])> {
    let paper = Algorithm::ALL.iter().map(|&algorithm| match algorithm {
        Algorithm::Expectimax => (algorithm, MoveOrdering::Paper, [5, 7]),
        _ => (algorithm, MoveOrdering::Paper, [7, 9]),
    });
    let others = [MoveOrdering::Static, MoveOrdering::Hybrid].map(|o| (Algorithm::Star2Tt, o, [7, 9]));
    paper.chain(others).collect()
}

/// Nodes of the searches that are counted.
fn search(algorithm: Algorithm, ordering: MoveOrdering, depth: u32) -> Result<u64> {
    let dice = Dice::new(Rules::default());
    let searcher = Searcher::new(dice.clone(), Network::trained(&dice)?, LocklessTable::new(16)?)
        .with_options(Options { ordering, ..Options::paper(algorithm) });
    let mut nodes = 0;
    for text in POSITIONS {
        nodes += searcher.search(&dice.parse(text)?, &Limits::depth(depth))?.stats.nodes.total();
    }
    Ok(nodes)
}

fn instructions_a_node(algorithm: Algorithm, ordering: MoveOrdering, depths: [u32; 2]) -> Result<f64> {
    let [shallow, deep] = depths;
    let (few, few_nodes) = under_valgrind(algorithm, ordering, shallow)?;
    let (many, many_nodes) = under_valgrind(algorithm, ordering, deep)?;
    Ok((many - few) as f64 / (many_nodes - few_nodes) as f64)
}

/// Instructions and nodes of one search.
fn under_valgrind(algorithm: Algorithm, ordering: MoveOrdering, depth: u32) -> Result<(u64, u64)> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["--search", algorithm.name(), ordering.name(), &depth.to_string()])
        .output()
        .context("valgrind: expected to be installed (Debian: apt-get install valgrind)")?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("valgrind ended with {}: {}", output.status, log.lines().last().unwrap_or_default());
    }
    let instructions = log.lines().find_map(|line| line.split_once("Collected : "));
    let (_, instructions) = instructions.context("valgrind printed no line with 'Collected :'")?;
    let nodes = String::from_utf8(output.stdout)?;
    Ok((instructions.trim().parse()?, nodes.trim().parse()?))
}
