//! Bad input through every binary: one line on standard error that names the thing, nothing on standard
//! output, exit code 2, no panic.

use crate::common::{
    CALIBRATE, COMPARE, PAPER_TABLES, POSITIONS, Program, RUN, SCALING, SEARCH, SIMULATE, STARSPLIT, Scratch,
    TRAIN, TUNING, run_in,
};
use std::fs;
use std::process::Output;

/// Checks the answer to bad input; `named` has to be in the line.
fn refuses(scratch: &Scratch, binary: Program, args: &[&str], named: &[&str]) {
    is_refusal(scratch, binary, args, named, run_in(scratch.path(), binary, args));
}

fn is_refusal(scratch: &Scratch, binary: Program, args: &[&str], named: &[&str], output: Output) {
    let complaint = String::from_utf8(output.stderr).expect("UTF-8");
    let what = format!("{binary} {args:?} said {complaint:?}");
    assert_eq!(output.status.code(), Some(2), "{what}");
    assert!(output.stdout.is_empty(), "{what}");
    assert!(complaint.starts_with("error: ") && complaint.ends_with('\n'), "{what}");
    assert_eq!(complaint.lines().count(), 1, "{what}");
    assert!(complaint.contains("expected"), "{what}");
    for name in named {
        assert!(complaint.contains(name), "{what}, without {name}");
    }
    assert!(!scratch.path().join("results").is_dir(), "{what}: and left a results folder");
}

/// What every binary has to refuse, if move orderings can be chosen.
fn refuses_common(binary: Program) {
    refuses(&Scratch::new(), binary, &["--ordering", "best"], &["ordering", "best"]);
    refuses_shared(binary);
}

/// What every binary has to refuse.
fn refuses_shared(binary: Program) {
    let scratch = Scratch::new();
    for depth in ["0", "-1", "1000000000", "x", ""] {
        refuses(&scratch, binary, &["--depth", depth], &["depth", depth]);
    }
    for megabytes in ["0", "-1", "1000000000", "99999999999999999999"] {
        refuses(&scratch, binary, &["--table-mb", megabytes], &["table-mb", megabytes]);
    }
    refuses(&scratch, binary, &["--seed", "-1"], &["seed", "-1"]);
    refuses(&scratch, binary, &["--evaluator", "oracle"], &["evaluator", "oracle"]);
    refuses(&scratch, binary, &["--no-such-flag"], &["--no-such-flag"]);
    refuses(
        &scratch,
        binary,
        &["--history=live"],
        &["option history: retired, revision 21018ab5 had it last"],
    );
    refuses(&scratch, binary, &["--depth"], &["--depth"]);
    refuses(&scratch, binary, &["stray"], &["stray"]);
    refuses(&scratch, binary, &["--depth", "3", "--depth", "5"], &["--depth"]);
    refuses_weights(&scratch, binary);
}

fn refuses_weights(scratch: &Scratch, binary: Program) {
    refuses(scratch, binary, &["--evaluator", "network:no/such/file"], &["weights file", "no/such/file"]);
    let whole = include_bytes!("../../games/weights/dice-5x5-4.safetensors");
    for (name, bytes) in [("empty", &[][..]), ("short", &whole[..whole.len() / 2]), ("noise", &[0xff; 4000])]
    {
        let file = scratch.file(name, bytes);
        refuses(scratch, binary, &["--evaluator", &format!("network:{file}")], &["weights file", name]);
    }
}

/// What the binaries that run through a suite have to refuse.
fn refuses_suites_and_folders(binary: Program) {
    let scratch = Scratch::new();
    refuses(&scratch, binary, &["--suite", "no/such/suite"], &["suite", "no/such/suite"]);
    let late = "rules size=3,run=3\n.../.../... x -\ndepth 3\n";
    let suites = [
        ("bad-depth", "rules size=5\ndepth 255\n", "line 2: depth 255: expected"),
        ("late-depth", late, "line 3: expected at most one line"),
        ("bad-rules", "rules size=9\n", "line 1: size \"9\""),
        ("bad-position", "rules size=5\n\n....x x -\n", "line 3: "),
        ("no-rules", "...../...../...../...../..... x -\n", "line 1: "),
        ("nothing", "rules size=5\n", "at least one position"),
    ];
    for (name, text, complaint) in suites {
        let file = scratch.file(name, text);
        refuses(&scratch, binary, &["--suite", &file], &[name, complaint]);
    }
    let binary_file = scratch.file("binary", [0xff, 0xfe, 0x00]);
    refuses(&scratch, binary, &["--suite", &binary_file], &["suite", "binary"]);
    let other_board = scratch.file("other-board", "rules size=3,run=3\n.../.../... x -\n");
    let network = ["--suite", &other_board, "--evaluator", "network"];
    refuses(&scratch, binary, &network, &["evaluator network"]);

    let small = ["--depth", "1", "--table-mb", "1"];
    let file = scratch.file("file", "");
    refuses(
        &scratch,
        binary,
        &[&small[..], &["--out", &format!("{file}/x")]].concat(),
        &["results folder", "file"],
    );
    let used = Scratch::new();
    let kept = used.file("samples.jsonl", "kept\n");
    let out = used.path().to_str().expect("text");
    refuses(&scratch, binary, &[&small[..], &["--out", out]].concat(), &["results folder", out]);
    assert_eq!(fs::read_to_string(kept).expect("samples"), "kept\n");
    scratch.file("results", "a file where the folder should be");
    refuses(&scratch, binary, &small, &["results folder", "results"]);
}

#[test]
fn search_refuses_bad_input() {
    refuses_common(SEARCH);
    let scratch = Scratch::new();
    let cases: [(&[&str], &[&str]); 25] = [
        (&["--game", "chess"], &["game", "chess"]),
        (&["--rules", "size=9"], &["rules", "size", "9"]),
        (&["--rules", "run=6"], &["rules", "run", "6"]),
        (&["--rules", "full-line=stop"], &["rules", "full-line", "stop"]),
        (&["--rules", "nonsense"], &["rules", "nonsense"]),
        (&["--position", "nonsense"], &["position", "nonsense"]),
        (&["--position", ""], &["position"]),
        (&["--position", "..../.... x -"], &["position", "..../...."]),
        (&["--position", "?..../...../...../...../..... x -"], &["position", "?"]),
        (&["--position", "xx.../...../...../...../..... x -"], &["position"]),
        (&["--position", "xxxx./ooo../...../...../..... o -"], &["position"]),
        (&["--position", "-x"], &["position", "-x"]),
        (&["--rules", "full-line=pass", "--depth", "full"], &["depth", "full", "pass"]),
        (&["--algorithm", "minimax"], &["algorithm", "minimax"]),
        (&["--table", "most"], &["table use", "most"]),
        (&["--table", "decision"], &["table use", "decision", "star2-tt"]),
        (&["--threads", "0"], &["threads", "0"]),
        (&["--method", "all"], &["method", "all", "chance-split"]),
        (&["--method", ""], &["method"]),
        (&["--nodes", "0"], &["nodes", "0"]),
        (&["--time-ms", "-5"], &["time-ms", "-5"]),
        (&["--simulate", "cheap"], &["costs", "cheap", "unit"]),
        (&["--simulate", "unit", "--threads", "2", "--method", "fork-join"], &["method", "fork-join"]),
        (&["--simulate", "unit", "--threads", "1025"], &["threads", "1025"]),
        (&["--trace-spans", "0"], &["trace-spans", "0"]),
    ];
    for (args, named) in cases {
        refuses(&scratch, SEARCH, args, named);
    }
    refuses(&scratch, SEARCH, &["--rules", "size=3", "--evaluator", "network"], &["evaluator network"]);
    // Such a search takes years: an answer at all means that nothing was searched before it.
    refuses_files_to_write(SEARCH, "--trace", &["--depth", "99", "--threads", "2"], "trace");
}

#[test]
fn compare_refuses_bad_input() {
    refuses_common(COMPARE);
    refuses_suites_and_folders(COMPARE);
    let scratch = Scratch::new();
    for threads in ["0", "1,0", "", "1,,2", "2,2", "-1", "100000", "x"] {
        refuses(&scratch, COMPARE, &["--threads", threads], &["threads"]);
    }
    refuses(&scratch, COMPARE, &["--repeat", "0"], &["repeat", "0"]);
    refuses(&scratch, COMPARE, &["--depth", "full"], &["depth", "full"]);
    refuses(&scratch, COMPARE, &["--method", "serial"], &["method", "serial", "chance-split"]);
    refuses(&scratch, COMPARE, &["--method", "both,abdada"], &["method", "both,abdada"]);
    refuses(&scratch, COMPARE, &["--game", "chess"], &["game chess"]);
}

#[test]
fn scaling_refuses_bad_input() {
    refuses_common(SCALING);
    refuses_suites_and_folders(SCALING);
    let scratch = Scratch::new();
    for threads in ["0", "1,0", "", "1,,2", "2,2", "-1", "100000", "x"] {
        refuses(&scratch, SCALING, &["--threads", threads], &["threads"]);
    }
    for (flag, name) in [("--repeat", "repeat"), ("--min-nodes", "min-nodes")] {
        for number in ["-1", "1.5", "x", "", "99999999999999999999"] {
            refuses(&scratch, SCALING, &[flag, number], &[name, number]);
        }
    }
    refuses(&scratch, SCALING, &["--repeat", "0"], &["repeat", "0"]);
    refuses(&scratch, SCALING, &["--method", "serial"], &["method", "serial"]);
    refuses(&scratch, SCALING, &["--method", "chance-split,chance-split"], &["method", "every item once"]);
    refuses(&scratch, SCALING, &["--method", ""], &["method"]);
    refuses(&scratch, SCALING, &["--methods", "all,both"], &["method", "all", "chance-split"]);
    refuses(&scratch, SCALING, &["--explain", "yes"], &["yes"]);
    refuses(&scratch, SCALING, &["--ordering", "paper,paper"], &["ordering", "paper,paper"]);
    refuses(&scratch, SCALING, &["--baselines", "best"], &["ordering", "best"]);
    refuses(&scratch, SCALING, &["--baselines", "paper,"], &["ordering"]);
    refuses(&scratch, SCALING, &["--depth", "full"], &["depth", "full"]);
}

#[test]
fn simulate_refuses_bad_input() {
    refuses_common(SIMULATE);
    refuses_suites_and_folders(SIMULATE);
    let scratch = Scratch::new();
    for processors in ["0", "1,0", "", "1,,2", "2,2", "-1", "1025", "x"] {
        refuses(&scratch, SIMULATE, &["--processors", processors], &["processors"]);
    }
    for seeds in ["0", "", "1,", "1,1", "-1", "5-3", "x", "1000001", "1.5"] {
        refuses(&scratch, SIMULATE, &["--seeds", seeds], &["seeds"]);
    }
    for only in ["0", "", "51", "1,1", "-1", "x", "99999999999999999999", "6-1", "1-51", "1-6,6"] {
        for binary in [SIMULATE, COMPARE, SCALING] {
            refuses(&scratch, binary, &["--only", only], &["only"]);
        }
    }
    for jobs in ["0", "-1", "x", "", "100000"] {
        refuses(&scratch, SIMULATE, &["--jobs", jobs], &["jobs", jobs]);
    }
    refuses(&scratch, SIMULATE, &["--method", "fork-join"], &["method fork-join", "simulated"]);
    refuses(&scratch, SIMULATE, &["--methods", "both,fork-join"], &["method fork-join", "simulated"]);
    refuses(&scratch, SIMULATE, &["--method", "all,both"], &["method", "all", "chance-split"]);
    refuses(&scratch, SIMULATE, &["--ordering", "paper,paper"], &["ordering", "paper,paper"]);
    refuses(&scratch, SIMULATE, &["--baselines", "best"], &["ordering", "best"]);
    refuses(&scratch, SIMULATE, &["--min-nodes", "x"], &["min-nodes", "x"]);
    refuses(&scratch, SIMULATE, &["--resume"], &["--out"]);
    refuses(&scratch, SIMULATE, &["--threads", "2"], &["--threads"]);
    for cost in ["", "steal", "steal=", "steal=-1", "steel=1", "node=0", "table=1.5", "poll=4294967296"] {
        refuses(&scratch, SIMULATE, &["--cost", cost], &[cost.split('=').next().unwrap_or_default()]);
    }
    refuses(&scratch, SIMULATE, &["--cost", "steal=1", "--cost", "steal=2"], &["cost steal"]);
    for costs in ["", "no/such/file", "unit,", "unit,unit"] {
        refuses(&scratch, SIMULATE, &["--costs", costs], &["costs"]);
    }
    let six = r#""evaluation": 1, "table": 1, "poll": 1, "split": 1, "steal": 1, "failed_steal": 1"#;
    let files = [
        ("empty", String::new()),
        ("short", "{\"node\": 1".to_owned()),
        ("missing", format!("{{{six}}}")),
        ("negative", format!("{{\"node\": -1, {six}}}")),
        ("fraction", format!("{{\"node\": 1.5, {six}}}")),
        ("large", format!("{{\"node\": 4294967296, {six}}}")),
        ("zero", format!("{{\"node\": 0, {six}}}")),
        ("list", "[1, 2]".to_owned()),
    ];
    for (name, text) in files {
        let file = scratch.file(name, text);
        refuses(&scratch, SIMULATE, &["--costs", &file], &["costs", name]);
    }
    let same = scratch.file(
        "unit",
        r#"{"node": 1, "evaluation": 2, "table": 0, "poll": 0, "split": 2,
        "steal": 20, "failed_steal": 10}"#,
    );
    refuses(&scratch, SIMULATE, &["--costs", &format!("unit,{same}")], &["costs", "those of unit"]);
}

#[test]
fn what_is_retired_is_told_with_the_revision_that_had_it_last() {
    let scratch = Scratch::new();
    let last = "retired, revision 7a4c2bf0 had it last; expected";
    refuses(&scratch, SIMULATE, &["--depth", "1", "--against", "real"], &["--against: ", last]);
    refuses(&scratch, SIMULATE, &["--against=real"], &["--against: ", last]);
    refuses(&scratch, STARSPLIT, &["devices"], &["command devices: ", last]);
    refuses(&scratch, STARSPLIT, &["records", "merge"], &["command records: ", last]);
    refuses(&scratch, RUN, &["quick", "--shard", "1/2"], &["--shard: ", last]);
    refuses(&scratch, SCALING, &["--by-position"], &["--by-position: retired, revision 83c4913b"]);
    refuses(&scratch, RUN, &["devices"], &["spec devices: ", last]);
}

#[test]
fn calibrate_refuses_bad_input() {
    refuses_shared(CALIBRATE);
    refuses_suites_and_folders(CALIBRATE);
    let scratch = Scratch::new();
    for (flag, name) in [("--repeat", "repeat"), ("--positions", "positions")] {
        for number in ["0", "-1", "1.5", "x", "", "99999999999999999999"] {
            refuses(&scratch, CALIBRATE, &[flag, number], &[name, number]);
        }
    }
    for flag in ["--ordering", "--method", "--threads", "--costs"] {
        refuses(&scratch, CALIBRATE, &[flag, "x"], &[flag]);
    }
}

#[test]
fn paper_tables_refuses_bad_input() {
    refuses_common(PAPER_TABLES);
    refuses_suites_and_folders(PAPER_TABLES);
    let scratch = Scratch::new();
    refuses(&scratch, PAPER_TABLES, &["--algorithm", "star2,minimax"], &["algorithm", "minimax"]);
    refuses(&scratch, PAPER_TABLES, &["--algorithms", "star2,star2"], &["algorithm", "star2,star2"]);
    refuses(&scratch, PAPER_TABLES, &["--ordering", "paper,"], &["ordering"]);
    refuses(&scratch, PAPER_TABLES, &["--threads", "2"], &["--threads"]);
    refuses(&scratch, PAPER_TABLES, &["--method", "both"], &["--method"]);
}

#[test]
fn tuning_refuses_bad_input() {
    refuses_shared(TUNING);
    refuses_suites_and_folders(TUNING);
    let scratch = Scratch::new();
    refuses(&scratch, TUNING, &["--seconds", "0"], &["seconds", "0"]);
    refuses(&scratch, TUNING, &["--threads", "1,1"], &["threads", "1,1"]);
    for choice in ["", "table-depth=1|", "speed=9", "table-depth=0", "threads=2", "table-depth"] {
        refuses(&scratch, TUNING, &["--vary", choice], &["choice", choice]);
    }
    let twice = "table-depth=1,table-depth=2";
    refuses(&scratch, TUNING, &["--vary", twice], &["table-depth"]);
    let one = scratch.file("one.txt", "game pig\nrules target=100,die=6\n0 0 0 x roll\n");
    refuses(&scratch, TUNING, &["--suite", &one], &["suite", "two positions"]);
}

/// What the binaries that write one file have to refuse in `flag`, and leave nothing behind.
fn refuses_files_to_write(binary: Program, flag: &str, more: &[&str], thing: &str) {
    let scratch = Scratch::new();
    let below_a_file = format!("{}/x", scratch.file("file", "kept"));
    fs::create_dir(scratch.path().join("folder")).expect("a folder");
    for path in ["no/such/folder/x", &below_a_file, "folder", ".."] {
        refuses(&scratch, binary, &[more, &[flag, path]].concat(), &[thing, path]);
    }
    let left = fs::read_dir(scratch.path()).expect("the folder").count();
    assert_eq!(left, 2, "{binary} {flag} left something beside the file and the folder");
}

#[test]
fn train_refuses_bad_input() {
    // So many games take days: an answer at all means that nothing was trained before it.
    let long = ["--games", "1000000000"];
    refuses_files_to_write(TRAIN, "--out", &long, "--out");
    refuses_files_to_write(TRAIN, "--checkpoint", &long, "--checkpoint");
    let scratch = Scratch::new();
    for flag in ["--games", "--every"] {
        for number in ["0", "-1", "1.5", "x", "", "99999999999999999999"] {
            refuses(&scratch, TRAIN, &[flag, number], &[flag, number]);
        }
    }
    for seed in ["-1", "1.5", "x", "99999999999999999999"] {
        refuses(&scratch, TRAIN, &["--seed", seed], &["--seed", seed]);
    }
    for flag in ["--matches", "--held-out", "--judge-seed", "--opponent"] {
        refuses(&scratch, TRAIN, &[flag, "1"], &[flag, "retired", "7a4c2bf0"]);
    }
    for flag in ["--lambda", "--rate", "--explore", "--slips"] {
        for number in ["-0.5", "-1", "1.01", "inf", "NaN", "x", ""] {
            refuses(&scratch, TRAIN, &[flag, number], &[flag, number]);
        }
    }
    refuses(&scratch, TRAIN, &["--rate", "0"], &["--rate", "0"]);
    refuses(&scratch, TRAIN, &["--rules", "size=9"], &["--rules", "size", "9"]);
    refuses(&scratch, TRAIN, &["--no-such-flag"], &["--no-such-flag"]);
    refuses(&scratch, TRAIN, &["stray"], &["stray"]);
}

#[test]
fn positions_refuses_bad_input() {
    refuses_files_to_write(POSITIONS, "--out", &[], "--out");
    let scratch = Scratch::new();
    for seed in ["-1", "1.5", "x", "", "99999999999999999999"] {
        refuses(&scratch, POSITIONS, &["--seed", seed, "--out", "suite"], &["--seed", seed]);
    }
    refuses(&scratch, POSITIONS, &["--no-such-flag"], &["--no-such-flag"]);
    assert!(!scratch.path().join("suite").exists());
}

/// Files that are none to be read.
#[cfg(unix)]
mod unreadable {
    use super::*;
    use crate::common::{COMPARE_RECORDS, EXPORT, REPORT, RUN, watched_in};
    use starsplit_experiments::cli::files::{SAMPLES, TEXT, WEIGHTS};
    use starsplit_experiments::records::archive::{self, ARCHIVE};
    use std::os::unix::fs::symlink;
    use std::path::Path;
    use std::process::Command;

    fn refuses(scratch: &Scratch, binary: Program, args: &[&str], named: &[&str]) {
        is_refusal(scratch, binary, args, named, watched_in(scratch.path(), binary, args));
    }

    fn fifo(path: &Path) {
        assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
    }

    /// Calls `refused` with what the complaint has to say, each time after something else has been put at
    /// `path`.
    fn with_each(path: &Path, limit: u64, refused: impl Fn(&str)) {
        symlink("/dev/zero", path).expect("a link");
        refused("a device, not a regular file");
        fs::remove_file(path).expect("the link");
        fifo(path);
        refused("a FIFO, not a regular file");
        fs::remove_file(path).expect("the FIFO");
        fs::create_dir(path).expect("a folder");
        refused("a folder, not a regular file");
        fs::remove_dir(path).expect("the folder");
        fs::File::create(path).and_then(|file| file.set_len(limit + 1)).expect("a sparse file");
        refused(&format!("more than {} MiB", limit >> 20));
        fs::remove_file(path).expect("the file");
    }

    /// What a binary says to each of them; `args` makes arguments of its path.
    fn refuses_each(binary: Program, limit: u64, args: impl Fn(&str) -> Vec<String>) {
        let scratch = Scratch::new();
        let args = args("given");
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        with_each(&scratch.path().join("given"), limit, |words| {
            refuses(&scratch, binary, &args, &["given", words]);
        });
    }

    #[test]
    fn devices_fifos_folders_and_endless_files_are_refused_wherever_a_file_is_read() {
        let flag = |flag: &'static str| move |path: &str| vec![flag.to_owned(), path.to_owned()];
        let weights = |path: &str| vec!["--evaluator".to_owned(), format!("network:{path}")];
        refuses_each(RUN, TEXT, |path| vec![path.to_owned()]);
        for binary in [COMPARE, SCALING, SIMULATE, PAPER_TABLES, CALIBRATE] {
            refuses_each(binary, TEXT, flag("--suite"));
            refuses_each(binary, WEIGHTS, weights);
        }
        refuses_each(SEARCH, WEIGHTS, weights);
        refuses_each(SIMULATE, TEXT, flag("--costs"));
        refuses_each(SEARCH, TEXT, flag("--simulate"));
    }

    #[test]
    fn a_spec_that_names_such_a_file_is_refused() {
        let scratch = Scratch::new();
        let spec = |key: &str| {
            let run = "[[runs]]\nname = \"a\"\nexperiment = \"simulate\"\n";
            scratch.file("spec.toml", format!("question = \"?\"\nreading = \"\"\n{run}{key}\n"))
        };
        let given = scratch.path().join("given");
        for (key, limit) in [
            ("suite = \"given\"", TEXT),
            ("costs = \"given\"", TEXT),
            ("evaluator = \"network:given\"", WEIGHTS),
        ] {
            let spec = spec(key);
            with_each(&given, limit, |words| refuses(&scratch, RUN, &[&spec], &["run a", "given", words]));
        }
    }

    #[test]
    fn a_checkpoint_has_to_be_one_that_was_saved() {
        let scratch = Scratch::new();
        let args = ["--games", "1000000000", "--checkpoint", "given"];
        with_each(&scratch.path().join("given"), WEIGHTS, |words| {
            refuses(&scratch, TRAIN, &args, &["checkpoint", "given", words]);
        });
    }

    #[test]
    fn such_files_in_a_folder_of_records_are_refused_by_whoever_reads_it() {
        let own = ["--depth", "1", "--table-mb", "1", "--processors", "2"];
        for (name, limit) in [("samples.jsonl", SAMPLES), ("meta.json", TEXT), (ARCHIVE, archive::MOST)] {
            let scratch = Scratch::new();
            let folder = scratch.path().join("given");
            fs::create_dir(&folder).expect("a folder");
            if name == "meta.json" {
                fs::write(folder.join("samples.jsonl"), "{}\n").expect("samples");
            }
            with_each(&folder.join(name), limit, |words| {
                let named = ["given", name, words];
                refuses(&scratch, REPORT, &["given"], &named);
                refuses(&scratch, REPORT, &["given", "--page", "page.html"], &named);
                refuses(&scratch, EXPORT, &["given"], &named);
                refuses(&scratch, COMPARE_RECORDS, &["given", "given"], &named);
                refuses(&scratch, SIMULATE, &[&own[..], &["--out", "given", "--resume"]].concat(), &named);
            });
        }
    }

    #[test]
    fn nothing_but_a_file_is_written_to() {
        let scratch = Scratch::new();
        fs::create_dir(scratch.path().join("given")).expect("a folder");
        let samples = scratch.path().join("given/samples.jsonl");
        fifo(&samples);
        let small = ["--depth", "1", "--table-mb", "1", "--out", "given"];
        refuses(&scratch, COMPARE, &small, &["results folder", "given", "a FIFO"]);
        fs::remove_file(samples).expect("the FIFO");
        fifo(&scratch.path().join("given/spec.toml"));
        for more in [&[][..], &["--resume"]] {
            let args = [&["quick", "--out", "given"], more].concat();
            refuses(&scratch, RUN, &args, &["results folder given", "spec.toml", "a FIFO"]);
        }
        fifo(&scratch.path().join("fifo"));
        refuses(&scratch, POSITIONS, &["--out", "fifo"], &["--out fifo", "a FIFO"]);
        refuses(&scratch, TRAIN, &["--out", "fifo"], &["--out fifo", "a FIFO"]);
        refuses(&scratch, SEARCH, &["--threads", "2", "--trace", "fifo"], &["trace fifo", "a FIFO"]);
    }
}
