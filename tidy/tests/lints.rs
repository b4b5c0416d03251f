//! The lints of the lab are the workspace's, but that it has no unsafe code at all. A package that takes
//! the workspace's lints over cannot change one of them, so they are written out, and compared here. And no
//! line is wider than the formatter makes it, comments included, which the formatter leaves as they are.
//! Nothing is left out that a list has to name: files of tests, tests of binaries. What the project
//! was asked to be made of is there: packages, each where it serves, and folders.

use starsplit_tidy::root;
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

fn manifest(path: &Path) -> Table {
    fs::read_to_string(path).expect("a manifest").parse().expect("TOML")
}

#[test]
fn the_lints_are_those_of_the_workspace_and_unsafe_code_is_forbidden() {
    let here = root().join("experiments");
    let own = manifest(&here.join("Cargo.toml"))["lints"].clone();
    let workspace = manifest(&here.join("../Cargo.toml"))["workspace"]["lints"].clone();
    assert_eq!(workspace["rust"]["unsafe_code"].as_str(), Some("deny"));
    let mut expected = workspace;
    expected["rust"]["unsafe_code"] = "forbid".into();
    assert_eq!(own, expected);
}

/// Every Rust source below `folder`, but for what builds leave there.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn every_file_with_unsafe_code_is_named_and_no_other() {
    let root = root();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("a document");
    let section = text.split("\n## ").find(|section| section.starts_with("unsafe")).expect("a section");
    let named = section.split('`').filter(|words| words.ends_with(".rs"));
    // What calls C, or is called by it, is named by its folder.
    let is_bound = |name: &str| name.starts_with("capi/") && section.contains("`capi/`");
    let mut named: Vec<_> = named.filter(|name| !is_bound(name)).map(str::to_owned).collect();
    let mut found = Vec::new();
    for path in sources(&root) {
        let name = path.strip_prefix(&root).expect("below it").to_string_lossy().replace('\\', "/");
        let allows = concat!("allow(", "unsafe_code");
        if fs::read_to_string(&path).expect("a source").contains(allows) && !is_bound(&name) {
            found.push(name);
        }
    }
    found.sort();
    named.sort();
    named.dedup();
    assert_eq!(found, named);
}

/// Whether a condition of the source joins a `let` to something else.
fn has_let_chain(text: &str) -> bool {
    let begins = |word: &str| text.split(word).skip(1).any(is_joined);
    begins("if let ") || begins("while let ") || text.contains(concat!("&& ", "let "))
}

/// Whether a condition that goes on like this has `&&` before its block, outside of brackets and closures.
fn is_joined(rest: &str) -> bool {
    let mut depth = 0_i32;
    for (place, letter) in rest.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '{' | ';' if depth == 0 => return false,
            '&' if depth == 0 && rest[place..].starts_with("&& ") => return !rest[..place].contains("= if "),
            _ => {}
        }
    }
    false
}

/// The compiler here knows let chains, which those before 1.88 do not, and no lint looks for them.
#[test]
fn what_is_published_has_nothing_that_its_least_compiler_does_not_know() {
    let of_two = ["if let Some(a) = b && c {", "while let Some(a) = b() && c {", "if a && let Some(b) = c {"];
    let of_one = ["if let Some(a) = b.filter(|c| d && e) {", "if let A(b) = if c && d { e } else { f } {"];
    assert!(of_two.iter().all(|text| has_let_chain(text)) && !of_one.iter().any(|text| has_let_chain(text)));
    let root = root();
    let folders =
        ["", "wrappers", "options", "saved", "planner", "testkit", "games"].map(|name| root.join(name));
    let mut found = Vec::new();
    for folder in folders {
        let version = &manifest(&folder.join("Cargo.toml"))["package"]["rust-version"];
        assert_eq!(version.as_str(), Some("1.85"), "{}", folder.display());
        found.extend(sources(&folder.join("src")));
    }
    found.retain(|path| has_let_chain(&fs::read_to_string(path).expect("a source")));
    assert_eq!(found, Vec::<PathBuf>::new(), "let chains");
}

#[test]
fn no_line_is_wider_than_the_formatter_makes_it() {
    let root = root();
    let width = manifest(&root.join("rustfmt.toml"))["max_width"].as_integer().expect("a width") as usize;
    let folders =
        "src tests benches examples testkit planner options saved tables experiments fuzz tidy".split(' ');
    let all: Vec<_> = folders.flat_map(|folder| sources(&root.join(folder))).collect();
    assert!(all.len() > 200, "sources are found");
    let mut wide = Vec::new();
    for path in all {
        let text = fs::read_to_string(&path).expect("a source");
        let lines = (1..).zip(text.lines()).filter(|(_, line)| line.chars().count() > width);
        wide.extend(lines.map(|(number, _)| format!("{}:{number}", path.display())));
    }
    assert_eq!(wide, Vec::<String>::new(), "wider than {width}");
}

/// The names of the Rust sources in `folder` itself, without their endings.
fn names(folder: &Path, ending: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let files = entries.filter(|path| path.extension().is_some_and(|own| own == ending));
    files.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect()
}

#[test]
fn every_file_of_tests_is_part_of_a_program() {
    let root = root();
    for package in [".", "testkit", "planner", "tables", "games", "experiments", "tidy"] {
        let (tests, manifest) =
            (root.join(package).join("tests"), manifest(&root.join(package).join("Cargo.toml")));
        let programs = manifest["test"].as_array().expect("programs");
        let mut named: Vec<_> = programs.iter().map(|test| test["name"].as_str().expect("a name")).collect();
        named.push("all");
        let all = fs::read_to_string(tests.join("all.rs")).expect("a source");
        named.extend(all.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')));
        let missing: Vec<_> =
            names(&tests, "rs").into_iter().filter(|name| !named.contains(&name.as_str())).collect();
        assert_eq!(missing, Vec::<String>::new(), "in {}", tests.display());
    }
}

/// What of the lab is not optimised here is not in the example of somebody else's game either, as far as it
/// is built there.
#[test]
fn the_example_outside_the_workspace_optimises_what_the_workspace_does() {
    let root = root();
    let example = root.join("examples/dark-chess");
    let overrides = |folder: &Path| {
        manifest(&folder.join("Cargo.toml"))["profile"]["release"]["package"]
            .as_table()
            .expect("some")
            .clone()
    };
    let lock = manifest(&example.join("Cargo.lock"));
    let built = lock["package"].as_array().expect("packages").iter();
    let built: Vec<_> = built.map(|package| package["name"].as_str().expect("a name")).collect();
    let mut expected = overrides(&root);
    expected.retain(|name, _| built.contains(&name));
    assert!(expected.contains_key("starsplit-experiments"));
    assert_eq!(overrides(&example), expected);
}

/// Threads, queues, locks, atomics of small structures, benchmarks, histograms.
#[test]
fn the_packages_asked_for_are_used_where_they_serve() {
    let root = root();
    let manifest = manifest(&root.join("Cargo.toml"));
    for (package, list, file, used) in [
        ("rayon", "dependencies", "src/parallel/scheduler/pool.rs", "rayon::ThreadPool"),
        ("crossbeam", "dependencies", "src/sync.rs", "crossbeam::deque"),
        ("parking_lot", "dependencies", "src/sync.rs", "parking_lot::"),
        ("atomic", "dependencies", "src/sync.rs", "atomic::Atomic"),
        ("hdrhistogram", "dependencies", "src/search/answer/histogram.rs", "hdrhistogram::Histogram"),
        ("criterion", "dev-dependencies", "benches/split.rs", "criterion::"),
    ] {
        assert!(manifest[list].get(package).is_some(), "Cargo.toml: expected {package} in its {list}");
        let text = fs::read_to_string(root.join(file)).expect("a source");
        assert!(text.contains(used), "{file}: expected {used}");
    }
}

#[test]
fn what_the_top_level_was_asked_to_have_is_there() {
    let root = root();
    for name in ["Cargo.toml", "src", "benches", "experiments", "results", "paper-notes.md"] {
        assert!(root.join(name).exists(), "{name}: expected at the top level");
    }
}

/// The games' doors are one reason: `doors`.
#[test]
fn every_package_has_its_reason_in_the_table_of_packages() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("a document");
    let table = text.split("| package |").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("a table");
    let members = manifest(&root().join("Cargo.toml"))["workspace"]["members"].clone();
    let members = members.as_array().expect("members").iter().map(|member| member.as_str().expect("a name"));
    let is_named = |member: &str| table.contains(&format!("`{member}`")) || member.starts_with("doors/");
    let unnamed: Vec<_> = members.filter(|member| *member != "." && !is_named(member)).collect();
    assert_eq!(unnamed, Vec::<&str>::new());
}

#[test]
fn binaries_whose_tests_are_not_built_have_none() {
    let here = root().join("experiments");
    let manifest = manifest(&here.join("Cargo.toml"));
    let binaries = manifest["bin"].as_array().expect("binaries");
    let is_built = |binary: &Value| binary.get("test").is_none_or(|test| test.as_bool() != Some(false));
    let untested = binaries.iter().filter(|binary| !is_built(binary));
    let mut looked_at = 0;
    for name in untested.map(|binary| binary["name"].as_str().expect("a name")) {
        let folder = here.join("src/bin");
        let mut files = vec![folder.join(format!("{name}.rs"))];
        if folder.join(name).is_dir() {
            files = sources(&folder.join(name));
        }
        for file in files {
            let text = fs::read_to_string(&file).expect("a source");
            assert!(!text.contains("#[test]"), "{}: its tests are never run", file.display());
            looked_at += 1;
        }
    }
    assert!(looked_at > 6, "binaries are found");
}
