//! Command lines that nobody means, to every binary: whatever is wrong is said in short lines that do nothing
//! to a terminal, whatever is right ends or can be stopped, and nothing panics.

#![cfg(unix)]

use crate::common::{
    CALIBRATE, COMPARE, COMPARE_RECORDS, ENGINE, EXPORT, MATCH, PAPER_TABLES, PLAY, POSITIONS, Program,
    REPORT, RUN, SCALING, SEARCH, SIMULATE, STUDY, Scratch, TRAIN, TUNING, json_in, start_within,
};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line on standard error, in bytes.
const LONGEST: usize = 400;

/// Command lines from which others are made; all of them short work.
const LINES: [(Program, &str); 24] = [
    (SEARCH, "--depth 3 --table-mb 1 --threads 2 --method both --json"),
    (SEARCH, "--game pig --rules target=20 --depth 4 --table-mb 1 --nodes 1000 --time-ms 50"),
    (SEARCH, "--game einstein --depth 3 --table-mb 1 --lanes 4 --batch 8 --sibling-batch rest"),
    (SEARCH, "--game backgammon --evaluator mlp --depth 2 --table-mb 1 --keep-moves 8 --within 0.16 --json"),
    (SEARCH, "--game 2048 --depth 3 --table-scheme twodeep --table-entries 64 --entries two-sided"),
    (SEARCH, "--depth 3 --simulate unit --threads 4 --seed 7"),
    (SEARCH, "--game einstein --depth 2 --table-mb 1 --save-table t --algorithm star1"),
    (SEARCH, "--game abalone --depth 2 --table-mb 1 --table-scheme chains --chain-rows 64 --chain-length 5"),
    (COMPARE, "--depth 2 --threads 1,2 --repeat 1 --table-mb 1 --out out"),
    (SCALING, "--depth 2 --threads 1,2 --repeat 1 --table-mb 1 --baselines hybrid --out out"),
    (SIMULATE, "--depth 2 --processors 1,4 --seeds 1 --table-mb 1 --costs unit --out out"),
    (STUDY, "--depth 2 --variant a --variant b:probing-factor=2 --table-mb 1 --out out"),
    (TUNING, "--depth 2 --table-mb 1 --out out"),
    (PAPER_TABLES, "--depth 2 --table-mb 1 --out out"),
    (CALIBRATE, "--depth 7 --positions 1 --repeat 1 --table-mb 1 --out out"),
    (MATCH, "--game pig --games 2 --one depth=2,table-mb=1 --two random --out out"),
    (PLAY, "--game pig --you none --depth 1 --seed 3"),
    (ENGINE, "--settings threads=2"),
    (POSITIONS, "--game pig --count 3 --seed 2 --out suite.txt"),
    (TRAIN, "--games 2 --out weights.safetensors"),
    (RUN, "quick --out out"),
    (REPORT, "RECORD"),
    (EXPORT, "RECORD"),
    (COMPARE_RECORDS, "RECORD RECORD"),
];

/// Arguments that are put in now and then.
const STRANGE: [&str; 36] = [
    "",
    "-",
    "--",
    "---",
    "-1",
    "0",
    "1",
    "18446744073709551616",
    "-0",
    "1e9",
    "NaN",
    "inf",
    "0x10",
    " 3",
    "3 ",
    "1,2,3,4",
    "1,1",
    ",",
    "1,,2",
    "=",
    "--depth",
    "--json",
    "--out",
    "/dev/null",
    "/dev/null/x",
    "/proc/self/mem",
    "\u{1b}[31mred",
    "a\tb",
    "a\nb\r\nc",
    "\u{202e}evil",
    "\u{7f}",
    "\u{85}",
    "caf\u{e9}",
    "\u{1f3b2}",
    "--help",
    "--version",
];

struct Random(Pcg64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }

    /// The arguments with one to three of them changed, left out, put in, doubled or exchanged.
    fn mutated(&mut self, args: &[&str]) -> Vec<String> {
        let mut args: Vec<String> = args.iter().map(|&arg| arg.to_owned()).collect();
        for _ in 0..=self.below(3) {
            let place = self.below(args.len() + 1).min(args.len().saturating_sub(1));
            match self.below(7) {
                _ if args.is_empty() => args.push(self.strange()),
                0 => drop(args.remove(place)),
                1 => args.insert(place, self.strange()),
                2 => args[place] = self.strange(),
                3 => args.insert(place, args[place].clone()),
                4 => {
                    let other = self.below(args.len());
                    args.swap(place, other);
                }
                _ => args[place] = self.letters(&args[place].clone()),
            }
        }
        args
    }

    fn strange(&mut self) -> String {
        match self.below(40) {
            0 => "x".repeat(100_000),
            1 => "\u{1b}]0;\u{7}".repeat(1_000),
            2 => format!("--{}", "y".repeat(1_000)),
            _ => STRANGE[self.below(STRANGE.len())].to_owned(),
        }
    }

    /// The text with a letter left out, put in or replaced.
    fn letters(&mut self, text: &str) -> String {
        const LETTERS: &str = "0123456789-=,.:/x \u{1b}\n\u{202e}\u{e9}\"'";
        let mut letters: Vec<char> = text.chars().collect();
        let (place, kind) = (self.below(letters.len() + 1), self.below(3));
        let letter = LETTERS.chars().nth(self.below(LETTERS.chars().count())).expect("a letter");
        match kind {
            0 if place < letters.len() => drop(letters.remove(place)),
            1 if place < letters.len() => letters[place] = letter,
            _ => letters.insert(place, letter),
        }
        letters.into_iter().collect()
    }
}

/// Runs the binary, within bounds of memory, and stops it as Ctrl-C would after a second.
fn stopped(folder: &Path, binary: Program, args: &[String]) -> Output {
    let child = start_within(folder, binary, args, 24 << 20);
    let id = child.id().to_string();
    let ended = thread::spawn(move || child.wait_with_output().expect("the binary ends"));
    let begun = Instant::now();
    let mut signals = 0;
    while !ended.is_finished() {
        let patience = Duration::from_secs([1, 120, 180][signals]);
        if begun.elapsed() > patience {
            signals += 1;
            assert!(signals < 3, "{binary} {args:?} does not end");
            // The second makes an end whatever it does.
            Command::new("kill").args(["-INT", &id]).stderr(Stdio::null()).status().expect("kill runs");
        }
        thread::sleep(Duration::from_millis(2));
    }
    ended.join().expect("no panic")
}

/// Holds so many mutations of all command lines to what is asked of them, and the lines themselves, first.
fn bear(mutations: usize) {
    let records = Scratch::new();
    let record = records.path().join("record").to_str().expect("text").to_owned();
    json_in(records.path(), COMPARE, &["--depth", "1", "--table-mb", "1", "--json", "--out", &record]);
    let mut random = Random(Pcg64::seed_from_u64(21));
    let mut codes: BTreeMap<_, usize> = BTreeMap::new();
    for number in 0..LINES.len() + mutations {
        let (binary, line) = LINES[number % LINES.len()];
        let line = line.replace("RECORD", &record);
        let line: Vec<&str> = line.split(' ').collect();
        let is_right = number < LINES.len();
        let args =
            if is_right { line.iter().map(|&arg| arg.to_owned()).collect() } else { random.mutated(&line) };
        let scratch = Scratch::new();
        let output = stopped(scratch.path(), binary, &args);
        let said = String::from_utf8(output.stderr).expect("UTF-8");
        let shown: Vec<String> = args.iter().map(|arg| arg.chars().take(200).collect()).collect();
        let what = format!("mutation {number}, {binary} {shown:?}: {:?}, {said:?}", output.status);
        assert!(matches!(output.status.code(), Some(0 | 1 | 2 | 130)), "{what}");
        // Beside other programs nothing may be stolen, which `calibrate` needs.
        let is_done = matches!(output.status.code(), Some(0 | 130)) || binary == CALIBRATE;
        assert!(!is_right || is_done, "{what}");
        for line in said.lines() {
            assert!(line.len() <= LONGEST && !line.contains(char::is_control), "{what}");
            assert!(!line.contains("panicked"), "{what}");
        }
        if output.status.code() == Some(2) {
            let last = said.lines().last().unwrap_or_default();
            assert!(last.starts_with("error: ") && last.contains("expected"), "{what}");
            // `report` goes on with other folders where one cannot be read, and names what it wrote.
            let is_silent = output.stdout.is_empty() || binary == REPORT;
            assert!(is_silent && !scratch.path().join("results").is_dir(), "{what}");
        }
        *codes.entry(output.status.code()).or_default() += 1;
    }
    println!("exit codes: {codes:?}");
    assert!(codes.get(&Some(2)) > Some(&(mutations / 4)), "few are refused: {codes:?}");
}

#[test]
fn mutated_flags_are_refused_in_short_plain_lines() {
    bear(200);
}

#[test]
#[ignore = "minutes: 20,000 command lines; part of the long checks"]
fn mutated_flags_by_the_thousand_are_refused_in_short_plain_lines() {
    bear(20_000);
}

#[test]
fn a_reader_who_closes_the_pipe_early_is_no_error() {
    let records = Scratch::new();
    let record = records.path().join("record").to_str().expect("text").to_owned();
    json_in(records.path(), COMPARE, &["--depth", "1", "--table-mb", "1", "--json", "--out", &record]);
    // What is short work; of all others the help.
    let short = [SEARCH, COMPARE, SIMULATE, STUDY, PLAY, ENGINE, REPORT, EXPORT, COMPARE_RECORDS];
    let lines = LINES.iter().filter(|(binary, _)| short.contains(binary)).copied();
    let helps = LINES.iter().map(|(binary, _)| (*binary, "--help"));
    let others = [(POSITIONS, "--game pig --count 30")];
    for (binary, line) in lines.chain(helps).chain(others) {
        let scratch = Scratch::new();
        let line = line.replace("RECORD", &record);
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = binary.command();
        command.args(line.split(' ')).current_dir(scratch.path()).stdin(Stdio::piped());
        let mut child = command.stdout(writer).stderr(Stdio::piped()).spawn().expect("it runs");
        // The engine answers what it is asked; others may have ended by now.
        let _ = child.stdin.take().expect("a pipe").write_all(b"game pig target=20\nnew\n");
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{binary} {line}: {:?}, {said}", output.status);
        let is_quiet = !["error", "panicked", "pipe"].iter().any(|word| said.to_lowercase().contains(word));
        assert!(is_quiet, "{binary} {line}: {said}");
    }
}

#[test]
fn what_cannot_be_printed_is_an_error() {
    let scratch = Scratch::new();
    for args in ["--depth 2 --table-mb 1", "--depth 2 --table-mb 1 --json", "--help"] {
        let full = format!("exec {SEARCH} {args} >/dev/full");
        let output =
            Command::new("sh").args(["-c", &full]).current_dir(scratch.path()).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1), "{args}: {output:?}");
    }
}
