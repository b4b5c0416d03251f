//! The binary `instructions`: machine instructions a node, which no neighbour on the machine can disturb,
//! against the recorded ones.

mod count;

use clap::Parser;
use count::{Case, cases};
use serde::Serialize;
use starsplit::search::StopFlag;
use starsplit_experiments::cli::files;
use starsplit_experiments::cli::outputs::{check, write_whole};
use starsplit_experiments::cli::progress::Progress;
use starsplit_experiments::cli::texts;
use starsplit_experiments::cli::values;
use starsplit_experiments::cli::{self, BadInput, Ending, note};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main_with(|args: InstructionsArgs, stop| run(&args, stop))
}

/// What the complaints call the file.
const RECORDED: &str = "recorded figures";

/// Count instructions a node (needs valgrind) and compare them with a file of recorded figures
///
/// The exit code is 1 when a figure exceeds the recorded one by more than the tolerance, and 2 for bad input,
/// which is found before anything is counted: a figure of a case that is not counted any more is, a case of
/// which nothing is recorded is new. Counting takes minutes.
#[derive(Debug, Parser)]
#[command(name = "instructions", version = starsplit_experiments::cli::VERSION)]
struct InstructionsArgs {
    /// The recorded figures, JSON: from case to instructions a node
    #[arg(long, value_name = "FILE", default_value = "benches/instructions.json")]
    recorded: PathBuf,

    /// By how many percent a figure may exceed the recorded one
    #[arg(long, value_name = "PERCENT", default_value = "3", allow_negative_numbers = true,
          value_parser = tolerance)]
    tolerance: f64,

    /// Write the figures to the file instead of comparing; one that is there must have such figures in it
    #[arg(long)]
    record: bool,

    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,

    /// What the process under valgrind is to search; used internally
    #[arg(long, hide = true, num_args = 2)]
    search: Option<Vec<String>>,
}

fn tolerance(text: &str) -> Result<f64, BadInput> {
    let number = text.parse().ok().filter(|percent: &f64| percent.is_finite() && *percent >= 0.0);
    number.ok_or_else(|| BadInput::new("tolerance", text, "expected a finite number of percent, 0 or more"))
}

/// Figures by the names of their cases.
type Figures = BTreeMap<String, f64>;

/// What was counted, in the form of the JSON object.
#[derive(Clone, Debug, Serialize)]
struct InstructionsReport {
    recorded_file: PathBuf,
    /// Percent; none when the figures were recorded instead of compared.
    tolerance: Option<f64>,
    too_high: bool,
    cases: Vec<InstructionsLine>,
}

#[derive(Clone, Debug, Serialize)]
struct InstructionsLine {
    case: String,
    instructions_a_node: f64,
    recorded: Option<f64>,
    change_percent: Option<f64>,
    too_high: bool,
}

/// Does what the binary does.
///
/// # Errors
/// [`BadInput`], or that valgrind failed.
fn run(args: &InstructionsArgs, stop: &StopFlag) -> anyhow::Result<Ending> {
    if let Some([name, depth]) = args.search.as_deref() {
        let nodes = count::search(name, values::depth(depth)?, stop)?;
        cli::print(&format!("{nodes}\n"))?;
        return Ok(if stop.is_raised() { Ending::Stopped } else { Ending::Complete });
    }
    let cases = cases();
    let recorded = if args.record {
        let is_own = |path: &Path| {
            read(path).is_ok_and(|found| cases.iter().any(|case| found.contains_key(&case.name)))
        };
        check(RECORDED, &args.recorded, "instructions --record", is_own)?;
        None
    } else {
        Some(load(&args.recorded, &cases)?)
    };
    let Some(counted) = count_all(&cases, stop)? else {
        note("stopped by Ctrl-C: nothing was compared or recorded");
        return Ok(Ending::Stopped);
    };
    if args.record {
        write_whole(&args.recorded, (serde_json::to_string_pretty(&counted)? + "\n").as_bytes())?;
    }
    let report = InstructionsReport::new(args, counted, recorded.as_ref());
    for line in report.new_cases() {
        note(format_args!("{} is new: nothing is recorded to compare it with, --record adds it", line.case));
    }
    if args.json {
        cli::print_json(&report)?;
    } else {
        cli::print(&report.text())?;
    }
    Ok(if report.too_high { Ending::TooHigh } else { Ending::Complete })
}

/// Figures in a file, of whatever cases.
fn read(path: &Path) -> Result<Figures, String> {
    let text = texts::read(path, files::TEXT)
        .map_err(|error| format!("expected a file that can be read, --record makes one ({error})"))?;
    serde_json::from_str(&text)
        .map_err(|error| format!("expected a JSON object from case to number ({error})"))
}

/// The recorded figures, of some of `cases` and of nothing else. A case without one is new.
fn load(path: &Path, cases: &[Case]) -> Result<Figures, BadInput> {
    let refuse = |complaint: String| BadInput::new(RECORDED, path.to_string_lossy(), complaint);
    let figures = read(path).map_err(refuse)?;
    for (name, &figure) in &figures {
        if !cases.iter().any(|case| case.name == *name) {
            return Err(refuse(format!("expected no figure for {name}, which is not counted")));
        }
        if figure <= 0.0 {
            return Err(refuse(format!("{name} is {figure}, expected a number above 0")));
        }
    }
    if figures.is_empty() {
        return Err(refuse("expected a figure at least, --record makes them".to_owned()));
    }
    Ok(figures)
}

/// The figures of all cases; none when Ctrl-C came between.
fn count_all(cases: &[Case], stop: &StopFlag) -> anyhow::Result<Option<Figures>> {
    let progress = Progress::new("instructions", cases.len() as u64);
    let mut counted = Figures::new();
    for case in cases {
        progress.say(case.name.clone());
        let figure = case.count();
        // Ctrl-C reaches the process under valgrind too, whose failure or small count then means nothing.
        if stop.is_raised() {
            return Ok(None);
        }
        counted.insert(case.name.clone(), rounded(figure?));
        progress.advance();
    }
    Ok(Some(counted))
}

/// Tenths are all that repeats.
fn rounded(figure: f64) -> f64 {
    (figure * 10.0).round() / 10.0
}

impl InstructionsReport {
    fn new(args: &InstructionsArgs, counted: Figures, recorded: Option<&Figures>) -> Self {
        let line = |(case, now): (String, f64)| {
            let then = recorded.and_then(|recorded| recorded.get(&case)).copied();
            let change = then.map(|then| 100.0 * (now / then - 1.0));
            let too_high = change.is_some_and(|change| change > args.tolerance);
            InstructionsLine {
                case,
                instructions_a_node: now,
                recorded: then,
                change_percent: change,
                too_high,
            }
        };
        let cases: Vec<InstructionsLine> = counted.into_iter().map(line).collect();
        InstructionsReport {
            recorded_file: args.recorded.clone(),
            tolerance: recorded.map(|_| args.tolerance),
            too_high: cases.iter().any(|line| line.too_high),
            cases,
        }
    }

    /// The cases of which nothing is recorded, where figures were compared.
    fn new_cases(&self) -> impl Iterator<Item = &InstructionsLine> {
        self.cases.iter().filter(|line| self.tolerance.is_some() && line.recorded.is_none())
    }

    /// The figures for people.
    fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.cases {
            // Writing to a String does not fail.
            let _ = write!(text, "{:26} {:7.1} instructions a node", line.case, line.instructions_a_node);
            if let (Some(then), Some(change)) = (line.recorded, line.change_percent) {
                let verdict = if line.too_high { "TOO MANY" } else { "ok" };
                let _ = write!(text, ", recorded {then:7.1}, {change:+5.1}%  {verdict}");
            } else if self.tolerance.is_some() {
                text += ", new";
            }
            text.push('\n');
        }
        if self.tolerance.is_none() {
            let _ = writeln!(text, "wrote {}", self.recorded_file.display());
        }
        text
    }
}
