//! The folders of the lab's sources stand in the order of the table in its `lib.rs`: no file imports from a
//! later folder, no files import in a circle, and no file `x.rs` stands beside a folder `x`. In the core, two
//! files at most import from each other.

use starsplit_tidy::root;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of a crate: for each path, such as `report::site`, its text without tests and comments.
type Modules = BTreeMap<String, String>;

/// The sources of the lab.
fn sources() -> PathBuf {
    root().join("experiments/src")
}

/// The sources of the core.
fn core() -> PathBuf {
    root().join("src")
}

/// All files below `folder` but those of the binaries.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && path != sources().join("bin") {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
    found
}

fn modules() -> Modules {
    modules_of(&sources())
}

fn modules_of(sources: &Path) -> Modules {
    let module = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a source");
        let inner = path.strip_prefix(sources).expect("below src").with_extension("");
        let parts: Vec<_> = inner.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let parts = parts.into_iter().filter(|part| part != "mod" && part != "lib");
        (parts.collect::<Vec<_>>().join("::"), code(&text))
    };
    files(sources).into_iter().map(module).collect()
}

/// What is compiled into the library: no tests, no comments; and no words on who may see what, which are no
/// imports.
fn code(text: &str) -> String {
    let is_tested = |line: &str| line.starts_with("#[cfg(test") || line.starts_with("#[cfg(all(test");
    let is_head = |pair: &[&str]| is_tested(pair[0]) && pair[1].contains("mod ") && pair[1].ends_with('{');
    let lines: Vec<&str> = text.lines().collect();
    let end = lines.windows(2).position(is_head).unwrap_or(lines.len());
    let lines = lines[..end].iter().map(|line| without_view(line.split("//").next().unwrap_or_default()));
    lines.collect::<Vec<_>>().join("\n")
}

/// The line without a `pub(in ...)`.
fn without_view(line: &str) -> String {
    match line.split_once("pub(in ") {
        Some((before, rest)) => format!("{before}pub{}", rest.split_once(')').map_or("", |(_, rest)| rest)),
        None => line.to_owned(),
    }
}

/// The paths that a `use` of `tree` names, groups written out.
fn leaves(prefix: &str, tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((head, group)) = tree.split_once('{') else {
        let name = tree.split(" as ").next().unwrap_or_default().trim();
        return vec![format!("{prefix}{name}")];
    };
    let inner = group.trim_end().strip_suffix('}').expect("a group that ends");
    let (mut items, mut depth) = (vec![String::new()], 0);
    for letter in inner.chars() {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        if letter == ',' && depth == 0 {
            items.push(String::new());
        } else {
            items.last_mut().expect("one at least").push(letter);
        }
    }
    let prefix = format!("{prefix}{head}");
    items.iter().filter(|item| !item.trim().is_empty()).flat_map(|item| leaves(&prefix, item)).collect()
}

/// Every path in the code of a module: those of its `use`s, and those that stand in it.
fn paths(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = String::new();
    for statement in text.split_inclusive(';') {
        let start = statement.find("use ").filter(|&start| {
            let line = statement[..start].rsplit('\n').next().unwrap_or_default().trim();
            line.is_empty() || line.starts_with("pub") && statement[..start].ends_with(' ')
        });
        match start {
            Some(start) => {
                rest.push_str(&statement[..start]);
                let tree = statement[start + 4..].trim_end_matches(';').split_whitespace();
                found.extend(leaves("", &tree.collect::<Vec<_>>().join(" ")));
            }
            None => rest.push_str(statement),
        }
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let words = rest.split(|letter| !is_part(letter));
    found.extend(words.filter(|word| word.contains("::")).map(str::to_owned));
    found
}

/// The module that a path in `own` leads to, if it is another one of the crate. A path may begin with a name
/// that `own` has imported, or with a module below it.
fn target(modules: &Modules, own: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.trim_matches(':').split("::").collect();
    let mut base: Vec<&str> = own.split("::").filter(|part| !part.is_empty()).collect();
    match parts.first().copied() {
        Some("crate") => base.clear(),
        Some("super") => {}
        Some("self") => {}
        Some(child) => {
            let below = [&base[..], &[child]].concat().join("::");
            if !modules.contains_key(&below) {
                return None;
            }
        }
        None => return None,
    }
    while let Some(first @ ("crate" | "self" | "super")) = parts.first().copied() {
        if first == "super" {
            base.pop();
        }
        parts.remove(0);
    }
    let mut whole = [base, parts].concat();
    while !whole.is_empty() && !modules.contains_key(&whole.join("::")) {
        whole.pop();
    }
    let found = whole.join("::");
    (found != own && !found.is_empty()).then_some(found)
}

/// Which modules each one imports from.
fn imports(modules: &Modules) -> BTreeMap<&str, BTreeSet<String>> {
    let of = |(own, text): (&'_ String, &String)| -> BTreeSet<String> {
        paths(text).iter().filter_map(|path| target(modules, own, path)).collect()
    };
    modules.iter().map(|module| (module.0.as_str(), of(module))).collect()
}

/// The names under which each module hands on what is another's, and whose it is.
fn handed_on(modules: &Modules) -> BTreeMap<(String, String), String> {
    let mut found = BTreeMap::new();
    for (own, text) in modules {
        for tree in ["pub use ", "pub(crate) use ", "pub(super) use "]
            .iter()
            .flat_map(|mark| text.split(mark).skip(1))
        {
            let tree =
                tree.split(';').next().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
            let aliases = tree.split([',', '{', '}']).filter_map(|item| item.trim().split_once(" as "));
            let aliases: BTreeMap<&str, &str> = aliases.map(|(name, alias)| (alias, name)).collect();
            for path in leaves("", &tree) {
                let Some(whose) = target(modules, own, &path) else { continue };
                let name = path.rsplit("::").next().unwrap_or_default();
                found.insert((own.clone(), name.to_owned()), whose.clone());
                let alias = aliases.iter().find(|(_, whole)| whole.rsplit("::").next() == Some(name));
                found.extend(alias.map(|(alias, _)| ((own.clone(), (*alias).to_owned()), whose)));
            }
        }
    }
    found
}

/// Which modules each one imports from, neither above nor below it; what a module hands on counts as from
/// where it is.
fn imports_of_origin(modules: &Modules) -> BTreeMap<&str, BTreeSet<String>> {
    let handed_on = handed_on(modules);
    let is_within = |inner: &str, outer: &str| inner.starts_with(&format!("{outer}::"));
    let of = |(own, text): (&'_ String, &String)| -> BTreeSet<String> {
        let origin = |path: &String| {
            let found = target(modules, own, path)?;
            let name = path.rsplit("::").next().unwrap_or_default();
            Some(handed_on.get(&(found.clone(), name.to_owned())).cloned().unwrap_or(found))
        };
        let others = paths(text).into_iter().filter_map(|path| origin(&path));
        others.filter(|other| other != own && !is_within(own, other) && !is_within(other, own)).collect()
    };
    modules.iter().filter(|(own, _)| !own.is_empty()).map(|module| (module.0.as_str(), of(module))).collect()
}

/// The modules that each one imports from, directly or not.
fn reached<'m>(imports: &'m BTreeMap<&str, BTreeSet<String>>, own: &str) -> BTreeSet<&'m str> {
    let (mut found, mut left) = (BTreeSet::new(), vec![own]);
    while let Some(next) = left.pop() {
        for other in imports.get(next).into_iter().flatten() {
            if found.insert(other.as_str()) {
                left.push(other);
            }
        }
    }
    found
}

/// The circles of modules: those that reach one another.
fn circles(imports: &BTreeMap<&str, BTreeSet<String>>) -> BTreeSet<Vec<String>> {
    let all: BTreeMap<&str, BTreeSet<&str>> =
        imports.keys().map(|&own| (own, reached(imports, own))).collect();
    let circle = |own: &str| -> Vec<String> {
        let back = |other: &&&str| all.get(**other).is_some_and(|reached| reached.contains(own));
        all[own].iter().filter(back).map(|&other| other.to_owned()).collect()
    };
    imports.keys().map(|own| circle(own)).filter(|circle| circle.len() > 1).collect()
}

/// The folders in the order of the table.
fn order() -> Vec<String> {
    let text = fs::read_to_string(sources().join("lib.rs")).expect("the library");
    let rows = text.lines().filter_map(|line| line.strip_prefix("//! | `"));
    let names = rows.flat_map(|row| {
        let first = row.split('|').next().unwrap_or_default().replace('`', "");
        first.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>()
    });
    names.collect()
}

/// What stands against the `order`: one module's import from another.
fn against(order: &[String], imports: &BTreeMap<&str, BTreeSet<String>>) -> Vec<String> {
    let rank = |module: &str| {
        let folder = module.split("::").next().unwrap_or_default();
        order.iter().position(|name| name == folder)
    };
    let mut found = Vec::new();
    for (&own, others) in imports.iter().filter(|(own, _)| !own.is_empty()) {
        for other in others {
            let is_later = rank(own).zip(rank(other)).is_none_or(|(own, other)| other > own);
            if is_later {
                found.push(format!("{own} imports from {other}"));
            }
        }
    }
    found
}

/// The modules that import in a circle, if any do, and those between two circles: whatever is left when those
/// that import from none left, or that none left imports from, are taken away again and again.
fn in_circles(imports: &BTreeMap<&str, BTreeSet<String>>) -> BTreeSet<String> {
    let mut left: BTreeSet<String> = imports.keys().map(|&own| own.to_owned()).collect();
    loop {
        let before = left.clone();
        left.retain(|own| {
            let imports_one = imports[own.as_str()].iter().any(|other| before.contains(other));
            imports_one && before.iter().any(|other| imports[other.as_str()].contains(own))
        });
        if left.len() == before.len() {
            return left;
        }
    }
}

#[test]
fn the_table_of_folders_is_whole() {
    let mut named = order();
    named.sort();
    let folders: BTreeSet<String> = modules()
        .keys()
        .filter(|module| !module.is_empty())
        .map(|module| module.split("::").next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(named, folders.into_iter().collect::<Vec<_>>());
}

#[test]
fn no_file_imports_from_a_later_folder() {
    let modules = modules();
    let imports = imports(&modules);
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 100, "imports are found");
    assert_eq!(against(&order(), &imports), Vec::<String>::new());
}

#[test]
fn no_files_import_in_a_circle() {
    let modules = modules();
    let imports = imports(&modules);
    let left = in_circles(&imports);
    let edges = left.iter().map(|own| (own, imports[own.as_str()].intersection(&left).collect::<Vec<_>>()));
    assert!(left.is_empty(), "{:#?}", edges.collect::<Vec<_>>());
}

#[test]
fn two_files_of_the_core_at_most_import_from_each_other() {
    let modules = modules_of(&core());
    let imports = imports_of_origin(&modules);
    assert!(imports.values().map(BTreeSet::len).sum::<usize>() > 500, "imports are found");
    let large: Vec<_> = circles(&imports).into_iter().filter(|circle| circle.len() > 2).collect();
    assert_eq!(large, Vec::<Vec<String>>::new());
}

#[test]
fn what_is_handed_on_is_from_where_it_is() {
    let texts = [
        ("a", "mod b;\nmod c;\npub(crate) use b::search as search_node;\npub use c::{Own, Other as Third};"),
        ("a::b", "use crate::d::f;"),
        ("a::c", "use crate::a::search_node;"),
        ("d", "use crate::a::{Third, Own};"),
    ];
    let modules: Modules = texts.iter().map(|&(name, text)| (name.to_owned(), code(text))).collect();
    let found = imports_of_origin(&modules);
    let names = |name: &str| found[name].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!((names("a"), names("a::c"), names("d")), (vec![], vec!["a::b"], vec!["a::c"]));
    assert_eq!(circles(&found), [["a::b", "a::c", "d"].map(str::to_owned).to_vec()].into());
}

#[test]
fn no_file_stands_beside_a_folder_of_its_name() {
    let beside = files(&sources()).into_iter().filter(|path| path.with_extension("").is_dir());
    assert_eq!(beside.collect::<Vec<_>>(), Vec::<PathBuf>::new());
}

#[test]
fn imports_are_found_in_every_form() {
    let texts = [
        ("a", "use crate::b::{self, c::{Thing as Other, d}};\nmod inner;\nfn f() { inner::g() }"),
        ("a::inner", "use super::Own;\nfn g() { crate::b::h() } // crate::nowhere::i()"),
        ("b", "pub use self::c::Thing;\nuse std::fs;"),
        ("b::c", ""),
    ];
    let modules: Modules = texts.iter().map(|&(name, text)| (name.to_owned(), code(text))).collect();
    let found = imports(&modules);
    let names = |name: &str| found[name].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(names("a"), ["a::inner", "b", "b::c"]);
    assert_eq!((names("a::inner"), names("b"), names("b::c")), (vec!["a", "b"], vec!["b::c"], vec![]));
    assert_eq!(in_circles(&found), ["a", "a::inner"].map(str::to_owned).into());
    let order = ["b", "a"].map(str::to_owned);
    assert_eq!(against(&order, &found), Vec::<String>::new());
    assert_eq!(against(&["a", "b"].map(str::to_owned), &found).len(), 3);
}
