//! Words with one meaning: no two types of the core share a name, and the words that `docs/parallel.md`
//! explains are names in the core, of functions only where that page says so.

use starsplit_tidy::root;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that are compiled instead of each other have types of the same names.
const INSTEAD: [(&str, &str); 1] = [("src/table/heap.rs", "src/table/memory.rs")];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found
}

/// The lines of a source before its tests.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take_while(|line| !line.starts_with("#[cfg(test") && !line.starts_with("#[cfg(all(test"))
}

/// What is declared after one of these words, such as `struct`, and where.
fn declared(kinds: &[&str]) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in sources(&root().join("src")) {
        let file = path.strip_prefix(root()).expect("below it").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("a source");
        // A type within an implementation is an associated one.
        for line in
            lines(&text).filter(|line| !line.trim_start().starts_with("type") || line.starts_with("type"))
        {
            let mut words =
                line.split_whitespace().skip_while(|word| word.starts_with("pub") || *word == "const");
            if words.next().is_some_and(|word| kinds.contains(&word)) {
                let rest = words.next().unwrap_or_default();
                let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
                all.entry(rest[..end.unwrap_or(rest.len())].to_owned()).or_default().push(file.clone());
            }
        }
    }
    all
}

/// The words that the page explains, each with what it says of it.
fn explained() -> BTreeMap<String, String> {
    let text = fs::read_to_string(root().join("docs/parallel.md")).expect("a document");
    let section = text.split("\n## ").find(|section| section.starts_with("Words")).expect("a section");
    let lines = section.lines().filter_map(|line| line.strip_prefix("* `"));
    lines
        .filter_map(|line| line.split_once("`: "))
        .map(|(word, about)| (word.to_owned(), about.to_owned()))
        .collect()
}

#[test]
fn no_two_types_of_the_core_share_a_name() {
    let mut types = declared(&["struct", "enum", "union", "trait"]);
    for files in types.values_mut() {
        files.retain(|file| !INSTEAD.iter().any(|(one, _)| one == file));
    }
    types.retain(|_, files| files.len() > 1);
    assert!(types.is_empty(), "types of one name: {types:?}");
}

#[test]
fn words_that_are_explained_are_names_of_one_thing() {
    let (words, types, functions) =
        (explained(), declared(&["struct", "enum", "trait", "type"]), declared(&["fn"]));
    assert!(words.len() >= 12, "{words:?}");
    for (word, about) in &words {
        let files = types.get(word).or_else(|| functions.get(word));
        let files = files.unwrap_or_else(|| panic!("{word} is explained, and names nothing"));
        if types.contains_key(word) {
            assert_eq!(files.len(), 1, "{word} names several types");
        } else {
            let is_said = |file: &&String| about.contains(file.trim_start_matches("src/"));
            let unsaid: Vec<_> = files.iter().filter(|file| !is_said(file)).collect();
            assert!(unsaid.is_empty(), "{word} is also a function in {unsaid:?}");
        }
    }
}
