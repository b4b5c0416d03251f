//! Records in which a field was emptied, removed or doubled: whoever reads them refuses them in one line, and
//! changes nothing. What was unpacked from an archive has no checksums of its own, and is held against it.

use crate::common::{EXPORT, REPORT, SCALING, Scratch, meta_of, run_in, write_meta};
use serde_json::Value;
use starsplit_experiments::records::{archive, checksum};
use std::fs;
use std::path::Path;

/// What leaves the records; with `--resume` it goes on with them.
const SHORT: [&str; 12] =
    ["--game", "pig", "--depth", "3", "--threads", "1", "--table-mb", "1", "--repeat", "1", "--out", "out"];

fn measured() -> Scratch {
    let scratch = Scratch::new();
    let output = run_in(scratch.path(), SCALING, &SHORT);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    scratch
}

/// Refused by all that read records: in one line with these words, and nothing is changed.
fn refused(folder: &Path, words: &str) {
    let files =
        || ["samples.jsonl", "meta.json"].map(|name| fs::read(folder.join("out").join(name)).unwrap());
    let before = files();
    let resumed = [&SHORT[..], &["--resume"]].concat();
    let readers =
        [(REPORT, &["out"][..]), (EXPORT, &["out"]), (SCALING, &resumed), (REPORT, &["--seal", "out"])];
    for (reader, args) in readers {
        let output = run_in(folder, reader, args);
        let complaint = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{reader} {args:?}: {words}: {complaint}");
        let is_told = complaint.starts_with("error: ") && complaint.contains(words);
        assert!(is_told && complaint.lines().count() == 1, "{reader} {args:?}: {words} in {complaint}");
        assert!(files() == before && !folder.join("out/records.tar.xz").exists(), "{reader}: {words}");
    }
}

/// The line without number and checksum, as an object that has not ended.
fn open(line: &str) -> &str {
    line.rsplit_once(",\"line\":").expect("a number").0
}

#[test]
fn no_field_of_a_line_is_emptied_removed_or_doubled_unseen() {
    let scratch = measured();
    let samples = scratch.path().join("out/samples.jsonl");
    let text = fs::read_to_string(&samples).unwrap();
    let line = text.lines().nth(1).expect("a second line");
    let sealed = |own: &str| checksum::add(format!("{own},\"line\":2}}"));
    let (unsealed, _) = line.rsplit_once(",\"crc32\"").expect("a checksum");
    let slower = unsealed.replace("\"wall_ns\":", "\"wall_ns\":1");
    let without_schema = open(line).replace("\"schema\":6,", "");
    assert!(without_schema.len() < open(line).len() && slower.len() > unsealed.len());
    let twice = "expected every key once";
    for (changed, words) in [
        (format!("{slower},\"crc32\":\"\"}}"), "its checksum is empty"),
        (format!("{unsealed},\"crc32\":null}}"), "expected a checksum at its end"),
        (format!("{unsealed}}}"), "expected a checksum at its end"),
        (checksum::add(open(line).to_owned() + "}"), "expected its number"),
        (format!("{without_schema}}}"), "schema"),
        (sealed(&without_schema), "schema"),
        (sealed(&open(line).replace("\"schema\":6", "\"schema\":5")), "schema"),
        (sealed(&format!("{},\"wall_ns\":7", open(line))), "wall_ns"),
        (sealed(&open(line).replace("\"probes\":", "\"probes\":7,\"probes\":")), twice),
        (sealed(&format!("{},\"line\":2", open(line))), twice),
        (sealed(&format!("{},\"crc32\":\"\"", open(line))), twice),
    ] {
        fs::write(&samples, text.replacen(line, &changed, 1)).unwrap();
        refused(scratch.path(), words);
    }
}

#[test]
fn no_field_of_meta_json_is_emptied_removed_or_doubled_unseen() {
    let scratch = measured();
    let out = scratch.path().join("out");
    let text = fs::read_to_string(out.join("meta.json")).unwrap();
    let own = meta_of(&out);
    let without = |name: &str| {
        let mut own = own.clone();
        own.as_object_mut().unwrap().remove(name).expect("a key");
        own
    };
    let with = |sum: Value| {
        let mut own = own.clone();
        own["crc32"] = sum;
        own.to_string()
    };
    for (changed, words) in [
        (with("".into()), "its checksum is \"\""),
        (with(Value::Null), "its checksum is null"),
        (own.to_string(), "expected its checksum"),
        (text.replacen('{', "{\"game\": \"pig\",", 1), "expected every key once"),
        (text.replacen("\"cores\":", "\"cores\": 64, \"cores\":", 1), "expected every key once"),
    ] {
        fs::write(out.join("meta.json"), changed).unwrap();
        refused(scratch.path(), words);
    }
    // With its own schema it would lose the right to be without a checksum, and lines are of another then.
    fs::write(out.join("meta.json"), without("schema").to_string()).unwrap();
    let output = run_in(scratch.path(), EXPORT, &["out"]);
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && complaint.contains("schema 0"), "{complaint}");
    write_meta(&out, &own);
    assert!(run_in(scratch.path(), REPORT, &["out"]).status.success());
}

#[test]
fn what_was_unpacked_is_gone_on_with_as_long_as_it_is_what_the_archive_has() {
    let scratch = measured();
    let (out, samples) = (scratch.path().join("out"), scratch.path().join("out/samples.jsonl"));
    assert!(run_in(scratch.path(), REPORT, &["--seal", "out"]).status.success());
    let packed = archive::members(&out).unwrap()["samples.jsonl"].to_vec();
    let text = String::from_utf8(packed).unwrap();
    let more = |args: &[&str]| {
        let output =
            run_in(scratch.path(), SCALING, &[&SHORT[..8], &["--out", "out", "--resume"], args].concat());
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    fs::write(&samples, text.replacen("\"wall_ns\":", "\"wall_ns\":1", 1)).unwrap();
    let (code, complaint) = more(&["--repeat", "2"]);
    assert!(code == Some(2) && complaint.contains("line 1 (its checksum is empty"), "{complaint}");
    fs::write(&samples, &text).unwrap();
    assert_eq!(more(&["--repeat", "2"]).0, Some(0));
    let longer = fs::read_to_string(&samples).unwrap();
    assert!(longer.starts_with(&text) && longer.lines().count() == 2 * text.lines().count());
    assert!(run_in(scratch.path(), REPORT, &["--seal", "out"]).status.success());
    // Without the archive nobody knows them.
    fs::write(&samples, &text).unwrap();
    fs::remove_file(out.join("records.tar.xz")).unwrap();
    let (code, complaint) = more(&["--repeat", "1"]);
    assert!(code == Some(2) && complaint.contains("its checksum is empty"), "{complaint}");
}
