//! The files of tables of the command `search`, and what a game's next move saves by one.

use crate::common::{SEARCH, Scratch, interrupt, json_in, run_in};
use serde_json::Value;
use starsplit::game::NodeKind;
use starsplit::search::{Limits, Options};
use starsplit::table::Reuse;
use starsplit_experiments::question::door::{Door, Entry};
use starsplit_experiments::question::doors;
use starsplit_saved::{SavedTable, TableNames, is_saved, save};
use starsplit_tables::AnyTable;
use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A position in the middle of a game of Dice.
const MIDDLE: &str = "x..../..x../..o../...../o.... x r1";

fn search(scratch: &Scratch, args: &[&str]) -> Value {
    let usual = ["--json", "--table-mb", "2", "--position", MIDDLE, "--depth", "8"];
    json_in(scratch.path(), SEARCH, &[&usual, args].concat())
}

fn path(scratch: &Scratch, name: &str) -> String {
    scratch.path().join(name).into_os_string().into_string().expect("text")
}

/// Checks a complaint of one line.
fn refuses(scratch: &Scratch, args: &[&str], told: &str) {
    let output = run_in(scratch.path(), SEARCH, args);
    let complaint = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args:?}: {complaint}");
    assert!(complaint.starts_with("error: ") && complaint.lines().count() == 1, "{args:?}: {complaint}");
    assert!(
        complaint.contains("expected") && complaint.contains(told),
        "{args:?}: {complaint} without {told}"
    );
}

#[test]
fn a_search_goes_on_with_the_table_of_another() {
    let scratch = Scratch::new();
    let file = path(&scratch, "dice.table");
    let alone = search(&scratch, &["--table", "all"]);
    let first = search(&scratch, &["--save-table", &file]);
    let saved = &first["table_file"];
    assert_eq!(
        (&saved["saved"]["file"], &saved["loaded"], &saved["mapped"]),
        (&file.as_str().into(), &Value::Null, &Value::Null)
    );
    assert_eq!(saved["saved"]["bytes"].as_u64(), fs::metadata(&file).ok().map(|found| found.len()));
    // The size of the file counts.
    let args = ["--json", "--table-mb", "1", "--position", MIDDLE, "--depth", "8"];
    let args = [&args[..], &["--load-table", &file, "--save-table", &file]].concat();
    let again = json_in(scratch.path(), SEARCH, &args);
    let loaded = &again["table_file"]["loaded"];
    assert_eq!((loaded["blocks"].as_u64(), loaded["damaged"].as_u64()), (Some(32), Some(0)));
    assert_eq!((&loaded["checked"], again["table"]["mb"].as_u64()), (&true.into(), Some(2)));
    for found in [&first, &again] {
        assert_eq!(found["score"], alone["score"]);
    }
    assert!(again["nodes"].as_u64() < first["nodes"].as_u64(), "{again}");
    let output =
        run_in(scratch.path(), SEARCH, &["--position", MIDDLE, "--depth", "4", "--load-table", &file]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.contains("table loaded") && text.contains("(32 blocks, all sound)"), "{text}");
}

#[test]
fn damage_is_told_and_changes_no_value() {
    let scratch = Scratch::new();
    let file = path(&scratch, "dice.table");
    let first = search(&scratch, &["--save-table", &file]);
    let mut bytes = fs::read(&file).unwrap();
    for block in [3, 17] {
        bytes[(16 << 10) + block * (64 << 10) + 77] ^= 0x10;
    }
    fs::write(&file, &bytes).unwrap();
    let again = search(&scratch, &["--load-table", &file]);
    assert_eq!(
        (again["table_file"]["loaded"]["damaged"].as_u64(), &again["score"]),
        (Some(2), &first["score"])
    );
    for length in [0, 7, 100, 16 << 10, bytes.len() - 1] {
        fs::write(&file, &bytes[..length]).unwrap();
        refuses(&scratch, &["--position", MIDDLE, "--load-table", &file], "dice.table: expected");
    }
}

#[test]
fn tables_of_other_searches_are_refused() {
    let scratch = Scratch::new();
    let file = path(&scratch, "dice.table");
    search(&scratch, &["--save-table", &file]);
    for flag in ["--load-table", "--map-table"] {
        let cases = [
            (&["--game", "pig"][..], "expected game pig, found dice"),
            (&["--rules", "size=4"], "expected rules size=4"),
            (&["--evaluator", "runs"], "expected evaluator runs, found"),
            (&["--seed", "7", "--evaluator", "hash-random"], "expected evaluator hash-random"),
            (&["--table", "none", "--algorithm", "star2"], "not --table none"),
        ];
        for (args, told) in cases {
            refuses(&scratch, &[&[flag, &file], args].concat(), told);
        }
    }
    let random = path(&scratch, "random.table");
    search(&scratch, &["--evaluator", "hash-random", "--save-table", &random]);
    let args = ["--evaluator", "hash-random", "--seed", "2", "--load-table", &random];
    refuses(&scratch, &args, "expected number of the evaluator 0x");
    let (text, folder) = (scratch.file("text", "kept"), path(&scratch, "folder"));
    fs::create_dir(&folder).unwrap();
    for flag in ["--load-table", "--map-table", "--save-table"] {
        for other in [&text, &folder, "no/such/folder/x"] {
            refuses(&scratch, &["--depth", "99", flag, other], other);
        }
    }
    assert_eq!(fs::read(&text).unwrap(), b"kept");
    refuses(&scratch, &["--load-table", &file, "--map-table", &file], "--map-table");
    refuses(&scratch, &["--map-table", &file, "--save-table", &file], "expected another file");
}

#[test]
fn two_processes_on_one_mapped_file_find_one_value() {
    let scratch = Scratch::new();
    let without = search(&scratch, &["--algorithm", "star2", "--table", "none"])["score"].clone();
    let file = path(&scratch, "shared.table");
    for round in 0..3 {
        let start = || {
            SEARCH
                .command()
                .args(["--json", "--table-mb", "2", "--position", MIDDLE, "--depth", "8", "--table", "all"])
                .args(["--threads", "2", "--map-table", &file])
                .stdout(Stdio::piped())
                .spawn()
                .expect("the binary runs")
        };
        let children = [start(), start()];
        for child in children {
            let output = child.wait_with_output().expect("the binary ends");
            let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
            assert_eq!(found["score"], without, "round {round}: {found}");
            assert_eq!(found["table_file"]["mapped"]["damaged"], 0, "{found}");
        }
    }
    // Whoever was last has closed it.
    let found = search(&scratch, &["--table", "all", "--map-table", &file]);
    assert_eq!(found["table_file"]["mapped"]["checked"], true, "{found}");
    let alone = search(&scratch, &["--table", "all"]);
    assert_eq!(found["score"], without);
    assert!(found["nodes"].as_u64() < alone["nodes"].as_u64(), "{found}");
    // What is mapped can be loaded, or saved elsewhere.
    let copy = path(&scratch, "copy.table");
    let found = search(&scratch, &["--table", "all", "--map-table", &file, "--save-table", &copy]);
    assert_eq!(found["score"], without);
    assert!(fs::read(&copy).unwrap().len() == fs::read(&file).unwrap().len());
}

#[cfg(unix)]
#[test]
fn a_killed_search_leaves_a_mapped_table_that_is_used_again() {
    let scratch = Scratch::new();
    let file = path(&scratch, "shared.table");
    let expected = search(&scratch, &[])["score"].clone();
    let mut child = SEARCH
        .command()
        .args(["--table-mb", "2", "--position", MIDDLE, "--depth", "40", "--map-table", &file])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary runs");
    while !is_saved(&file) {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    child.kill().expect("it is killed");
    child.wait().expect("it ends");
    let found = search(&scratch, &["--map-table", &file]);
    assert_eq!(
        (&found["score"], &found["table_file"]["mapped"]["checked"]),
        (&expected, &false.into()),
        "{found}"
    );
    let found = search(&scratch, &["--map-table", &file]);
    assert_eq!(
        (&found["score"], &found["table_file"]["mapped"]["checked"]),
        (&expected, &true.into()),
        "{found}"
    );
}

#[cfg(unix)]
#[test]
fn a_search_that_is_interrupted_saves_what_it_has() {
    let scratch = Scratch::new();
    let file = path(&scratch, "dice.table");
    let child = SEARCH
        .command()
        .args(["--json", "--table-mb", "64", "--position", MIDDLE, "--depth", "60", "--save-table", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    // Long enough for the handler of Ctrl-C to be there.
    std::thread::sleep(Duration::from_millis(1500));
    let output = interrupt(child);
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        (&found["stopped"], &found["table_file"]["saved"]["file"]),
        (&"interrupt".into(), &file.as_str().into())
    );
    let depth = found["depth"].to_string();
    let args = ["--json", "--position", MIDDLE, "--depth", &depth];
    let again = json_in(scratch.path(), SEARCH, &[&args[..], &["--load-table", &file]].concat());
    assert_eq!(again["score"], found["score"]);
    assert!(again["nodes"].as_u64() < found["nodes"].as_u64(), "{again}");
}

#[cfg(unix)]
#[test]
fn what_goes_wrong_while_a_table_is_saved_leaves_the_old_one() {
    let scratch = Scratch::new();
    let file = path(&scratch, "dice.table");
    search(&scratch, &["--save-table", &file]);
    let old = fs::read(&file).unwrap();
    // No file may be longer than half a MiB: an error, whether who started it ignored the signal or not.
    for trap in ["trap '' XFSZ; ", ""] {
        let script =
            format!("{trap}ulimit -f 1000; exec {SEARCH} --depth 5 --table-mb 4 --save-table \"$0\"");
        let output = Command::new("sh").args(["-c", &script, &file]).output().expect("sh runs");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(complaint.contains("dice.table: expected a file that can be written"), "{complaint}");
        assert_eq!(complaint.matches("os error").count(), 1, "the reason is told once: {complaint}");
        assert!(fs::read(&file).unwrap() == old);
    }
    let names = || fs::read_dir(scratch.path()).unwrap().count();
    assert_eq!(names(), 1, "what could not be written whole is gone");
    fs::write(scratch.path().join(".dice.table.starsplit-1-0.part"), "part").expect("a file");
    search(&scratch, &["--save-table", &file]);
    assert_eq!(names(), 1);
}

/// A game that is searched move by move, each to the same depth.
struct Played {
    door: std::sync::Arc<dyn Door>,
    depth: u32,
    folder: Scratch,
}

/// How many nodes the searches of a game took.
#[derive(Debug, Default)]
struct Nodes {
    /// How many were searched with either.
    moves: u64,
    /// With an empty table each.
    empty: u64,
    /// With the table that the one before has saved.
    loaded: u64,
}

impl Played {
    /// Searches the positions of so many turns; the first is in no sum. Every so-many-th turn is searched, as
    /// when both players are one program, or one of two.
    fn nodes(&self, turns: usize, step: usize) -> Nodes {
        let door = &*self.door;
        let (evaluator, file) = (door.default_evaluator(), self.folder.path().join("game.table"));
        let maker = door.evaluator(evaluator, 1).expect("its evaluator");
        let (game, rules) = (door.game().to_owned(), door.rules());
        let names = TableNames { game, rules, evaluator: evaluator.to_owned() };
        let identity = maker.table_identity(names, Reuse::Exact);
        let search = |table: &AnyTable, position: &Entry| {
            let searcher = maker.searcher(table, Options::default(), None);
            let found =
                searcher.search(position, &Limits::depth(self.depth), &mut |_| {}).expect("an answer");
            (found.answer.stats.nodes.total(), found.answer.score(), found.answer.best_move)
        };
        let mut nodes = Nodes::default();
        let mut position = self.decision(door.initial(), 0).expect("a game that begins");
        for turn in 0..turns {
            let empty = AnyTable::of_mib(16).expect("a small table");
            let (of_empty, score, best_move) = search(&empty, &position);
            if turn % step == 0 {
                let table = match turn {
                    0 => empty,
                    _ => SavedTable::load(&file, &identity).expect("it is loaded").0.into(),
                };
                if turn > 0 {
                    let (of_loaded, score_again, _) = search(&table, &position);
                    assert_eq!(score_again, score, "{} at {}", door.game(), position.text);
                    nodes.moves += 1;
                    nodes.empty += of_empty;
                    nodes.loaded += of_loaded;
                }
                let table = table.as_lockless().expect("the library's own");
                save(table, &file, &identity).expect("it is saved");
            }
            let play = door.play().expect("a game that is played");
            let best_move = best_move.expect("a move");
            let after = play.move_by_text(&position, &best_move).expect("a legal move").after;
            let Some(next) = self.decision(after, turn + 1) else { break };
            position = next;
        }
        nodes
    }

    /// The decision that comes after `position`, unless the game is over; what is rolled follows from the
    /// turn.
    fn decision(&self, mut position: Entry, turn: usize) -> Option<Entry> {
        let play = self.door.play().expect("a game that is played");
        while play.kind(&position).expect("a position") == NodeKind::Chance {
            let outcomes = play.outcomes(&position).expect("outcomes").len();
            position = play.resolve(&position, (7 * turn + 3) % outcomes).expect("an outcome").after;
        }
        (play.kind(&position).expect("a position") == NodeKind::Decision).then_some(position)
    }
}

#[test]
fn the_next_moves_take_fewer_nodes_with_the_saved_table() {
    // Of what is searched two plies later the table holds what has depth 2 left, which in backgammon is none
    // of the nodes that look anything up.
    let games = [
        ("dice", 8, true),
        ("backgammon", 4, false),
        ("2048", 6, true),
        ("einstein", 6, true),
        ("abalone", 4, true),
        ("pig", 12, true),
    ];
    for (game, depth, saves) in games {
        let door =
            doors::games().open(doors::games().named(game).expect("its name"), None).expect("its rules");
        let played = Played { door, depth, folder: Scratch::new() };
        for (who, step) in [("each", 1), ("own", 2)] {
            let Nodes { moves, empty, loaded } = played.nodes(9, step);
            let saved = 100.0 * (1.0 - loaded as f64 / empty as f64);
            println!(
                "{game:<11} depth {depth:>2} {who:<4} {moves} moves {empty:>9} {loaded:>9} {saved:>5.1}%"
            );
            assert!(loaded <= empty, "{game}, {who}: {loaded} nodes with the saved table, {empty} without");
            assert!(loaded < empty || !saves || who == "own", "{game}: nothing is saved");
        }
    }
}
