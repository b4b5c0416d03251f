//! Every command of every document is run: here, by `.ci/run` or by `.ci/long`; or it is listed with the
//! reason why not.

use crate::common::{COMPARE, Program, REPORT, RUN, SCALING, SIMULATE, STARSPLIT, Scratch, run_in};
use starsplit_tidy::{Scan, root, scan};
use std::fs;
use std::path::PathBuf;

/// How a command is known to work.
#[derive(Clone, Copy, Debug)]
enum How {
    /// It is run here, in the order of the list in one folder, with these words at its end: they make it
    /// short.
    Here(&'static str),
    /// A test of Cargo: the package, its test program and its module exist, and `.ci/run` runs all.
    Tests,
    /// This script runs it, by these words.
    By(&'static str, &'static str),
    /// It is not run.
    Not(&'static str),
}

use How::{By, Here, Not, Tests};

const COMMANDS: &[(&str, How)] = &[
    ("cargo run --release -p speedup", By(".ci/long", "cargo run --release -p speedup")),
    ("cargo test --workspace", By(".ci/run", "cargo test --workspace")),
    ("pip install ./python", By(".ci/long", "\"./python[")),
    ("python -m starsplit search --game einstein --depth 5 --json", By(".ci/long", "-m starsplit search")),
    ("make -C capi install PREFIX=$HOME/.local", By(".ci/long", "make -C capi install PREFIX")),
    ("make -C capi/examples check", By(".ci/long", "make -C capi/examples check")),
    ("make -C capi/examples sanitized", By(".ci/long", "make -C capi/examples sanitized overhead")),
    ("make -C capi/examples overhead", By(".ci/long", "make -C capi/examples sanitized overhead")),
    // In the folder of the example.
    ("cargo run --release -- scaling --threads 1,2 --out threads", By(".ci/run", "dark-chess\" compare")),
    (
        "cargo run --release -- simulate --processors 1,4,16,64 --out virtual",
        By(".ci/run", "dark-chess\" simulate"),
    ),
    ("cargo run --release -- report threads virtual", By(".ci/run", "dark-chess\" report")),
    ("cargo run --release -- --help", Not("what any command line has")),
    ("cargo run --release", By(".ci/long", "cargo run --release --quiet --locked --manifest-path")),
    ("cargo run --release 5", Not("the same, deeper")),
    // Of the lab.
    (
        "cargo run --release --bin starsplit -- search --depth 11 --threads 2 --trace trace.json",
        Here("--game pig"),
    ),
    ("cargo run --release --bin starsplit -- search --depth 5 --tree tree.html", Here("")),
    ("cargo run --release --bin starsplit -- COMMAND --help", Not("COMMAND stands for each")),
    ("cargo run --release --bin run -- --list", Here("")),
    ("cargo run --release --bin run -- NAME", Not("NAME stands for each")),
    ("cargo run --profile quick --bin run -- quick", By(".ci/long", "--bin run -- quick")),
    ("cargo run --release --bin run -- my.toml --out out --resume", Here("")),
    ("cargo run --release --bin report -- one two", Here("")),
    ("cargo run --release --bin starsplit -- compare-records one two --picture both.svg", Here("")),
    (
        "cargo run --release --bin simulate -- --processors 1,16,256,1024 --costs measured,unit --out curve",
        Here("--depth 3 --only 1"),
    ),
    ("cargo run --release --bin report -- curve", Here("")),
    // Of the lesson.
    ("cargo build --release --bin starsplit --bin report", Not("the tests build both")),
    (
        "cargo run --release --bin starsplit -- search --game pig --rules target=6,die=3 --position \
         \"2 3 2 x\" --depth 3 --evaluator banked --algorithm expectimax --table none \
         --leaf-collapse off --tree all.jsonl",
        By("experiments/tests/tree.rs", "\"--algorithm\", \"expectimax\""),
    ),
    (
        "cargo run --release --bin starsplit -- search --game pig --rules target=6,die=3 --position \
         \"2 3 2 x\" --depth 3 --evaluator banked --algorithm star1 --table none --leaf-collapse off \
         --static-bounds off --ordering paper --tree star1.html --tree-beside all.jsonl",
        By("experiments/tests/tree.rs", "\"--tree-beside\", \"all.jsonl\""),
    ),
    (
        "cargo run --release --bin starsplit -- simulate --depth 9 --processors 1,2,4,8,16 --out class",
        Here(""),
    ),
    ("cargo run --release --bin report -- class", Here("")),
    (
        "cargo run --release --bin starsplit -- calibrate --out costs",
        By("experiments/tests/calibrate.rs", "costs/costs.json"),
    ),
    // Of whoever changes the project.
    ("cargo test -p starsplit --test all methods::", Tests),
    ("cargo test -p starsplit --lib", Tests),
    ("cargo test -p starsplit --test all promises::", Tests),
    ("cargo test -p starsplit-games", Tests),
    ("cargo test -p starsplit-games --test all signature::", Tests),
    ("cargo test -p starsplit --test faults", Tests),
    ("cargo test -p starsplit-saved", Tests),
    ("cargo test -p starsplit-testkit", Tests),
    ("cargo test -p starsplit-experiments", Tests),
    ("cargo test -p starsplit-tidy", Tests),
    ("cargo test -p starsplit-capi", Tests),
    ("cargo test -p starsplit-fuzz", Tests),
    ("cargo run --release -p starsplit-instructions", By(".ci/run", "-p starsplit-instructions")),
    (
        "cargo run --release -p starsplit-stress -- --every-game --minutes 10",
        By(".ci/long", "-p starsplit-stress -- --every-game --minutes"),
    ),
    ("maturin develop", By(".ci/run", "maturin develop")),
    ("python -m pytest", By(".ci/run", "-m pytest")),
    ("fuzz/long 60", By(".ci/long", "fuzz/long")),
    ("fuzz/long --minimise", Not("it changes the corpus")),
    (".ci/run", Not("it runs this")),
    (".ci/long", Not("it takes hours")),
    (".ci/long --list", Not("it is what reads the list")),
    (".ci/long STEP", Not("STEP stands for each")),
    (".ci/long flags signals", Not("steps of it")),
    (".ci/long forgotten", Not("a step of it")),
    (".ci/mutants", Not("it takes hours; its record says what it found")),
    (".ci/sanitize thread", By(".ci/long", ".ci/sanitize")),
    (".ci/sanitize address", By(".ci/long", ".ci/sanitize")),
    (".ci/api", Not("it writes what `.ci/api --check` checks")),
    (".ci/api --since REVISION", Not("it asks for a release before")),
    (".ci/quick", Not("`.ci/run` does all of it, and more")),
    (".ci/long ports", Not("a step of it")),
    (".ci/long package", Not("a step of it")),
    (".ci/ports", By(".ci/long", ".ci/ports")),
    (".ci/address", Not("it writes what `.ci/address --check` checks")),
    (".ci/release", Not("it asks for the address of the repository, which a person gives")),
    ("cargo doc -p starsplit --open", By(".ci/run", "cargo doc -p starsplit")),
    (
        "RUSTFLAGS=\"--cfg loom\" CARGO_TARGET_DIR=target/loom cargo test --release -p starsplit --lib loom",
        By(".ci/run", "cargo test --release -p starsplit --lib loom"),
    ),
    ("RUSTFLAGS=\"-C target-cpu=x86-64-v2\"", Not("no command: a setting of the compiler")),
    (
        "python - <<'END'",
        Not("it needs a cluster; the tests of Python share a search over Dask on one machine"),
    ),
];

/// Every document for people, but for the list of changes.
fn documents() -> Vec<PathBuf> {
    let folders =
        ["", "docs", "games", "games/weights", "python", "capi", "examples/dark-chess", "examples/onnx"];
    let files = folders.iter().flat_map(|folder| fs::read_dir(root().join(folder)).expect("a folder"));
    let files = files.map(|entry| entry.expect("an entry").path());
    let is_document = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    files.filter(is_document).filter(|path| !path.ends_with("CHANGELOG.md")).collect()
}

/// The commands in a document: lines of a shell's blocks, without their comments, and whole texts in
/// backquotes.
fn commands(text: &str) -> Vec<String> {
    let Scan { code, shell, .. } = scan(text);
    let begins =
        ["cargo ", "pip ", "python ", "python3 ", "make ", "maturin ", ".ci/", "fuzz/long", "RUSTFLAGS="];
    let plain = shell.iter().chain(&code).map(|line| line.split("  #").next().unwrap_or(line));
    let plain = plain.map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    plain.filter(|line| begins.iter().any(|begin| line.starts_with(begin))).collect()
}

#[test]
fn every_command_of_a_document_is_run_or_listed() {
    let mut named: Vec<String> = Vec::new();
    for path in documents() {
        named.append(&mut commands(&fs::read_to_string(&path).expect("a document")));
    }
    let listed: Vec<_> = COMMANDS.iter().map(|&(command, _)| command).collect();
    let unknown: Vec<_> = named.iter().filter(|command| !listed.contains(&command.as_str())).collect();
    let gone: Vec<_> =
        listed.iter().filter(|listed| !named.iter().any(|command| command == *listed)).collect();
    assert!(unknown.is_empty() && gone.is_empty(), "not listed: {unknown:#?}\nnot in a document: {gone:#?}");
}

/// The program that a command runs, and its words.
fn parsed(command: &str) -> Option<(Program, Vec<&str>)> {
    let (_, rest) = command.split_once("--bin ")?;
    let (name, words) = rest.split_once(" --").unwrap_or((rest, ""));
    let program = match name {
        "starsplit" => STARSPLIT,
        "compare" => COMPARE,
        "run" => RUN,
        "report" => REPORT,
        "simulate" => SIMULATE,
        _ => return None,
    };
    Some((program, words.split_whitespace().collect()))
}

#[test]
fn the_commands_of_the_lab_do_what_they_are_listed_for() {
    let scratch = Scratch::new();
    let run = |program: Program, words: &[&str]| {
        let output = run_in(scratch.path(), program, words);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program} {words:?}: {told}");
        assert!(!output.stdout.is_empty() || !told.is_empty(), "{program} {words:?} says nothing");
    };
    // What the documents begin with: a spec, which they show, and two folders of records.
    let page = fs::read_to_string(root().join("docs/experiments.md")).expect("a document");
    let spec = page.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a spec");
    let spec = format!("{spec}depth = 3\nrepeat = 2\n");
    fs::write(scratch.path().join("my.toml"), spec).expect("a file");
    for folder in ["one", "two"] {
        run(
            SCALING,
            &["--depth", "3", "--threads", "1,2", "--repeat", "2", "--suite", "quick", "--out", folder],
        );
    }
    for &(command, how) in COMMANDS {
        if let Here(more) = how {
            let (program, mut words) = parsed(command).unwrap_or_else(|| panic!("{command}: which program?"));
            words.extend(more.split_whitespace());
            run(program, &words);
        }
    }
    for made in
        ["trace.json", "tree.html", "both.svg", "out/index.html", "one/README.md", "curve/speedup-unit.svg"]
    {
        assert!(scratch.path().join(made).is_file(), "expected {made}");
    }
}

/// The folder of a package of the workspace.
fn package(name: &str) -> PathBuf {
    root().join(name.strip_prefix("starsplit").expect("a name").trim_start_matches('-'))
}

#[test]
fn what_is_said_to_run_elsewhere_is_there() {
    for &(command, how) in COMMANDS {
        match how {
            By(script, words) => {
                let text = fs::read_to_string(root().join(script)).expect("a script");
                assert!(text.contains(words), "{command}: {script} has no {words}");
            }
            Tests => {
                let mut words = command.split_whitespace().skip_while(|word| *word != "-p").skip(1);
                let folder = package(words.next().expect("a package"));
                assert!(folder.join("Cargo.toml").is_file(), "{command}: {}", folder.display());
                let module = words.last().filter(|word| !word.starts_with('-'));
                let name = module.map(|module| module.trim_end_matches("::"));
                let file = name.map(|name| folder.join(format!("tests/{name}.rs")));
                assert!(file.is_none_or(|file| file.is_file()), "{command}: no such tests");
            }
            Here(_) => assert!(parsed(command).is_some(), "{command}"),
            Not(reason) => assert!(!reason.is_empty(), "{command}: why not?"),
        }
    }
}
