//! The documents stay short, README's program is an example that compiles, every link and every anchor leads
//! somewhere, and every file of this tree that is named exists. What comments in the sources refer to is
//! there, too.

use starsplit_tidy::{root, scan};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The documents at fixed places; those below `docs` come in addition.
const DOCUMENTS: [&str; 8] = [
    "README.md",
    "ARCHITECTURE.md",
    "METHODOLOGY.md",
    "CHANGELOG.md",
    "paper-notes.md",
    "games/README.md",
    "games/weights/README.md",
    "src/parallel/README.md",
];

/// What a name in backquotes begins with that is a path of this tree.
const FOLDERS: [&str; 13] = [
    "src/",
    "experiments/",
    "fuzz/",
    "games/",
    "doors/",
    "testkit/",
    "options/",
    "saved/",
    "tests/",
    "docs/",
    "results/",
    "benches/",
    "examples/",
];

fn text_of(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Every document, named from the root.
fn documents() -> Vec<String> {
    let mut names: Vec<_> = DOCUMENTS.map(str::to_owned).into();
    let docs = fs::read_dir(root().join("docs")).expect("docs is there").map(|entry| entry.unwrap().path());
    let mut docs: Vec<_> = docs
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .map(|path| format!("docs/{}", path.file_name().unwrap().to_string_lossy()))
        .collect();
    docs.sort();
    names.append(&mut docs);
    names
}

/// `path` as seen from the folder of `document`, without `.` and `..`; `None` where it leaves the tree.
fn resolved(document: &str, path: &str) -> Option<PathBuf> {
    let folder = Path::new(document).parent().unwrap_or(Path::new(""));
    let mut whole = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::Normal(name) => whole.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop().then_some(())?;
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(whole)
}

/// What is wrong with a link of `document`, which has these anchors.
fn fault_of_link(document: &str, anchors: &[String], link: &str) -> Option<String> {
    if link.contains("://") || link.starts_with("mailto:") {
        return None;
    }
    let (path, place) = link.split_once('#').unwrap_or((link, ""));
    let Some(target) = resolved(document, path) else {
        return Some(format!("{document}: {link} leaves the tree"));
    };
    if !path.is_empty() && !root().join(&target).exists() {
        return Some(format!("{document}: {link}: no such file"));
    }
    let has_place = match path {
        _ if place.is_empty() => true,
        "" => anchors.iter().any(|anchor| anchor == place),
        _ if path.ends_with(".md") => {
            scan(&text_of(&target.to_string_lossy())).anchors.iter().any(|a| a == place)
        }
        _ => true,
    };
    (!has_place).then(|| format!("{document}: {link}: no such heading"))
}

/// The paths of this tree in what stands in backquotes: a name alone, or the words of a command, but for what
/// it would write. Patterns, and placeholders in angle brackets, are no paths.
fn paths_in(code: &str) -> Vec<&str> {
    let words: Vec<_> = code.split_whitespace().flat_map(|word| word.split(',')).collect();
    let is_written = |index: usize| index > 0 && words[index - 1] == "--out";
    let is_path = |word: &str| {
        FOLDERS.iter().any(|folder| word.starts_with(folder)) && !word.contains(['*', '<', '>', '{', '}'])
    };
    words
        .iter()
        .enumerate()
        .filter(|&(i, word)| is_path(word) && !is_written(i))
        .map(|(_, word)| *word)
        .collect()
}

/// Everything that is wrong with a document.
fn faults_of(document: &str, text: &str) -> Vec<String> {
    let found = scan(text);
    let links = found.links.iter().filter_map(|link| fault_of_link(document, &found.anchors, link));
    let missing =
        found.code.iter().flat_map(|code| paths_in(code)).filter(|path| !root().join(path).exists());
    links.chain(missing.map(|path| format!("{document}: `{path}`: no such file"))).collect()
}

/// The words of a document, without its comments.
fn words(name: &str) -> usize {
    let text = text_of(name);
    let (before, rest) = text.split_once("<!--").unwrap_or((&text, ""));
    let after = rest.split("<!--").filter_map(|part| part.split_once("-->"));
    before.split_whitespace().count() + after.map(|(_, text)| text.split_whitespace().count()).sum::<usize>()
}

#[test]
fn documents_are_short() {
    for (name, most) in [("README.md", 700), ("ARCHITECTURE.md", 1500)] {
        assert!(words(name) <= most, "{name} has {} words, at most {most} are wanted", words(name));
    }
    let all: usize = documents().iter().map(|name| words(name)).sum();
    assert!(all <= 21_500, "the documents have {all} words, at most 21,500 are wanted");
}

#[test]
fn the_program_of_readme_is_the_example() {
    let example = text_of("games/examples/dice.rs");
    let (_, program) = example.split_once("\n\n").expect("a comment, and the program");
    assert!(
        text_of("README.md").contains(&format!("```rust\n{program}```")),
        "README.md, games/examples/dice.rs"
    );
}

/// The words in backquotes.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// The way of a split that ARCHITECTURE walks: at most 14 calls and 45 types, which are all there.
#[test]
fn the_walk_through_a_split_is_short_and_names_what_exists() {
    let text = text_of("ARCHITECTURE.md");
    let section = text.split("\n## ").find(|section| section.starts_with("One split")).expect("a section");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let calls: Vec<_> = rows.map(quoted).collect();
    assert!((2..=15).contains(&calls.len()), "{} functions: expected at most 14 calls", calls.len());
    for call in calls {
        let (function, file) = (call[0], call[call.len() - 1]);
        let is_there = text_of(file).contains(&format!("fn {function}"));
        assert!(is_there, "{file}: expected a function {function}");
    }
    let types = section.split("Types on it,").nth(1).map(quoted).expect("types");
    let (files, types): (Vec<_>, Vec<_>) = types.into_iter().partition(|name| name.ends_with(".rs"));
    let types: Vec<_> = types.into_iter().filter(|name| !name.ends_with('/')).collect();
    assert!((1..=45).contains(&types.len()), "{} types: expected at most 45", types.len());
    let sources = sources(&root().join("src"));
    for name in types {
        let is_there = |file: &&PathBuf| {
            let is_of_its_name = file.ends_with(format!("{}.rs", snake_case(name)));
            is_of_its_name || files.iter().any(|named| file.ends_with(named))
        };
        let declares = |file: &PathBuf| declares(&fs::read_to_string(file).expect("a source"), name);
        assert!(sources.iter().filter(is_there).any(declares), "expected {name} in a file that is named");
    }
}

fn declares(source: &str, name: &str) -> bool {
    ["struct", "enum", "trait"].iter().any(|kind| {
        ["<", " ", ";", ":", "("].iter().any(|end| source.contains(&format!("{kind} {name}{end}")))
    })
}

fn snake_case(name: &str) -> String {
    let word = |letter: char| if letter.is_uppercase() { format!("_{letter}") } else { letter.to_string() };
    name.chars().map(word).collect::<String>().trim_start_matches('_').to_lowercase()
}

#[test]
fn every_link_leads_somewhere_and_every_file_named_exists() {
    let faults: Vec<_> = documents().iter().flat_map(|name| faults_of(name, &text_of(name))).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The text of a source's comments, without line breaks.
fn comments(source: &str) -> String {
    let lines = source.lines().filter_map(|line| line.trim_start().strip_prefix("//"));
    let texts: Vec<_> = lines.map(|line| line.trim_start_matches(['/', '!']).trim()).collect();
    texts.join(" ")
}

/// The sections that comments name, as in `docs/decisions.md, "The defaults"`: document and heading.
fn sections_named(comments: &str) -> Vec<(&str, &str)> {
    let found = comments.match_indices(".md, \"").filter_map(|(at, middle)| {
        let document = comments[..at + 3].rsplit([' ', '(', '`']).next()?;
        Some((document, comments[at + middle.len()..].split('"').next()?))
    });
    found.collect()
}

/// Every source below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let of = |path: &PathBuf| if path.is_dir() { sources(path) } else { vec![path.clone()] };
    entries.iter().flat_map(of).filter(|path| path.extension().is_some_and(|name| name == "rs")).collect()
}

/// What is wrong with the sections that a source names.
fn faults_of_comments(name: &str, source: &str) -> Vec<String> {
    let text = comments(source);
    let has_heading = |(document, heading): &(&str, &str)| {
        let path = root().join(document);
        path.is_file() && scan(&text_of(document)).headings.iter().any(|found| found == heading)
    };
    let named = sections_named(&text).into_iter().filter(|section| !has_heading(section));
    named.map(|(document, heading)| format!("{name}: {document}, \"{heading}\": not there")).collect()
}

#[test]
fn every_section_that_a_comment_names_is_there() {
    let folders =
        ["src", "tests", "benches", "examples", "experiments/src"].map(|folder| root().join(folder));
    let files: Vec<_> = folders.iter().flat_map(|folder| sources(folder)).collect();
    assert!(files.len() > 100, "{} sources", files.len());
    let faults = files
        .iter()
        .flat_map(|path| faults_of_comments(&path.display().to_string(), &fs::read_to_string(path).unwrap()));
    let faults: Vec<_> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn what_is_wrong_is_found() {
    let text = "# A b: `c`\n[x](README.md#two-commands) [y](#a-b-c) ![z](no.png) [w](#b) [v](../up) \
                <https://a.b>\n\
                `src/lib.rs` `src/no.rs` `src/*/x` `run --out results/x \
                --with tests/no,tests/simulate.rs`\n# A b c\n";
    assert_eq!(scan(text).anchors, ["a-b-c", "a-b-c-1"]);
    let expected = [
        "ARCHITECTURE.md: no.png: no such file",
        "ARCHITECTURE.md: #b: no such heading",
        "ARCHITECTURE.md: ../up leaves the tree",
        "ARCHITECTURE.md: `src/no.rs`: no such file",
        "ARCHITECTURE.md: `tests/no`: no such file",
    ];
    assert_eq!(faults_of("ARCHITECTURE.md", text), expected);
    let source =
        "/// see docs/decisions.md,\n/// \"The table\", (ARCHITECTURE.md, \"Layers\")\n// no.md, \"Layers\"";
    assert_eq!(faults_of_comments("x.rs", source), ["x.rs: no.md, \"Layers\": not there"]);
    assert_eq!(faults_of("games/weights/README.md", "[x](../README.md) [y](../README.md#none)").len(), 1);
}
