//! The files of tables that a search begins with and leaves.

use crate::cli::{BadInput, outputs};
use crate::question::tables::{self, TableFlags};
use clap::Args;
use serde::Serialize;
use serde_json::{Value, json};
use starsplit::search::TableUse;
use starsplit_saved::{Loaded, SavedTable, SavedTableError, TableIdentity, is_saved, save};
use starsplit_tables::AnyTable;
use std::fs;
use std::path::{Path, PathBuf};

/// Files of tables.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct TableFileFlags {
    /// Begin with the table that an earlier search has saved there
    ///
    /// It has to be of the same game, rules, evaluator and reuse of bounds; the answer says how many of its
    /// blocks were damaged, which are empty. The table is as large as it was saved, whatever --table-mb says.
    /// --save-table may name the same file.
    #[arg(long, value_name = "FILE")]
    load_table: Option<PathBuf>,

    /// Save the table there when the search is over, stopped or not
    ///
    /// A saved table that is there is replaced when the new one is whole; anything else is left alone. It
    /// takes as many bytes as the table.
    #[arg(long, value_name = "FILE")]
    save_table: Option<PathBuf>,

    /// Use the table in this file in place, together with all other searches that do so
    ///
    /// Where there is none it is made, of --table-mb; else it is as large as it is. What one search finds the
    /// others use at once, and the table is kept when they are over.
    #[arg(long, value_name = "FILE", conflicts_with = "load_table")]
    map_table: Option<PathBuf>,
}

/// What was done with files of tables.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct TableFileReport {
    loaded: Option<Value>,
    mapped: Option<Value>,
    saved: Option<Value>,
    /// The same for people.
    #[serde(skip)]
    pub(super) lines: Vec<(&'static str, String)>,
}

impl TableFileFlags {
    /// Whether the flags fit together, and the table can be saved.
    pub(super) fn check(&self, table_use: TableUse, tables: &TableFlags) -> Result<(), BadInput> {
        let files = [
            ("load-table", &self.load_table),
            ("map-table", &self.map_table),
            ("save-table", &self.save_table),
        ];
        let complaint = match table_use {
            TableUse::None => Some("expected a search with a table, not --table none"),
            _ if tables.is_usual() => None,
            _ => Some("expected the library's own table, of a size in MiB and not watched"),
        };
        let named = files.into_iter().find_map(|(flag, path)| Some((flag, path.as_ref()?)));
        if let (Some((flag, path)), Some(complaint)) = (named, complaint) {
            return Err(BadInput::new(flag, path.to_string_lossy(), complaint));
        }
        let Some(saved) = &self.save_table else { return Ok(()) };
        if self.map_table.as_deref().is_some_and(|mapped| is_one_file(mapped, saved)) {
            let complaint = "expected another file than that of --map-table, which keeps the table anyway";
            return Err(BadInput::new("save-table", saved.to_string_lossy(), complaint));
        }
        outputs::check("save-table", saved, "search --save-table", |path| is_saved(path))
    }

    /// The table in the file that is to be loaded or mapped; none where there is none to be. A new file has
    /// a table of `mib` MiB.
    pub(super) fn open(
        &self,
        identity: &TableIdentity,
        mib: u64,
    ) -> Result<Option<(AnyTable, TableFileReport)>, BadInput> {
        let refused = |error| match error {
            SavedTableError::Table(error) => tables::refused("table-mb", mib, error),
            other => BadInput::from_error(other),
        };
        let mut opened = TableFileReport::default();
        let table = match (&self.load_table, &self.map_table) {
            (Some(path), _) => {
                let (table, found) = SavedTable::load(path, identity).map_err(refused)?;
                opened.lines.push(("table loaded", loaded_text(path, &found)));
                opened.loaded = Some(loaded(path, &found));
                table
            }
            (None, Some(path)) => {
                let buckets = mib.saturating_mul(tables::BUCKETS_A_MIB);
                let (table, found) = SavedTable::map(path, identity, buckets).map_err(refused)?;
                opened.lines.push(("table mapped", loaded_text(path, &found)));
                opened.mapped = Some(loaded(path, &found));
                table
            }
            (None, None) => return Ok(None),
        };
        Ok(Some((table.into(), opened)))
    }

    /// Saves the table if it is to be, and puts that into the report.
    pub(super) fn save(
        &self,
        table: &AnyTable,
        identity: &TableIdentity,
        opened: Option<TableFileReport>,
    ) -> anyhow::Result<Option<TableFileReport>> {
        // The flags were checked: with a file it is of the library's own.
        let (Some(path), Some(table)) = (&self.save_table, table.as_lockless()) else { return Ok(opened) };
        save(table, path, identity)?;
        let bytes = fs::metadata(path)?.len();
        let mut report = opened.unwrap_or_default();
        report.lines.push(("table saved", format!("{} ({bytes} bytes)", path.display())));
        report.saved = Some(json!({ "file": path, "bytes": bytes }));
        Ok(Some(report))
    }
}

fn is_one_file(one: &Path, other: &Path) -> bool {
    let place = |path| fs::canonicalize(path).unwrap_or_else(|_| Path::new(path).to_owned());
    place(one) == place(other)
}

/// What was found in a file: blocks, those that did not fit their checksums, and slots with what no search
/// writes, both emptied; and whether there were checksums that hold.
fn loaded(path: &Path, found: &Loaded) -> Value {
    let Loaded { blocks, damaged, impossible, is_checked } = found;
    json!({
        "file": path, "blocks": blocks, "damaged": damaged, "impossible": impossible, "checked": is_checked,
    })
}

/// The same for people.
fn loaded_text(path: &Path, found: &Loaded) -> String {
    let &Loaded { blocks, damaged, impossible, is_checked } = found;
    let state = match (is_checked, damaged, impossible) {
        (true, 0, _) => format!("{blocks} blocks, all sound"),
        (true, _, _) => format!("{damaged} of {blocks} blocks damaged, and empty"),
        (false, _, 0) => format!("{blocks} blocks, unchecked: in use, or left in use"),
        (false, _, _) => format!("{blocks} blocks, unchecked; {impossible} slots impossible, and empty"),
    };
    format!("{} ({state})", path.display())
}
