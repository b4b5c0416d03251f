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
    /// The recorded figures, JSON: from case to instructions a node.
    #[arg(long, default_value = "benches/instructions.json")]
    recorded: PathBuf,
    /// By how many percent a figure may exceed the recorded one.
    #[arg(long, default_value_t = 3.0)]
    tolerance: f64,
    /// Write the figures to the file instead of comparing.
    #[arg(long)]
    record: bool,
    /// What the process under valgrind is to search; used internally.
    #[arg(long, hide = true, num_args = 2)]
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
    if let Some([name, depth]) = arguments.search.as_deref() {
        println!("{}", search(name, depth.parse()?)?);
        return Ok(true);
    }
    let mut counted = BTreeMap::new();
    for (name, _, depths) in cases() {
        eprintln!("counting {name} ...");
        let instructions = instructions_a_node(&name, depths)?;
        counted.insert(name, instructions);
    }
    if arguments.record {
        let text = serde_json::to_string_pretty(&rounded(&counted))? + "\n";
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
        println!("{name:26} {now:7.1} instructions a node, recorded {then:7.1}, {change:+5.1}%  {verdict}");
    }
    Ok(good)
}

/// Tenths are all that repeats.
fn rounded(counted: &BTreeMap<String, f64>) -> BTreeMap<&str, f64> {
    counted.iter().map(|(name, count)| (name.as_str(), (count * 10.0).round() / 10.0)).collect()
}

fn path(arguments: &Arguments) -> String {
    format!("recorded figures {}", arguments.recorded.display())
}

/// What is counted: a name, the options, and the two depths.
fn cases() -> Vec<(String, Options, [u32; 2])> {
    let paper = Algorithm::ALL.iter().map(|&algorithm| {
        let depths = if algorithm == Algorithm::Expectimax { [5, 7] } else { [7, 9] };
        (format!("{algorithm}/paper"), Options::paper(algorithm), depths)
    });
    let orderings = MoveOrdering::ALL.iter().map(|&ordering| {
        (format!("star2-tt/default-{ordering}"), Options { ordering, ..Options::default() }, [7, 9])
    });
    paper.chain(orderings).collect()
}

/// Nodes of the searches that are counted.
fn search(name: &str, depth: u32) -> Result<u64> {
    let Some((_, options, _)) = cases().into_iter().find(|(other, ..)| other == name) else {
        bail!("case {name:?}: expected one of those that the program counts");
    };
    let dice = Dice::new(Rules::default());
    let searcher =
        Searcher::new(dice.clone(), Network::trained(&dice)?, LocklessTable::new(16)?).with_options(options);
    let mut nodes = 0;
    for text in POSITIONS {
        nodes += searcher.search(&dice.parse(text)?, &Limits::depth(depth))?.stats.nodes.total();
    }
    Ok(nodes)
}

fn instructions_a_node(name: &str, depths: [u32; 2]) -> Result<f64> {
    let [shallow, deep] = depths;
    let (few, few_nodes) = under_valgrind(name, shallow)?;
    let (many, many_nodes) = under_valgrind(name, deep)?;
    Ok((many - few) as f64 / (many_nodes - few_nodes) as f64)
}

/// Instructions and nodes of one search.
fn under_valgrind(name: &str, depth: u32) -> Result<(u64, u64)> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(std::env::current_exe()?)
        .args(["--search", name, &depth.to_string()])
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
