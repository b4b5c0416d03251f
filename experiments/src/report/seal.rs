//! Makes records ready to be kept: packed together, the revision where everybody looks for it.

use crate::cli::files;
use crate::cli::outputs;
use crate::cli::{self, BadInput, Ending};
use crate::records::archive;
use crate::records::meta::{Asked, META, Meta, RunSettings, read_value};
use crate::records::runs;
use crate::records::sealing::{Loose, pack};
use crate::report::found::with_samples;
use crate::spec::SPEC;
use serde_json::{Value, json};
use starsplit::search::StopFlag;
use std::path::{Path, PathBuf};
use std::slice;

/// The key in `meta.json` of the revision that the records were made by.
const REVISION: &str = "revision";

/// Seals the records of these folders, and names what was changed, the runs of a spec before the spec's own
/// folder, whose archive they go into. What is sealed already stays as it is, and a stop leaves every folder
/// either as it was or sealed.
///
/// # Errors
/// [`BadInput`] when a folder has no records that can be read, or whatever keeps them from being written.
pub(super) fn seal(folders: &[PathBuf], stop: &StopFlag) -> anyhow::Result<Ending> {
    let is_spec = |folder: &Path| folder.join(SPEC).is_file();
    for folder in folders {
        if stop.is_raised() {
            return Ok(Ending::Stopped);
        }
        let mut changed = if is_spec(folder) {
            records(folder, &with_samples(folder)?)?
        } else {
            records(
                folder.parent().filter(|above| is_spec(above)).unwrap_or(folder),
                slice::from_ref(folder),
            )?
        };
        if is_spec(folder) && over_runs(folder)? {
            changed.push(folder.clone());
        }
        changed.iter().try_for_each(|folder| cli::print(&format!("{}\n", folder.display())))?;
    }
    Ok(Ending::Complete)
}

/// Seals records of the folder `home`. Those that were not.
fn records(home: &Path, folders: &[PathBuf]) -> Result<Vec<PathBuf>, BadInput> {
    let (mut changed, mut all) = (Vec::new(), Vec::new());
    for folder in folders {
        let is_told = tell(folder)?;
        let refused = |error| refuse(folder, &format!("samples to seal ({error})"));
        let loose = Loose::read(home, folder).map_err(refused)?;
        if is_told || !loose.is_empty() {
            changed.push(folder.clone());
        }
        all.push(loose);
    }
    pack(home, &all).map_err(|error| refuse(home, &format!("samples to seal ({error})")))?;
    Ok(changed)
}

/// Puts the revision into the `meta.json` of a record. Whether it was not there.
fn tell(folder: &Path) -> Result<bool, BadInput> {
    let (text, meta) = read(folder)?;
    if meta.get(REVISION).is_some() {
        return Ok(false);
    }
    let revision = meta.pointer("/program/git/revision").cloned().unwrap_or_default();
    let told = with_revision(&text, &revision);
    write(folder, &told.ok_or_else(|| refuse(folder, "an object in its meta.json"))?)?;
    Ok(true)
}

/// Writes the `meta.json` of a spec's folder, over its runs, which are sealed. Whether there was none.
fn over_runs(folder: &Path) -> anyhow::Result<bool> {
    if folder.join(META).exists() {
        return Ok(false);
    }
    let runs = with_samples(folder)?;
    let metas = runs.iter().map(|run| read_meta(run)).collect::<Result<Vec<_>, BadInput>>()?;
    let machine = |meta: &Meta| {
        let cpu = meta.machine.cpu.as_ref().and_then(|cpu| cpu.name.clone());
        format!("{} with {} processors", cpu.unwrap_or_else(|| "unknown".to_owned()), meta.machine.cores)
    };
    let [first, others @ ..] = metas.as_slice() else {
        return Err(refuse(folder, "runs with samples").into());
    };
    if let Some(other) = others.iter().find(|other| machine(other) != machine(first)) {
        let found = format!("runs on one machine, not on {} and {}", machine(first), machine(other));
        return Err(refuse(folder, &found).into());
    }
    let name = |run: &PathBuf| run.file_name().map(|name| name.to_string_lossy().into_owned());
    // Of the run that was the first to start.
    let first = metas.iter().min_by_key(|meta| &meta.started).unwrap_or(first);
    let names: Vec<_> = runs.iter().filter_map(name).collect();
    let over = Meta {
        experiment: "run".to_owned(),
        settings: RunSettings::other(&json!({"runs": names}))?,
        spec: first.spec.clone().map(|spec| Asked { run: String::new(), ..spec }),
        resumed: Vec::new(),
        ..first.clone()
    };
    write(folder, &over.text()?)?;
    Ok(true)
}

/// The text of an object with the revision before everything else; all that is there stays as it was written.
fn with_revision(text: &str, revision: &Value) -> Option<String> {
    let rest = text.trim_start().strip_prefix('{')?;
    let comma = if rest.trim_start().starts_with('}') { "" } else { "," };
    let made = format!("{{\n  \"{REVISION}\": {revision}{comma}{rest}");
    serde_json::from_str::<Value>(&made).is_ok().then_some(made)
}

fn read(folder: &Path) -> Result<(String, Value), BadInput> {
    let text = archive::read_text(&folder.join(META), files::TEXT);
    let read = text.map_err(|error| error.to_string()).and_then(|text| Ok((read_value(&text)?, text)));
    let (meta, text) = read.map_err(|error| {
        refuse(folder, &format!("a {META} that can be read ({error}){}", runs::told(folder)))
    })?;
    Ok((text, meta))
}

fn read_meta(folder: &Path) -> Result<Meta, BadInput> {
    let (_, found) = read(folder)?;
    serde_json::from_value(found)
        .map_err(|error| refuse(folder, &format!("a {META} that says what such files say ({error})")))
}

fn write(folder: &Path, text: &str) -> Result<(), BadInput> {
    let written = outputs::write_whole(&folder.join(META), text.as_bytes());
    written.map_err(|error| refuse(folder, &format!("a {META} that can be written ({error})")))
}

fn refuse(folder: &Path, expected: &str) -> BadInput {
    BadInput::new("folder", folder.to_string_lossy(), format!("expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_revision_comes_first_and_all_else_stays() {
        let text = "{\n  \"schema\": 4,\n  \"b\": 1,\n  \"a\": 2.50\n}\n";
        let made = with_revision(text, &json!("01\"23")).unwrap();
        assert_eq!(
            made,
            "{\n  \"revision\": \"01\\\"23\",\n  \"schema\": 4,\n  \"b\": 1,\n  \"a\": 2.50\n}\n"
        );
        assert_eq!(with_revision("{}", &Value::Null).unwrap(), "{\n  \"revision\": null}");
        for bad in ["", "[]", "{\"a\": "] {
            assert_eq!(with_revision(bad, &Value::Null), None, "{bad}");
        }
    }
}
