//! One page over many folders, which a browser shows without a network: everything it needs is in it.

mod data;

use crate::cli::BadInput;
use crate::cli::files;
use crate::cli::outputs;
use crate::report::folder::Folder;
use crate::report::output::{MAKER, MIN_NODES, write_file};
use std::path::{Path, PathBuf};

/// The page's file where nobody names another.
pub(super) const FILE: &str = "index.html";

/// By which a page is known for one of these.
const MARK: &str = "<meta name=\"generator\" content=\"starsplit report\">";

const TEMPLATE: &str = include_str!("page.html");

/// Where each part of the page goes; the data come last, for they are the only part that others have written.
const PARTS: [(&str, &[&str]); 2] = [
    ("/* STYLES */", &[include_str!("vendor/uPlot.min.css"), include_str!("page.css")]),
    (
        "/* SCRIPTS */",
        &[
            include_str!("vendor/uPlot.iife.min.js"),
            include_str!("bootstrap.js"),
            include_str!("curves.js"),
            include_str!("look.js"),
            include_str!("chart.js"),
            include_str!("picture.js"),
            include_str!("state.js"),
            include_str!("experiments.js"),
            include_str!("lists.js"),
            include_str!("main.js"),
        ],
    ),
];

/// Where the library's licence goes, which has to be in every copy of it.
const LICENCE: (&str, &str) = ("LICENCE OF UPLOT", include_str!("vendor/uPlot.LICENSE"));

/// Where the data go.
const DATA: &str = "/* DATA */";

/// Writes the page over these folders of records to `file`. Folders whose records make no curves are passed
/// over.
///
/// # Errors
/// [`BadInput`] when a folder has no records that can be read, when none of them has any that are drawn, when
/// something else is in the file, or when it cannot be written.
pub fn write(file: &Path, folders: &[PathBuf]) -> anyhow::Result<()> {
    put(file, &text(&read(folders, MIN_NODES)?, MIN_NODES)?)
}

/// Those of these folders that are drawn.
///
/// # Errors
/// [`BadInput`] when one has no records that can be read, or none is drawn.
pub(super) fn read(folders: &[PathBuf], min_nodes: u64) -> Result<Vec<Folder>, BadInput> {
    let mut drawn = Vec::new();
    for path in folders {
        drawn.extend(Folder::read(path, min_nodes, false)?.filter(|folder| !folder.panels.is_empty()));
    }
    if let ([first, ..], true) = (folders, drawn.is_empty()) {
        let complaint = format!("expected records of curves in one of {} folders", folders.len());
        return Err(BadInput::new("folder", first.to_string_lossy(), complaint));
    }
    Ok(drawn)
}

/// The page over these folders.
///
/// # Errors
/// When the data cannot be written as JSON, which has no reason that is known.
pub(super) fn text(folders: &[Folder], min_nodes: u64) -> anyhow::Result<String> {
    let mut text = TEMPLATE.replacen("<!-- MARK -->", MARK, 1).replacen(LICENCE.0, LICENCE.1.trim(), 1);
    for (place, parts) in PARTS {
        text = text.replacen(place, &parts.concat(), 1);
    }
    Ok(text.replacen(DATA, &data::text(folders, min_nodes)?, 1))
}

/// Writes a page to a file that is not there, or is such a page.
///
/// # Errors
/// [`BadInput`] when something else is there, or it cannot be written.
pub(super) fn put(file: &Path, text: &str) -> anyhow::Result<()> {
    check_place(file)?;
    write_file(file, text.as_bytes())
}

/// Whether a page can be written to a file.
///
/// # Errors
/// When something is there that is no such page.
pub(super) fn check_place(file: &Path) -> Result<(), BadInput> {
    let is_own = |file: &Path| files::read_text(file, files::PAGE).is_ok_and(|text| text.contains(MARK));
    outputs::check_own("page", file, MAKER, is_own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::conditions::Conditions;
    use crate::records::line::Line;
    use crate::report::curves::tests::panel;
    use crate::report::folder::tests::with_panels;
    use crate::simulate::GREEDY_GUARANTEE;
    use serde_json::{Value, json};
    use std::fs;

    /// A folder of this name with a curve of one method.
    fn folder(name: &str) -> Folder {
        let meta = json!({"program": {"command": ["simulate", "</script><b>"]}});
        let panels = vec![panel(&["both"], &[(2, 1.234_567_89)])];
        Folder { name: name.to_owned(), ..with_panels(meta, panels) }
    }

    /// The data of a page.
    fn data(page: &str) -> Value {
        let start = "<script type=\"application/json\" id=\"data\">";
        let text = page.split_once(start).expect("data").1.split_once("</script>").expect("their end").0;
        serde_json::from_str(text).expect("JSON")
    }

    #[test]
    fn the_page_loads_nothing_and_may_load_nothing() {
        let page = text(&[folder("some")], 7).unwrap();
        // Everything that makes a browser load something, but for what the policy forbids anyway.
        for words in
            ["src=", "@import", "url(", "fetch(", "XMLHttpRequest", "WebSocket", "import(", "sendBeacon"]
        {
            assert!(!page.contains(words), "{words}");
        }
        let links: Vec<_> = page.split("<link").skip(1).collect();
        assert!(links.iter().all(|link| link.contains("href=\"data:,\"")), "{links:?}");
        assert!(page.contains("default-src 'none'"));
        // The library's parts come first; it says where it comes from.
        let own = PARTS.iter().flat_map(|(_, parts)| &parts[1..]).chain([&TEMPLATE]);
        assert!(own.clone().count() == 11 && own.into_iter().all(|part| !part.contains("://")));
        for place in PARTS.iter().map(|(place, _)| *place).chain(["<!-- MARK -->", LICENCE.0]) {
            assert!(!page.contains(place), "{place}");
        }
        assert!(page.contains("Permission is hereby granted"));
        assert!(page.contains(&format!("const GREEDY_GUARANTEE = \"{GREEDY_GUARANTEE}\";")));
    }

    #[test]
    fn data_come_back_and_cannot_end_their_element() {
        let mut conditions = Conditions::default();
        for (repeat, probe_ns) in [(1, 100), (2, 101), (3, 200)] {
            conditions.note(&Line { index: 1, repeat, probe_ns: Some(probe_ns), ..Line::default() });
        }
        let disturbed = Folder { disturbance: conditions.disturbance(), ..folder("a<b") };
        let page = text(&[folder("a<b"), disturbed], 7).unwrap();
        assert_eq!(page.matches("</script>").count(), TEMPLATE.matches("</script>").count());
        let data = data(&page);
        assert_eq!(data["min_nodes"], 7);
        let names: Vec<_> =
            data["folders"].as_array().unwrap().iter().map(|folder| &folder["name"]).collect();
        assert_eq!(names, ["a<b", "a<b (2)"]);
        let told: Vec<_> =
            data["folders"].as_array().unwrap().iter().map(|folder| folder["disturbed"].as_str()).collect();
        assert_eq!(told, [None, Some("disturbed: 1 of 3 rounds")]);
        let folder = &data["folders"][0];
        assert_eq!(folder["command"], "simulate </script><b>");
        assert_eq!(folder["facts"][1], json!(["depth", "9"]));
        let panel = &folder["panels"][0];
        assert_eq!(
            panel["positions"],
            json!([[1, "one", 500_000], [3, "two", 1_000_000], [4, "three", 500_000]])
        );
        let point = &panel["curves"][0]["points"][0];
        assert_eq!(point["speedup"], json!([1.23457, 2.46914, 0.617284]));
        assert_eq!(
            (&point["idle"], &point["overhead"]),
            (&json!([0.02, 0.02, 0.02]), &json!([0.01, 0.01, 0.01]))
        );
    }

    #[test]
    fn the_same_folders_give_the_same_page_and_only_such_a_page_is_replaced() {
        let page = text(&[folder("some")], 7).unwrap();
        assert_eq!(page, text(&[folder("some")], 7).unwrap());
        let file = std::env::temp_dir().join(format!("starsplit-site-{}.html", std::process::id()));
        fs::write(&file, "somebody's own").unwrap();
        let refused = put(&file, &page).unwrap_err().to_string();
        assert!(refused.contains("expected none, or one that report has made"), "{refused}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "somebody's own");
        fs::remove_file(&file).unwrap();
        put(&file, &page).unwrap();
        put(&file, &page).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), page);
        fs::remove_file(&file).unwrap();
    }
}
