//! The lints of this package are the workspace's, but that it has no unsafe code at all. A package that takes
//! the workspace's lints over cannot change one of them, so they are written out, and compared here. And no
//! line is wider than the formatter makes it, comments included, which the formatter leaves as they are.

use std::fs;
use std::path::{Path, PathBuf};
use toml::Table;

fn manifest(path: &Path) -> Table {
    fs::read_to_string(path).expect("a manifest").parse().expect("TOML")
}

#[test]
fn the_lints_are_those_of_the_workspace_and_unsafe_code_is_forbidden() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
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
fn no_line_is_wider_than_the_formatter_makes_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let width = manifest(&root.join("rustfmt.toml"))["max_width"].as_integer().expect("a width") as usize;
    let folders = ["src", "tests", "benches", "examples", "experiments"];
    let all: Vec<_> = folders.iter().flat_map(|folder| sources(&root.join(folder))).collect();
    assert!(all.len() > 200, "sources are found");
    let mut wide = Vec::new();
    for path in all {
        let text = fs::read_to_string(&path).expect("a source");
        let lines = (1..).zip(text.lines()).filter(|(_, line)| line.chars().count() > width);
        wide.extend(lines.map(|(number, _)| format!("{}:{number}", path.display())));
    }
    assert_eq!(wide, Vec::<String>::new(), "wider than {width}");
}
