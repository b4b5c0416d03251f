//! Trees of searches as files: what is in them, what is refused, and the page in a browser.

use crate::browser::Browser;
use crate::common::{SEARCH, Scratch, json_in, run_in};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const DICE: [&str; 4] = ["--position", "x.o../..x../.oo../.x..o/...x. x r3", "--table-mb", "1"];

fn search(scratch: &Scratch, args: &[&str]) -> Value {
    json_in(scratch.path(), SEARCH, &[&DICE[..], &["--json"], args].concat())
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_tree_has_the_search_in_its_first_line_and_a_node_in_each_other() {
    let scratch = Scratch::new();
    let found = search(&scratch, &["--depth", "6", "--tree", "tree.jsonl"]);
    let lines = lines(&scratch.path().join("tree.jsonl"));
    let (header, nodes) = lines.split_first().unwrap();
    assert_eq!(
        found["tree"],
        json!({
            "file": "tree.jsonl", "nodes": nodes.len(), "left_out": 0, "deepest_ply": header["deepest_ply"],
        })
    );
    for (name, value) in [("game", "dice"), ("algorithm", "star2-tt"), ("position", DICE[1])] {
        assert_eq!(header[name], value);
    }
    assert_eq!((&header["value"], &header["depth"]), (&found["value"], &json!(6)));
    let root = &nodes[0];
    assert_eq!(
        (&root["parent"], &root["step"], &root["kind"]),
        (&Value::Null, &Value::Null, &json!("decision"))
    );
    assert_eq!(root["bounds"], json!([found["lower"], found["upper"]]));
    for (place, node) in nodes.iter().enumerate().skip(1) {
        let parent = node["parent"].as_u64().unwrap() as usize;
        assert!(parent < place && node["step"].is_string(), "{node}");
        assert_eq!(node["weight"].is_u64(), nodes[parent]["kind"] == "chance", "{node}");
    }
    let ends: BTreeSet<_> = nodes.iter().map(|node| node["end"].as_str().unwrap()).collect();
    assert!(ends.contains("beta") && ends.contains("alpha"), "{ends:?}");
}

#[test]
fn of_a_large_tree_the_top_is_kept_and_the_answer_says_so() {
    let scratch = Scratch::new();
    let found = search(&scratch, &["--depth", "8", "--tree", "tree.html", "--tree-nodes", "500"]);
    let (nodes, left_out) =
        (found["tree"]["nodes"].as_u64().unwrap(), found["tree"]["left_out"].as_u64().unwrap());
    assert!(nodes <= 500 && left_out > 500, "{}", found["tree"]);
    let text = run_in(
        scratch.path(),
        SEARCH,
        &[&DICE[..], &["--depth", "8", "--tree", "tree.html", "--tree-nodes", "500"]].concat(),
    );
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("left out"), "{text}");
}

#[test]
fn what_is_no_place_for_a_tree_is_refused_and_stays() {
    let scratch = Scratch::new();
    let refused = |args: &[&str], expected: &str| {
        let output = run_in(scratch.path(), SEARCH, &[&DICE[..], &["--depth", "3"], args].concat());
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.code() == Some(2) && complaint.contains(expected) && complaint.lines().count() == 1,
            "{complaint}"
        );
    };
    fs::write(scratch.path().join("letter.html"), "dear all").unwrap();
    fs::write(scratch.path().join("broken.jsonl"), "{\"starsplit_tree\":1,\"game\":7}\n").unwrap();
    refused(&["--tree", "tree.txt"], "tree tree.txt: expected a name that ends in .html or .jsonl");
    refused(
        &["--tree", "letter.html"],
        "tree letter.html: expected none, or one that search --tree has made",
    );
    refused(&["--tree", "none/tree.html"], "tree none/tree.html: expected");
    refused(&["--tree", "tree.html", "--tree-beside", "letter.html"], "line 1: expected a tree");
    refused(&["--tree", "tree.html", "--tree-beside", "broken.jsonl"], "tree-beside broken.jsonl: line 1");
    refused(&["--tree", "tree.jsonl", "--tree-beside", "broken.jsonl"], "ends in .html with --tree-beside");
    refused(&["--tree", "tree.html", "--tree-nodes", "0"], "tree-nodes 0: expected");
    assert_eq!(fs::read_to_string(scratch.path().join("letter.html")).unwrap(), "dear all");
    assert!(!scratch.path().join("tree.html").exists() && !scratch.path().join("tree.jsonl").exists());
}

/// Two searches of one position, the one on two virtual processors, in a browser.
#[test]
#[ignore = "needs Chromium and its driver"]
fn the_page_shows_two_searches_and_steps_through_them() {
    let scratch = Scratch::new();
    search(&scratch, &["--depth", "6", "--algorithm", "star1", "--tree", "star1.jsonl"]);
    // Texts of a tree are shown, and do nothing else.
    let path = scratch.path().join("star1.jsonl");
    let hostile = fs::read_to_string(&path)
        .unwrap()
        .replace("\"game\":\"dice\"", "\"game\":\"</script><img src=x onerror='document.title=1'>\"");
    fs::write(&path, hostile).unwrap();
    let two = ["--threads", "2", "--simulate", "unit", "--tree", "both.html", "--tree-beside", "star1.jsonl"];
    let found = search(&scratch, &[&["--depth", "6"], &two[..]].concat());
    let browser = Browser::start(scratch.path());
    let page = format!("file://{}", scratch.path().join("both.html").display());
    browser.open(&page);
    let script = |text: &str| browser.script(text);
    assert_eq!(script("return document.title"), "A search as a tree");
    assert_eq!(script("return document.querySelectorAll('section').length"), 2);
    assert_eq!(script("return document.querySelectorAll('img').length"), 0);
    assert!(browser.text("section:last-of-type h2").contains("<img src=x"));
    assert_eq!(script("return trees[0].nodes.length"), found["tree"]["nodes"]);
    assert_eq!(script("return trees[0].workers"), json!([0, 1]));
    // Every node begins before it ends, within its parent where one worker has both.
    let nested = "return trees.every(({ nodes, begins, ends }) => nodes.every(({ parent, worker }, n) => \
        begins[n] < ends[n] && (parent === null || nodes[parent].worker !== worker || \
        begins[parent] < begins[n] && ends[n] < ends[parent])))";
    assert_eq!(script(nested), true);
    // Step by step, of one worker alone, and by keys.
    script("trees[0].go(0)");
    script("trees[0].step(1)");
    assert!(browser.text("section output").contains("enters the root"), "{}", browser.text("section output"));
    browser.click("section input[type=checkbox]");
    script("trees[0].step(1)");
    assert_eq!(script("return trees[0].nodes[trees[0].selected].worker"), 1);
    assert_eq!(
        script("trees[0].choose(0); trees[0].focusRow(); return document.activeElement.dataset.node"),
        "0"
    );
    browser.keys(":focus", "\u{e015}");
    assert_eq!(script("return trees[0].nodes[trees[0].selected].parent"), 0);
    browser.keys(":focus", "\u{e012}");
    browser.keys(":focus", "\u{e012}");
    assert_eq!(script("return trees[0].selected"), 0);
    for width in [380, 1300] {
        let metrics = json!({"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false});
        browser.command("Emulation.setDeviceMetricsOverride", &metrics);
        browser.open(&page);
        assert_eq!(script("return document.documentElement.scrollWidth <= innerWidth"), true, "{width}");
    }
    assert!(browser.log("browser").is_empty());
}

/// Set to anything, it has the pages written anew.
const WRITE: &str = "STARSPLIT_WRITE_TREES";

#[test]
fn the_trees_that_documents_show_are_those_of_today() {
    let scratch = Scratch::new();
    let virtually = ["--simulate", "unit", "--leaf-collapse", "off"];
    let of = |args: &[&str]| search(&scratch, &[&virtually[..], args].concat());
    of(&["--depth", "4", "--algorithm", "star1", "--tree", "star1.jsonl"]);
    let beside = ["--tree", "star2.html", "--tree-beside", "star1.jsonl"];
    of(&[&["--depth", "4", "--algorithm", "star2"], &beside[..]].concat());
    let splits = ["--threads", "2", "--split-depth", "3", "--split-size", "0"];
    of(&[&["--depth", "5", "--tree", "split.html"], &splits[..]].concat());
    let documents = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/trees"));
    for name in ["star2.html", "split.html"] {
        let (made, kept) = (fs::read(scratch.path().join(name)).unwrap(), documents.join(name));
        if std::env::var_os(WRITE).is_some() {
            fs::create_dir_all(documents).unwrap();
            fs::write(&kept, &made).unwrap();
        }
        let is_same = fs::read(&kept).is_ok_and(|found| found == made);
        let how = format!("{WRITE}=1 cargo test -p starsplit-experiments --test all tree::");
        assert!(is_same, "docs/trees/{name} is another search's: make it anew: {how}");
    }
}

/// What `docs/lesson.md` says of its three positions: what rolling is worth, in which window holding is
/// asked, and that the last outcome is not looked at.
#[test]
fn the_lesson_says_what_is_found() {
    let scratch = Scratch::new();
    let game = ["--game", "pig", "--rules", "target=6,die=3", "--depth", "3", "--evaluator", "banked"];
    let plain = ["--table", "none", "--leaf-collapse", "off", "--json"];
    for (position, value) in [("2 3 2 x", 11.0 / 18.0), ("3 2 2 x", 13.0 / 18.0), ("3 3 0 x", 4.0 / 9.0)] {
        let search = |args: &[&str]| {
            let words = [&game[..], &plain[..], &["--position", position], args].concat();
            json_in(scratch.path(), SEARCH, &words)
        };
        let whole = search(&["--algorithm", "expectimax", "--tree", "all.jsonl"]);
        let star1 = ["--algorithm", "star1", "--static-bounds", "off", "--ordering", "paper"];
        search(&[&star1[..], &["--tree", "star1.html", "--tree-beside", "all.jsonl"]].concat());
        let found = search(&[&star1[..], &["--tree", "star1.jsonl"]].concat());
        assert!((found["value"].as_f64().unwrap() - value).abs() < 1e-6, "{position}: {found}");
        assert_eq!((&found["value"], &found["best_move"]), (&whole["value"], &json!("roll")));
        let lines = lines(&scratch.path().join("star1.jsonl"));
        let (header, nodes) = lines.split_first().unwrap();
        let below = |place: usize| nodes.iter().filter(move |node| node["parent"] == place);
        let hold = nodes.iter().position(|node| node["parent"] == 0 && node["step"] == "hold").unwrap();
        let beta = nodes[hold]["window"][1].as_f64().unwrap() / header["limit"].as_f64().unwrap();
        assert!((beta + value).abs() < 1e-6 && nodes[hold]["end"] == "beta", "{position}: {}", nodes[hold]);
        let die = nodes.iter().position(|node| node["parent"] == hold).unwrap();
        let outcomes: Vec<_> = below(die).map(|node| node["step"].as_str().unwrap()).collect();
        assert_eq!((outcomes, below(hold).count()), (vec!["1", "2"], 1), "{position}");
    }
}
